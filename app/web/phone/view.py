"""The parts of the phone page for one number, rendered from the rows in short sentences; it writes nothing."""

import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.clock import local, spoken_date
from app.memory import rules
from app.memory.facts import is_live
from app.memory.rules import spoken
from app.models import Fact, Message, Person, ToolCall, Turn
from app.people import by_address
from app.routines import rows
from app.text.opt_out import carrier_word
from app.text.phone_number import written
from app.web import streams
from app.web.phone import LABELS, NUMBERS
from app.web.streams import Sections

MAX_MESSAGES = 200
MAX_TURNS = 30
MAX_FACTS = 200
MAX_NUMBERS = 12
PREVIEW_CHARS = 60
OFFERS, OFFERED_UNTIL = 3, 6  # Offers shown at a time, and the number of different texts after which there are none.
GAP = timedelta(minutes=15)  # After a longer silence the time is written above the next text.
RUN = timedelta(minutes=1)  # Texts of one side that follow each other faster form one block.

SOURCES = {
    "explicit": "told",
    "corrected": "corrected",
    "inferred": "inferred",
    "imported": "imported",
    "operator": "from the operator",
    "agent": "from an agent",
}

STATES = {"active": "", "paused": " · paused", "proposed": " · waits for your yes"}
"""Words shown after a routine's time, by state."""

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
"""Reasons why a number is not answered: the key is shown beside the number, the sentence under its texts."""

_CHANGED = {
    "update_profile": "Updated the profile",
    "set_rule": "Changed the rules",
    "change_rule": "Changed the rules",
    "set_routine": "Changed what is scheduled",
    "change_routine": "Changed what is scheduled",
}
"""Effects of calls that change no fact, by tool."""
_DID_NOTHING = {"memory_updated": False, "cancelled": []}  # Fields of answers that report no effect.


def view_of(db: Session, number: str, now: datetime, *, with_everyone: bool) -> Sections:
    """The page's parts for `number`, with at most 200 texts, 200 facts and 30 turns.

    `with_everyone` lists the newest numbers that have texted, besides those that the page offers.
    """
    parts = streams.parts("phone/parts.html")
    person = by_address(db, number) or Person(address=number)  # A number that never texted has no rows.
    zone, live = person.timezone, (Fact.person_id == person.id) & is_live(now)
    numbers = _numbers(db, number, with_everyone=with_everyone)
    turns = db.scalars(select(Turn).where(Turn.person_id == person.id).order_by(Turn.id.desc()).limit(MAX_TURNS)).all()
    calls: defaultdict[int | None, list[ToolCall]] = defaultdict(list)
    of_turns = select(ToolCall).where(ToolCall.turn_id.in_([turn.id for turn in turns]))
    for call in db.scalars(of_turns.order_by(ToolCall.id)):
        calls[call.turn_id].append(call)
    theirs = select(Message).where(Message.person_id == person.id).order_by(Message.id.desc())
    messages = db.scalars(theirs.limit(MAX_MESSAGES)).all()[::-1]
    why_not = _why_not_answered(person)
    facts = db.scalars(select(Fact).where(live).order_by(Fact.pinned.desc(), Fact.number.desc()).limit(MAX_FACTS)).all()
    count = db.scalar(select(func.count()).select_from(Fact).where(live)) or 0
    is_waited_for = db.scalar(theirs.where(Message.state == "waiting").limit(1)) is not None
    return {
        "label": next(one["label"] for one in numbers if one["is_current"]),
        "typing": is_waited_for or any(turn.state == "running" for turn in turns),
        "count": count,
        "numbers": [[one["address"], parts.number(one)] for one in numbers],
        "thread": _thread(parts.bubble, messages, zone, now, calls, is_answered=why_not is None),
        "notice": [["notice", parts.notice(NOTICES.get(why_not or ""))]],
        "profile": [["profile", parts.profile(person, written(number), count, len(facts))]],
        "routines": [
            [
                str(one.number),
                parts.kept("Routine", one.number, one.words, rows.described(db, one, now) + STATES[one.state]),
            ]
            for one in rows.standing(db, person.id)
        ],
        "rules": [[str(one.number), parts.kept("Rule", one.number, spoken(one))] for one in rules.live(db, person.id)],
        "offers": [
            [sid, parts.offer(sid, words, number)]
            for sid, words in (_offers(number, messages) if why_not is None else ())
        ],
        "facts": [
            [str(one.number), parts.fact(one, f"{SOURCES[one.source]}, {spoken_date(one.recorded_at, zone)}")]
            for one in facts
        ],
        "turns": [
            [str(one.id), parts.turn(one, _clock_time(one.started_at, zone), one.seconds, calls[one.id])]
            for one in turns
        ],
    }


def _numbers(db: Session, current: str, *, with_everyone: bool) -> list[dict[str, Any]]:
    addresses = list(NUMBERS)
    if with_everyone:
        plain = Person.address.startswith("+")  # The page texts as a number, and not by WhatsApp.
        addresses += db.scalars(select(Person.address).where(plain).order_by(Person.id.desc()).limit(MAX_NUMBERS))
    addresses = list(dict.fromkeys([*addresses, current]))
    newest = select(func.max(Message.id)).where(Message.person_id == Person.id).correlate(Person).scalar_subquery()
    with_text = select(Person, Message.body).outerjoin(Message, Message.id == newest)
    known = {one.address: (one, body or "") for one, body in db.execute(with_text.where(Person.address.in_(addresses)))}
    shown = []
    for address in addresses:
        person, body = known.get(address, (None, ""))
        shown.append(
            {
                "address": address,
                "written": written(address),
                "label": (person and person.name) or LABELS.get(address) or written(address),
                "preview": " ".join(body[: PREVIEW_CHARS * 2].split())[:PREVIEW_CHARS],
                "note": _why_not_answered(person) if person else None,
                "is_current": address == current,
            }
        )
    return shown


def _why_not_answered(person: Person) -> str | None:
    """The key in `NOTICES` of the reason why the person is not answered; None if they are."""
    by_access = {"blocked": "blocked", "waiting": "not let in"}.get(person.access)
    return by_access or ("opted out" if person.opted_out_at is not None else None)


def _thread(
    bubble: Callable[..., str],
    messages: Sequence[Message],
    zone: str,
    now: datetime,
    calls: Mapping[int | None, Sequence[ToolCall]],
    *,
    is_answered: bool,
) -> list[list[str]]:
    last_of_turn = {message.turn_id: message.id for message in messages if message.direction == "out"}
    last_mine = max((message.id for message in messages if message.direction == "in"), default=None)
    thread = []
    for before, message, after in zip([None, *messages], messages, [*messages[1:], None], strict=False):
        ends_turn = last_of_turn.get(message.turn_id) == message.id
        html = bubble(
            message,
            heading=_heading(before, message, zone, now),
            clock_time=_clock_time(message.created_at, zone),
            starts_block=before is None or not _follows(before, message),
            ends_block=after is None or not _follows(message, after),
            status=_status(message, is_last=message.id == last_mine, is_answered=is_answered),
            noted=_changes_made(calls.get(message.turn_id, ())) if ends_turn else None,
        )
        thread.append([str(message.id), html])
    return thread


def _follows(first: Message, second: Message) -> bool:
    return first.direction == second.direction and second.created_at - first.created_at < RUN


def _heading(before: Message | None, message: Message, zone: str, now: datetime) -> str | None:
    if before is not None and message.created_at - before.created_at < GAP:
        return None
    day = local(message.created_at, zone)
    days_ago = (local(now, zone).date() - day.date()).days
    name = {0: "Today", 1: "Yesterday"}.get(days_ago)
    if name is None:  # A weekday's name is unambiguous for a week.
        name = f"{day:%A}" if 1 < days_ago < 7 else spoken_date(message.created_at, zone)  # noqa: PLR2004
    return f"{name} {_clock_time(message.created_at, zone)}"


def _clock_time(instant: datetime, zone: str) -> str:
    at = local(instant, zone)
    return f"{at.hour % 12 or 12}:{at.minute:02d} {'AM' if at.hour < 12 else 'PM'}"  # noqa: PLR2004


def _status(message: Message, *, is_last: bool, is_answered: bool) -> str | None:
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


def _changes_made(calls: Sequence[ToolCall]) -> str | None:
    """The changes that one turn's calls made, in a few words; None if they made none."""
    counts = {"Remembered": 0, "Corrected": 0, "Forgot": 0}
    others = []
    for call in calls:
        try:
            result = json.loads(call.result)
        except ValueError:
            continue
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


def _offers(number: str, messages: Sequence[Message]) -> list[tuple[str, str]]:
    """A few texts to try next, with their ids; none before the first reply, or after several different texts."""
    mine = {message.body for message in messages if message.direction == "in"}
    if not any(message.direction == "out" for message in messages) or not 0 < len(mine) <= OFFERED_UNTIL:
        return []
    offered = [words for words in NEXT if words not in mine][:OFFERS]
    seeds = (f"{number} {messages[-1].id} {words}" for words in offered)
    return [(f"SM{sha256(seed.encode()).hexdigest()[:32]}", words) for seed, words in zip(seeds, offered, strict=True)]
