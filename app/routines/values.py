"""Parses the values of a schedule. A wrong one is refused with a sentence on what to send instead."""

import re
from collections.abc import Callable, Sequence
from datetime import date, time
from typing import Any

from app.errors import Refused

FIRST_DAY, LAST_DAY = date(1900, 1, 1), date(2100, 12, 31)
"""Years may be counted from a birthday, and public holidays are not known beyond 2100."""
MAX_SHOWN_CHARS = 60  # Of a value quoted in an error.


def shown(value: object) -> str:
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= MAX_SHOWN_CHARS else f"{text[:MAX_SHOWN_CHARS]}…"


def local_time(field: str, value: str) -> time:
    if re.fullmatch(r"([01]?\d|2[0-3]):[0-5]\d", value, re.ASCII):
        hour, minute = value.split(":")
        return time(int(hour), int(minute))
    raise Refused(f"{field}: {shown(value)} is no time of day. Send HH:MM on the 24-hour clock, 00:00 to 23:59.")


def day(field: str, value: str) -> date:
    try:
        if re.fullmatch(r"\d{4}-\d\d-\d\d", value, re.ASCII):
            found = date.fromisoformat(value)
            if FIRST_DAY <= found <= LAST_DAY:
                return found
    except ValueError:
        pass
    raise Refused(
        f"{field}: {shown(value)} is no day from {FIRST_DAY} to {LAST_DAY}. Send a day that the calendar has, as "
        "YYYY-MM-DD."
    )


def number(field: str, value: int, least: int, most: int) -> int:
    if least <= value <= most:
        return value
    raise Refused(f"{field}: {shown(value)} is no whole number from {least} to {most}. Send one that is.")


def one_of(field: str, value: str, names: Sequence[str]) -> str:
    if value.lower() in names:
        return value.lower()
    raise Refused(f"{field}: {shown(value)} is not known. Send one of: {', '.join(names)}.")


def each(field: str, values: Sequence[Any], most: int, read: Callable[[str, Any], Any]) -> tuple[Any, ...]:
    """The values of a list, each read with `read`, in the given order; more than `most` are refused."""
    if len(values) > most:
        raise Refused(f"{field}: {len(values)} are too many, at most {most} are possible. Send fewer.")
    return tuple(read(field, one) for one in values)
