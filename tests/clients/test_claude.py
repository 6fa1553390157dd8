"""Claude's client: its requests, their address and deadline, and the results that it passes on."""

import logging
import socket
import threading
import time
from contextlib import closing
from typing import Any

import pytest

from app.clients.claude import ClaudeModel
from app.clients.prices import cost_cents
from app.clock import SystemClock
from app.errors import ModelError
from tests.claude_server import ClaudeServer, Reply, call, drip, hang, say, text
from tests.clients.asking_claude import SECRET_WORDS, TOOL, answer_of, ask, claude, refusal_of
from tests.fakes import FrozenClock


def test_the_request_is_what_the_contract_says_and_nothing_more() -> None:
    answer, clock, server = answer_of(say("Hello."))
    assert [block.to_dict()["text"] for block in answer.content] == ["Hello."]
    assert answer.stop_reason == "end_turn"
    assert server.requests == [
        {
            "model": "claude-sonnet-5-5",
            "max_tokens": 1024,
            "system": [{"type": "text", "text": "You are kind.", "cache_control": {"type": "ephemeral"}}],
            "messages": [{"role": "user", "content": SECRET_WORDS}],
            "tools": [TOOL],
            "metadata": {"user_id": "p_7f3a"},
        }
    ]
    assert server.asked[0].headers["authorization"] == f"Bearer {server.key}"
    assert clock.waits == []


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("claude-sonnet-5-5", {"effort": "low"}),
        ("claude-haiku-5-5", {"effort": "low"}),
        ("claude-haiku-4-5-20251001", None),
        ("qwen3:8b", None),
    ],
)
def test_models_that_take_an_effort_are_told_it_and_others_are_not(name: str, sent: object) -> None:
    _, _, server = answer_of(say("Hello."), model=name, effort="low")
    assert server.requests[0].get("output_config") == sent


def test_r51_lone_surrogates_and_nul_are_cleaned_wherever_they_stand() -> None:
    dirty = {"type": "text", "text": "half \ud83d, nul \x00, pair \ud83d\ude00"}
    tool_use = {"type": "tool_use", "id": "t1", "name": "list_memories", "input": {"a\x00": ["\udc00"]}}
    messages = [
        {"role": "user", "content": [dirty]},
        {"role": "assistant", "content": [tool_use]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "x\ud800"}]},
    ]
    tools = [{**TOOL, "description": "a\x00b"}]
    _, _, server = answer_of(say("Clean."), system=[dirty], messages=messages, tools=tools)
    sent = server.requests[0]
    assert sent["system"] == sent["messages"][0]["content"] == [{**dirty, "text": "half \ufffd, nul , pair \U0001f600"}]
    assert sent["messages"][1]["content"][0]["input"] == {"a": ["\ufffd"]}
    assert sent["messages"][2]["content"][0]["content"] == "x\ufffd"
    assert sent["tools"][0]["description"] == "ab"


def test_r51_what_the_model_itself_writes_is_cleaned_too() -> None:
    _thought, words, tool_call = answer_of(call("remember", {"fact": "half \ud83d"}, "nul \x00."))[0].content
    assert words.type == "text"
    assert words.text == "nul ."
    assert tool_call.type == "tool_use"
    assert tool_call.input == {"fact": "half \ufffd"}


@pytest.mark.parametrize("without", [("usage",), ("id", "model", "usage", "stop_sequence", "type", "role")], ids=str)
def test_r109_tokens_that_a_local_server_does_not_count_are_estimated(without: tuple[str, ...]) -> None:
    answer, _, _ = answer_of(Reply(content=[text("Hi. " * 100)], without=without))
    assert answer.usage.input_tokens > 50
    assert 100 <= answer.usage.output_tokens < 300
    assert cost_cents("claude-sonnet-5-5", answer.usage) > 0


def test_r48_nothing_in_the_environment_redirects_or_adds_to_a_request(monkeypatch: pytest.MonkeyPatch) -> None:
    with ClaudeServer() as elsewhere:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", elsewhere.url)
        for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_PROFILE"):
            monkeypatch.setenv(name, "stray")
        monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "Authorization: Bearer stray\nX-Stray: yes\nHost: stray.example")
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, elsewhere.url)
            monkeypatch.setenv(name.lower(), elsewhere.url)
        monkeypatch.setenv("NO_PROXY", "")
        clock = FrozenClock()
        with ClaudeServer(say("Hello.")) as server, claude(server, clock) as model:
            model.complete(ask(clock))

    headers = server.asked[0].headers
    assert headers["authorization"] == f"Bearer {server.key}"
    assert headers["host"] == model.host
    assert "x-stray" not in headers
    assert elsewhere.asked == []


@pytest.mark.parametrize(
    ("address", "host"),
    [(None, "api.anthropic.com"), ("https://me:hush-hush@gateway.example:8443/claude", "gateway.example:8443")],
)
def test_r48_the_host_is_told_as_it_was_set_without_key_and_password_whatever_the_environment_says(
    address: str | None, host: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "https://stray.example")
    caplog.set_level(logging.DEBUG)
    name = "claude-sonnet-5-5"
    with closing(ClaudeModel(api_key="sk-ant-x", model=name, base_url=address, clock=FrozenClock())) as model:
        assert model.host == host
    assert f"Replies come from claude-sonnet-5-5 at {host}." in caplog.text
    assert not any(secret in caplog.text for secret in ("sk-ant-x", "hush-hush"))


@pytest.mark.parametrize("ending", ["", "/", "/v1", "/v1/"])
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_an_address_works_by_name_and_number_with_and_without_the_path_of_the_api(host: str, ending: str) -> None:
    clock = FrozenClock()
    with ClaudeServer(say("Hello.")) as server:
        address = server.url.replace("127.0.0.1", host) + ending
        with claude(server, clock, base_url=address) as model:
            assert model.complete(ask(clock)).stop_reason == "end_turn"


@pytest.mark.parametrize("slow", [drip("body"), drip("headers"), hang()], ids=["body", "headers", "hang"])
def test_r39_the_deadline_holds_for_a_response_that_drips_or_never_comes(slow: Reply) -> None:
    clock = SystemClock()
    threads = threading.active_count()
    with ClaudeServer(slow) as server, claude(server, clock) as model:
        before = time.monotonic()
        with pytest.raises(ModelError, match=r"did not answer in time\. 0\.0 s are left"):
            model.complete(ask(clock, seconds=0.3))
        took = time.monotonic() - before

        assert 0.25 < took < 1.5
        assert server.hung_up.wait(5), "The connection of the abandoned exchange was left open."

    assert len(server.asked) == 1
    assert threading.active_count() == threads


def test_r39_the_deadline_holds_for_a_host_that_never_shakes_hands() -> None:
    clock = SystemClock()
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:
        address = f"https://127.0.0.1:{silent.getsockname()[1]}"
        with closing(ClaudeModel(api_key="k", model="m", base_url=address, clock=clock)) as model:
            before = time.monotonic()
            with pytest.raises(ModelError):
                model.complete(ask(clock, seconds=0.3))

    assert 0.25 < time.monotonic() - before < 1.5


def test_r39_a_request_whose_time_is_over_is_not_sent() -> None:
    problem, _, server = refusal_of(seconds=0.0)

    assert "time for the answer was over" in str(problem)
    assert server.asked == []


def test_r39_many_threads_share_one_model_and_each_keeps_its_own_deadline() -> None:
    clock = SystemClock()
    outcomes: set[tuple[str, str]] = set()

    def answer(request: dict[str, Any]) -> Reply:
        return say("quick") if request["messages"][0]["content"] == "quick" else drip("body")

    with ClaudeServer(otherwise=answer) as server, claude(server, clock) as model:

        def work(words: str, seconds: float) -> None:
            try:
                model.complete(ask(clock, seconds=seconds, messages=[{"role": "user", "content": words}]))
                outcomes.add((words, "answered"))
            except ModelError:
                outcomes.add((words, "late"))

        threads = [threading.Thread(target=work, args=how) for how in [("quick", 30.0), ("slow", 0.3)] * 6]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        work("quick", 30.0)

    assert outcomes == {("quick", "answered"), ("slow", "late")}
