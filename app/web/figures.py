"""The figures of `/ready`, `/metrics` and the page of today: counted from the rows when somebody asks, however many.

Nothing here is about any person.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import func, select, union_all
from sqlalchemy.orm import Session

from app.models import Message
from app.operations import marks
from app.operations.alerts import MODEL_REFUSED, open_alerts
from app.operations.numbers.counting import SENT
from app.operations.numbers.halving import Timeline

LATELY = timedelta(hours=24)
THE_LAST_HOUR = timedelta(hours=1)
ROWS_MAX = 8_000  # More in a day are counted from the newest so many: a look stays under 20 ms.
REPLIES_MAX = 500

TEXTS = Timeline(Message.id, Message.created_at)

# Made once, as all statements of figures: to build a question takes longer than to answer it.
_of_state = select(Message.state, func.count(), func.min(Message.created_at)).group_by(Message.state)
_STUCK = union_all(_of_state.where(Message.TROUBLED), _of_state.where(Message.UNDER_WAY, Message.state == "waiting"))
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
        return {part: age is not None and age <= marks.TOO_OLD_SECONDS for part, age in ages.items()}

    @property
    def is_well(self) -> bool:
        return all(self.parts.values()) and MODEL_REFUSED not in self.alerts


def health(db: Session, now: datetime) -> Health:
    ages, counts, oldest = marks.ages_seconds(db, now), dict[str, int](), None
    for state, count, first_at in db.execute(_STUCK):
        counts[state] = count
        oldest = first_at if state == "waiting" else oldest
    return Health(
        worker_age_seconds=ages.get(marks.WORKER),
        scheduler_age_seconds=ages.get(marks.SCHEDULER),
        oldest_unanswered_seconds=max((now - oldest).total_seconds(), 0.0) if oldest else 0.0,
        outbox_unknown=counts.get("unknown", 0),
        dead_letters=counts.get("dead", 0),
        alerts=tuple(alert.kind for alert in open_alerts(db)),
    )


def reply_seconds(db: Session, now: datetime) -> list[float]:
    """From a person's last text to the first part of its answer, within the last hour; sorted."""
    sent = db.execute(_ANSWERED, {"since": now - THE_LAST_HOUR})
    return sorted((out - came).total_seconds() for came, out in sent if came and out)


def quantile(values: Sequence[float], share: float) -> float | None:
    """The value that `share` of the sorted values do not exceed; None of none."""
    return values[min(int(len(values) * share), len(values) - 1)] if values else None
