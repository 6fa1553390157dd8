"""Spans of a turn sent to a collector: their names and nesting, and never anybody's words."""

import logging
import sys
import threading
from collections.abc import Iterator

import pytest
from opentelemetry import trace

from app.clients.claude import ClaudeModel
from app.errors import Refused
from app.features.tracing.otlp import OtlpTracer
from app.settings import Settings
from app.wiring import build_services
from tests.claude_server import ClaudeServer, Reply, call, say
from tests.conftest import MakeLine, MakeServices
from tests.fakes import FrozenClock, InlineBackground
from tests.otlp_collector import LONGEST_SECONDS, Collector, Told
from tests.phoning import Phone
from tests.twilio_server import PERSON

SOON_SECONDS = 0.01


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")  # The exporter heeds the proxies of the environment.
    with Collector() as collector:
        yield collector


def parts(spans: list[Told]) -> list[str]:
    """Each span as the names from the outermost one to it, in the order in which they began."""
    by_id = {span.id: span for span in spans}

    def path(span: Told) -> str:
        return f"{path(by_id[span.parent])}/{span.name}" if span.parent else span.name

    return [path(span) for span in spans]


def test_a_text_is_told_as_a_turn_with_its_parts_and_without_a_word_of_it(
    collector: Collector, make_line: MakeLine, clock: FrozenClock, claude: ClaudeServer, claude_model: ClaudeModel
) -> None:
    def thinks(reply: Reply) -> Reply:
        clock.advance(seconds=2)
        return reply

    claude.queue(
        lambda _: thinks(call("extract_memory", {"facts": [{"fact": "Has a violet car", "category": "violets"}]})),
        lambda _: call("violet_tool", {}),
        lambda _: say("Noted: a violet car."),
    )
    tracer = OtlpTracer(collector.url, {"authorization": "Bearer abc"}, clock)
    line = make_line({"model": claude_model, "tracer": tracer})
    line.text("My car is violet")
    tracer.close()
    spans = collector.spans()
    steps = ["turn/recall", "turn/model", "turn/tool", "turn/model", "turn/tool", "turn/model", "turn/send"]
    assert sorted(parts(spans)) == sorted(["turn", *steps])
    assert len({span.trace for span in spans}) == 1
    turn, *others = spans
    assert (turn["person"], turn["kind"], turn["outcome"], turn["texts"]) == (line.person().id, "reply", "replied", 1)
    asked, *_ = [span for span in others if span.name == "model"]
    assert asked["gen_ai.response.model"] == "claude-sonnet-5-5"
    assert asked["gen_ai.usage.input_tokens"] > asked["gen_ai.usage.output_tokens"] > 0
    assert asked["gen_ai.usage.cache_read.input_tokens"] == 0
    assert asked.nanoseconds == turn.nanoseconds == 2_000_000_000
    assert [(span["gen_ai.tool.name"], span["outcome"]) for span in others if span.name == "tool"] == [
        ("extract_memory", "ok"),
        ("unknown", "error"),
    ], "a name that the model made up may be anything"
    [sent] = [span for span in others if span.name == "send"]
    assert (sent["carrier"], sent["message"]) == ("twilio", line.went()[0].id)
    said = b"".join(collector.bodies)
    for word in ("violet", "Violet", "Noted", PERSON[1:]):
        assert word.encode() not in said
    assert {headers["authorization"] for headers in collector.headers} == {"Bearer abc"}


def test_what_fails_is_told_by_its_code_alone(collector: Collector, clock: FrozenClock) -> None:
    tracer = OtlpTracer(collector.url, {}, clock)
    with pytest.raises(Refused), tracer.span("turn", person=1), tracer.span("tool", tool="change_rule", outcome=None):
        raise Refused("Likes violets.")
    tracer.close()
    assert [(span.name, span.failed, span.attributes["error.type"]) for span in collector.spans()] == [
        ("turn", True, "refused"),
        ("tool", True, "refused"),
    ]
    assert b"violets" not in b"".join(collector.bodies)


def test_no_library_is_shown_the_span_that_could_pass_it_on_to_others(collector: Collector, clock: FrozenClock) -> None:
    tracer = OtlpTracer(collector.url, {}, clock)
    with tracer.span("turn"):
        assert not trace.get_current_span().get_span_context().is_valid
    tracer.close()


def test_a_collector_that_never_answers_holds_up_neither_a_turn_nor_the_end(
    collector: Collector, make_services: MakeServices, background: InlineBackground, clock: FrozenClock
) -> None:
    collector.status = None
    before = threading.enumerate()
    tracer = OtlpTracer(
        collector.url, {}, clock, every_seconds=SOON_SECONDS, send_seconds=0.5, close_seconds=SOON_SECONDS
    )
    phone = Phone(make_services(tracer=tracer), background)
    phone.text("Hello")
    assert collector.answered(None)
    assert len(phone.text("My name is Alex", "I like tea")) == 1
    tracer.close()
    waiting = [thread for thread in threading.enumerate() if thread not in before]
    assert waiting, "the batch is still waited for, by nobody but its own threads"
    with tracer.span("turn"):
        """Later spans are dropped."""
    collector.closing.set()
    for thread in waiting:
        thread.join(LONGEST_SECONDS)


def test_a_collector_that_takes_no_spans_is_named_once_until_it_does(
    collector: Collector,
    make_services: MakeServices,
    background: InlineBackground,
    clock: FrozenClock,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    collector.status = 400
    tracer = OtlpTracer(collector.url, {}, clock, every_seconds=SOON_SECONDS)
    phone = Phone(make_services(tracer=tracer), background)
    phone.text("Hello")
    assert collector.answered(400)
    phone.text("Hello again")
    assert collector.answered(400, 2)
    collector.status = 200
    phone.text("And again")
    assert collector.answered(200)
    tracer.close()
    assert [record.getMessage() for record in caplog.records if "pans" in record.getMessage()] == [
        "Spans are not taken at 127.0.0.1, and are dropped until they are.",
        "Spans are taken at 127.0.0.1 again.",
    ]


def test_without_the_packages_it_starts_and_says_what_to_install_where_spans_are_wanted(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.delitem(sys.modules, "app.features.tracing.otlp")
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    for endpoint in (None, "http://127.0.0.1:4318"):
        assert "requirements-otel.lock" not in caplog.text, "nothing is loaded for spans that nobody wants"
        services = build_services(Settings(otel_exporter_otlp_endpoint=endpoint, embeddings="none", _env_file=None))
        assert services.tracer is None
        services.close()
    assert "pip install --require-hashes -r requirements-otel.lock" in caplog.text
