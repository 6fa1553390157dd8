"""Conversations with the offline model, as somebody without an account has them."""

import pytest

from app.conversation.turn import run_turn
from app.features.offline import answers, memory, model, routines, times, wishes
from app.features.offline.answers import DONT_KNOW
from app.features.offline.model import FIRST_TIME, HELP_IS_NEAR, IF_IN_DANGER, MISSED
from app.services import Services
from tests.features.offline.asked import lines, reply_to

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


SAID = {
    name: said for module in (answers, memory, model, routines, times, wishes) for name, said in vars(module).items()
}


@pytest.mark.parametrize("line", lines("answered.txt"))
def test_a_text_is_answered_by_what_was_told_before(alex: Talk, line: str) -> None:
    texts, _, reply = line.replace("\\n", "\n").partition(" => ")
    assert [alex.say(text) for text in texts.split(" || ")][-1] == reply.format(**SAID)


def test_whether_something_was_done_is_not_answered_with_the_wish_to_do_it(alex: Talk) -> None:
    alex.say("I take warfarin daily")
    alex.say("gonna take my warfarin now")
    assert alex.say("did I take warfarin?") == "You take warfarin daily."


def test_after_a_call_for_help_what_is_not_understood_is_answered_with_help(alex: Talk) -> None:
    assert alex.say("my bf grabbed my throat last night") == HELP_IS_NEAR
    assert alex.say("i cant call he checks my phone") == f"{MISSED} {IF_IN_DANGER}"
    assert alex.say("everyone will be better off, i'll do it tomorrow") == f"{MISSED} {IF_IN_DANGER}"
    assert alex.say("what is my name?").startswith("I don't know your name.")


@pytest.mark.parametrize("line", lines("at_ease.txt"))
def test_help_is_named_until_all_is_well_and_not_if_it_only_sounds_so(alex: Talk, line: str) -> None:
    assert alex.say("my bf beats me and i took 30 pills").startswith(HELP_IS_NEAR)
    if line.startswith("- "):
        assert alex.say(line[2:]) == f"{MISSED} {IF_IN_DANGER}"
    else:
        assert IF_IN_DANGER not in (alex.say(line[2:]), alex.say("the neighbours are loud"))


def test_of_a_long_text_the_part_is_quoted_that_answers(alex: Talk) -> None:
    alex.say("The thing is " + "and it goes on and on with the work " * 6 + "and the twins start daycare in september")
    assert alex.say("when do the twins start daycare?").endswith('and the twins start daycare in september".')


def test_a_text_that_the_history_no_longer_shows_is_found_and_quoted() -> None:
    said = {"said_by": "person", "said_at": "2026-11-20T09:00", "text": "His inhaler is in the blue backpack"}
    reply = reply_to("where is his inhaler?", tools={"recall_memory": {"messages": [said]}})
    assert reply == 'Yesterday you wrote: "His inhaler is in the blue backpack".'
