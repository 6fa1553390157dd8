"""What the offline model answers of earlier talk, found by meaning and by words, with the day on which it was told."""

from datetime import UTC, date, datetime

import pytest

from app.clients.offline import days
from app.clients.offline.extract import ExtractiveSummariser
from app.embeddings.local import LocalEmbedder
from app.services import Services
from tests.assistant.recalling import index_all, local
from tests.clients.offline_memory import MODEL, Memory
from tests.conftest import MakeServices
from tests.fakes import FrozenClock
from tests.memory.talking import Talk

BAT = "I saw a bat in my attic last night, it was flying around and I was terrified"
DENTIST = "My dentist appointment is on Thursday at 3"
BOSS = "I'm stressed about the big presentation at work, my boss is impossible"
MOTHER = "my mum is in hospital, I am scared"
ON_MONDAY, ON_TUESDAY = "On 2 November you told me: ", "On 3 November you told me: "


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock(datetime(2026, 11, 2, 17, 0, tzinfo=UTC))  # A Monday; nine in the morning in Seattle.


@pytest.fixture(scope="module")
def embedder() -> LocalEmbedder:
    return local(FrozenClock())


@pytest.fixture
def alex(make_services: MakeServices, embedder: LocalEmbedder) -> Talk:
    """On Thursday, somebody who told of much on Monday and on Tuesday."""
    talk = Talk(make_services(embedder=embedder, summariser=ExtractiveSummariser()), "+12065550123")
    for texts in (("hi", BAT, DENTIST, "my sister Ana lives in Lima", "what's my name?"), (BOSS, MOTHER, "thanks")):
        for text in texts:
            talk.say(text)
        talk.fall_silent()
        talk.clock.advance(days=1)
    index_all(talk.services)
    talk.clock.advance(days=1)
    talk.say("hello")
    return talk


def answer(alex: Talk, text: str) -> str:
    alex.say(text)
    return alex.received()[-1]


def calls(alex: Talk) -> list[str]:
    return [call.name for call in alex.tool_calls()]


def test_a_reference_to_earlier_talk_is_answered_with_what_was_told_and_when(alex: Talk) -> None:
    for text in (
        "the flying animal we talked about, what was it?",
        "The flying animal we talked about",
        "that thing with the bat",
        "what did I say about the attic?",
        "do you remember what I told you about the attic?",
        "remember when I was terrified?",
        "Remember the bat?",
    ):
        assert answer(alex, text) == f'{ON_MONDAY}"{BAT}".', text
        assert calls(alex)[-1] == "recall_memory"


def test_what_is_near_in_meaning_alone_is_asked_about(alex: Talk) -> None:
    assert answer(alex, "that winged creature we talked about") == f'Do you mean this? {ON_MONDAY}"{BAT}".'


def test_a_question_of_what_was_is_answered_with_its_day(alex: Talk) -> None:
    assert answer(alex, "what was I stressed about?") == f'{ON_TUESDAY}"{BOSS}".'
    assert answer(alex, "what was I stressed about this month?") == f'{ON_TUESDAY}"{BOSS}".'
    assert answer(alex, "what did I say about my boss") == f'{ON_TUESDAY}"{BOSS}".'


def test_what_was_told_on_other_days_than_those_asked_for_is_told_as_such(alex: Talk) -> None:
    told = answer(alex, "what was I stressed about in January?")

    assert told.startswith("I find nothing of that in January. But on 3 November you told me: ")


def test_a_question_of_when_is_answered_with_a_date(alex: Talk) -> None:
    assert BAT in answer(alex, "when did I see the bat?")
    assert answer(alex, "when did I tell you about my sister?").startswith(ON_MONDAY)


def test_a_day_is_told_in_order_without_small_talk_and_questions(alex: Talk) -> None:
    assert answer(alex, "what happened on Monday?") == (
        f'{ON_MONDAY}"{BAT}". And: "{DENTIST}". And: "my sister Ana lives in Lima".'
    )
    assert answer(alex, "what did we talk about on Tuesday?") == f'{ON_TUESDAY}"{BOSS}". And: "{MOTHER}".'
    assert answer(alex, "what happened on Wednesday?") == "I find nothing of that in what you told me."


def test_the_days_that_are_named_are_the_days_that_are_told(alex: Talk) -> None:
    tuesday = f'{ON_TUESDAY}"{BOSS}". And: "{MOTHER}".'
    for text in (
        "what happened the day before yesterday?",
        "what did I tell you two days ago?",
        "what happened on the 3rd?",
    ):
        assert answer(alex, text) == tuesday, text
    assert answer(alex, "what did I tell you yesterday?") == "I find nothing of that in what you told me."


def test_of_more_than_a_text_holds_it_is_said_how_much_is_left(alex: Talk) -> None:
    for number in range(4):
        alex.say(f"I was terrified of bat number {number} in the attic")
    alex.fall_silent()
    index_all(alex.services)

    assert answer(alex, "what happened this week?").endswith(" more: ask me about one of the days.")


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("what did I do last weekend?", "2026-11-14", "2026-11-15"),
        ("what did I do this weekend?", "2026-11-21", "2026-11-22"),
        ("what did I do the weekend before last?", "2026-11-07", "2026-11-08"),
        ("what did I do last Sunday?", "2026-11-15", "2026-11-15"),
        ("what did I do on Sunday?", "2026-11-22", "2026-11-22"),
        ("what did I do the night before last?", "2026-11-20", "2026-11-20"),
        ("what did I do the month before last?", "2026-09-01", "2026-09-30"),
        ("what did I do on the 31st?", "2026-10-31", "2026-10-31"),
        ("what did I do on the 3rd of May?", "2026-05-03", "2026-05-03"),
    ],
)
def test_a_question_on_a_sunday_means_days_that_are_past(question: str, first: str, last: str) -> None:
    assert days.span(question, date(2026, 11, 22)) == (date.fromisoformat(first), date.fromisoformat(last))


def test_whether_something_was_told_is_answered_honestly(alex: Talk) -> None:
    assert answer(alex, "did I tell you about the bat?").startswith("Yes, on 2 November you told me: ")
    assert answer(alex, "did I tell you about my motorbike?") == (
        "Not that I remember: I find nothing about your motorbike."
    )
    assert answer(alex, "what did I say about my motorbike?") == (
        "I find nothing about your motorbike in what you told me."
    )


def test_what_can_be_known_as_a_fact_is_answered_with_the_fact(alex: Talk) -> None:
    assert answer(alex, "do you remember my sister?") == "You have a sister named Ana who lives in Lima."


def test_what_was_said_of_somebody_is_more_than_what_is_known_of_them(alex: Talk) -> None:
    alex.say("Ana got engaged to Paul and I cried all night")
    alex.fall_silent()
    index_all(alex.services)
    engaged = 'Today you told me: "Ana got engaged to Paul and I cried all night".'

    assert answer(alex, "what did I say about Ana?") == (
        f'You have a sister named Ana who lives in Lima. {ON_MONDAY}"my sister Ana lives in Lima". {engaged}'
    )
    assert answer(alex, "who is Ana engaged to?") == engaged
    assert answer(alex, "who is Ana angry with?").startswith("I don't know that yet. I do know that")


def test_a_question_of_somebody_else_is_looked_up_too(alex: Talk) -> None:
    assert answer(alex, "Who is in hospital?") == f'{ON_TUESDAY}"{MOTHER}".'
    assert answer(alex, "What was flying around in the attic?") == f'{ON_MONDAY}"{BAT}".'
    assert answer(alex, "Who won the world cup in 1998?").startswith("Sorry, I can't answer that offline")


def test_who_told_of_something_but_no_fact_is_told_so_when_asking_what_is_known(
    make_services: MakeServices, embedder: LocalEmbedder
) -> None:
    talk = Talk(make_services(embedder=embedder, summariser=ExtractiveSummariser()), "+12065550123")
    talk.say(BAT)
    talk.fall_silent()
    index_all(talk.services)
    talk.clock.advance(days=3)
    talk.say("hello")

    assert answer(talk, "What do you know about me?") == (
        f'I have no facts about you yet, but I remember this. {ON_MONDAY}"{BAT}".'
    )


def test_who_told_of_nothing_is_told_that_nothing_is_known(services: Services) -> None:
    talk = Talk(services, "+12065550123")
    talk.say("hello")

    assert answer(talk, "What do you know about me?").startswith("I don't know anything about you yet.")


def test_what_was_forgotten_is_not_told_again(alex: Talk) -> None:
    answer(alex, "forget about my sister")

    assert "Lima" not in answer(alex, "when did I tell you about my sister?")
    assert "Lima" not in answer(alex, "what happened on Monday?")


def test_a_story_that_was_asked_to_be_forgotten_is_not_said_back_though_no_fact_was_made_of_it(alex: Talk) -> None:
    answer(alex, "forget about the bat")

    assert "terrified" not in answer(alex, "the bat we talked about")
    index_all(alex.services)
    alex.clock.advance(days=1)
    assert "terrified" not in answer(alex, "what did I say about the bat?")
    assert "boss" in answer(alex, "what did I say about my boss?")


def test_what_an_undo_brought_back_is_told_again_in_the_same_talk(alex: Talk) -> None:
    before = answer(alex, "what did I say about my boss?")
    assert "presentation" in before
    answer(alex, "forget about my boss")
    assert "presentation" not in answer(alex, "what did I say about my boss?")

    answer(alex, "/undo")
    index_all(alex.services)

    assert answer(alex, "what did I say about my boss?") == before


def test_what_was_met_with_sympathy_is_told_when_it_is_asked_for(alex: Talk) -> None:
    assert answer(alex, "My father Walter died in March.").startswith("I'm so sorry for your loss.")
    alex.fall_silent()
    index_all(alex.services)

    told = 'oday you told me: "My father Walter died in March."'
    assert answer(alex, "Did I tell you about my father?") == f"Yes, t{told}"
    for question in ("Did my father die?", "What happened to my father?", "When did my father die?"):
        assert answer(alex, question) == f"T{told}"


def test_a_thing_that_is_told_is_no_question_though_it_was_talked_about(alex: Talk) -> None:
    assert "you told me" not in answer(alex, "the attic we talked about is clean")
    assert answer(alex, "remember that I like tea") == "Got it. I'll remember that you like tea."


def test_with_memory_off_a_question_is_answered_with_how_to_turn_it_on(alex: Talk) -> None:
    answer(alex, "/memory off")

    for text in (
        "what's my sister's name?",
        "what do you know about me?",
        "the flying animal we talked about",
        "my name?",
    ):
        assert answer(alex, text) == (
            "Memory is off for this conversation: I use nothing from it and keep nothing. "
            "Text /memory on to turn it on again."
        )


def test_an_episode_that_is_shown_answers_where_nothing_can_be_searched() -> None:
    head = (
        '<relevant_episodes>\n  <episode id="ep1" timestamp="2026-01-22 09:30">\n'
        "    <summary>Morning stress about the project&apos;s deadline</summary>\n"
        "    <narrative>Alex felt overwhelmed with the deadline next week.</narrative>\n"
        "  </episode>\n</relevant_episodes>\n<now>Saturday 21 November 2026, 09:00 (America/New_York)</now>"
    )
    asked = {"type": "text", "text": "what was I stressed about in January?"}
    request = Memory().request([{"role": "user", "content": [{"type": "text", "text": head}, asked]}], tools=[])

    block = MODEL.complete(request).content[0]

    assert getattr(block, "text", "") == (
        "On 22 January we talked about this: Morning stress about the project's deadline"
    )


def test_without_an_embedder_words_find_it(services: Services, clock: FrozenClock) -> None:
    talk = Talk(services, "+12065550123")
    talk.say(BAT)
    index_all(services)
    clock.advance(days=3)
    talk.say("hello")

    assert answer(talk, "what did I say about the attic?") == f'{ON_MONDAY}"{BAT}".'


def test_what_somebody_asked_to_be_reminded_of_is_no_proof_that_it_was_done(alex: Talk) -> None:
    for text in ("rmnd me tmrw 7 take pills n vitamins", "I have to take my pills"):
        alex.say(text)
        index_all(alex.services)
        assert answer(alex, "did i take my pills?") == "I don't know that yet."

    alex.say("just took my pills at the office")
    index_all(alex.services)

    assert answer(alex, "did i take my pills?") == 'Yes, today you told me: "just took my pills at the office".'


def test_what_was_told_of_somebody_else_is_no_answer_of_oneself(alex: Talk) -> None:
    alex.say("Mom's medicine is warfarin 5mg, she is allergic to penicillin")
    index_all(alex.services)

    for text in ("am I allergic to anything?", "what am I allergic to?", "do I have warfarin?"):
        assert answer(alex, text) == "I don't know that yet.", text
    assert "penicillin" in answer(alex, "what did I say about penicillin?")


def test_how_something_is_now_is_answered_with_what_was_told_of_it_last(alex: Talk) -> None:
    for text in ("my dad is in intensive care", "I left my keys in the red drawer"):
        alex.say(text)
    alex.fall_silent()
    index_all(alex.services)
    alex.clock.advance(days=1)
    for text in ("my dad is out of intensive care!", "I put my keys on the shelf"):
        alex.say(text)

    for question, now, before in (
        ("how is my dad?", "my dad is out of intensive care!", "my dad is in intensive care"),
        ("where are my keys?", "I put my keys on the shelf", "I left my keys in the red drawer"),
    ):
        said = answer(alex, question)
        assert said.startswith(f'Last you told me: "{now}'), said
        assert before not in said or said.index(now) < said.index(before), said


def test_what_was_forgotten_of_this_talk_is_not_said_back_from_it(alex: Talk) -> None:
    for text in ("I left my keys in the red drawer", "forget about my keys"):
        alex.say(text)

    assert "drawer" not in answer(alex, "where are my keys?")
