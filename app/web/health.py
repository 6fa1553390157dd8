"""The health of the process, and the readiness of the installation. Nothing here is about any person.

`GET /ready` is 200, or 503 when the database, the worker or the scheduler is not well, or this process is stopping:

    {"status": "ready", "reason": null, "database": "ok", "disk": "ok", "disk_free_bytes": 51539607552,
     "worker_heartbeat_age_seconds": 3.2, "scheduler_heartbeat_age_seconds": 1.9,
     "oldest_unanswered_seconds": 0.0, "outbox_unknown": 0, "dead_letters": 0,
     "twilio": "ok", "model": "ok", "alerts": []}
"""

import shutil
from threading import Event
from typing import Any, cast

from flask import Blueprint, Response, current_app, jsonify
from sqlalchemy.exc import SQLAlchemyError

from app.errors import DatabaseError
from app.operations.alerts import MODEL_REFUSED
from app.operations.checks.machine import LITTLE_DISK_BYTES
from app.services import Services
from app.settings import Settings
from app.web import figures
from app.web.figures import Health

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
    services = cast("Services", current_app.extensions["services"])
    stopping = cast("Event", current_app.extensions["stopping"]).is_set()
    try:
        with services.reading() as db:
            found = figures.health(db, services.clock.now())
    except (DatabaseError, SQLAlchemyError, OSError):
        return jsonify(status="not ready", database="unreachable"), 503
    status = "stopping" if stopping else "ready" if found.is_well else "not ready"
    told = _told(services.settings, found)
    return jsonify(status=status, reason=_reason(found), **told), 200 if status == "ready" else 503


def _reason(found: Health) -> str | None:
    """Why texts are not answered, where no process does that; as under a server that imports `wsgi:app` alone."""
    missing = [part for part, is_alive in found.parts.items() if not is_alive]
    if not missing:
        return None
    return (
        f"No {' and no '.join(missing)} is running: texts are kept, and answered once `keepsake serve` runs on this "
        "database."
    )


def _told(settings: Settings, found: Health) -> dict[str, Any]:
    free = shutil.disk_usage(settings.beside_database.parent).free
    return {
        "database": "ok",
        "worker_heartbeat_age_seconds": _rounded(found.worker_age_seconds),
        "scheduler_heartbeat_age_seconds": _rounded(found.scheduler_age_seconds),
        "oldest_unanswered_seconds": _rounded(found.oldest_unanswered_seconds),
        "outbox_unknown": found.outbox_unknown,
        "dead_letters": found.dead_letters,
        "twilio": _standing(found, CARRIER_FAILS) if settings.has_twilio else "not set",
        "model": _standing(found, MODEL_FAILS) if settings.model_key else "offline",
        "disk": "little room" if free < LITTLE_DISK_BYTES else "ok",
        "disk_free_bytes": free,
        "alerts": list(found.alerts),
    }


def _standing(found: Health, fails: frozenset[str]) -> str:
    return "failing" if fails & set(found.alerts) else "ok"


def _rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 1)
