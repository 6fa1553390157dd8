"""Hours counted, kept, and counted again while something may still come late.

An hour is counted while it lasts, and again when it has been over for each of `AGAIN_AFTER`: a delivery report, a
routine's end or the carrier's price that comes within `LATEST` of the end of its hour is counted in it, and what comes
later is not. Counting is the same whenever it is done, so that nothing is counted twice: an hour that is counted again
takes the place of itself, and its day and month change by what changed. Hours in which the process was down are made up
for; those before the first count are gone back to, one by one, when there is nothing newer to do.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, date, datetime, timedelta

from sqlalchemy import ColumnElement, and_, delete, func, insert, select
from sqlalchemy.orm import Session

from app.clock import local
from app.models import Count, CountedHour, Message, PersonSpend, Spending, Turn
from app.operations.numbers.counting import HOUR, SPENDINGS, SPENT_ON, Counted, count_hour
from app.operations.numbers.figures import merged
from app.operations.numbers.halving import span
from app.services import Services

AGAIN_AFTER = (timedelta(0), timedelta(minutes=30), timedelta(hours=6), timedelta(hours=24), timedelta(hours=72))
LATEST = AGAIN_AFTER[-1]
KEPT_DAYS = 100
"""For so long hours are kept one by one, and persons' days; the installation's days, and all months, for ever."""
HOURS_AT_ONCE = 24  # Those in which nothing happened take less than it takes to write that they were counted.
VIEW_SECONDS = 0.1
PEOPLE_AT_ONCE = 200  # In one question: a statement takes only so many values.

_TOUCHED = select(Spending.day, Spending.person_id).distinct().where(SPENDINGS.within)

_Cents = dict[tuple[int, str], float]
"""By person, and by what it was spent on."""
NOTHING = 1e-9  # Sums of fractions of a cent are not exact.


def to_count(db: Session, now: datetime) -> list[datetime]:
    """The hours that are to be counted, by when they began and in this order.

    First what lasts and what is to be counted again; then what was missed since the last; then what lies before the
    first that was counted.
    """
    this = hour_of(key_of(now))
    # Each end apart: asked for both in one go, SQLite reads everything between them.
    first, last = (db.scalar(select(end(CountedHour.began))) for end in (func.min, func.max))
    hours = _due_again(db, this, now)
    missed = hour_of(last) + HOUR if last is not None else this
    while missed <= this:
        hours.append(missed)
        missed += HOUR
    before = hour_of(first) if first is not None else this
    oldest = db.scalar(select(Message.created_at).order_by(Message.id).limit(1))
    while oldest is not None and before > oldest:
        before -= HOUR
        hours.append(before)
    return hours


def count_some(services: Services, hours: Sequence[datetime], now: datetime) -> int:
    """Count the first of these hours as of `now`, and as many more as are quickly counted; how many it were.

    The rows are read and counted in one view, and what came of it is written in a short transaction.
    """
    until = services.clock.monotonic() + VIEW_SECONDS
    found: list[tuple[str, str, list[Counted], list[SpentOn]]] = []
    with services.reading() as db:
        for began in hours[:HOURS_AT_ONCE]:
            day = f"{local(began, services.settings.budget_timezone):%Y-%m-%d}"
            found.append((key_of(began), day, count_hour(db, began), spent_in(db, began, began + HOUR)))
            if services.clock.monotonic() >= until:
                break
    with services.transaction() as db:
        for hour, day, counted, spent in found:
            _keep(db, hour, day, counted, now)
            _keep_spent(db, spent)
    return len(found)


def drop_old(services: Services, now: datetime) -> None:
    """Let go of hours, and of persons' days, that are kept in their months; once nothing is left to count."""
    oldest = now - timedelta(days=KEPT_DAYS)
    hours = (Count.unit == "hour", Count.began < key_of(oldest))
    days = (PersonSpend.unit == "day", PersonSpend.began < f"{oldest:%Y-%m-%d}")
    with services.reading() as db:
        is_any = db.scalar(select(Count.began).where(*hours).limit(1)) is not None
        is_any = is_any or db.scalar(select(PersonSpend.began).where(*days).limit(1)) is not None
    if is_any:
        with services.transaction() as db:
            db.execute(delete(Count).where(*hours))
            db.execute(delete(PersonSpend).where(*days))


def key_of(instant: datetime) -> str:
    """The hour in which the instant lies, as it is kept: `2026-11-22T14`."""
    return f"{instant.astimezone(UTC):%Y-%m-%dT%H}"


def hour_of(key: str) -> datetime:
    return datetime.fromisoformat(key).replace(tzinfo=UTC)


def _due_again(db: Session, this: datetime, now: datetime) -> list[datetime]:
    lately = select(CountedHour.began, CountedHour.counted_at).where(
        CountedHour.began > key_of(now - LATEST - 2 * HOUR)
    )
    hours = []
    for key, counted_at in db.execute(lately.order_by(CountedHour.began.desc())):
        began = hour_of(key)
        passed = [began + HOUR + age for age in AGAIN_AFTER if began + HOUR + age <= now]
        if began == this or (passed and counted_at < passed[-1]):
            hours.append(began)
    return hours


def _keep(db: Session, hour: str, day: str, counted: Sequence[Counted], now: datetime) -> None:
    row = db.get(CountedHour, hour)
    if row is None:
        _add(db, hour, day, counted, ())
        db.add(CountedHour(began=hour, day=day, counted_at=now))
        return
    was = _rows(db, "hour", hour)
    if row.day != day:  # The budget has another zone by now.
        _add(db, hour, row.day, (), was)
        was = []
    _add(db, hour, day, counted, was)
    row.day, row.counted_at = day, now


def _add(db: Session, hour: str, day: str, new: Sequence[Counted], old: Sequence[Counted]) -> None:
    """Have the hour, its day and its month hold `new`, where they held `old` of it."""
    if list(new) == list(old):
        return
    _replace(db, "hour", hour, old, new)
    for unit, began in (("day", day), ("month", day[:7])):
        present = _rows(db, unit, began)
        _replace(db, unit, began, present, _changed(present, new, old))


def _rows(db: Session, unit: str, began: str) -> list[Counted]:
    columns = (Count.figure, Count.label, Count.times, Count.total, Count.shape)
    rows = select(*columns).where(Count.unit == unit, Count.began == began).order_by(Count.figure, Count.label)
    return [Counted(*row) for row in db.execute(rows)]


def _replace(db: Session, unit: str, began: str, old: Collection[Counted], new: Sequence[Counted]) -> None:
    if old:
        db.execute(delete(Count).where(Count.unit == unit, Count.began == began))
    if new:
        db.execute(insert(Count), [{"unit": unit, "began": began, **asdict(one)} for one in new])


def _changed(present: Sequence[Counted], new: Sequence[Counted], old: Sequence[Counted]) -> list[Counted]:
    """What a day or a month comes to when one of its hours came to `new`, where it had come to `old`."""
    found = [{(one.figure, one.label): one for one in some} for some in (present, new, old)]
    changed = []
    for key in sorted({**found[0], **found[1]}):
        was, plus, less = (some.get(key, Counted(*key, 0)) for some in found)
        times, total = was.times + plus.times - less.times, was.total + plus.total - less.total
        shapes = [one.shape for one in (was, plus) if one.shape is not None]
        shape = merged(shapes, less.shape) if shapes else None
        if times > 0 or abs(total) > NOTHING:
            changed.append(Counted(*key, times, total if abs(total) > NOTHING else 0.0, shape))
    return changed


@dataclass(frozen=True)
class SpentOn:
    """What some people cost on one day."""

    day: date
    people: Sequence[int]
    cents: _Cents = field(default_factory=dict)


def spent_in(db: Session, began: datetime, ended: datetime) -> list[SpentOn]:
    """The whole days, as they now are, of all for whom something was spent in that hour."""
    by_day: dict[date, list[int]] = {}
    for day, person_id in db.execute(_TOUCHED, span(began, ended)):
        by_day.setdefault(day, []).append(person_id)
    return [
        SpentOn(day, some, _spent(db, day, some)) for day, people in sorted(by_day.items()) for some in _batches(people)
    ]


def _keep_spent(db: Session, spent: Sequence[SpentOn]) -> None:
    """These days in the place of what was known of them; their months change by what changed."""
    for one in spent:
        of_day = _spends("day", f"{one.day}", one.people)
        before = _read_spent(db, of_day)
        if before == one.cents:
            continue
        of_month = _spends("month", f"{one.day:%Y-%m}", one.people)
        month = _read_spent(db, of_month)
        for key in {*before, *one.cents}:
            month[key] = month.get(key, 0.0) + one.cents.get(key, 0.0) - before.get(key, 0.0)
        _replace_spent(db, "day", f"{one.day}", of_day, one.cents)
        _replace_spent(db, "month", f"{one.day:%Y-%m}", of_month, month)


def _spent(db: Session, day: date, people: Sequence[int]) -> _Cents:
    rows = (
        select(Spending.person_id, SPENT_ON, func.sum(Spending.cents))
        .outerjoin(Turn, Turn.id == Spending.turn_id)
        .where(Spending.day == day, Spending.person_id.in_(people))
        .group_by(Spending.person_id, SPENT_ON)
    )
    return {(person_id, spent): cents for person_id, spent, cents in db.execute(rows) if cents}


def _batches(people: Sequence[int]) -> Iterator[Sequence[int]]:
    return (people[place : place + PEOPLE_AT_ONCE] for place in range(0, len(people), PEOPLE_AT_ONCE))


def _spends(unit: str, began: str, people: Sequence[int]) -> ColumnElement[bool]:
    return and_(PersonSpend.unit == unit, PersonSpend.began == began, PersonSpend.person_id.in_(people))


def _read_spent(db: Session, which: ColumnElement[bool]) -> _Cents:
    rows = select(PersonSpend.person_id, PersonSpend.spent_on, PersonSpend.cents).where(which)
    return {(person_id, on): cents for person_id, on, cents in db.execute(rows)}


def _replace_spent(db: Session, unit: str, began: str, which: ColumnElement[bool], cents: _Cents) -> None:
    db.execute(delete(PersonSpend).where(which))
    rows = [
        {"unit": unit, "began": began, "person_id": person_id, "spent_on": on, "cents": spent}
        for (person_id, on), spent in cents.items()
        if spent > 0
    ]
    if rows:
        db.execute(insert(PersonSpend), rows)
