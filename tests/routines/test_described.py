"""What a person is told of a schedule."""

from datetime import UTC, date, datetime, time
from typing import Any

import pytest

from app.routines.described import describe, spoken_instant
from app.routines.request import ScheduleRequest, from_request
from app.routines.schedule import Schedule
from tests.routines.routine_line import request_of

SUNDAY = datetime(2026, 11, 22, 18, 0, tzinfo=UTC)  # 10:00 in Los Angeles.
ZONE = "America/Los_Angeles"
WORKDAYS = "monday tuesday wednesday thursday friday".split()


@pytest.mark.parametrize(
    ("when", "more", "words"),
    [
        ("once 15:00", {"date": "2026-11-27"}, "on 27 November 2026 at 15:00"),
        ("once 9:00 17:30", {"in_days": 1}, "on 23 November 2026 at 09:00 and 17:30"),
        ("once", {"in_minutes": 20}, "on 22 November 2026 at 10:20"),
        ("daily 07:00", {}, "daily at 07:00"),
        ("daily 08:00 13:00 20:00", {}, "daily at 08:00, 13:00 and 20:00"),
        ("daily 07:00", {"every": 2}, "every second day at 07:00 from 23 November 2026"),
        ("daily 12:00", {"every": 10}, "every 10 days at 12:00 from 22 November 2026"),
        ("daily 12:00", {"in_days": 3}, "daily at 12:00 from 25 November 2026"),
        ("daily 12:00", {"date": "2026-11-01"}, "daily at 12:00"),
        ("daily 09:00", {"count": 5}, "daily at 09:00, until 27 November 2026"),
        (
            "daily 08:00 20:00",
            {"not_on_holidays": "DE", "until": "2026-12-31"},
            "daily at 08:00 and 20:00, not on public holidays in Germany, until 31 December 2026",
        ),
        (
            "daily 08:00",
            {"not_on_holidays": "us-ca", "except_dates": ["2026-11-23"]},
            "daily at 08:00, not on public holidays in the United States (CA), except on 23 November 2026",
        ),
        (
            "daily 08:00",
            {"except_dates": ["2026-12-04", "2026-12-01", "2026-12-02", "2026-12-03", "2026-12-05"]},
            "daily at 08:00, except on 1 December 2026, on 2 December 2026, on 3 December 2026 and 2 more days",
        ),
        ("hourly", {}, "daily, every hour from 00:00 to 23:00"),
        (
            "hourly",
            {"every": 3, "from_time": "9:00", "to_time": "18:00", "weekdays": WORKDAYS},
            "every weekday, every 3 hours from 09:00 to 18:00",
        ),
        ("hourly", {"every": 4, "from_time": "22:00", "to_time": "06:00"}, "daily at 02:00, 06:00 and 22:00"),
        ("weekly 07:00", {"weekdays": WORKDAYS}, "every weekday at 07:00"),
        ("weekly 07:00", {"weekdays": [*WORKDAYS, "saturday", "sunday"]}, "daily at 07:00"),
        ("weekly 07:00", {"weekdays": ["sunday", "saturday"]}, "every Saturday and Sunday at 07:00"),
        ("weekly 18:30", {"every": 2, "weekdays": ["tuesday"]}, "every second Tuesday at 18:30 from 24 November 2026"),
        (
            "weekly 18:30",
            {"every": 2, "weekdays": ["tuesday", "friday"]},
            "every second week on Tuesday and Friday at 18:30 from 24 November 2026",
        ),
        (
            "weekly 18:30",
            {"every": 8, "weekdays": ["tuesday"]},
            "every 8 weeks on Tuesday at 18:30 from 24 November 2026",
        ),
        ("monthly 09:00", {"nth": ["last"], "weekdays": ["friday"]}, "on the last Friday of each month at 09:00"),
        (
            "monthly 09:00",
            {"nth": ["first", "third"], "weekdays": ["monday"]},
            "on the first and third Monday of each month at 09:00",
        ),
        ("monthly 09:00", {"nth": ["last"], "weekdays": WORKDAYS}, "on the last weekday of each month at 09:00"),
        (
            "monthly 09:00",
            {"nth": ["first"], "weekdays": ["saturday", "sunday"]},
            "on the first Saturday or Sunday of each month at 09:00",
        ),
        (
            "monthly 09:00",
            {"days_of_month": [1, 2, 3, 11, 12, 13, 21, 22, 23]},
            "on the 1st, 2nd, 3rd, 11th, 12th, 13th, 21st, 22nd and 23rd of each month at 09:00",
        ),
        (
            "monthly 09:00",
            {"days_of_month": [31]},
            "on the 31st of each month (the last day of shorter months) at 09:00",
        ),
        (
            "monthly 09:00",
            {"every": 3, "days_of_month": [10]},
            "on the 10th of every third month at 09:00 from 10 December 2026",
        ),
        (
            "yearly 09:00",
            {"month": "february", "days_of_month": [29]},
            "every year on 29 February (28 February in common years) at 09:00",
        ),
        ("yearly 09:00", {"month": "december", "days_of_month": [31]}, "every year on 31 December at 09:00"),
        (
            "yearly 09:00",
            {"every": 2, "month": "december", "days_of_month": [24, 26]},
            "every second year on 24 and 26 December at 09:00 from 24 December 2026",
        ),
        (
            "yearly 09:00",
            {"month": "november", "nth": ["fourth"], "weekdays": ["thursday"]},
            "every year on the fourth Thursday of November at 09:00",
        ),
        ("yearly 09:00", {"every": 10, "date": "2031-06-14"}, "every 10 years on 14 June at 09:00 from 14 June 2031"),
    ],
)
def test_a_schedule_is_told_in_one_plain_phrase(when: str, more: dict[str, Any], words: str) -> None:
    assert describe(from_request(request_of(when, more), SUNDAY, ZONE), ZONE) == words


def test_what_comes_after_a_span_is_told_on_the_clock_of_wherever_its_person_is() -> None:
    soon = Schedule("once", instant=datetime(2026, 11, 22, 18, 20, tzinfo=UTC))
    assert describe(soon, "Asia/Kolkata") == "on 22 November 2026 at 23:50"
    assert describe(soon, "Pacific/Auckland") == "on 23 November 2026 at 07:20"


def test_an_anchor_in_the_past_is_told_as_the_next_day_on_which_it_comes() -> None:
    bins = ScheduleRequest("weekly", every=2, weekdays=["tuesday"], date="2026-11-10", times=["18:30"])
    assert from_request(bins, SUNDAY, ZONE).starts == date(2026, 11, 24)


@pytest.mark.parametrize(
    ("instant", "now", "words"),
    [
        (datetime(2026, 11, 25, 2, 30, tzinfo=UTC), None, "Tuesday 24 November 2026, 18:30 (America/Los_Angeles)"),
        (datetime(2026, 11, 25, 2, 30, tzinfo=UTC), SUNDAY, "Tuesday 24 November 2026, 18:30 (America/Los_Angeles)"),
        (
            datetime(2026, 11, 24, 7, 59, tzinfo=UTC),
            SUNDAY,
            "tomorrow, Monday 23 November 2026, 23:59 (America/Los_Angeles)",
        ),
        (
            datetime(2026, 11, 23, 7, 59, tzinfo=UTC),
            SUNDAY,
            "today, Sunday 22 November 2026, 23:59 (America/Los_Angeles)",
        ),
        (datetime(2026, 11, 21, 18, 0, tzinfo=UTC), SUNDAY, "Saturday 21 November 2026, 10:00 (America/Los_Angeles)"),
    ],
)
def test_r71_an_instant_is_told_with_weekday_date_time_and_zone(
    instant: datetime, now: datetime | None, words: str
) -> None:
    assert spoken_instant(instant, ZONE, now) == words


def test_travelling_moves_the_instant_and_not_the_words() -> None:
    schedule = Schedule("daily", times=(time(7),))
    assert describe(schedule, "Asia/Tokyo") == describe(schedule, "Europe/Lisbon") == "daily at 07:00"
