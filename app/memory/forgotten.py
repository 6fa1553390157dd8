"""All that a person has had forgotten, rows in: facts, subjects, and their own name."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from sqlalchemy import Row, and_, func, select
from sqlalchemy.orm import Session

from app.memory.facts.subject_names import Subject
from app.memory.gone import Fence, Gone
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


def with_merged(db: Session, person_id: int, numbers: Collection[int]) -> list[int]:
    """These facts, and all that were merged into them: whoever forgets the one forgets what it says of the others."""
    into = {fact.number: fact.merged_into for fact in _last_retired(db, person_id) if fact.merged_into is not None}
    return [*numbers, *(one for one in into if one not in numbers and _said_by(one, into) in numbers)]


def numbers_gone(db: Session, person_id: int) -> dict[int, datetime]:
    """Since when each fact that the person had is forgotten, by its number."""
    retired = _last_retired(db, person_id)
    into = {fact.number: fact.merged_into for fact in retired if fact.merged_into is not None}
    ended = {fact.number: fact.retired_at for fact in retired if fact.merged_into is None}
    # What was merged is forgotten when what says it since is, and not before.
    at = {fact.number: ended.get(_said_by(fact.number, into)) for fact in retired}
    return {number: gone_at for number, gone_at in at.items() if gone_at is not None}


def _said_by(number: int, into: Mapping[int, int]) -> int:
    """The number of the fact that says it now, or said it last: the end of a chain of mergings."""
    for _ in into:
        number = into.get(number, number)
    return number


def _last_retired(db: Session, person_id: int) -> Sequence[Row[int, datetime | None, int | None]]:
    """Number, `retired_at` and `merged_into` of the last version of each fact that is not held."""
    newest = select(func.max(Fact.id)).where(Fact.person_id == person_id).group_by(Fact.number)
    rows = select(Fact.number, Fact.retired_at, Fact.merged_into)
    return db.execute(rows.where(Fact.id.in_(newest), Fact.retired_at.is_not(None))).all()


def _facts(
    db: Session, person_id: int, *, since: datetime | None = None, numbers: Collection[int] | None = None
) -> list[Gone]:
    at = numbers_gone(db, person_id)
    wanted = {
        number: gone_at
        for number, gone_at in at.items()
        if (since is None or gone_at >= since) and (numbers is None or number in numbers)
    }
    if not wanted:
        return []
    rows = select(Fact.number, Fact.sentence, Fact.message_id).where(Fact.person_id == person_id)
    if numbers is not None or since is not None:
        rows = rows.where(Fact.number.in_(wanted))
    told = [row for row in db.execute(rows) if row.number in wanted]
    return [Gone(wanted[number], fact=sentence, source=message_id) for number, sentence, message_id in told]


def gone_and_where(db: Session, person_id: int, *, since: datetime) -> tuple[list[Gone], set[int]]:
    """As `gone`, and the turns since in which something was forgotten, be it taken back since or not."""
    items = and_(ChangeItem.change_id == Change.id, ChangeItem.field.in_((SUBJECT, "name")))
    rows = (
        select(Change.turn_id, Change.undone_at, ChangeItem.field, ChangeItem.before, ChangeItem.after, Change.at)
        .outerjoin(ChangeItem, items)
        .where(Change.person_id == person_id, Change.verb == "forget", Change.at >= since)
    )
    forgot = db.execute(rows).all()
    others = [_other(row.field, row.before, row.after, row.at) for row in forgot if row.field and row.undone_at is None]
    return [*_facts(db, person_id, since=since), *others], {row.turn_id for row in forgot if row.turn_id is not None}


def _other(field: str, before: str | None, after: str | None, at: datetime) -> Gone:
    return Gone(at, subject=Subject.of_text(str(after))) if field == SUBJECT else Gone(at, name=str(before))


def _others(db: Session, person_id: int, since: datetime | None) -> list[Gone]:
    rows = (
        select(ChangeItem.field, ChangeItem.before, ChangeItem.after, Change.at)
        .join(Change)
        .where(Change.person_id == person_id, Change.verb == "forget", Change.undone_at.is_(None))
        .where(ChangeItem.field.in_((SUBJECT, "name")))
    )
    if since is not None:
        rows = rows.where(Change.at >= since)
    return [_other(str(field), before, after, at) for field, before, after, at in db.execute(rows)]
