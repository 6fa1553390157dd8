"""`GET /metrics`: Prometheus text for the machine itself or a client with `METRICS_TOKEN`; nothing is about a person.

The counts come from the database, so they are the same in each process and after each start: current values from the
rows themselves, figures of the last day from the job's counts. Only the webhooks' durations are this process's own.
"""

import hmac
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from flask import Blueprint, Response, abort, current_app, request
from prometheus_client import generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.conversation.budget import budget_day, spent_cents
from app.models import Message, Turn, marks
from app.operations.numbers import series
from app.operations.numbers.figures import FIGURES, Figure
from app.operations.numbers.halving import Timeline
from app.operations.numbers.series import Series
from app.routines import suggestions
from app.services import Services
from app.settings import Settings
from app.web import health
from app.web.health import LATELY, ROWS_MAX, TEXTS, Health
from app.web.phone.guard import is_for_this_machine, is_this_machine
from app.web.sms import CALLS

TEXT_TYPE = "text/plain; version=0.0.4; charset=utf-8"  # The version is that of the Prometheus text format.
QUANTILES = (0.5, 0.95, 0.99)
HOURS = 24
PER_SECOND = 1000.0  # Milliseconds per second, Prometheus's unit of time.

_TURNS = Timeline(Turn.id, Turn.started_at)
_ends = (Message.direction, Message.state, Message.carrier_code)
_segments = func.coalesce(func.sum(Message.segments), 0).label("segments")
_cents = func.coalesce(func.sum(Message.cost_cents), 0.0).label("cents")
_texts = func.count().label("texts")
_TEXTS_BY_END = select(*_ends, _texts, _segments, _cents).where(TEXTS.newest(ROWS_MAX)).group_by(*_ends)
_TOKENS = (Turn.input_tokens, Turn.output_tokens, Turn.cache_read_tokens, Turn.cache_write_tokens)
_sums = [func.sum(column).label(column.key) for column in (Turn.model_calls, *_TOKENS)]
_TURNS_BY_OUTCOME = (
    select(Turn.outcome, func.count().label("turns"), *_sums)
    .where(_TURNS.newest(ROWS_MAX), Turn.outcome.is_not(None))
    .group_by(Turn.outcome)
)
_UNDER_WAY = select(Message.state, func.count()).where(Message.UNDER_WAY).group_by(Message.state)

bp = Blueprint("metrics", __name__)


@bp.get("/metrics")
def metrics() -> Response:
    """The current metrics."""
    services: Services = current_app.extensions["services"]
    _check_visit(services.settings)
    counted = _Collector(services, is_stopping=current_app.extensions["stopping"].is_set())
    of_webhooks = generate_latest(current_app.extensions["webhook_seconds"])
    return Response(generate_latest(counted) + of_webhooks, content_type=TEXT_TYPE)


def _check_visit(settings: Settings) -> None:
    token = settings.metrics_token
    if token is not None:
        kind, _, given = request.headers.get("Authorization", "").partition(" ")
        fits = hmac.compare_digest(given.strip().encode("utf-8", "replace"), token.get_secret_value().encode())
        if fits and kind.lower() == "bearer":
            return
    if is_for_this_machine(settings) and is_this_machine(request):
        return
    if token is None:
        abort(403, description="Set METRICS_TOKEN to read the metrics where others reach this installation.")
    response = Response("Send Authorization: Bearer and METRICS_TOKEN.\n", 401, content_type="text/plain")
    response.headers["WWW-Authenticate"] = 'Bearer realm="metrics"'
    abort(response)


class _Collector:
    """A Prometheus collector that reads the current values from the database."""

    def __init__(self, services: Services, *, is_stopping: bool) -> None:
        self._services = services
        self._is_stopping = is_stopping

    def collect(self) -> Iterator[Metric]:
        services, now = self._services, self._services.clock.now()
        with services.reading() as db:
            found = health.measure_health(db, now)
            ready = found.is_well and not self._is_stopping
            yield _gauge("ready", "1 when texts are taken in and answered.", float(ready))
            yield from _health_metrics(found)
            yield from of_texts(db, now)
            yield from of_turns(db, now, spent_cents(db, budget_day(services, now)))
            called = marks.read(db, CALLS)
            about = "Phone calls to the number, which only reads texts; of all times."
            yield _gauge("calls", about, called.number if called else 0)
            suggested = sorted((key, count) for key, count in suggestions.counts(db).items())
            yield _labelled("suggestions", "What was suggested, and what became of it.", ["kind", "state"], suggested)
            # As last counted: a few thousand small rows, however many texts there are.
            counted = series.read(db, series.stretch("hour", now, "UTC", most=HOURS))
            yield from (_figure_metric(figure, counted[figure.key]) for figure in FIGURES)


def _health_metrics(health: Health) -> Iterator[Metric]:
    beats = [((part,), age) for part, age in health.ages_seconds.items() if age is not None]
    yield _labelled("heartbeat_age_seconds", "Since a part was last known to be alive.", ["part"], beats)
    oldest = health.oldest_unanswered_seconds
    yield _gauge("oldest_unanswered_seconds", "For how long the oldest text waits for its answer.", oldest)
    yield _gauge("outbox_unknown", "Texts that may or may not have been sent.", health.outbox_unknown)
    yield _gauge("dead_letters", "Texts that were given up.", health.dead_letters)
    alerts = [((kind,), 1.0) for kind in health.alerts]
    yield _labelled("alert_open", "1 for each kind of alert that is open.", ["kind"], alerts)


def of_texts(db: Session, now: datetime) -> Iterator[Metric]:
    waiting = {state: int(count) for state, count in db.execute(_UNDER_WAY)}
    yield _gauge("texts_waiting", "Texts that wait for their answer.", waiting.get("waiting", 0))
    queued = waiting.get("queued", 0) + waiting.get("sending", 0)
    yield _gauge("outbox_queued", "Texts that wait to be sent, or are being sent.", queued)
    rows: list[Any] = list(db.execute(_TEXTS_BY_END, {"since": now - LATELY}))
    codes = ("" if row.carrier_code is None else str(row.carrier_code) for row in rows)
    by_end = [((row.direction, row.state, code), row.texts) for row, code in zip(rows, codes, strict=True)]
    yield _labelled("texts", "Texts of the last 24 h.", ["direction", "state", "carrier_code"], by_end)
    segments = sum(row.segments for row in rows)
    yield _gauge("segments", "Segments of the texts that went out in the last 24 h.", segments)
    cents = sum(row.cents for row in rows)
    yield _gauge("segments_cost_cents", "What the carrier charges for them, in US cents.", cents)
    seconds = health.reply_seconds(db, now)  # Over the last hour, for alarms; the number pages count whole hours.
    found = [((str(share),), value) for share in QUANTILES if (value := health.quantile(seconds, share)) is not None]
    yield _labelled("reply_seconds", "From a text to its answer on the way, in the last hour.", ["quantile"], found)


def of_turns(db: Session, now: datetime, spent: float) -> Iterator[Metric]:
    rows: list[Any] = list(db.execute(_TURNS_BY_OUTCOME, {"since": now - LATELY}))
    by_outcome = [((row.outcome,), row.turns) for row in rows]
    yield _labelled("turns", "Turns that ended in the last 24 h.", ["outcome"], by_outcome)
    yield _gauge("model_calls", "Calls of the model in the last 24 h.", sum(row.model_calls for row in rows))
    kinds = [column.key for column in _TOKENS]
    tokens = [((kind.removesuffix("_tokens"),), sum(getattr(row, kind) for row in rows)) for kind in kinds]
    yield _labelled("model_tokens", "Tokens of the last 24 h.", ["kind"], tokens)
    yield _gauge("budget_spent_cents", "Spent or reserved of today's budget, in US cents.", spent)


def _figure_metric(figure: Figure, of: Series) -> Metric:
    """The metric of a figure, such as `keepsake_day_reply_seconds` or `keepsake_day_cache_read_share`."""
    ending = {"money": "_cents", "share": "_share"}.get(figure.form, "")
    name, about = f"day_{figure.key.replace('_ms', '_seconds')}{ending}", f"Of the last {HOURS} hours. {figure.means}"
    match figure.form:
        case "spread":
            unit = PER_SECOND if figure.unit == "milliseconds" else 1.0
            found = [((str(share),), of.total().quantile(share)) for share in QUANTILES]
            spread = [(share, value / unit) for share, value in found if value is not None]
            return _labelled(name, about, ["quantile"], spread)
        case "share":
            share_of = of.total().share
            return _labelled(name, about, [], [] if share_of is None else [((), share_of)])
        case form:
            cells = [(label, of.total([label])) for label in of.labels]
            values = [(_parts(figure, label), cell.total if form == "money" else cell.times) for label, cell in cells]
            return _labelled(name, about, figure.parts, values)


def _parts(figure: Figure, label: str) -> Sequence[str]:
    return [part.strip() for part in label.partition(":")[::2]] if figure.parts[1:] else [label]


def _gauge(name: str, about: str, value: float) -> Metric:
    return GaugeMetricFamily(f"keepsake_{name}", about, value=value)


def _labelled(name: str, about: str, labels: Sequence[str], values: Iterable[tuple[Sequence[str], float]]) -> Metric:
    family = GaugeMetricFamily(f"keepsake_{name}", about, labels=labels)
    for of, value in values:
        family.add_metric(of, value)
    return family
