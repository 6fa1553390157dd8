"""One fact: what it says, where it came from, its versions, links and uses, and all that can be done with it."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from flask import make_response, redirect, render_template, request, url_for
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response

from app import memory, people
from app.clock import last_day_before
from app.errors import Conflict, NotFound, Refused
from app.memory import episodes as episode_rows
from app.memory import facts as fact_rows
from app.memory.facts import pairs
from app.memory.forget import receipt
from app.memory.remember import MAX_FACT_CHARS
from app.memory.revise import read_last_day
from app.models import Fact, Person
from app.web import auth
from app.web.admin import fact_queries, masking, queries
from app.web.admin.blueprint import MAX_ID, bp, done, not_done
from app.web.admin.undoing import by_operator, made

_BESIDE_DIGITS = re.compile(r"[\s().-]")


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
        memory.revise(
            auth.services(),
            person_id,
            number,
            by_operator(person_id),
            fact=sentence,
            category=category,
            last_day=last_day,
        )
    except (Refused, Conflict) as error:
        return _page(person_id, number, given, problem=str(error), status=error.http_status)
    said = f"Fact {number} is corrected." if made() else f"Fact {number} says that already: nothing was changed."
    return done(said, "admin.fact", person_id=person_id, number=number)


@bp.post("/people/<int:person_id>/facts/<int:number>/archive")
def archive(person_id: int, number: int) -> Response:
    where = {"person_id": person_id, "number": number}
    if not memory.archive_facts(auth.services(), person_id, [number], by_operator(person_id)).changed:
        return not_done(Conflict(f"Fact {number} is archived or forgotten already."), "admin.fact", **where)
    return done(f"Archived fact {number}.", "admin.fact", **where)


@bp.get("/people/<int:person_id>/facts/<int:number>/move")
@bp.get("/people/<int:person_id>/facts/<int:number>/move/ask")
def move_again(person_id: int, number: int) -> Response:
    """The address of a form that was refused, entered again: its page has the form."""
    return redirect(url_for("admin.fact", person_id=person_id, number=number), 303)


@bp.post("/people/<int:person_id>/facts/<int:number>/move/ask")
def ask_move(person_id: int, number: int) -> Response:
    """Ask before anything is moved: from whom, to whom, and the sentence."""
    written = request.form.get("to", "").strip()
    services = auth.services()
    try:
        with services.reading() as db:
            other = _meant(db, person_id, written)
            person = people.by_id(db, person_id)
            fact_ = fact_rows.held_by_number(db, person_id, number)
    except Refused as error:
        return _page(person_id, number, move_problem=str(error), to=written, status=error.http_status)
    if fact_ is None:
        return not_done(NotFound(f"Fact {number} is not there to move."), "admin.facts", person_id=person_id)
    page = render_template("admin/move.html", person=person, fact=fact_, other=other, now=services.clock.now())
    return make_response(page)


@bp.post("/people/<int:person_id>/facts/<int:number>/move")
def move(person_id: int, number: int) -> Response:
    to_id = min(request.form.get("to_id", 0, type=int), MAX_ID)
    try:
        moved = memory.move(auth.services(), person_id, number, to_id, by_operator(person_id))
    except (Refused, NotFound) as error:
        return not_done(error, "admin.fact", person_id=person_id, number=number)
    known = ", who had told it already" if moved.was_known else ""
    return done(
        f"Moved to person {to_id}{known}: fact {moved.fact.number} there. Nothing of it is left here.",
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


def _meant(db: Session, person_id: int, written: str) -> Person:
    """The one other person with this whole number or whole name.

    Raises:
        Refused: there is none, or several.
    """
    if not written:
        raise Refused("Nobody was named. Write the number or the name of the person of whom it is true.")
    number = _BESIDE_DIGITS.sub("", written)
    name = " ".join(written.split()).casefold()
    meant = [one for one in people.everyone(db) if number == one.address or (one.name or "").casefold() == name]
    if len(meant) != 1:
        count = f"{len(meant)} people have" if meant else "Nobody has"
        whole = "Write the whole number, as in +12065550100" + ("." if meant else ", or the whole name.")
        raise Refused(f"{count} the number or name “{written[:40]}”. {whole}")
    if meant[0].id == person_id:
        raise Refused("The fact is this person's already. Choose another person.")
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
