"""The words in which the phone page tells what happened: from rows to short sentences, nothing else."""

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from app.clock import local, spoken_date
from app.models import Message, Person, ToolCall
from app.text.opt_out import carrier_word

GAP = timedelta(minutes=15)  # A longer silence gets the time written above the next text.
RUN = timedelta(minutes=1)  # Texts of one side that follow each other faster stand together as one block.

SOURCES = {
    "explicit": "told",
    "corrected": "corrected",
    "inferred": "inferred",
    "imported": "imported",
    "operator": "from the operator",
    "agent": "from an agent",
}


STATES = {"active": "", "paused": " · paused", "proposed": " · waits for your yes"}
"""What stands behind a routine's time."""

NEXT = (
    "What do you know about me?",
    "Remind me tomorrow at 9am to call mom",
    "What is scheduled?",
    "I like my coffee black",
    "/help",
)
"""Words to try after the first reply."""

HELP_HERE = "On a phone the carrier answers HELP itself. Text /help to see what Keepsake can do."


NOTICES = {
    "blocked": "The operator blocked this number. Its texts are kept and not answered.",
    "not let in": "This number waits for the operator to let it in.",
    "opted out": "This number has opted out. Text START to hear from Keepsake again.",
}
"""Why a number is not answered: in short beside it, and in a sentence under its texts."""


def not_answered(person: Person) -> str | None:
    """Why the person is not answered, as `NOTICES` names it; None when they are."""
    by_access = {"blocked": "blocked", "waiting": "not let in"}.get(person.access)
    return by_access or ("opted out" if person.opted_out_at is not None else None)


def follows(first: Message, second: Message) -> bool:
    return first.direction == second.direction and second.created_at - first.created_at < RUN


def status(message: Message, *, is_last: bool, is_answered: bool) -> str | None:
    if message.state in {"waiting", "answered"}:
        return {"waiting": "Delivered", "answered": "Read"}[message.state] if is_last else None
    if is_answered and message.state == "unanswered" and carrier_word(message.body, None, opted_out=False) == "HELP":
        return HELP_HERE
    return {
        "held": "Delivered · waits for the operator",
        "unanswered": "Delivered · not answered",
        "refused": "Not delivered",
        "unknown": "May not have been delivered",
    }.get(message.state)


_CHANGED = {
    "update_profile": "Updated the profile",
    "set_rule": "Changed the rules",
    "change_rule": "Changed the rules",
    "set_routine": "Changed what is scheduled",
    "change_routine": "Changed what is scheduled",
}
"""What a call did that changed no fact, by its tool."""
_DID_NOTHING = {"memory_updated": False, "cancelled": []}
"""Answers of tools that say so."""


def noted(calls: Sequence[ToolCall]) -> str | None:
    """What the calls of one turn changed, in a few words."""
    counts = {"Remembered": 0, "Corrected": 0, "Forgot": 0}
    others = []
    for call in calls:
        result = _parsed(call.result)
        if call.is_error or not isinstance(result, dict) or any(result.get(k) == v for k, v in _DID_NOTHING.items()):
            continue
        if call.name in _CHANGED and call.input.get("action") != "list":
            others.append(_CHANGED[call.name])
        elif result.get("memory_updated"):
            counts["Remembered"] += len(result.get("stored", ()))
            counts["Corrected"] += call.name == "update_memory"
            counts["Forgot"] += len(result.get("removed", ()))
    parts = [f"{verb} {count} {'fact' if count == 1 else 'facts'}" for verb, count in counts.items() if count]
    return " · ".join([*parts, *dict.fromkeys(others)]) or None


def laid_out(text: str) -> str:
    value = _parsed(text)
    return text if value is None else json.dumps(value, indent=2, ensure_ascii=False)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def heading(before: Message | None, message: Message, timezone: str, now: datetime) -> str | None:
    if before is not None and message.created_at - before.created_at < GAP:
        return None
    day = local(message.created_at, timezone)
    days_ago = (local(now, timezone).date() - day.date()).days
    if days_ago == 0:
        name = "Today"
    elif days_ago == 1:
        name = "Yesterday"
    elif 1 < days_ago < 7:  # noqa: PLR2004  (the name of a weekday says which day for a week)
        name = f"{day:%A}"
    else:
        name = spoken_date(message.created_at, timezone)
    return f"{name} {clock_time(message.created_at, timezone)}"


def clock_time(instant: datetime, timezone: str) -> str:
    at = local(instant, timezone)
    return f"{at.hour % 12 or 12}:{at.minute:02d} {'AM' if at.hour < 12 else 'PM'}"  # noqa: PLR2004
