"""`GET /metrics`: Prometheus text for the machine itself, or for whoever has `METRICS_TOKEN`. Nothing is about anybody.

What is counted comes from the rows, so that it is the same from each process and after each start: what is going on
from themselves, the figures of the last day from what the job has counted. Only how long the webhooks took is this
process's own.
"""

import hmac
from collections.abc import Iterator, Sequence
from threading import Event
from typing import cast

from flask import Blueprint, Flask, Response, abort, current_app, g, request
from prometheus_client import CollectorRegistry, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric

from app.conversation.budget import day_of
from app.services import Clock, Services
from app.settings import Settings
from app.web import counted_figures, figures
from app.web.figures import Health, Lately
from app.web.phone_guard import is_for_this_machine, is_this_machine

TEXT_TYPE = "text/plain; version=0.0.4; charset=utf-8"  # The version of the text form, not of ours.
WEBHOOKS = {"sms.receive": "/sms", "status.receive": "/sms/status", "voice.receive": "/voice"}
BUCKETS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 15.0)  # Twilio gives up after 15 s.

bp = Blueprint("metrics", __name__)


@bp.get("/metrics")
def metrics() -> Response:
    """The numbers as they are now."""
    services = cast("Services", current_app.extensions["services"])
    _check_visit(services.settings)
    own = cast("CollectorRegistry", current_app.extensions["webhook_seconds"])
    counted = CollectorRegistry()
    counted.register(_Counted(services, is_stopping=cast("Event", current_app.extensions["stopping"]).is_set()))
    return Response(generate_latest(counted) + generate_latest(own), content_type=TEXT_TYPE)


def measure_webhooks(app: Flask, clock: Clock) -> None:
    """Have each request to a webhook timed, from its first line to its answer."""
    registry = CollectorRegistry()
    seconds = Histogram(
        "keepsake_webhook_seconds", "How long a webhook took.", ["route"], registry=registry, buckets=BUCKETS
    )
    by_endpoint = {endpoint: seconds.labels(route) for endpoint, route in WEBHOOKS.items()}
    app.extensions["webhook_seconds"] = registry

    @app.before_request
    def begin() -> None:
        g.began = clock.monotonic()

    @app.after_request
    def end(response: Response) -> Response:
        timed = by_endpoint.get(request.endpoint or "")
        if timed is not None and "began" in g:
            timed.observe(clock.monotonic() - g.began)
        return response


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


class _Counted:
    """What the rows say at this moment, in the form of Prometheus."""

    def __init__(self, services: Services, *, is_stopping: bool) -> None:
        self._services = services
        self._is_stopping = is_stopping

    def collect(self) -> Iterator[Metric]:
        now = self._services.clock.now()
        with self._services.reading() as db:
            health, lately = figures.health(db, now), figures.lately(db, now, day_of(now, self._services))
            counted = counted_figures.read(db, now)
        ready = health.is_well and not self._is_stopping
        yield _gauge("keepsake_ready", "1 when texts are taken in and answered.", float(ready))
        yield from _of_health(health)
        yield from _of_texts(lately)
        yield from _of_turns(lately)
        yield _gauge("keepsake_calls", "Phone calls to the number, which only reads texts; of all times.", lately.calls)
        yield _of_suggestions(lately)
        yield from counted_figures.of(counted)


def _of_health(health: Health) -> Iterator[Metric]:
    ages = {"worker": health.worker_age_seconds, "scheduler": health.scheduler_age_seconds}
    beats = _family("keepsake_heartbeat_age_seconds", "Since a part was last known to be alive.", ["part"])
    for part, age in ages.items():
        if age is not None:
            beats.add_metric([part], age)
    yield beats
    oldest = health.oldest_unanswered_seconds
    yield _gauge("keepsake_oldest_unanswered_seconds", "For how long the oldest text waits for its answer.", oldest)
    yield _gauge("keepsake_outbox_unknown", "Texts that may or may not have been sent.", health.outbox_unknown)
    yield _gauge("keepsake_dead_letters", "Texts that were given up.", health.dead_letters)
    alerts = _family("keepsake_alert_open", "1 for each kind of alert that is open.", ["kind"])
    for kind in health.alerts:
        alerts.add_metric([kind], 1.0)
    yield alerts


def _of_texts(lately: Lately) -> Iterator[Metric]:
    yield _gauge("keepsake_texts_waiting", "Texts that wait for their answer.", lately.waiting)
    yield _gauge("keepsake_outbox_queued", "Texts that wait to be sent, or are being sent.", lately.queued)
    texts = _family("keepsake_texts", "Texts of the last 24 h.", ["direction", "state", "carrier_code"])
    for kind in lately.texts:
        code = "" if kind.carrier_code is None else str(kind.carrier_code)
        texts.add_metric([kind.direction, kind.state, code], kind.texts)
    yield texts
    segments = sum(kind.segments for kind in lately.texts)
    yield _gauge("keepsake_segments", "Segments of the texts that went out in the last 24 h.", segments)
    cents = sum(kind.cost_cents for kind in lately.texts)
    yield _gauge("keepsake_segments_cost_cents", "What the carrier charges for them, in US cents.", cents)
    yield _quantiles(
        "keepsake_reply_seconds", "From a text to its answer on the way, in the last hour.", lately.reply_seconds
    )


def _of_suggestions(lately: Lately) -> Metric:
    suggestions = _family("keepsake_suggestions", "What was suggested, and what became of it.", ["kind", "state"])
    for (kind, state), count in sorted(lately.suggestions.items()):
        suggestions.add_metric([kind, state], count)
    return suggestions


def _of_turns(lately: Lately) -> Iterator[Metric]:
    turns = _family("keepsake_turns", "Turns that ended in the last 24 h.", ["outcome"])
    for outcome in lately.turns:
        turns.add_metric([outcome.outcome], outcome.turns)
    yield turns
    recalls = _family(
        "keepsake_recalls", "Turns of the last 24 h by why memory was searched, or not.", ["gate", "found"]
    )
    for recall in lately.recalls:
        recalls.add_metric([recall.gate, "yes" if recall.brought_back else "no"], recall.turns)
    yield recalls
    calls = sum(outcome.model_calls for outcome in lately.turns)
    yield _gauge("keepsake_model_calls", "Calls of the model in the last 24 h.", calls)
    tokens = _family("keepsake_model_tokens", "Tokens of the last 24 h.", ["kind"])
    for kind in ("input", "output", "cache_read", "cache_write"):
        tokens.add_metric([kind], sum(getattr(outcome, f"{kind}_tokens") for outcome in lately.turns))
    yield tokens
    cost = sum(outcome.cost_cents for outcome in lately.turns)
    yield _gauge("keepsake_model_cost_cents", "What those turns cost, in US cents.", cost)
    yield _gauge(
        "keepsake_budget_spent_cents", "Spent or set aside of today's budget, in US cents.", lately.spent_cents
    )
    yield _quantiles(
        "keepsake_model_seconds", "What turns waited for the model, in the last hour.", lately.model_seconds
    )


def _gauge(name: str, says: str, value: float) -> Metric:
    return GaugeMetricFamily(name, says, value=value)


def _family(name: str, says: str, labels: list[str]) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, says, labels=labels)


def _quantiles(name: str, says: str, values: Sequence[float]) -> Metric:
    family = _family(name, says, ["quantile"])
    for share in (0.5, 0.95, 0.99):
        value = figures.quantile(values, share)
        if value is not None:
            family.add_metric([str(share)], value)
    return family
