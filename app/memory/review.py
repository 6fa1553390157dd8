"""The review: facts, episodes and rules learned since an operator last looked, tracked for each operator.

An item that one operator has reviewed is still shown to the others. Stored per kind: the id up to which everything was
reviewed, and the later ids that were reviewed out of order.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Literal, NamedTuple, get_args

from sqlalchemy import ColumnElement, delete, func, select
from sqlalchemy.orm import Session

from app.errors import Refused
from app.models import Episode, Fact, Reviewed, ReviewedAhead, Rule
from app.services import Services

Kind = Literal["fact", "episode", "rule"]
KINDS: tuple[Kind, ...] = get_args(Kind)
MOST = 500  # Per kind: nobody reviews more at once, and the query takes some milliseconds.

ROWS: dict[Kind, type[Fact] | type[Episode] | type[Rule]] = {"fact": Fact, "episode": Episode, "rule": Rule}


class Learned(NamedTuple):
    """A memory to be reviewed."""

    kind: Kind
    id: int  # Row id of its newest version.
    person_id: int
    at: datetime


def waiting(db: Session, operator_id: int, person_id: int | None = None) -> list[Learned]:
    """Items that this operator has not reviewed, oldest first, `MOST` of each kind; none that an operator wrote."""
    return sorted((one for kind in KINDS for one in _waiting(db, operator_id, kind, person_id)), key=lambda one: one.at)


def keep(services: Services, operator_id: int, seen: Iterable[tuple[Kind, int]], *, of: Collection[int]) -> int:
    """Mark items as reviewed by this operator; how many were waiting. `of` are the people whose words they see."""
    now = services.clock.now()
    kept = 0
    with services.transaction() as db:  # Exclusive, so that no concurrent writer can still commit a lower id.
        wanted = {*seen}
        for kind in KINDS:
            items = {item for of_kind, item in wanted if of_kind == kind}
            there = [one.id for one in _waiting(db, operator_id, kind, among=items) if one.person_id in of]
            db.add_all(ReviewedAhead(operator_id=operator_id, kind=kind, item_id=item) for item in there)
            kept += len(there)
            if there:
                db.flush()
                # Move the mark up to the first item that still waits; ids below it need no row of their own.
                first = next(iter(_waiting(db, operator_id, kind)), None)
                _set(db, operator_id, kind, first.id - 1 if first else _newest(db, kind), now)
    return kept


def keep_all(services: Services, operator_id: int, *, of: Collection[int]) -> None:
    """Mark everything learned so far as reviewed by this operator, who sees the words of the people `of`.

    Raises:
        Refused: some of it belongs to other people.
    """
    with services.transaction() as db:
        unseen = [select(ROWS[kind].person_id).where(*_unseen(operator_id, kind)).distinct() for kind in KINDS]
        others = {person_id for rows in unseen for person_id in db.scalars(rows)} - set(of)
        if others:
            count = f"{len(others):,} {'person' if len(others) == 1 else 'people'}"
            raise Refused(
                f"The words of {count} among it are hidden, so not all of it was looked at. Reveal them, or keep what "
                "you see."
            )
        for kind in KINDS:
            _set(db, operator_id, kind, _newest(db, kind), services.clock.now())


def last_reviewed_at(db: Session, operator_id: int) -> datetime | None:
    return db.scalar(select(func.max(Reviewed.at)).where(Reviewed.operator_id == operator_id))


def _waiting(
    db: Session, operator_id: int, kind: Kind, person_id: int | None = None, *, among: Collection[int] | None = None
) -> Sequence[Learned]:
    row = ROWS[kind]
    found = select(row.id, row.person_id, row.recorded_at).where(*_unseen(operator_id, kind))
    if person_id is not None:
        found = found.where(row.person_id == person_id)
    if among is not None:
        found = found.where(row.id.in_(among))
    return [Learned(kind, *one) for one in db.execute(found.order_by(row.id).limit(MOST))]


def _unseen(operator_id: int, kind: Kind) -> list[ColumnElement[bool]]:
    row = ROWS[kind]
    upto = select(Reviewed.upto_id).where(Reviewed.operator_id == operator_id, Reviewed.kind == kind).scalar_subquery()
    ahead = select(ReviewedAhead.item_id).where(ReviewedAhead.operator_id == operator_id, ReviewedAhead.kind == kind)
    unseen = [row.id > func.coalesce(upto, 0), row.retired_at.is_(None), row.id.not_in(ahead)]
    return unseen if issubclass(row, Episode) else [*unseen, row.source != "operator"]


def _set(db: Session, operator_id: int, kind: Kind, upto: int, now: datetime) -> None:
    mark = db.get(Reviewed, (operator_id, kind))
    if mark is None:
        db.add(Reviewed(operator_id=operator_id, kind=kind, upto_id=upto, at=now))
    else:
        mark.upto_id, mark.at = max(mark.upto_id, upto), now
    past = ReviewedAhead.item_id <= upto
    db.execute(delete(ReviewedAhead).where(ReviewedAhead.operator_id == operator_id, ReviewedAhead.kind == kind, past))
    db.flush()


def _newest(db: Session, kind: Kind) -> int:
    return db.scalar(select(func.max(ROWS[kind].id))) or 0
