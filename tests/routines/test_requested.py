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
from tests.tables import rows

DATA = Path(__file__).parent.parent / "data"
FAR = datetime(2100, 1, 1, tzinfo=UTC)
SUNDAY = datetime(2026, 11, 22, 18, 0, tzinfo=UTC)
LOS_ANGELES = "America/Los_Angeles"  # There it is 10:00.


def table(name: str) -> Iterator[dict[str, str]]:
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


def requests(name: str) -> list[tuple[str, dict[str, Any], str]]:
    """Rows of a repeat with its times, the other fields, and what is said of them."""
    return [(when, json.loads(more), said) for when, more, said in map(dict.values, table(name))]


@pytest.mark.parametrize("row", [pytest.param(row, id=row["phrase"]) for row in table("schedules.tsv")])
def test_r71_what_was_asked_for_is_due_when_it_was_meant(row: dict[str, str]) -> None:
    received = datetime.fromisoformat(row["received"])
    schedule = from_request(ScheduleRequest(**json.loads(row["request"])), received, row["zone"])
    *instants, last = row["due"].split()
    expected = [datetime.fromisoformat(one) for one in (instants if last == "end" else [*instants, last])]
    due = list(islice(due_between(schedule, row["zone"], received, FAR), len(expected) + 1))
    assert due[: len(expected)] == expected
    assert (len(due) == len(expected)) == (last == "end")
    assert Schedule.from_dict(json.loads(json.dumps(schedule.as_dict()))) == schedule


TOO_LONG: list[tuple[str, dict[str, Any], str]] = [
    (f"daily {'x' * 1000}", {}, "x… is no time of day. Send HH:MM"),
    (f"daily{' 07:00' * 289}", {}, "times: 289 are too many, at most 24 are possible. Send fewer."),
]


@pytest.mark.parametrize(("when", "more", "refusal"), [*requests("schedules_refused.tsv"), *TOO_LONG])
def test_what_cannot_be_meant_is_refused_with_what_to_send(when: str, more: dict[str, Any], refusal: str) -> None:
    with pytest.raises(Refused) as refused:
        from_request(request_of(when, more), SUNDAY, LOS_ANGELES)
    assert refusal in str(refused.value)


@pytest.mark.parametrize("request_", rows("near_midnight.jsonl"))
def test_times_about_midnight_are_near_only_where_days_follow_each_other(request_: dict[str, Any]) -> None:
    assert len(from_request(ScheduleRequest(**request_), SUNDAY, LOS_ANGELES).times) == 2


# Descriptions of schedules.


@pytest.mark.parametrize(("when", "more", "words"), requests("schedules_told.tsv"))
def test_a_schedule_is_told_in_one_plain_phrase(when: str, more: dict[str, Any], words: str) -> None:
    assert describe(from_request(request_of(when, more), SUNDAY, LOS_ANGELES), LOS_ANGELES) == words


def test_what_comes_after_a_span_is_told_on_the_clock_of_wherever_its_person_is() -> None:
    soon = Schedule("once", instant=datetime(2026, 11, 22, 18, 20, tzinfo=UTC))
    assert describe(soon, "Asia/Kolkata") == "on 22 November 2026 at 23:50"
    assert describe(soon, "Pacific/Auckland") == "on 23 November 2026 at 07:20"


@pytest.mark.parametrize(("instant", "words"), rows("spoken_instants.jsonl"))
def test_r71_an_instant_is_told_with_day_date_time_and_zone(instant: str, words: str) -> None:
    assert spoken_instant(datetime.fromisoformat(instant), LOS_ANGELES, SUNDAY) == f"{words} (America/Los_Angeles)"
