"""Runs `keepsake serve` in a process of its own, which tests can text and kill."""

import http.client
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlencode

from tests.claude_server import ClaudeServer
from tests.forking import ROOT, Forked
from tests.loopback import HeldPort
from tests.stores import newest_database
from tests.twilio_server import AUTH_TOKEN, LIVE, PUBLIC_URL, TwilioServer, inbound_form, sign

START_SECONDS = 120.0  # Far more than a start takes on a busy machine; then the test fails and shows the output.


class Serving:
    """`with Serving(folder, settings) as keepsake:` runs until the block ends or `kill` is called."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.folder = folder
        self._held_port = HeldPort()
        self.port = self._held_port.number
        self.settings = settings
        self.lines: list[str] = []
        self._printed = threading.Condition()
        self._process: Forked | subprocess.Popen[str] | None = None

    @classmethod
    def live(cls, folder: Path, twilio: TwilioServer, claude: ClaudeServer | None = None, /, **settings: str) -> Self:
        """Keepsake on Twilio's stand-in, open to everyone, without burst window, embedder and pacing to wait for.

        Claude's stand-in answers, or the offline model if it is not given.
        """
        model = {"ANTHROPIC_API_KEY": claude.key, "ANTHROPIC_BASE_URL": claude.url} if claude else {}
        return cls(
            folder,
            TWILIO_API_URL=twilio.url,
            **{name.upper(): str(value) for name, value in LIVE.items()},
            **model,
            **{"BURST_QUIET_SECONDS": "0", "EMBEDDINGS": "none", **settings},
        )

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    @contextmanager
    def armed(self, faults: str) -> Iterator[Self]:
        """Run until the block ends, with these faults until the next start."""
        self.start(faults=faults)
        try:
            yield self
        finally:
            self.kill()

    def start(self, *, faults: str = "", may_die: bool = False, under: Sequence[str] = ()) -> None:
        """Start, and return once it answers, or has died if it may.

        `faults` have the form of `tests/forking.py`; `under` is a command that runs the command given after it.
        """
        if not self.database.exists() and "DATABASE_URL" not in self.settings:
            self.database.parent.mkdir(mode=0o700, exist_ok=True)
            self.database.write_bytes(newest_database())
        if under:
            self._process = subprocess.Popen(
                [*under, sys.executable, "-m", "tests.forking", "serve"],
                cwd=self.folder,
                env=self.environment(FAULTS=faults),
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        else:
            self._process = self._run("serve", FAULTS=faults)
        ready: queue.Queue[bool] = queue.Queue()
        threading.Thread(target=self._read, args=(self._process, ready), daemon=True).start()
        try:
            assert ready.get(timeout=START_SECONDS) or may_die, "\n".join(self.lines)
        except BaseException:
            self.kill()  # Else another test would be blamed for it.
            raise

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def database(self) -> Path:
        return self.folder / "instance" / "keepsake.db"

    def command(self, *arguments: str) -> str:
        """The output of `keepsake …` on the same database, beside the server."""
        process = self._run(*arguments)
        printed = process.printed()
        assert process.wait() == 0, printed
        return printed.strip()

    def kill(self) -> None:
        """End it like a power cut, without any clean-up."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def wait_for_death(self) -> int:
        """Wait for its end, and return the exit code."""
        assert self._process is not None
        return self._process.wait(timeout=START_SECONDS)

    def wait_for_line(self, words: str) -> None:
        """Wait until it has printed a line with these words."""
        with self._printed:
            came = self._printed.wait_for(lambda: any(words in line for line in self.lines), timeout=START_SECONDS)
        assert came, "\n".join(self.lines)

    def wait_for_stop(self) -> None:
        """Wait until it has stopped itself."""
        os.waitid(os.P_PID, self.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)

    def signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    def terminate(self) -> int:
        """Send SIGTERM, and return its exit code."""
        self.signal(signal.SIGTERM)
        return self.wait_for_death()

    def text(self, body: str, *, patience_seconds: float = START_SECONDS, **more: str) -> int:
        """Deliver a signed text as Twilio does, and return the HTTP status.

        Raises:
            OSError: an `HTTPError` for an unsuccessful status; otherwise no answer came in time.
        """
        form = inbound_form(body, **more)
        request = urllib.request.Request(
            f"{self.url}/sms",
            data=urlencode(form).encode(),
            headers={"X-Twilio-Signature": sign(f"{PUBLIC_URL}/sms", form, AUTH_TOKEN)},
        )
        with urllib.request.urlopen(request, timeout=patience_seconds) as response:
            return int(response.status)

    def ready(self) -> tuple[int, dict[str, Any]]:
        """Status and JSON of `GET /ready`."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=START_SECONDS)
        with closing(connection):
            connection.request("GET", "/ready")
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())

    def environment(self, **more: str) -> dict[str, str]:
        plain = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG", "LC_ALL"}}
        return {**plain, "PYTHONPATH": str(ROOT), "PORT": str(self.port), **self.settings, **more}

    def _run(self, *arguments: str, **environment: str) -> Forked:
        given = self.environment(**environment)
        return Forked("tests.forking:keepsake", *arguments, folder=self.folder, environment=given)

    def _read(self, process: "Forked | subprocess.Popen[str]", ready: "queue.Queue[bool]") -> None:
        assert process.stdout is not None
        with process.stdout as lines:
            for line in lines:
                with self._printed:
                    self.lines.append(line.rstrip())
                    self._printed.notify_all()
                if line.startswith("Keepsake is running"):
                    ready.put(True)
        ready.put(False)
