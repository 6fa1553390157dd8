"""Spans sent to a collector over OTLP/HTTP by OpenTelemetry's SDK, in its own thread, from a bounded queue.

No span carries a word that a person wrote or was answered, a phone number or a key: only ids, counts, and names and
codes that this program or its operator chose. Of an error it carries the code alone, since its sentence may hold more.
Spans that cannot be sent are dropped.

The SDK gets all its settings here, not from the environment, except for certificates and proxies.
"""

import logging
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from urllib.parse import urlsplit

from opentelemetry import trace as otel
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import SERVICE_NAME, Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExportResult
from opentelemetry.sdk.trace.sampling import ALWAYS_ON
from opentelemetry.trace import SpanKind, Status, StatusCode

from app.services import Clock, Span, Value

QUEUE_MAX_SPANS = 4096  # Some five hundred turns, about 5 MB; if the collector takes none, the oldest are dropped.
BATCH_MAX_SPANS = 512
EVERY_SECONDS = 2.0
SEND_SECONDS = 5.0  # For one batch with all its retries.
CLOSE_SECONDS = 2.0  # Spans left at the end of the process are not worth more.

# OpenTelemetry's conventions for generative AI (opentelemetry.io/docs/specs/semconv/gen-ai): viewers know them.
_NAMES = {
    "model": "gen_ai.response.model",
    "input_tokens": "gen_ai.usage.input_tokens",
    "output_tokens": "gen_ai.usage.output_tokens",
    "cache_read_tokens": "gen_ai.usage.cache_read.input_tokens",
    "cache_write_tokens": "gen_ai.usage.cache_creation.input_tokens",
    "tool": "gen_ai.tool.name",
}
_OPERATIONS = {"turn": "invoke_agent", "model": "chat", "tool": "execute_tool"}
_TO_OTHERS = frozenset({"model", "send"})

logger = logging.getLogger(__name__)


class OtlpTracer:
    """Sends spans to the collector at `endpoint`, to which the path of the protocol is added."""

    def __init__(
        self,
        endpoint: str,
        headers: Mapping[str, str],
        clock: Clock,
        *,
        every_seconds: float = EVERY_SECONDS,
        send_seconds: float = SEND_SECONDS,
        close_seconds: float = CLOSE_SECONDS,
    ) -> None:
        # The SDK writes several lines for each batch that is not accepted; `_Exporter` reports it once.
        logging.getLogger("opentelemetry").setLevel(logging.CRITICAL)
        self._clock = clock
        self._close_seconds = close_seconds
        batches = BatchSpanProcessor(
            _Exporter(endpoint, headers, send_seconds),
            max_queue_size=QUEUE_MAX_SPANS,
            schedule_delay_millis=every_seconds * 1000,
            max_export_batch_size=BATCH_MAX_SPANS,
        )
        service = Resource({SERVICE_NAME: "keepsake"})
        self._provider = TracerProvider(sampler=ALWAYS_ON, resource=service, shutdown_on_exit=False)
        self._provider.add_span_processor(batches)
        self._tracer = self._provider.get_tracer("keepsake")
        # Our own variable, not OpenTelemetry's: libraries would pass its ids on to the servers that they call.
        self._current: ContextVar[otel.Span | None] = ContextVar("span", default=None)

    @contextmanager
    def span(self, name: str, **attributes: Value) -> Iterator["_OpenSpan"]:
        parent, began = self._current.get(), self._clock.monotonic()
        started_at = round(self._clock.now().timestamp() * 1e6) * 1000  # Nanoseconds, to the microsecond.
        span = self._tracer.start_span(
            name,
            context=Context() if parent is None else otel.set_span_in_context(parent, Context()),
            kind=SpanKind.CLIENT if name in _TO_OTHERS else SpanKind.INTERNAL,
            start_time=started_at,
            record_exception=False,
            set_status_on_exception=False,
        )
        if name in _OPERATIONS:
            span.set_attribute("gen_ai.operation.name", _OPERATIONS[name])
        opened = _OpenSpan(span)
        opened.note(**attributes)
        before = self._current.set(span)
        try:
            yield opened
        except Exception as error:
            code = getattr(error, "code", None)
            span.set_attribute("error.type", code if isinstance(code, str) else type(error).__name__)
            span.set_status(Status(StatusCode.ERROR))
            raise
        finally:
            self._current.reset(before)
            span.end(end_time=started_at + int((self._clock.monotonic() - began) * 1e9))

    def close(self) -> None:
        # The SDK waits half a minute for a batch under way; spans that cannot be sent within our limit are given up.
        closing = threading.Thread(target=self._provider.shutdown, name="spans-end", daemon=True)
        closing.start()
        closing.join(self._close_seconds)


class _OpenSpan(Span):
    def __init__(self, span: otel.Span) -> None:
        self._span = span

    def note(self, **attributes: Value) -> None:
        for name, value in attributes.items():
            if value is not None:
                self._span.set_attribute(_NAMES.get(name, f"keepsake.{name}"), value)


class _Exporter(OTLPSpanExporter):
    """Sends batches, and logs when it stops working and when it works again."""

    def __init__(self, endpoint: str, headers: Mapping[str, str], send_seconds: float) -> None:
        super().__init__(
            f"{endpoint}/v1/traces", headers=dict(headers), timeout=send_seconds, compression=Compression.NoCompression
        )
        self._host = urlsplit(endpoint).hostname  # The address may hold a password.
        self._fails = False

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        result = super().export(spans)
        fails = result is not SpanExportResult.SUCCESS
        if fails and not self._fails:
            logger.warning("Spans are not taken at %s, and are dropped until they are.", self._host)
        elif self._fails and not fails:
            logger.info("Spans are taken at %s again.", self._host)
        self._fails = fails
        return result
