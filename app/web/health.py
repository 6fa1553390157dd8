"""Health of the process, and readiness of the installation; nothing here is about a person.

`GET /ready` is 200, or 503 if the database, the worker or the scheduler is not well, or this process is stopping:

    {"status": "ready", "reason": null, "database": "ok", "disk": "ok", "disk_free_bytes": 51539607552,
     "worker_heartbeat_age_seconds": 3.2, "scheduler_heartbeat_age_seconds": 1.9,
     "oldest_unanswered_seconds": 0.0, "outbox_unknown": 0, "dead_letters": 0,
     "twilio": "ok", "model": "ok", "alerts": []}
"""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from flask import Blueprint, Response, current_app, jsonify
from sqlalchemy import func, select, union_all
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from app.errors import DatabaseError
from app.models import Message
from app.operations import heartbeats
from app.operations.alerts import MODEL_REFUSED, open_alerts
from app.operations.checks.database import LITTLE_DISK_BYTES
from app.operations.numbers.counting import OUT, SENT
from app.operations.numbers.halving import Timeline
from app.services import Services

LATELY = timedelta(hours=24)
THE_LAST_HOUR = timedelta(hours=1)
ROWS_MAX = 8_000  # Only the newest rows of a day are counted, so that a request stays under 20 ms.
REPLIES_MAX = 500

TEXTS = Timeline(Message.id, Message.created_at)

# Built once, as all statements of figures: building a query takes longer than running it.
_by_state = select(Message.state, func.count(), func.min(Message.created_at)).group_by(Message.state)
_STUCK = union_all(_by_state.where(Message.TROUBLED), _by_state.where(Message.UNDER_WAY, Message.state == "waiting"))
_ANSWERED = SENT.where(OUT.newest(REPLIES_MAX))


@dataclass(frozen=True)
class Health:
    """Heartbeats of the installation's parts, and counts of stuck texts."""

    ages_seconds: dict[str, float | None]  # Time since the last heartbeat, by part; None before the first.
    oldest_unanswered_seconds: float
    outbox_unknown: int
    dead_letters: int
    alerts: tuple[str, ...]  # Kinds of the open alerts, oldest first.

    @property
    def parts(self) -> dict[str, bool]:
        """True for each part with a recent heartbeat, in any process."""
        return {part: age is not None and age <= heartbeats.TOO_OLD_SECONDS for part, age in self.ages_seconds.items()}

    @property
    def is_well(self) -> bool:
        return all(self.parts.values()) and MODEL_REFUSED not in self.alerts


def measure_health(db: Session, now: datetime) -> Health:
    ages, counts, oldest = heartbeats.ages_seconds(db, now), dict[str, int](), None
    for state, count, first_at in db.execute(_STUCK):
        counts[state] = count
        oldest = first_at if state == "waiting" else oldest
    return Health(
        ages_seconds={"worker": ages.get(heartbeats.WORKER), "scheduler": ages.get(heartbeats.SCHEDULER)},
        oldest_unanswered_seconds=max((now - oldest).total_seconds(), 0.0) if oldest else 0.0,
        outbox_unknown=counts.get("unknown", 0),
        dead_letters=counts.get("dead", 0),
        alerts=tuple(alert.kind for alert in open_alerts(db)),
    )


def reply_seconds(db: Session, now: datetime) -> list[float]:
    """Seconds from a person's last text to the first part of its answer, over the last hour; sorted."""
    sent = db.execute(_ANSWERED, {"since": now - THE_LAST_HOUR})
    return sorted((out - came).total_seconds() for came, out in sent if came and out)


def quantile(values: Sequence[float], share: float) -> float | None:
    """The value that `share` of the sorted values do not exceed; None without values."""
    return values[min(int(len(values) * share), len(values) - 1)] if values else None


MODEL_FAILS = frozenset({"model_down", "model_gone", "model_key", MODEL_REFUSED})
CARRIER_FAILS = frozenset({"sender", "carrier_books"})
"""Kinds of alerts that mean that the model, or the carrier, works for nobody."""

bp = Blueprint("health", __name__)


@bp.get("/health")
def health() -> Response:
    """200 while the process runs."""
    return jsonify(status="ok")


@bp.get("/ready")
def ready() -> tuple[Response, int]:
    """200 if texts are taken in and answered, else 503, with details for a monitor."""
    services: Services = current_app.extensions["services"]
    settings = services.settings
    try:
        with services.reading() as db:
            found = measure_health(db, services.clock.now())
    except (DatabaseError, SQLAlchemyError, OSError):
        return jsonify(status="not ready", database="unreachable"), 503
    status = "ready" if found.is_well else "not ready"
    if current_app.extensions["stopping"].is_set():
        status = "stopping"
    free = shutil.disk_usage(settings.beside_database.parent).free
    response = jsonify(
        status=status,
        reason=_reason(found.parts),
        database="ok",
        worker_heartbeat_age_seconds=_rounded(found.ages_seconds["worker"]),
        scheduler_heartbeat_age_seconds=_rounded(found.ages_seconds["scheduler"]),
        oldest_unanswered_seconds=_rounded(found.oldest_unanswered_seconds),
        outbox_unknown=found.outbox_unknown,
        dead_letters=found.dead_letters,
        twilio=_standing(found.alerts, CARRIER_FAILS) if settings.has_twilio else "not set",
        model=_standing(found.alerts, MODEL_FAILS) if settings.model_key else "offline",
        disk="little room" if free < LITTLE_DISK_BYTES else "ok",
        disk_free_bytes=free,
        alerts=list(found.alerts),
    )
    return response, 200 if status == "ready" else 503


def _reason(parts: dict[str, bool]) -> str | None:
    """A sentence if no process answers texts, as under a server that only imports `wsgi:app`; else None."""
    missing = " and no ".join(part for part, is_alive in parts.items() if not is_alive)
    until = "texts are kept, and answered once `keepsake serve` runs on this database."
    return f"No {missing} is running: {until}" if missing else None


def _standing(alerts: tuple[str, ...], fails: frozenset[str]) -> str:
    return "failing" if fails & set(alerts) else "ok"


def _rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 1)
