"""The page of forgotten facts and episodes of a person, and of archived ones: all can be restored.

A subject cannot be restored by itself: what was told of it comes back by undo, in the order of the changes.
"""

from collections import Counter
from collections.abc import Callable
from datetime import datetime

from flask import make_response, render_template
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response

from app import memory, people
from app.errors import Conflict
from app.memory import facts as fact_rows
from app.memory.episodes.forgotten import forgotten as forgotten_episodes
from app.memory.episodes.forgotten import forgotten_subjects
from app.models import Fact
from app.web import auth
from app.web.admin import queries
from app.web.admin.blueprint import asked_id, bp, done, not_done
from app.web.admin.undoing import by_operator


@bp.get("/people/<int:person_id>/forgotten")
def forgotten(person_id: int) -> Response:
    skipped = asked_id("skip_episodes") or 0
    with auth.services().reading() as db:
        found, subjects = forgotten_episodes(db, person_id), forgotten_subjects(db, person_id)
    shown = found[skipped : skipped + queries.EPISODES_ON_A_PAGE]
    together = Counter(change.id for _, change in found)
    return _page(
        "admin/forgotten.html",
        person_id,
        lambda db, _: fact_rows.forgotten(db, person_id),
        episodes=[(episode, change, together[change.id] - 1) for episode, change in shown],
        subjects=subjects,
        episodes_skipped=skipped,
        episodes_next=skipped + len(shown) if skipped + len(shown) < len(found) else None,
    )


@bp.get("/people/<int:person_id>/archived")
def archived(person_id: int) -> Response:
    return _page("admin/archived.html", person_id, lambda db, now: fact_rows.archived(db, person_id, now))


@bp.post("/people/<int:person_id>/facts/<int:number>/restore")
def restore(person_id: int, number: int) -> Response:
    try:
        memory.restore(auth.services(), person_id, number, by_operator(person_id))
    except Conflict:
        return not_done(
            Conflict(f"Fact {number} cannot come back: it is remembered already, or another fact says the same."),
            "admin.forgotten",
            person_id=person_id,
        )
    return done(f"Fact {number} is remembered again.", "admin.facts", person_id=person_id)


def _page(template: str, person_id: int, rows: Callable[[Session, datetime], list[Fact]], **beside: object) -> Response:
    services = auth.services()
    skipped, now = asked_id("skip") or 0, services.clock.now()
    with services.reading() as db:
        person = people.by_id(db, person_id)
        found = rows(db, now)
    shown = found[skipped : skipped + queries.FACTS_ON_A_PAGE]
    page = render_template(
        template,
        person=person,
        facts=shown,
        skipped=skipped,
        next_skip=skipped + len(shown) if skipped + len(shown) < len(found) else None,
        now=now,
        **beside,
    )
    return make_response(page)
