"""Whether the process lives, and whether it can do its work. Nothing here is about any person."""

from typing import cast

from flask import Blueprint, Response, current_app, jsonify
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from app.assistant import waiting
from app.services import Services

bp = Blueprint("health", __name__)


@bp.get("/health")
def health() -> Response:
    """Alive."""
    return jsonify(status="ok")


@bp.get("/ready")
def ready() -> tuple[Response, int]:
    """Whether the database answers, and how long the oldest text has waited for its answer, in seconds."""
    services = cast("Services", current_app.extensions["services"])
    try:
        with services.reading() as db:
            db.execute(text("SELECT 1"))
            oldest = waiting.oldest_waiting_at(db)
    except SQLAlchemyError:
        return jsonify(database="unreachable"), 503
    waited = (services.clock.now() - oldest).total_seconds() if oldest else 0.0
    return jsonify(database="ok", oldest_unanswered_seconds=round(waited, 1)), 200
