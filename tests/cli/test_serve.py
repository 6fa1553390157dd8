"""The one process: what it says when it starts, which requests it refuses, and how it ends."""

import http.client
import json
import re
import signal
import socket
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

import pytest

from app.models import Message
from app.settings import Settings
from app.wiring import build_services
from tests.claude_server import ClaudeServer, Reply, text
from tests.cli.conftest import Keepsake, Run
from tests.embedding_servers import Answer, OllamaServer
from tests.loopback import HeldPort

Start = Callable[..., Keepsake]
LAST_LINE = "Replies come from"
PHONE_EVENTS = "/phone/events?number=%2B12065550100"


def get(port: int, path: str) -> tuple[http.client.HTTPResponse, bytes]:
    with closing(http.client.HTTPConnection("127.0.0.1", port)) as connection:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer, answer.read()


def text_in(port: int, body: str) -> None:
    """A text from the phone page, as its own script posts it."""
    form = urlencode({"from": "+12065550100", "sid": f"SM{'0' * 32}", "body": body})
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
    with closing(http.client.HTTPConnection("127.0.0.1", port)) as connection:
        connection.request("POST", "/phone/texts", form, headers)
        assert connection.getresponse().status == 202


def wait_for_words(port: int, words: str) -> None:
    """Return when the phone page, which is told of every change, shows the words."""
    with closing(http.client.HTTPConnection("127.0.0.1", port)) as page:
        page.request("GET", PHONE_EVENTS)
        stream = page.getresponse()
        while words.encode() not in stream.readline():
            assert not stream.isclosed()


def end(process: Keepsake, number: signal.Signals = signal.SIGTERM) -> tuple[str, str]:
    process.send_signal(number)
    said, logged = process.output()
    assert process.returncode == 0, logged
    return said, logged


@dataclass(frozen=True)
class Running:
    """A server that has just been started for the first time."""

    folder: Path
    port: int
    lines: list[str]


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One server for all that only look at it."""
    folder = tmp_path_factory.mktemp("running")
    with HeldPort() as port, Keepsake("serve", "--port", str(port), folder=folder) as process:
        yield Running(folder, port, process.lines_until(LAST_LINE))
        process.kill()


def test_it_says_where_it_is_and_answers_there(running: Running) -> None:
    assert f"Phone page:  http://127.0.0.1:{running.port}/phone" in running.lines
    assert f"Admin page:  http://127.0.0.1:{running.port}/admin" in running.lines
    assert "offline model" in running.lines[-1]
    health, _ = get(running.port, "/health")
    assert (health.status, health.headers["Server"]) == (200, "keepsake"), "it names itself without a version"
    assert get(running.port, "/phone")[0].status == 200
    assert get(running.port, "/admin")[0].status in {200, 302, 303, 308}
    assert json.loads(get(running.port, "/ready")[1])["database"] == "ok"


def test_what_it_keeps_is_private_to_its_owner(running: Running) -> None:
    folder = running.folder / "instance"
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {"keepsake.db", "secret_key"} <= modes.keys()
    assert set(modes.values()) == {0o600}


def answered(port: int, request: str) -> bytes:
    """All that comes back on one connection until the server ends it."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(request.encode())
        return b"".join(iter(lambda: connection.recv(65536), b""))


CHUNKED = "Transfer-Encoding: chunked\r\n"
LENGTH = "Content-Length: 5\r\n"


@pytest.mark.parametrize(
    ("first", "says"),
    [
        (LENGTH + CHUNKED, b"not both"),
        (CHUNKED + LENGTH, b"not both"),
        (LENGTH + "Content-Length: 0\r\n", b"Send Content-Length once."),
    ],
)
def test_a_length_told_in_two_ways_is_refused_and_smuggles_nothing(running: Running, first: str, says: bytes) -> None:
    smuggled = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
    answer = answered(running.port, f"POST /sms HTTP/1.1\r\nHost: localhost\r\n{first}\r\n0\r\n\r\n{smuggled}")
    assert answer.startswith(b"HTTP/1.1 400 Bad Request")
    assert answer.count(b"HTTP/1.1") == 1
    assert says in answer

    whole = "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    assert answered(running.port, whole).startswith(b"HTTP/1.1 200")


def test_it_ends_at_either_signal_and_prints_the_password_at_its_first_start_only(start: Start, free_port: int) -> None:
    passwords = []
    for number in (signal.SIGTERM, signal.SIGINT):
        process = start("serve", "--port", str(free_port))
        lines = process.lines_until(LAST_LINE)
        with closing(http.client.HTTPConnection("127.0.0.1", free_port)) as page:
            page.request("GET", PHONE_EVENTS)
            assert page.getresponse().readline().startswith(b"retry:")
            said, logged = end(process, number)
        passwords.append([line for line in lines if "password" in line])
        assert "password" not in said + logged
    assert re.fullmatch(r"One-time password for the admin page: [a-z2-9-]{23}", passwords[0][0])
    assert passwords[1] == []


def test_a_port_in_use_is_one_sentence_and_exit_code_1(start: Start, migrated: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said, logged = start("serve", "--port", str(port)).output()
    assert said == ""
    assert logged == (
        f"Cannot listen on 127.0.0.1 port {port}: address already in use. Choose another with --host and --port.\n"
    )


@pytest.mark.parametrize(
    ("name", "value", "limit"),
    [
        ("ADMIN_PASSWORD", "Password123", "none of the passwords that everybody tries first"),
        ("ADMIN_PASSWORD", "hunter2", "at least 10 characters"),
        ("ADMIN_PASSWORD", "z" * 20, "5 of them different"),
        ("SECRET_KEY", "changeme", "at least 32 random characters"),
        ("METRICS_TOKEN", "changeme", "at least 32 random characters"),
    ],
)
def test_r93_a_secret_that_is_short_or_tried_first_ends_the_start_with_the_limit_and_without_the_value(
    run: Run, name: str, value: str, limit: str
) -> None:
    refused = run.refusal("serve", **{name: value})
    assert f"{name}: must be " in refused
    assert limit in refused
    assert value not in refused
    assert not Path("instance").exists()


def test_at_the_start_the_port_and_model_are_said_and_the_embedder_is_asked_which_ends_no_start_where_it_is_away(
    start: Start, free_port: int
) -> None:
    with ClaudeServer() as server, OllamaServer() as embedder:
        embedder.answers = [Answer(404, b'{"error": "model not found"}')]
        own = {"ANTHROPIC_API_KEY": server.key, "ANTHROPIC_BASE_URL": server.url, "OLLAMA_HOST": embedder.url}
        process = start("serve", PORT=str(free_port), EMBEDDINGS="ollama", **own)
        lines = process.lines_until(LAST_LINE)
        assert process.stderr is not None
        assert any("Memory is searched by words alone until there are vectors" in line for line in process.stderr)
        assert get(free_port, "/health")[0].status == 200
        end(process)
    assert f"Phone page:  http://127.0.0.1:{free_port}/phone" in lines
    assert lines[-1] == f"Replies come from claude-sonnet-5-5 at {server.url.removeprefix('http://')}."
    assert "warm" in embedder.requests[0]["input"][0]


def with_claude(server: ClaudeServer) -> dict[str, str]:
    return {"ANTHROPIC_API_KEY": server.key, "ANTHROPIC_BASE_URL": server.url, "BURST_QUIET_SECONDS": "0"}


def kept() -> list[tuple[str, str, str]]:
    with build_services(Settings()).reading() as db:
        return [(message.direction, message.state, message.body) for message in db.query(Message)]


def test_an_answer_under_way_is_finished_before_it_ends_and_not_logged(start: Start, free_port: int) -> None:
    asked, released = threading.Event(), threading.Event()

    def held_back(_: dict[str, object]) -> Reply:
        asked.set()
        return Reply(content=[text("Max is a fine name.")], until=released)

    with ClaudeServer(held_back) as server:
        process = start("serve", "--port", str(free_port), **with_claude(server))
        process.lines_until(LAST_LINE)
        text_in(free_port, "My dog is called Maximilian")
        asked.wait()
        process.send_signal(signal.SIGTERM)
        process.lines_until("Stopping")
        released.set()
        said, logged = process.output()
    assert process.returncode == 0, logged
    assert kept() == [("in", "answered", "My dog is called Maximilian"), ("out", "sent", "Max is a fine name.")]
    for secret in ("Maximilian", "fine name", "2065550100", server.key):
        assert secret not in said + logged
