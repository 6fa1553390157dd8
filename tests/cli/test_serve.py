"""The one process: what it says when it starts, and how it ends."""

import http.client
import json
import re
import signal
import socket
import stat
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

import pytest

from app.models import Message
from app.settings import Settings
from app.wiring import build_services
from tests.claude_server import ClaudeServer, Reply, say, text
from tests.cli.conftest import Keepsake, Run
from tests.embedding_servers import Answer, OllamaServer
from tests.ports import HeldPort

Start = Callable[..., Keepsake]
LAST_LINE = "Replies come from"


def get(port: int, path: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("GET", path)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer


def text_in(port: int, body: str) -> None:
    """A text from the phone page, as its own script posts it."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    form = urlencode({"from": "+12065550100", "sid": f"SM{'0' * 32}", "body": body})
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
    connection.request("POST", "/phone/texts", form, headers)
    answer = connection.getresponse()
    assert answer.status == 202, answer.read()
    answer.read()
    connection.close()


def wait_for_words(port: int, words: str) -> None:
    """Return when the phone page, which is told of every change, shows the words."""
    page = http.client.HTTPConnection("127.0.0.1", port)
    page.request("GET", "/phone/events?number=%2B12065550100")
    stream = page.getresponse()
    while words.encode() not in stream.readline():
        assert not stream.isclosed()
    page.close()


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
    assert get(running.port, "/health").status == 200
    assert get(running.port, "/phone").status == 200
    assert get(running.port, "/admin").status in {200, 302, 303, 308}


def test_what_it_keeps_is_private_to_its_owner(running: Running) -> None:
    folder = running.folder / "instance"
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {"keepsake.db", "secret_key"} <= modes.keys()
    assert set(modes.values()) == {0o600}


def test_the_server_names_itself_without_a_version(running: Running) -> None:
    assert get(running.port, "/health").headers["Server"] == "keepsake"


def test_ready_tells_of_a_process_that_can_work(running: Running) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", running.port)
    connection.request("GET", "/ready")
    assert json.loads(connection.getresponse().read())["database"] == "ok"
    connection.close()


def test_it_ends_at_either_signal_and_prints_the_one_time_password_at_its_first_start_only(
    start: Start, free_port: int
) -> None:
    passwords = []
    for number in (signal.SIGTERM, signal.SIGINT):
        process = start("serve", "--port", str(free_port))
        lines = process.lines_until(LAST_LINE)
        said, logged = end(process, number)
        passwords.append([line for line in lines if "password" in line])
        assert "password" not in said + logged
    assert re.fullmatch(r"One-time password for the admin page: [a-z2-9-]{23}", passwords[0][0])
    assert passwords[1] == []


def test_a_port_in_use_is_one_sentence_and_exit_code_1(start: Start) -> None:
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
    refused = run("serve", **{name: value})
    assert refused.exit_code == 1
    assert f"{name}: must be " in refused.stderr
    assert limit in refused.stderr
    assert value not in refused.output
    assert not Path("instance").exists()


def test_the_port_of_the_environment_and_the_model_in_force_with_its_host_are_said_at_the_start(
    start: Start, free_port: int
) -> None:
    with ClaudeServer() as server:
        process = start("serve", PORT=str(free_port), ANTHROPIC_API_KEY=server.key, ANTHROPIC_BASE_URL=server.url)
        lines = process.lines_until(LAST_LINE)
        end(process)
    assert f"Phone page:  http://127.0.0.1:{free_port}/phone" in lines
    assert lines[-1] == f"Replies come from claude-sonnet-5-5 at {server.url.removeprefix('http://')}."


def test_the_embedder_is_asked_for_a_vector_before_anybody_texts(start: Start, free_port: int) -> None:
    with OllamaServer() as server:
        process = start("serve", "--port", str(free_port), EMBEDDINGS="ollama", OLLAMA_HOST=server.url)
        process.lines_until(LAST_LINE)
        server.asked.wait()
        end(process)
    assert "warm" in server.requests[0]["input"][0]


def test_an_embedder_that_is_away_ends_no_start(start: Start, free_port: int) -> None:
    with OllamaServer() as server:
        server.answers = [Answer(404, b'{"error": "model not found"}')]
        process = start("serve", "--port", str(free_port), EMBEDDINGS="ollama", OLLAMA_HOST=server.url)
        process.lines_until(LAST_LINE)
        assert process.stderr is not None
        assert any("Memory is searched by words alone until there are vectors" in line for line in process.stderr)
        assert get(free_port, "/health").status == 200
        end(process)


def test_an_answer_under_way_is_finished_before_it_ends_and_the_log_tells_nothing_of_it(
    start: Start, free_port: int
) -> None:
    asked, released = threading.Event(), threading.Event()

    def held_back(_: dict[str, object]) -> Reply:
        asked.set()
        return Reply(content=[text("Max is a fine name.")], until=released)

    with ClaudeServer(held_back) as server:
        process = start(
            "serve",
            "--port",
            str(free_port),
            ANTHROPIC_API_KEY=server.key,
            ANTHROPIC_BASE_URL=server.url,
            BURST_QUIET_SECONDS="0",
        )
        process.lines_until(LAST_LINE)
        text_in(free_port, "My dog is called Maximilian")
        asked.wait()
        process.send_signal(signal.SIGTERM)
        process.lines_until("Stopping")
        released.set()
        said, logged = process.output()
    assert process.returncode == 0, logged
    with build_services(Settings()).reading() as db:
        kept = {message.direction: (message.state, message.body) for message in db.query(Message)}
    assert kept["in"] == ("answered", "My dog is called Maximilian")
    assert kept["out"] == ("sent", "Max is a fine name.")
    for secret in ("Maximilian", "fine name", "2065550100", server.key):
        assert secret not in said + logged


def test_a_phone_page_that_is_open_does_not_keep_it_from_ending(start: Start, free_port: int) -> None:
    process = start("serve", "--port", str(free_port))
    process.lines_until(LAST_LINE)
    page = http.client.HTTPConnection("127.0.0.1", free_port)
    page.request("GET", "/phone/events?number=%2B12065550100")
    stream = page.getresponse()
    assert stream.readline().startswith(b"retry:")
    end(process)
    page.close()


def test_a_text_that_nobody_answered_is_answered_at_the_next_start(start: Start, free_port: int) -> None:
    held = threading.Event()
    asked = threading.Event()

    def never(_: dict[str, object]) -> Reply:
        asked.set()
        return Reply(content=[text("Too late.")], until=held)

    with ClaudeServer(never, say("Here I am again.")) as server:
        environment = {"ANTHROPIC_API_KEY": server.key, "ANTHROPIC_BASE_URL": server.url, "BURST_QUIET_SECONDS": "0"}
        first = start("serve", "--port", str(free_port), **environment)
        first.lines_until(LAST_LINE)
        text_in(free_port, "Are you there?")
        asked.wait()
        first.kill()
        first.communicate()
        held.set()
        second = start("serve", "--port", str(free_port), **environment)
        second.lines_until(LAST_LINE)
        wait_for_words(free_port, "Here I am again.")
        end(second)
    with build_services(Settings()).reading() as db:
        out = db.query(Message).filter_by(direction="out")
        assert [(message.body, message.state) for message in out] == [("Here I am again.", "sent")]
