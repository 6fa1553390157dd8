import logging
from collections.abc import Callable

import pytest

from app.errors import ContextTooLong, ModelDown, ModelError, RequestRefused
from app.services.retries import ATTEMPTS
from tests.claude_server import ClaudeServer, Reply, cut, error, html, overloaded, rate_limited, raw, say, truncated
from tests.clients.asking_claude import SECRET_WORDS, answer_of, ask, claude, refusal_of
from tests.fakes import FrozenClock

NO_MONEY = (
    "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to purchase credits.",
    "You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.",
)
OVER_A_LIMIT = [f"{whose}_spend_limit_reached" for whose in ("enforced", "contract", "linked_organization")]
MANY_TOKENS = "max_tokens: 200000 > 128000, which is the maximum allowed number of output tokens"
TOO_LONG = (
    error(400, "invalid_request_error", "prompt is too long: 1000214 tokens > 1000000 maximum"),
    error(400, "invalid_request_error", "input length and `max_tokens` exceed context limit: 199000 + 1024"),
    error(413, "request_too_large", "Request exceeds the maximum allowed number of bytes."),
    raw(400, b'{"error": "This model\'s maximum context length is 4096 tokens."}'),
    raw(400, b'{"error": {"code": 400, "message": "the request exceeds the available context size"}}'),
    raw(413, b"<html>Request Entity Too Large</html>", {"content-type": "text/html"}),
)


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(html(), id="R36 a captive portal's page"),
        pytest.param(html(502), id="R36 a proxy's page"),
        pytest.param(truncated(), id="R36 truncated JSON"),
        pytest.param(raw(200, b"[1, 2]"), id="R36 JSON that is no message"),
        pytest.param(raw(200, b'{"content": "hi", "stop_reason": "end_turn"}'), id="R36 content as text"),
        pytest.param(say("cut", stop_reason=None), id="R36 no stop reason"),
        pytest.param(say("odd", stop_reason="solar_flare"), id="R36 unknown stop reason"),
        pytest.param(Reply(content=[]), id="R36 empty content"),
        pytest.param(say("Let me look.", stop_reason="tool_use"), id="R36 a call that is not there"),
        pytest.param(Reply(content=[{"type": "text"}]), id="R36 a text without its words"),
        pytest.param(Reply(content=[{"type": "tool_use", "id": None, "name": "x", "input": {}}]), id="R36 call, no id"),
        pytest.param(error(408, "timeout_error"), id="408"),
        pytest.param(error(409, "conflict_error"), id="409"),
        pytest.param(rate_limited(), id="429"),
        pytest.param(error(500, "api_error"), id="500"),
        pytest.param(overloaded(), id="529"),
        pytest.param(cut(), id="connection closed without an answer"),
        pytest.param(cut("body"), id="connection closed within the answer"),
    ],
)
def test_r36_a_passing_fault_is_asked_again_and_the_whole_answer_comes(fault: Reply) -> None:
    answer, clock, server = answer_of(fault, fault, say("Here I am."))
    assert answer.content[0].to_dict()["text"] == "Here I am."
    assert len(server.asked) == 3
    first, second = clock.waits
    assert 0.375 <= first <= 0.625
    assert 0.75 <= second <= 1.25


@pytest.mark.parametrize("reason", ["refusal", "max_tokens", "pause_turn", "model_context_window_exceeded"])
def test_an_answer_that_stopped_for_a_known_reason_is_passed_on_even_without_a_word(reason: str) -> None:
    assert answer_of(Reply(content=[], stop_reason=reason))[0].stop_reason == reason


def test_an_empty_answer_to_what_the_tools_returned_is_passed_on_because_claude_had_no_more_to_say() -> None:
    messages = [
        {"role": "user", "content": "Hello."},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "list_memories", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "{}"}]},
    ]
    assert answer_of(Reply(content=[]), messages=messages)[0].content == []


@pytest.mark.parametrize(
    ("asked", "code", "least", "most"),
    [
        ("3", None, 3.0, 3.0),
        ("Sat, 21 Nov 2026 17:00:03 GMT", None, 3.0, 3.0),
        ("2", "ramp_limit_exceeded", 2.0, 2.0),
        *((odd, None, 0.0, 1.0) for odd in ("soon", "nan", "inf", "-5", "")),
    ],
)
def test_r37_a_short_wait_that_the_server_asks_for_is_kept_and_one_without_sense_replaced(
    asked: str, code: str | None, least: float, most: float
) -> None:
    _, clock, _ = answer_of(rate_limited(retry_after=asked, code=code), say("Yes."))
    [waited] = clock.waits
    assert least <= waited <= most


def test_r37_a_wait_that_does_not_fit_before_the_deadline_ends_the_attempts_at_once() -> None:
    problem, clock, server = refusal_of(rate_limited(retry_after="5"), seconds=4.0)

    assert "4.0 s are left, too few to ask again" in str(problem)
    assert clock.waits == []
    assert len(server.asked) == 1


FAULTS: list[tuple[Reply, type[ModelError], bool, int, str]] = [
    # Faults that hit everybody, and pass.
    (html(), ModelDown, False, ATTEMPTS, "Something that is not Claude answered: the answer is no mess"),
    (truncated(), ModelDown, False, ATTEMPTS, "broke off: it is no whole JSON. Asked 3 times."),
    (cut(), ModelDown, False, ATTEMPTS, "Asked 3 times."),
    (overloaded(), ModelDown, False, ATTEMPTS, "529: overloaded_error"),
    (rate_limited(), ModelDown, False, ATTEMPTS, "429: rate_limit_error"),
    (error(408, "timeout_error"), ModelDown, False, ATTEMPTS, "408: timeout_error"),
    (error(500, "api_error"), ModelDown, False, ATTEMPTS, "500: api_error"),
    (error(503, "api_error", headers={"x-should-retry": "false"}), ModelDown, False, 1, "503: api_error"),
    (rate_limited(retry_after="86400"), ModelDown, False, 1, "to wait 86,400 s; at most 8 s are waited"),
    # It lasts until the operator has done something.
    *(
        (rate_limited(retry_after="1", code=code), ModelDown, True, 1, f"{code}, request req_011CLoopback. A")
        for code in OVER_A_LIMIT
    ),
    (error(400, "invalid_request_error", code="organization_on_hold"), ModelDown, True, 1, "organization_on_hold"),
    (error(401, "authentication_error"), ModelDown, True, 1, "Check ANTHROPIC_API_KEY."),
    (error(402, "billing_error"), ModelDown, True, 1, "Check the billing of the account."),
    (error(403, "permission_error"), ModelDown, True, 1, "Check what the key in ANTHROPIC_API_KEY is allowed to do."),
    (error(404, "not_found_error"), ModelDown, True, 1, "Check CLAUDE_MODEL and ANTHROPIC_BASE_URL."),
    (raw(307, b"", {"location": "http://127.0.0.1:9/"}), ModelDown, True, 1, "not sent on to another host"),
    *(
        (error(400, "invalid_request_error", said), ModelDown, True, 1, f"{said} The account has no")
        for said in NO_MONEY
    ),
    # It is of this one request.
    (error(400, "invalid_request_error", "messages.0: odd"), RequestRefused, False, 1, "400: invalid_request_error"),
    (error(422, "invalid_request_error"), RequestRefused, False, 1, "422: invalid_request_error"),
    (say("odd", stop_reason="solar_flare"), ModelError, False, ATTEMPTS, "it has no known reason to stop"),
    (Reply(content=[]), ModelError, False, ATTEMPTS, "it is empty"),
    *((reply, ContextTooLong, False, 1, "The request is longer than the model accepts.") for reply in TOO_LONG),
    (error(400, "invalid_request_error", MANY_TOKENS), RequestRefused, False, 1, "allowed number of output tokens"),
]


@pytest.mark.parametrize(("fault", "kind", "is_lasting", "times", "says"), FAULTS, ids=range(len(FAULTS)))
def test_r36_r37_r38_r40_r47_each_fault_has_its_class_its_attempts_and_its_next_step(
    fault: Reply, kind: type[ModelError], is_lasting: bool, times: int, says: str
) -> None:
    problem, clock, server = refusal_of(*[fault] * ATTEMPTS)

    assert type(problem) is kind
    assert says in str(problem)
    assert (len(server.asked), len(clock.waits)) == (times, times - 1)
    if isinstance(problem, ModelDown):
        assert (problem.is_lasting, problem.timed_out) == (is_lasting, False)


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        (
            "tools.3.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
            "tools.3.name: String should match pattern '…'",
        ),
        ('model: the model "ours" does not support it,\n  sorry', "model: the model '…' does not support it, sorry"),
        ('"thinking.type.disabled" is not supported', '"thinking.type.disabled" is not supported'),
        ("x" * 100_000, "x" * 299 + "…"),
        (f"messages.0: {SECRET_WORDS}, is that so?", "messages.0: … … … … … is that so?"),
    ],
)
def test_a_refused_request_is_told_in_the_servers_own_sentence_without_what_it_quotes(sent: str, told: str) -> None:
    problem, clock, server = refusal_of(error(400, "invalid_request_error", sent))

    assert isinstance(problem, RequestRefused)
    assert str(problem) == f"Claude answered 400: invalid_request_error, request req_011CLoopback. {told}"
    assert len(server.asked) == 1
    assert clock.waits == []


def test_a_server_that_is_away_is_asked_three_times() -> None:
    clock = FrozenClock()
    with ClaudeServer() as server:
        address = server.url
    reached = pytest.raises(ModelError, match=r"could not be reached \(ConnectError\)\. Asked 3 times\.")
    with claude(server, clock, base_url=address) as model, reached as caught:
        model.complete(ask(clock))

    assert len(clock.waits) == 2
    assert not caught.value.may_be_charged, "Nobody was there to make an answer."


def test_a_request_that_cannot_be_written_as_json_ends_in_a_sentence_and_stands_in_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    problem, clock, server = refusal_of(messages=[{"role": "user", "content": SECRET_WORDS, "when": 1j}])
    assert SECRET_WORDS not in str(problem)
    assert (clock.waits, server.asked) == ([], [])
    [told] = [record for record in caplog.records if record.name == "app.clients.claude_faults"]
    assert told.exc_info


@pytest.mark.parametrize(
    "fault",
    [
        lambda key: error(400, "invalid_request_error", f"bad text: {SECRET_WORDS}; key {key}"),
        lambda key: error(401, f"{SECRET_WORDS} {key}", key, code=key),
        lambda key: raw(200, f"{SECRET_WORDS} {key}".encode()),
        lambda key: error(500, "api_error", f"{SECRET_WORDS} {key}"),
    ],
    ids=["400", "401", "no message", "500"],
)
def test_r102_no_words_or_key_get_logged(fault: Callable[[str], Reply], caplog: pytest.LogCaptureFixture) -> None:
    clock = FrozenClock()
    caplog.set_level(logging.DEBUG)
    with ClaudeServer() as server:
        server.otherwise = fault(server.key)
        with claude(server, clock) as model, pytest.raises(ModelError) as caught:
            model.complete(ask(clock))

    told = caplog.text + str(caught.value) + repr(caught.value.__cause__) + repr(caught.value.__context__)
    assert SECRET_WORDS not in told
    assert server.key not in told
    assert server.key not in repr(vars(model))
