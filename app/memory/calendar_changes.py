"""Changes of a person's calendars, kept so that they can be taken back.

A calendar's address stands in it: who reads the change reads the calendar.
"""

import json
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.models import Calendar, ChangeItem

FIELD = "calendar"


def kept(calendar: Calendar | None) -> str | None:
    """For the record: what a calendar is, before it becomes another or is let go."""
    return json.dumps([calendar.name, calendar.address]) if calendar is not None else None


def item(before: str | None, after: str | None) -> ChangeItem:
    """For the record: what `kept` said before, and the name of what is connected now; None where there is none."""
    return ChangeItem(field=FIELD, before=before, after=after)


def set_back(db: Session, person_id: int, change: ChangeItem, now: datetime) -> None:
    """Undo one item: what was connected goes, what it was before comes back."""
    name, address = _before(change)
    theirs = select(Calendar).where(Calendar.person_id == person_id, Calendar.name.in_([name, change.after]))
    calendar = db.scalars(theirs).first()
    if address is None:
        if calendar is not None:
            db.delete(calendar)
        return
    calendar = calendar or Calendar(person_id=person_id)
    calendar.name, calendar.address, calendar.turn_id, calendar.added_at = name, address, None, now
    db.add(calendar)


def phrase(change: ChangeItem) -> str:
    """What taking it back comes to."""
    name, address = _before(change)
    if address is None:
        return f"no longer connected: {spoken(change.after or name)}"
    return f"connected again: {spoken(name)}{' of before' if change.after else ''}"


def spoken(name: str) -> str:
    """`the calendar work`; `the calendar` and `the work calendar` where the name says what it is."""
    return f"the {name}" if name.casefold().endswith(FIELD) else f"the {FIELD} {name}"


def _before(change: ChangeItem) -> tuple[str, str | None]:
    """The name, and the address where one was connected."""
    name, address = json.loads(change.before) if change.before else (change.after, None)
    return str(name), address
