"""A stand-in for an OpenTelemetry collector: it accepts spans over OTLP/HTTP, refuses them, or never answers."""

import threading
from dataclasses import dataclass, field
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from tests.loopback import Handler, Http, StandIn

LONGEST_SECONDS = 30.0  # Far more than anything takes; a span that is missing by then never comes.


@dataclass(frozen=True)
class Told:
    """A span as received."""

    name: str
    trace: bytes
    id: bytes
    parent: bytes
    nanoseconds: int
    failed: bool
    attributes: dict[str, Any] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Any:
        return self.attributes.get(name, self.attributes.get(f"keepsake.{name}"))


class Collector(StandIn):
    """Listens on 127.0.0.1 while the `with` block runs."""

    def __init__(self) -> None:
        self.status: int | None = 200
        """The HTTP status for each batch; with None there is no answer until the block ends."""
        self.bodies: list[bytes] = []
        """All batches received, accepted or not."""
        self.headers: list[dict[str, str]] = []
        self._answered: list[int | None] = []
        self._changed = threading.Condition()
        super().__init__(_Handler)

    def answered(self, status: int | None, times: int = 1) -> bool:
        """Wait until `times` batches got that answer (None for no answer); True if they did."""
        with self._changed:
            return self._changed.wait_for(lambda: self._answered.count(status) >= times, LONGEST_SECONDS)

    def spans(self) -> list[Told]:
        """All spans received, in the order in which they began, outer ones first."""
        found = []
        for body in self.bodies:
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                found += [span for scope in resource.scope_spans for span in scope.spans]
        return [
            Told(
                span.name,
                span.trace_id,
                span.span_id,
                span.parent_span_id,
                span.end_time_unix_nano - span.start_time_unix_nano,
                span.status.code == span.status.STATUS_CODE_ERROR,
                {one.key: getattr(one.value, str(one.value.WhichOneof("value"))) for one in span.attributes},
            )
            for span in sorted(found, key=lambda span: (span.start_time_unix_nano, bool(span.parent_span_id)))
        ]

    def note_answer(self, status: int | None) -> None:
        with self._changed:
            self._answered.append(status)
            self._changed.notify_all()


class _Handler(Handler):
    server: Http[Collector]

    def post(self) -> None:
        there = self.server.stand_in
        assert self.path == "/v1/traces"
        status = there.status
        there.bodies.append(self.body())
        there.headers.append(self.lowered)
        if status is not None:
            self.answer(status)
        there.note_answer(status)
        if status is None:
            there.closing.wait()
