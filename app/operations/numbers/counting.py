"""One hour, counted from the rows themselves: the same whenever it is done, but for what came late meanwhile."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import String, bindparam, case, cast, false, func, select
from sqlalchemy.orm import Session

from app.memory.index.gates import LOOKED
from app.models import Message, Occurrence, Spending, Turn
from app.operations.numbers import figures, replies
from app.operations.numbers.figures import Figure
from app.operations.numbers.halving import Span, Timeline, span
from app.operations.numbers.memory_changes import of_memory
from app.operations.numbers.shape import Shape, shape_of
from app.routines.outcomes import SAYS_SO_AFTER

HOUR = timedelta(hours=1)
BACKGROUND = "background"
UNANSWERED = "no answer"
"""Of a call whose turn has not ended, or ended without the model."""

_ARRIVED = frozenset({"delivered", "read"})
_LOST = frozenset({"undelivered", "failed", "canceled"})


SPENT_ON = case((Spending.is_background, BACKGROUND), else_=func.coalesce(Turn.model, UNANSWERED))
"""What a spending was for: the model that answered, `background`, or that none did; of a join with its turn."""

SPENDINGS = Timeline(Spending.id, Spending.at)
_TURNS = Timeline(Turn.id, Turn.started_at)
# Of those that came in, some are brought late and tell when they were sent.
_OUT = Timeline(Message.id, Message.created_at, Message.direction == "out")

# Made once, all of them: to build a question takes longer than to answer it for an hour in which nothing happened.
_SENT = replies.SENT.where(_OUT.within)
_DONE = select(
    Turn.model_calls,
    Turn.model_seconds,
    Turn.memory_tokens,
    Turn.input_tokens,
    Turn.cache_read_tokens,
    Turn.cache_write_tokens,
    Turn.recall_gate,
    Turn.recall_ms,
    func.coalesce(cast(Turn.recalled, String).like('%"id"%'), false()).label("brought_back"),
).where(_TURNS.within, Turn.state == "done")
_kinds = (Message.state, Message.delivery, Message.carrier_code)
_ENDS = select(*_kinds, func.count()).where(_OUT.within).group_by(*_kinds)
_became = case(
    (Occurrence.state.in_(("missed", "skipped")), Occurrence.state),
    (Occurrence.late_seconds >= int(SAYS_SO_AFTER.total_seconds()), "late"),
    else_="on time",
)
_DUE = (
    select(_became, func.count())
    .where(Occurrence.due_at >= bindparam("since"), Occurrence.due_at < bindparam("until"))
    # By what it is not: asked for states by their names, SQLite reads all that ever were in them instead of the hour's.
    .where(Occurrence.state.not_in(("due", "held", "running", "cancelled")))
    .group_by(_became)
    .order_by(_became)
)
_SPENT = (
    select(SPENT_ON, func.count(), func.sum(Spending.cents))
    .outerjoin(Turn, Turn.id == Spending.turn_id)
    .where(SPENDINGS.within)
    .group_by(SPENT_ON)
    .order_by(SPENT_ON)
)


@dataclass(frozen=True)
class Counted:
    """What one figure came to under one label; the columns are those of a count."""

    figure: str
    label: str
    times: int
    total: float = 0.0
    shape: Shape | None = None


def count_hour(db: Session, began: datetime) -> list[Counted]:
    """All that happened in the hour which began at that instant, by figure and label."""
    hour = span(began, began + HOUR)
    found = [
        *_replies(db, hour),
        *_turns(db, hour),
        *_deliveries(db, hour),
        *_routines(db, hour),
        *_spend(db, hour),
        *_memory(db, hour),
    ]
    return sorted(found, key=lambda one: (one.figure, one.label))


def _spread(figure: Figure, values: list[float]) -> Iterator[Counted]:
    if values:
        yield Counted(figure.key, "", len(values), sum(values), shape_of(values))


def _labelled(figure: Figure, labels: Iterable[str]) -> Iterator[Counted]:
    for label, times in sorted(Counter(labels).items()):
        yield Counted(figure.key, label, times)


def _replies(db: Session, hour: Span) -> Iterator[Counted]:
    took = [(out - came).total_seconds() for came, out in db.execute(_SENT, hour) if came and out]
    yield from _spread(figures.REPLY, took)


def _turns(db: Session, hour: Span) -> Iterator[Counted]:
    rows = db.execute(_DONE, hour).all()
    asked = [row for row in rows if row.model_calls]
    yield from _spread(figures.MODEL, [row.model_seconds for row in asked if row.model_seconds > 0])
    yield from _spread(figures.MEMORY_TOKENS, [row.memory_tokens for row in asked if row.memory_tokens])
    yield from _spread(figures.RECALL_TIME, [row.recall_ms for row in rows if row.recall_ms is not None])
    gates = [(row.recall_gate, row.brought_back) for row in rows if row.recall_gate]
    yield from _labelled(figures.RECALL, (_recall_label(gate, found=bool(found)) for gate, found in gates))
    read = sum(row.cache_read_tokens for row in rows)
    tokens = read + sum(row.input_tokens + row.cache_write_tokens for row in rows)
    if tokens:
        yield Counted(figures.CACHE.key, "", tokens, read)


def _recall_label(gate: str, *, found: bool) -> str:
    came = "skip" if gate not in LOOKED else "hit" if found else "miss"
    return f"{came}: {gate}"


def _deliveries(db: Session, hour: Span) -> Iterator[Counted]:
    told: Counter[str] = Counter()
    for state, delivery, code, texts in db.execute(_ENDS, hour):
        told[_delivery_label(state, delivery, code)] += texts
    yield from _labelled(figures.DELIVERIES, told.elements())


def _delivery_label(state: str, delivery: str | None, code: int | None) -> str:
    if state in {"queued", "sending"}:
        return "to be sent"
    if state == "unknown":
        return "in doubt"
    if delivery in _ARRIVED:
        return "delivered"
    if state == "sent" and delivery not in _LOST:
        return "sent"
    how = "refused" if state == "refused" else "undelivered"
    return how if code is None else f"{how}: {code}"


def _routines(db: Session, hour: Span) -> Iterator[Counted]:
    for label, times in db.execute(_DUE, hour):
        yield Counted(figures.ROUTINES.key, label, times)


def _spend(db: Session, hour: Span) -> Iterator[Counted]:
    for model, calls, cents in db.execute(_SPENT, hour):
        yield Counted(figures.SPEND.key, model, calls, cents)


def _memory(db: Session, hour: Span) -> Iterator[Counted]:
    found = of_memory(db, hour)
    yield from _labelled(figures.WRITES, found.written)
    yield from _labelled(figures.DUPLICATES, found.known)
    yield from _labelled(figures.CORRECTIONS, found.corrected)
    yield from _labelled(figures.FORGETS, found.forgotten)
    told = len(found.written) + len(found.known) + len(found.corrected)
    if told:
        yield Counted(figures.REPEATED.key, "", told, len(found.known) + found.corrected_again)
