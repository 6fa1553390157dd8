"""The figures of the page of numbers in the form of Prometheus: of this hour and the 23 before it, as last counted."""

from collections.abc import Iterator, Mapping
from datetime import datetime

from prometheus_client.core import GaugeMetricFamily, Metric
from sqlalchemy.orm import Session

from app.operations.numbers import series
from app.operations.numbers.figures import FIGURES, Figure
from app.operations.numbers.series import Cell, Series

HOURS = 24
QUANTILES = (0.5, 0.95, 0.99)
PER_SECOND = 1000.0  # Milliseconds: the unit of time there is the second.


def read(db: Session, now: datetime) -> Mapping[str, Series]:
    """Of the last day: some thousand small rows, whatever the number of texts."""
    return series.read(db, series.stretch("hour", now, "UTC", most=HOURS))


def of(counted: Mapping[str, Series]) -> Iterator[Metric]:
    for figure in FIGURES:
        yield _metric(figure, counted[figure.key])


def _metric(figure: Figure, of: Series) -> Metric:
    says = f"Of the last {HOURS} hours. {figure.means}"
    match figure.form:
        case "spread":
            family = GaugeMetricFamily(_name(figure), says, labels=["quantile"])
            for share in QUANTILES:
                value = of.together().quantile(share)
                if value is not None:
                    family.add_metric([str(share)], value / PER_SECOND if figure.unit == "milliseconds" else value)
        case "share":
            family = GaugeMetricFamily(_name(figure), says)
            if (share_of := of.together().share) is not None:
                family.add_metric([], share_of)
        case _:
            family = GaugeMetricFamily(_name(figure), says, labels=figure.parts)
            for label in of.labels:
                values = [part.strip() for part in label.partition(":")[::2]][: len(figure.parts)]
                family.add_metric(values, _amount(figure, of.together([label])))
    return family


def _amount(figure: Figure, cell: Cell) -> float:
    return cell.total if figure.form == "money" else cell.times


def _name(figure: Figure) -> str:
    """`keepsake_day_reply_seconds`, `keepsake_day_spend_cents`, `keepsake_day_cache_read_share`."""
    key = figure.key.replace("_ms", "_seconds")
    ending = {"money": "_cents", "share": "_share"}.get(figure.form, "")
    return f"keepsake_day_{key}{ending}"
