"""The log: what operators did and what happened, and whether it stands as it was written."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import flash, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from app.models import AuditEntry, Message, Person
from app.operations import audit
from app.operations.audit import NOBODY, TERMINAL
from app.web import auth
from app.web.admin import live, log_about, log_queries
from app.web.admin.blueprint import asked_id, bp, done
from app.web.admin.log_queries import KINDS, LogPage, Wanted
from app.web.admin.navigation import Place
from app.web.figures import Health, health
from app.web.streams import Sections, fingerprint

PLACE = Place("Log", "admin.log", 60)


@bp.get("/log")
def log() -> Response:
    key = request.args.get("after", "")
    seen = _see(key)
    sections = _sections(seen)
    page = render_template(
        "admin/log.html",
        lists=live.written(sections),
        events=url_for("admin.log_events", **seen.asked, known=fingerprint(sections)),
        snapshot=url_for("admin.log_snapshot", **seen.asked),
        is_followed=not key,  # What happens next stands on the first page.
        wanted=seen.wanted,
        kinds=KINDS,
        actors=[*seen.operators.values(), TERMINAL, NOBODY],
        people=seen.people,
    )
    return make_response(page)


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


@dataclass(frozen=True)
class _Seen:
    wanted: Wanted
    key: str
    found: LogPage
    people: Mapping[int, Person]
    """Those whom the events are about, by id."""
    operators: Mapping[int, str]
    """All operators' names, by id."""
    about: Mapping[int, list[log_about.Part]]
    """What was changed, by the entry's id."""
    health: Health

    @property
    def asked(self) -> dict[str, Any]:
        """What is wanted, as the page's address names it."""
        return {"kind": self.wanted.kind or None, "who": self.wanted.who or None, "person": self.wanted.person_id}


def _see(key: str = "") -> _Seen:
    services = auth.services()
    kind, who = request.args.get("kind", ""), request.args.get("who", "")
    wanted = Wanted(kind if kind in KINDS else "", who, asked_id("person"))
    with services.reading() as db:
        found = log_queries.log(db, wanted, key=key)
        entries = [event.row for event in found.events if isinstance(event.row, AuditEntry)]
        whom = {event.row.person_id for event in found.events if isinstance(event.row, AuditEntry | Message)}
        people = log_queries.people_by_id(db, whom.union({wanted.person_id}, *map(log_about.people_of, entries)))
        known = log_about.known_rows(db, entries)
        operators = log_queries.operators_by_id(db)
        about = {entry.id: log_about.parts(entry, known, operators) for entry in entries}
        return _Seen(wanted, key, found, people, operators, about, health(db, services.clock.now()))


def _sections(seen: _Seen) -> Sections:
    parts = live.parts("admin/log_parts.html", people=seen.people, about=seen.about, health=seen.health)
    pager = [["newest", str(parts.newest(seen.asked))]] if seen.key else []
    if seen.found.next_key:  # It names the last line, and so is another with each line that comes.
        pager.append(["earlier", str(parts.earlier(seen.asked, seen.found.next_key))])
    return {
        "standing": [["standing", str(parts.standing())]],
        "lines": [[f"{event.kind}-{event.row.id}", str(parts.line(event))] for event in seen.found.events],
        "nothing": [] if seen.found.events else [["nothing", str(parts.nothing())]],
        "pager": pager,
    }


live.offer("/log", "log", lambda: _sections(_see()))
