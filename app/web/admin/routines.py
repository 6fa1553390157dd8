"""The page of a person's routines: what comes, what became of the last times, and what was suggested to them."""

from flask import make_response, render_template
from werkzeug.wrappers import Response

from app import people
from app.models.routine import STANDING
from app.routines import rows, suggestions
from app.routines.described import describe
from app.routines.quiet_hours import QuietHours
from app.web import auth
from app.web.admin.blueprint import bp

OCCURRENCES_SHOWN = 3  # Of each: whether it works is seen at a glance.


@bp.get("/people/<int:person_id>/routines")
def routines(person_id: int) -> Response:
    services = auth.services()
    with services.reading() as db:
        person = people.by_id(db, person_id)
        found = rows.all_of(db, person_id)
        suggested = suggestions.of(db, person_id)
        shown = [
            {
                "routine": one,
                "when": describe(rows.schedule_of(one), one.zone or person.timezone, services.clock.now()),
                "last": rows.occurrences(db, one.id, OCCURRENCES_SHOWN),
            }
            for one in reversed(found)
        ]
    page = render_template(
        "admin/routines.html",
        person=person,
        shown=shown,
        over=sum(one.state not in STANDING for one in found),
        suggested=[(one, suggestions.described(one, person.timezone)) for one in reversed(suggested)],
        adoption=suggestions.adoption(suggested),
        quiet=QuietHours.said(person.quiet_hours),
        now=services.clock.now(),
    )
    return make_response(page)
