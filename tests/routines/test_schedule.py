"""The schedule as a value: kept as JSON and read again, and nothing in it that it does not understand."""

import json
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.errors import Refused
from app.routines.schedule import MAX_EXCEPT_DATES, Schedule
from tests.routines.test_due import schedules

DAILY: dict[str, Any] = {"repeat": "daily", "times": ["07:00"]}


@settings(derandomize=True, deadline=None, max_examples=100, database=None)
@given(st.data(), st.dates(date(1995, 1, 1), date(2095, 1, 1)))
def test_what_is_kept_as_json_is_read_again_as_it_was(data: st.DataObject, around: date) -> None:
    schedule = data.draw(schedules(around))
    assert Schedule.from_dict(json.loads(json.dumps(schedule.as_dict()))) == schedule


@settings(derandomize=True, deadline=None, max_examples=50, database=None)
@given(st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1), timezones=st.timezones()))  # noqa: DTZ001
def test_an_instant_is_kept_to_the_microsecond_whatever_offset_it_came_with(instant: datetime) -> None:
    given = {"repeat": "once", "instant": instant.isoformat()}
    assert Schedule.from_dict(given) == Schedule("once", instant=instant.astimezone(UTC))
    kept = json.loads(json.dumps(Schedule.from_dict(given).as_dict()))
    assert Schedule.from_dict(kept).instant == instant


def test_only_what_is_not_as_usual_is_kept() -> None:
    schedule = Schedule("weekly", times=(time(7),), weekdays=("monday",))
    assert schedule.as_dict() == {"repeat": "weekly", "times": ["07:00"], "weekdays": ["monday"]}


def test_the_order_in_which_things_are_said_makes_no_difference() -> None:
    said = {
        **DAILY,
        "repeat": "weekly",
        "times": ["20:00", "8:00", "20:00"],
        "weekdays": ["Friday", "monday", "friday"],
    }
    schedule = Schedule.from_dict(said)
    assert (schedule.times, schedule.weekdays) == ((time(8), time(20)), ("monday", "friday"))


@pytest.mark.parametrize(
    ("given", "refusal"),
    [
        ({"repeat": None, "times": None}, "repeat is missing. Send one of: once, daily, weekly, monthly, yearly."),
        ({"cron": "0 9 * * 0"}, "'cron' is no field of a schedule. There are: repeat, times, every,"),
        ({"repeat": "secondly"}, "repeat: 'secondly' is not known. Send one of: once, daily,"),
        ({"repeat": 1}, "repeat: 1 is not known. Send one of: once, daily,"),
        ({"times": None}, "times: none is given. Send each as HH:MM, such as 07:00; if nobody said when, ask."),
        ({"times": "07:00"}, "times: '07:00' is no list. Send a list, also for one alone."),
        ({"times": ["7am"]}, "times: '7am' is no time of day. Send HH:MM on the 24-hour clock, 00:00 to 23:59."),
        ({"times": ["24:00"]}, "times: '24:00' is no time of day."),
        ({"times": ["07:00:30"]}, "times: '07:00:30' is no time of day."),
        ({"times": ["٠٧:٠٠"]}, "times: '٠٧:٠٠' is no time of day."),
        ({"times": [7]}, "times: 7 is no time of day."),
        ({"times": ["07:00"] * 289}, "times: 289 are too many, at most 288 are possible. Send fewer."),
        ({"every": 0}, "every: 0 is no whole number from 1 to 365. Send one that is."),
        ({"every": True}, "every: True is no whole number from 1 to 365. Send one that is."),
        ({"every": "2"}, "every: '2' is no whole number from 1 to 365. Send one that is."),
        ({"every": 2}, "starts is missing: every 2 has to be counted from a day. Send it as YYYY-MM-DD."),
        ({"repeat": "weekly", "every": 53, "weekdays": ["monday"]}, "every: 53 is no whole number from 1 to 52."),
        ({"weekdays": ["monday"]}, "weekdays does not go with repeat 'daily', only with weekly, monthly, yearly."),
        ({"repeat": "weekly"}, "weekdays: none is given. Send some of: monday, tuesday,"),
        ({"repeat": "weekly", "weekdays": ["mon"]}, "weekdays: 'mon' is not known. Send one of: monday,"),
        ({"repeat": "weekly", "weekdays": [1]}, "weekdays: 1 is not known. Send one of: monday,"),
        ({"repeat": "monthly"}, "Which days of the month is not clear. Send either days_of_month,"),
        ({"repeat": "monthly", "weekdays": ["friday"]}, "Which days of the month is not clear."),
        (
            {"repeat": "monthly", "weekdays": ["friday"], "nth": ["last"], "days_of_month": [13]},
            "Which days of the month is not clear.",
        ),
        ({"repeat": "monthly", "nth": ["fifth"], "weekdays": ["friday"]}, "nth: 'fifth' is not known. Send one of:"),
        ({"repeat": "monthly", "days_of_month": [32]}, "days_of_month: 32 is no whole number from 1 to 31."),
        ({"repeat": "monthly", "days_of_month": [-1]}, "days_of_month: -1 is no whole number from 1 to 31."),
        ({"repeat": "yearly", "days_of_month": [1]}, "month is missing. Send one of: january, february,"),
        (
            {"repeat": "yearly", "month": "february", "days_of_month": [30]},
            "days_of_month: February has no day 30. Send 1 to 29.",
        ),
        (
            {"repeat": "yearly", "month": "april", "days_of_month": [31]},
            "days_of_month: April has no day 31. Send 1 to 30.",
        ),
        ({"repeat": "yearly", "month": 2, "days_of_month": [3]}, "month: 2 is not known. Send one of: january,"),
        ({"repeat": "once"}, "starts is missing: what comes once needs its day. Send it as YYYY-MM-DD."),
        ({"repeat": "once", "starts": "2026-02-30"}, "starts: '2026-02-30' is no day from 1900-01-01 to 2100-12-31."),
        ({"starts": "20261124"}, "starts: '20261124' is no day from 1900-01-01 to 2100-12-31."),
        ({"until": "9999-12-31"}, "until: '9999-12-31' is no day from 1900-01-01 to 2100-12-31."),
        ({"starts": "2026-11-24", "until": "2026-11-23"}, "until: 2026-11-23 is before the first day, 2026-11-24, so"),
        ({"except_dates": [None]}, "except_dates: None is no day from 1900-01-01 to 2100-12-31."),
        ({"not_on_holidays": "XX"}, "not_on_holidays: no public holidays are known for 'XX'. Send a country by"),
        ({"not_on_holidays": True}, "not_on_holidays: True is no text. Send it between quotation marks."),
        ({"not_on_holidays": "DE-CA"}, "not_on_holidays: 'CA' is no part of DE with holidays of its own. Known are:"),
        ({"not_on_holidays": "MC-X"}, "'X' is no part of MC with holidays of its own. Known are: none. Send"),
        ({"repeat": "once", "instant": "2026-11-24T18:30", "times": None}, "instant: '2026-11-24T18:30' is no"),
        ({"repeat": "once", "instant": 1790000000, "times": None}, "instant: 1790000000 is no instant."),
        (
            {"repeat": "once", "instant": "2026-11-24T18:30:00+00:00"},
            "instant: 2026-11-24 18:30:00+00:00 goes alone. Leave it out, or else times and starts.",
        ),
        ({"instant": "2026-11-24T18:30:00+00:00"}, "instant does not go with repeat 'daily', only with once."),
        (
            {"times": ["x" * 1000]},
            "times: 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx… is no time of day.",
        ),
    ],
)
def test_what_is_wrong_is_refused_with_the_value_and_what_to_send(given: dict[str, Any], refusal: str) -> None:
    with pytest.raises(Refused) as refused:
        Schedule.from_dict({name: value for name, value in (DAILY | given).items() if value is not None})
    assert refusal in str(refused.value)


def test_a_day_is_left_out_and_those_that_are_past_are_forgotten() -> None:
    schedule = Schedule("daily", times=(time(7),), except_dates=(date(2026, 11, 20), date(2026, 11, 30)))
    skipped = schedule.without(date(2026, 11, 23), today=date(2026, 11, 22))
    assert skipped.except_dates == (date(2026, 11, 23), date(2026, 11, 30))


def test_no_more_days_are_left_out_than_can_be_shown() -> None:
    days = tuple(date(2026, 1, 1) + timedelta(days=n) for n in range(MAX_EXCEPT_DATES))
    full = Schedule("daily", times=(time(7),), except_dates=days)
    with pytest.raises(Refused, match="except_dates: 101 days are too many, at most 100 can be left out"):
        full.without(date(2027, 1, 1), today=date(2026, 1, 1))
    assert len(full.without(date(2027, 1, 1), today=date(2026, 2, 1)).except_dates) == MAX_EXCEPT_DATES - 30


@pytest.mark.parametrize(("said", "kept"), [("uk-sct", "GB-SCT"), ("deu", "DE")])
def test_a_country_is_known_by_the_codes_that_people_write(said: str, kept: str) -> None:
    assert Schedule.from_dict({**DAILY, "not_on_holidays": said}).not_on_holidays == kept
