"""Template filters: times, money and the words for states in the tables."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from flask import Blueprint
from sqlalchemy import select

from app.clock import MOMENT, local, seconds_between, spoken_date
from app.memory.facts import is_archived
from app.memory.index.query import LOOKED
from app.memory.rules import spoken
from app.models import Change, ChangeItem, Message, Person, Turn
from app.text.secrets import hide_secrets
from app.web import auth
from app.web.admin import masking

MINUTE, HOUR, DAY = 60, 3600, 86400
DAYS_COUNTED = 30  # Further back, a date tells more than a number of days.
DOLLAR_CENTS = 100
PLURALS = {"person": "people", "routine or reminder": "routines and reminders"}
MILLISECONDS = 1000
PERSON_BY_ID = re.compile(r"\bperson (\d{1,9})\b")
HALF_A_PERCENT = 0.005  # A smaller share would round to 0 although it is not zero.

SOURCES = {
    "explicit": "told",
    "corrected": "corrected",
    "inferred": "inferred",
    "file": "a file",
    "forwarded": "forwarded or quoted",
    "imported": "imported",
    "operator": "operator",
    "agent": "agent",
}

DELIVERY = {
    "waiting": "waiting for an answer",
    "held": "held until let in",
    "unanswered": "not answered",
    "queued": "about to be sent",
    "sending": "being sent",
    "refused": "not sent",
    "unknown": "may not have been sent",
}
"""Words shown beside a text, by state; answered and sent texts need none."""

ROUTINE_DID = {"active": "resume", "paused": "pause", "cancelled": "end"}
"""Verbs for changes of an existing routine, by its new state."""


@dataclass(frozen=True)
class Listed:
    """The first rows of a list, and its total count."""

    rows: Sequence[Any]
    count: int


def add_filters(bp: Blueprint) -> None:
    bp.add_app_template_test(is_archived, "archived")
    bp.add_app_template_test(masking.is_revealed, "revealed")
    for name, function in globals().items():
        if name.startswith("as_"):  # By convention such names in this file are template filters.
            bp.add_app_template_filter(function)
    for name, words in {"as_source": SOURCES, "as_state": DELIVERY, "as_recall": RECALL, "as_scale": SCALES}.items():
        bp.add_app_template_filter(words.get, name)
    bp.add_app_template_filter(recalled_memories)
    bp.add_app_template_filter(fruitless_search)
    bp.add_app_template_filter(spoken, "as_rule")
    bp.add_app_template_global(masking.may_reveal)
    bp.add_app_template_global(masking.revealed)


def as_ago(instant: datetime, now: datetime) -> str:
    """Time since the instant in the largest whole unit; it needs no zone, so it suits lists of people everywhere."""
    seconds = seconds_between(instant, now)
    if seconds < MINUTE:
        return "just now"
    if seconds < HOUR:
        return f"{int(seconds // MINUTE)} min ago"
    if seconds < DAY:
        return f"{int(seconds // HOUR)} h ago"
    days = int(seconds // DAY)
    return f"{as_count(days, 'day')} ago" if days <= DAYS_COUNTED else spoken_date(instant, "UTC")


def as_count(count: int, word: str) -> str:
    """The count with its noun: `1 fact`, `1,200 facts`, `2 people`."""
    return f"{count:,} {word if count == 1 else PLURALS.get(word, f'{word}s')}"


def as_last_day(end: datetime, timezone: str) -> str:
    """The last day before an end, as `10 Aug 2026`."""
    return spoken_date(end - MOMENT, timezone)


def as_clock(instant: datetime, timezone: str) -> str:
    return f"{local(instant, timezone):%H:%M}"


def as_day(instant: datetime, timezone: str) -> str:
    return f"{local(instant, timezone):%A}, {spoken_date(instant, timezone)}"


def as_mark(instant: datetime, timezone: str) -> str:
    """The zone's abbreviation: `UTC`, `PST`, or `UTC+04` if the zone has no letters."""
    mark = f"{local(instant, timezone):%Z}"
    return f"UTC{mark}" if mark.startswith(("+", "-")) else mark


def as_stamp(instant: datetime, timezone: str) -> str:
    return f"{spoken_date(instant, timezone)}, {as_clock(instant, timezone)} {as_mark(instant, timezone)}"


def as_cents(cents: float) -> str:
    """Money, in cents below a dollar, since a turn costs a fraction of one."""
    if cents >= DOLLAR_CENTS:
        return f"${cents / DOLLAR_CENTS:.2f}"
    return f"{cents:.2f}".rstrip("0").rstrip(".") + " ¢"


def as_seconds(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds < MINUTE else f"{int(seconds // MINUTE)} min {int(seconds % MINUTE)} s"


def as_span(seconds: float) -> str:
    """As `as_seconds`, but in milliseconds below a second, so that the parts of a short time visibly add up."""
    milliseconds = round(seconds * MILLISECONDS)
    return f"{milliseconds} ms" if milliseconds < MILLISECONDS else as_seconds(seconds)


def as_percent(share: float) -> str:
    return "under 1%" if 0 < share < HALF_A_PERCENT else f"{share:.0%}"


def as_said(words: str, person_id: int, kind: str = "", number: int | str = "") -> str:
    """Words that the person wrote or that are remembered of them, masked until revealed; a secret stays hidden."""
    return hide_secrets(words) if masking.is_revealed(person_id) else masking.hidden(words, f"{kind} {number}".strip())


def as_number(address: str) -> str:
    """A person's number, or only its last digits until the person is revealed to this session."""
    is_shown = any(address == shown for shown, _ in masking.revealed().values())
    return address if is_shown else masking.hidden_number(address)


def as_called(person: Person) -> str:
    return person.name or as_number(person.address)


def as_named(sentence: str) -> str:
    """A notice with people by name. It travels in a cookie, which is no place for their words, so it has their ids."""
    ids = {int(one) for one in PERSON_BY_ID.findall(sentence)}
    if not ids:
        return sentence
    with auth.services().reading() as db:
        people = db.scalars(select(Person).where(Person.id.in_(ids))).all()
    named = {str(person.id): as_called(person) for person in people}
    return PERSON_BY_ID.sub(lambda found: named.get(found[1], found[0]), sentence)


def as_routine_state(state: str) -> str:
    """The state in a word; a routine that somebody ended and one that came for the last time are both `ended`."""
    return "ended" if state == "cancelled" else state


def as_delivery(message: Message) -> str:
    """Delivery status of one of our texts; empty if it was not sent, or its carrier sends no reports."""
    is_awaited = message.direction == "out" and message.state == "sent" and message.carrier not in Message.HERE
    return message.delivery or ("no delivery report yet" if is_awaited else "")


def as_change_verb(change: Change, item: ChangeItem | None) -> str:
    """A change's verb, by its first item: the verb of memory, or for a routine's state the verb that led to it."""
    if item is None or item.routine_id is None or item.field != "state":
        return change.verb
    is_new = json.loads(item.before or "null") is None
    return "set" if is_new else ROUTINE_DID.get(json.loads(item.after or "null"), change.verb)


def as_json(value: Any) -> str:
    """Input or result of a tool as indented JSON; other text unchanged."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return str(value)
    return json.dumps(value, indent=2, ensure_ascii=False)


RECALL = {
    "start": "looked: a conversation began",
    "past": "looked: it asks for something past",
    "a day": "looked: it asks for a day",
    "a name": "looked: it asks for somebody or something by name",
    "themselves": "looked: it asks for something of theirs",
    "new topic": "looked: the topic is new",
    "long since": "looked: several texts ago was the last time",
    "same topic": "not looked: the topic is the same",
    "same question": "not looked: the question is the same",
    "small talk": "not looked: it says little",
    "nothing kept": "not looked: all that is kept is shown anyway",
    "memory off": "not looked: memory is off",
    "no time": "not looked: too little time was left",
    "failed": "failed: the log tells why",
}
"""Sentences on recall, by the gate's reason."""

SCALES = {
    "days": "By days: it happened when the text asks for, and nothing else was asked.",
    "meaning": "By meaning: a cosine, −1 to 1, higher is nearer. Episodes have to reach the floor; facts have none.",
    "words": "By words: a score above 0, which can be compared within this look alone.",
    "": "How it was measured was not noted.",
}
"""Explanations of scores by scale, in the order shown."""


def recalled_memories(turn: Turn) -> list[dict[str, Any]]:
    """Memories recalled: found for the turn's texts before carried over, episodes before facts, nearest first."""
    usual = {"scale": "", "floor": None, "carried": False}
    rows = [usual | row for row in turn.recalled or [] if row["kind"] != "nearest"]
    for row in rows:
        row["score"] = None if row["scale"] == "days" else row["score"]  # A match by days has no score.
    scales = list(SCALES)
    rows.sort(
        key=lambda one: (one["carried"], one["kind"] != "episode", scales.index(one["scale"]), -(one["score"] or 0))
    )
    return rows


def fruitless_search(turn: Turn) -> str:
    """A sentence if the turn searched memory and found nothing, else empty."""
    is_shown = turn.recall_gate in LOOKED and not recalled_memories(turn)
    return "Looked, and nothing was put before the text." if is_shown else ""
