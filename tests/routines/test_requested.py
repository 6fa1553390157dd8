"""From words to instants. The table was worked out with the calendar and coreutils' `date`, not with the code."""

import csv
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from app.errors import Refused
from app.routines.due import due_between
from app.routines.request import ScheduleRequest, from_request
from app.routines.schedule import Schedule

TABLE = Path(__file__).parent.parent / "data" / "schedules.tsv"
FAR = datetime(2100, 1, 1, tzinfo=UTC)
SUNDAY = datetime(2026, 11, 22, 18, 0, tzinfo=UTC)
LOS_ANGELES = "America/Los_Angeles"  # Where that is 10:00.


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


@pytest.mark.parametrize(
    ("request_", "refusal"),
    [
        (
            {"repeat": "often"},
            "repeat: 'often' is not known. Send one of: once, hourly, daily, weekly, monthly, yearly.",
        ),
        ({"repeat": "once"}, "times: none is given. Send each as HH:MM, such as 07:00; if nobody said when, ask."),
        (
            {"repeat": "once", "date": "2026-11-22", "times": ["18:00", "08:00"]},
            "at 08:00 has passed, it is now Sunday 22 November 2026, 10:00 (America/Los_Angeles). Send a later day or",
        ),
        (
            {"repeat": "once", "date": "2025-12-24", "times": ["18:00"]},
            "date: 2025-12-24 at 18:00 has passed, it is now",
        ),
        ({"repeat": "once", "date": "2026-02-30", "times": ["18:00"]}, "date: '2026-02-30' is no day from 1900-01-01"),
        (
            {"repeat": "once", "date": "tomorrow", "times": ["18:00"]},
            "Send a day that the calendar has, as YYYY-MM-DD.",
        ),
        (
            {"repeat": "once", "date": "2026-11-24", "in_days": 2, "times": ["18:00"]},
            "date and in_days both say which day. Send one of them.",
        ),
        (
            {"repeat": "once", "date": "2026-11-24", "weekdays": ["thursday"], "times": ["18:00"]},
            "date: 2026-11-24 is a Tuesday, and no Thursday. Ask which is meant, and send that alone.",
        ),
        (
            {"repeat": "once", "weekdays": ["thursday", "friday"], "times": ["18:00"]},
            "weekdays: once is on one day, and thursday, friday are 2. Send one, or repeat weekly.",
        ),
        (
            {"repeat": "once", "in_minutes": 20, "times": ["18:00"]},
            "in_minutes goes alone, and times is given too. Leave one of them out.",
        ),
        ({"repeat": "once", "in_minutes": -5}, "in_minutes: -5 is no whole number from 1 to 527040. Send one that is."),
        ({"repeat": "once", "in_days": 400, "times": ["18:00"]}, "in_days: 400 is no whole number from 1 to 366."),
        (
            {"repeat": "once", "until": "2026-12-01", "times": ["18:00"]},
            "until does not go with repeat 'once', only with hourly, daily, weekly, monthly, yearly.",
        ),
        ({"repeat": "daily", "in_minutes": 20}, "in_minutes does not go with repeat 'daily', only with once."),
        ({"repeat": "hourly", "times": ["18:00"]}, "times does not go with repeat 'hourly', only with once, daily,"),
        ({"repeat": "hourly", "every": 13}, "every: 13 is no whole number from 1 to 12. Send one that is."),
        (
            {"repeat": "hourly", "from_time": "9 am"},
            "from_time: '9 am' is no time of day. Send HH:MM on the 24-hour clock",
        ),
        (
            {"repeat": "daily", "nth": ["first"], "times": ["18:00"]},
            "nth does not go with repeat 'daily', only with monthly,",
        ),
        (
            {"repeat": "daily", "every": 2, "weekdays": ["monday"], "times": ["18:00"]},
            "every and weekdays do not go together when repeat is 'daily'. Send one of them, or weekly.",
        ),
        ({"repeat": "daily", "every": 400, "times": ["18:00"]}, "every: 400 is no whole number from 1 to 365."),
        ({"repeat": "monthly", "every": 25, "times": ["18:00"]}, "every: 25 is no whole number from 1 to 24."),
        (
            {"repeat": "yearly", "month": "february", "days_of_month": [30], "times": ["18:00"]},
            "days_of_month: February has no day 30. Send 1 to 29.",
        ),
        ({"repeat": "yearly", "month": "may", "times": ["18:00"]}, "Which days of the month is not clear. Send either"),
        (
            {"repeat": "daily", "until": "2026-11-21", "times": ["18:00"]},
            "That never comes: daily at 18:00, until 21 November 2026, and it is now Sunday 22 November 2026, 10:00",
        ),
        (
            {"repeat": "daily", "until": "2026-12-01", "date": "2026-12-02", "times": ["18:00"]},
            "until: 2026-12-01 is before the first day, 2026-12-02, so it would never come.",
        ),
        (
            {
                "repeat": "daily",
                "until": "2026-11-23",
                "except_dates": ["2026-11-22", "2026-11-23"],
                "times": ["18:00"],
            },
            "That never comes: daily at 18:00, except on 22 November 2026 and on 23 November 2026, until 23 November",
        ),
        (
            {"repeat": "yearly", "date": "2026-12-25", "not_on_holidays": "DE", "times": ["18:00"]},
            "That never comes: every year on 25 December at 18:00 from 25 December 2026, not on public",
        ),
        (
            {"repeat": "daily", "until": "2026-12-01", "count": 3, "times": ["18:00"]},
            "until and count both say when it ends.",
        ),
        ({"repeat": "daily", "count": 400, "times": ["18:00"]}, "count: 400 is no whole number from 1 to 366."),
        (
            {"repeat": "daily", "times": ["18:00", "18:30"]},
            "times: 18:00 and 18:30 are 30 minutes apart, at least 60 are needed. Send fewer times, or others.",
        ),
        ({"repeat": "daily", "times": ["00:00", "23:30"]}, "times: 23:30 and 00:00 are 30 minutes apart, at least 60"),
        (
            {"repeat": "monthly", "days_of_month": [1, 31], "times": ["00:00", "23:30"]},
            "times: 23:30 and 00:00 are 30 minutes apart, at least 60",
        ),
    ],
)
def test_what_cannot_be_meant_is_refused_with_what_to_send(request_: dict[str, Any], refusal: str) -> None:
    with pytest.raises(Refused) as refused:
        from_request(ScheduleRequest(**request_), SUNDAY, LOS_ANGELES)
    assert refusal in str(refused.value)


def test_r77_nothing_comes_more_often_than_hourly_unless_the_operator_lets_it() -> None:
    often = ScheduleRequest("daily", times=["08:00", "08:15", "08:30", "08:45"])
    with pytest.raises(Refused, match="08:00 and 08:15 are 15 minutes apart, at least 60 are needed"):
        from_request(often, SUNDAY, LOS_ANGELES)
    assert len(from_request(often, SUNDAY, LOS_ANGELES, least_minutes_apart=15).times) == 4


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


def test_r72_an_unknown_zone_is_refused_before_anything_is_worked_out() -> None:
    for request in (ScheduleRequest("daily", times=["18:00"]), ScheduleRequest("once", in_minutes=20)):
        with pytest.raises(Refused, match="'Mars/Olympus' is not an IANA time zone"):
            from_request(request, SUNDAY, "Mars/Olympus")


def test_an_instant_after_a_span_keeps_the_seconds_of_the_text_that_asked() -> None:
    received = datetime(2026, 11, 22, 18, 0, 42, 500000, tzinfo=UTC)
    schedule = from_request(ScheduleRequest("once", in_minutes=20), received, LOS_ANGELES)
    assert schedule.instant == datetime(2026, 11, 22, 18, 20, 42, 500000, tzinfo=UTC)
