"""The commands on a PostgreSQL database."""

from pathlib import Path

import pytest

from app.settings import Settings
from app.store.db import Database
from tests import postgres
from tests.cli.conftest import Run
from tests.serving import Serving
from tests.twilio_server import TwilioServer

pytestmark = pytest.mark.postgres


def test_serve_answers_texts_and_remembers_after_a_restart(
    tmp_path: Path, database: Database, settings: Settings, twilio: TwilioServer
) -> None:
    with Serving.live(tmp_path, twilio, DATABASE_URL=settings.database_url) as keepsake:
        keepsake.text("I have a dog named Max", sid="SM" + "1" * 32)
        twilio.wait_for(1)
        assert keepsake.terminate() == 0
        keepsake.start()
        keepsake.text("What do you know about me?", sid="SM" + "2" * 32)
        assert "dog named Max" in twilio.wait_for(2)[-1].body


def test_the_doctor_looks_at_the_server(database: Database, run: Run) -> None:
    result = run("doctor")
    assert "PostgreSQL" in result.output
    assert "schema" in result.output
    assert "pages" not in result.output  # Nobody looked.


def test_the_doctor_says_that_a_new_database_is_empty(run: Run) -> None:
    postgres.run("DROP DATABASE IF EXISTS doctor_new", "CREATE DATABASE doctor_new")
    said = run("doctor", DATABASE_URL=postgres.address_of("doctor_new")).output
    assert "is empty. `make serve` or `keepsake migrate` makes its tables." in said


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_copies_are_left_to_the_servers_own_programs(database: Database, run: Run, command: str) -> None:
    result = run(command, "file.backup")
    assert result.exit_code != 0
    assert "pg_dump --format=custom" in result.stderr or "is no file" in result.stderr
