"""From requests to instants, and to their description for the person.

The table was computed with a calendar and coreutils' `date`, not with the code.
"""

import csv
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from app.errors import Refused
from app.routines.described import describe, spoken_instant
from app.routines.request import ScheduleRequest, from_request
from app.routines.schedule import Schedule, due_between
from tests.routines.routine_line import request_of

TABLE = Path(__file__).parent.parent / "data" / "schedules.tsv"
FAR = datetime(2100, 1, 1, tzinfo=UTC)
SUNDAY = datetime(2026, 11, 22, 18, 0, tzinfo=UTC)
LOS_ANGELES = "America/Los_Angeles"  # There it is 10:00.
WORKDAYS = "monday tuesday wednesday thursday friday".split()


def table() -> Iterator[dict[str, str]]:
    with TABLE.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


@pytest.mark.parametrize("row", [pytest.param(row, id=row["phrase"]) for row in table()])
def test_r71_what_was_asked_for_is_due_when_it_was_meant(row: dict[str, str]) -> None:
    received = datetime.fromisoformat(row["received"])
    schedule = from_request(ScheduleRequest(**json.loads(row["request"])), received, row["zone"])
    *instants, last = row["due"].split()
    expected = [datetime.fromisoformat(one) for one in (instants if last == "end" else [*instants, last])]
    due = list(islice(due_between(schedule, row["zone"], received, FAR), len(expected) + 1))
    assert due[: len(expected)] == expected
    assert (len(due) == len(expected)) == (last == "end")
    assert Schedule.from_dict(json.loads(json.dumps(schedule.as_dict()))) == schedule


REFUSED = [
    ("once", {}, "times: none is given. Send each as HH:MM, such as 07:00; if nobody said when, ask."),
    ("once 18:00 08:00", {"date": "2026-11-22"}, "at 08:00 has passed, it is now Sunday 22 November 2026, 10:00"),
    ("once 18:00", {"date": "2025-12-24"}, "date: 2025-12-24 at 18:00 has passed, it is now"),
    ("once 18:00", {"date": "tomorrow"}, "Send a day that the calendar has, as YYYY-MM-DD."),
    ("once 18:00", {"date": "2026-11-24", "in_days": 2}, "date and in_days both say which day. Send one of them."),
    ("once 18:00", {"date": "2026-11-24", "weekdays": ["thursday"]},
     "date: 2026-11-24 is a Tuesday, and no Thursday. Ask which is meant, and send that alone."),
    ("once 18:00", {"weekdays": ["thursday", "friday"]},
     "weekdays: once is on one day, and thursday, friday are 2. Send one, or repeat weekly."),
    ("once 18:00", {"in_minutes": 20}, "in_minutes goes alone, and times is given too. Leave one of them out."),
    ("once", {"in_minutes": -5}, "in_minutes: -5 is no whole number from 1 to 527040. Send one that is."),
    ("once 18:00", {"until": "2026-12-01"},
     "until does not go with repeat 'once', only with hourly, daily, weekly, monthly, yearly."),
    ("daily", {"in_minutes": 20}, "in_minutes does not go with repeat 'daily', only with once."),
    ("hourly 18:00", {}, "times does not go with repeat 'hourly', only with once, daily,"),
    ("hourly", {"every": 13}, "every: 13 is no whole number from 1 to 12. Send one that is."),
    ("hourly", {"from_time": "9 am"}, "from_time: '9 am' is no time of day. Send HH:MM on the 24-hour clock"),
    ("daily 18:00", {"every": 2, "weekdays": ["monday"]},
     "every and weekdays do not go together when repeat is 'daily'. Send one of them, or weekly."),
    ("yearly 18:00", {"month": "february", "days_of_month": [30]},
     "days_of_month: February has no day 30. Send 1 to 29."),
    ("yearly 18:00", {"month": "may"}, "Which days of the month is not clear. Send either"),
    ("monthly 18:00", {"weekdays": ["friday"]}, "Which days of the month is not clear. Send either"),
    ("yearly 18:00", {"days_of_month": [1]}, "month is missing. Send one of: january, february,"),
    ("monthly 18:00", {"days_of_month": [32]}, "days_of_month: 32 is no whole number from 1 to 31."),
    ("monthly 18:00", {"nth": ["fifth"], "weekdays": ["friday"]}, "nth: 'fifth' is not known. Send one of:"),
    ("daily 24:00", {}, "times: '24:00' is no time of day. Send HH:MM on the 24-hour clock, 00:00 to 23:59."),
    ("daily ٠٧:٠٠", {}, "times: '٠٧:٠٠' is no time of day."),
    (f"daily {'x' * 1000}", {}, "x… is no time of day. Send HH:MM"),
    (f"daily{' 07:00' * 289}", {}, "times: 289 are too many, at most 24 are possible. Send fewer."),
    ("daily 18:00", {"not_on_holidays": "XX"}, "not_on_holidays: no public holidays are known for 'XX'. Send a"),
    ("daily 18:00", {"not_on_holidays": "DE-CA"}, "'CA' is no part of DE with holidays of its own. Known are:"),
    ("daily 18:00", {"until": "2026-12-01", "date": "2026-12-02"},
     "until: 2026-12-01 is before the first day, 2026-12-02, so it would never come."),
    ("daily 18:00", {"until": "2026-11-23", "except_dates": ["2026-11-22", "2026-11-23"]},
     "That never comes: daily at 18:00, except on 22 November 2026 and on 23 November 2026, until 23 November"),
    ("yearly 18:00", {"date": "2026-12-25", "not_on_holidays": "DE"}, "That never comes: every year on 25"),
    ("daily 18:00", {"until": "2026-12-01", "count": 3}, "until and count both say when it ends."),
    ("daily 18:00 18:30", {},
     "times: 18:00 and 18:30 are 30 minutes apart, at least 60 are needed. Send fewer times, or others."),
    ("daily 00:00 23:30", {}, "times: 23:30 and 00:00 are 30 minutes apart, at least 60"),
    ("monthly 00:00 23:30", {"days_of_month": [1, 31]}, "times: 23:30 and 00:00 are 30 minutes apart, at least 60"),
]  # fmt: skip


@pytest.mark.parametrize(("when", "more", "refusal"), REFUSED)
def test_what_cannot_be_meant_is_refused_with_what_to_send(when: str, more: dict[str, Any], refusal: str) -> None:
    with pytest.raises(Refused) as refused:
        from_request(request_of(when, more), SUNDAY, LOS_ANGELES)
    assert refusal in str(refused.value)


@pytest.mark.parametrize(
    "request_",
    [
        {"repeat": "weekly", "weekdays": ["monday", "wednesday"], "times": ["00:00", "23:30"]},
        {"repeat": "daily", "every": 2, "times": ["00:00", "23:30"]},
        {"repeat": "once", "in_days": 1, "times": ["00:00", "23:30"]},
        {"repeat": "daily", "times": ["00:00", "23:00"]},
    ],
)
def test_times_about_midnight_are_near_only_where_days_follow_each_other(request_: dict[str, Any]) -> None:
    assert len(from_request(ScheduleRequest(**request_), SUNDAY, LOS_ANGELES).times) == 2


# Descriptions of schedules.


TOLD = [
    ("once 15:00", {"date": "2026-11-27"}, "on 27 November 2026 at 15:00"),
    ("once 9:00 17:30", {"in_days": 1}, "on 23 November 2026 at 09:00 and 17:30"),
    ("once", {"in_minutes": 20}, "on 22 November 2026 at 10:20"),
    ("daily 08:00 13:00 20:00", {}, "daily at 08:00, 13:00 and 20:00"),
    ("daily 07:00", {"every": 2}, "every second day at 07:00 from 23 November 2026"),
    ("daily 12:00", {"every": 10}, "every 10 days at 12:00 from 22 November 2026"),
    ("daily 09:00", {"count": 5}, "daily at 09:00, until 27 November 2026"),
    ("daily 09:00", {"not_on_holidays": "deu"}, "daily at 09:00, not on public holidays (Germany)"),
    ("daily 08:00", {"not_on_holidays": "us-ca", "except_dates": ["2026-11-23"]},
     "daily at 08:00, not on public holidays (United States, CA), except on 23 November 2026"),
    ("daily 08:00", {"except_dates": ["2026-12-04", "2026-12-01", "2026-12-02", "2026-12-03", "2026-12-05"]},
     "daily at 08:00, except on 1 December 2026, on 2 December 2026, on 3 December 2026 and 2 more days"),
    ("hourly", {"every": 3, "from_time": "9:00", "to_time": "18:00", "weekdays": WORKDAYS},
     "every weekday, every 3 hours from 09:00 to 18:00"),
    ("hourly", {"every": 4, "from_time": "22:00", "to_time": "06:00"}, "daily at 02:00, 06:00 and 22:00"),
    ("weekly 07:00", {"weekdays": WORKDAYS}, "every weekday at 07:00"),
    ("weekly 07:00", {"weekdays": [*WORKDAYS, "saturday", "sunday"]}, "daily at 07:00"),
    ("weekly 18:30", {"every": 2, "weekdays": ["tuesday"]}, "every second Tuesday at 18:30 from 24 November 2026"),
    ("weekly 18:30", {"every": 2, "date": "2026-11-10"}, "every second Tuesday at 18:30 from 24 November 2026"),
    ("weekly 18:30", {"every": 2, "weekdays": ["tuesday", "friday"]},
     "every second week on Tuesday and Friday at 18:30 from 24 November 2026"),
    ("monthly 09:00", {"nth": ["first", "third"], "weekdays": ["monday"]},
     "on the first and third Monday of each month at 09:00"),
    ("monthly 09:00", {"nth": ["last"], "weekdays": WORKDAYS}, "on the last weekday of each month at 09:00"),
    ("monthly 09:00", {"nth": ["first"], "weekdays": ["saturday", "sunday"]},
     "on the first Saturday or Sunday of each month at 09:00"),
    ("monthly 09:00", {"days_of_month": [1, 2, 3, 11, 12, 13, 21, 22, 23]},
     "on the 1st, 2nd, 3rd, 11th, 12th, 13th, 21st, 22nd and 23rd of each month at 09:00"),
    ("monthly 09:00", {"days_of_month": [31]}, "on the 31st of each month (the last day of shorter months) at 09:00"),
    ("yearly 09:00", {"month": "february", "days_of_month": [29]},
     "every year on 29 February (28 February in common years) at 09:00"),
    ("yearly 09:00", {"every": 2, "month": "december", "days_of_month": [24, 26]},
     "every second year on 24 and 26 December at 09:00 from 24 December 2026"),
    ("yearly 09:00", {"month": "november", "nth": ["fourth"], "weekdays": ["thursday"]},
     "every year on the fourth Thursday of November at 09:00"),
    ("yearly 09:00", {"every": 10, "date": "2031-06-14"}, "every 10 years on 14 June at 09:00 from 14 June 2031"),
]  # fmt: skip


@pytest.mark.parametrize(("when", "more", "words"), TOLD)
def test_a_schedule_is_told_in_one_plain_phrase(when: str, more: dict[str, Any], words: str) -> None:
    assert describe(from_request(request_of(when, more), SUNDAY, LOS_ANGELES), LOS_ANGELES) == words


def test_what_comes_after_a_span_is_told_on_the_clock_of_wherever_its_person_is() -> None:
    soon = Schedule("once", instant=datetime(2026, 11, 22, 18, 20, tzinfo=UTC))
    assert describe(soon, "Asia/Kolkata") == "on 22 November 2026 at 23:50"
    assert describe(soon, "Pacific/Auckland") == "on 23 November 2026 at 07:20"


@pytest.mark.parametrize(
    ("instant", "words"),
    [
        ("2026-11-25T02:30Z", "Tuesday 24 November 2026, 18:30"),
        ("2026-11-24T07:59Z", "tomorrow, Monday 23 November 2026, 23:59"),
        ("2026-11-23T07:59Z", "today, Sunday 22 November 2026, 23:59"),
        ("2026-11-21T18:00Z", "Saturday 21 November 2026, 10:00"),
    ],
)
def test_r71_an_instant_is_told_with_day_date_time_and_zone(instant: str, words: str) -> None:
    assert spoken_instant(datetime.fromisoformat(instant), LOS_ANGELES, SUNDAY) == f"{words} (America/Los_Angeles)"
