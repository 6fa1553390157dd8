"""Runs commands in this process by click's runner, or in processes of their own."""

import json
import logging
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from app.cli import main
from tests.loopback import NOWHERE

ROOT = Path(__file__).resolve().parent.parent.parent
DATABASE = Path("instance/keepsake.db")
ALEX, KIM = "+12065550100", "+12125550101"
SECRETS = ("TWILIO_AUTH_TOKEN", "TWILIO_API_SECRET", "ANTHROPIC_API_KEY")
Examine = Callable[..., dict[str, dict[str, str]]]
END_SECONDS = 60.0  # Far more than an end takes; a process that still runs then never ends.


class Run:
    """Runs `keepsake …` by click's runner, in the test's folder and environment."""

    def __call__(self, *arguments: str, input: str | None = None, **environment: str) -> Result:  # noqa: A002
        return CliRunner().invoke(main, arguments, prog_name="keepsake", input=input, env=environment)

    def printed(self, *arguments: str, **environment: str) -> str:
        """The output of a command that succeeds."""
        result = self(*arguments, **environment)
        assert result.exit_code == 0, result.output
        return result.stdout

    def json(self, *arguments: str, exit_code: object = 0, **environment: str) -> Any:
        """The output of the command with `--json`, parsed."""
        result = self(*arguments, "--json", **environment)
        assert result.exit_code == exit_code, result.output
        return json.loads(result.stdout)

    def refusal(self, *arguments: str, exit_code: object = 1, **environment: str) -> str:
        """The words on stderr of a command that prints nothing and ends with that code."""
        result = self(*arguments, **environment)
        assert (result.exit_code, result.stdout) == (exit_code, "")
        assert "Traceback" not in result.stderr
        return result.stderr


@pytest.fixture
def _logging_as_before() -> Iterator[None]:
    root, app = logging.getLogger(), logging.getLogger("app")
    before = (root.handlers[:], root.level, app.level)
    yield
    root.handlers[:], level, app_level = before
    root.setLevel(level)
    app.setLevel(app_level)


@pytest.fixture
def run(_logging_as_before: None) -> Run:
    return Run()


@pytest.fixture
def migrated(newest_schema: Path | str) -> Path:
    """A database with the newest schema in its usual place; a command would take much longer to make it."""
    if isinstance(newest_schema, Path) and not DATABASE.exists():  # On PostgreSQL the test already has its own.
        DATABASE.parent.mkdir(mode=0o700, exist_ok=True)
        shutil.copyfile(newest_schema, DATABASE)
        DATABASE.chmod(0o600)
    return DATABASE


@pytest.fixture
def alex(run: Run, migrated: Path) -> str:
    """The phone number of a person who may text."""
    run.printed("people", "allow", ALEX)
    return ALEX


@pytest.fixture
def examine(run: Run, monkeypatch: pytest.MonkeyPatch) -> Examine:
    """A function that returns the doctor's findings by check; it reaches nothing outside, and checks for secrets."""
    monkeypatch.setenv("HTTPS_PROXY", f"http://{NOWHERE}")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")

    def examine(**environment: str) -> dict[str, dict[str, str]]:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        result = run("doctor", "--json")
        for name in SECRETS:
            assert environment.get(name, "-----") not in result.output
        found: dict[str, dict[str, str]] = {finding["check"]: finding for finding in json.loads(result.stdout)}
        assert result.exit_code == any(finding["level"] == "bad" for finding in found.values()), result.output
        return found

    return examine
