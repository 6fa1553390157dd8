"""The line that says that something comes late, or was missed: one, whatever was missed. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from app.clock import local, same_local_day
from app.routines.outcomes import DueRoutine

MOST_NAMED = 5  # More would be several texts; the list shows all.
WORDS_MAX_CHARS = 120  # Of each: enough to know what it was.


@dataclass(frozen=True)
class Missed:
    """One routine that was not told of in time."""

    words: str
    due_at: datetime
    times_before: int
    """How often it passed before that, one after the other."""


def note(due: DueRoutine, zone: str, now: datetime) -> str:
    """What stands behind a text that comes late; nothing behind another."""
    return f" (Late: this was due {_when(due.wanted_at, zone, now)}.)" if due.is_late else ""


def line(missed: Sequence[Missed], zone: str, now: datetime) -> str:
    """One text for all that was missed."""
    more = len(missed) - MOST_NAMED
    rest = f", and {more} more: /routines shows all" if more > 0 else ""
    these = "this" if len(missed) == 1 else "these"
    return f"Sorry, I was out of reach and missed {these}: {_named(missed, zone, now)}{rest}."


def welcome(passed: Sequence[Missed], waiting: Sequence[tuple[int, str]], zone: str, now: datetime) -> str:
    """One text on a START: all that passed since the person's STOP, and what does not come again without their yes.

    What waits is given by its number and words.
    """
    said = ["Welcome back."]
    if passed:
        more = len(passed) - MOST_NAMED
        rest = f", and {more} more" if more > 0 else ""
        said.append(f"This passed while you wanted no texts: {_named(passed, zone, now)}{rest}.")
    if waiting:
        more = len(waiting) - MOST_NAMED
        rest = f"; and {more} more: /routines shows all" if more > 0 else ""
        these = "; ".join(f"{number}. {_short(words)}" for number, words in waiting[:MOST_NAMED])
        said.append(f"I text nothing of this again before you say so: {these}{rest}. Text /resume and the number.")
    return " ".join(said)


def _named(missed: Sequence[Missed], zone: str, now: datetime) -> str:
    return "; ".join(f"{_short(one.words)} ({_times(one, zone, now)})" for one in missed[:MOST_NAMED])


def _times(one: Missed, zone: str, now: datetime) -> str:
    before = {0: "", 1: ", and once before"}.get(one.times_before, f", and {one.times_before} times before")
    return f"due {_when(one.due_at, zone, now)}{before}"


def _when(instant: datetime, zone: str, now: datetime) -> str:
    there = local(instant, zone)
    day = "" if same_local_day(instant, now, zone) else f"on {there:%A} {there.day} {there:%B} "
    return f"{day}at {there:%H:%M}"


def _short(words: str) -> str:
    return words if len(words) <= WORDS_MAX_CHARS else f"{words[: WORDS_MAX_CHARS - 3].rstrip()}..."
