"""Changes of a routine, kept so that they can be taken back."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from app.models import ChangeItem, Occurrence, Person, Routine
from app.models.states import move
from app.routines import rows
from app.routines.described import describe

TAKEN_BACK = "What it was set by was taken back."

_AGAIN = {"active": "", "paused": ", paused", "proposed": ", waiting for your yes"}


def set_fields(db: Session, routine: Routine, values: Mapping[str, Any]) -> list[ChangeItem]:
    """Set fields of a routine; what is returned keeps what they were, for the record."""
    items = []
    for field, value in values.items():
        before = getattr(routine, field)
        if before != value:
            items.append(_item(routine, field, before, value))
            _set(db, routine, field, value)
    return items


def added(routine: Routine) -> ChangeItem:
    """For the record of a new one: before it there was none."""
    return _item(routine, "state", None, routine.state)


def set_back(db: Session, item: ChangeItem, now: datetime) -> None:
    """Undo one item, and have the routine come by what it is now."""
    routine = db.get_one(Routine, item.routine_id)
    before = json.loads(item.before or "null")
    _set(db, routine, str(item.field), "cancelled" if before is None and item.field == "state" else before)
    db.flush()
    if routine.state == "active":
        rows.work_out_next(db, routine, now)
        rows.end_what_is_over(db, [routine.id])
    else:
        rows.drop_unsaid(db, "cancelled", TAKEN_BACK, now, Occurrence.routine_id == routine.id)


def phrase(db: Session, item: ChangeItem) -> str:
    """What taking it back comes to."""
    routine = db.get_one(Routine, item.routine_id)
    before = json.loads(item.before or "null")
    if item.field == "state" and before is None:
        return f"no longer scheduled: {routine.words}"
    if item.field == "state":
        return f"it is again scheduled{_AGAIN.get(before, '')}: {spoken(db, routine)}"
    return f"it is again {spoken(db, routine)}"


def spoken(db: Session, routine: Routine, now: datetime | None = None) -> str:
    """The routine in a few words: `take the bread out, daily at 08:00`."""
    zone = routine.zone or db.get_one(Person, routine.person_id).timezone
    return f"{routine.words}, {describe(rows.schedule_of(routine), zone, now)}"


def _set(db: Session, routine: Routine, field: str, value: Any) -> None:
    if field == "state":
        move(db, Routine, value, Routine.id == routine.id)
    else:
        setattr(routine, field, value)


def _item(routine: Routine, field: str, before: Any, after: Any) -> ChangeItem:
    return ChangeItem(routine_id=routine.id, field=field, before=json.dumps(before), after=json.dumps(after))
