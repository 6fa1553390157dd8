"""Wrong tries: counted before they are checked, refused for a while if there are many, reported to the operator.

Each operator has one count for all unknown browsers, and one for each known browser: a guesser elsewhere lengthens the
wait for all unknown browsers, and never that for the operator's own.
"""

import logging
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from app.clock import seconds_between
from app.errors import Refused
from app.models import Mark, Operator, OperatorBrowser
from app.operations.alerts import raise_alert
from app.operators.passwords import digest

FREE_FAILURES = 5  # Enough for typing errors; after these, each wrong try doubles the wait.
MAX_WAIT_SECONDS = 300  # Twelve guesses an hour break nothing, and five minutes is a bearable wait.

KNOWN_FOR = timedelta(days=180)  # A browser without a login for this long is no longer known.

ALERT = "guessing"
ALERTED = 10  # Nobody mistypes that often in an hour, and guessing reaches it within half a minute.
WINDOW = timedelta(hours=1)
FAILED = "failed_logins"
SENTENCE = (
    "More than ten logins to the admin pages failed within an hour. If none of you mistyped, somebody is guessing. "
    "Each further try has to wait, and browsers that have logged in before are not kept out. Turn on a second factor "
    "on the page Security if there is none; a proxy or firewall can shut the addresses out."
)
HALFWAY = (
    " At least one of them knew an operator's password and failed at the second factor: have every operator change "
    "theirs."
)

logger = logging.getLogger(__name__)

Counter = Operator | OperatorBrowser


@dataclass(frozen=True)
class Attempt:
    """A try that counts as wrong until it is proved right."""

    counter: Counter | None  # None if no operator has that name.
    last_failure_before: datetime | None = None


def count(db: Session, operator: Operator | None, browser: str | None, now: datetime) -> Attempt:
    """Count a try as wrong before it is checked, so that guesses sent at once do not share one count.

    `browser` is the token of a browser that may be known.

    Raises:
        Refused: too many wrong tries in a row; the sentence says when to try again.
    """
    counter: Counter | None = operator
    if operator is not None and browser:
        counter = db.get(OperatorBrowser, (digest(browser), operator.id)) or operator
    if counter is not None:
        _refuse_while_waiting(counter, now)
    # A name that nobody has is counted too, so that the time taken does not reveal it.
    _count_for_alert(db, now)
    if counter is None:
        return Attempt(None)
    attempt = Attempt(counter, counter.last_failure_at)
    counter.failures += 1
    counter.last_failure_at = now
    return attempt


def uncount(db: Session, attempt: Attempt) -> None:
    """Uncount a try whose password was right: the tries of the second factor continue from the earlier count."""
    if counter := _uncount(db, attempt):
        counter.failures, counter.last_failure_at = max(0, counter.failures - 1), attempt.last_failure_before


def reset_count(db: Session, attempt: Attempt) -> None:
    """Reset the count after a complete login."""
    if counter := _uncount(db, attempt):
        counter.failures, counter.last_failure_at = 0, None


def alert_right_password(db: Session, now: datetime) -> None:
    """Alert the operator at once: a guesser who came this far needs only one more code."""
    mark = db.get(Mark, FAILED)
    if mark is not None and mark.number > FREE_FAILURES:
        mark.note = "password"
        raise_alert(db, ALERT, SENTENCE + HALFWAY, now)


def remember_browser(db: Session, operator_id: int, browser: str | None, now: datetime) -> str:
    """Make the browser known from now on, and return the token that it has to keep."""
    db.execute(delete(OperatorBrowser).where(OperatorBrowser.last_login_at <= now - KNOWN_FOR))
    # Only a token of ours is reused: one that somebody else put there must not become known.
    ours = browser and db.scalar(select(OperatorBrowser).where(OperatorBrowser.token_hash == digest(browser)).limit(1))
    token = browser if browser and ours else secrets.token_urlsafe(32)
    db.merge(
        OperatorBrowser(
            token_hash=digest(token), operator_id=operator_id, failures=0, last_failure_at=None, last_login_at=now
        )
    )
    return token


def end_waits(db: Session, operator: Operator) -> None:
    """End every wait of the operator, in all browsers."""
    browsers = db.scalars(select(OperatorBrowser).where(OperatorBrowser.operator_id == operator.id))
    for counter in (operator, *browsers):
        counter.failures, counter.last_failure_at = 0, None


def _refuse_while_waiting(counter: Counter, now: datetime) -> None:
    if counter.failures < FREE_FAILURES or counter.last_failure_at is None:
        return
    # The exponent is bounded because 2^n for a year of guesses would be a number of many pages.
    wait_seconds = min(2 ** min(counter.failures - FREE_FAILURES, 20), MAX_WAIT_SECONDS)
    again_at = counter.last_failure_at + timedelta(seconds=wait_seconds)
    # A failure in the future was written before the clock was set back.
    if now < again_at and counter.last_failure_at <= now:
        whose = counter.operator_id if isinstance(counter, OperatorBrowser) else counter.id
        logger.warning("Login of operator %d refused after %d wrong tries.", whose, counter.failures)
        left = max(1, round(seconds_between(now, again_at)))
        raise Refused(f"{counter.failures} wrong tries in a row. Try again in {left} s, at {again_at:%H:%M:%S} UTC.")


def _uncount(db: Session, attempt: Attempt) -> Counter | None:
    """Uncount the try for the alert, and return its counter, if that still exists."""
    mark = db.get(Mark, FAILED)
    if mark is not None:
        mark.number = max(0, mark.number - 1)
    counter = attempt.counter
    if isinstance(counter, OperatorBrowser):
        return db.get(OperatorBrowser, (counter.token_hash, counter.operator_id))
    return None if counter is None else db.get(Operator, counter.id)


def _count_for_alert(db: Session, now: datetime) -> None:
    mark = db.get(Mark, FAILED)
    if mark is None:
        mark = Mark(name=FAILED, at=now, number=0)
        db.add(mark)
    if not mark.at <= now < mark.at + WINDOW:
        mark.at, mark.number, mark.note = now, 0, None
    mark.number += 1
    if mark.number > ALERTED:
        raise_alert(db, ALERT, SENTENCE + (HALFWAY if mark.note else ""), now)
