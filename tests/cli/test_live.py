"""`keepsake doctor --live` holds turns with a real model, here the stand-in, and tells what differs from the rules."""

import pytest

from tests.claude_server import ClaudeServer, error, say
from tests.cli.conftest import Run


@pytest.fixture
def claude(monkeypatch: pytest.MonkeyPatch) -> ClaudeServer:
    server = ClaudeServer(otherwise=say("I see."))
    monkeypatch.setenv("ANTHROPIC_API_KEY", server.key)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    return server


def test_without_a_key_it_says_so_and_ends_well(run: Run) -> None:
    told = run("doctor", "--live")
    assert told.exit_code == 0
    assert "No ANTHROPIC_API_KEY is set, so nothing was asked." in told.stdout


def test_the_cost_is_shown_and_agreed_to_first(run: Run, claude: ClaudeServer) -> None:
    with claude:
        told = run("doctor", "--live")  # Nothing is typed.
    assert "have cost 9 cents" in told.stdout
    assert claude.requests == []


def test_a_model_that_keeps_the_rules_shows_no_difference(run: Run, claude: ClaudeServer) -> None:
    with claude:
        told = run("doctor", "--live", "--yes")
    assert told.exit_code == 0, told.output
    assert "The real Claude took and refused what the rules say." in told.stdout
    assert "> What do you know about me?\nI see." in told.stdout
    assert len(claude.requests) > 20
    assert len(claude.refused) == 7


def test_a_rule_that_nobody_knew_is_told_with_the_requests_id(run: Run, claude: ClaudeServer) -> None:
    claude.queue(error(400, "invalid_request_error", "tools.2: a rule of tomorrow"))
    with claude:
        told = run("doctor", "--live", "--yes")
    assert told.exit_code == 1
    assert "DIFFERENT  a request that the rules allow got: Claude answered 400" in told.stdout
    assert "request req_011CLoopback" in told.stdout
    assert "tools.2: a rule of tomorrow" in told.stdout
