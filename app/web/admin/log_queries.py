"""The log as one list by time: what operators did, alerts raised and over, texts that were given up."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, or_, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from app.models import Alert, AuditEntry, Message, Operator, Person
from app.models.message import TROUBLED
from app.operations.audit import LISTED, REFUSED_LOGIN, Outcome, outcome

ON_A_PAGE = 50

LOGINS = ("login", REFUSED_LOGIN, "logout")
REVEALS = ("reveal", "end_reveal", "reveal_refused")


@dataclass(frozen=True)
class Event:
    """One line of the log: an audit entry, an alert as it began or ended, or a text that was given up."""

    kind: str
    """The name of its source below."""
    at: datetime
    row: AuditEntry | Alert | Message
    outcome: Outcome | None = None
    """Of an entry: what became of what it asks for, where that is told."""


@dataclass(frozen=True)
class LogPage:
    events: list[Event]
    next_key: str | None
    """Names the last event, for the page after this one; None on the last page."""


@dataclass(frozen=True)
class Wanted:
    """What of the log is asked for."""

    kind: str = ""
    """One of `KINDS`, or empty for all."""
    who: str = ""
    """An operator's name, or what stands in its place."""
    person_id: int | None = None


@dataclass(frozen=True)
class _Source:
    """Where some of the events come from."""

    kind: str
    kinds: frozenset[str]
    """Under which of `KINDS` they are listed."""
    at: InstrumentedAttribute[Any]
    id: InstrumentedAttribute[int]
    rows: Callable[[Wanted], Select[Any] | None]
    """Those that are wanted, in no order; None where there can be none."""


KINDS = ("done", "reveals", "logins", "alerts", "texts")
"""By what the log is filtered; `done` is all that operators did besides reveals and logins."""

_DID: dict[str, ColumnElement[bool]] = {
    "reveals": AuditEntry.did.in_(REVEALS),
    "logins": AuditEntry.did.in_(LOGINS),
    "done": AuditEntry.did.not_in((*REVEALS, *LOGINS)),
}


def _entries(wanted: Wanted) -> Select[Any]:
    found = LISTED
    if wanted.kind:
        found = found.where(_DID[wanted.kind])
    if wanted.who:
        found = found.where(AuditEntry.who == wanted.who)
    if wanted.person_id is not None:
        found = found.where(AuditEntry.person_id == wanted.person_id)
    return found


def _alerts(wanted: Wanted) -> Select[Any] | None:
    return None if wanted.who or wanted.person_id is not None else select(Alert)


def _over(wanted: Wanted) -> Select[Any] | None:
    found = _alerts(wanted)
    return None if found is None else found.where(Alert.cleared_at.is_not(None))


def _given_up(wanted: Wanted) -> Select[Any] | None:
    if wanted.who:
        return None
    found = select(Message).where(TROUBLED, Message.state == "dead")
    return found if wanted.person_id is None else found.where(Message.person_id == wanted.person_id)


_SOURCES = (
    _Source("entry", frozenset(_DID), AuditEntry.at, AuditEntry.id, _entries),
    _Source("over", frozenset({"alerts"}), Alert.cleared_at, Alert.id, _over),
    _Source("alert", frozenset({"alerts"}), Alert.raised_at, Alert.id, _alerts),
    _Source("text", frozenset({"texts"}), Message.created_at, Message.id, _given_up),
)
"""In the order in which events of one instant are listed."""


def log(db: Session, wanted: Wanted, *, key: str = "", limit: int = ON_A_PAGE) -> LogPage:
    """The newest events of the kind that is wanted, or those after the one that `key` names: one query a source."""
    after = _read(key)
    found: list[tuple[Event, int, int]] = []
    for rank, source in enumerate(_SOURCES):
        rows = source.rows(wanted) if not wanted.kind or wanted.kind in source.kinds else None
        if rows is None:
            continue
        if after is not None:
            rows = rows.where(_comes_after(source, rank, after))
        newest = rows.order_by(source.at.desc(), source.id.desc()).limit(limit + 1)
        for row, *told in db.execute(newest):
            became = outcome(row, *told) if told else None
            found.append((Event(source.kind, getattr(row, source.at.key), row, became), rank, row.id))
    found.sort(key=lambda one: (one[0].at, -one[1], one[2]), reverse=True)
    shown = found[:limit]
    return LogPage([event for event, _, _ in shown], _written(shown[-1]) if len(found) > limit else None)


def _comes_after(source: _Source, rank: int, after: tuple[datetime, int, int]) -> ColumnElement[bool]:
    at, last_rank, last_id = after
    if rank == last_rank:
        return or_(source.at < at, and_(source.at == at, source.id < last_id))
    return source.at <= at if rank > last_rank else source.at < at


def _written(one: tuple[Event, int, int]) -> str:
    event, rank, row_id = one
    return f"{event.at:%Y%m%dT%H%M%S.%f}-{rank}-{row_id}"


def _read(key: str) -> tuple[datetime, int, int] | None:
    """What a key names; None where it names nothing, as one that was made up."""
    found = re.fullmatch(r"(\d{8}T\d{6}\.\d{6})-(\d)-(\d{1,9})", key, re.ASCII)
    if found is None:
        return None
    try:
        return datetime.strptime(f"{found[1]}+0000", "%Y%m%dT%H%M%S.%f%z"), int(found[2]), int(found[3])
    except ValueError:
        return None


def people_by_id(db: Session, ids: Iterable[int | None]) -> dict[int, Person]:
    known = [one for one in ids if one is not None]
    return {person.id: person for person in db.scalars(select(Person).where(Person.id.in_(known)))}


def operators_by_id(db: Session) -> dict[int, str]:
    """Their names, in order."""
    return dict(db.execute(select(Operator.id, Operator.name).order_by(Operator.name)).all())
