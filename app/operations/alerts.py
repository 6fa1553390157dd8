"""Alerts to the operator: raised once, however often the trouble happens, until it is over."""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from app.models import Alert
from app.store.dialect import insert_into

PASSED = timedelta(days=1)  # An alert that nothing else clears is over after this long without trouble.
_PASSED_BY_KIND = dict.fromkeys(("strangers", "guessing", "restored", "summary_broken", "routines"), PASSED)
_PASSED_BY_KIND["webhook_key"] = timedelta(hours=1)

MODEL_REFUSED = "model_refused"  # Claude refuses the form of our requests.

_IS_OPEN = Alert.cleared_at.is_(None)
_OPEN = select(Alert).where(_IS_OPEN)

logger = logging.getLogger(__name__)


def raise_alert(db: Session, kind: str, sentence: str, now: datetime) -> None:
    """Show the operator `sentence`: the problem and the remedy, without anybody's words or number.

    While an alert of that kind is open this only counts, so that the log gets one line for it, not one a minute.
    """
    new = insert_into(db, Alert).values(kind=kind, sentence=sentence, raised_at=now, last_at=now)
    again = {"times": Alert.times + 1, "sentence": sentence, "last_at": now}
    # One statement: on PostgreSQL several people's turns may raise it, and end it, at the same moment.
    raised = new.on_conflict_do_update(index_elements=["kind"], index_where=_IS_OPEN, set_=again)
    if db.scalar(raised.returning(Alert.times)) == 1:
        logger.error("Alert %s: %s", kind, sentence)


def clear(db: Session, kind: str, now: datetime) -> None:
    if sentence_of(db, kind) is None:  # Usually none is open, and a read costs less than a write.
        return
    db.execute(update(Alert).where(Alert.kind == kind, _IS_OPEN).values(cleared_at=now))
    logger.info("Alert %s is over.", kind)


def raise_or_clear(db: Session, kind: str, sentence: str | None, now: datetime) -> None:
    """Keep the alert of that kind open while there is a `sentence`, and clear it otherwise."""
    if sentence:
        raise_alert(db, kind, sentence, now)
    else:
        clear(db, kind, now)


def sentence_of(db: Session, kind: str) -> str | None:
    """The sentence of the open alert of that kind; None if none is open."""
    return db.scalar(_OPEN.with_only_columns(Alert.sentence).where(Alert.kind == kind))


def open_alerts(db: Session) -> Sequence[Alert]:
    """All open alerts, the oldest first."""
    return db.scalars(_OPEN.order_by(Alert.id)).all()


def clear_passed(db: Session, now: datetime) -> None:
    """Close alerts that nothing else clears: each was of one event, or of several people's texts or logins."""
    for alert in open_alerts(db):
        of_one_text = alert.kind == "unknown_sends" or alert.kind.removeprefix("carrier_").isdecimal()
        after = PASSED if of_one_text else _PASSED_BY_KIND.get(alert.kind)
        if after is not None and now - alert.last_at > after:
            clear(db, alert.kind, now)
