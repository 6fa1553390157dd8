"""What a person is told of a schedule."""

from datetime import UTC, date, datetime, time
from typing import Any

import pytest

from app.routines.described import describe, spoken_instant
from app.routines.request import ScheduleRequest, from_request
from app.routines.schedule import Schedule

SUNDAY = datetime(2026, 11, 22, 18, 0, tzinfo=UTC)  # 10:00 in Los Angeles.
ZONE = "America/Los_Angeles"
WORKDAYS = "monday tuesday wednesday thursday friday".split()


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ({"repeat": "once", "date": "2026-11-27", "times": ["15:00"]}, "on 27 November 2026 at 15:00"),
        ({"repeat": "once", "in_days": 1, "times": ["9:00", "17:30"]}, "on 23 November 2026 at 09:00 and 17:30"),
        ({"repeat": "once", "in_minutes": 20}, "on 22 November 2026 at 10:20"),
        ({"repeat": "daily", "times": ["07:00"]}, "daily at 07:00"),
        ({"repeat": "daily", "times": ["08:00", "13:00", "20:00"]}, "daily at 08:00, 13:00 and 20:00"),
        ({"repeat": "daily", "every": 2, "times": ["07:00"]}, "every second day at 07:00 from 23 November 2026"),
        ({"repeat": "daily", "every": 10, "times": ["12:00"]}, "every 10 days at 12:00 from 22 November 2026"),
        ({"repeat": "daily", "in_days": 3, "times": ["12:00"]}, "daily at 12:00 from 25 November 2026"),
        ({"repeat": "daily", "date": "2026-11-01", "times": ["12:00"]}, "daily at 12:00"),
        ({"repeat": "daily", "count": 5, "times": ["09:00"]}, "daily at 09:00, until 27 November 2026"),
        (
            {"repeat": "daily", "times": ["08:00", "20:00"], "not_on_holidays": "DE", "until": "2026-12-31"},
            "daily at 08:00 and 20:00, not on public holidays in Germany, until 31 December 2026",
        ),
        (
            {"repeat": "daily", "times": ["08:00"], "not_on_holidays": "us-ca", "except_dates": ["2026-11-23"]},
            "daily at 08:00, not on public holidays in the United States (CA), except on 23 November 2026",
        ),
        (
            {"repeat": "daily", "times": ["08:00"], "except_dates": [f"2026-12-{day:02}" for day in (4, 1, 2, 3, 5)]},
            "daily at 08:00, except on 1 December 2026, on 2 December 2026, on 3 December 2026 and 2 more days",
        ),
        ({"repeat": "hourly"}, "daily, every hour from 00:00 to 23:00"),
        (
            {"repeat": "hourly", "every": 3, "from_time": "9:00", "to_time": "18:00", "weekdays": WORKDAYS},
            "every weekday, every 3 hours from 09:00 to 18:00",
        ),
        (
            {"repeat": "hourly", "every": 4, "from_time": "22:00", "to_time": "06:00"},
            "daily at 02:00, 06:00 and 22:00",
        ),
        ({"repeat": "weekly", "weekdays": WORKDAYS, "times": ["07:00"]}, "every weekday at 07:00"),
        ({"repeat": "weekly", "weekdays": [*WORKDAYS, "saturday", "sunday"], "times": ["07:00"]}, "daily at 07:00"),
        (
            {"repeat": "weekly", "weekdays": ["sunday", "saturday"], "times": ["07:00"]},
            "every Saturday and Sunday at 07:00",
        ),
        (
            {"repeat": "weekly", "every": 2, "weekdays": ["tuesday"], "times": ["18:30"]},
            "every second Tuesday at 18:30 from 24 November 2026",
        ),
        (
            {"repeat": "weekly", "every": 2, "weekdays": ["tuesday", "friday"], "times": ["18:30"]},
            "every second week on Tuesday and Friday at 18:30 from 24 November 2026",
        ),
        (
            {"repeat": "weekly", "every": 8, "weekdays": ["tuesday"], "times": ["18:30"]},
            "every 8 weeks on Tuesday at 18:30 from 24 November 2026",
        ),
        (
            {"repeat": "monthly", "nth": ["last"], "weekdays": ["friday"], "times": ["09:00"]},
            "on the last Friday of each month at 09:00",
        ),
        (
            {"repeat": "monthly", "nth": ["first", "third"], "weekdays": ["monday"], "times": ["09:00"]},
            "on the first and third Monday of each month at 09:00",
        ),
        (
            {"repeat": "monthly", "nth": ["last"], "weekdays": WORKDAYS, "times": ["09:00"]},
            "on the last weekday of each month at 09:00",
        ),
        (
            {"repeat": "monthly", "nth": ["first"], "weekdays": ["saturday", "sunday"], "times": ["09:00"]},
            "on the first Saturday or Sunday of each month at 09:00",
        ),
        (
            {"repeat": "monthly", "days_of_month": [1, 2, 3, 11, 12, 13, 21, 22, 23], "times": ["09:00"]},
            "on the 1st, 2nd, 3rd, 11th, 12th, 13th, 21st, 22nd and 23rd of each month at 09:00",
        ),
        (
            {"repeat": "monthly", "days_of_month": [31], "times": ["09:00"]},
            "on the 31st of each month (the last day of shorter months) at 09:00",
        ),
        (
            {"repeat": "monthly", "every": 3, "days_of_month": [10], "times": ["09:00"]},
            "on the 10th of every third month at 09:00 from 10 December 2026",
        ),
        (
            {"repeat": "yearly", "month": "february", "days_of_month": [29], "times": ["09:00"]},
            "every year on 29 February (28 February in common years) at 09:00",
        ),
        (
            {"repeat": "yearly", "month": "december", "days_of_month": [31], "times": ["09:00"]},
            "every year on 31 December at 09:00",
        ),
        (
            {"repeat": "yearly", "every": 2, "month": "december", "days_of_month": [24, 26], "times": ["09:00"]},
            "every second year on 24 and 26 December at 09:00 from 24 December 2026",
        ),
        (
            {"repeat": "yearly", "month": "november", "nth": ["fourth"], "weekdays": ["thursday"], "times": ["09:00"]},
            "every year on the fourth Thursday of November at 09:00",
        ),
        (
            {"repeat": "yearly", "every": 10, "date": "2031-06-14", "times": ["09:00"]},
            "every 10 years on 14 June at 09:00 from 14 June 2031",
        ),
    ],
)
def test_a_schedule_is_told_in_one_plain_phrase(request_: dict[str, Any], words: str) -> None:
    assert describe(from_request(ScheduleRequest(**request_), SUNDAY, ZONE), ZONE) == words


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
