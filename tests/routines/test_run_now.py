"""An operator runs a routine now: once, in the person's lane, by the same rules as any routine."""

import pytest

from app.conversation.due_routines import newest_occurrences, run_now
from app.errors import Conflict
from tests.routines.routine_line import Coming

AT_TEN = {"repeat": "daily", "times": ["10:00"]}


def run(coming: Coming) -> None:
    with coming.services.reading() as db:
        seen = newest_occurrences(db, [coming.routine().id])
    run_now(coming.services, coming.phone.person_id, 1, seen=seen.get(coming.routine().id, 0))


def test_it_comes_at_once_and_once_and_its_next_time_stays(coming: Coming) -> None:
    coming.remind("stretch", **AT_TEN)
    due = coming.next_due()
    run(coming)
    with pytest.raises(Conflict, match="on its way already"):
        run(coming)
    assert coming.tick() == ["Reminder: stretch"]
    assert coming.next_due() == due
    assert [one.by_operator for one in coming.occurrences()] == [True]
    assert coming.pass_time(hours=1) == ["Reminder: stretch"]
    assert [one.by_operator for one in coming.occurrences()] == [True, False]


def test_r74_what_was_allowed_by_day_is_not_sent_when_the_night_has_begun(coming: Coming) -> None:
    coming.remind("stretch", **AT_TEN)
    coming.services.clock.advance(hours=12, minutes=59)  # type: ignore[attr-defined]  # 21:59
    run(coming)
    coming.services.clock.advance(minutes=2)  # type: ignore[attr-defined]
    assert coming.tick() == []
    assert [one.state for one in coming.occurrences() if one.by_operator] == ["skipped"]


def test_what_could_not_come_at_once_is_dropped_without_a_word(coming: Coming) -> None:
    coming.remind("stretch", **AT_TEN)
    run(coming)
    coming.services.clock.advance(minutes=31)  # type: ignore[attr-defined]
    assert coming.tick() == []
    assert coming.ends() == [("missed", "It could not come at once, as an operator wanted it.")]
