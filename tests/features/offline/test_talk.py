"""Conversations with the offline model, as somebody without an account has them."""

import pytest

from app.conversation.turn import run_turn
from app.features.offline.answers import DONT_KNOW, NO_ANSWER
from app.features.offline.memory import FORGET_ALL
from app.features.offline.model import FIRST_TIME, HELP_IS_NEAR, HELP_STILL, MISSED, NOTHING_SET, THE_REST, TO_FORGET
from app.features.offline.times import UNSURE
from app.services import Services

ALEX = "+12065550100"  # In Los Angeles, on Saturday 21 November 2026 at 9 AM.


class Talk:
    def __init__(self, services: Services) -> None:
        self._services = services

    def say(self, text: str) -> str:
        return run_turn(self._services, ALEX, text).text.removesuffix(f" {FIRST_TIME}")


@pytest.fixture
def alex(services: Services) -> Talk:
    return Talk(services)


def test_what_is_told_is_kept_and_told_back(alex: Talk) -> None:
    assert alex.say("My name is Alex and I live in Seattle. I'm allergic to peanuts, and my dog is called Max.") == (
        "Nice to meet you, Alex! Got it. I'll remember that you live in Seattle, you are allergic to peanuts and you "
        "have a dog named Max."
    )
    assert alex.say("What do you know about me?") == (
        "Your name is Alex. You live in Seattle. You are allergic to peanuts. You have a dog named Max."
    )
    assert alex.say("what's my dog called?") == "You have a dog named Max."
    assert alex.say("where do i live?") == "You live in Seattle."
    assert alex.say("what am I allergic to") == "You are allergic to peanuts."
    assert alex.say("how old am i?") == DONT_KNOW


def test_a_day_is_said_back_with_the_date_that_is_kept(alex: Talk) -> None:
    assert alex.say("I have an exam next Friday at 10").startswith(
        "Got it. I'll remember that you have an exam next Friday [27 Nov 2026] at 10."
    )
    assert alex.say("I have an exam next Friday at 10") == (
        "I already know that you have an exam next Friday [27 Nov 2026] at 10."
    )
    alex.say("my birthday is tomorrow")
    assert alex.say("my birthday is tomorrow") == "I already know that your birthday is tomorrow [22 Nov 2026]."


def test_what_changed_takes_the_place_of_what_was(alex: Talk) -> None:
    alex.say("I live in Portland and I'm a nurse")
    assert alex.say("Actually, I moved to Seattle") == "Thanks, I've updated that: you live in Seattle."
    alex.say("my birthday is May 3")
    assert alex.say("no, it's May 4") == "Thanks, I've updated that: your birthday is May 4."
    assert alex.say("what do you know about me") == "You live in Seattle. You work as a nurse. Your birthday is May 4."


def test_two_of_a_kind_are_both_kept_and_told_of(alex: Talk) -> None:
    alex.say("my dog is called Max")
    assert alex.say("my dog is called Rex") == (
        "Got it. I'll remember that you have a dog named Rex. I also know that you have a dog named Max. If that is "
        "over, tell me to forget it."
    )
    assert alex.say("I have a dog named Rex") == "I already know that you have a dog named Rex."


def test_what_is_to_be_forgotten_goes(alex: Talk) -> None:
    alex.say("My dog is called Max. I like tea")
    assert alex.say("forget about my dog") == "Done, I've forgotten that you have a dog named Max."
    assert alex.say("forget my cat") == "I find no word of your cat, so nothing is forgotten. Name it as you wrote it."
    assert alex.say("forget that I like tea") == "Done, I've forgotten that you like tea."
    assert alex.say("what do you know about me?").startswith("I keep no facts about you yet, only your texts.")


QUOTED = 'You wrote: "{}".'
WHALES = "We watched the whales from the ferry and it was cold"
TURNS_7 = "my grandson Theo turns 7 on March 14th and my granddaughter Ruby was born on 2 Aug 2021"
LAID_OFF = "I work at a bakery, I mean I used to, I got laid off in October"
NEAR = "I can't answer that by my few rules. What I know of it: you have a son named Mateo who is allergic to walnuts."
ROOMMATES = "I live with two roommates Sam and Beatriz"
SAM_TOO = (
    "Done, I've forgotten that you live with two roommates Sam and Beatriz. That sentence held Sam as well: tell me "
    "again what is still so."
)
DENTIST = "remind me on friday at 3pm about the dentist appointment"
SCHEDULED = "I know only what is scheduled: 1. The dentist appointment, 3 PM on Friday."
REVIEW, CANCELLED = "remind me on tuesday at 5pm to review the exhibits", "OK, cancelled: Review the exhibits."
BINS = "remind me at 7pm to rest\nremind me every tuesday to put the bins out"
PLANTS = "remind me to water the plants every sunday at 10am"


@pytest.mark.parametrize(
    ("told", "then", "reply"),
    [
        (WHALES, "what did I say about the ferry?", QUOTED.format(WHALES)),
        (WHALES, "what did I say about the train?", DONT_KNOW),
        (TURNS_7, "when's Theo's birthday?", QUOTED.format(TURNS_7)),
        (LAID_OFF, "where do I work?", QUOTED.format(LAID_OFF)),
        ("My son Mateo is allergic to walnuts", "can Mateo eat a brownie with walnuts?", NEAR),
        ("Owen is allergic to nuts", "how old is Owen?", DONT_KNOW),
        ("I work as a product manager", "who is my manager?", DONT_KNOW),
        ("I have a doctor's appointment on Friday at 3pm", "who is my doctor?", DONT_KNOW),
        ("I work at B & Co\nMy phone number is 555 0134", "what is my phone number?", "Your phone number is 555 0134."),
        (ROOMMATES, "forget beatriz, she was a pain", SAM_TOO),
        (DENTIST, "Is my appointment Thursday or Friday?", SCHEDULED),
        (DENTIST, "did I have my appointment?", DONT_KNOW),
        (REVIEW, "Cancel Tuesday's reminder as well.", CANCELLED),
        (REVIEW, "delete that reminder", CANCELLED),
        (PLANTS, "actually saturday", "OK, every Saturday at 10 AM: Water the plants."),
        (PLANTS, "make it tomorrow", UNSURE),
        (BINS, "Actually make the bins 8pm", "OK, every Tuesday at 8 PM: Put the bins out."),
    ],
)
def test_the_next_text_is_answered_by_what_was_told(alex: Talk, told: str, then: str, reply: str) -> None:
    alex.say(told)
    assert alex.say(then) == reply


def test_whether_something_was_done_is_not_answered_with_the_wish_to_do_it(alex: Talk) -> None:
    alex.say("I take warfarin daily")
    alex.say("gonna take my warfarin now")
    assert alex.say("did I take warfarin?") == "You take warfarin daily."


def test_after_a_call_for_help_what_is_not_understood_is_answered_with_help(alex: Talk) -> None:
    assert alex.say("my bf grabbed my throat last night") == HELP_IS_NEAR
    assert alex.say("i cant call he checks my phone") == HELP_STILL
    assert alex.say("everyone will be better off, i'll do it tomorrow") == HELP_STILL
    assert alex.say("what is my name?").startswith("I don't know your name.")


@pytest.mark.parametrize(
    "text",
    [
        "it was just a pinched nerve",
        "it turned out to be heartburn.",
        "we're back from the hospital",
        "ok i feel better now",
        "sorry, false alarm",
        "i'm ok.",
    ],
)
def test_once_all_is_well_no_help_is_named_again(alex: Talk, text: str) -> None:
    assert alex.say("my chest really hurts") == HELP_IS_NEAR
    assert HELP_STILL not in (alex.say(text), alex.say("the neighbours are loud"))


@pytest.mark.parametrize(
    "text",
    [
        "it was only 20 i think",
        "it was just tylenol",
        "it was only a few of them",
        "it was only the beginning",
        "it turned out he bought a knife",
        "he is back home now",
        "he was just joking he said",
        "i told the police i am fine",
        "i feel better when its dark",
    ],
)
def test_what_only_sounds_as_if_all_were_well_is_answered_with_help(alex: Talk, text: str) -> None:
    assert alex.say("my bf beats me and i took 30 pills").startswith(HELP_IS_NEAR)
    assert alex.say(text) == HELP_STILL


@pytest.mark.parametrize(
    ("told", "later", "question", "is_fact"),
    [
        ("My daughter Ingrid is allergic to nuts", "Sorry, it's eggs she is allergic to", "who is my daughter?", True),
        ("call me Ben", "it's Benjamin actually", "what's my name?", True),
        ("Owen's allergic to eggs", "the nurse says Owen can eat eggs", "what is Owen allergic to?", False),
        ("I live in Denver", "we moved last month, it's Boulder now", "what do you know about me?", True),
        ("I work at Target", "got fired today", "where do I work?", True),
        ("I have three kids: Ava (9), Liam (6) and Zoe (2)", "Liam is 7 not 6", "how old are my kids?", False),
        ("I've been sober 90 days", "I relapsed last night", "how long have I been sober?", False),
        ("I weigh 184 lbs", "down to 181!", "how much do I weigh?", False),
    ],
)
def test_what_may_put_it_right_is_quoted_with_what_was_told_before(
    alex: Talk, told: str, later: str, question: str, is_fact: bool
) -> None:
    alex.say(told)
    alex.say(later)
    alex.say("My neighbour came by and we had tea")
    quoted = f'Later you wrote, and I didn\'t get: "{later}".' if is_fact else f'Later you wrote: "{later}".'
    assert alex.say(question).endswith(f" {quoted}")


def test_of_a_long_text_the_part_is_quoted_that_answers(alex: Talk) -> None:
    alex.say("The thing is " + "and it goes on and on with the work " * 6 + "and the twins start daycare in september")
    assert alex.say("when do the twins start daycare?").endswith('and the twins start daycare in september".')


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("remind me at 7:19pm about pizza", "OK, 7:19 PM tonight (Los Angeles time): Pizza."),
        ("remind me at 18:30 to call Ana", "OK, 6:30 PM tonight (Los Angeles time): Call Ana."),
        (
            "remind me every weekday at 7 to take my pills",
            "OK, every weekday at 7 AM (Los Angeles time): Take your pills.",
        ),
        ("remind me on tuesday at 3pm: Ana's birthday", "OK, 3 PM on Tuesday (Los Angeles time): Ana's birthday."),
        ("remind me on 24 December at 3pm to rest", "OK, 3 PM on Thursday, 24 December 2026 (Los Angeles time): Rest."),
        (
            "remind me tomorrow at 9am to tell Ana that she was right",
            "OK, 9 AM tomorrow (Los Angeles time): Tell Ana that",
        ),
        ("remind me at 8am to take my pills, and at 9pm to lock the door", "I'm not sure when."),
        ("message me at 4pm about the dentist", "OK, 4 PM today (Los Angeles time): The dentist."),
        ("remind me at 7am to run unless it rains", "I'm not sure when."),
        ("remind me every 8 hours to take my antibiotic", "At which times?"),
        ("remind me to call mom when it's 5pm", "I'm not sure when."),
        ("remind me at 6pm to ask when it closes", "OK, 6 PM tonight (Los Angeles time): Ask when it closes."),
        ("remind me at 6pm to ask mom when I should come", "OK, 6 PM tonight (Los Angeles time): Ask mom when you"),
        ("remind me to call Ana", "At what time? Say it as 9am or 18:30."),
        ("don't text me between 11pm and 8am", "OK, I text nothing by myself from 11 PM to 8 AM"),
        ("Don't text me between 9am and 3pm, thats when I sleep", "OK, I text nothing by myself from 9 AM to 3 PM"),
        ("what is scheduled?", "Nothing is scheduled."),
    ],
)
def test_reminders_are_confirmed_as_a_friend_would(alex: Talk, text: str, reply: str) -> None:
    assert alex.say(text).startswith(reply)


NO_WORD = "I find no word of {}, so nothing is forgotten. Name it as you wrote it."
WHAT = 'What shall I forget? Say it as: forget about my dog. "/undo" takes back the last change.'


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("thx!! 😊", "You're welcome!"),
        ("good night", "Talk to you soon."),
        ("pause everything until Monday", "Text /pause: nothing comes by itself until you text /resume."),
        ("snooze 10 min", "Nothing has come lately that I could put off."),
        ("done", "Well done! No reminder was waiting for that."),
        ("skip tomorrow", "Nothing is scheduled."),
        ("stop the fluids reminder", "I find no reminder like that. Nothing is scheduled."),
        ("who won the world cup?", NO_ANSWER),
        ("tell me a joke", NO_ANSWER),
        ("never mind", "OK."),
        ("yes", "I don't know what that answers. Say it in a whole sentence."),
        ("forget it again", WHAT),
        ("forget what I said at 3am", WHAT),
        ("delete everything you know about my kids", NO_WORD.format("your kids")),
        ("then delete the thing about my doctor, please", NO_WORD.format("your doctor")),
        ("I don't want to see her on the list, can you take Daisy off", f"{MISSED} {TO_FORGET}"),
        ("Thanks for listening. It's been a rough day", f"You're welcome! {THE_REST}"),
        ("delete the alarm code", NO_WORD.format("the alarm code")),
        ("forget my locker code please, they changed it", NO_WORD.format("your locker code")),
        ("change the reminder to thursday 6pm", f"{MISSED} {NOTHING_SET}"),
        ("I'm Ellen. My dad passed away two weeks ago", f"Hello, Ellen. {THE_REST}"),
        ("don't keep that password", NO_WORD.format("password")),
        ("you got that wrong", "Then tell me what is right. Say it as: no, my dog is called Rex."),
        ("delete all my reminders", "Text /routines: it lists what comes. /routines forget and its number ends one."),
        ("what time zone am I in?", "Your time zone is America/Los_Angeles."),
        ("undo that", "Text /undo: it takes back the last change."),
        ("delete what you have about my job", NO_WORD.format("your job")),
        ("show me all my rules", "Text /rules: it lists them."),
        ("forget what i said about the cat, i was in a bad mood", NO_WORD.format("the cat")),
        ("tell me a joke about raccoons", NO_ANSWER),
        ("forget everything", FORGET_ALL),
        (
            "my password is hunter2",
            "I don't remember passwords, codes or card numbers, so nothing is kept of this but the text itself.",
        ),
        ("Soy Ana y vivo en Madrid con mi hermana", "Solo entiendo frases sencillas en inglés."),
        ("¿cómo se llama mi perro?", "Solo entiendo frases sencillas en inglés."),
        ("Ich heiße Jonas und wohne in Berlin", "Ich verstehe nur einfache Sätze auf Englisch."),
        ("Je suis Léa et j'habite à Lyon", "Je ne comprends que des phrases simples en anglais."),
    ],
)
def test_what_it_cannot_do_it_says(alex: Talk, text: str, reply: str) -> None:
    assert alex.say(text) == reply


@pytest.mark.parametrize(
    "text",
    [
        "My mother died yesterday",
        "I had a horrible day at work",
        "I think I'm falling in love",
        "STOP IT with the long messages",
    ],
)
def test_what_it_does_not_understand_it_says_and_nods_at_nothing(alex: Talk, text: str) -> None:
    alex.say("I like tea")
    assert alex.say(text) == "I'm only a simple program and didn't get that. Your words are kept."
    assert alex.say(f"I like milk. {text}") == f"Got it. I'll remember that you like milk. {THE_REST}"
