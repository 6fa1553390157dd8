"""The commands on a PostgreSQL database."""

import os

import pytest

from app.store.db import Database
from tests.cli.conftest import Run
from tests.cli.test_serve import LAST_LINE, Start, end, get, text_in, wait_for_words

pytestmark = pytest.mark.postgres


def test_serve_answers_texts_and_remembers_after_a_restart(database: Database, start: Start, free_port: int) -> None:
    environment = {"DATABASE_URL": os.environ["DATABASE_URL"], "BURST_QUIET_SECONDS": "0"}
    first = start("serve", "--port", str(free_port), **environment)
    first.lines_until(LAST_LINE)
    assert get(free_port, "/health")[0].status == 200
    text_in(free_port, "I have a dog named Max")
    wait_for_words(free_port, "Max")
    end(first)

    said = start("text", "What do you know about me?", "--from", "+12065550100", **environment).output()
    assert "dog named Max" in "".join(said)


def test_the_doctor_looks_at_the_server(database: Database, run: Run) -> None:
    result = run("doctor")
    assert "PostgreSQL" in result.output
    assert "schema" in result.output
    assert "pages" not in result.output  # Nobody looked.


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_copies_are_left_to_the_servers_own_programs(database: Database, run: Run, command: str) -> None:
    result = run(command, "file.backup")
    assert result.exit_code != 0
    assert "pg_dump --format=custom" in result.stderr or "is no file" in result.stderr
