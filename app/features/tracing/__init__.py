"""Spans of each turn, sent to an OpenTelemetry collector."""

import logging

from app.services import Clock, Tracer
from app.services.feature import Feature
from app.settings import Settings

logger = logging.getLogger(__name__)


def tracer(settings: Settings, clock: Clock) -> Tracer | None:
    """The tracer that sends spans; None if no collector is set or its packages are not installed."""
    if settings.otel_exporter_otlp_endpoint is None:
        return None
    try:
        from app.features.tracing.otlp import OtlpTracer  # noqa: PLC0415  (only an installation that sends spans has its packages)
    except ImportError as error:  # The setting may be meant for other programs on the machine, so this is no error.
        logger.warning(
            "OTEL_EXPORTER_OTLP_ENDPOINT is set, and what sends spans is not installed (%s), so none are sent. Run "
            "`.venv/bin/python -m pip install --require-hashes -r requirements-otel.lock`, or take the setting out.",
            error,
        )
        return None
    return OtlpTracer(settings.otel_exporter_otlp_endpoint, settings.otlp_headers, clock)


TRACING = Feature("tracing", tracer=tracer)
