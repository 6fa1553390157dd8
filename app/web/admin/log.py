"""The log: what operators did and what happened, and whether it stands as it was written."""

from flask import make_response, render_template, request
from werkzeug.wrappers import Response

from app import audit
from app.models import AuditEntry, Message
from app.web import auth
from app.web.admin import log_queries
from app.web.admin.blueprint import asked_id, bp, done, not_done
from app.web.admin.log_queries import KINDS, Wanted
from app.web.figures import health


@bp.get("/log")
def log() -> Response:
    services = auth.services()
    now = services.clock.now()
    kind, who, key = request.args.get("kind", ""), request.args.get("who", ""), request.args.get("after", "")
    wanted = Wanted(kind if kind in KINDS else "", who, asked_id("person"))
    with services.reading() as db:
        found = log_queries.log(db, wanted, key=key)
        about = {event.row.person_id for event in found.events if isinstance(event.row, AuditEntry | Message)}
        people = log_queries.people_by_id(db, about | {wanted.person_id})
        actors = log_queries.actors(db)
        standing = health(db, now)
    page = render_template(
        "admin/log.html",
        log=found,
        wanted=wanted,
        kinds=KINDS,
        actors=actors,
        people=people,
        health=standing,
        is_first_page=not key,
        now=now,
    )
    return make_response(page)


@bp.post("/log/verify")
def verify_log() -> Response:
    with auth.services().reading() as db:
        found = audit.verify(db)
    if found.is_whole:
        entries = f"all {found.entries:,} entries stand" if found.entries != 1 else "its one entry stands"
        return done(f"The log is whole: {entries} as written.", "admin.log")
    return not_done(
        f"The log breaks at entry {found.broken_at}: {found.problem} Those before it stand as written; what "
        "follows cannot be relied on. Compare it with a backup.",
        "admin.log",
    )
