"""One fact: what it says, where it came from, every version of it, and the form to correct it."""

from collections.abc import Mapping
from datetime import datetime

from flask import make_response, render_template, request
from werkzeug.wrappers import Response

from app import memory, people
from app.clock import last_day_before
from app.errors import Conflict, NotFound, Refused
from app.memory import facts as fact_rows
from app.memory.remember import MAX_FACT_CHARS
from app.memory.revise import read_last_day
from app.models import Fact, Person
from app.web import auth
from app.web.admin import queries
from app.web.admin.blueprint import bp, done
from app.web.admin.facts import OPERATOR


@bp.get("/people/<int:person_id>/facts/<int:number>")
def fact(person_id: int, number: int) -> Response:
    return _page(person_id, number)


@bp.post("/people/<int:person_id>/facts/<int:number>")
def revise(person_id: int, number: int) -> Response:
    given = {"fact": "", "category": "", **request.form}
    try:
        last_day = read_last_day(given["last_day"]) if "last_day" in given else None
        sentence, category = given["fact"], given["category"]
        memory.revise(auth.services(), person_id, number, OPERATOR, fact=sentence, category=category, last_day=last_day)
    except (Refused, Conflict) as error:
        return _page(person_id, number, given, problem=str(error), status=error.http_status)
    return done(f"Fact {number} is corrected.", "admin.fact", person_id=person_id, number=number, can_undo=True)


def _page(
    person_id: int,
    number: int,
    given: Mapping[str, str] | None = None,
    *,
    problem: str = "",
    status: int = 200,
) -> Response:
    """The page, its form filled with what was given, or else with how the fact stands."""
    services = auth.services()
    now = services.clock.now()
    with services.reading() as db:
        person = people.by_id(db, person_id)
        versions = fact_rows.versions(db, person_id, number)
        if not versions:
            raise NotFound(f"This person never had a fact {number}.")
        newest = versions[-1]
        source = queries.source_message(db, person_id, newest.message_id)
        known_categories = queries.categories(db, person_id, now)
    page = render_template(
        "admin/fact.html",
        person=person,
        fact=newest,
        is_held=newest.retired_at is None,
        is_archived=fact_rows.is_archived(newest, now),
        versions=versions[::-1],
        source=source,
        categories=known_categories,
        problem=problem,
        form=_form(newest, person, now) | dict(given or {}),
        max_chars=MAX_FACT_CHARS,
        now=now,
    )
    return make_response(page, status)


def _form(fact: Fact, person: Person, now: datetime) -> dict[str, str]:
    # Whoever corrects what has expired has it shown again, and says anew until when.
    ends = fact.expires_at if not fact_rows.is_expired(fact, now) else None
    last_day = last_day_before(ends, person.timezone).isoformat() if ends else ""
    return {"fact": fact.sentence, "category": fact.category or "", "last_day": last_day}
