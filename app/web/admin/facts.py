"""The lists of a person's facts: those that are live, to search, add, pin and forget; the archived; the forgotten."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from flask import request
from sqlalchemy import select
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response

from app import memory, people
from app.errors import Conflict, KeepsakeError, NotFound
from app.memory import NewFact
from app.memory import facts as rows
from app.memory.episodes.retelling import forgotten_episodes, forgotten_subjects
from app.memory.forget import receipt
from app.memory.remember import MAX_FACT_CHARS
from app.models import Fact
from app.web import auth
from app.web.admin import masking
from app.web.admin.blueprint import action, asked_id, bp, by_operator, done, not_done, page
from app.web.admin.shown import as_count

ON_A_PAGE = 50


def _page(person_id: int, problem: KeepsakeError | None = None) -> Response:
    services = auth.services()
    words, chosen = masking.searched(person_id, "words"), masking.searched(person_id, "category")
    before, now = asked_id("before"), services.clock.now()
    with services.reading() as db:
        person = people.by_id(db, person_id)
        found = rows.find(db, person_id, words) if words else rows.live(db, person_id, now, chosen or None)
        known_categories = categories(db, person_id)
    # The newest first: what was learned since the last look is what the operator comes for.
    newest_first = [fact for fact in reversed(found) if before is None or fact.number < before]
    return page(
        "facts",
        problem,
        person=person,
        facts=newest_first[:ON_A_PAGE],
        has_more=len(newest_first) > ON_A_PAGE,
        total=len(found),
        words=words,
        chosen=chosen,
        before=before,
        categories=known_categories,
        sentence=request.form.get("fact", ""),
        category=request.form.get("category", ""),
        max_chars=MAX_FACT_CHARS,
    )


@bp.get("/people/<int:person_id>/facts")
def facts(person_id: int) -> Response:
    return _page(person_id)


@action("/people/<int:person_id>/facts", "admin.facts", told=KeepsakeError, retry=_page)
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


def categories(db: Session, person_id: int) -> list[str]:
    """The categories of the person's live facts, by name."""
    live = select(Fact.category).where(Fact.person_id == person_id, rows.is_live(auth.services().clock.now()))
    return [name for name in db.scalars(live.distinct().order_by(Fact.category)) if name]


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
    # Back to where the button stood: the turn that was shown it, its own page, or that of all facts.
    endpoint, where = "admin.fact" if "receipt" in request.form else "admin.facts", dict[str, Any]()
    turn_of = request.form.get("turn_of", type=int)
    if turn_of is not None:
        endpoint = "admin.conversation"
        where = {"around": turn_of, "unfold": 1, "_anchor": f"message-{turn_of}"}
    if memory.forget(auth.services(), person_id, [number], by_operator(person_id)).unknown:
        return not_done(NotFound(f"Fact {number} is not there to forget."), endpoint, **where)
    return done(f"Forgot fact {number}. It is kept under Forgotten.{_receipt(person_id, number)}", endpoint, **where)


def _receipt(person_id: int, number: int) -> str:
    """The receipt in a sentence; the fact's page says the same at length."""
    with auth.services().reading() as db:
        removed = receipt(db, rows.versions(db, person_id, number))
    if removed is None:
        return ""
    counts = (
        (len(removed.episodes), "episode", "told anew"),
        (removed.texts, "text", "indexed anew"),
        (removed.quotes, "quote", "shortened"),
    )
    went = [f"{as_count(count, word)} {what}" for count, word, what in counts if count]
    left = f"{as_count(removed.left_in_index, 'row')} of it left in the index"
    return f" Receipt: {', '.join([*went, left])}."


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
    return page("archived", person=person, facts=_some(found, "skip"))


@bp.get("/people/<int:person_id>/forgotten")
def forgotten(person_id: int) -> Response:
    """A subject cannot be restored by itself: what was told of it comes back by undo, in the order of the changes."""
    with auth.services().reading() as db:
        person, found = people.by_id(db, person_id), rows.forgotten(db, person_id)
        episodes, subjects = forgotten_episodes(db, person_id), forgotten_subjects(db, person_id)
    together = Counter(change.id for _, change in episodes)
    told = [(episode, change, together[change.id] - 1) for episode, change in episodes]
    shown = {"facts": _some(found, "skip"), "episodes": _some(told, "skip_episodes")}
    return page("forgotten", person=person, subjects=subjects, **shown)


def _some(found: Sequence[object], name: str) -> dict[str, Any]:
    """One page of the rows, from as many on as the address says by this name; `next` where another page follows."""
    skipped = asked_id(name) or 0
    end = skipped + ON_A_PAGE
    return {"rows": found[skipped:end], "skipped": skipped, "next": end if end < len(found) else None}
