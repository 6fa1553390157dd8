"""The figures of `/ready` and `/metrics`: counted from the rows when somebody asks, cheap with any number of rows.

Nothing here is about any person.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from sqlalchemy import String, cast, false, func, select, union_all
from sqlalchemy.orm import Session

from app.conversation.budget import spent_cents
from app.models import Message, Turn
from app.models.message import TROUBLED, UNDER_WAY
from app.operations import heart, marks
from app.operations.alerts import MODEL_REFUSED, open_alerts
from app.operations.numbers.counting import SENT
from app.operations.numbers.halving import Timeline
from app.routines import suggestions

CALLS = "calls"
"""The mark that counts phone calls."""
LATELY = timedelta(hours=24)
THE_LAST_HOUR = timedelta(hours=1)
ROWS_MAX = 8_000  # More in a day are counted from the newest so many: a look stays under 20 ms.
REPLIES_MAX = 500

TEXTS = Timeline(Message.id, Message.created_at)
_TURNS = Timeline(Turn.id, Turn.started_at)

# Made once, all of them: to build a question takes longer than to answer it.
_ends = (Message.direction, Message.state, Message.carrier_code)
_TEXTS_BY_END = (
    select(
        *_ends,
        func.count().label("texts"),
        func.coalesce(func.sum(Message.segments), 0).label("segments"),
        func.coalesce(func.sum(Message.cost_cents), 0.0).label("cost_cents"),
    )
    .where(TEXTS.newest(ROWS_MAX))
    .group_by(*_ends)
)
_brought_back = func.coalesce(cast(Turn.recalled, String).like('%"episode"%'), false())
_TURNS_BY_GATE = (
    select(Turn.recall_gate, _brought_back, func.count())
    .where(_TURNS.newest(ROWS_MAX), Turn.recall_gate.is_not(None))
    .group_by(Turn.recall_gate, _brought_back)
    .order_by(Turn.recall_gate)
)
_taken = (
    Turn.model_calls,
    Turn.input_tokens,
    Turn.output_tokens,
    Turn.cache_read_tokens,
    Turn.cache_write_tokens,
    Turn.cost_cents,
)
_TURNS_BY_OUTCOME = (
    select(Turn.outcome, func.count().label("turns"), *(func.sum(column).label(column.key) for column in _taken))
    .where(_TURNS.newest(ROWS_MAX), Turn.outcome.is_not(None))
    .group_by(Turn.outcome)
)
_of_state = select(Message.state, func.count(), func.min(Message.created_at)).group_by(Message.state)
_STUCK = union_all(_of_state.where(TROUBLED), _of_state.where(UNDER_WAY, Message.state == "waiting"))
_MODEL_SECONDS = select(Turn.model_seconds).where(_TURNS.newest(REPLIES_MAX), Turn.model_seconds > 0)
_ANSWERED = SENT.where(TEXTS.newest(REPLIES_MAX))


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
    def parts(self) -> dict[str, bool]:
        """Whether each part has lately been known to be alive, in whatever process."""
        ages = {"worker": self.worker_age_seconds, "scheduler": self.scheduler_age_seconds}
        return {part: age is not None and age <= heart.TOO_OLD_SECONDS for part, age in ages.items()}

    @property
    def is_well(self) -> bool:
        return all(self.parts.values()) and MODEL_REFUSED not in self.alerts


def health(db: Session, now: datetime) -> Health:
    ages, counts, oldest = heart.ages_seconds(db, now), dict[str, int](), None
    for state, count, first_at in db.execute(_STUCK):
        counts[state] = count
        oldest = first_at if state == "waiting" else oldest
    return Health(
        worker_age_seconds=ages.get(heart.WORKER),
        scheduler_age_seconds=ages.get(heart.SCHEDULER),
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
    calls: int
    """How often somebody called the number, of all times."""
    spent_cents: float
    """Of today's budget, settled or set aside."""
    suggestions: Mapping[tuple[str, str], int]
    """Of all times, by kind and by what became of them."""


def lately(db: Session, now: datetime, today: date) -> Lately:
    since = now - LATELY
    depth = select(Message.state, func.count()).where(UNDER_WAY).group_by(Message.state)
    under_way = {state: int(count) for state, count in db.execute(depth)}
    called = marks.read(db, CALLS)
    return Lately(
        calls=called.number if called else 0,
        texts=_texts(db, since),
        turns=_turns(db, since),
        recalls=_recalls(db, since),
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


def _texts(db: Session, since: datetime) -> list[TextCount]:
    return [TextCount(**row) for row in db.execute(_TEXTS_BY_END, {"since": since}).mappings()]


def _recalls(db: Session, since: datetime) -> list[RecallCount]:
    rows = db.execute(_TURNS_BY_GATE, {"since": since})
    return [RecallCount(gate or "", bool(brought), turns) for gate, brought, turns in rows]


def _turns(db: Session, since: datetime) -> list[TurnCount]:
    return [TurnCount(**row) for row in db.execute(_TURNS_BY_OUTCOME, {"since": since}).mappings()]


def reply_seconds(db: Session, now: datetime) -> list[float]:
    """As in `Lately`."""
    sent = db.execute(_ANSWERED, {"since": now - THE_LAST_HOUR})
    return sorted((out - came).total_seconds() for came, out in sent if came and out)


def _model_seconds(db: Session, now: datetime) -> list[float]:
    return sorted(db.scalars(_MODEL_SECONDS, {"since": now - THE_LAST_HOUR}))
