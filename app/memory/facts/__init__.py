"""Facts, rows in and out: found, added, retired and brought back, each with its words in the index; and archived.

A fact is *held* until it is forgotten. What is held is *live*, or *archived* where it was put out of sight, expired,
faded, or is the weakest of very many: found when it is searched for, and never shown unasked. Where nobody did that, no
change is recorded: `/undo` takes back what somebody did. See docs/decisions/0022-archived-facts.md.
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
from app.memory.changes import LARGEST_NUMBER, Origin, held, last_retired, next_version, of_number
from app.memory.changes import held_by_number as of_held
from app.memory.facts.categories import OF_CONSTRAINTS, importance_of, is_passing
from app.memory.index import IndexQuery
from app.memory.index.documents import Document
from app.memory.index.ranking import HALF_LIFE_DAYS, standing
from app.models import Fact, FactPair, Person
from app.services import Services
from app.text.wording import normalise, one_line

ALIKE_POOL = 20  # Of facts by their words, the best first; what says the same thing shares most of them.
MOST_LIVE = 1000  # Of one person. What a new fact may contradict is sought among all of them, at each new fact.
FADED_HALF_LIVES = 8  # About two years; then it has lost 99.6 % of what disuse can take from it.
FACTS_AT_ONCE = 200  # For so long, some milliseconds, a text that comes in waits for the database.

_FADED_AFTER = timedelta(days=FADED_HALF_LIVES * HALF_LIFE_DAYS)
_NOT_ARCHIVED = (Fact.retired_at.is_(None), Fact.archived_at.is_(None))
# Made once: each new fact asks.
_HOW_MANY = select(func.count(Fact.id)).where(Fact.person_id == bindparam("person"), *_NOT_ARCHIVED)

COLUMNS = (Fact.importance, Fact.confidence, Fact.pinned, Fact.fresh_at)
"""The columns that a fact's standing is told by."""
FactRow = Row[int, datetime | None, float, float, bool, datetime]  # Id, `expires_at`, and `COLUMNS`.

held_by_number = partial(of_held, Fact)
versions = partial(of_number, Fact)  # All versions of one fact, oldest first; none for an unknown number.

_ROWS = cast("Table", Fact.__table__)
_USED = update(_ROWS).where(
    _ROWS.c.person_id == bindparam("person"),
    _ROWS.c.number.in_(bindparam("used", expanding=True)),
    _ROWS.c.retired_at.is_(None),
)
# On the table and not on the class: every reply waits for it, and no fact is held in memory then.
_COUNT_USE = _USED.values(use_count=_ROWS.c.use_count + 1, last_used_at=bindparam("now"), fresh_at=bindparam("now"))
_BACK_BY_USE = _USED.where(_ROWS.c.archived_at.is_not(None)).values(archived_at=None)


def is_live(now: datetime | BindParameter[datetime]) -> ColumnElement[bool]:
    """Of a row of facts, for queries: held, not archived, and not past its expiry."""
    not_expired = or_(_ROWS.c.expires_at.is_(None), _ROWS.c.expires_at > now)
    return and_(_ROWS.c.retired_at.is_(None), _ROWS.c.archived_at.is_(None), not_expired)


_LEADS = _ROWS.c.pinned | (_ROWS.c.importance >= OF_CONSTRAINTS)
_KNOWN = select(_ROWS.c.id, _ROWS.c.number, _ROWS.c.sentence, _ROWS.c.normalised, _ROWS.c.message_id, _LEADS).where(
    _ROWS.c.person_id == bindparam("person"), is_live(bindparam("now"))
)
_BY_NUMBERS = _KNOWN.where(_ROWS.c.number.in_(bindparam("numbers", expanding=True)))
_FOREMOST = _KNOWN.order_by(
    _ROWS.c.pinned.desc(), _ROWS.c.importance.desc(), _ROWS.c.passing, _ROWS.c.fresh_at.desc(), _ROWS.c.number
).limit(bindparam("limit"))


class Known(NamedTuple):
    """As much of a live fact as a turn needs: rows of a hundred facts as objects would take longer than all else."""

    id: int
    number: int
    sentence: str
    normalised: str
    message_id: int | None
    leads: bool = False  # Whether it is pinned or a constraint: shown before all others, whatever is talked about.


def is_archived(fact: Fact, now: datetime) -> bool:
    """Whether the fact is held and out of sight."""
    return fact.retired_at is None and (fact.archived_at is not None or is_expired(fact, now))


def is_expired(fact: Fact, now: datetime) -> bool:
    return fact.expires_at is not None and fact.expires_at <= now


def live(db: Session, person_id: int, now: datetime, category: str | None = None) -> list[Fact]:
    """What is live of the person now, by number."""
    facts = select(Fact).where(Fact.person_id == person_id, is_live(now)).order_by(Fact.number)
    return list(db.scalars(facts.where(_of_category(category))))


def count_live(db: Session, person_id: int, now: datetime) -> int:
    return db.scalar(select(func.count(Fact.id)).where(Fact.person_id == person_id, is_live(now))) or 0


def archived(
    db: Session, person_id: int, now: datetime, category: str | None = None, limit: int | None = None
) -> list[Fact]:
    """What is archived of the person, the last archived first."""
    facts = held(Fact, person_id).where(not_(is_live(now)), _of_category(category))
    since = func.coalesce(Fact.archived_at, Fact.expires_at)
    return list(db.scalars(facts.order_by(since.desc(), Fact.number.desc()).limit(limit)))


def count_archived(db: Session, person_id: int, now: datetime, category: str | None = None) -> int:
    facts = held(Fact, person_id).where(not_(is_live(now)), _of_category(category))
    return db.scalar(facts.with_only_columns(func.count(Fact.id))) or 0


def archived_alike(db: Session, person_id: int, sentence: str, now: datetime) -> list[Fact]:
    """The archived facts that share most words with the sentence, a few at most, by number."""
    ids = index.search(db, person_id, "fact", IndexQuery(sentence, pool=ALIKE_POOL, reach=0)).items.tolist()
    return list(db.scalars(held(Fact, person_id).where(not_(is_live(now)), Fact.id.in_(ids)).order_by(Fact.number)))


def foremost(db: Session, person_id: int, limit: int, now: datetime) -> list[Known]:
    """The live facts that matter most: pinned, by importance (constraints lead), tastes last, the latest used."""
    given = {"person": person_id, "limit": limit, "now": now}
    return [Known(*row) for row in db.connection().execute(_FOREMOST, given)]


def known(db: Session, person_id: int, numbers: Sequence[int], now: datetime) -> list[Known]:
    """The live facts with these numbers, in the order of the numbers given."""
    given = {"person": person_id, "numbers": list(numbers), "now": now}
    by_number = {row.number: Known(*row) for row in db.connection().execute(_BY_NUMBERS, given)}
    return [by_number[number] for number in numbers if number in by_number]


def find(db: Session, person_id: int, words: str) -> list[Fact]:
    """Held facts that have all the words, in any form, by number."""
    ids = index.find(db, person_id, "fact", words)
    return list(db.scalars(select(Fact).where(Fact.person_id == person_id, Fact.id.in_(ids)).order_by(Fact.number)))


def earlier(db: Session, person_id: int) -> list[Fact]:
    """Earlier versions of facts that are held: what was true once, and neither forgotten nor taken back."""
    current = aliased(Fact)
    ended = (
        select(Fact)
        .join(current, and_(current.person_id == Fact.person_id, current.number == Fact.number))
        .where(Fact.person_id == person_id, Fact.retired_at.is_not(None), current.retired_at.is_(None))
        .where(Fact.normalised != current.normalised, Fact.valid_to.is_not(None))
    )
    return list(db.scalars(ended.order_by(Fact.number, Fact.version)))


def forgotten(db: Session, person_id: int) -> list[Fact]:
    """The last version of each fact that was forgotten and may be restored, newest first."""
    facts = last_retired(Fact, person_id).where(Fact.merged_into.is_(None))
    return list(db.scalars(facts.order_by(Fact.retired_at.desc(), Fact.number)))


def merged_into(db: Session, person_id: int, number: int) -> list[Fact]:
    """The last version of each fact that this one says since they were merged, by number."""
    return list(db.scalars(last_retired(Fact, person_id).where(Fact.merged_into == number).order_by(Fact.number)))


def held_by_numbers(db: Session, person_id: int, numbers: Collection[int]) -> list[Fact]:
    """Those of these facts that are held, by number."""
    asked = [number for number in numbers if 0 < number <= LARGEST_NUMBER]
    return list(db.scalars(held(Fact, person_id).where(Fact.number.in_(asked)).order_by(Fact.number)))


def held_by_sentence(db: Session, person_id: int, sentence: str) -> Fact | None:
    """The held fact that says the same, whatever its case, spacing or punctuation."""
    return db.scalars(held(Fact, person_id).where(Fact.normalised == normalise(sentence))).one_or_none()


def add(db: Session, person_id: int, sentence: str, category: str | None, origin: Origin, now: datetime) -> Fact:
    """A new fact under the person's next number."""
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
        **_provenance(origin),
    )
    return _keep(db, fact)


def add_version(db: Session, before: Fact, sentence: str, category: str | None, origin: Origin, now: datetime) -> Fact:
    """The next version of a fact; the one before stays as history, true until now.

    Where only the category is new, the fact is as true and comes from where it came from before.
    """
    retire(db, before, now)
    weight = {"importance": importance_of(sentence, category), "passing": is_passing(sentence, category)}
    new: dict[str, object] = {"category": category, "fresh_at": now, **weight}
    if sentence != before.sentence:
        before.valid_to = now
        new |= {"sentence": sentence, "normalised": normalise(sentence), "valid_from": now, "times_told": 1}
        new |= _provenance(origin)
    return _keep(db, next_version(db, before, now, **new))


def bring_back(db: Session, retired: Fact, now: datetime) -> Fact:
    """A retired version as the newest one, word for word, and archived where it was.

    Raises:
        Conflict: another held fact says the same, or the fact's number is held already.
    """
    current = held_by_number(db, retired.person_id, retired.number)
    if current is not None:
        raise Conflict(f"Fact {current.number} is remembered already: '{current.sentence}'.")
    same = held_by_sentence(db, retired.person_id, retired.sentence)
    if same is not None:
        raise Conflict(f"'{retired.sentence}' cannot come back: fact {same.number} says '{same.sentence}'.")
    return _keep(db, next_version(db, retired, now, fresh_at=now))


def retire(db: Session, fact: Fact, now: datetime) -> None:
    """The fact is no longer held: not shown, not found, not counted as a duplicate."""
    fact.retired_at = now
    index.remove(db, fact.person_id, "fact", [fact.id])
    db.execute(delete(FactPair).where(or_(FactPair.fact_id == fact.id, FactPair.other_id == fact.id)))
    db.flush()


def count_use(db: Session, person_id: int, numbers: Collection[int], now: datetime) -> None:
    """Note that a turn used these facts, once each; those of them that were archived are live again."""
    if not numbers:
        return
    given = {"person": person_id, "used": list(numbers), "now": now}
    db.connection().execute(_COUNT_USE, given)
    if db.connection().execute(_BACK_BY_USE, given).rowcount:
        hold_to_limit(db, person_id, now, but=numbers)


def _of_category(category: str | None) -> ColumnElement[bool]:
    return true() if category is None else func.lower(Fact.category) == one_line(category).casefold()


def _keep(db: Session, fact: Fact) -> Fact:
    db.add(fact)
    db.flush()
    day = local(fact.recorded_at, db.get_one(Person, fact.person_id).timezone).date()
    index.add(db, fact.person_id, "fact", [Document(fact.id, fact.sentence, day, own=True)])
    return fact


def _provenance(origin: Origin) -> dict[str, object]:
    return {
        "source": origin.source,
        "confidence": origin.confidence,
        "message_id": origin.message_id,
        "quote": origin.quote,
    }


def standing_of(row: Row[*tuple[Any, ...]], at: datetime) -> float:
    """As `ranking.standing`, of a row that has the columns `COLUMNS` among others."""
    return standing(row.importance, row.confidence, row.pinned, days_between(row.fresh_at, at))


def hold_to_limit(db: Session, person_id: int, now: datetime, *, but: Collection[int] = ()) -> None:
    """Have the person's weakest facts archived where more than `MOST_LIVE` are live; none with the numbers `but`."""
    over = (db.scalar(_HOW_MANY, {"person": person_id}) or 0) - MOST_LIVE
    if over <= 0:
        return
    theirs = select(Fact.id, Fact.expires_at, *COLUMNS).where(Fact.person_id == person_id, *_NOT_ARCHIVED)
    rows = db.execute(theirs.where(Fact.number.not_in(but))).all()
    _archive(db, _weakest_first(rows, now)[:over], now)


def archive_some(services: Services) -> int:
    """How many facts were archived that expired or faded, `FACTS_AT_ONCE` at most; 0 once there are none left."""
    now = services.clock.now()
    with services.reading() as db:  # Mostly there is none, and a look costs no writer's turn.
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
    """Ids by their standing; before all others what has expired, behind them what limits, and last what is pinned."""

    def strength(row: FactRow) -> tuple[bool, bool, bool, float, int]:
        is_expired = row.expires_at is not None and row.expires_at <= now
        return (not is_expired, row.pinned, row.importance >= OF_CONSTRAINTS, standing_of(row, now), row.id)

    return [row.id for row in sorted(rows, key=strength)]


def _archive(db: Session, ids: Sequence[int], now: datetime) -> None:
    since = case((Fact.expires_at <= now, Fact.expires_at), else_=now)  # Of an expired one it has been so all along.
    db.execute(update(Fact).where(Fact.id.in_(ids)).values(archived_at=since))
