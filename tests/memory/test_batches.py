"""Ownership of batches: only the owner of a conversation's batch ends it. Rows alone."""

from datetime import timedelta

import pytest

from app import people
from app.memory.episodes import batches
from app.memory.episodes.batches import LEASE, LeasedPart
from app.models import Message
from tests.keeping import tell_of_the_exam
from tests.memory.talking import Talk
from tests.turns import add_ended_turn


@pytest.fixture
def alex(alex: Talk) -> Talk:
    """Somebody with a conversation that went quiet, and that nobody has looked at."""
    tell_of_the_exam(alex)
    alex.clock.advance(minutes=31)
    return alex


def take(alex: Talk, conversation: int = 0) -> LeasedPart | None:
    row = alex.conversations()[conversation]
    with alex.services.transaction() as db:
        return batches.lease_part(db, row.id, alex.services.settings, alex.clock.now())


def taken(alex: Talk) -> LeasedPart:
    found = take(alex)
    assert found is not None
    return found


def test_it_is_in_one_hand_until_the_lease_is_over(alex: Talk) -> None:
    first = taken(alex)
    alex.clock.advance(seconds=LEASE.total_seconds() - 1)
    assert take(alex) is None
    alex.clock.advance(seconds=1)
    second = taken(alex)
    with alex.services.transaction() as db:
        assert (batches.held(db, first) is None, batches.held(db, second) is None) == (True, False)
        assert not batches.finish(db, first)
        batches.postpone(db, first, alex.clock.now())
        assert alex.batches()[0].failures == 0
        assert batches.finish(db, second)
    assert alex.unsummarised() == 0


@pytest.mark.parametrize("asked_for", [timedelta(0), timedelta(days=1)])
def test_after_a_failure_it_rests_longer_each_time_and_an_hour_at_most(alex: Talk, asked_for: timedelta) -> None:
    for minutes in (1, 2, 4, 8, 16, 32, 60, 60) if not asked_for else (60, 60):
        found = taken(alex)
        with alex.services.transaction() as db:
            batches.postpone(db, found, alex.clock.now(), at_least=asked_for)
        alex.clock.advance(seconds=minutes * 60 - 1)
        assert take(alex) is None
        alex.clock.advance(seconds=1)


def test_r67_a_clock_that_ran_ahead_keeps_nothing_in_hand_for_ever(alex: Talk) -> None:
    alex.clock.advance(days=400)
    taken(alex)
    alex.clock.advance(days=-400)
    assert take(alex) is not None


def crowd(alex: Talk) -> None:
    """More people than are looked at at a time, each with one text that was answered just now."""
    with alex.services.transaction() as db:
        now = alex.clock.now()
        for number in range(batches.MOST_WAITING + 1):
            person = people.add(db, f"+1206556{number:04}", access="allowed", now=now)
            of = {"person_id": person.id, "turn_id": add_ended_turn(db, person.id, now).id, "carrier": "phone"}
            db.add(Message(**of, direction="in", state="answered", body="Hi", created_at=now))


@pytest.mark.parametrize("settings", [{"episode_triggers": "count", "episode_messages": 6}], indirect=True)
def test_however_many_go_on_talking_one_that_is_due_is_found_behind_them(alex: Talk) -> None:
    crowd(alex)
    for number in range(3):
        alex.say(f"My sister Ana and I planned part {number} of our wedding trip to Rome")
    alex.look()
    assert alex.episode.trigger == "count"
