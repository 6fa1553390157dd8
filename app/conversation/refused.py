"""Requests that Claude refuses as they are made: the operator is told, and the person's text waits for the repair.

Such a refusal is nearly always the same for everybody, but one person's conversation may hold what is refused. So each
turn waits by itself and is tried again by itself: nobody waits behind another's.
"""

from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.conversation import lane, outage_notice
from app.conversation.lane import OpenTurn
from app.delivery import due, outbox
from app.errors import RequestRefused
from app.models import Turn
from app.models.turn import OPEN
from app.operations.alerts import MODEL_REFUSED, clear, is_open, raise_alert
from app.people import notices
from app.services import Services
from app.text import kind_words

PAUSE = due.PUT_OFF_LONGEST  # A refused call costs nothing; the job that looks for what waits takes it up again.
NOTICE_APART = timedelta(days=1)


def put_off(services: Services, turn: OpenTurn, error: RequestRefused) -> None:
    """Keep the turn with its texts, and tell the person once a day that they are kept."""
    tell_operator(services, error)
    now = services.clock.now()
    if not lane.postpone(services, turn, now + PAUSE, tried=True):
        return
    if turn.tries:  # Later tries come at any hour; whoever has just texted is up.
        return
    with services.transaction() as db:
        if notices.is_due(db, turn.person_id, outage_notice.KIND, now, every=NOTICE_APART):
            outbox.queue(db, turn.person_id, None, turn.carrier, [kind_words.MODEL_DOWN], now, purpose="notice")
    outbox.send_queued(services, turn.person_id)


def tell_operator(services: Services, error: RequestRefused) -> None:
    """Raise the alert, with the server's own sentence."""
    with services.transaction() as db:
        says = f"Claude refuses requests as they are made; the texts are kept and tried again. {error}"
        raise_alert(db, MODEL_REFUSED, says, services.clock.now())


def end_if_nobody_waits(db: Session, answered: int, now: datetime) -> None:
    """The model has answered this turn: the alert is over, unless the turn of somebody else still waits for it."""
    if not is_open(db, MODEL_REFUSED):
        return
    waits = select(Turn.id).where(OPEN, Turn.state == "postponed", Turn.model_calls > 0, Turn.id != answered)
    if db.scalar(waits.limit(1)) is None:
        clear(db, MODEL_REFUSED, now)
