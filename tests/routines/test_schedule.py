"""Due instants compared with slow evaluations of the same schedule: day by day, and minute by minute."""

import importlib.resources
import zoneinfo
from bisect import bisect_left
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from itertools import accumulate, islice, pairwise
from pathlib import Path
from typing import Any

import holidays
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.clock import MONTHS, WEEKDAYS, local
from app.errors import Refused
from app.routines.quiet_hours import QuietHours
from app.routines.schedule import MAX_EXCEPT_DATES, NTH, Schedule, days_from, due_after, due_between
from tests.tables import rows

MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)

# A zone, and a day on or near which its clocks change.
CHANGES = rows("clock_changes.jsonl")


def times() -> st.SearchStrategy[time]:
    """Times of day, many of them near clock changes."""
    near = st.sampled_from([time(hour, minute) for hour in (0, 1, 2, 3, 23) for minute in (0, 15, 30, 45)])
    return near | st.times().map(lambda at: at.replace(second=0, microsecond=0))


@st.composite
def schedules(draw: st.DrawFn, around: date) -> Schedule:
    """Schedules of every kind that may come near the day `around`."""
    near = st.integers(-40, 40).map(lambda days: around + timedelta(days=days))
    repeat = draw(st.sampled_from(["once", "daily", "weekly", "monthly", "yearly"]))
    fields: dict[str, Any] = {"repeat": repeat, "times": tuple(draw(st.lists(times(), min_size=1, max_size=4)))}
    if repeat == "once":
        return Schedule(**fields, starts=around + timedelta(days=draw(st.integers(-2, 2))))
    fields["every"] = draw(st.sampled_from([1, 1, 2, 3, 7]))
    fields["starts"] = draw(near if fields["every"] > 1 else st.none() | near)
    fields["until"] = draw(st.none() | st.integers(0, 500).map(lambda days: around + timedelta(days=40 + days)))
    fields["except_dates"] = tuple(draw(st.lists(near, max_size=4)))
    fields["not_on_holidays"] = draw(st.sampled_from(["", "", "DE", "US-CA"]))
    days = st.lists(st.integers(1, 31), min_size=1, max_size=4)
    if repeat == "yearly":
        month = draw(st.integers(around.month, min(12, around.month + 1)))
        fields["month"] = MONTHS[month - 1]
        days = st.lists(st.integers(1, monthrange(2000, month)[1]), min_size=1, max_size=4)
    if repeat == "weekly" or (repeat in {"monthly", "yearly"} and draw(st.booleans())):
        fields["weekdays"] = tuple(draw(st.lists(st.sampled_from(WEEKDAYS), min_size=1, max_size=7)))
        if repeat != "weekly":
            fields["nth"] = tuple(draw(st.lists(st.sampled_from(NTH), min_size=1, max_size=3)))
    elif repeat in {"monthly", "yearly"}:
        fields["days_of_month"] = tuple(draw(days))
    return Schedule(**fields)


@dataclass(frozen=True)
class Asked:
    """A schedule, in a zone whose clocks may change on or near `day`, from an instant shortly before that."""

    schedule: Schedule
    zone: str
    day: str
    begin: datetime


@st.composite
def near_changes(draw: st.DrawFn) -> Asked:
    zone, day = draw(st.sampled_from(CHANGES))
    begin = datetime.fromisoformat(f"{day}T00:00Z") + draw(st.integers(-2 * 1440, 1440)) * MINUTE
    return Asked(draw(schedules(date.fromisoformat(day))), zone, day, begin)


@cache
def holidays_of(place: str) -> holidays.HolidayBase:
    country, _, part = place.partition("-")
    return holidays.country_holidays(country, subdiv=part or None)


def comes_on(schedule: Schedule, day: date) -> bool:
    """True if it comes on the day, judged from that day alone."""
    begin, until = schedule.starts or date.min, schedule.until or date.max
    if schedule.repeat == "once":
        return day == schedule.starts
    is_holiday = schedule.not_on_holidays and day in holidays_of(schedule.not_on_holidays)
    if is_holiday or not begin <= day <= until or day in schedule.except_dates:
        return False
    passed = {
        "daily": (day - begin).days,
        "weekly": (day.toordinal() - day.weekday() - begin.toordinal() + begin.weekday()) // 7,
        "monthly": day.year * 12 + day.month - begin.year * 12 - begin.month,
        "yearly": day.year - begin.year,
    }[schedule.repeat]
    if passed % schedule.every or (schedule.month and MONTHS[day.month - 1] != schedule.month):
        return False
    length = monthrange(day.year, day.month)[1]
    if schedule.nth:
        among = [one for one in range(1, length + 1) if WEEKDAYS[day.replace(day=one).weekday()] in schedule.weekdays]
        numbered = dict(zip(NTH[:4], among, strict=False)) | {"last": among[-1]}
        return day.day in {numbered.get(name) for name in schedule.nth}
    if schedule.weekdays:
        return WEEKDAYS[day.weekday()] in schedule.weekdays
    return schedule.repeat == "daily" or day.day in {min(one, length) for one in schedule.days_of_month}


@cache
def minutes_around(zone: str, day: str) -> tuple[list[datetime], list[datetime]]:
    """Every minute of ten days, and the latest local time that the zone's clocks have shown by then."""
    begin = datetime.fromisoformat(f"{day}T00:00Z") - 5 * DAY
    minutes = [begin + n * MINUTE for n in range(10 * DAY // MINUTE + 1)]
    shown = (one.replace(tzinfo=None) for one in (local(minute, zone) for minute in minutes))
    return minutes, list(accumulate(shown, max))


def due_by_the_clocks(schedule: Schedule, zone: str, day: str) -> list[datetime]:
    """Due instants: the minutes in which the clocks first show a time, or have skipped it."""
    minutes, latest_shown = minutes_around(zone, day)
    days = {one.date() for one in latest_shown}
    if schedule.repeat == "once" and schedule.starts is not None:
        days = {schedule.starts}  # Even if the zone skipped that day.
    walls = [datetime.combine(day, at) for day in days if comes_on(schedule, day) for at in schedule.times]
    first_shown = {bisect_left(latest_shown, wall) for wall in walls} - {len(minutes)}
    return [minutes[n] for n in sorted(first_shown)]


@settings(derandomize=True, max_examples=200, database=None)
@given(near_changes())
def test_r70_what_is_due_is_what_the_clocks_show_whatever_is_done_to_them(asked: Asked) -> None:
    end = asked.begin + 4 * DAY
    due = list(due_between(asked.schedule, asked.zone, asked.begin, end))
    by_the_clocks = due_by_the_clocks(asked.schedule, asked.zone, asked.day)
    assert due == [one for one in by_the_clocks if asked.begin < one <= end]
    assert all(earlier < later for earlier, later in pairwise(due))
    walls = [local(one, asked.zone).replace(tzinfo=None) for one in due]
    assert len(set(walls)) == len(walls)


def test_a_day_is_left_out_those_that_are_past_are_forgotten_and_no_more_than_can_be_shown() -> None:
    days = tuple(date(2026, 1, 1) + timedelta(days=n) for n in range(MAX_EXCEPT_DATES))
    full = Schedule("daily", times=(time(7),), except_dates=days)
    with pytest.raises(Refused, match="except_dates: 101 days are too many, at most 100 can be left out"):
        full.without(date(2027, 1, 1), today=date(2026, 1, 1))
    skipped = full.without(date(2026, 4, 1), today=date(2026, 4, 2)).except_dates
    assert skipped == (date(2026, 4, 1), *days[91:])


@settings(derandomize=True, max_examples=200, database=None)
@given(st.data(), st.dates(date(1995, 1, 1), date(2095, 1, 1)))
def test_the_days_are_those_that_a_look_at_each_day_finds(data: st.DataObject, around: date) -> None:
    schedule = data.draw(schedules(around))
    first = around + timedelta(days=data.draw(st.integers(-60, 60)))
    last = first + timedelta(days=500)
    found = [day for day in islice(days_from(schedule, first), 501) if day <= last]
    assert found == [day for n in range(501) if comes_on(schedule, day := first + timedelta(days=n))]


def test_what_meets_nothing_but_holidays_comes_no_more() -> None:
    christmas = Schedule("yearly", times=(time(9),), month="december", days_of_month=(25,), not_on_holidays="DE")
    now = datetime(2026, 11, 22, tzinfo=UTC)
    assert due_after(christmas, "Europe/Berlin", now) is None
    assert due_after(replace(christmas, not_on_holidays=""), "Europe/Berlin", now) is not None


def test_nothing_is_due_after_the_end_of_the_calendar() -> None:
    daily = Schedule("daily", times=(time(9),))
    assert due_after(daily, "UTC", datetime(2100, 12, 31, 8, tzinfo=UTC)) == datetime(2100, 12, 31, 9, tzinfo=UTC)
    assert due_after(daily, "UTC", datetime(2100, 12, 31, 9, tzinfo=UTC)) is None
    assert due_after(daily, "UTC", datetime(2500, 1, 1, tzinfo=UTC)) is None


@pytest.mark.parametrize("zone", ["Mars/Olympus", "", "localtime", "../Berlin", "Europe"])
def test_r72_an_unknown_zone_is_refused(zone: str) -> None:
    with pytest.raises(Refused, match=r"is not an IANA time zone\. Give one such as"):
        due_after(Schedule("daily", times=(time(9),)), zone, datetime(2026, 11, 22, tzinfo=UTC))


@pytest.fixture
def own_zones(tmp_path: Path) -> Iterator[Path]:
    """A folder that is searched for zones first."""
    usual = zoneinfo.TZPATH
    zoneinfo.reset_tzpath([str(tmp_path), *usual])
    yield tmp_path
    zoneinfo.reset_tzpath(usual)


def test_r70_a_change_of_the_zones_rules_moves_what_is_due_and_leaves_the_time_on_the_wall(own_zones: Path) -> None:
    place = own_zones / "Test" / "Place"
    place.parent.mkdir()
    due = []
    for rules in ("Berlin", "Istanbul"):
        place.write_bytes(importlib.resources.files("tzdata.zoneinfo.Europe").joinpath(rules).read_bytes())
        zoneinfo.ZoneInfo.clear_cache(only_keys=["Test/Place"])
        due.append(due_after(Schedule("daily", times=(time(8),)), "Test/Place", datetime(2026, 1, 10, tzinfo=UTC)))
    assert due == [datetime(2026, 1, 10, 7, tzinfo=UTC), datetime(2026, 1, 10, 5, tzinfo=UTC)]


@pytest.mark.parametrize(
    ("zone", "hours", "day"),
    [
        ("America/New_York", "22:00-01:30", date(2026, 11, 1)),
        ("America/Havana", "22:00-00:30", date(2026, 11, 1)),
        ("Pacific/Chatham", "22:00-03:00", date(2026, 4, 5)),
        ("Europe/London", "22:00-01:30", date(2026, 3, 29)),
    ],
)
def test_quiet_hours_end_later_and_when_they_are_over_in_any_night_of_a_clock_change(
    zone: str, hours: str, day: date
) -> None:
    quiet, begins = QuietHours.parse(hours), datetime.combine(day, time(), UTC) - timedelta(hours=24)
    for minute in range(0, 48 * 60, 5):
        at = begins + timedelta(minutes=minute)
        if quiet.covers(at, zone):
            assert quiet.end_after(at, zone) > at
            assert not quiet.covers(quiet.end_after(at, zone), zone)
