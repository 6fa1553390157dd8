"""The page of numbers: one chart per figure, each with its table and a CSV file."""

import csv
import io
from collections.abc import Callable
from datetime import timedelta
from operator import attrgetter, methodcaller
from typing import Any, NamedTuple

from flask import Response as FlaskResponse
from flask import request
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response

from app.errors import NotFound
from app.operations.numbers import series
from app.operations.numbers.figures import FIGURES, PEOPLE_MEANS, PEOPLE_TITLE, Cell, Figure, figure
from app.operations.numbers.series import Series, Stretch, Unit
from app.web import auth
from app.web.admin.blueprint import Place, bp, page
from app.web.admin.shown import as_cents, as_percent, as_seconds

PLACE = Place("Numbers", "admin.numbers", 50)

PEOPLE_IN_A_FILE = 1_000
LATE = timedelta(minutes=10)  # Counting runs every two minutes; after five missed runs the page says so.
LINES_MAX = 5  # The most kinds of line that can be told apart without colour; the rest share one line.
OTHER = "other"
MILLISECONDS = 1000
HOURS_BETWEEN_TICKS, MONTHS_BETWEEN_TICKS = 12, 3

# The numbers in a cell that files and charts show.
_times, _total, _share = attrgetter("times"), attrgetter("total"), attrgetter("share")
_p50, _p95 = methodcaller("quantile", 0.5), methodcaller("quantile", 0.95)


@bp.get("/numbers")
def numbers() -> Response:
    services = auth.services()
    now, zone, over = services.clock.now(), services.settings.budget_timezone, _asked_stretch()
    with services.reading() as db:
        found, people = series.read(db, over), series.spend_by_person(db, over, zone)
        counted_until = series.counted_until(db)
    moments = [_moment(over, began, zone) for began in over.began]
    drawn = [_chart(found[one.key], moments) for one in FIGURES]
    return page(
        "numbers",
        charts=[one for one in drawn if one["headline"]],
        empty=[one["figure"] for one in drawn if not one["headline"]],
        counted_until=counted_until,
        lags=counted_until is not None and now - counted_until > LATE,
        over=over,
        units=series.UNITS,
        earlier=over.began[0],
        until=series.after(over.unit, over.began[-1], 1) if over.has_later else None,
        later=series.after(over.unit, over.began[-1], len(over.began) + 1) if over.has_later else None,
        first=moments[0][0],
        last=moments[-1][0],
        zone=zone,
        people=people,
        people_title=PEOPLE_TITLE,
        people_means=PEOPLE_MEANS,
    )


@bp.get("/numbers/<key>.csv")
def numbers_file(key: str) -> Response:
    """A figure as CSV: each label separate, plain numbers in seconds, milliseconds, tokens and US cents."""
    found, over = figure(key), _asked_stretch()
    if found is None and key != "people":
        raise NotFound("There is no figure of that name. Choose one on the page of numbers.")
    with auth.services().reading() as db:
        rows = _people_rows(db, over) if found is None else _file_rows(series.read(db, over, [found])[key])
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows([[_quoted(value) for value in row] for row in rows])
    response = FlaskResponse(written.getvalue(), content_type="text/csv; charset=utf-8")
    name = f"keepsake-{key}-by-{over.unit}-to-{over.began[-1]}.csv"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _asked_stretch() -> Stretch:
    services, args = auth.services(), request.args
    unit: Unit = next((one for one in series.UNITS if one == args.get("over")), "hour")
    zone = services.settings.budget_timezone
    return series.stretch(unit, services.clock.now(), zone, until=args.get("until", ""))


def _people_rows(db: Session, over: Stretch) -> list[list[str]]:
    costs = series.spend_by_person(db, over, auth.services().settings.budget_timezone, PEOPLE_IN_A_FILE)
    rows = [[f"{one.person.id}", on, f"{cents:.6g}"] for one in costs for on, cents in sorted(one.cents.items())]
    return [["person", "spent on", "cents"], *rows]


def _file_rows(of: Series) -> list[list[str]]:
    """The series as rows of a file, headed by the column names; times not counted yet are left out."""
    values: dict[str, Callable[[Cell], float | None]]
    match of.figure.form:
        case "spread":
            values = {"times": _times, "sum": _total, "p50": _p50, "p95": _p95}
        case "share":
            values = {"of": _times, "part": _total, "share": _share}
        case "money":
            values = {"calls": _times, "cents": _total}
        case "counts":
            values = {"times": _times}

    def written(cell: Cell) -> list[str]:
        found = (value(cell) for value in values.values())
        return ["" if one is None else f"{one:.12g}" for one in found]

    known = [began for began in of.stretch.began if began in of.counted]
    rows = [[began, label, *written(of.total([label], began))] for began in known for label in of.labels or ("",)]
    return [["began", "label", *values], *rows]


def _quoted(value: str) -> str:
    """The value, quoted if a spreadsheet would take it for a formula."""
    return f"'{value}" if value.startswith(("=", "+", "-", "@", "\t")) else value


def _moment(over: Stretch, began: str, timezone: str) -> tuple[str, str]:
    """The name of an hour, day or month, and its label under the chart; mostly empty."""
    at = series.unit_start(over.unit, began, timezone)
    match over.unit:
        case "hour":
            tick = f"{at:%H:%M}" if at.hour else f"{at.day} {at:%b}"
            return f"{at.day} {at:%b, %H:%M}", "" if at.hour % HOURS_BETWEEN_TICKS else tick
        case "day":
            return f"{at.day} {at:%b %Y}", f"{at.day} {at:%b}" if at.weekday() == 0 else ""
        case "month":
            return f"{at:%b %Y}", f"{at:%b}" if at.month % MONTHS_BETWEEN_TICKS == 1 else ""


def _chart(of: Series, moments: list[tuple[str, str]]) -> dict[str, Any]:
    """Values for the page's chart of one figure over a stretch."""
    columns = _columns(of)

    def drawn(column: _Column, began: str | None = None) -> tuple[float | None, str]:
        """The number at this moment, or over the whole stretch without one, and its words."""
        value = column.value(of.total(column.labels, began))
        return value, "–" if value is None else column.words(value)

    unknown = [(None, "–") for _ in columns]
    return {
        "figure": of.figure,
        "headline": [(one.name, drawn(one)[1]) for one in columns] if of.cells else [],
        "columns": columns,
        "rows": [
            (moment, [drawn(one, began) for one in columns] if began in of.counted else unknown)
            for began, moment in zip(of.stretch.began, moments, strict=True)
        ],
        # Each label over the whole stretch, if the chart joins several labels in one line.
        "reasons": [(label, f"{of.total([label]).times:,}") for label in of.labels] if of.figure.lines else [],
    }


class _Column(NamedTuple):
    """One number of a figure at each moment, for some labels or all, with functions for its value and its words."""

    name: str
    value: Callable[[Cell], float | None]
    words: Callable[[float], str]
    labels: list[str] | None = None
    is_drawn: bool = True


def _columns(of: Series) -> list[_Column]:
    figure = of.figure
    match figure.form:
        case "spread":
            return [
                _Column("p50", _p50, _formatter(figure)),
                _Column("p95", _p95, _formatter(figure)),
                _Column("times", _times, _count, is_drawn=False),
            ]
        case "share":
            whole = _Column(f"of {figure.unit}".strip(), _times, _count, is_drawn=False)
            return [_Column("share", _share, as_percent), whole]
        case "money":
            return [_Column(line, _total, as_cents, labels) for line, labels in _lines(of).items()]
        case _:
            return [_Column(line, _times, _count, labels) for line, labels in _lines(of).items()]


def _lines(of: Series) -> dict[str, list[str]]:
    """Labels by line; beyond `LINES_MAX` lines, the last ones become one line."""
    lines: dict[str, list[str]] = {}
    for label in of.labels:
        lines.setdefault(series.line_of(of.figure, label), []).append(label)
    if len(lines) > LINES_MAX:
        lines[OTHER] = [label for name in list(lines)[LINES_MAX - 1 :] for label in lines.pop(name)]
    return lines


def _formatter(figure: Figure) -> Callable[[float], str]:
    match figure.unit:
        case "seconds":
            return as_seconds
        case "milliseconds":
            return lambda value: f"{value:.3g} ms" if value < MILLISECONDS else as_seconds(value / MILLISECONDS)
        case _:
            return _count


def _count(value: float) -> str:
    return f"{value:,.0f}"
