"""An operator has a routine come now: once, in the person's lane, with the manners of all that comes by itself."""

import pytest

from app import people
from app.conversation.due_routines import newest_occurrence, run_now
from app.errors import Asleep, Conflict, Refused
from app.models import Occurrence
from app.people import consents
from app.routines import setting
from app.services import Services
from tests.routines.routine_line import BY_PERSON, Coming

AT_TEN = {"repeat": "daily", "times": ["10:00"]}


def seen(coming: Coming, number: int = 1) -> int:
    with coming.services.reading() as db:
        return newest_occurrence(db, coming.routine(number).id)


def run(coming: Coming, number: int = 1, **how: object) -> Occurrence:
    given = {"seen": seen(coming, number) if number == 1 else 0, **how}
    return run_now(coming.services, coming.phone.person_id, number, **given)  # type: ignore[arg-type]


def test_it_comes_at_once_and_its_next_time_stays(coming: Coming) -> None:
    coming.remind("stretch", **AT_TEN)
    due = coming.next_due()
    run(coming)
    assert coming.tick() == ["Reminder: stretch"]
    assert coming.next_due() == due
    assert [one.by_operator for one in coming.occurrences()] == [True]
    assert coming.pass_time(hours=1) == ["Reminder: stretch"]
    assert [one.by_operator for one in coming.occurrences()] == [True, False]


def test_what_is_asked_for_twice_comes_once(coming: Coming) -> None:
    coming.remind("stretch", **AT_TEN)
    before = seen(coming)
    run(coming, seen=before)
    with pytest.raises(Conflict, match="has come since this page was shown"):
        run(coming, seen=before)
    assert coming.tick() == ["Reminder: stretch"]
    with pytest.raises(Conflict, match="has come since this page was shown"):
        run(coming, seen=before)
    assert coming.tick() == []


def test_what_is_on_its_way_is_not_sent_beside_itself(coming: Coming) -> None:
    coming.remind("stretch", **AT_TEN)
    run(coming)
    with pytest.raises(Conflict, match="on its way already"):
        run(coming)


def change(services: Services, person_id: int, how: str) -> None:
    if how == "blocked":
        people.block(services, person_id)
    elif how == "opted out":
        consents.refuse_for(services, person_id, "by phone")
    elif how == "held":
        setting.pause_all(services, person_id)
    else:
        setting.pause(services, person_id, 1, BY_PERSON)


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ("blocked", "The number is blocked."),
        ("opted out", "The person opted out."),
        ("held", "All routines of the person are paused."),
        ("paused", "The routine is paused."),
    ],
)
def test_r74_nobody_is_texted_to_whom_nothing_may_go(coming: Coming, how: str, why: str) -> None:
    coming.remind("stretch", **AT_TEN)
    change(coming.services, coming.phone.person_id, how)
    with pytest.raises(Refused, match=f"{why} So routine 1 was not run."):
        run(coming, at_night=True)
    assert coming.tick() == []
    assert coming.occurrences() == []


def test_r74_the_sixth_unasked_text_of_a_day_is_refused(coming: Coming) -> None:
    coming.remind("stretch", **AT_TEN)
    for _ in range(5):
        run(coming)
        assert coming.pass_time(seconds=1) == ["Reminder: stretch"]
    with pytest.raises(Refused, match="5 texts of routines had gone out"):
        run(coming)


def test_r74_at_night_it_takes_knowing_how_late_it_is_there(coming: Coming) -> None:
    coming.remind("the train", repeat="daily", times=["04:30"])  # An hour at night that they chose is not any hour.
    coming.services.clock.advance(hours=14, minutes=14)  # type: ignore[attr-defined]
    with pytest.raises(Asleep, match=r"It is 23:14 there, and their quiet hours are 22:00-07:00\."):
        run(coming)
    assert coming.tick() == []
    run(coming, at_night=True)
    assert coming.tick() == ["Reminder: the train"]


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
    [one] = coming.occurrences()
    assert (one.state, one.reason) == ("missed", "It could not come at once, as an operator wanted it.")
