"""What `/ready` and `/metrics` tell: counted from the rows when somebody asks, and cheap with any number of rows.

Nothing here is about any person.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from sqlalchemy import ScalarSelect, String, false, func, select, type_coerce
from sqlalchemy.orm import Session, aliased

from app import heart
from app.alerts import open_alerts
from app.assistant.budget import spent_cents
from app.assistant.waiting import oldest_waiting_at
from app.models import Message, Turn
from app.models.message import TROUBLED, UNDER_WAY
from app.routines import suggestions
from app.web.first_row import first_id

# SQLite takes a partial index only where the query itself says the index's condition.

LATELY = timedelta(hours=24)
THE_LAST_HOUR = timedelta(hours=1)
ROWS_MAX = 8_000  # More in a day are counted from the newest so many: a look stays under 20 ms.
REPLIES_MAX = 500


@dataclass(frozen=True)
class Health:
    """Whether the parts of the installation are alive, and what is stuck."""

    worker_age_seconds: float | None
    """Since its last heartbeat; None before the first."""
    scheduler_age_seconds: float | None
    oldest_unanswered_seconds: float
    outbox_unknown: int
    dead_letters: int
    alerts: tuple[str, ...]
    """Their kinds, the oldest first."""

    @property
    def is_well(self) -> bool:
        ages = (self.worker_age_seconds, self.scheduler_age_seconds)
        return all(age is not None and age <= heart.TOO_OLD_SECONDS for age in ages)


def health(db: Session, now: datetime) -> Health:
    oldest = oldest_waiting_at(db)
    troubled = select(Message.state, func.count()).where(TROUBLED).group_by(Message.state)
    counts = {state: int(count) for state, count in db.execute(troubled)}
    return Health(
        worker_age_seconds=heart.age_seconds(db, heart.WORKER, now),
        scheduler_age_seconds=heart.age_seconds(db, heart.SCHEDULER, now),
        oldest_unanswered_seconds=max((now - oldest).total_seconds(), 0.0) if oldest else 0.0,
        outbox_unknown=counts.get("unknown", 0),
        dead_letters=counts.get("dead", 0),
        alerts=tuple(alert.kind for alert in open_alerts(db)),
    )


@dataclass(frozen=True)
class TextCount:
    """How many texts of one kind there were lately."""

    direction: str
    state: str
    carrier_code: int | None
    texts: int
    segments: int
    cost_cents: float


@dataclass(frozen=True)
class TurnCount:
    """How many turns ended in one way lately, and what they took."""

    outcome: str
    turns: int
    model_calls: int
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    cost_cents: float


@dataclass(frozen=True)
class RecallCount:
    """How many turns lately looked into memory, or did not, for one reason."""

    gate: str
    brought_back: bool
    """Whether an episode stood before the model."""
    turns: int


@dataclass(frozen=True)
class Lately:
    """The last 24 hours, or the newest `ROWS_MAX` rows of them."""

    texts: Sequence[TextCount]
    turns: Sequence[TurnCount]
    recalls: Sequence[RecallCount]
    reply_seconds: Sequence[float]
    """From a person's last text to the first part of its answer, within the last hour; sorted."""
    model_seconds: Sequence[float]
    """Of each turn that asked the model, within the last hour; sorted."""
    waiting: int
    queued: int
    spent_cents: float
    """Of today's budget, settled or set aside."""
    suggestions: Mapping[tuple[str, str], int]
    """Of all times, by kind and by what became of them."""


def lately(db: Session, now: datetime, today: date) -> Lately:
    since_text = first_id(Message.id, Message.created_at, now - LATELY, ROWS_MAX)
    since_turn = first_id(Turn.id, Turn.started_at, now - LATELY, ROWS_MAX)
    depth = select(Message.state, func.count()).where(UNDER_WAY).group_by(Message.state)
    under_way = {state: int(count) for state, count in db.execute(depth)}
    return Lately(
        texts=_texts(db, since_text),
        turns=_turns(db, since_turn),
        recalls=_recalls(db, since_turn),
        reply_seconds=reply_seconds(db, now),
        model_seconds=_model_seconds(db, now),
        waiting=under_way.get("waiting", 0),
        queued=under_way.get("queued", 0) + under_way.get("sending", 0),
        spent_cents=spent_cents(db, today),
        suggestions=suggestions.counts(db),
    )


def quantile(values: Sequence[float], share: float) -> float | None:
    """The value that `share` of the sorted values do not exceed; None of none."""
    return values[min(int(len(values) * share), len(values) - 1)] if values else None


def _texts(db: Session, since: ScalarSelect[int]) -> list[TextCount]:
    kinds = (Message.direction, Message.state, Message.carrier_code)
    counted = select(
        *kinds,
        func.count().label("texts"),
        func.coalesce(func.sum(Message.segments), 0).label("segments"),
        func.coalesce(func.sum(Message.cost_cents), 0.0).label("cost_cents"),
    )
    counted = counted.where(Message.id >= since).group_by(*kinds)
    return [TextCount(**row) for row in db.execute(counted).mappings()]


def _recalls(db: Session, since: ScalarSelect[int]) -> list[RecallCount]:
    brought_back = func.coalesce(type_coerce(Turn.recalled, String).like('%"episode"%'), false())
    counted = select(Turn.recall_gate, brought_back, func.count()).where(
        Turn.id >= since, Turn.recall_gate.is_not(None)
    )
    rows = db.execute(counted.group_by(Turn.recall_gate, brought_back).order_by(Turn.recall_gate))
    return [RecallCount(gate or "", bool(brought), turns) for gate, brought, turns in rows]


def _turns(db: Session, since: ScalarSelect[int]) -> list[TurnCount]:
    sums = (
        Turn.model_calls,
        Turn.input_tokens,
        Turn.output_tokens,
        Turn.cache_read_tokens,
        Turn.cache_write_tokens,
        Turn.cost_cents,
    )
    summed = (func.sum(column).label(column.key) for column in sums)
    counted = select(Turn.outcome, func.count().label("turns"), *summed)
    counted = counted.where(Turn.id >= since, Turn.outcome.is_not(None)).group_by(Turn.outcome)
    return [TurnCount(**row) for row in db.execute(counted).mappings()]


def reply_seconds(db: Session, now: datetime) -> list[float]:
    """As in `Lately`."""
    asked, answered = aliased(Message), aliased(Message)
    first = first_id(Message.id, Message.created_at, now - THE_LAST_HOUR, REPLIES_MAX)
    newest_asked = (
        select(func.max(asked.created_at))
        .where(asked.turn_id == answered.turn_id, asked.direction == "in")
        .correlate(answered)
        .scalar_subquery()
    )
    sent = select(newest_asked, answered.sent_at).where(
        answered.id >= first,
        answered.direction == "out",
        answered.purpose == "reply",
        answered.part == 1,
        answered.turn_id.is_not(None),
        answered.sent_at.is_not(None),
    )
    return sorted((out - came).total_seconds() for came, out in db.execute(sent) if came and out)


def _model_seconds(db: Session, now: datetime) -> list[float]:
    first = first_id(Turn.id, Turn.started_at, now - THE_LAST_HOUR, REPLIES_MAX)
    took = select(Turn.model_seconds).where(Turn.id >= first, Turn.model_seconds > 0)
    return sorted(db.scalars(took))
