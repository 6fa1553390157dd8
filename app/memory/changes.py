"""The record of what changed in a person's memory and in what comes to them by itself; `taking_back` undoes it."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import TypeVar

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from app.errors import NotFound
from app.memory import facts
from app.memory.episodes import retelling
from app.memory.forgotten import SUBJECT
from app.memory.origin import Origin
from app.models import Change, ChangeItem, Fact, Person, Rule

OF_RETELLING = frozenset({SUBJECT, retelling.EPISODE, retelling.TEXTS})
"""Fields of items that say what was told again for a change, and without what."""

Field = str | bool | datetime | None
"""What a field that is recorded may hold."""

_Version = TypeVar("_Version", Fact, Rule)
_RETIRED = {Fact: ChangeItem.retired_fact_id, Rule: ChangeItem.retired_rule_id}


def record(
    db: Session, person_id: int, verb: str, origin: Origin, now: datetime, items: Sequence[ChangeItem]
) -> Change:
    change = Change(
        person_id=person_id,
        actor=origin.actor,
        verb=verb,
        turn_id=origin.turn_id,
        call=origin.call,
        at=now,
        items=list(items),
    )
    db.add(change)
    db.flush()
    return change


def set_fields(row: Person | Fact, values: Mapping[str, Field]) -> list[ChangeItem]:
    """Set fields of a person or a fact; what is returned keeps what they were, for the record."""
    fact_id = row.id if isinstance(row, Fact) else None
    items = []
    for field, value in values.items():
        items.append(ChangeItem(field=field, fact_id=fact_id, before=_text(getattr(row, field)), after=_text(value)))
        setattr(row, field, value)
    return items


def make_live(fact: Fact, now: datetime) -> list[ChangeItem]:
    """Have a held fact live from now on; nothing, for the record, where it is. An expiry that has passed goes."""
    fact.fresh_at = now
    ended: dict[str, Field] = {"expires_at": None} if facts.is_expired(fact, now) else {}
    if fact.archived_at is not None:
        ended["archived_at"] = None
    return set_fields(fact, ended)


def latest(db: Session, person_id: int, limit: int) -> list[Change]:
    """The person's changes, newest first."""
    changes = select(Change).where(Change.person_id == person_id).order_by(Change.id.desc()).limit(limit)
    return list(db.scalars(changes))


def last_standing(db: Session, person_id: int) -> Change | None:
    """The newest change that was not taken back."""
    changes = select(Change).where(Change.person_id == person_id, Change.undone_at.is_(None))
    return db.scalars(changes.order_by(Change.id.desc()).limit(1)).one_or_none()


def standing_by_id(db: Session, person_id: int, change_id: int) -> Change:
    """The person's change with that id.

    Raises:
        NotFound: there is none, or it is taken back already.
    """
    change = db.get(Change, change_id)
    if change is None or change.person_id != person_id or change.undone_at is not None:
        raise NotFound("There is no such change left to take back.")
    return change


def other_side(db: Session, change: Change) -> Change | None:
    """Of a move: the change that it made at the other person, unless that is taken back."""
    is_other = or_(Change.id == change.moved_with_id, Change.moved_with_id == change.id)
    return db.scalars(select(Change).where(is_other, Change.undone_at.is_(None))).one_or_none()


def made_by(db: Session, call: str) -> Change | None:
    """The change that this call of a tool has made already."""
    return db.scalars(select(Change).where(Change.call == call)).one_or_none()


def undone_by(db: Session, turn_id: int) -> Change | None:
    """The change that this turn has taken back already."""
    return db.scalars(select(Change).where(Change.undone_by_turn_id == turn_id).limit(1)).one_or_none()


def made_in(db: Session, person_id: int, turn_id: int) -> bool:
    """Whether this turn has changed anything, or has taken a change back."""
    changes = select(Change.id).where(Change.person_id == person_id)
    of_turn = changes.where(or_(Change.turn_id == turn_id, Change.undone_by_turn_id == turn_id))
    return db.scalars(of_turn.limit(1)).one_or_none() is not None


def retired_in(db: Session, turn_id: int, kind: type[_Version], number: int) -> _Version | None:
    """The version of a fact or a rule that a change of this turn retired."""
    rows = select(kind).join(ChangeItem, _RETIRED[kind] == kind.id).join(Change).where(Change.turn_id == turn_id)
    # Compared here: the model may make up a number that is too large for the database.
    return next((version for version in db.scalars(rows) if version.number == number), None)


def adding(db: Session, rule: Rule) -> Change | None:
    """The change that brought this version of a rule."""
    changes = select(Change).join(ChangeItem).where(ChangeItem.added_rule_id == rule.id)
    return db.scalars(changes.limit(1)).one_or_none()


def forgot_subjects_in(db: Session, turn_id: int, said: Collection[str]) -> Change | None:
    """The change of this turn that forgot all these subjects, as they were put."""
    of_turn = db.scalars(select(Change).where(Change.turn_id == turn_id, Change.verb == "forget"))
    return next(
        (one for one in of_turn if {*said} <= {item.before for item in one.items if item.field == SUBJECT}), None
    )


def cleared_in(db: Session, turn_id: int, field: str) -> bool:
    """Whether a change of this turn emptied the person's field."""
    items = select(ChangeItem.id).join(Change).where(Change.turn_id == turn_id, ChangeItem.field == field)
    return db.scalars(items.where(ChangeItem.after.is_(None)).limit(1)).one_or_none() is not None


def _text(value: Field) -> str | None:
    match value:
        case bool():
            return str(value).lower()
        case datetime():
            return value.isoformat()
        case _:
            return value
