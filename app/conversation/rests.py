"""People whose texts wait for an hour and not for a process: the day's money is spent, or they text too fast.

One mark a person says until when. The texts stay as they are, waiting, and are answered together afterwards.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, String, and_, cast, delete, exists, literal, or_
from sqlalchemy.orm import Session

from app.models import Mark, Message
from app.operations import marks

BUDGET = "budget"
RATE = "rate"
LOOP = "loop"

# A budget's rest ends with its day and a night. An end beyond the longest was noted by a clock that ran ahead.
LONGEST = {BUDGET: timedelta(days=2), RATE: timedelta(hours=1), LOOP: timedelta(minutes=10)}

_PREFIX = "rest:"


@dataclass(frozen=True)
class Rest:
    until: datetime
    why: str
    """`budget`, `rate` or `loop`."""

    def lasts(self, now: datetime) -> bool:
        return now < self.until <= now + LONGEST[self.why]

    @property
    def is_for_commands(self) -> bool:
        """Whether commands wait too. They cost no model, but two machines may have learned to text them."""
        return self.why == LOOP


def begin(db: Session, person_id: int, rest: Rest) -> Rest:
    marks.put(db, _name(person_id), rest.until, note=rest.why)
    return rest


def latest(db: Session, person_id: int) -> Rest | None:
    """The person's last rest, also one that is over."""
    mark = marks.read(db, _name(person_id))
    return Rest(mark.at, str(mark.note)) if mark else None


def forget(db: Session, person_id: int) -> None:
    marks.remove(db, _name(person_id))


def end_all(db: Session, why: str) -> None:
    """Let everybody who rests for that reason be looked at anew."""
    db.execute(delete(Mark).where(Mark.name.startswith(_PREFIX, autoescape=True), Mark.note == why))


def is_of_nobody_resting(now: datetime) -> ColumnElement[bool]:
    """Which messages are of somebody who does not rest."""
    name = literal(_PREFIX) + cast(Message.person_id, String)
    lasting = or_(*(and_(Mark.note == why, Mark.at <= now + longest) for why, longest in LONGEST.items()))
    return ~exists().where(Mark.name == name, Mark.at > now, lasting).correlate(Message)


def _name(person_id: int) -> str:
    return f"{_PREFIX}{person_id}"
