"""All that a person has had forgotten, rows in: facts, subjects, and their own name."""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import and_, func, select
from sqlalchemy.orm import Session, aliased

from app.memory.gone import Fence, Gone
from app.memory.subject_names import Subject
from app.models import Change, ChangeItem, Fact

SUBJECT = "subject"
"""The field of a change's item whose `after` is a subject that was forgotten."""


def gone(db: Session, person_id: int, *, since: datetime | None = None) -> list[Gone]:
    """What was forgotten, or what was since that time: nothing of it that was said before is to be told."""
    return [*_facts(db, person_id, since=since), *_others(db, person_id, since)]


def facts_gone(db: Session, person_id: int, numbers: Collection[int]) -> list[Gone]:
    """All versions of those of these facts that were forgotten."""
    return _facts(db, person_id, numbers=numbers)


def forgot_in(db: Session, turns: Collection[int]) -> set[int]:
    """Those of these turns in which something was forgotten, be it taken back since or not."""
    forgot = select(Change.turn_id).where(Change.turn_id.in_(turns), Change.verb == "forget")
    return {turn for turn in db.scalars(forgot) if turn is not None}


def untouched(db: Session, person_id: int, versions: Sequence[Fact]) -> list[Fact]:
    """Those versions of held facts that speak of nothing that was forgotten since they were told."""
    if not versions:
        return []
    fence = Fence(gone(db, person_id, since=min(one.recorded_at for one in versions)))
    return [one for one in versions if fence.spoken_of_in(one.sentence, one.recorded_at) is None]


def _facts(
    db: Session, person_id: int, *, since: datetime | None = None, numbers: Collection[int] | None = None
) -> list[Gone]:
    last = aliased(Fact)
    newest = select(func.max(Fact.id)).where(Fact.person_id == person_id).group_by(Fact.number)
    rows = (
        select(Fact.sentence, last.retired_at)
        .join(last, and_(last.person_id == Fact.person_id, last.number == Fact.number))
        .where(Fact.person_id == person_id, last.id.in_(newest), last.retired_at.is_not(None))
    )
    if since is not None:
        rows = rows.where(last.retired_at >= since)
    if numbers is not None:
        rows = rows.where(Fact.number.in_(numbers))
    return [Gone(at, fact=sentence) for sentence, at in db.execute(rows) if at is not None]


def _others(db: Session, person_id: int, since: datetime | None) -> list[Gone]:
    rows = (
        select(ChangeItem.field, ChangeItem.before, ChangeItem.after, Change.at)
        .join(Change)
        .where(Change.person_id == person_id, Change.verb == "forget", Change.undone_at.is_(None))
        .where(ChangeItem.field.in_((SUBJECT, "name")))
    )
    if since is not None:
        rows = rows.where(Change.at >= since)
    return [
        Gone(at, subject=Subject.of_text(str(after))) if field == SUBJECT else Gone(at, name=str(before))
        for field, before, after, at in db.execute(rows)
    ]
