"""One fact: what it says, where it came from, every version of it, and the form to correct it."""

from flask import make_response, render_template, request
from werkzeug.wrappers import Response

from app import memory, people
from app.errors import Conflict, NotFound, Refused
from app.memory import facts as fact_rows
from app.memory.remember import MAX_FACT_CHARS
from app.web import auth
from app.web.admin import queries
from app.web.admin.blueprint import bp, done
from app.web.admin.facts import OPERATOR


@bp.get("/people/<int:person_id>/facts/<int:number>")
def fact(person_id: int, number: int) -> Response:
    return _page(person_id, number)


@bp.post("/people/<int:person_id>/facts/<int:number>")
def revise(person_id: int, number: int) -> Response:
    sentence, category = request.form.get("fact", ""), request.form.get("category", "")
    try:
        memory.revise(auth.services(), person_id, number, OPERATOR, fact=sentence, category=category)
    except (Refused, Conflict) as error:
        said = {"problem": str(error), "sentence": sentence, "category": category}
        return _page(person_id, number, **said, status=error.http_status)
    return done(f"Fact {number} is corrected.", "admin.fact", person_id=person_id, number=number, can_undo=True)


def _page(
    person_id: int,
    number: int,
    *,
    problem: str = "",
    sentence: str | None = None,
    category: str | None = None,
    status: int = 200,
) -> Response:
    services = auth.services()
    with services.reading() as db:
        person = people.by_id(db, person_id)
        versions = fact_rows.versions(db, person_id, number)
        if not versions:
            raise NotFound(f"This person never had a fact {number}.")
        newest = versions[-1]
        source = queries.source_message(db, person_id, newest.message_id)
        known_categories = queries.categories(db, person_id)
    page = render_template(
        "admin/fact.html",
        person=person,
        fact=newest,
        is_live=newest.retired_at is None,
        versions=versions[::-1],
        source=source,
        categories=known_categories,
        problem=problem,
        sentence=newest.sentence if sentence is None else sentence,
        category=(newest.category or "") if category is None else category,
        max_chars=MAX_FACT_CHARS,
        now=services.clock.now(),
    )
    return make_response(page, status)
