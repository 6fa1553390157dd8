"""The page of a person's facts: search, add, pin, forget."""

from typing import Any

from flask import make_response, render_template, request
from werkzeug.wrappers import Response

from app import memory, people
from app.errors import KeepsakeError, NotFound
from app.memory import NewFact
from app.memory import facts as fact_rows
from app.memory.forget import receipt
from app.memory.remember import MAX_FACT_CHARS, Remembered
from app.web import auth
from app.web.admin import masking, queries
from app.web.admin.blueprint import asked_id, bp, done, not_done
from app.web.admin.shown import as_count
from app.web.admin.undoing import by_operator


@bp.get("/people/<int:person_id>/facts")
def facts(person_id: int) -> Response:
    return _page(person_id)


@bp.post("/people/<int:person_id>/facts")
def remember(person_id: int) -> Response:
    sentence, category = request.form.get("fact", ""), request.form.get("category", "")
    try:
        kept = memory.remember(
            auth.services(), person_id, [NewFact(sentence, category or None)], by_operator(person_id)
        )
    except KeepsakeError as error:
        return _page(person_id, problem=str(error), sentence=sentence, category=category, status=error.http_status)
    return done(_what_became(kept), "admin.facts", person_id=person_id)


@bp.post("/people/<int:person_id>/facts/<int:number>/pin")
def pin(person_id: int, number: int) -> Response:
    memory.revise(auth.services(), person_id, number, by_operator(person_id), pinned=True)
    return done(f"Pinned fact {number}: it is always shown to the model.", "admin.facts", person_id=person_id)


@bp.post("/people/<int:person_id>/facts/<int:number>/unpin")
def unpin(person_id: int, number: int) -> Response:
    memory.revise(auth.services(), person_id, number, by_operator(person_id), pinned=False)
    return done(f"Fact {number} is no longer pinned.", "admin.facts", person_id=person_id)


@bp.post("/people/<int:person_id>/facts/<int:number>/forget")
def forget(person_id: int, number: int) -> Response:
    endpoint, where = _back_from(number)
    if memory.forget(auth.services(), person_id, [number], by_operator(person_id)).unknown:
        return not_done(NotFound(f"Fact {number} is not there to forget."), endpoint, person_id=person_id, **where)
    sentence = f"Forgot fact {number}. It is kept under Forgotten.{_receipt(person_id, number)}"
    return done(sentence, endpoint, person_id=person_id, **where)


def _back_from(number: int) -> tuple[str, dict[str, Any]]:
    """The page on which the button to forget it stood: of the turn that was shown it, its own, or that of all facts."""
    turn_of = request.form.get("turn_of", type=int)
    if turn_of is not None:
        return "admin.conversation", {"around": turn_of, "unfold": 1, "_anchor": f"message-{turn_of}"}
    return ("admin.fact", {"number": number}) if "receipt" in request.form else ("admin.facts", {})


def _receipt(person_id: int, number: int) -> str:
    """What went with it, in a sentence; its page says the same at length."""
    with auth.services().reading() as db:
        removed = receipt(db, fact_rows.versions(db, person_id, number))
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


def _what_became(kept: Remembered) -> str:
    if kept.duplicates:
        return f"Fact {kept.duplicates[0].number} says that already."
    sentence = f"Added as fact {kept.stored[0].number}."
    if kept.conflicts:
        rivals = ", ".join(str(fact.number) for fact in kept.conflicts[0].known)
        sentence += f" It may be about the same thing as fact {rivals}: correct or forget what is no longer true."
    return sentence


def _page(person_id: int, *, problem: str = "", sentence: str = "", category: str = "", status: int = 200) -> Response:
    services = auth.services()
    words, chosen = masking.searched(person_id, "words"), masking.searched(person_id, "category")
    before, now = asked_id("before"), services.clock.now()
    with services.reading() as db:
        person = people.by_id(db, person_id)
        found = fact_rows.find(db, person_id, words) if words else fact_rows.live(db, person_id, now, chosen or None)
        known_categories = queries.categories(db, person_id, now)
    # The newest first: what was learned since the last look is what the operator comes for.
    newest_first = [fact for fact in reversed(found) if before is None or fact.number < before]
    page = render_template(
        "admin/facts.html",
        person=person,
        facts=newest_first[: queries.FACTS_ON_A_PAGE],
        has_more=len(newest_first) > queries.FACTS_ON_A_PAGE,
        total=len(found),
        words=words,
        chosen=chosen,
        before=before,
        categories=known_categories,
        problem=problem,
        sentence=sentence,
        category=category,
        max_chars=MAX_FACT_CHARS,
        now=now,
    )
    return make_response(page, status)
