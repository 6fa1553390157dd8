"""The history of what changed in a person's memory, and the way back."""

from flask import make_response, render_template
from werkzeug.wrappers import Response

from app import memory, people
from app.errors import Conflict, NotFound
from app.memory import changes as change_rows
from app.memory.changes import StoodUpon, stood_upon
from app.web import auth
from app.web.admin import queries
from app.web.admin.blueprint import bp, done, not_done

CHANGES_SHOWN = 50


@bp.get("/people/<int:person_id>/changes")
def changes(person_id: int) -> Response:
    services = auth.services()
    with services.reading() as db:
        person = people.by_id(db, person_id)
        listed = change_rows.latest(db, person_id, CHANGES_SHOWN)
        touched = queries.facts_of_changes(db, listed)
        forgotten = queries.episodes_of_changes(db, listed)
        rules = queries.rules_of_changes(db, listed)
        routines = queries.routines_of_changes(db, listed)
        later = stood_upon(db, listed)
    page = render_template(
        "admin/changes.html",
        person=person,
        changes=listed,
        facts=touched,
        episodes=forgotten,
        rules=rules,
        routines=routines,
        stood_upon=later,
        now=services.clock.now(),
    )
    return make_response(page)


@bp.post("/people/<int:person_id>/changes/<int:change_id>/undo")
def undo(person_id: int, change_id: int) -> Response:
    try:
        memory.undo(auth.services(), person_id, change_id=change_id)
    except (StoodUpon, NotFound) as error:
        return not_done(error, "admin.changes", person_id=person_id)
    except Conflict:
        return not_done(
            Conflict("It cannot be taken back: another fact or rule says by now what would come back."),
            "admin.changes",
            person_id=person_id,
        )
    return done("The change is taken back.", "admin.changes", person_id=person_id)
