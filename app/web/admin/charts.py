"""A figure as the page shows it: a headline, a table, and which columns of it are the lines of the chart."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.operations.numbers import series
from app.operations.numbers.figures import Figure
from app.operations.numbers.series import Cell, Series, Stretch, Unit
from app.web.admin.shown import as_cents, as_percent, as_seconds

LINES_MAX = 5  # As many kinds of line as are told apart without colour; the rest is one line.
OTHER = "other"
MILLISECONDS = 1000
HOURS_BETWEEN_TICKS, MONTHS_BETWEEN_TICKS = 12, 3


@dataclass(frozen=True)
class Shown:
    """One cell of the table: what is drawn, and what is read."""

    value: float | None
    """None where nothing is known."""
    words: str


@dataclass(frozen=True)
class Row:
    """One hour, day or month."""

    moment: str
    tick: str
    cells: tuple[Shown, ...]


@dataclass(frozen=True)
class Chart:
    """One figure over a stretch, as the page shows it."""

    figure: Figure
    headline: tuple[tuple[str, str], ...]
    """Of the whole stretch: what, and how much."""
    columns: tuple[tuple[str, bool], ...]
    """Name, and whether the chart draws it."""
    rows: tuple[Row, ...]
    reasons: tuple[tuple[str, str], ...]
    """Each label of the whole stretch, where the chart brings several together in one line."""

    @property
    def lines(self) -> list[str]:
        return [name for name, is_drawn in self.columns if is_drawn]

    @property
    def in_words(self) -> str:
        """What whoever cannot see the chart is told of it."""
        told = ", ".join(f"{name} {words}".strip() for name, words in self.headline)
        return f"Chart of {self.figure.title.lower()}; in all {told}. The numbers are in the table below."


_Column = tuple[str, Callable[[str | None], Shown], bool]
"""Name; what it is at one of the stretch, or in all of it; whether it is drawn."""


Moments = Sequence[tuple[str, str]]
"""Of each hour, day or month what the table calls it, and what stands under the chart there; mostly nothing."""


def moments(over: Stretch, timezone: str) -> Moments:
    return [(moment(over.unit, began, timezone), _tick(over.unit, began, timezone)) for began in over.began]


def chart(of: Series, called: Moments) -> Chart:
    columns = _columns(of)
    rows = tuple(
        Row(name, tick, tuple(value(began) if began in of.counted else Shown(None, "–") for _, value, _ in columns))
        for began, (name, tick) in zip(of.stretch.began, called, strict=True)
    )
    reasons = [(label, of.together([label]).times) for label in of.labels] if of.figure.lines else []
    return Chart(
        figure=of.figure,
        headline=tuple((name, value(None).words) for name, value, _ in columns) if of.cells else (),
        columns=tuple((name, is_drawn) for name, _, is_drawn in columns),
        rows=rows,
        reasons=tuple((label, f"{times:,}") for label, times in reasons),
    )


def moment(unit: Unit, began: str, timezone: str) -> str:
    """`22 Nov, 14:00`, `22 Nov 2026` or `Nov 2026`."""
    at = series.began_at(unit, began, timezone)
    return {"hour": f"{at.day} {at:%b, %H:%M}", "day": f"{at.day} {at:%b %Y}", "month": f"{at:%b %Y}"}[unit]


def file_rows(of: Series) -> list[list[str]]:
    """The series as rows of a file, the first of them the names; what is not known is left out."""
    figure = of.figure
    match figure.form:
        case "spread":
            head = ["times", "sum", "p50", "p95"]
        case "share":
            head = ["of", "part", "share"]
        case "money":
            head = ["calls", "cents"]
        case "counts":
            head = ["times"]
    rows = [["began", "label", *head]]
    labels = of.labels or ("",)
    known = (began for began in of.stretch.began if began in of.counted)
    rows += [[began, label, *_file_cells(figure, of.cell(began, label))] for began in known for label in labels]
    return rows


def _file_cells(figure: Figure, cell: Cell) -> list[str]:
    values: list[float | None] = [cell.times]
    match figure.form:
        case "spread":
            values += [cell.total, cell.quantile(0.5), cell.quantile(0.95)]
        case "share":
            values += [cell.total, cell.share]
        case "money":
            values += [cell.total]
    return ["" if value is None else f"{value:.6g}" for value in values]


def _columns(of: Series) -> list[_Column]:
    figure = of.figure
    everything = _cells_of(of, None)

    def at(what: Callable[[Cell], float | None], words: Callable[[float], str]) -> Callable[[str | None], Shown]:
        return lambda began: _shown(what(everything(began)), words)

    match figure.form:
        case "spread":
            return [
                ("p50", at(lambda cell: cell.quantile(0.5), _in(figure)), True),
                ("p95", at(lambda cell: cell.quantile(0.95), _in(figure)), True),
                ("times", at(lambda cell: cell.times, _count), False),
            ]
        case "share":
            return [
                ("share", at(lambda cell: cell.share, as_percent), True),
                (f"of {figure.unit}".strip(), at(lambda cell: cell.times, _count), False),
            ]
        case _:
            return [(line, _of_line(figure, _cells_of(of, labels)), True) for line, labels in _lines(of).items()]


def _of_line(figure: Figure, cells: Callable[[str | None], Cell]) -> Callable[[str | None], Shown]:
    if figure.form == "money":
        return lambda began: _shown(cells(began).total, as_cents)
    return lambda began: _shown(cells(began).times, _count)


def _cells_of(of: Series, labels: list[str] | None) -> Callable[[str | None], Cell]:
    return lambda began: of.together(labels, began)


def _lines(of: Series) -> dict[str, list[str]]:
    """The labels of each line; what is too many is one line more."""
    lines: dict[str, list[str]] = {}
    for label in of.labels:
        lines.setdefault(series.line_of(of.figure, label), []).append(label)
    if len(lines) > LINES_MAX:
        names = list(lines)
        rest = [label for name in names[LINES_MAX - 1 :] for label in lines.pop(name)]
        lines[OTHER] = rest
    return lines


def _shown(value: float | None, words: Callable[[float], str]) -> Shown:
    return Shown(None, "–") if value is None else Shown(value, words(value))


def _in(figure: Figure) -> Callable[[float], str]:
    match figure.unit:
        case "seconds":
            return as_seconds
        case "milliseconds":
            return lambda value: f"{value:.3g} ms" if value < MILLISECONDS else as_seconds(value / MILLISECONDS)
        case _:
            return _count


def _count(value: float) -> str:
    return f"{value:,.0f}"


def _tick(unit: Unit, began: str, timezone: str) -> str:
    at = series.began_at(unit, began, timezone)
    match unit:
        case "hour":
            if at.hour % HOURS_BETWEEN_TICKS:
                return ""
            return f"{at:%H:%M}" if at.hour else f"{at.day} {at:%b}"
        case "day":
            return f"{at.day} {at:%b}" if at.weekday() == 0 else ""
        case "month":
            return f"{at:%b}" if at.month % MONTHS_BETWEEN_TICKS == 1 else ""
