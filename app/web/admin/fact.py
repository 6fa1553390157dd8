"""One fact: its sentence, its source, its versions, links and uses, and all that can be done with it."""

import re
from datetime import datetime

from flask import redirect, request, url_for
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response

from app import memory, people
from app.clock import last_day_before
from app.errors import Conflict, KeepsakeError, NotFound, Refused
from app.memory import episodes as episode_rows
from app.memory import facts as rows
from app.memory.facts import pairs
from app.memory.forget import receipt
from app.memory.remember import MAX_FACT_CHARS
from app.memory.revise import read_last_day
from app.models import Fact, Person
from app.web import auth
from app.web.admin import masking
from app.web.admin.blueprint import MAX_ID, action, bp, by_operator, made, not_done, page
from app.web.admin.facts import categories
from app.web.admin.provenance import source_message, uses

WORDINGS = 5  # Of a fact's versions, the latest: what it said when it was shown.

_BESIDE_DIGITS = re.compile(r"[\s().-]")


def _page(person_id: int, number: int, problem: KeepsakeError | None = None) -> Response:
    """The page, its forms filled with what was sent, or else with how the fact stands."""
    services = auth.services()
    now = services.clock.now()
    with services.reading() as db:
        person = people.by_id(db, person_id)
        versions = rows.versions(db, person_id, number)
        if not versions:
            raise NotFound(f"This person never had a fact {number}.")
        newest, is_held = versions[-1], versions[-1].retired_at is None
        said = list(dict.fromkeys(version.sentence for version in reversed(versions)))[:WORDINGS]
        shown = {
            "person": person,
            "fact": newest,
            "is_held": is_held,
            "is_archived": rows.is_archived(newest, now),
            "versions": versions[::-1],
            "source": source_message(db, person_id, newest.message_id),
            "categories": categories(db, person_id),
            "form": _form(newest, person, now) | request.form.to_dict(),
            "uses": uses(db, person_id, "fact", number, sentences=said),
            "episodes": episode_rows.of_fact(db, person_id, number),
            "alike": pairs.of_fact(db, newest) if is_held else [],
            "merged": rows.merged_into(db, person_id, number),
            "receipt": None if is_held else receipt(db, versions),
        }
    return page("fact", problem, is_moving="to" in request.form, max_chars=MAX_FACT_CHARS, **shown)


def _form(fact: Fact, person: Person, now: datetime) -> dict[str, str]:
    # Whoever corrects what has expired has it shown again, and says anew until when.
    ends = fact.expires_at if not rows.is_expired(fact, now) else None
    last_day = last_day_before(ends, person.timezone).isoformat() if ends else ""
    return {"fact": fact.sentence, "category": fact.category or "", "last_day": last_day}


@bp.get("/people/<int:person_id>/facts/<int:number>")
def fact(person_id: int, number: int) -> Response:
    return _page(person_id, number)


@action("/people/<int:person_id>/facts/<int:number>", "admin.fact", told=(Refused, Conflict), retry=_page)
def revise(person_id: int, number: int) -> str:
    masking.check_revealed(person_id)
    form, origin = request.form, by_operator(person_id)
    sentence, category = form.get("fact", ""), form.get("category", "")
    last_day = read_last_day(form["last_day"]) if "last_day" in form else None
    memory.revise(auth.services(), person_id, number, origin, fact=sentence, category=category, last_day=last_day)
    return f"Fact {number} is corrected." if made() else f"Fact {number} says that already: nothing was changed."


@action("/people/<int:person_id>/facts/<int:number>/archive", "admin.fact", told=Conflict)
def archive(person_id: int, number: int) -> str:
    if not memory.archive_facts(auth.services(), person_id, [number], by_operator(person_id)).changed:
        raise Conflict(f"Fact {number} is archived or forgotten already.")
    return f"Archived fact {number}."


@bp.get("/people/<int:person_id>/facts/<int:number>/move")
@bp.get("/people/<int:person_id>/facts/<int:number>/move/ask")
def move_again(person_id: int, number: int) -> Response:
    """The address of a form that was refused, entered again: its page has the form."""
    return redirect(url_for("admin.fact", person_id=person_id, number=number), 303)


@action("/people/<int:person_id>/facts/<int:number>/move/ask", "admin.facts", told=Refused, retry=_page)
def ask_move(person_id: int, number: int) -> Response:
    """Ask before anything is moved: from whom, to whom, and the sentence."""
    with auth.services().reading() as db:
        other = _meant(db, person_id, request.form.get("to", "").strip())
        person = people.by_id(db, person_id)
        held = rows.held_by_number(db, person_id, number)
    if held is None:
        return not_done(NotFound(f"Fact {number} is not there to move."), "admin.facts")
    return page("move", person=person, fact=held, other=other)


@action("/people/<int:person_id>/facts/<int:number>/move", "admin.fact", told=(Refused, NotFound))
def move(person_id: int, number: int) -> str:
    to_id = min(request.form.get("to_id", 0, type=int), MAX_ID)
    moved = memory.move(auth.services(), person_id, number, to_id, by_operator(person_id))
    known = ", who had told it already" if moved.was_known else ""
    return f"Moved to person {to_id}{known}: fact {moved.fact.number} there. Nothing of it is left here."


@action("/people/<int:person_id>/facts/<int:number>/apart/<int:other>", "admin.fact")
def keep_apart(person_id: int, number: int, other: int) -> str:
    services = auth.services()
    with services.reading() as db:
        both = rows.held_by_numbers(db, person_id, [number, other])
    if len(both) > 1:
        pairs.part(services, both[0].id, both[1].id)
    return f"Facts {number} and {other} stand side by side: neither is a duplicate of the other."


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
