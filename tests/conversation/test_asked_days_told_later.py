"""What happened on a day and was told on another, asked for by the day."""

from datetime import UTC, date, datetime

import pytest

from app.features.offline.extract import ExtractiveSummariser
from app.memory.recall import recall
from app.services import Services
from tests.conftest import MakeServices
from tests.conversation.recalling import episodes_of, index_all
from tests.fakes import FrozenClock
from tests.memory.talking import Talk

PLUMBER = "The plumber came yesterday and fixed the sink in our kitchen, it cost me 400 dollars"


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock(datetime(2026, 11, 19, 17, 0, tzinfo=UTC))  # A Thursday; nine in the morning in Seattle.


@pytest.fixture
def services(make_services: MakeServices) -> Services:
    return make_services(summariser=ExtractiveSummariser())


def told(services: Services, *texts: str) -> Talk:
    """Somebody who told of these on Thursday, one conversation each, and asks on Friday."""
    talk = Talk(services, "+12065550123")
    talk.say("hello")
    for text in texts:
        talk.say(text)
        talk.fall_silent()
    index_all(talk.services)
    talk.clock.advance(days=1)
    talk.say("hello")
    return talk


def found_of(talk: Talk, day: date) -> list[int]:
    """The episodes that a search for the day brings back."""
    found = recall(talk.services, talk.person_id, f"{day:%A}", since=day, until=day)
    return [one.episode.number for one in found.episodes]


def test_a_day_brings_back_what_was_told_of_it_on_another(services: Services) -> None:
    talk = told(services, PLUMBER, "On Monday my sister Ana moved to Lima and I cried all day")
    assert found_of(talk, date(2026, 11, 18)) == [1]


def test_what_was_told_on_the_day_itself_is_still_found_by_it(services: Services) -> None:
    talk = told(services, PLUMBER, "My sister Ana called me today, she is getting married in June")
    assert sorted(found_of(talk, date(2026, 11, 19))) == [1, 2]


def test_a_day_of_which_nothing_was_told_brings_back_nothing(services: Services) -> None:
    assert found_of(told(services, PLUMBER), date(2026, 11, 17)) == []


def test_a_day_that_was_told_in_another_language_is_found_too(services: Services) -> None:
    talk = told(services, "Ayer murió mi perro Toby y estoy muy triste", "We had a long walk and I told Ana of my job")

    found = recall(services, talk.person_id, "Wednesday", since=date(2026, 11, 18), until=date(2026, 11, 18))

    assert [one.episode.number for one in found.episodes] == [1]


def test_the_turn_itself_brings_it_back_when_its_texts_are_no_longer_shown(services: Services) -> None:
    talk = told(services, PLUMBER)
    talk.clock.advance(days=9)
    talk.say(*["what else is there to be said of this?"] * 3)
    for _ in range(40):
        talk.say("my job is a long story, and I told my boss so")

    talk.say("what happened on 18 November?")

    assert 1 in episodes_of(talk.turns()[-1])
