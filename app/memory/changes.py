"""The record of what changed in a person's memory, and how the last change is taken back."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.memory import facts
from app.memory.origin import Origin
from app.models import Change, ChangeItem, Fact, Person


def record(
    db: Session, person_id: int, verb: str, origin: Origin, now: datetime, items: Sequence[ChangeItem]
) -> Change:
    change = Change(
        person_id=person_id, actor=origin.actor, verb=verb, turn_id=origin.turn_id, at=now, items=list(items)
    )
    db.add(change)
    db.flush()
    return change


def record_field(db: Session, origin: Origin, now: datetime, row: Person | Fact, values: dict[str, str]) -> Change:
    """Set fields of a person or a fact, and keep what they were."""
    fact_id = row.id if isinstance(row, Fact) else None
    person_id = row.person_id if isinstance(row, Fact) else row.id
    items = []
    for field, value in values.items():
        items.append(ChangeItem(field=field, fact_id=fact_id, before=_text(getattr(row, field)), after=value))
        setattr(row, field, _value(field, value))
    return record(db, person_id, "revise", origin, now, items)


def latest(db: Session, person_id: int, limit: int) -> list[Change]:
    """The person's changes, newest first."""
    changes = select(Change).where(Change.person_id == person_id).order_by(Change.id.desc()).limit(limit)
    return list(db.scalars(changes))


def last_standing(db: Session, person_id: int) -> Change | None:
    """The newest change that was not taken back."""
    changes = select(Change).where(Change.person_id == person_id, Change.undone_at.is_(None))
    return db.scalars(changes.order_by(Change.id.desc()).limit(1)).one_or_none()


def take_back(db: Session, change: Change, now: datetime) -> list[str]:
    """Undo one change and return a phrase for each thing that it touched.

    Raises:
        Conflict: what would come back is already known under another number.
    """
    phrases = []
    for item in reversed(change.items):
        if item.field is not None:
            phrases.append(_take_back_field(db, change, item))
            continue
        added = db.get_one(Fact, item.added_fact_id) if item.added_fact_id else None
        retired = db.get_one(Fact, item.retired_fact_id) if item.retired_fact_id else None
        current = facts.live_by_number(db, change.person_id, added.number) if added else None
        if current is not None:
            facts.retire(db, current, now)
        if retired is not None:
            back = facts.bring_back(db, retired, now)
            phrases.append(f"it is again: {back.sentence}")
        elif added is not None:
            phrases.append(f"no longer remembered: {added.sentence}")
    change.undone_at = now
    return phrases[::-1]


def _take_back_field(db: Session, change: Change, item: ChangeItem) -> str:
    field = str(item.field)
    if item.fact_id is None:
        person = db.get_one(Person, change.person_id)
        setattr(person, field, item.before)
        return f"your {'time zone' if field == 'timezone' else field} is again {item.before or 'not known'}"
    before = db.get_one(Fact, item.fact_id)
    fact = facts.live_by_number(db, change.person_id, before.number)
    if fact is not None:
        setattr(fact, field, _value(field, item.before))
    return f"{'pinned' if item.before == 'true' else 'not pinned'} again: {before.sentence}"


def _text(value: object) -> str | None:
    return str(value).lower() if isinstance(value, bool) else value if isinstance(value, str) else None


def _value(field: str, text: str | None) -> str | bool | None:
    return text == "true" if field == "pinned" else text
