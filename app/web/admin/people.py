"""Everyone who texts: those who wait to be let in first, then those who texted last."""

from flask import make_response, render_template, request
from werkzeug.wrappers import Response

from app import people
from app.conversation import budget
from app.web import auth
from app.web.admin import queries
from app.web.admin.blueprint import bp, done
from app.web.admin.navigation import Place
from app.web.auth import support_too

PLACE = Place("People", "admin.people", 20)

WAITING_SHOWN = 10  # Enough to decide on at a glance; a flood of unknown numbers must not push the people off the page.
ACCESSES = ("allowed", "waiting", "blocked")


@bp.get("/people", endpoint="people")
def people_list() -> Response:
    words = request.args.get("words", "").strip()
    key = request.args.get("after", "")
    chosen = request.args.get("access", "")
    one_kind = chosen in ACCESSES
    services = auth.services()
    now = services.clock.now()
    with services.reading() as db:
        waiting_count = queries.count_people(db, words=words, access=("waiting",))
        waiting = WAITING_SHOWN if waiting_count and not one_kind and not key else 0
        accesses = (chosen,) if one_kind else ("allowed", "blocked")
        month = budget.month_until(budget.day_of(now, services))
        listed = queries.people(db, now, words=words, access=accesses, key=key, month=month, waiting=waiting)
    page = render_template(
        "admin/people.html",
        words=words,
        access=chosen if one_kind else "",
        accesses=ACCESSES,
        is_first_page=not key,
        waiting=listed.waiting,
        waiting_count=waiting_count,
        listed=listed,
        now=now,
        phone_page=not services.settings.has_twilio,
    )
    return make_response(page)


@bp.post("/people/<int:person_id>/let-in")
@support_too
def let_in(person_id: int) -> Response:
    people.let_in(auth.services(), person_id)
    return done("Let in. What they texted meanwhile is being answered.", "admin.conversation", person_id=person_id)


@bp.post("/people/<int:person_id>/block")
@support_too
def block(person_id: int) -> Response:
    people.block(auth.services(), person_id)
    return done("Blocked. Their texts are kept and not answered.", "admin.conversation", person_id=person_id)
