"""All that is remembered of everybody: looked through by facets, searched inside one person, changed many at once."""

from collections.abc import Sequence
from typing import Any, Literal

from flask import make_response, render_template, request
from werkzeug.wrappers import Response

from app import memory as verbs
from app import people
from app.memory import index
from app.memory.recall import MAX_FOUND
from app.models import Person
from app.services import Services
from app.web import auth
from app.web.admin import masking
from app.web.admin.blueprint import asked_id, bp
from app.web.admin.memory_queries import (
    COUNTED,
    FACETS,
    HIDDEN,
    KINDS,
    LOOKED_THROUGH,
    Asked,
    Kind,
    kind_counts,
    listed,
)
from app.web.admin.navigation import Place

PLACE = Place("Memory", "admin.memory", 30)

TITLES = {
    "marks": "Standing",
    "category": "Category",
    "source": "Source",
    "confidence": "Confidence",
    "age": "Learned",
    "importance": "Importance",
    "written": "Written by",
    "trigger": "Made because",
    "state": "State",
    "holds": "Holds",
}
WORDS = {
    "marks": {"alike": "near-duplicates", "conflict": "conflicts"},
    "age": {"day": "last 24 hours", "week": "1–7 days ago", "month": "7–30 days ago", "older": "before that"},
    "confidence": {"certain": "90% and more", "likely": "75% and more", "unsure": "less"},
    "category": {"": "none", HIDDEN: "hidden"},
    "importance": {"high": "90% and more", "usual": "50% and more", "low": "less"},
    "written": {"model": "the model", "extract": "an extract"},
    "trigger": {"quiet": "it went quiet", "ended": "goodbye", "count": "many texts", "compaction": "history full"},
    "state": {"proposed": "waits for a yes"},
}


@bp.get("/memory")
def memory() -> Response:
    services = auth.services()
    kind, person_id = kind_asked(), asked_id("person")
    sought, by_meaning = request.args.get("words", "").strip(), request.args.get("by") == "meaning"
    may_search = masking.is_revealed(person_id) if person_id is not None else bool(masking.revealed())
    words = sought if may_search else ""  # Whether something is found says as much as the words themselves.
    with services.reading() as db:
        person = people.by_id(db, person_id) if person_id is not None else None
    among = _found(services, person, kind, words, by_meaning=by_meaning)
    chosen = {name: request.args[name] for name in FACETS[kind] if name in request.args}
    asked = Asked(kind, person_id, chosen, words, among, asked_id("before"), frozenset(masking.revealed()))
    now = services.clock.now()
    with services.reading() as db:
        page = listed(db, asked, now)
        counts = kind_counts(db, person_id)
    return make_response(
        render_template(
            "admin/memory.html",
            page=page,
            kind=kind,
            kinds=KINDS,
            counts=counts,
            counted=COUNTED,
            person=person,
            chosen=chosen,
            given=facets_given(),
            words=words,
            is_masked=not may_search and bool(sought or chosen.get("category", HIDDEN) not in {"", HIDDEN}),
            by_meaning=by_meaning,
            has_embedder=services.embedder is not None,
            before=asked.before,
            looked_through=LOOKED_THROUGH,
            titles=TITLES,
            spoken=WORDS,
            now=now,
        )
    )


def kind_asked() -> Kind:
    asked = request.args.get("kind", "")
    return next((kind for kind in KINDS if kind == asked), "facts")


def facets_given() -> dict[str, Any]:
    """What the page was asked for, for the addresses of others like it; not the key at which it begins."""
    kind = kind_asked()
    known = ("person", "words", "by", *FACETS[kind])
    given = {name: request.args[name] for name in known if name in request.args}
    return given | ({"kind": kind} if kind != "facts" else {})


def _found(services: Services, person: Person | None, kind: Kind, words: str, *, by_meaning: bool) -> list[int] | None:
    """What a search inside one person has found, the best first; None where nobody's index was asked."""
    if person is None or not words or kind == "rules":  # Rules stand in no index: nobody has many.
        return None
    one: Literal["fact", "episode"] = "fact" if kind == "facts" else "episode"
    if by_meaning:
        found = verbs.recall(services, person.id, words, MAX_FOUND, kinds=[one])
        rows: Sequence[Any] = [hit.fact for hit in found.facts] or [hit.episode for hit in found.episodes]
        return [row.id for row in rows]
    with services.reading() as db:
        return index.find(db, person.id, one, words)[::-1]
