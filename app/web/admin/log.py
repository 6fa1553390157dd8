"""The log as one list by time: what operators did, alerts, texts given up; and whether it stands as it was written."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from flask import flash, redirect, request, url_for
from sqlalchemy import ColumnElement, Select, and_, or_, select
from sqlalchemy.orm import InstrumentedAttribute, Session
from werkzeug.wrappers import Response

from app.models import Alert, AuditEntry, Message, Operator, Person
from app.operations import audit
from app.operations.audit import LISTED, NOBODY, REFUSED_LOGIN, TERMINAL, Outcome, outcome
from app.web import auth, streams
from app.web.admin.blueprint import Place, asked_id, bp, done, make_live, page
from app.web.auth import may
from app.web.health import measured
from app.web.streams import Sections

_GROUP = re.compile(r"(fact|rule|episode|routine) ((?:\d{1,9}(?:-\d{1,9})? ?)+)(and \d+ more)?")
_OPERATOR = re.compile(r"operator (\d{1,9})(?: (.+))?")


@dataclass(frozen=True)
class Part:
    """Some rows of one kind and one person, or what else an entry says it is about."""

    words: str  # The kind, in the singular or the plural; or all there is to say.
    rows: list[tuple[str, str]]
    """The name of each, and its address where its person, or the operator, is there still and may be opened."""
    person_id: int | None = None
    more: str = ""


def people_of(entry: AuditEntry) -> set[int | None]:
    """The people that the entry is about besides the one that it names."""
    groups = filter(None, map(_GROUP.fullmatch, entry.about.split(", ")))
    return {whose for group in groups for whose, _ in _refs(entry, group[2])}


def parts(entry: AuditEntry, people: Collection[int], operators: Mapping[int, str]) -> list[Part]:
    """The subjects of the entry, in the order in which they were written."""
    written = filter(None, entry.about.split(", "))
    return [part for one in written for part in _parts(entry, one, people, operators)]


def _parts(entry: AuditEntry, written: str, people: Collection[int], operators: Mapping[int, str]) -> Iterator[Part]:
    if operator := _OPERATOR.fullmatch(written):
        operator_id = int(operator[1])
        name = operator[2] or operators.get(operator_id, "")
        is_open = operators.get(operator_id) == name and may(auth.operator(), "admin.one_operator")
        href = url_for("admin.one_operator", operator_id=operator_id) if is_open else ""
        yield Part("operator", [(name or operator[1], href)])
    elif group := _GROUP.fullmatch(written):
        found: dict[int | None, list[tuple[str, str]]] = {}
        for person_id, number in _refs(entry, group[2]):
            is_there = person_id in people
            href = url_for(f"admin.{group[1]}", person_id=person_id, number=number) if is_there else ""
            found.setdefault(person_id, []).append((str(number), href))
        for person_id, rows in found.items():
            yield Part(group[1] if len(rows) == 1 else f"{group[1]}s", rows, person_id, group[3] or "")
    else:
        yield Part(written.removeprefix("action "), [])


def _refs(entry: AuditEntry, written: str) -> list[tuple[int | None, int]]:
    refs = [ref.rpartition("-") for ref in written.split()]
    return [(int(person) if person else entry.person_id, int(number)) for person, _, number in refs]


PLACE = Place("Log", "admin.log", 60)

ON_A_PAGE = 50
LOGINS = ("login", REFUSED_LOGIN, "logout")
REVEALS = ("reveal", "end_reveal", "reveal_refused")
_DID: dict[str, ColumnElement[bool]] = {
    "done": AuditEntry.did.not_in((*REVEALS, *LOGINS)),
    "reveals": AuditEntry.did.in_(REVEALS),
    "logins": AuditEntry.did.in_(LOGINS),
}
KINDS = (*_DID, "alerts", "texts")
"""By what the log is filtered; `done` is all that operators did besides reveals and logins."""


@dataclass(frozen=True)
class Wanted:
    """The lines of the log that are asked for."""

    kind: str = ""  # One of `KINDS`, or empty for all.
    who: str = ""  # An operator's name, or what stands in its place.
    person_id: int | None = None

    @property
    def asked(self) -> dict[str, Any]:
        """The same as the page's address names it."""
        return {"kind": self.kind or None, "who": self.who or None, "person": self.person_id}


@dataclass(frozen=True)
class Event:
    """One line of the log: an audit entry, an alert as it began or ended, or a text that was given up."""

    kind: str  # The name of its source.
    at: datetime
    row: AuditEntry | Alert | Message
    outcome: Outcome | None  # Of an entry: what became of what it asks for, where that is told.


@bp.get("/log")
def log() -> Response:
    wanted, key = _wanted(), request.args.get("after", "")
    seen = _seen(wanted, key)
    sections = _sections(wanted, key, seen)
    return page(
        "log",
        **streams.followed(sections, "admin.log_", **wanted.asked),
        is_followed=not key,  # What happens next stands on the first page.
        wanted=wanted,
        kinds=KINDS,
        actors=[*seen["operators"].values(), TERMINAL, NOBODY],
        people=seen["people"],
    )


@bp.post("/log/verify")
def verify_log() -> Response:
    with auth.services().reading() as db:
        found = audit.verify(db)
    if found.is_whole:
        entries = f"all {found.entries:,} entries stand" if found.entries != 1 else "its one entry stands"
        return done(f"The log is whole: {entries} as written.", "admin.log")
    # It was verified: what is wrong is the log, and not what was asked for.
    flash(
        f"The log breaks at entry {found.broken_at}: {found.problem} Those before it stand as written; what "
        "follows cannot be relied on. Compare it with a backup.",
        "problem",
    )
    return redirect(url_for("admin.log"), 303)


def _wanted() -> Wanted:
    kind = request.args.get("kind", "")
    return Wanted(kind if kind in KINDS else "", request.args.get("who", ""), asked_id("person"))


def _seen(wanted: Wanted, key: str) -> dict[str, Any]:
    services = auth.services()
    with services.reading() as db:
        events, next_key = _listed(db, wanted, _read(key))
        entries = [event.row for event in events if isinstance(event.row, AuditEntry)]
        whom = {event.row.person_id for event in events if isinstance(event.row, AuditEntry | Message)}
        whom = whom.union({wanted.person_id}, *map(people_of, entries)) - {None}
        operators = dict(db.execute(select(Operator.id, Operator.name).order_by(Operator.name)).all())
        people = {person.id: person for person in db.scalars(select(Person).where(Person.id.in_(whom)))}
        return {
            "events": events,
            "next_key": next_key,
            "people": people,
            "operators": operators,
            "about": {entry.id: parts(entry, people, operators) for entry in entries},
            "health": measured(db, services.clock.now()),
        }


def _sections(wanted: Wanted, key: str, seen: dict[str, Any]) -> Sections:
    parts = streams.parts("admin/log_parts.html", **seen)
    pager = [["newest", str(parts.newest(wanted.asked))]] if key else []
    if seen["next_key"]:  # It names the last line, and so is another with each line that comes.
        pager.append(["earlier", str(parts.earlier(wanted.asked, seen["next_key"]))])
    return {
        "standing": [["standing", str(parts.standing())]],
        "lines": [[f"{event.kind}-{event.row.id}", str(parts.line(event))] for event in seen["events"]],
        "nothing": [] if seen["events"] else [["nothing", str(parts.nothing())]],
        "pager": pager,
    }


def _newest() -> Sections:
    wanted = _wanted()
    return _sections(wanted, "", _seen(wanted, ""))


make_live("/log", "log_", _newest)


@dataclass(frozen=True)
class _Source:
    """Where some of the events come from: those that are wanted, in no order."""

    rank: int  # Its place among the events of one instant.
    kind: str
    at: InstrumentedAttribute[Any]
    id: InstrumentedAttribute[int]
    rows: Select[Any]


def _sources(wanted: Wanted) -> Iterator[_Source]:
    """Those that can have what is wanted."""
    if wanted.kind in {"", *_DID}:
        entries = LISTED.where(_DID[wanted.kind]) if wanted.kind else LISTED
        entries = entries.where(AuditEntry.who == wanted.who) if wanted.who else entries
        if wanted.person_id is not None:
            entries = entries.where(AuditEntry.person_id == wanted.person_id)
        yield _Source(0, "entry", AuditEntry.at, AuditEntry.id, entries)
    if wanted.kind in {"", "alerts"} and not wanted.who and wanted.person_id is None:
        yield _Source(1, "over", Alert.cleared_at, Alert.id, select(Alert).where(Alert.cleared_at.is_not(None)))
        yield _Source(2, "alert", Alert.raised_at, Alert.id, select(Alert))
    if wanted.kind in {"", "texts"} and not wanted.who:
        given_up = select(Message).where(Message.TROUBLED, Message.state == "dead")
        if wanted.person_id is not None:
            given_up = given_up.where(Message.person_id == wanted.person_id)
        yield _Source(3, "text", Message.created_at, Message.id, given_up)


_Key = tuple[datetime, int, int]  # An event by its instant, the rank of its source and its row's id.


def _listed(db: Session, wanted: Wanted, after: _Key | None) -> tuple[list[Event], str | None]:
    """The newest events that are wanted, from behind `after`, with the key of the next page: one query a source."""
    found: list[tuple[Event, int]] = []
    for source in _sources(wanted):
        rows = source.rows if after is None else source.rows.where(_comes_after(source, after))
        for row, *told in db.execute(rows.order_by(source.at.desc(), source.id.desc()).limit(ON_A_PAGE + 1)):
            became = outcome(row, *told) if told else None
            found.append((Event(source.kind, getattr(row, source.at.key), row, became), source.rank))
    found.sort(key=lambda one: (one[0].at, -one[1], one[0].row.id), reverse=True)
    events = [event for event, _ in found[:ON_A_PAGE]]
    if len(found) <= ON_A_PAGE:
        return events, None
    last, rank = found[ON_A_PAGE - 1]
    return events, f"{last.at:%Y%m%dT%H%M%S.%f}-{rank}-{last.row.id}"


def _comes_after(source: _Source, after: _Key) -> ColumnElement[bool]:
    at, last_rank, last_id = after
    if source.rank == last_rank:
        return or_(source.at < at, and_(source.at == at, source.id < last_id))
    return source.at <= at if source.rank > last_rank else source.at < at


def _read(key: str) -> _Key | None:
    """The event that a key names; None where it names nothing, as one that was made up."""
    found = re.fullmatch(r"(\d{8}T\d{6}\.\d{6})-(\d)-(\d{1,9})", key, re.ASCII)
    if found is None:
        return None
    try:
        return datetime.strptime(f"{found[1]}+0000", "%Y%m%dT%H%M%S.%f%z"), int(found[2]), int(found[3])
    except ValueError:
        return None
