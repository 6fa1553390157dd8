from datetime import UTC, datetime

import pytest
from sqlalchemy.exc import IntegrityError

from app.errors import Refused
from app.memory import NewFact, Origin, facts, remember
from app.memory.remember import MAX_FACT_CHARS, MAX_FACTS_AT_ONCE
from app.services import Services
from tests.fakes import FrozenClock
from tests.memory.remembering import INFERRED, TOLD, fact, known, live, tell
from tests.tools.calling import texted


def test_the_same_sentence_is_kept_once_whatever_its_case_and_punctuation(services: Services, person_id: int) -> None:
    tell(services, person_id, "Likes black coffee")
    in_full_width = "Ｌｉｋｅｓ black coffee"  # As some keyboards send them.
    for again in (
        *("Likes black coffee", "likes black coffee.", "LIKES BLACK COFFEE!!!", "  Likes \t black\n coffee  "),
        *("Likes, black - coffee", "“Likes black coffee”", in_full_width),
    ):
        remembered = tell(services, person_id, again, again.upper())
        assert (remembered.stored, [one.number for one in remembered.duplicates]) == ([], [1])
    assert known(services, person_id) == {1: "Likes black coffee"}

    others = ["Likes C", "Likes C++", "Likes C#", "Does not like C", "Likes Č", "Likes C 2"]
    assert [one.sentence for one in tell(services, person_id, *others).stored] == others


def test_the_database_itself_refuses_a_second_live_fact_that_says_the_same(services: Services, person_id: int) -> None:
    tell(services, person_id, "Likes tea")

    with pytest.raises(IntegrityError), services.transaction() as db:
        facts.add(db, person_id, "likes tea!", None, TOLD, services.clock.now())

    assert known(services, person_id) == {1: "Likes tea"}


def test_a_category_is_kept_in_one_form(services: Services, person_id: int) -> None:
    given = {"Likes tea": "  Food \n", "Has a cat": "", "Plays chess": "\ud800\x00", "Sings": "x" * 500}
    remember(services, person_id, [NewFact(*one) for one in given.items()], TOLD)
    assert [one.category for one in live(services, person_id)] == ["food", None, None, "x" * 40]


def test_what_is_empty_too_long_or_too_much_is_refused_with_the_limit_and_nothing_of_the_call_is_stored(
    services: Services, person_id: int
) -> None:
    with_its_date = "Sings tomorrow " + "x" * (MAX_FACT_CHARS - len("Sings tomorrow "))
    for sentences, why in (
        *((["Likes tea", empty], "empty") for empty in ("", "   ", "...", "!?", "\x00", "\u200b")),
        (["Likes tea", "y" * 1301], r"1,301 characters; at most 300 .*several facts"),
        (["Likes tea", with_its_date], "at most 300 are kept"),
        ([f"Knows word {number}" for number in range(MAX_FACTS_AT_ONCE + 1)], "21 facts at once; at most 20"),
        ([], "at least one"),
    ):
        with pytest.raises(Refused, match=why):
            tell(services, person_id, *sentences)
    assert known(services, person_id) == {}
    assert tell(services, person_id, "x" * MAX_FACT_CHARS).stored


def test_a_fact_knows_its_source_words_and_times(services: Services, person_id: int, clock: FrozenClock) -> None:
    tell(services, person_id, "Likes tea", origin=Origin("assistant", "explicit", quote="I do like my tea"))

    one = fact(services, person_id, 1)
    now = datetime(2026, 11, 21, 17, 0, tzinfo=UTC)
    assert (one.source, one.confidence, one.quote) == ("explicit", 1.0, "I do like my tea")
    assert (one.created_at, one.recorded_at, one.valid_from) == (now, now, now)
    assert (one.retired_at, one.valid_to, one.version) == (None, None, 1)
    by_source = {"corrected": 0.9, "inferred": 0.7, "operator": 1.0, "imported": 0.8, "agent": 0.7}
    for source, confidence in by_source.items():
        (stored,) = tell(services, person_id, f"Is {source}", origin=Origin("operator", source)).stored
        assert stored.confidence == confidence


def test_hearing_a_thing_again_raises_its_confidence_to_one_at_most(services: Services, person_id: int) -> None:
    tell(services, person_id, "Likes tea", origin=INFERRED)
    heard = []
    for _ in range(5):
        tell(services, person_id, "likes tea")
        heard.append(round(fact(services, person_id, 1).confidence, 2))

    assert heard == [0.8, 0.9, 1.0, 1.0, 1.0]
    tell(services, person_id, "Likes tea", "likes tea")  # One call that says it twice has heard it once.
    tell(services, person_id, "Likes tea", origin=INFERRED)  # And a guess makes it no surer.
    assert fact(services, person_id, 1).times_told == 7


def test_a_fact_keeps_its_day_word_with_its_date_behind(services: Services, person_id: int, clock: FrozenClock) -> None:
    tell(services, person_id, "Has an exam next Friday at 10", "Moves to Lisbon next month", 'Motto is "live today"')
    (again,) = tell(services, person_id, "has an exam next Friday at 10.").duplicates
    clock.advance(days=7)
    (other,) = tell(services, person_id, "Has an exam next Friday at 10").stored

    assert known(services, person_id) == {
        1: "Has an exam next Friday [27 Nov 2026] at 10",
        2: "Moves to Lisbon next month",
        3: 'Motto is "live today"',
        4: "Has an exam next Friday [4 Dec 2026] at 10",
    }
    assert (again.number, other.number) == (1, 4)


def test_a_date_is_of_their_clock_when_the_text_came_in(services: Services, person_id: int, clock: FrozenClock) -> None:
    clock.advance(hours=14)  # 23:00 of 21 November in Seattle, and 07:00 of the 22nd in London.
    (text,) = texted(services, person_id, "my exam is tomorrow")
    clock.advance(days=2)  # The answer had to wait.

    tell(services, person_id, "Has an exam tomorrow", origin=Origin("assistant", "explicit", message_id=text.id))
    tell(services, person_id, "Has a party tomorrow")

    assert known(services, person_id) == {
        1: "Has an exam tomorrow [22 Nov 2026]",
        2: "Has a party tomorrow [24 Nov 2026]",
    }
