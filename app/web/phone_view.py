"""The phone page's view of one number: read from the rows, written nowhere."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.clock import seconds_between, spoken_date
from app.memory import rules
from app.memory.facts import is_live
from app.memory.rules.words import spoken
from app.models import Fact, Message, Person, Routine, ToolCall, Turn
from app.people import by_address
from app.routines import rows
from app.routines.described import describe
from app.text.phone_number import written
from app.web import phone_wording
from app.web.phone_numbers import LABELS, NUMBERS

MAX_MESSAGES = 200
MAX_TURNS = 30
MAX_FACTS = 200
MAX_NUMBERS = 12
PREVIEW_CHARS = 60
OFFERS, OFFERED_UNTIL = 3, 6  # So many at a time, until so many different texts were sent.


@dataclass(frozen=True)
class Bubble:
    message: Message
    is_mine: bool
    heading: str | None
    """The day and time, when it stands above this text."""
    clock_time: str
    starts_block: bool
    ends_block: bool
    status: str | None
    noted: str | None
    """What the turn did to memory, below the last part of its reply."""


@dataclass(frozen=True)
class FactShown:
    fact: Fact
    source: str
    learned: str


@dataclass(frozen=True)
class KeptShown:
    """A routine or a rule."""

    number: int
    words: str
    note: str
    """When it comes, and whether it is paused or waits for a yes; empty for a rule."""


@dataclass(frozen=True)
class OfferShown:
    """Words that the page offers to text, under an id that stays the same until another text has come."""

    sid: str
    words: str


@dataclass(frozen=True)
class ToolShown:
    call: ToolCall
    input: str
    result: str


@dataclass(frozen=True)
class TurnShown:
    turn: Turn
    clock_time: str
    seconds: float | None
    tools: list[ToolShown]


@dataclass(frozen=True)
class NumberShown:
    address: str
    written: str
    label: str
    preview: str
    note: str | None
    """Why it is not answered, when that is so: `opted out`."""
    is_current: bool


@dataclass(frozen=True)
class View:
    number: str
    numbers: list[NumberShown]
    name: str | None = None
    timezone: str | None = None
    timezone_source: str = "unknown"
    notice: str | None = None
    """Why this number is not answered, when that is so."""
    is_typing: bool = False
    bubbles: list[Bubble] = field(default_factory=list)
    facts: list[FactShown] = field(default_factory=list)
    facts_count: int = 0
    routines: list[KeptShown] = field(default_factory=list)
    """Reminders too: all that comes by itself."""
    rules: list[KeptShown] = field(default_factory=list)
    offers: list[OfferShown] = field(default_factory=list)
    """What may be texted next, as long as only a few texts were."""
    turns: list[TurnShown] = field(default_factory=list)


def see(db: Session, number: str, now: datetime, *, with_everyone: bool) -> View:
    """All that the page shows for `number`, at most 200 texts, 200 facts and 30 turns.

    `with_everyone` lists the numbers that texted lately beside those that the page offers.
    """
    person = by_address(db, number)
    numbers = _numbers(db, number, with_everyone=with_everyone)
    if person is None:
        return View(number, numbers)
    turns = list(db.scalars(select(Turn).where(Turn.person_id == person.id).order_by(Turn.id.desc()).limit(MAX_TURNS)))
    calls = _calls(db, turns)
    messages = _messages(db, person.id)
    why_not = phone_wording.not_answered(person)
    return View(
        number=number,
        numbers=numbers,
        name=person.name,
        timezone=person.timezone,
        timezone_source=person.timezone_source,
        notice=phone_wording.NOTICES.get(why_not or ""),
        is_typing=any(turn.state == "running" for turn in turns) or _waits(db, person.id),
        bubbles=_bubbles(messages, person.timezone, now, calls, is_answered=why_not is None),
        facts=_facts(db, person, now),
        facts_count=_count_facts(db, person.id, now),
        routines=[_routine(db, one, now) for one in rows.standing(db, person.id)],
        rules=[KeptShown(one.number, spoken(one), "") for one in rules.live(db, person.id)],
        offers=_offers(number, messages) if why_not is None else [],
        turns=[_turn(turn, person.timezone, calls[turn.id]) for turn in turns],
    )


def _messages(db: Session, person_id: int) -> list[Message]:
    newest = select(Message).where(Message.person_id == person_id).order_by(Message.id.desc()).limit(MAX_MESSAGES)
    return list(db.scalars(newest))[::-1]


def _waits(db: Session, person_id: int) -> bool:
    waiting = select(Message.id).where(Message.state == "waiting", Message.person_id == person_id).limit(1)
    return db.scalar(waiting) is not None


def _calls(db: Session, turns: Sequence[Turn]) -> defaultdict[int, list[ToolCall]]:
    calls: defaultdict[int, list[ToolCall]] = defaultdict(list)
    ids = [turn.id for turn in turns]
    for call in db.scalars(select(ToolCall).where(ToolCall.turn_id.in_(ids)).order_by(ToolCall.id)):
        calls[call.turn_id].append(call)
    return calls


def _facts(db: Session, person: Person, now: datetime) -> list[FactShown]:
    live = (
        select(Fact)
        .where(Fact.person_id == person.id, is_live(now))
        .order_by(Fact.pinned.desc(), Fact.number.desc())
        .limit(MAX_FACTS)
    )
    return [
        FactShown(fact, phone_wording.SOURCES[fact.source], spoken_date(fact.recorded_at, person.timezone))
        for fact in db.scalars(live)
    ]


def _count_facts(db: Session, person_id: int, now: datetime) -> int:
    live = select(func.count()).select_from(Fact).where(Fact.person_id == person_id, is_live(now))
    return db.scalar(live) or 0


def _numbers(db: Session, current: str, *, with_everyone: bool) -> list[NumberShown]:
    addresses = list(NUMBERS)
    if with_everyone:
        addresses += db.scalars(select(Person.address).order_by(Person.id.desc()).limit(MAX_NUMBERS))
    addresses = list(dict.fromkeys([*addresses, current]))
    previews = _previews(db, addresses)
    known = {one.address: one for one in db.scalars(select(Person).where(Person.address.in_(addresses)))}
    names = {address: one.name for address, one in known.items() if one.name}
    return [
        NumberShown(
            address=address,
            written=written(address),
            label=names.get(address) or LABELS.get(address) or written(address),
            preview=previews.get(address, ""),
            note=phone_wording.not_answered(known[address]) if address in known else None,
            is_current=address == current,
        )
        for address in addresses
    ]


def _previews(db: Session, addresses: Sequence[str]) -> dict[str, str]:
    """The beginning of the newest text of each address that has one."""
    newest = select(func.max(Message.id)).where(Message.person_id == Person.id).correlate(Person).scalar_subquery()
    rows = db.execute(
        select(Person.address, Message.body).join(Message, Message.id == newest).where(Person.address.in_(addresses))
    )
    return {address: " ".join(body[: PREVIEW_CHARS * 2].split())[:PREVIEW_CHARS] for address, body in rows}


def _bubbles(
    messages: Sequence[Message],
    timezone: str,
    now: datetime,
    calls: Mapping[int, Sequence[ToolCall]],
    *,
    is_answered: bool,
) -> list[Bubble]:
    last_of_turn = {message.turn_id: message.id for message in messages if message.direction == "out"}
    last_mine = max((message.id for message in messages if message.direction == "in"), default=None)
    bubbles = []
    for before, message, after in zip([None, *messages], messages, [*messages[1:], None], strict=False):
        ends_turn = last_of_turn.get(message.turn_id) == message.id
        bubbles.append(
            Bubble(
                message=message,
                is_mine=message.direction == "in",
                heading=phone_wording.heading(before, message, timezone, now),
                clock_time=phone_wording.clock_time(message.created_at, timezone),
                starts_block=before is None or not phone_wording.follows(before, message),
                ends_block=after is None or not phone_wording.follows(message, after),
                status=phone_wording.status(message, is_last=message.id == last_mine, is_answered=is_answered),
                noted=phone_wording.noted(calls.get(message.turn_id or 0, ())) if ends_turn else None,
            )
        )
    return bubbles


def _routine(db: Session, routine: Routine, now: datetime) -> KeptShown:
    when = describe(rows.schedule_of(routine), rows.zone_of(db, routine), now)
    return KeptShown(routine.number, routine.words, when + phone_wording.STATES[routine.state])


def _offers(number: str, messages: Sequence[Message]) -> list[OfferShown]:
    """A few further words to try, after the first reply and while few texts were sent, without those that were."""
    mine = {message.body for message in messages if message.direction == "in"}
    if not any(message.direction == "out" for message in messages) or not 0 < len(mine) <= OFFERED_UNTIL:
        return []
    newest = messages[-1].id
    return [
        OfferShown("SM" + sha256(f"{number} {newest} {words}".encode()).hexdigest()[:32], words)
        for words in phone_wording.NEXT
        if words not in mine
    ][:OFFERS]


def _turn(turn: Turn, timezone: str, calls: Sequence[ToolCall]) -> TurnShown:
    return TurnShown(
        turn=turn,
        clock_time=phone_wording.clock_time(turn.started_at, timezone),
        seconds=None if turn.ended_at is None else seconds_between(turn.started_at, turn.ended_at),
        tools=[
            ToolShown(call, json.dumps(call.input, indent=2, ensure_ascii=False), phone_wording.laid_out(call.result))
            for call in calls
        ],
    )
