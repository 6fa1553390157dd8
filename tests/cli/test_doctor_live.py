"""`keepsake doctor --live` holds turns with a real model, here the stand-in, and tells what differs from the rules."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from app.clients.claude_live import SHORT_TOKENS
from app.clients.prices import most_cents
from tests.claude_rules import refusal
from tests.claude_server import (
    CHARS_PER_TOKEN,
    ClaudeServer,
    Reply,
    call,
    error,
    rate_limited,
    say,
    several,
    text,
    tool,
)
from tests.cli.conftest import Run
from tests.tables import rows

LARGE, SMALL = "claude-sonnet-5-5", "claude-haiku-5-5"
MOST_CENTS = 9.5


def as_claude_would(request: dict[str, Any]) -> Reply:
    """It calls the tool that the newest text asks for, and else says a few words."""
    said = str(request["messages"][-1]["content"])
    if "<texts>" in said:
        return call("keep_episode", {"summary": "They said hello."})
    calls = [
        call for words, *call in rows("calls_of_a_live_check.jsonl") if words in said and "tool_result" not in said
    ]
    return several([text("One moment."), tool(*calls[0])]) if calls and request.get("tools") else say("I see. " * 20)


@pytest.fixture
def claude(monkeypatch: pytest.MonkeyPatch) -> Iterator[ClaudeServer]:
    with ClaudeServer(otherwise=as_claude_would, cache_min_tokens=512) as server:
        monkeypatch.setenv("ANTHROPIC_API_KEY", server.key)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        yield server


def lived(run: Run, exit_code: int = 0) -> str:
    """The output of a live check that the operator agreed to."""
    told = run("doctor", "--live", "--yes")
    assert told.exit_code == exit_code, told.output
    return told.stdout


def asked_of(server: ClaudeServer, model: str) -> list[dict[str, Any]]:
    return [request for request in server.requests if request["model"] == model]


def cost(told: str) -> float:
    [cents] = re.findall(r"It cost ([0-9.]+) cents", told)
    return float(cents)


def test_without_key_or_yes_nothing_is_asked(run: Run, claude: ClaudeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    told = run("doctor", "--live").stdout  # Nothing is typed.
    assert "This holds 20 turns with claude-sonnet-5-5 and claude-haiku-5-5" in told
    assert "costs at most 9.5 cents" in told
    monkeypatch.setenv("CLAUDE_MODEL", "anthropic/claude-sonnet-5.5")
    unpriced = run("doctor", "--live", "--yes").stdout
    assert "costs what your server asks for it" in unpriced
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    assert "No ANTHROPIC_API_KEY is set, so nothing was asked." in run.printed("doctor", "--live")
    assert claude.requests == []


def test_a_model_that_keeps_the_rules_shows_no_difference_and_is_waited_for(run: Run, claude: ClaudeServer) -> None:
    busy = {LARGE, SMALL}

    def busy_at_first(request: dict[str, Any]) -> Reply:
        if request["max_tokens"] == SHORT_TOKENS and request["model"] in busy:
            busy.remove(request["model"])
            return rate_limited(retry_after="0")
        return as_claude_would(request)

    claude.otherwise = busy_at_first
    told = lived(run)
    assert busy == set()
    assert "\nThe real Claude took and refused what the rules say." in told
    assert "> What do you know about me?\nI see." in told
    assert "was not asked everything" not in told
    assert "(Routine 1: I see." in told
    assert "(Summary: They said hello.)" in told
    asked = str(claude.requests)
    for kind in ("'type': 'thinking'", "tool_result", "'type': 'image'", "<routine", "<texts>", "'type': 'none'"):
        assert kind in asked, kind
    assert len(asked_of(claude, LARGE)) > 25
    assert len(asked_of(claude, SMALL)) > 25
    assert len(claude.refused) > 25
    assert cost(told) < MOST_CENTS


def test_a_rule_or_an_answer_that_nobody_knows_is_told_with_the_requests_id(run: Run, claude: ClaudeServer) -> None:
    unknown = [say("Hi.", stop_reason="moonrise")] * 3
    claude.queue(error(400, "invalid_request_error", "tools.2: a rule of tomorrow"), *unknown)
    told = lived(run, 1)
    assert "DIFFERENT  A request that the rules allow got: Claude answered 400" in told
    assert "tools.2: a rule of tomorrow" in told
    assert told.count("no known reason to stop, request req_011CLoopback") == 1
    assert "> Thank you, good night.\nI see." in told


def test_a_rule_that_is_none_any_more_is_told(run: Run, claude: ClaudeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.claude_server.refusal", lambda _: None)
    told = lived(run, 1)
    assert "DIFFERENT  A request " in told
    assert "with a temperature was taken, although the rules refuse it (temperature), request req_" in told


def at_most(request: dict[str, Any]) -> float:
    """The highest cost of the request in US cents: nothing is cached, and the answer has its full length."""
    return most_cents(request["model"], len(json.dumps(request)) // CHARS_PER_TOKEN, request["max_tokens"])


def in_many_words(request: dict[str, Any]) -> Reply:
    """A reply of the full length that the request allows."""
    return say("word " * (request["max_tokens"] * 4 // 5), stop_reason="end_turn")


def test_it_ends_at_what_was_agreed(run: Run, claude: ClaudeServer) -> None:
    claude.otherwise = in_many_words
    told = run("doctor", "--live", "--yes").stdout
    assert 2 < cost(told) <= MOST_CENTS
    assert sum(at_most(request) for request in claude.requests if refusal(request) is None) < 10
    assert "claude-sonnet-5-5 was not asked everything." in told
    assert len(asked_of(claude, LARGE)) < 20


def test_a_silent_server_is_told_once_alone(run: Run, claude: ClaudeServer) -> None:
    claude.otherwise = error(401, "authentication_error", "invalid x-api-key")
    told = lived(run, 1)
    assert "DIFFERENT" not in told
    assert told.count("Check ANTHROPIC_API_KEY.") == 2
    assert len(claude.requests) <= 8
