"""All that is remembered of everybody, looked through from the newest on: which rows match, and what else they are.

However much there is, one look reads `LOOKED_THROUGH` rows at most, so that it takes the same few milliseconds with
three hundred thousand facts as with three thousand; the counts beside the facets are of these rows. Of the facets that
are chosen, the first that has an index decides which rows those are. docs/decisions/0029-operator-pages.md
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, get_args

from sqlalchemy import ColumnElement, Select, and_, case, func, literal, select, true
from sqlalchemy.orm import Session

from app.models import Episode, Fact, FactPair, Person, Rule
from app.text.wording import normalise

Kind = Literal["facts", "episodes", "rules"]
KINDS: tuple[Kind, ...] = get_args(Kind)

LOOKED_THROUGH = 1_500  # Rows; read and counted in about ten milliseconds.
ON_A_PAGE = 50
VALUES_SHOWN = 12  # Of a facet, the most frequent.
HIDDEN = "?"
"""The category of a fact whose words are masked: what it is called says too much of it."""
COUNTED = 1_000  # Of a kind: whether there are more is not worth a look at all of them.

AGES = {"day": timedelta(days=1), "week": timedelta(days=7), "month": timedelta(days=30), "older": None}
"""Up to how long ago, each from where the one before it ends."""
CERTAIN, LIKELY = 0.9, 0.75  # Told, corrected or by an operator; imported, or told again; below it, inferred once.
HIGH, USUAL = 0.9, 0.5  # Of episodes: importance.

FACETS: dict[Kind, tuple[str, ...]] = {
    "facts": ("marks", "category", "source", "confidence", "age"),
    "episodes": ("age", "importance", "written", "trigger"),
    "rules": ("state", "source", "holds", "age"),
}
_IDS = 2  # Of the columns that are read, the first: its own id and its person's. What follows tells its facets.
_ROWS: dict[Kind, type[Fact] | type[Episode] | type[Rule]] = {"facts": Fact, "episodes": Episode, "rules": Rule}


@dataclass(frozen=True)
class Asked:
    """Which memories are wanted."""

    kind: Kind
    person_id: int | None = None
    chosen: Mapping[str, str] | None = None
    """A value of each facet that was chosen."""
    words: str = ""
    """All of them have to be in it; not looked at where `among` says what a search has found."""
    among: Sequence[int] | None = None
    """Row ids, the best first: then these are listed, in this order."""
    before: int | None = None
    """The row id behind which to go on."""
    readable: frozenset[int] = frozenset()
    """People whose words may be seen: of nobody else are words looked for, or categories told apart."""


@dataclass(frozen=True)
class Value:
    """One value of a facet."""

    value: str
    count: int
    is_chosen: bool


@dataclass(frozen=True)
class Listed:
    """A page of memories."""

    rows: list[Any]
    """Facts, episodes or rules, the newest first, or as a search has put them."""
    marks: dict[int, tuple[str, ...]]
    """By row id: those of `pinned`, `archived`, `alike` and `conflict` (it is in such a pair) that a fact is."""
    people: dict[int, Person]
    facets: dict[str, list[Value]]
    person_counts: list[tuple[Person, int]]
    """Of whom most of them are, where no person is chosen."""
    matching: int
    """How many matched, among those that were looked through."""
    is_all: bool
    """Whether all there is was looked through, so that the counts are of everything."""
    next_key: int | None
    """The row id behind which the next page begins; None where nothing is left."""


def listed(db: Session, asked: Asked, now: datetime) -> Listed:
    """The page that was asked for, with its facets."""
    chosen = dict(asked.chosen or {})
    window = db.connection().execute(_window(db, asked, chosen, now))
    columns, looked = tuple(window.keys())[_IDS:], window.all()
    is_all = len(looked) < LOOKED_THROUGH
    places = {item: place for place, item in enumerate(asked.among or ())}
    names = FACETS[asked.kind]
    tally: dict[str, Counter[str]] = {name: Counter() for name in names}
    fits: dict[tuple[Any, ...], bool] = {}
    # Many rows are alike in all their facets: each sort of them is looked at once, which takes a third of the time.
    for sort, count in Counter(row[_IDS:] for row in looked).items():
        told = dict(zip(columns, sort, strict=True))
        values = {name: _marks(told) if name == "marks" else (told[name],) for name in names}
        failing = [name for name in names if name in chosen and chosen[name] not in values[name]]
        fits[sort] = sort[0] and not failing
        if sort[0] and len(failing) <= 1:
            for name in failing or names:  # What one facet alone leaves out is counted where that one would let it in.
                tally[name].update(dict.fromkeys(values[name], count))
    matching = [row for row in looked if fits[row[_IDS:]]]
    persons = Counter(row.person_id for row in matching).most_common(VALUES_SHOWN)
    if asked.among is not None:
        matching.sort(key=lambda row: places[row.id])
    shown, rest = matching[:ON_A_PAGE], len(matching) > ON_A_PAGE
    next_key = (shown[-1].id if rest else None if is_all else looked[-1].id) if asked.among is None else None
    people = _by_id(db, Person, {row.person_id for row in shown} | {one for one, _ in persons})
    by_id = _by_id(db, _ROWS[asked.kind], [one.id for one in shown])
    marked = shown if asked.kind == "facts" else []
    return Listed(
        rows=[by_id[one.id] for one in shown],
        marks={one.id: _marks(dict(zip(columns, one[_IDS:], strict=True))) for one in marked},
        people=people,
        facets={name: _shown_values(name, tally[name], chosen.get(name)) for name in names},
        person_counts=[(people[one], count) for one, count in persons if one in people],
        matching=len(matching),
        is_all=is_all,
        next_key=next_key,
    )


def _by_id(db: Session, table: Any, ids: Collection[int]) -> dict[int, Any]:
    return {row.id: row for row in db.scalars(select(table).where(table.id.in_(ids)))}


def kind_counts(db: Session, person_id: int | None) -> dict[Kind, int]:
    """How much is remembered of each kind, at most `COUNTED`: that many may be more."""
    counts = []
    for row in _ROWS.values():
        whose = (row.person_id == person_id,) if person_id is not None else ()
        some = select(literal(1)).where(row.retired_at.is_(None), *whose).limit(COUNTED)
        counts.append(select(func.count()).select_from(some.subquery()).scalar_subquery())
    return dict(zip(KINDS, db.execute(select(*counts)).one(), strict=True))


def _window(db: Session, asked: Asked, chosen: Mapping[str, str], now: datetime) -> Select[Any]:
    row = _ROWS[asked.kind]
    ages = [(row.recorded_at > now - span, name) for name, span in AGES.items() if span is not None]
    told = (_has_words(row, asked).label("has_words"), case(*ages, else_="older").label("age"), *_columns(asked))
    look = select(row.id, row.person_id, *told).where(row.retired_at.is_(None))
    if asked.before is not None:
        look = look.where(row.id < asked.before)
    if asked.among is not None:
        look = look.where(row.id.in_(asked.among))
    if asked.person_id is not None:
        look = look.where(row.person_id == asked.person_id)
    elif asked.kind == "facts":
        look = look.where(*_driving(db, asked, chosen, now))
    return look.order_by(row.id.desc()).limit(LOOKED_THROUGH)


def _columns(asked: Asked) -> list[ColumnElement[Any]]:
    if asked.kind == "episodes":
        written = case((Episode.written_by == "extractive", "extract"), else_="model")
        importance = case((Episode.importance >= HIGH, "high"), (Episode.importance >= USUAL, "usual"), else_="low")
        return [importance.label("importance"), written.label("written"), Episode.trigger.label("trigger")]
    if asked.kind == "rules":
        return [Rule.state.label("state"), Rule.source.label("source"), Rule.trigger_kind.label("holds")]
    confidence = case((Fact.confidence >= CERTAIN, "certain"), (Fact.confidence >= LIKELY, "likely"), else_="unsure")
    paired = {
        name: select(literal(1)).where(FactPair.fact_id == Fact.id, FactPair.kind == name).exists()
        for name in ("alike", "conflict")
    }
    return [
        case((Fact.person_id.in_(asked.readable), func.coalesce(Fact.category, "")), else_=HIDDEN).label("category"),
        Fact.source.label("source"),
        confidence.label("confidence"),
        Fact.pinned.label("pinned"),
        Fact.archived_at.is_not(None).label("archived"),
        *(exists.label(name) for name, exists in paired.items()),
    ]


def _driving(db: Session, asked: Asked, chosen: Mapping[str, str], now: datetime) -> list[ColumnElement[bool]]:
    """Which of the chosen facets decides which facts are looked through: the one that leaves fewest, by its index."""
    marked, category = chosen.get("marks"), chosen.get("category")
    if marked in {"alike", "conflict"}:
        return [_paired(marked, asked.before)]
    if marked in _MARKED:
        return [_MARKED[marked]]
    if category not in {None, HIDDEN}:
        # Of nobody else, or the count of those that are hidden would tell how many are of this category.
        of_it = Fact.category == category if category else Fact.category.is_(None)
        return [of_it, Fact.person_id.in_(asked.readable)]
    if "source" in chosen:
        return [Fact.source == chosen["source"]]
    return _aged(db, chosen["age"], now) if chosen.get("age") in AGES else []


_MARKED: dict[str | None, ColumnElement[bool]] = {
    "pinned": and_(Fact.PINNED, true()),
    "archived": and_(Fact.ARCHIVED, true()),
}


def _paired(kind: str, before: int | None) -> ColumnElement[bool]:
    """In a pair of this kind: of very many pairs only as many as one look has room for are read."""
    theirs = select(FactPair.fact_id).where(FactPair.kind == kind).distinct()
    if before is not None:
        theirs = theirs.where(FactPair.fact_id < before)
    return Fact.id.in_(theirs.order_by(FactPair.fact_id.desc()).limit(LOOKED_THROUGH).subquery().select())


def _aged(db: Session, age: str, now: datetime) -> list[ColumnElement[bool]]:
    """Facts are numbered as they are learned, so an age is a stretch of row ids: its end is where the look begins."""
    newer = [span for span in list(AGES.values())[: list(AGES).index(age)] if span is not None]
    if not newer:
        return []
    first = select(Fact.id).where(Fact.recorded_at >= now - max(newer)).order_by(Fact.recorded_at, Fact.id).limit(1)
    found = db.scalar(first)
    return [Fact.id < found] if found is not None else []


def _has_words(row: type[Fact] | type[Episode] | type[Rule], asked: Asked) -> ColumnElement[bool]:
    words = normalise(asked.words).split() if asked.among is None else []
    if not words:
        return true()
    seen = row.person_id.in_(asked.readable)
    if issubclass(row, Episode):
        said = row.summary + " " + row.narrative
        return and_(seen, *(said.icontains(word, autoescape=True) for word in words))
    return and_(seen, *(row.normalised.contains(word, autoescape=True) for word in words))


def _marks(row: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(mark for mark in _ALWAYS["marks"] if row[mark])


_ALWAYS = {"marks": ("pinned", "archived", "alike", "conflict"), "age": tuple(AGES)}
"""Values that are offered also where none of the rows looked through has them: further back some may."""


def _shown_values(name: str, counts: Counter[str], chosen: str | None) -> list[Value]:
    found = {value: counts[value] for value in _ALWAYS.get(name, ())} | dict(counts.most_common(VALUES_SHOWN))
    if chosen is not None:
        found.setdefault(chosen, counts[chosen])
    return [Value(value, count, value == chosen) for value, count in found.items()]
