"""Lists of a person's facts (live, archived, forgotten), and one fact with its source, versions, links and uses."""

import re
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from flask import redirect, request, url_for
from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response

from app import memory, people
from app.clock import last_day_before
from app.errors import Conflict, KeepsakeError, NotFound, Refused
from app.memory import NewFact
from app.memory import episodes as episode_rows
from app.memory import facts as rows
from app.memory.facts import pairs
from app.memory.forget import receipt
from app.memory.forgotten import forgotten_subjects
from app.memory.remember import MAX_FACT_CHARS
from app.memory.revise import read_last_day
from app.models import Fact, Person
from app.web import auth
from app.web.admin import masking
from app.web.admin.blueprint import action, asked_id, bp, by_operator, done, made_change, not_done, page
from app.web.admin.provenance import source_message, uses

ON_A_PAGE = 50


@bp.get("/people/<int:person_id>/facts")
def facts(person_id: int, problem: KeepsakeError | None = None) -> Response:
    services = auth.services()
    words, chosen = masking.searched(person_id, "words"), masking.searched(person_id, "category")
    now = services.clock.now()
    with services.reading() as db:
        person = people.by_id(db, person_id)
        found = rows.find(db, person_id, words) if words else rows.live(db, person_id, now, chosen or None)
        known_categories = categories(db, Fact.person_id == person_id, rows.is_live(now))
    return page(
        "facts",
        problem,
        person=person,
        facts=page_of_rows(found[::-1]),  # Newest first, since the operator comes to see new facts.
        total=len(found),
        words=words,
        chosen=chosen,
        categories=known_categories,
        sentence=request.form.get("fact", ""),
        category=request.form.get("category", ""),
        max_chars=MAX_FACT_CHARS,
    )


@action("/people/<int:person_id>/facts", "admin.facts", told=KeepsakeError, retry=facts)
def remember(person_id: int) -> str:
    fact = NewFact(request.form.get("fact", ""), request.form.get("category") or None)
    became = memory.remember(auth.services(), person_id, [fact], by_operator(person_id))
    if became.duplicates:
        return f"Fact {became.duplicates[0].number} says that already."
    sentence = f"Added as fact {became.stored[0].number}."
    if became.conflicts:
        rivals = ", ".join(str(one.number) for one in became.conflicts[0].known)
        sentence += f" It may be about the same thing as fact {rivals}: correct or forget what is no longer true."
    return sentence


def categories(db: Session, *of: ColumnElement[bool]) -> list[str]:
    """Categories of these facts, by name."""
    named = select(Fact.category).where(*of).distinct().order_by(Fact.category)
    return [name for name in db.scalars(named) if name]


@action("/people/<int:person_id>/facts/<int:number>/pin", "admin.facts")
def pin(person_id: int, number: int) -> str:
    memory.revise(auth.services(), person_id, number, by_operator(person_id), pinned=True)
    return f"Pinned fact {number}: it is always shown to the model."


@action("/people/<int:person_id>/facts/<int:number>/unpin", "admin.facts")
def unpin(person_id: int, number: int) -> str:
    memory.revise(auth.services(), person_id, number, by_operator(person_id), pinned=False)
    return f"Fact {number} is no longer pinned."


@bp.post("/people/<int:person_id>/facts/<int:number>/forget")
def forget(person_id: int, number: int) -> Response:
    # Return to the page of the button: the turn that was shown the fact, the fact's page, or the list.
    endpoint, where = "admin.fact" if "receipt" in request.form else "admin.facts", dict[str, Any]()
    turn_of = asked_id("turn_of")
    if turn_of is not None:
        endpoint = "admin.conversation"
        where = {"around": turn_of, "unfold": 1, "_anchor": f"message-{turn_of}"}
    if memory.forget(auth.services(), person_id, [number], by_operator(person_id)).unknown:
        return not_done(NotFound(f"Fact {number} is not there to forget."), endpoint, **where)
    return done(f"Forgot fact {number}. It is kept under Forgotten.", endpoint, **where)


@action("/people/<int:person_id>/facts/<int:number>/restore", "admin.facts")
def restore(person_id: int, number: int) -> str | Response:
    try:
        memory.restore(auth.services(), person_id, number, by_operator(person_id))
    except Conflict:
        sentence = f"Fact {number} cannot come back: it is remembered already, or another fact says the same."
        return not_done(Conflict(sentence), "admin.forgotten")
    return f"Fact {number} is remembered again."


@bp.get("/people/<int:person_id>/archived")
def archived(person_id: int) -> Response:
    services = auth.services()
    with services.reading() as db:
        person, found = people.by_id(db, person_id), rows.archived(db, person_id, services.clock.now())
    return page("archived", person=person, facts=page_of_rows(found))


@bp.get("/people/<int:person_id>/forgotten")
def forgotten(person_id: int) -> Response:
    """Forgotten facts, episodes and subjects. A subject cannot be restored by itself, only by undo, in order."""
    with auth.services().reading() as db:
        person, found = people.by_id(db, person_id), rows.forgotten(db, person_id)
        episodes, subjects = episode_rows.forgotten(db, person_id), forgotten_subjects(db, person_id)
    together = Counter(change.id for _, change in episodes)
    with_counts = [(episode, change, together[change.id] - 1) for episode, change in episodes]
    shown = {"facts": page_of_rows(found), "episodes": page_of_rows(with_counts, "skip_episodes")}
    return page("forgotten", person=person, subjects=subjects, **shown)


def page_of_rows(found: Sequence[object], name: str = "skip") -> dict[str, Any]:
    """One page of the rows, from the offset that the URL holds under this name; `next` is None on the last page."""
    skipped = asked_id(name) or 0
    end = skipped + ON_A_PAGE
    return {"rows": found[skipped:end], "skipped": skipped, "name": name, "next": end if end < len(found) else None}


WORDINGS = 5  # The latest wordings of a fact are looked for in the turns that were shown it.

_SEPARATORS = re.compile(r"[\s().-]")


@bp.get("/people/<int:person_id>/facts/<int:number>")
def fact(person_id: int, number: int, problem: KeepsakeError | None = None) -> Response:
    """The page, with its forms filled from the request, or else from the fact."""
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
            "categories": categories(db, Fact.person_id == person_id, rows.is_live(now)),
            "form": _form(newest, person, now) | request.form.to_dict(),
            "uses": uses(db, person_id, "fact", number, sentences=said),
            "episodes": episode_rows.of_fact(db, person_id, number),
            "alike": pairs.of_fact(db, newest) if is_held else [],
            "merged": rows.merged_into(db, person_id, number),
            "receipt": None if is_held else receipt(db, versions),
        }
    return page("fact", problem, is_moving="to" in request.form, max_chars=MAX_FACT_CHARS, **shown)


def _form(fact: Fact, person: Person, now: datetime) -> dict[str, str]:
    # Correcting an expired fact makes it live again, so its last day must be given anew.
    ends = fact.expires_at if not rows.is_expired(fact, now) else None
    last_day = last_day_before(ends, person.timezone).isoformat() if ends else ""
    return {"fact": fact.sentence, "category": fact.category or "", "last_day": last_day}


@action("/people/<int:person_id>/facts/<int:number>", "admin.fact", told=(Refused, Conflict), retry=fact)
def revise(person_id: int, number: int) -> str:
    masking.check_revealed(person_id)
    form, origin = request.form, by_operator(person_id)
    sentence, category = form.get("fact", ""), form.get("category", "")
    last_day = read_last_day(form["last_day"]) if "last_day" in form else None
    memory.revise(auth.services(), person_id, number, origin, fact=sentence, category=category, last_day=last_day)
    return f"Fact {number} is corrected." if made_change() else f"Fact {number} says that already: nothing was changed."


@action("/people/<int:person_id>/facts/<int:number>/archive", "admin.fact", told=Conflict)
def archive(person_id: int, number: int) -> str:
    if not memory.archive_facts(auth.services(), person_id, [number], by_operator(person_id)).changed:
        raise Conflict(f"Fact {number} is archived or forgotten already.")
    return f"Archived fact {number}."


@bp.get("/people/<int:person_id>/facts/<int:number>/move")
@bp.get("/people/<int:person_id>/facts/<int:number>/move/ask")
def move_again(person_id: int, number: int) -> Response:
    """Redirect a reload of a refused form's URL to the page with the form."""
    return redirect(url_for("admin.fact", person_id=person_id, number=number), 303)


@action("/people/<int:person_id>/facts/<int:number>/move/ask", "admin.facts", told=Refused, retry=fact)
def ask_move(person_id: int, number: int) -> Response:
    """Show a confirmation before the move: from whom, to whom, and the sentence."""
    with auth.services().reading() as db:
        other = _person_named(db, person_id, request.form.get("to", "").strip())
        person = people.by_id(db, person_id)
        held = rows.held_by_number(db, person_id, number)
    if held is None:
        return not_done(NotFound(f"Fact {number} is not there to move."), "admin.facts")
    return page("move", person=person, fact=held, other=other)


@action("/people/<int:person_id>/facts/<int:number>/move", "admin.fact", told=(Refused, NotFound))
def move(person_id: int, number: int) -> str:
    to_id = request.form.get("to_id", 0, type=int)
    moved = memory.move(auth.services(), person_id, number, to_id, by_operator(person_id))
    known = ", who had told it already" if moved.was_known else ""
    return f"Moved to person {to_id}{known}: fact {moved.fact.number} there. Nothing of it is left here."


@action("/people/<int:person_id>/facts/<int:number>/apart/<int:other>", "admin.fact")
def keep_apart(person_id: int, number: int, other: int) -> str:
    with auth.services().reading() as db:
        both = rows.held_by_numbers(db, person_id, [number, other])
    if len(both) <= 1:
        raise NotFound(f"Not both of the facts {number} and {other} are there: one was forgotten, or never was.")
    pairs.delete_pair(auth.services(), both[0].id, both[1].id)
    return f"Facts {number} and {other} stand side by side: neither is a duplicate of the other."


def _person_named(db: Session, person_id: int, written: str) -> Person:
    """The one other person with this complete number or name.

    Raises:
        Refused: nobody has it, several people do, or it is this person.
    """
    if not written:
        raise Refused("Nobody was named. Write the number or the name of the person of whom it is true.")
    number = _SEPARATORS.sub("", written)
    name = " ".join(written.split()).casefold()
    meant = [one for one in people.everyone(db) if number == one.address or (one.name or "").casefold() == name]
    if len(meant) != 1:
        count = f"{len(meant)} people have" if meant else "Nobody has"
        whole = "Write the whole number, as in +12065550100" + ("." if meant else ", or the whole name.")
        raise Refused(f"{count} the number or name “{written[:40]}”. {whole}")
    if meant[0].id == person_id:
        raise Refused("The fact is this person's already. Choose another person.")
    return meant[0]
