"""The process that reads one calendar, run by `bounded_reader.py`: iCalendar in, its events of a span out as JSON.

It imports nothing of Keepsake. It is a process of its own because a large calendar takes seconds, in which nobody else
would be answered, and a rule that never ends would take for ever.
"""

import json
import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import icalendar
import recurring_ical_events

MAX_EVENTS_IN_FILE = 20_000
MAX_TOLD = 200  # Per span; nobody has so many in a month.
MAX_TITLE_CHARS = 120
MAX_PLACE_CHARS = 80
HIDES_NO_OTHER = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""Errors raised by a series that lasts for thousands of years or has no start; the other events are still read."""
TOO_OFTEN = ("SECONDLY", "MINUTELY")  # Such a series has thousands of events a day: nobody's appointments.
_ALARM = re.compile(rb"^BEGIN:VALARM\b.*?^END:VALARM\b[^\n]*\n", re.DOTALL | re.IGNORECASE | re.MULTILINE)
_NO_PROPERTY = re.compile(rb"^(?![ \t])[^:\n]*\n(?![ \t])", re.MULTILINE)
"""A broken alarm or line would make the whole calendar unreadable; neither is needed."""

DAY = timedelta(days=1)


class Refused(Exception):
    """The calendar will not be read; the message says why."""


def read(content: bytes, *given: str) -> bytes:
    """Events that overlap the span between two instants, in order, with times in the given zone."""
    recurring_ical_events.CalendarQuery.suppressed_errors += HIDES_NO_OTHER
    (first, last), zone = map(datetime.fromisoformat, given[:2]), ZoneInfo(given[2])
    calendars = icalendar.Calendar.from_ical(_NO_PROPERTY.sub(b"", _ALARM.sub(b"", content)), multiple=True)
    if not calendars:
        raise ValueError
    found = [told for calendar in calendars for told in _events(calendar, first, last, zone)]
    found.sort(key=lambda told: (told["starts"].astimezone(UTC), told["ends"].astimezone(UTC), told["title"]))
    return json.dumps(found[:MAX_TOLD], default=datetime.isoformat).encode()


def _events(calendar: Any, first: datetime, last: datetime, zone: ZoneInfo) -> Iterator[dict[str, Any]]:
    if sum(1 for part in calendar.subcomponents if part.name == "VEVENT") > MAX_EVENTS_IN_FILE:
        raise Refused(f"It has more than {MAX_EVENTS_IN_FILE:,} events.")
    calendar.subcomponents = [part for part in calendar.subcomponents if not _comes_too_often(part)]
    # Dates and floating times have no zone of their own, so events up to a day outside the span may be within it here.
    query = recurring_ical_events.of(calendar, skip_bad_series=True)
    for event in query.between(first - DAY, last + DAY):
        told = _as_dict(event, zone)
        is_in = told["starts"] < last and (told["starts"] >= first or told["ends"] > first)
        if is_in and str(event.get("STATUS", "")).upper() != "CANCELLED":
            yield told


def _as_dict(event: Any, zone: ZoneInfo) -> dict[str, Any]:
    starts, ends = event.start, event.end
    free = str(event.get("TRANSP", "")).upper() == "TRANSPARENT"
    return {
        "title": _words(event.get("SUMMARY"), MAX_TITLE_CHARS),
        "place": _words(event.get("LOCATION"), MAX_PLACE_CHARS),
        "starts": _instant(starts, zone),
        "ends": max(_instant(ends, zone), _instant(starts, zone), key=datetime.timestamp),
        "all_day": not isinstance(starts, datetime),
        "free": free or str(event.get("X-MICROSOFT-CDO-BUSYSTATUS", "")).upper() == "FREE",
    }


def _instant(value: date, zone: ZoneInfo) -> datetime:
    """`value` on the clocks of `zone`: a date at midnight, a floating time as it stands, other instants converted."""
    if not isinstance(value, datetime):
        return datetime.combine(value, time.min, tzinfo=zone)
    return value.replace(tzinfo=zone) if value.tzinfo is None else value.astimezone(zone)


def _words(value: Any, most: int) -> str:
    plain = " ".join("".join(sign if sign.isprintable() else " " for sign in str(value or "")).split())
    return plain if len(plain) <= most else plain[: most - 1] + "…"


def _comes_too_often(part: Any) -> bool:
    if any(name == "RRULE" for name, *_ in part.errors):
        return True  # It has no frequency that can be read.
    rules = part.get("RRULE") or []
    rules = rules if isinstance(rules, list) else [rules]
    return any(
        0 in rule.get("INTERVAL", []) or any(str(often).upper() in TOO_OFTEN for often in rule.get("FREQ", []))
        for rule in rules
    )
