"""The facts of a person as their page needs them: those in short beside the thread, and those that turns were shown."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, case, func, select
from sqlalchemy.orm import Session

from app.memory.facts import is_live
from app.models import Fact, Message

VERSIONS_MAX = 300

_is_live = is_live(bindparam("now"))
_VERSIONS = (
    select(
        Fact.number,
        Fact.sentence,
        Fact.retired_at.is_(None),
        _is_live,
        Fact.pinned,
        Message.turn_id,
        func.sum(case((_is_live, 1), else_=0)).over(),
    )
    .outerjoin(Message, Message.id == Fact.message_id)
    .where(Fact.person_id == bindparam("person"))
    .order_by(_is_live.desc(), Fact.retired_at.is_not(None), Fact.pinned.desc(), Fact.number.desc(), Fact.id.desc())
    .limit(VERSIONS_MAX)
)


@dataclass(frozen=True)
class FactKnown:
    """A version of a fact, as a turn may have met it."""

    number: int
    sentence: str
    is_held: bool
    is_live: bool
    pinned: bool
    told_in: int | None
    """The turn whose text it was learned from."""


@dataclass(frozen=True)
class FactsKnown:
    """Versions of a person's facts: live ones first, pinned and newest before others, then what else is held."""

    versions: Sequence[FactKnown] = ()
    """`VERSIONS_MAX` at most."""
    live_count: int = 0
    """How many are live, also of those that have no room here."""

    @property
    def by_number(self) -> dict[int, FactKnown]:
        """Each fact in the version that is held, or else its last."""
        return {one.number: one for one in reversed(self.versions)}


def facts_known(db: Session, person_id: int, now: datetime) -> FactsKnown:
    rows = db.execute(_VERSIONS, {"person": person_id, "now": now}).all()
    versions = [
        FactKnown(number, said, bool(held), bool(live), pinned, told_in)
        for number, said, held, live, pinned, told_in, _ in rows
    ]
    return FactsKnown(versions, rows[0][-1] if rows else 0)
