"""Series for the pages and for monitoring: each figure over the hours, days or months of a stretch, and its total."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.clock import local
from app.models import Count, CountedHour, Person, PersonSpend
from app.operations.numbers.counting import HOUR
from app.operations.numbers.figures import FIGURES, Cell, Figure, added
from app.operations.numbers.hours import hour_of

Unit = Literal["hour", "day", "month"]
FORMS: Mapping[Unit, str] = {"hour": "%Y-%m-%dT%H", "day": "%Y-%m-%d", "month": "%Y-%m"}
UNITS = tuple(FORMS)
SHOWN: Mapping[Unit, int] = {"hour": 48, "day": 30, "month": 12}
PEOPLE_SHOWN = 20
_MONTHS = 12
_BY_TIME = (CountedHour.began, CountedHour.began.desc())


@dataclass(frozen=True)
class Stretch:
    unit: Unit
    began: tuple[str, ...]  # Keys as in `Count.began`, the oldest first.
    has_later: bool


@dataclass(frozen=True)
class Series:
    figure: Figure
    stretch: Stretch
    labels: tuple[str, ...]  # By their line in the figure, otherwise by size.
    cells: Mapping[str, Mapping[str, Cell]]  # By start, then by label; without an entry if nothing happened.
    counted: frozenset[str]  # The counted part of the stretch: outside it nothing is known, not even a zero.

    def total(self, labels: Collection[str] | None = None, began: str | None = None) -> Cell:
        """The sum over these labels (None: all), in one hour, day or month (None: the whole stretch)."""
        some = self.cells.values() if began is None else [self.cells.get(began, {})]
        return added(cell for cells in some for label, cell in cells.items() if labels is None or label in labels)


def stretch(unit: Unit, now: datetime, timezone: str, *, until: str = "", most: int | None = None) -> Stretch:
    """The usual number of units, up to the current one, or to the one before `until` if that is a valid key."""
    newest = (now.astimezone(UTC) if unit == "hour" else local(now, timezone)).strftime(FORMS[unit])
    last = after(unit, until, -1) if "1970" < until <= newest and _is_one(unit, until) else newest
    began = tuple(after(unit, last, -steps) for steps in reversed(range(most or SHOWN[unit])))
    return Stretch(unit, began, has_later=last < newest)


def after(unit: Unit, began: str, steps: int) -> str:
    at = datetime.strptime(began, FORMS[unit]).replace(tzinfo=UTC)
    if unit == "month":
        year, month = divmod(at.year * _MONTHS + at.month - 1 + steps, _MONTHS)
        return f"{at.replace(year=year, month=month + 1):{FORMS[unit]}}"
    return f"{at + steps * (HOUR if unit == 'hour' else timedelta(days=1)):{FORMS[unit]}}"


def read(db: Session, over: Stretch, figures: Sequence[Figure] = FIGURES) -> dict[str, Series]:
    columns = (Count.began, Count.figure, Count.label, Count.times, Count.total, Count.shape)
    rows = db.execute(
        select(*columns).where(Count.unit == over.unit, Count.began.between(over.began[0], over.began[-1]))
    )
    cells: dict[str, dict[str, dict[str, Cell]]] = {figure.key: {} for figure in figures}
    for began, key, label, times, total, shape in rows:
        if key in cells:
            cells[key].setdefault(began, {})[label] = Cell(times, total, shape or {})
    counted = _counted(db, over)
    return {
        figure.key: Series(figure, over, _labels(figure, cells[figure.key]), cells[figure.key], counted)
        for figure in figures
    }


def counted_until(db: Session) -> datetime | None:
    """The instant up to which everything was counted; None before the first count."""
    newest = db.scalars(select(CountedHour).order_by(CountedHour.began.desc()).limit(1)).first()
    # An hour that was counted again after its end is complete, however late that was.
    return min(newest.counted_at, hour_of(newest.began) + HOUR) if newest else None


def _counted(db: Session, over: Stretch) -> frozenset[str]:
    ends = [db.scalars(select(CountedHour).order_by(by).limit(1)).first() for by in _BY_TIME]
    first, last = ({"hour": end.began, "day": end.day, "month": end.day[:7]}[over.unit] if end else "" for end in ends)
    return frozenset(began for began in over.began if first <= began <= last)


def _labels(figure: Figure, cells: Mapping[str, Mapping[str, Cell]]) -> tuple[str, ...]:
    weight = Counter[str]()
    for some in cells.values():
        weight.update({label: cell.total if figure.form == "money" else cell.times for label, cell in some.items()})

    def place(label: str) -> tuple[int, float, str]:
        line = line_of(figure, label)
        return (figure.lines.index(line) if line in figure.lines else len(figure.lines), -weight[label], label)

    return tuple(sorted(weight, key=place))


def line_of(figure: Figure, label: str) -> str:
    """The chart line that a label belongs to: `refused` for `refused: 30007`."""
    return label.partition(":")[0] if figure.lines else label


@dataclass(frozen=True)
class PersonCost:
    """The cost of one person in US cents, by purpose."""

    person: Person
    cents: Mapping[str, float]

    @property
    def total(self) -> float:
        return sum(self.cents.values())


def spend_by_person(db: Session, over: Stretch, timezone: str, most: int = PEOPLE_SHOWN) -> list[PersonCost]:
    """People who cost most in the stretch; of hours, on all the days they lie in; of months, in the last one only.

    A year of ten thousand people would take longer to add up than the whole page.
    """
    unit, first, last = over.unit, over.began[0], over.began[-1]
    if over.unit == "hour":
        unit = "day"
        first, last = (f"{local(hour_of(key), timezone):%Y-%m-%d}" for key in (first, last))
    if over.unit == "month":
        first = last
    within = (PersonSpend.unit == unit, PersonSpend.began.between(first, last))
    by_cost = select(PersonSpend.person_id).where(*within).group_by(PersonSpend.person_id)
    ids = list(db.scalars(by_cost.order_by(func.sum(PersonSpend.cents).desc(), PersonSpend.person_id).limit(most)))
    people = {one.id: one for one in db.scalars(select(Person).where(Person.id.in_(ids)))}
    rows = select(PersonSpend.person_id, PersonSpend.spent_on, func.sum(PersonSpend.cents))
    rows = rows.where(*within, PersonSpend.person_id.in_(ids)).group_by(PersonSpend.person_id, PersonSpend.spent_on)
    cents: dict[int, dict[str, float]] = {one: {} for one in ids}
    for person_id, on, spent in db.execute(rows):
        cents[person_id][on] = spent
    return [PersonCost(people[one], cents[one]) for one in ids]


def unit_start(unit: Unit, began: str, timezone: str) -> datetime:
    """The start of the unit with the key `began`: an hour on the clock of the zone, others as they are."""
    instant = datetime.strptime(began, FORMS[unit]).replace(tzinfo=UTC)
    return local(instant, timezone) if unit == "hour" else instant


def _is_one(unit: Unit, key: str) -> bool:
    try:
        return datetime.strptime(key, FORMS[unit]).replace(tzinfo=UTC).strftime(FORMS[unit]) == key
    except ValueError:
        return False
