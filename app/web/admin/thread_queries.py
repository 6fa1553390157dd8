"""A stretch of a person's texts, and all that is kept of the turns that answered them: a fixed number of queries."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from xml.sax.saxutils import escape

from sqlalchemy import Row, Select, case, func, select, union_all
from sqlalchemy.orm import Session, aliased

from app.assistant.recalled import as_sentence
from app.memory.facts import is_live
from app.models import Episode, Fact, Message, Occurrence, Routine, ToolCall, Turn

MESSAGES_ON_A_PAGE = 40
AFTER_THE_ONE_SOUGHT = 15  # A text that is looked for stands in the middle of the page, with what came of it below.
FACTS_KNOWN = 300  # Versions among which those that a turn was shown are looked for, held ones first.

_ENDS = aliased(Message)  # Made once: each page asks.


@dataclass(frozen=True)
class FactKnown:
    """A fact as a turn may have met it."""

    number: int
    sentence: str
    is_held: bool
    is_live: bool
    pinned: bool
    told_in: int | None
    """The turn whose text it was learned from."""


@dataclass(frozen=True)
class Sent:
    """What became of the texts of a turn."""

    parts: int
    segments: int
    cost_cents: float
    seconds: float | None
    """From the person's last text to the first part of the answer on its way."""


@dataclass(frozen=True)
class TurnShown:
    """A turn with all that is kept of it."""

    turn: Turn
    calls: list[ToolCall] = field(default_factory=list)
    sent: Sent | None = None
    occurrence: Occurrence | None = None
    routine: Routine | None = None
    shown: Sequence[FactKnown] = ()
    """The facts that stood before the model at last, as far as they are still known by their words."""

    @property
    def knew(self) -> list[FactKnown]:
        """Those that it was shown from the beginning."""
        return [one for one in self.shown if one.told_in != self.turn.id]

    @property
    def learned(self) -> list[FactKnown]:
        """Those that the turn's own texts told: what is kept is shown to the model while it still answers."""
        return [one for one in self.shown if one.told_in == self.turn.id]

    @property
    def seconds(self) -> float:
        """From when the texts were taken up until the reply was kept; until then, what is known to have been taken."""
        if self.turn.ended_at is None:
            return self.known_seconds
        return max((self.turn.ended_at - self.turn.started_at).total_seconds(), self.known_seconds)

    @property
    def known_seconds(self) -> float:
        """Of recall and of the model: they are measured apart, the rest is what is left."""
        return self.turn.model_seconds + self.recall_seconds

    @property
    def recall_seconds(self) -> float:
        return (self.turn.recall_ms or 0.0) / 1000

    @property
    def cost_cents(self) -> float:
        """Of the model and of the carrier."""
        return self.turn.cost_cents + (self.sent.cost_cents if self.sent else 0.0)


@dataclass(frozen=True)
class Bubble:
    """A text of the thread; the last text of a turn carries the turn."""

    message: Message
    turn: TurnShown | None


@dataclass(frozen=True)
class Thread:
    """A stretch of a person's texts, oldest first."""

    bubbles: list[Bubble]
    has_earlier: bool
    has_later: bool
    facts: Mapping[int, FactKnown] = field(default_factory=dict)
    """What the facts say that turns were shown, by number."""
    episodes: Mapping[int, str] = field(default_factory=dict)
    """The same of episodes that came back."""


def thread(
    db: Session,
    person_id: int,
    now: datetime,
    *,
    before: int | None = None,
    after: int | None = None,
    around: int | None = None,
) -> Thread:
    """The newest texts, or those before, after or around the message with that id."""
    found = db.execute(_stretch(person_id, before, after, around)).all()
    if not found:
        return Thread([], has_earlier=False, has_later=False)
    messages = [message for message, _, _ in found]
    _, first, last = found[0]
    turn_ids = {message.turn_id for message in messages if message.turn_id is not None}
    turns = {turn.id: turn for turn in db.scalars(select(Turn).where(Turn.id.in_(turn_ids)))}
    known = _facts(db, person_id, now)
    ended = _ended(db, turns, known)
    return Thread(
        [Bubble(message, ended.get(message.id)) for message in messages],
        has_earlier=messages[0].id > first,
        has_later=messages[-1].id < last,
        facts={one.number: one for one in reversed(known)},
        episodes=_episodes(db, person_id, turns.values()),
    )


def _stretch(person_id: int, before: int | None, after: int | None, around: int | None) -> Select[Message, int, int]:
    """The texts, each with the ids of the person's first and last text."""
    own = select(Message.id).where(Message.person_id == person_id)
    newest_first, oldest_first = own.order_by(Message.id.desc()), own.order_by(Message.id)
    if around is not None:
        follow = oldest_first.where(Message.id >= around).limit(AFTER_THE_ONE_SOUGHT).subquery()
        lead = newest_first.where(Message.id < around).limit(MESSAGES_ON_A_PAGE - AFTER_THE_ONE_SOUGHT).subquery()
        stretch = union_all(select(follow.c.id), select(lead.c.id)).subquery()
    elif after is not None:
        stretch = oldest_first.where(Message.id > after).limit(MESSAGES_ON_A_PAGE).subquery()
    else:
        earlier = newest_first.where(Message.id < before) if before is not None else newest_first
        stretch = earlier.limit(MESSAGES_ON_A_PAGE).subquery()
    # Each end apart: asked for both in one go, SQLite reads everything between them.
    ends = (select(end(_ENDS.id)).where(_ENDS.person_id == person_id) for end in (func.min, func.max))
    rows = select(Message, *(end.scalar_subquery() for end in ends))
    return rows.join(stretch, stretch.c.id == Message.id).order_by(Message.id)


def _ended(db: Session, turns: Mapping[int, Turn], known: Sequence[FactKnown]) -> dict[int, TurnShown]:
    """The turns by the last of their texts: one whose texts lie on two pages is shown where it ends."""
    calls: dict[int, list[ToolCall]] = {}
    for call in db.scalars(select(ToolCall).where(ToolCall.turn_id.in_(turns)).order_by(ToolCall.ordinal)):
        calls.setdefault(call.turn_id, []).append(call)
    began = _occurrences(db, turns)
    shown: dict[str, list[FactKnown]] = {}
    ended = {}
    for row in _texts(db, turns):
        turn = turns[row.turn_id]
        block = turn.memory_shown or ""
        if block not in shown:
            shown[block] = _standing_in(block, known)
        occurrence, routine = began.get(turn.id, (None, None))
        sent = _sent(row) if row.parts else None
        ended[int(row.last)] = TurnShown(turn, calls.get(turn.id, []), sent, occurrence, routine, shown[block])
    return ended


def _texts(db: Session, turns: Collection[int]) -> Sequence[Row[*tuple[Any, ...]]]:
    """What became of the texts of each turn, and which was the last."""
    rows = select(
        Message.turn_id,
        func.max(Message.id).label("last"),
        func.sum(case((Message.direction == "out", 1), else_=0)).label("parts"),
        func.coalesce(func.sum(Message.segments), 0).label("segments"),
        func.coalesce(func.sum(Message.cost_cents), 0.0).label("cost_cents"),
        func.max(case((Message.direction == "in", Message.created_at))).label("asked_at"),
        func.min(Message.sent_at).label("sent_at"),
    )
    return db.execute(rows.where(Message.turn_id.in_(turns)).group_by(Message.turn_id)).all()


def _sent(row: Row[*tuple[Any, ...]]) -> Sent:
    seconds = (row.sent_at - row.asked_at).total_seconds() if row.sent_at and row.asked_at else None
    return Sent(row.parts, row.segments, row.cost_cents, seconds)


def _occurrences(db: Session, turns: Collection[int]) -> dict[int | None, tuple[Occurrence, Routine]]:
    """What was due, by the turn in which it was carried out."""
    rows = select(Occurrence, Routine).join(Routine, Routine.id == Occurrence.routine_id)
    found = db.execute(rows.where(Occurrence.turn_id.in_(turns), Occurrence.turn_id.is_not(None)))
    return {one.turn_id: (one, routine) for one, routine in found}


def _facts(db: Session, person_id: int, now: datetime) -> list[FactKnown]:
    """Versions of the person's facts: those that are held first, then what was corrected or forgotten last."""
    columns = (Fact.number, Fact.sentence, Fact.retired_at.is_(None), is_live(now), Fact.pinned, Message.turn_id)
    rows = select(*columns).outerjoin(Message, Message.id == Fact.message_id).where(Fact.person_id == person_id)
    rows = rows.order_by(Fact.retired_at.is_not(None), Fact.pinned.desc(), Fact.id.desc()).limit(FACTS_KNOWN)
    return [
        FactKnown(number, said, bool(held), bool(live), pinned, told_in)
        for number, said, held, live, pinned, told_in in db.execute(rows)
    ]


def _standing_in(block: str, known: Sequence[FactKnown]) -> list[FactKnown]:
    """Those whose sentences the block of memory has, in its order."""
    facts = f" {' '.join(block.partition('<facts>')[2].partition('</facts>')[0].split())} "
    found = ((facts.find(f" {escape(as_sentence(one.sentence))} "), one) for one in reversed(known))
    places = {one.number: (place, one) for place, one in found if place >= 0}
    return [one for _, one in sorted(places.values(), key=lambda pair: pair[0])]


def _episodes(db: Session, person_id: int, turns: Collection[Turn]) -> dict[int, str]:
    numbers = {row["id"] for turn in turns for row in turn.recalled or [] if row["kind"] == "episode"}
    rows = select(Episode.number, Episode.summary).where(
        Episode.person_id == person_id, Episode.number.in_(numbers), Episode.retired_at.is_(None)
    )
    return dict(db.execute(rows).all())
