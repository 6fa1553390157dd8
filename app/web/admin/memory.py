"""The page of everybody's memories: filter them, search within one person, and change many at once."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import timedelta
from functools import partial
from typing import Any, Literal

from flask import redirect, request, url_for
from sqlalchemy import ColumnElement, and_, select, true
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response

from app import memory as verbs
from app import people
from app.errors import Conflict, KeepsakeError, NotFound, Refused
from app.memory import facts as fact_rows
from app.memory import index
from app.memory.recall import MAX_FOUND
from app.memory.remember import MAX_FACT_CHARS
from app.memory.revise import MAX_MERGED, FlagResult
from app.models import Episode, Fact, FactPair, Person, Rule
from app.operations import audit
from app.services import Services
from app.text.wording import normalise
from app.web import auth
from app.web.admin import auditing, masking
from app.web.admin.blueprint import Place, action, asked_id, asked_person, bp, by_operator, done, not_done, page
from app.web.admin.facts import categories
from app.web.admin.shown import SOURCES, as_count

PLACE = Place("Memory", "admin.memory", 30)

ON_A_PAGE = 50

Kind = Literal["facts", "episodes", "rules"]
Condition = ColumnElement[bool]

ROWS: Mapping[Kind, Any] = {"facts": Fact, "episodes": Episode, "rules": Rule}


def _paired(kind: str) -> Condition:
    return Fact.id.in_(select(FactPair.fact_id).where(FactPair.kind == kind))


Filters = Mapping[str, tuple[str, Mapping[str, tuple[str, Condition]]]]
"""Filters by name: a title, and values with their words and conditions. Facts have a category filter besides."""

MARKS = {
    "pinned": ("pinned", and_(Fact.PINNED, true())),
    "archived": ("archived", and_(Fact.ARCHIVED, true())),
    "alike": ("near-duplicates", _paired("alike")),
    "conflict": ("conflicts", _paired("conflict")),
}
CERTAIN, LIKELY = 0.9, 0.75  # Told, corrected or set by an operator; imported or told again; lower: inferred once.
CONFIDENCE = {
    "certain": ("certain", Fact.confidence >= CERTAIN),
    "likely": ("likely", and_(Fact.confidence >= LIKELY, Fact.confidence < CERTAIN)),
    "unsure": ("unsure", Fact.confidence < LIKELY),
}
AGES = {"day": ("last 24 hours", 1), "week": ("last 7 days", 7), "month": ("last 30 days", 30)}
STATES = {"active": "active", "paused": "paused", "proposed": "waits for a yes"}


def _filters(kind: Kind) -> Filters:
    table, now = ROWS[kind], auth.services().clock.now()
    ages = {age: (words, table.recorded_at > now - timedelta(days=days)) for age, (words, days) in AGES.items()}
    learned = {"age": ("Learned", ages)}
    if kind == "episodes":
        return learned
    source = {"source": ("Source", {one: (words, table.source == one) for one, words in SOURCES.items()})}
    if kind == "rules":
        return {
            "state": ("State", {one: (words, Rule.state == one) for one, words in STATES.items()}),
            **source,
            **learned,
        }
    return {"marks": ("Standing", MARKS), **source, "confidence": ("Confidence", CONFIDENCE), **learned}


Numbers = Sequence[int]

CHANGES: Mapping[tuple[Kind, str], tuple[str, Callable[..., Any]]] = {
    ("facts", "pin"): ("Pinned", verbs.pin_facts),
    ("facts", "unpin"): ("No longer pinned", partial(verbs.pin_facts, pinned=False)),
    ("facts", "archive"): ("Archived", verbs.archive_facts),
    ("facts", "forget"): ("Forgotten", verbs.forget),
    ("episodes", "forget"): ("Forgotten", verbs.forget_episodes),
    ("rules", "forget"): ("Forgotten", verbs.forget_rules),
}


@bp.get("/memory")
def memory() -> Response:
    services = auth.services()
    kind, person_id, before = _kind(), asked_id("person"), asked_id("before")
    sought, by_meaning = request.args.get("words", "").strip(), request.args.get("by") == "meaning"
    whose_words = masking.revealed().keys() if person_id is None else masking.revealed().keys() & {person_id}
    words = sought if whose_words else ""  # A hit reveals as much as the words themselves.
    with services.reading() as db:
        person = asked_person(db)
    among = _search(services, person, kind, words, by_meaning=by_meaning)
    filters, chosen = _filters(kind), _chosen(kind)
    conditions = [filters[name][1][value][1] for name, value in chosen.items() if name != "category"]
    conditions += _word_conditions(kind, chosen.get("category"), "" if among is not None else words)
    conditions += [] if among is None else [ROWS[kind].id.in_(among)]
    conditions += [] if person_id is None else [ROWS[kind].person_id == person_id]
    held = (Fact.person_id.in_(whose_words), Fact.retired_at.is_(None), Fact.category.is_not(None))
    with services.reading() as db:
        rows, next_key = _listed(db, ROWS[kind], conditions, before)
        if among is not None and by_meaning:
            rows.sort(key=lambda row: among.index(row.id))
        owners = db.scalars(select(Person).where(Person.id.in_({row.person_id for row in rows})))
        pairs = select(FactPair.fact_id, FactPair.kind).where(FactPair.fact_id.in_([row.id for row in rows]))
        shown = {
            "people": {one.id: one for one in owners},
            "pairs": {tuple(row) for row in db.execute(pairs)} if kind == "facts" else (),
            "categories": categories(db, *held) if kind == "facts" else (),
        }
    return page(
        "memory",
        rows=rows,
        kind=kind,
        kinds=[*ROWS],
        person=person,
        filters=filters,
        chosen=chosen,
        given=_choices_in_url(),
        words=words,
        is_masked=not whose_words and bool(sought or chosen.get("category")),
        by_meaning=by_meaning,
        has_embedder=services.embedder is not None,
        before=before,
        next_key=next_key,
        **shown,
    )


def _kind() -> Kind:
    asked = request.args.get("kind", "")
    return next((kind for kind in ROWS if kind == asked), "facts")


def _chosen(kind: Kind) -> dict[str, str]:
    """The chosen value of each filter in use, and the category."""
    filters = _filters(kind)
    chosen = {name: request.args[name] for name in filters if request.args.get(name) in filters[name][1]}
    category = request.args.get("category", "") if kind == "facts" else ""
    return chosen | ({"category": category} if category else {})


def _choices_in_url() -> dict[str, Any]:
    """The choices in the page's URL, for links to similar pages; without the key of the page's start."""
    kind = _kind()
    asked = {name: request.args[name] for name in ("person", "words", "by") if name in request.args}
    return asked | _chosen(kind) | ({"kind": kind} if kind != "facts" else {})


def _word_conditions(kind: Kind, category: str | None, words: str) -> Iterator[Condition]:
    """Conditions on words and category; they exclude masked people, since even a category's name reveals too much."""
    table = ROWS[kind]
    text = Episode.summary + " " + Episode.narrative if kind == "episodes" else table.normalised
    if category or words:
        yield table.person_id.in_(masking.revealed().keys())
    if category:
        yield Fact.category == category
    if words:
        said = words if kind == "episodes" else normalise(words)
        yield from (text.icontains(word, autoescape=True) for word in said.split() or [words])


def _listed(db: Session, table: Any, conditions: list[Condition], before: int | None) -> tuple[list[Any], int | None]:
    """The newest rows, and the id after which the next page starts."""
    look = select(table).where(table.retired_at.is_(None), *conditions)
    if before is not None:
        look = look.where(table.id < before)
    rows = db.scalars(look.order_by(table.id.desc()).limit(ON_A_PAGE + 1)).all()
    return list(rows[:ON_A_PAGE]), rows[ON_A_PAGE - 1].id if len(rows) > ON_A_PAGE else None


def _search(services: Services, person: Person | None, kind: Kind, words: str, *, by_meaning: bool) -> list[int] | None:
    """Ids of rows found within one person, by meaning the best first; None if no index was searched."""
    if person is None or not words or kind == "rules":  # Rules are not indexed, since nobody has many.
        return None
    one: Literal["fact", "episode"] = "fact" if kind == "facts" else "episode"
    if by_meaning:
        found = verbs.recall(services, person.id, words, MAX_FOUND, kinds=[one])
        return [hit.fact.id for hit in found.facts] or [hit.episode.id for hit in found.episodes]
    with services.reading() as db:
        return index.find(db, person.id, one, words)


@bp.post("/memory")
def change_many() -> Response:
    """Make one change per person, and report everything that was not done."""
    kind, given, asked = _kind(), _choices_in_url(), request.form.get("action", "")
    ticked: defaultdict[int, list[int]] = defaultdict(list)
    for person_id, number in auditing.ticked()[:ON_A_PAGE]:
        ticked[person_id].append(number)
    if not ticked:
        nothing = NotFound(f"Nothing was ticked. Tick the {kind}, then choose what to do.")
        return not_done(nothing, "admin.memory", **given)
    if asked == "merge" and kind == "facts":
        return _begin_merge(ticked, given)
    if (kind, asked) not in CHANGES:
        raise Refused(f"“{asked[:20]}” cannot be done to {kind}.")
    label, change = CHANGES[kind, asked]
    became, failed = dict[int, Any](), list[str]()
    for person_id, numbers in ticked.items():
        try:
            became[person_id] = change(auth.services(), person_id, numbers, by_operator(person_id))
        except KeepsakeError:  # For each person all or nothing is done; one's failure does not affect the others.
            failed.append(str(person_id))
    changed = {one: _changed(of) for one, of in became.items()}
    unknown = {one: of.unknown for one, of in became.items()}
    already = {one: of.already for one, of in became.items() if isinstance(of, FlagResult)}
    report = {
        label: _named(kind, changed) or "nothing",
        "So already": _named(kind, already),
        "Not there any more": _named(kind, unknown),
        f"Nothing was done for person {', '.join(failed)}": "open their page and try it there" if failed else "",
    }
    sentence = " ".join(f"{what}: {which}." for what, which in report.items() if which)
    if not any(changed.values()):
        return not_done(Conflict(sentence), "admin.memory", **given)
    if failed or any(unknown.values()):
        auditing.not_done(audit.IN_PART)
    return done(sentence, "admin.memory", **given)


def _changed(became: Any) -> Numbers:
    return became.changed if isinstance(became, FlagResult) else [row.number for row in became.removed]


def _named(kind: Kind, numbers: Mapping[int, Numbers]) -> str:
    """The memories by number alone: the sentence travels in a cookie, which is no place for a person's words."""
    return "; ".join(
        f"{kind if len(theirs) > 1 else kind[:-1]} {', '.join(map(str, sorted(theirs)))} of person {person_id}"
        for person_id, theirs in numbers.items()
        if theirs
    )


def _begin_merge(ticked: Mapping[int, Numbers], given: Mapping[str, str]) -> Response:
    if len(ticked) > 1:
        sentence = f"Facts of {len(ticked)} people were ticked; only one person's can be merged. Nothing was merged."
        return not_done(Refused(sentence), "admin.memory", **given)
    [(person_id, numbers)] = ticked.items()
    if not 1 < len(numbers) <= MAX_MERGED:
        sentence = f"{as_count(len(numbers), 'fact')} ticked; 2 to {MAX_MERGED} can be merged."
        return not_done(Refused(sentence), "admin.memory", **given)
    return redirect(url_for("admin.merge", person_id=person_id, numbers=",".join(map(str, sorted(numbers)))), 303)


@bp.get("/people/<int:person_id>/merge")
def merge(person_id: int, problem: KeepsakeError | None = None) -> Response:
    numbers = auditing.to_be_merged()[: 2 * MAX_MERGED]
    with auth.services().reading() as db:
        person, held = people.by_id(db, person_id), fact_rows.held_by_numbers(db, person_id, numbers)
    longest = max((fact.sentence for fact in held), key=len, default="")
    return page(
        "merge",
        problem,
        person=person,
        facts=held,
        numbers=",".join(map(str, numbers)),
        sentence=request.form.get("fact", longest),
        max_chars=MAX_FACT_CHARS,
    )


@action("/people/<int:person_id>/merge", "admin.memory", told=(Refused, Conflict, NotFound), retry=merge)
def merge_into_one(person_id: int) -> Response:
    numbers, sentence = auditing.to_be_merged()[: 2 * MAX_MERGED], request.form.get("fact", "")
    merged = verbs.merge(auth.services(), person_id, numbers, sentence, by_operator(person_id))
    others = sorted({*numbers} - {merged.number})
    which = f"fact{'' if len(others) == 1 else 's'} {', '.join(map(str, others))}"
    return done(f"Fact {merged.number} says it now, also what {which} said.", "admin.fact", number=merged.number)
