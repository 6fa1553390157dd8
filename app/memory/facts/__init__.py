"""Fact rows: find, add, retire, bring back and archive them, each with its index document.

A fact is *held* until it is forgotten. A held fact is *live*, or *archived* if it was put out of sight, expired, faded,
or is the weakest of very many: a search finds it, but it is never shown unasked. Archiving that happens by itself
records no change, since `/undo` takes back only acts. See docs/decisions/0022-archived-facts.md.
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any, NamedTuple, cast

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Row,
    Table,
    and_,
    bindparam,
    case,
    delete,
    func,
    not_,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.orm import Session, aliased

from app.clock import days_between, local
from app.errors import Conflict
from app.memory import index
from app.memory.changes import LARGEST_NUMBER, Origin, held, last_retired, next_version, versions_of
from app.memory.changes import held_by_number as of_held
from app.memory.facts.categories import OF_CONSTRAINTS, importance_of, is_passing
from app.memory.index import IndexQuery
from app.memory.index.documents import Document
from app.memory.index.ranking import HALF_LIFE_DAYS, standing_factor
from app.models import Fact, FactPair, Person
from app.services import Services
from app.text.wording import normalise, one_line

ALIKE_POOL = 20  # Search results by words, best first: a fact that says the same shares most words.
MOST_LIVE = 1000  # Per person: each new fact is compared with all of them.
FADED_HALF_LIVES = 8  # About two years; by then disuse has taken 99.6 % of what it can take.
FACTS_AT_ONCE = 200  # Some milliseconds, in which an incoming text waits for the database.

_FADED_AFTER = timedelta(days=FADED_HALF_LIVES * HALF_LIFE_DAYS)
_NOT_ARCHIVED = (Fact.retired_at.is_(None), Fact.archived_at.is_(None))
# Built once: every new fact runs it.
_HOW_MANY = select(func.count(Fact.id)).where(Fact.person_id == bindparam("person"), *_NOT_ARCHIVED)

COLUMNS = (Fact.importance, Fact.confidence, Fact.pinned, Fact.fresh_at)
"""Columns that `standing_factor_of` reads."""
FactRow = Row[int, datetime | None, float, float, bool, datetime]  # Id, `expires_at`, and `COLUMNS`.

held_by_number = partial(of_held, Fact)
versions = partial(versions_of, Fact)  # All versions of one fact, oldest first; none for an unknown number.

_ROWS = cast("Table", Fact.__table__)
_USED = update(_ROWS).where(
    _ROWS.c.person_id == bindparam("person"),
    _ROWS.c.number.in_(bindparam("used", expanding=True)),
    _ROWS.c.retired_at.is_(None),
)
# On the table, not the class: every reply waits for it, and no fact object has to be updated.
_COUNT_USE = _USED.values(use_count=_ROWS.c.use_count + 1, last_used_at=bindparam("now"), fresh_at=bindparam("now"))
_BACK_BY_USE = _USED.where(_ROWS.c.archived_at.is_not(None)).values(archived_at=None)


def is_live(now: datetime | BindParameter[datetime]) -> ColumnElement[bool]:
    """SQL condition: the fact is held, not archived and not expired."""
    not_expired = or_(_ROWS.c.expires_at.is_(None), _ROWS.c.expires_at > now)
    return and_(_ROWS.c.retired_at.is_(None), _ROWS.c.archived_at.is_(None), not_expired)


_LEADS = _ROWS.c.pinned | (_ROWS.c.importance >= OF_CONSTRAINTS)
_KNOWN = select(_ROWS.c.id, _ROWS.c.number, _ROWS.c.sentence, _ROWS.c.normalised, _ROWS.c.message_id, _LEADS).where(
    _ROWS.c.person_id == bindparam("person"), is_live(bindparam("now"))
)
_COUNT_LIVE = _KNOWN.with_only_columns(func.count(_ROWS.c.id))
_BY_NUMBERS = _KNOWN.where(_ROWS.c.number.in_(bindparam("numbers", expanding=True)))
_FOREMOST = _KNOWN.order_by(
    _ROWS.c.pinned.desc(), _ROWS.c.importance.desc(), _ROWS.c.passing, _ROWS.c.fresh_at.desc(), _ROWS.c.number
).limit(bindparam("limit"))


class KnownFact(NamedTuple):
    """The columns of a live fact that a turn needs; loading a hundred `Fact` objects would be too slow."""

    id: int
    number: int
    sentence: str
    normalised: str
    message_id: int | None
    leads: bool = False  # True if pinned or a constraint: shown before all others on any topic.


def is_archived(fact: Fact, now: datetime) -> bool:
    """True if the fact is held but not live."""
    return fact.retired_at is None and (fact.archived_at is not None or is_expired(fact, now))


def is_expired(fact: Fact, now: datetime) -> bool:
    return fact.expires_at is not None and fact.expires_at <= now


def live(db: Session, person_id: int, now: datetime, category: str | None = None) -> list[Fact]:
    """The person's live facts, by number."""
    facts = select(Fact).where(Fact.person_id == person_id, is_live(now)).order_by(Fact.number)
    return list(db.scalars(facts.where(_of_category(category))))


def count_live(db: Session, person_id: int, now: datetime) -> int:
    return db.scalar(_COUNT_LIVE, {"person": person_id, "now": now}) or 0


def archived(
    db: Session, person_id: int, now: datetime, category: str | None = None, limit: int | None = None
) -> list[Fact]:
    """The person's archived facts, the latest archived first."""
    facts = held(Fact, person_id).where(not_(is_live(now)), _of_category(category))
    since = func.coalesce(Fact.archived_at, Fact.expires_at)
    return list(db.scalars(facts.order_by(since.desc(), Fact.number.desc()).limit(limit)))


def count_archived(db: Session, person_id: int, now: datetime, category: str | None = None) -> int:
    facts = held(Fact, person_id).where(not_(is_live(now)), _of_category(category))
    return db.scalar(facts.with_only_columns(func.count(Fact.id))) or 0


def archived_alike(db: Session, person_id: int, sentence: str, now: datetime) -> list[Fact]:
    """Archived facts among the `ALIKE_POOL` that share most words with the sentence, by number."""
    facts = held(Fact, person_id).where(not_(is_live(now)))
    if db.scalar(facts.with_only_columns(Fact.id).limit(1)) is None:  # Most people have none: nothing to search for.
        return []
    ids = index.search(db, person_id, "fact", IndexQuery(sentence, pool=ALIKE_POOL, reach=0)).items.tolist()
    return list(db.scalars(facts.where(Fact.id.in_(ids)).order_by(Fact.number)))


def most_important(db: Session, person_id: int, limit: int, now: datetime) -> list[KnownFact]:
    """The most important live facts: pinned, then by importance (constraints lead), tastes last, latest used first."""
    given = {"person": person_id, "limit": limit, "now": now}
    return [KnownFact(*row) for row in db.connection().execute(_FOREMOST, given)]


def known(db: Session, person_id: int, numbers: Sequence[int], now: datetime) -> list[KnownFact]:
    """Live facts with these numbers, in the given order."""
    given = {"person": person_id, "numbers": list(numbers), "now": now}
    by_number = {row.number: KnownFact(*row) for row in db.connection().execute(_BY_NUMBERS, given)}
    return [by_number[number] for number in numbers if number in by_number]


def find(db: Session, person_id: int, words: str) -> list[Fact]:
    """Held facts with all the words, in any form, by number."""
    ids = index.find(db, person_id, "fact", words)
    return list(db.scalars(select(Fact).where(Fact.person_id == person_id, Fact.id.in_(ids)).order_by(Fact.number)))


def earlier_versions(db: Session, person_id: int) -> list[Fact]:
    """Earlier versions of held facts that were true once and were not undone."""
    current = aliased(Fact)
    ended = (
        select(Fact)
        .join(current, and_(current.person_id == Fact.person_id, current.number == Fact.number))
        .where(Fact.person_id == person_id, Fact.retired_at.is_not(None), current.retired_at.is_(None))
        .where(Fact.normalised != current.normalised, Fact.valid_to.is_not(None))
    )
    return list(db.scalars(ended.order_by(Fact.number, Fact.version)))


def forgotten(db: Session, person_id: int) -> list[Fact]:
    """Forgotten facts that may be restored, each in its last version, latest forgotten first."""
    facts = last_retired(Fact, person_id).where(Fact.merged_into.is_(None))
    return list(db.scalars(facts.order_by(Fact.retired_at.desc(), Fact.number)))


def merged_into(db: Session, person_id: int, number: int) -> list[Fact]:
    """Facts merged into this one, each in its last version, by number."""
    return list(db.scalars(last_retired(Fact, person_id).where(Fact.merged_into == number).order_by(Fact.number)))


def held_by_numbers(db: Session, person_id: int, numbers: Collection[int]) -> list[Fact]:
    """Held facts with these numbers, in ascending order."""
    asked = [number for number in numbers if 0 < number <= LARGEST_NUMBER]
    return list(db.scalars(held(Fact, person_id).where(Fact.number.in_(asked)).order_by(Fact.number)))


def held_by_sentence(db: Session, person_id: int, sentence: str) -> Fact | None:
    """The held fact with the same sentence, apart from case, spacing and punctuation."""
    return db.scalars(held(Fact, person_id).where(Fact.normalised == normalise(sentence))).one_or_none()


def add(db: Session, person_id: int, sentence: str, category: str | None, origin: Origin, now: datetime) -> Fact:
    """Add a fact under the person's next number."""
    person = db.get_one(Person, person_id)
    person.last_fact_number += 1
    fact = Fact(
        person_id=person_id,
        number=person.last_fact_number,
        version=1,
        sentence=sentence,
        normalised=normalise(sentence),
        category=category,
        importance=importance_of(sentence, category),
        passing=is_passing(sentence, category),
        created_at=now,
        recorded_at=now,
        fresh_at=now,
        valid_from=now,
        pinned=False,
        confidence=origin.confidence,
        **origin.columns,
    )
    return _keep(db, fact)


def add_version(db: Session, before: Fact, sentence: str, category: str | None, origin: Origin, now: datetime) -> Fact:
    """Add the next version of a fact; the version before stays as history, true until now.

    If only the category is new, the fact keeps its dates and its source.
    """
    retire(db, before, now)
    weight = {"importance": importance_of(sentence, category), "passing": is_passing(sentence, category)}
    new: dict[str, object] = {"category": category, "fresh_at": now, **weight}
    if sentence != before.sentence:
        before.valid_to = now
        new |= {"sentence": sentence, "normalised": normalise(sentence), "valid_from": now, "times_told": 1}
        new |= {"confidence": origin.confidence, **origin.columns}
    return _keep(db, next_version(db, before, now, origin.seen, **new))


def bring_back(db: Session, retired: Fact, now: datetime) -> Fact:
    """Add a retired version again as the newest one, unchanged, and archived if it was.

    Raises:
        Conflict: another held fact says the same, or the number is already held.
    """
    current = held_by_number(db, retired.person_id, retired.number)
    if current is not None:
        raise Conflict(f"Fact {current.number} is remembered already: '{current.sentence}'.")
    same = held_by_sentence(db, retired.person_id, retired.sentence)
    if same is not None:
        raise Conflict(f"'{retired.sentence}' cannot come back: fact {same.number} says '{same.sentence}'.")
    return _keep(db, next_version(db, retired, now, fresh_at=now))


def retire(db: Session, fact: Fact, now: datetime) -> None:
    """Make the fact no longer held: not shown, not found, not counted as a duplicate."""
    fact.retired_at = now
    index.remove(db, fact.person_id, "fact", [fact.id])
    db.execute(delete(FactPair).where(or_(FactPair.fact_id == fact.id, FactPair.other_id == fact.id)))
    db.flush()


def count_use(db: Session, person_id: int, numbers: Collection[int], now: datetime) -> None:
    """Count one use of each of these facts; archived ones become live again."""
    if not numbers:
        return
    given = {"person": person_id, "used": list(numbers), "now": now}
    db.connection().execute(_COUNT_USE, given)
    if db.connection().execute(_BACK_BY_USE, given).rowcount:
        archive_beyond_limit(db, person_id, now, but=numbers)


def _of_category(category: str | None) -> ColumnElement[bool]:
    return true() if category is None else func.lower(Fact.category) == one_line(category).casefold()


def _keep(db: Session, fact: Fact) -> Fact:
    db.add(fact)
    db.flush()
    day = local(fact.recorded_at, db.get_one(Person, fact.person_id).timezone).date()
    index.add(db, fact.person_id, "fact", [Document(fact.id, fact.sentence, day, own=True)])
    return fact


def standing_factor_of(row: Row[*tuple[Any, ...]], at: datetime) -> float:
    """`ranking.standing_factor` of a row that includes the columns `COLUMNS`."""
    return standing_factor(row.importance, row.confidence, row.pinned, days_between(row.fresh_at, at))


def archive_beyond_limit(db: Session, person_id: int, now: datetime, *, but: Collection[int] = ()) -> None:
    """Archive the person's weakest facts beyond `MOST_LIVE` live ones, but none with the numbers `but`."""
    over = (db.scalar(_HOW_MANY, {"person": person_id}) or 0) - MOST_LIVE
    if over <= 0:
        return
    theirs = select(Fact.id, Fact.expires_at, *COLUMNS).where(Fact.person_id == person_id, *_NOT_ARCHIVED)
    rows = db.execute(theirs.where(Fact.number.not_in(but))).all()
    _archive(db, _weakest_first(rows, now)[:over], now)


def archive_some(services: Services) -> int:
    """Archive expired and faded facts, at most `FACTS_AT_ONCE`; the number archived, 0 once none is left."""
    now = services.clock.now()
    with services.reading() as db:  # Mostly there is none, and reading blocks no writer.
        if not _due(db, now, 1):
            return 0
    with services.transaction() as db:
        due = _due(db, now, FACTS_AT_ONCE)
        _archive(db, due, now)
    return len(due)


def _due(db: Session, now: datetime, limit: int) -> Sequence[int]:
    expired = select(Fact.id).where(*_NOT_ARCHIVED, Fact.expires_at <= now).order_by(Fact.expires_at)
    faded = select(Fact.id).where(Fact.FADING, Fact.fresh_at <= now - _FADED_AFTER).order_by(Fact.fresh_at)
    return db.scalars(expired.limit(limit)).all() or db.scalars(faded.limit(limit)).all()


def _weakest_first(rows: Sequence[FactRow], now: datetime) -> list[int]:
    """Ids by standing, weakest first: expired facts before all others, then the rest, constraints, and pinned last."""

    def strength(row: FactRow) -> tuple[bool, bool, bool, float, int]:
        is_expired = row.expires_at is not None and row.expires_at <= now
        return (not is_expired, row.pinned, row.importance >= OF_CONSTRAINTS, standing_factor_of(row, now), row.id)

    return [row.id for row in sorted(rows, key=strength)]


def _archive(db: Session, ids: Sequence[int], now: datetime) -> None:
    since = case((Fact.expires_at <= now, Fact.expires_at), else_=now)  # Expired facts: since their expiry.
    db.execute(update(Fact).where(Fact.id.in_(ids)).values(archived_at=since))
