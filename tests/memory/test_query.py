"""The gate's decision to search memory, with its reason; and the days and words searched, with a vector or without."""

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select

from app.memory.index import query
from app.models import Turn
from app.services import Services
from app.text.own_words import is_echo
from tests.conftest import MakeServices
from tests.fakes import FrozenClock, WordEmbedder
from tests.line import Line
from tests.memory.talking import conversations_in
from tests.tables import rows

SATURDAY = datetime(2026, 11, 21, 20, 15)  # noqa: DTZ001 - On the person's own clock.


def days(question: str) -> str | None:
    found = query.asked_days(question, SATURDAY)
    return None if found is None else " ".join(str(date.fromordinal(day)) for day in found)


IN_FIRST = [
    ("What did Maria research?", "What did I research?"),
    ("When did Maria’s dog fall ill?", "When did my dog fall ill?"), ("Kim, what did Maria say?", "what did I say?"),
    ("What did I say, Maria?", "What did I say?"), ("Who is Mariana?", "Who is Mariana?"), ("Maria", "I"),
    ("what about Maria Lopez", "what about I"), ("", ""),
]  # fmt: skip


@pytest.mark.parametrize(("question", "in_first"), IN_FIRST)
def test_the_name_of_a_speaker_becomes_i(question: str, in_first: str) -> None:
    assert query.prepare(question, ["Maria", "Kim", "Maria Lopez"], SATURDAY).meaning == in_first


@pytest.mark.parametrize(("question", "named"), rows("named_days.tsv"))
def test_the_days_that_a_question_names_are_found(question: str, named: str) -> None:
    assert (days(question) or "") == named


@given(st.text(max_size=120), st.datetimes())
def test_no_question_breaks_it(question: str, at: datetime) -> None:
    prepared = query.prepare(question, [question[:3], "Kim"], at)

    assert prepared.days is None or prepared.days[0] <= prepared.days[1]


def test_e7_without_an_embedder_without_time_and_after_a_failure_there_is_no_vector(
    services: Services, make_services: MakeServices, clock: FrozenClock
) -> None:
    embedder = WordEmbedder()
    searching = make_services(embedder=embedder)
    assert query.meaning(services, "my sister", seconds=1).vector is None
    assert query.meaning(searching, "my sister", seconds=1, until=clock.monotonic()).vector is None
    assert embedder.seen == []
    embedder.refuses = lambda _: True
    assert query.meaning(searching, "my sister", seconds=1).vector is None
    embedder.refuses = lambda _: False
    assert query.meaning(searching, "my sister", seconds=1).vector is None, "it rests"
    clock.advance(seconds=query.REST_SECONDS)
    assert query.meaning(searching, "my sister", seconds=1).vector is not None


NOW = datetime(2026, 11, 22, 9, tzinfo=UTC)  # A Sunday.


def asked(words: str, turns: list[query.EarlierTurn]) -> str:
    """The gate's decision for a text on this Sunday morning."""
    return query.recall_reason(words, turns, days=query.asked_days(words, NOW), today=NOW.toordinal())


def before(*turns: tuple[str, str], seconds: float = 600.0) -> list[query.EarlierTurn]:
    """Earlier turns, the newest first: what was texted, and the reason that stands on the turn."""
    return [query.EarlierTurn(words, seconds, gate) for words, gate in turns]


AT_THE_START = {
    "start": ["My sister Ana is coming over for dinner"],
    "past": ["like last time please, with Ana", "what did I say about my sister?", "¿te acuerdas de Sevilla?"],
    "themselves": ["where do I keep the spare key?"],
    "small talk": ["ok thanks", "meh", "gracias, hasta luego", "👍", ""],
}


@pytest.mark.parametrize("reason", AT_THE_START)
def test_e6_at_the_start_of_a_conversation_what_says_something_looks(reason: str) -> None:
    assert {query.recall_reason(words, []) for words in AT_THE_START[reason]} == {reason}


def test_e6_within_a_topic_nobody_looks_again_for_four_turns() -> None:
    texts = [f"The garden needs {what}" for what in ("water", "a fence", "compost", "new roses", "tulips", "moss")]
    turns: list[query.EarlierTurn] = []
    reasons = []
    for text in texts:
        gate = query.recall_reason(text, turns)
        reasons.append(gate)
        turns.insert(0, query.EarlierTurn(text, 60, gate))
    assert reasons == ["start", *["same topic"] * query.WINDOW_TURNS, "long since"]


@pytest.mark.parametrize(("earlier", "words", "gate"), rows("topics_that_follow.jsonl"))
def test_e6_another_topic_or_the_past_looks_at_once_and_what_belongs_to_the_topic_does_not(
    earlier: tuple[str, str], words: str, gate: str
) -> None:
    assert asked(words, before(earlier)) == gate


def test_e6_the_same_question_within_three_minutes_is_not_looked_for_again() -> None:
    question = "where do I keep the spare key?"
    soon = before((question.upper(), "themselves"), seconds=query.SAME_QUESTION_SECONDS - 1)
    late = before((question, "themselves"), seconds=query.SAME_QUESTION_SECONDS)
    assert query.recall_reason(question, soon) == "same question"
    assert query.recall_reason(question, late) == "themselves"
    assert {"same question", "same topic"} == query.HELD


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
        assert {asked(words, before(("hi", "small talk"))), asked(words, [])} <= query.LOOKED, words


@pytest.mark.parametrize(
    "words", ["how are you today?", "What time is it?", "are you still there?", "is this on?", "what is the time"]
)
def test_a_question_of_nothing_in_particular_does_not_look(words: str) -> None:
    assert asked(words, []) == "small talk"
    assert asked(words, before(("The garden needs water", "start"))) == "same topic"


def test_where_nothing_is_to_be_found_nobody_looks(line: Line) -> None:
    line.text("do you remember Ana?")
    with line.services.reading() as db:
        assert db.scalars(select(Turn.recall_gate)).all() == ["nothing kept"]


@pytest.mark.parametrize(
    ("half", "most"),
    [("", 0.02), ("_unseen", 0.35)],  # The words of politeness were collected on the first half.
)
def test_e6_small_talk_seldom_looks(half: str, most: float) -> None:
    texts = [text for conversation in conversations_in(f"small_talk{half}") for text in conversation]
    looked = [text for text in texts if query.recall_reason(text, []) in query.LOOKED]
    assert len(looked) / len(texts) <= most, looked


def test_r83_what_was_just_brought_back_is_not_to_be_learned_and_what_is_told_is() -> None:
    shown = ["Ana told Alex that she sails on lake Garda every August."]
    assert is_echo("Sister sails on lake Garda", "ok thanks", shown)
    assert not is_echo("Sister sails on lake Garda", "my sister sails on lake Garda", shown)
    assert not is_echo("Plays the cello", "ok thanks", shown)
    assert not is_echo("Sister sails on lake Garda", "ok thanks", [])
