"""The log as one list by time: operators' actions, alerts and dead texts, with a check that it was not altered."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from operator import itemgetter
from typing import Any, NamedTuple

from flask import flash, redirect, request, url_for
from sqlalchemy import ColumnElement, Select, literal, select, tuple_
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response

from app.models import Alert, AuditEntry, Message, Operator, Person
from app.operations import audit
from app.operations.audit import LISTED, NOBODY, REFUSED_LOGIN, TERMINAL, is_about, outcome
from app.web import auth, streams
from app.web.admin.blueprint import Place, asked_id, bp, done, make_live, page
from app.web.auth import may
from app.web.health import measure_health
from app.web.streams import Sections

_GROUP = re.compile(r"(fact|rule|episode|routine) ((?:\d{1,9}(?:-\d{1,9})? ?)+)(and \d+ more)?")
_OPERATOR = re.compile(r"operator (\d{1,9})(?: (.+))?")


class Subject(NamedTuple):
    """Rows of one kind, of one person, that an entry is about."""

    words: str  # The kind; or all the words there are, and then there are no rows.
    rows: list[tuple[str, str]]
    """Their names, each with its URL, which is empty if the person or the operator is gone or may not be opened."""
    person_id: int | None = None
    more: str = ""  # The count of further rows, in words.


def people_of(entry: AuditEntry) -> set[int | None]:
    """Ids of the people whose rows the entry is about; None may be among them."""
    groups = filter(None, map(_GROUP.fullmatch, entry.about.split(", ")))
    return {person_id for group in groups for person_id, _ in _refs(entry, group[2])}


def subjects(entry: AuditEntry, people: Collection[int], operators: Mapping[int, str]) -> Iterator[Subject]:
    """Subjects of the entry, in the order written."""
    for written in filter(None, entry.about.split(", ")):
        if operator := _OPERATOR.fullmatch(written):
            operator_id = int(operator[1])
            name = operator[2] or operators.get(operator_id, "")
            is_open = operators.get(operator_id) == name and may(auth.operator(), "admin.one_operator")
            href = url_for("admin.one_operator", operator_id=operator_id) if is_open else ""
            yield Subject("operator", [(name or operator[1], href)])
        elif group := _GROUP.fullmatch(written):
            found: defaultdict[int | None, list[tuple[str, str]]] = defaultdict(list)
            for person_id, number in _refs(entry, group[2]):
                is_there = person_id in people
                href = url_for(f"admin.{group[1]}", person_id=person_id, number=number) if is_there else ""
                found[person_id].append((str(number), href))
            for person_id, rows in found.items():
                yield Subject(group[1] if len(rows) == 1 else f"{group[1]}s", rows, person_id, group[3] or "")
        else:
            yield Subject(written.removeprefix("action "), [])


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
"""Filters of the log; `done` is every action of operators other than reveals and logins."""


@bp.get("/log")
def log() -> Response:
    wanted, key = _wanted(), request.args.get("after", "")
    seen = _seen(wanted, key)
    return page(
        "log",
        **streams.followed(_sections(wanted, key, seen), "admin.log_", **wanted),
        is_followed=not key,  # New events appear on the first page only.
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
    # The verification itself succeeded; the fault is in the log, so this is no error response.
    flash(
        f"The log breaks at entry {found.broken_at}: {found.problem} Those before it stand as written; what "
        "follows cannot be relied on. Compare it with a backup.",
        "problem",
    )
    return redirect(url_for("admin.log"), 303)


def _wanted() -> dict[str, Any]:
    """The filters in the page's URL; None for all."""
    kind, who = request.args.get("kind", ""), request.args.get("who", "")
    return {"kind": kind if kind in KINDS else None, "who": who or None, "person": asked_id("person")}


def _seen(wanted: dict[str, Any], key: str) -> dict[str, Any]:
    services = auth.services()
    with services.reading() as db:
        events, next_key = _newest_events(db, wanted, key)
        entries = [event["row"] for event in events if event["kind"] == "entry"]
        person_ids = {event["row"].person_id for event in events if event["kind"] in {"entry", "text"}}
        person_ids = person_ids.union({wanted["person"]}, *map(people_of, entries)) - {None}
        operators = dict(db.execute(select(Operator.id, Operator.name).order_by(Operator.name)).all())
        people = {person.id: person for person in db.scalars(select(Person).where(Person.id.in_(person_ids)))}
        return {
            "events": events,
            "next_key": next_key,
            "people": people,
            "operators": operators,
            "about": {entry.id: [*subjects(entry, people, operators)] for entry in entries},
            "health": measure_health(db, services.clock.now()),
        }


def _sections(wanted: dict[str, Any], key: str, seen: dict[str, Any]) -> Sections:
    parts = streams.parts("admin/log_parts.html", **seen)
    pager = [["newest", parts.newest(wanted)]] if key else []
    if seen["next_key"]:  # The key names the last line, so it changes with each new line.
        pager.append(["earlier", parts.earlier(wanted, seen["next_key"])])
    return {
        "standing": [["standing", parts.standing()]],
        "lines": [[f"{event['kind']}-{event['row'].id}", parts.line(event)] for event in seen["events"]],
        "nothing": [] if seen["events"] else [["nothing", parts.nothing()]],
        "pager": pager,
    }


def _newest() -> Sections:
    wanted = _wanted()
    return _sections(wanted, "", _seen(wanted, ""))


make_live("/log", "log_", _newest)


def _sources(kind: str | None, who: str | None, person: int | None) -> Iterator[tuple[int, str, Any, Select[Any]]]:
    """Sources of the wanted events: rank among events of one instant, name, column of the time, and rows."""
    if kind is None or kind in _DID:
        entries = LISTED.where(_DID[kind]) if kind else LISTED
        entries = entries.where(AuditEntry.who == who) if who else entries
        yield 0, "entry", AuditEntry.at, entries if person is None else entries.where(is_about(person))
    if kind in {None, "alerts"} and not who and person is None:
        yield 1, "over", Alert.cleared_at, select(Alert).where(Alert.cleared_at.is_not(None))
        yield 2, "alert", Alert.raised_at, select(Alert)
    if kind in {None, "texts"} and not who:
        given_up = select(Message).where(Message.TROUBLED, Message.state == "dead")
        yield 3, "text", Message.created_at, given_up if person is None else given_up.where(Message.person_id == person)


def _newest_events(db: Session, wanted: dict[str, Any], key: str) -> tuple[list[dict[str, Any]], str | None]:
    """The newest wanted events after the key, and the key of the next page; it makes one query per source."""
    after, found = _parse_key(key), []
    for rank, kind, at, rows in _sources(**wanted):
        place = tuple_(at, literal(-rank), at.class_.id)
        some = rows if after is None else rows.where(at <= after[0], place < after)
        for row, *told in db.execute(some.order_by(at.desc(), at.class_.id.desc()).limit(ON_A_PAGE + 1)):
            event = {
                "kind": kind,
                "at": getattr(row, at.key),
                "row": row,
                "outcome": outcome(row, *told) if told else None,
            }
            found.append((event["at"], -rank, row.id, event))
    found.sort(key=itemgetter(0, 1, 2), reverse=True)
    events = [event for *_, event in found[:ON_A_PAGE]]
    if len(found) <= ON_A_PAGE:
        return events, None
    at, rank, row_id, _ = found[ON_A_PAGE - 1]
    return events, f"{at:%Y%m%dT%H%M%S.%f}-{-rank}-{row_id}"


def _parse_key(key: str) -> tuple[datetime, int, int] | None:
    """The place of the event that a key names: instant, negative rank, id; None for an invalid key."""
    found = re.fullmatch(r"(\d{8}T\d{6}\.\d{6})-(\d)-(\d{1,9})", key, re.ASCII)
    if found is None:
        return None
    try:
        return datetime.strptime(f"{found[1]}+0000", "%Y%m%dT%H%M%S.%f%z"), -int(found[2]), int(found[3])
    except ValueError:
        return None
