"""The health of the process, and the readiness of the installation. Nothing here is about any person.

`GET /ready` is 200, or 503 when the database, the worker or the scheduler is not well, or this process is stopping:

    {"status": "ready", "reason": null, "database": "ok", "disk": "ok", "disk_free_bytes": 51539607552,
     "worker_heartbeat_age_seconds": 3.2, "scheduler_heartbeat_age_seconds": 1.9,
     "oldest_unanswered_seconds": 0.0, "outbox_unknown": 0, "dead_letters": 0,
     "twilio": "ok", "model": "ok", "alerts": []}
"""

import shutil

from flask import Blueprint, Response, current_app, jsonify
from sqlalchemy.exc import SQLAlchemyError

from app.errors import DatabaseError
from app.operations.alerts import MODEL_REFUSED
from app.operations.checks.database import LITTLE_DISK_BYTES
from app.services import Services
from app.web import figures

MODEL_FAILS = frozenset({"model_down", "model_gone", "model_key", MODEL_REFUSED})
CARRIER_FAILS = frozenset({"sender", "carrier_books"})
"""Kinds of alerts that mean that the one or the other does not work for anybody."""

bp = Blueprint("health", __name__)


@bp.get("/health")
def health() -> Response:
    """Alive."""
    return jsonify(status="ok")


@bp.get("/ready")
def ready() -> tuple[Response, int]:
    """Whether texts are taken in and answered, with what a watch would want to know of it."""
    services: Services = current_app.extensions["services"]
    settings = services.settings
    try:
        with services.reading() as db:
            found = figures.health(db, services.clock.now())
    except (DatabaseError, SQLAlchemyError, OSError):
        return jsonify(status="not ready", database="unreachable"), 503
    status = "ready" if found.is_well else "not ready"
    if current_app.extensions["stopping"].is_set():
        status = "stopping"
    free = shutil.disk_usage(settings.beside_database.parent).free
    told = jsonify(
        status=status,
        reason=_reason(found.parts),
        database="ok",
        worker_heartbeat_age_seconds=_rounded(found.worker_age_seconds),
        scheduler_heartbeat_age_seconds=_rounded(found.scheduler_age_seconds),
        oldest_unanswered_seconds=_rounded(found.oldest_unanswered_seconds),
        outbox_unknown=found.outbox_unknown,
        dead_letters=found.dead_letters,
        twilio=_standing(found.alerts, CARRIER_FAILS) if settings.has_twilio else "not set",
        model=_standing(found.alerts, MODEL_FAILS) if settings.model_key else "offline",
        disk="little room" if free < LITTLE_DISK_BYTES else "ok",
        disk_free_bytes=free,
        alerts=list(found.alerts),
    )
    return told, 200 if status == "ready" else 503


def _reason(parts: dict[str, bool]) -> str | None:
    """Why texts are not answered, where no process does that; as under a server that imports `wsgi:app` alone."""
    missing = " and no ".join(part for part, is_alive in parts.items() if not is_alive)
    until = "texts are kept, and answered once `keepsake serve` runs on this database."
    return f"No {missing} is running: {until}" if missing else None


def _standing(alerts: tuple[str, ...], fails: frozenset[str]) -> str:
    return "failing" if fails & set(alerts) else "ok"


def _rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 1)
