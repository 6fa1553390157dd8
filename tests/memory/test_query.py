"""A question made ready: its days and its words, and its vector, had in time or not had."""

from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.memory.index.query import REST_SECONDS, asked_days, meaning, prepare
from app.services import Services
from tests.conftest import MakeServices
from tests.fakes import FrozenClock, WordEmbedder

SATURDAY = datetime(2026, 11, 21, 20, 15)  # noqa: DTZ001 - On the person's own clock.


def days(question: str) -> str | None:
    found = asked_days(question, SATURDAY)
    return None if found is None else " ".join(str(date.fromordinal(day)) for day in found)


IN_FIRST = [
    ("What did Maria research?", "What did I research?"),
    ("When did Maria’s dog fall ill?", "When did my dog fall ill?"), ("Kim, what did Maria say?", "what did I say?"),
    ("What did I say, Maria?", "What did I say?"), ("Who is Mariana?", "Who is Mariana?"), ("Maria", "I"),
    ("what about Maria Lopez", "what about I"), ("", ""),
]  # fmt: skip


@pytest.mark.parametrize(("question", "in_first"), IN_FIRST)
def test_the_name_of_a_speaker_becomes_i(question: str, in_first: str) -> None:
    assert prepare(question, ["Maria", "Kim", "Maria Lopez"], SATURDAY).meaning == in_first


NAMED = [
    ("what was I stressed about in January?", "2026-01-01 2026-01-31"),
    ("and in December?", "2025-12-01 2025-12-31"), ("what did I do last spring?", "2026-03-01 2026-05-31"),
    ("how was last winter?", "2025-12-01 2026-02-28"),
    ("where did I go in the summer of 2025?", "2025-06-01 2025-08-31"),
    ("what did I say yesterday?", "2026-11-20 2026-11-20"),
    ("what did I say two or three weeks ago?", "2026-10-31 2026-11-20"),
    ("what did I say half a year ago?", "2026-05-01 2026-05-31"),
    ("who did I see on Monday?", "2026-11-16 2026-11-16"),
    ("what happened the week of 3 June?", "2026-06-03 2026-06-09"),
    ("what did I eat last weekend?", "2026-11-14 2026-11-15"), ("on 31 July, 2023", "2023-07-31 2023-07-31"),
    ("2023-07-31", "2023-07-31 2023-07-31"), ("between August 11 and August 15 2023", "2023-08-11 2023-08-15"),
    ("from March to June", "2026-03-01 2026-06-30"), ("in 2022", "2022-01-01 2022-12-31"),
    ("before June", "0001-01-01 2026-05-31"), ("since March", "2026-03-01 2026-11-21"),
    ("around 3 May", "2026-04-30 2026-05-06"), ("what did I plan two weeks ago?", "2026-11-04 2026-11-10"),
    ("a few days ago", "2026-11-15 2026-11-20"), ("in the last two weeks", "2026-11-07 2026-11-21"),
    ("what did I say about my sister?", None), ("may I ask you to march on?", None), ("before we moved", None),
    ("on 31 June 2026 or 2026-02-30", None), ("", None),
]  # fmt: skip


@pytest.mark.parametrize(("question", "named"), NAMED)
def test_the_days_that_a_question_names_are_found(question: str, named: str | None) -> None:
    assert days(question) == named


@given(st.text(max_size=120), st.datetimes())
def test_no_question_breaks_it(question: str, at: datetime) -> None:
    query = prepare(question, [question[:3], "Kim"], at)

    assert query.days is None or query.days[0] <= query.days[1]


@pytest.fixture
def embedder() -> WordEmbedder:
    return WordEmbedder()


@pytest.fixture
def searching(make_services: MakeServices, embedder: WordEmbedder) -> Services:
    return make_services(embedder=embedder)


def test_e7_without_an_embedder_without_time_and_after_a_failure_there_is_no_vector(
    services: Services, searching: Services, embedder: WordEmbedder, clock: FrozenClock
) -> None:
    assert meaning(services, "my sister", seconds=1).vector is None
    assert meaning(searching, "my sister", seconds=1, until=clock.monotonic()).vector is None
    assert embedder.seen == []
    embedder.refuses = lambda _: True
    assert meaning(searching, "my sister", seconds=1).vector is None
    embedder.refuses = lambda _: False
    assert meaning(searching, "my sister", seconds=1).vector is None, "it rests"
    clock.advance(seconds=REST_SECONDS)
    assert meaning(searching, "my sister", seconds=1).vector is not None
