import logging
from collections.abc import Callable
from typing import Any

import pytest

from app.clients.claude import ATTEMPTS, WAIT_MAX_SECONDS
from app.errors import ContextTooLong, ModelDown, ModelError, RequestRefused
from tests import claude_server
from tests.claude_server import ClaudeServer, Reply, error, say
from tests.clients.asking_claude import SECRET_WORDS, ask, claude, refusal_of
from tests.fakes import FrozenClock


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(claude_server.html(), id="R36 a captive portal's page"),
        pytest.param(claude_server.html(502), id="R36 a proxy's page"),
        pytest.param(claude_server.truncated(), id="R36 truncated JSON"),
        pytest.param(claude_server.raw(200, b"[1, 2]"), id="R36 JSON that is no message"),
        pytest.param(claude_server.raw(200, b'{"content": "hi", "stop_reason": "end_turn"}'), id="R36 content as text"),
        pytest.param(say("cut", stop_reason=None), id="R36 no stop reason"),
        pytest.param(say("odd", stop_reason="solar_flare"), id="R36 unknown stop reason"),
        pytest.param(Reply(content=[]), id="R36 empty content"),
        pytest.param(Reply(content=[{"type": "text"}]), id="R36 a text without its words"),
        pytest.param(Reply(content=[{"type": "tool_use", "id": None, "name": "x", "input": {}}]), id="R36 call, no id"),
        pytest.param(error(408, "timeout_error"), id="408"),
        pytest.param(error(409, "conflict_error"), id="409"),
        pytest.param(claude_server.rate_limited(), id="429"),
        pytest.param(error(500, "api_error"), id="500"),
        pytest.param(claude_server.overloaded(), id="529"),
        pytest.param(claude_server.cut(), id="connection closed without an answer"),
        pytest.param(claude_server.cut("body"), id="connection closed within the answer"),
    ],
)
def test_r36_a_passing_fault_is_asked_again_and_the_whole_answer_comes(fault: Reply) -> None:
    clock = FrozenClock()
    with ClaudeServer(fault, fault, say("Here I am.")) as server, claude(server, clock) as model:
        answer = model.complete(ask(clock))

    assert answer.content[0].to_dict()["text"] == "Here I am."
    assert len(server.asked) == 3
    first, second = clock.waits
    assert 0.375 <= first <= 0.625
    assert 0.75 <= second <= 1.25


def test_r36_a_fault_that_stays_is_asked_three_times_and_no_more() -> None:
    problem, clock, server = refusal_of(*[claude_server.html()] * 3)

    assert str(problem) == "Something that is not Claude answered: the answer is no message. Asked 3 times."
    assert len(server.asked) == ATTEMPTS
    assert len(clock.waits) == ATTEMPTS - 1


@pytest.mark.parametrize("reason", ["refusal", "max_tokens", "pause_turn", "model_context_window_exceeded"])
def test_an_answer_that_stopped_for_a_known_reason_is_passed_on_even_without_a_word(reason: str) -> None:
    clock = FrozenClock()
    with ClaudeServer(Reply(content=[], stop_reason=reason)) as server, claude(server, clock) as model:
        assert model.complete(ask(clock)).stop_reason == reason


def test_an_empty_answer_to_what_the_tools_returned_is_passed_on_because_claude_had_no_more_to_say() -> None:
    clock = FrozenClock()
    messages = [
        *ask(clock).messages,
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "list_memories", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "{}"}]},
    ]
    with ClaudeServer(Reply(content=[])) as server, claude(server, clock) as model:
        assert model.complete(ask(clock, messages=messages)).content == []


def test_r37_a_wait_of_a_day_is_not_waited_for() -> None:
    problem, clock, server = refusal_of(claude_server.rate_limited(retry_after="86400"))

    assert "asks to wait 86,400 s; at most 8 s are waited" in str(problem)
    assert clock.waits == []
    assert len(server.asked) == 1


@pytest.mark.parametrize("asked", ["3", "Sat, 21 Nov 2026 17:00:03 GMT"])
def test_r37_a_short_wait_that_the_server_asks_for_is_kept(asked: str) -> None:
    clock = FrozenClock()
    with (
        ClaudeServer(claude_server.rate_limited(retry_after=asked), say("Yes.")) as server,
        claude(server, clock) as model,
    ):
        model.complete(ask(clock))

    assert clock.waits == [3.0]


@pytest.mark.parametrize("asked", ["soon", "nan", "inf", "-5", ""])
def test_r37_a_wait_that_makes_no_sense_is_replaced_by_our_own(asked: str) -> None:
    clock = FrozenClock()
    with (
        ClaudeServer(claude_server.rate_limited(retry_after=asked), say("Yes.")) as server,
        claude(server, clock) as model,
    ):
        model.complete(ask(clock))

    assert len(clock.waits) == 1
    assert clock.waits[0] < 1


def test_r37_a_wait_that_does_not_fit_before_the_deadline_ends_the_attempts_at_once() -> None:
    problem, clock, server = refusal_of(claude_server.rate_limited(retry_after="5"), seconds=4.0)

    assert "4.0 s are left, too few to ask again" in str(problem)
    assert clock.waits == []
    assert len(server.asked) == 1


def test_r37_overload_for_minutes_releases_the_worker_within_the_caps() -> None:
    _, clock, server = refusal_of(*[error(529, "overloaded_error", headers={"retry-after": "6"})] * 3)

    assert clock.waits == [6.0, 6.0]
    assert max(clock.waits) <= WAIT_MAX_SECONDS
    assert len(server.asked) == 3


@pytest.mark.parametrize(
    "code",
    ["enforced_spend_limit_reached", "contract_spend_limit_reached", "linked_organization_spend_limit_reached"],
)
def test_r38_a_spend_limit_is_not_asked_again(code: str) -> None:
    problem, clock, server = refusal_of(claude_server.rate_limited(retry_after="1", code=code))

    assert code in str(problem)
    assert "spend limit" in str(problem)
    assert len(server.asked) == 1
    assert clock.waits == []


def test_a_ramp_limit_is_asked_again_after_the_wait_that_it_names() -> None:
    clock = FrozenClock()
    limit = claude_server.rate_limited(retry_after="2", code="ramp_limit_exceeded")
    with ClaudeServer(limit, say("Yes.")) as server, claude(server, clock) as model:
        model.complete(ask(clock))

    assert clock.waits == [2.0]


@pytest.mark.parametrize(
    ("fault", "next_step"),
    [
        (error(400, "invalid_request_error", "messages.0: odd"), "400: invalid_request_error"),
        (error(400, "invalid_request_error", code="organization_on_hold"), "organization_on_hold"),
        (error(401, "authentication_error"), "Check ANTHROPIC_API_KEY."),
        (error(402, "billing_error"), "Check the billing of the account."),
        (error(403, "permission_error"), "Check what the key in ANTHROPIC_API_KEY is allowed to do."),
        (error(404, "not_found_error"), "Check CLAUDE_MODEL and ANTHROPIC_BASE_URL."),
        (error(503, "api_error", headers={"x-should-retry": "false"}), "503: api_error"),
        (claude_server.raw(307, b"", {"location": "http://127.0.0.1:9/v1/messages"}), "not sent on to another host"),
    ],
)
def test_r47_what_will_not_change_by_itself_is_asked_once_and_names_the_next_step(fault: Reply, next_step: str) -> None:
    problem, clock, server = refusal_of(fault)

    assert next_step in str(problem)
    assert len(server.asked) == 1
    assert clock.waits == []


@pytest.mark.parametrize(
    ("fault", "is_lasting"),
    [
        (claude_server.html(), False),
        (claude_server.truncated(), False),
        (claude_server.cut(), False),
        (claude_server.overloaded(), False),
        (claude_server.rate_limited(), False),
        (error(408, "timeout_error"), False),
        (error(500, "api_error"), False),
        (error(503, "api_error", headers={"x-should-retry": "false"}), False),
        (claude_server.rate_limited(code="contract_spend_limit_reached"), True),
        (error(400, "invalid_request_error", code="organization_on_hold"), True),
        (error(401, "authentication_error"), True),
        (error(402, "billing_error"), True),
        (error(403, "permission_error"), True),
        (error(404, "not_found_error"), True),
        (claude_server.raw(307, b"", {"location": "http://127.0.0.1:9/v1/messages"}), True),
    ],
)
def test_r36_r37_r38_r47_what_anybody_would_have_met_says_that_the_model_is_down_and_whether_it_comes_back_by_itself(
    fault: Reply, is_lasting: bool
) -> None:
    problem, _, _ = refusal_of(*[fault] * ATTEMPTS)

    assert isinstance(problem, ModelDown)
    assert (problem.is_lasting, problem.timed_out) == (is_lasting, False)


@pytest.mark.parametrize(
    "fault",
    [
        error(400, "invalid_request_error", "messages.0: odd"),
        error(413, "request_too_large"),
        error(422, "invalid_request_error"),
        say("odd", stop_reason="solar_flare"),
        Reply(content=[]),
    ],
)
def test_r36_r40_what_is_of_this_one_request_does_not_say_that_the_model_is_down(fault: Reply) -> None:
    problem, _, _ = refusal_of(*[fault] * ATTEMPTS)

    assert not isinstance(problem, ModelDown)


def test_r37_how_long_the_server_asks_to_be_left_alone_is_passed_on() -> None:
    problem, _, _ = refusal_of(claude_server.rate_limited(retry_after="86400"))

    assert isinstance(problem, ModelDown)
    assert problem.retry_after_seconds == 86400


def test_r47_a_key_that_was_revoked_and_a_model_that_was_retired_are_refused_by_the_server_itself() -> None:
    clock = FrozenClock()
    with ClaudeServer() as server:
        with claude(server, clock, api_key="sk-ant-revoked") as model, pytest.raises(ModelError, match="401"):
            model.complete(ask(clock))
        with claude(server, clock, model="claude-retired-1") as model, pytest.raises(ModelError, match="404"):
            model.complete(ask(clock))


@pytest.mark.parametrize(
    "fault",
    [
        error(400, "invalid_request_error", "prompt is too long: 1000214 tokens > 1000000 maximum"),
        error(400, "invalid_request_error", "input length and `max_tokens` exceed context limit: 199000 + 1024"),
        error(413, "request_too_large", "Request exceeds the maximum allowed number of bytes."),
        claude_server.raw(400, b'{"error": "This model\'s maximum context length is 4096 tokens."}'),
        claude_server.raw(
            400, b'{"error": {"code": 400, "message": "the request exceeds the available context size"}}'
        ),
        claude_server.raw(413, b"<html>Request Entity Too Large</html>", {"content-type": "text/html"}),
    ],
)
def test_r40_a_request_that_is_too_long_is_told_apart_and_not_asked_again(fault: Reply) -> None:
    problem, clock, server = refusal_of(fault)

    assert isinstance(problem, ContextTooLong)
    assert len(server.asked) == 1
    assert clock.waits == []


def test_r40_an_answer_that_may_not_be_that_long_is_no_matter_of_a_long_conversation() -> None:
    message = "max_tokens: 200000 > 128000, which is the maximum allowed number of output tokens"
    problem, _, _ = refusal_of(error(400, "invalid_request_error", message))

    assert not isinstance(problem, ContextTooLong)


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        (
            "tools.3.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
            "tools.3.name: String should match pattern '…'",
        ),
        ('model: the model "ours" does not support it,\n  sorry', "model: the model '…' does not support it, sorry"),
        ('"thinking.type.disabled" is not supported', '"thinking.type.disabled" is not supported'),
        (f"messages.0: {SECRET_WORDS}, is that so?", "messages.0: … … … … … is that so?"),
    ],
)
def test_a_request_that_is_refused_is_told_in_the_servers_own_sentence_without_what_it_quotes(
    sent: str, told: str
) -> None:
    problem, clock, server = refusal_of(error(400, "invalid_request_error", sent))

    assert isinstance(problem, RequestRefused)
    assert str(problem) == f"Claude answered 400: invalid_request_error, request req_011CLoopback. {told}"
    assert len(server.asked) == 1
    assert clock.waits == []


def test_of_a_long_refusal_the_first_characters_are_told() -> None:
    problem, _, _ = refusal_of(error(400, "invalid_request_error", "x" * 100_000))

    assert len(str(problem)) < 400


@pytest.mark.parametrize(
    "message",
    [
        "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to purchase credits.",
        "You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.",
    ],
)
def test_an_account_without_money_is_no_refused_request_and_lasts_until_the_operator_acts(message: str) -> None:
    problem, clock, server = refusal_of(error(400, "invalid_request_error", message))

    assert isinstance(problem, ModelDown)
    assert problem.is_lasting
    assert message in str(problem)
    assert "add credit" in str(problem)
    assert (len(server.asked), clock.waits) == (1, [])


def test_a_server_that_is_away_is_asked_three_times() -> None:
    clock = FrozenClock()
    with ClaudeServer() as server:
        address = server.url
    reached = pytest.raises(ModelError, match=r"could not be reached \(ConnectError\)\. Asked 3 times\.")
    with claude(server, clock, base_url=address) as model, reached as caught:
        model.complete(ask(clock))

    assert len(clock.waits) == 2
    assert not caught.value.may_be_charged, "Nobody was there to make an answer."


@pytest.mark.parametrize(
    "changes",
    [
        {"messages": [{"role": "user", "content": object()}]},
        {"messages": [{"role": "user", "content": SECRET_WORDS, "when": 1j}]},
        {"max_tokens": float("nan")},
    ],
    ids=["an object", "a complex number", "nan"],
)
def test_a_request_that_cannot_be_written_as_json_ends_in_a_sentence(changes: dict[str, Any]) -> None:
    clock = FrozenClock()
    with ClaudeServer() as server, claude(server, clock) as model, pytest.raises(ModelError) as caught:
        model.complete(ask(clock, **changes))

    assert SECRET_WORDS not in str(caught.value)
    assert clock.waits == []


def test_where_a_request_broke_that_no_server_saw_stands_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    clock = FrozenClock()
    with ClaudeServer() as server, claude(server, clock) as model, pytest.raises(ModelError, match="ValueError"):
        model.complete(ask(clock, max_tokens=float("nan")))
    [told] = [record for record in caplog.records if record.name == "app.clients.claude_faults"]
    assert told.exc_info


def test_a_question_that_cannot_be_put_is_no_server_without_a_list_of_models() -> None:
    clock = FrozenClock()
    with ClaudeServer() as server, claude(server, clock, model="") as model, pytest.raises(ValueError, match="''"):
        model.troubles()


@pytest.mark.parametrize(
    "fault",
    [
        lambda key: error(400, "invalid_request_error", f"bad text: {SECRET_WORDS}; key {key}"),
        lambda key: error(401, f"{SECRET_WORDS} {key}", key, code=key),
        lambda key: claude_server.raw(200, f"{SECRET_WORDS} {key}".encode()),
        lambda key: error(500, "api_error", f"{SECRET_WORDS} {key}"),
    ],
    ids=["400", "401", "no message", "500"],
)
def test_r102_neither_words_nor_key_get_into_errors_or_logs(
    fault: Callable[[str], Reply], caplog: pytest.LogCaptureFixture
) -> None:
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
