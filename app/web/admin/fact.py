"""One fact: what it says, where it came from, its versions, links and uses, and all that can be done with it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from flask import make_response, render_template, request
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response

from app import memory, people
from app.clock import last_day_before
from app.errors import Conflict, NotFound, Refused
from app.memory import episodes as episode_rows
from app.memory import facts as fact_rows
from app.memory import pairs
from app.memory.receipt import receipt
from app.memory.remember import MAX_FACT_CHARS
from app.memory.revise import read_last_day
from app.models import Fact, Person
from app.web import auth
from app.web.admin import fact_queries, masking, queries
from app.web.admin.blueprint import bp, done, not_done
from app.web.admin.facts import OPERATOR


@bp.get("/people/<int:person_id>/facts/<int:number>")
def fact(person_id: int, number: int) -> Response:
    return _page(person_id, number)


@bp.post("/people/<int:person_id>/facts/<int:number>")
def revise(person_id: int, number: int) -> Response:
    masking.check_revealed(person_id)
    given = {"fact": "", "category": "", **request.form}
    try:
        last_day = read_last_day(given["last_day"]) if "last_day" in given else None
        sentence, category = given["fact"], given["category"]
        memory.revise(auth.services(), person_id, number, OPERATOR, fact=sentence, category=category, last_day=last_day)
    except (Refused, Conflict) as error:
        return _page(person_id, number, given, problem=str(error), status=error.http_status)
    return done(f"Fact {number} is corrected.", "admin.fact", person_id=person_id, number=number, can_undo=True)


@bp.post("/people/<int:person_id>/facts/<int:number>/archive")
def archive(person_id: int, number: int) -> Response:
    where = {"person_id": person_id, "number": number}
    if not memory.archive_facts(auth.services(), person_id, [number], OPERATOR).changed:
        return not_done(Conflict(f"Fact {number} is archived or forgotten already."), "admin.fact", **where)
    return done(f"Archived fact {number}.", "admin.fact", can_undo=True, **where)


@bp.post("/people/<int:person_id>/facts/<int:number>/move")
def move(person_id: int, number: int) -> Response:
    written = request.form.get("to", "").strip()
    services = auth.services()
    try:
        with services.reading() as db:
            other = _meant(db, written)
        moved = memory.move(services, person_id, number, other.id, OPERATOR)
    except Refused as error:
        return _page(person_id, number, move_problem=str(error), to=written, status=error.http_status)
    known = ", who had told it already" if moved.was_known else ""
    return done(
        f"Moved to person {other.id}{known}: fact {moved.fact.number} there. Nothing of it is left here.",
        "admin.fact",
        person_id=person_id,
        number=number,
    )


@bp.post("/people/<int:person_id>/facts/<int:number>/apart/<int:other>")
def keep_apart(person_id: int, number: int, other: int) -> Response:
    services = auth.services()
    with services.reading() as db:
        both = fact_rows.held_by_numbers(db, person_id, [number, other])
    if len(both) > 1:
        pairs.part(services, both[0].id, both[1].id)
    sentence = f"Facts {number} and {other} stand side by side: neither is a duplicate of the other."
    return done(sentence, "admin.fact", person_id=person_id, number=number)


def _meant(db: Session, written: str) -> Person:
    """The one person with this number or name.

    Raises:
        Refused: there is none, or several.
    """
    if not written:
        raise Refused("Nobody was named. Write the number or the name of the person of whom it is true.")
    found = people.everyone(db, written)
    exactly = [one for one in found if one.address == written or (one.name or "").casefold() == written.casefold()]
    meant = exactly or found
    if len(meant) != 1:
        count = "Nobody has" if not meant else f"{len(meant)} people have"
        raise Refused(f"{count} “{written[:40]}” in their number or name. Write the whole number, as in +12065550100.")
    return meant[0]


def _page(
    person_id: int,
    number: int,
    given: Mapping[str, str] | None = None,
    *,
    problem: str = "",
    move_problem: str = "",
    to: str = "",
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
        beside = _beside(db, versions)
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
        move_problem=move_problem,
        to=to,
        form=_form(newest, person, now) | dict(given or {}),
        max_chars=MAX_FACT_CHARS,
        now=now,
        **beside,
    )
    return make_response(page, status)


def _beside(db: Session, versions: Sequence[Fact]) -> dict[str, Any]:
    """What it is linked to, and where it was shown."""
    newest = versions[-1]
    person_id, number = newest.person_id, newest.number
    said = list(dict.fromkeys(version.sentence for version in reversed(versions)))[: fact_queries.WORDINGS]
    is_held = newest.retired_at is None
    return {
        "uses": fact_queries.uses(db, person_id, "fact", number, sentences=said),
        "episodes": episode_rows.of_fact(db, person_id, number),
        "alike": pairs.of_fact(db, newest) if is_held else [],
        "merged": fact_rows.merged_into(db, person_id, number),
        "receipt": None if is_held else receipt(db, versions),
    }


def _form(fact: Fact, person: Person, now: datetime) -> dict[str, str]:
    # Whoever corrects what has expired has it shown again, and says anew until when.
    ends = fact.expires_at if not fact_rows.is_expired(fact, now) else None
    last_day = last_day_before(ends, person.timezone).isoformat() if ends else ""
    return {"fact": fact.sentence, "category": fact.category or "", "last_day": last_day}
