import logging
from contextlib import closing

import pytest

from app.clients.claude import ClaudeModel
from tests.claude_server import ClaudeServer, say
from tests.clients.asking_claude import ask, claude
from tests.fakes import FrozenClock


def test_r48_nothing_in_the_environment_redirects_or_adds_to_a_request(monkeypatch: pytest.MonkeyPatch) -> None:
    with ClaudeServer() as elsewhere:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", elsewhere.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-stray")
        monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "stray")
        monkeypatch.setenv("ANTHROPIC_PROFILE", "stray")
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


def test_r48_the_host_is_anthropics_unless_another_was_set_whatever_the_environment_says(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "https://stray.example")
    caplog.set_level(logging.INFO)
    with closing(ClaudeModel(api_key="sk-ant-x", model="claude-sonnet-5-5", clock=FrozenClock())) as model:
        assert model.host == "api.anthropic.com"

    assert "Replies come from claude-sonnet-5-5 at api.anthropic.com." in caplog.text
    assert "sk-ant-x" not in caplog.text


def test_r48_a_password_in_the_address_is_not_part_of_the_host(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    address = "https://me:hush-hush@gateway.example:8443/claude"
    with closing(ClaudeModel(api_key="k", model="m", base_url=address, clock=FrozenClock())) as model:
        assert model.host == "gateway.example:8443"

    assert "hush-hush" not in caplog.text


def test_a_host_is_found_by_its_name_and_each_of_its_addresses_is_tried() -> None:
    clock = FrozenClock()
    with ClaudeServer(say("Hello.")) as server:
        by_name = server.url.replace("127.0.0.1", "localhost")
        with claude(server, clock, base_url=by_name) as model:
            assert model.complete(ask(clock)).stop_reason == "end_turn"


@pytest.mark.parametrize("ending", ["", "/", "/v1", "/v1/"])
def test_an_address_works_with_and_without_the_path_of_the_api(ending: str) -> None:
    clock = FrozenClock()
    with ClaudeServer(say("Hello.")) as server, claude(server, clock, base_url=server.url + ending) as model:
        assert model.complete(ask(clock)).stop_reason == "end_turn"
