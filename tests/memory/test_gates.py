"""When memory is looked into, and when it is left alone: every decision with its reason."""

from datetime import UTC, datetime

import pytest

from app.memory.index import gates
from app.memory.index.gates import HELD, LOOKED, SAME_QUESTION_SECONDS, WINDOW_TURNS, Before
from app.memory.index.query import asked_days
from tests.memory.talking import conversations_in

NOW = datetime(2026, 11, 22, 9, tzinfo=UTC)  # A Sunday.


def asked(words: str, turns: list[Before]) -> str:
    """What the gate says to a text of this Sunday morning."""
    return gates.to_recall(words, turns, days=asked_days(words, NOW), today=NOW.toordinal())


def before(*turns: tuple[str, str], seconds: float = 600.0) -> list[Before]:
    """Earlier turns, the newest first: what was texted, and the reason that stands on the turn."""
    return [Before(words, seconds, gate) for words, gate in turns]


AT_THE_START = {
    "start": ["My sister Ana is coming over for dinner"],
    "past": ["like last time please, with Ana", "what did I say about my sister?", "¿te acuerdas de Sevilla?"],
    "themselves": ["where do I keep the spare key?"],
    "small talk": ["ok thanks", "meh", "gracias, hasta luego", "👍", ""],
}


@pytest.mark.parametrize("reason", AT_THE_START)
def test_e6_at_the_start_of_a_conversation_what_says_something_looks(reason: str) -> None:
    assert {gates.to_recall(words, []) for words in AT_THE_START[reason]} == {reason}


def test_e6_within_a_topic_nobody_looks_again_for_four_turns() -> None:
    texts = [f"The garden needs {what}" for what in ("water", "a fence", "compost", "new roses", "tulips", "moss")]
    turns: list[Before] = []
    reasons = []
    for text in texts:
        gate = gates.to_recall(text, turns)
        reasons.append(gate)
        turns.insert(0, Before(text, 60, gate))
    assert reasons == ["start", *["same topic"] * WINDOW_TURNS, "long since"]


@pytest.mark.parametrize(
    ("earlier", "words", "gate"),
    [
        (("The garden needs water", "start"), "Tom bought a motorbike", "new topic"),
        (("The garden needs water", "start"), "which roses did I mention last time?", "past"),
        (("Ana called about the garden", "start"), "Ana wants roses in it on Thursday", "same topic"),
        (("My sister Ana called", "start"), "and how is she?", "same topic"),
        (("hi", "small talk"), "and how is she?", "small talk"),
    ],
)
def test_e6_another_topic_or_the_past_looks_at_once_and_what_belongs_to_the_topic_does_not(
    earlier: tuple[str, str], words: str, gate: str
) -> None:
    assert asked(words, before(earlier)) == gate


def test_e6_the_same_question_within_three_minutes_is_not_looked_for_again() -> None:
    question = "where do I keep the spare key?"
    soon = before((question.upper(), "themselves"), seconds=SAME_QUESTION_SECONDS - 1)
    late = before((question, "themselves"), seconds=SAME_QUESTION_SECONDS)
    assert gates.to_recall(question, soon) == "same question"
    assert gates.to_recall(question, late) == "themselves"
    assert {"same question", "same topic"} == HELD


WHATEVER_WAS_BEFORE = {
    "past": ["What happened on Thursday?", "and in June 2024?", "where did Ana and I meet?"],
    "a day": ["what's on tomorrow?", "and on Monday?"],
    "a name": ["How is Ana?", "how's mum?", "And Zoë?"],
    "new topic": ["How was the wedding?", "when is the funeral?", "What time is the dentist?", "how is ana?"],
}


@pytest.mark.parametrize("reason", WHATEVER_WAS_BEFORE)
def test_a_question_of_a_time_a_person_or_something_new_looks_whatever_was_before(reason: str) -> None:
    for words in WHATEVER_WAS_BEFORE[reason]:
        assert asked(words, before(("The garden needs water", "start"))) == reason, words
        assert {asked(words, before(("hi", "small talk"))), asked(words, [])} <= LOOKED, words


@pytest.mark.parametrize(
    "words", ["how are you today?", "What time is it?", "are you still there?", "is this on?", "what is the time"]
)
def test_a_question_of_nothing_in_particular_does_not_look(words: str) -> None:
    assert asked(words, []) == "small talk"
    assert asked(words, before(("The garden needs water", "start"))) == "same topic"


def test_where_nothing_is_to_be_found_nobody_looks() -> None:
    assert gates.to_recall("do you remember Ana?", [], holds_anything=False) == "nothing kept"


@pytest.mark.parametrize(
    ("half", "most"),
    [("", 0.02), ("_unseen", 0.35)],  # The words of politeness were collected on the first half.
)
def test_e6_small_talk_seldom_looks(half: str, most: float) -> None:
    texts = [text for conversation in conversations_in(f"small_talk{half}") for text in conversation]
    looked = [text for text in texts if gates.to_recall(text, []) in LOOKED]
    assert len(looked) / len(texts) <= most, looked


def test_r83_what_was_just_brought_back_is_not_to_be_learned_and_what_is_told_is() -> None:
    shown = ["Ana told Alex that she sails on lake Garda every August."]
    assert gates.is_echo("Sister sails on lake Garda", "ok thanks", shown)
    assert not gates.is_echo("Sister sails on lake Garda", "my sister sails on lake Garda", shown)
    assert not gates.is_echo("Plays the cello", "ok thanks", shown)
    assert not gates.is_echo("Sister sails on lake Garda", "ok thanks", [])
