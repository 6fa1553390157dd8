"""The one process: what it says when it starts, which requests it refuses, and how it ends."""

import http.client
import re
import signal
import socket
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.claude_server import ClaudeServer
from tests.cli.conftest import END_SECONDS, Run
from tests.embedding_servers import Answer, OllamaServer
from tests.forking import Forked
from tests.serving import Serving

LAST_LINE = "Replies come from"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """One server for all that only look at it."""
    with Serving(tmp_path_factory.mktemp("running")) as keepsake:
        yield keepsake


def test_it_says_where_it_is_answers_there_and_keeps_its_key_private(running: Serving) -> None:
    running.wait_for_line(f"{LAST_LINE} the offline model.")
    for page in ("phone", "admin"):
        assert f"{page.capitalize()} page:  {running.url}/{page}" in running.lines
        with urlopen(f"{running.url}/{page}") as answer:
            assert answer.status == 200
    with urlopen(f"{running.url}/health") as health:
        assert (health.status, health.headers["Server"]) == (200, "keepsake"), "it names itself without a version"
    assert running.ready()[1]["database"] == "ok"
    assert stat.S_IMODE((running.folder / "instance" / "secret_key").stat().st_mode) == 0o600


def test_a_second_server_on_a_database_says_so_and_the_first_does_not(running: Serving) -> None:
    with Serving(running.folder) as second:
        second.wait_for_line("Another process has the same database open")
    assert not any("Another process" in line for line in running.lines)


def answered(port: int, request: str) -> bytes:
    """The full response on one connection until the server closes it."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(request.encode())
        return b"".join(iter(lambda: connection.recv(65536), b""))


def test_r5_a_request_for_an_address_that_is_none_is_refused_and_no_fault_of_ours(running: Serving) -> None:
    answer = answered(running.port, "POST http://[x/sms HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 400 Bad Request")
    assert not any("Invalid IPv6" in line for line in running.lines)


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
def test_a_length_told_in_two_ways_is_refused_and_smuggles_nothing(running: Serving, first: str, says: bytes) -> None:
    smuggled = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
    answer = answered(running.port, f"POST /sms HTTP/1.1\r\nHost: localhost\r\n{first}\r\n0\r\n\r\n{smuggled}")
    assert answer.startswith(b"HTTP/1.1 400 Bad Request")
    assert answer.count(b"HTTP/1.1") == 1
    assert says in answer

    whole = "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    assert answered(running.port, whole).startswith(b"HTTP/1.1 200")


def test_it_ends_at_either_signal_and_prints_the_password_at_its_first_start_only(tmp_path: Path) -> None:
    keepsake = Serving(tmp_path)
    for number in (signal.SIGTERM, signal.SIGINT):
        with keepsake:
            keepsake.wait_for_line(LAST_LINE)
            with closing(http.client.HTTPConnection("127.0.0.1", keepsake.port)) as page:
                page.request("GET", "/phone/events?number=%2B12065550100")
                assert page.getresponse().readline().startswith(b"retry:")
                keepsake.signal(number)
                assert keepsake.wait_for_death() == 0, keepsake.lines
    [told] = [line for line in keepsake.lines if "password" in line]
    assert re.fullmatch(r"One-time password for the admin page: [a-z2-9-]{23}", told)


def test_a_port_in_use_is_one_sentence_and_exit_code_1(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        process = Forked("tests.forking:keepsake", "serve", "--port", str(port), folder=tmp_path, environment={})
        said = process.printed(END_SECONDS)
    assert process.wait() == 1
    assert said == (
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


def test_the_model_is_said_and_the_embedder_asked_which_ends_no_start_where_it_is_away(
    tmp_path: Path, claude: ClaudeServer
) -> None:
    with OllamaServer() as embedder:
        embedder.answers = [Answer(404, b'{"error": "model not found"}')]
        own = {"ANTHROPIC_API_KEY": claude.key, "ANTHROPIC_BASE_URL": claude.url, "OLLAMA_HOST": embedder.url}
        with Serving(tmp_path, EMBEDDINGS="ollama", **own) as keepsake:
            keepsake.wait_for_line("Memory is searched by words alone until there are vectors")
            keepsake.wait_for_line(f"{LAST_LINE} claude-sonnet-5-5 at {claude.url.removeprefix('http://')}.")
            assert keepsake.ready()[0] == 200
    assert "warm" in embedder.requests[0]["input"][0]
