"""What the doctor finds, and what to do about it."""

import json
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, timedelta
from pathlib import Path

import pytest
from sqlcipher3 import dbapi2

from app.models import Message, Person
from app.operations.alerts import MODEL_REFUSED, raise_alert
from app.settings import Settings, load_settings
from app.wiring import build_services
from tests.claude_server import ClaudeServer, call, say
from tests.cli.conftest import Run
from tests.ports import NOWHERE

DATABASE = Path("instance/keepsake.db")
TWILIO = {
    "TWILIO_ACCOUNT_SID": "AC" + "0" * 32,
    "TWILIO_AUTH_TOKEN": "the-auth-token",
    "TWILIO_FROM": "+12065550123",
    "PUBLIC_URL": "https://keepsake.example.org",
    "ANTHROPIC_API_KEY": "the-claude-key",
    "TWILIO_API_KEY": "SK" + "0" * 32,
    "TWILIO_API_SECRET": "the-api-secret",
}
Examine = Callable[..., dict[str, dict[str, str]]]


@pytest.fixture
def examine(run: Run, monkeypatch: pytest.MonkeyPatch) -> Examine:
    """The findings by check, under these settings; nothing outside is reached."""
    monkeypatch.setenv("HTTPS_PROXY", f"http://{NOWHERE}")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")

    def examine(exit_code: int = 0, **environment: str) -> dict[str, dict[str, str]]:
        nowhere = {"ANTHROPIC_BASE_URL": f"http://{NOWHERE}"}
        for name, value in ((nowhere if "ANTHROPIC_API_KEY" in environment else {}) | environment).items():
            monkeypatch.setenv(name, value)
        result = run("doctor", "--json")
        assert result.exit_code == exit_code, result.output
        return {finding["check"]: finding for finding in json.loads(result.stdout)}

    return examine


@pytest.fixture
def migrated(run: Run) -> Path:
    run("migrate")
    return DATABASE


def test_a_good_set_up_has_nothing_to_mend(examine: Examine, migrated: Path) -> None:
    found = examine(**TWILIO)
    assert [check for check, finding in found.items() if finding["level"] != "ok"] == [
        "account", "outside", "model", "tools"
    ], found  # fmt: skip
    assert "could not be reached" in found["account"]["says"]
    assert found.keys() >= {
        "settings",
        "PUBLIC_URL",
        "Twilio",
        "ANTHROPIC_API_KEY",
        "EMBEDDINGS",
        "ACCESS",
        "permissions",
        "encryption",
        "schema",
        "pragmas",
        "pages",
        "vectors",
        "unanswered",
        "unsure",
        "summaries",
        "clock",
        "tzdata",
        "disk",
    }
    assert found["PUBLIC_URL"]["says"].endswith("the webhook of the number is https://keepsake.example.org/sms.")


@pytest.mark.parametrize("provider", ["local", "none"])
def test_a_model_of_vectors_that_is_set_in_vain_is_a_warning(examine: Examine, migrated: Path, provider: str) -> None:
    found = examine(EMBEDDINGS=provider, EMBEDDING_MODEL="nomic-embed-text", EMBEDDING_DIMENSION="256")
    assert found["EMBEDDING_MODEL"]["level"] == found["EMBEDDING_DIMENSION"]["level"] == "warn"
    assert f"nomic-embed-text is not used: EMBEDDINGS is {provider}, " in found["EMBEDDING_MODEL"]["says"]
    assert not {"EMBEDDING_MODEL", "EMBEDDING_DIMENSION"} & examine(EMBEDDING_MODEL="", EMBEDDING_DIMENSION="").keys()


def test_it_says_how_many_conversations_wait_to_be_summarised(examine: Examine, run: Run, migrated: Path) -> None:
    assert "in every conversation is told" in examine()["summaries"]["says"]
    run("text", "I have an exam tomorrow")
    assert "to be summarised, those that go on now among them: 1." in examine()["summaries"]["says"]


def test_requests_that_claude_refuses_make_it_fail(examine: Examine, migrated: Path) -> None:
    with closing(build_services(load_settings())) as services, services.transaction() as db:
        raise_alert(db, MODEL_REFUSED, "Claude refuses requests as they are made.", services.clock.now())
    found = examine(1)[f"alert {MODEL_REFUSED}"]
    assert found["level"] == "bad"
    assert "Claude refuses requests as they are made." in found["says"]


def test_no_secret_is_printed(run: Run, migrated: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", f"http://{NOWHERE}")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", f"http://{NOWHERE}")
    for name, value in TWILIO.items():
        monkeypatch.setenv(name, value)
    output = run("doctor").output
    for name in ("TWILIO_AUTH_TOKEN", "TWILIO_API_SECRET", "ANTHROPIC_API_KEY"):
        assert TWILIO[name] not in output


def test_for_people_each_finding_is_a_line(run: Run, migrated: Path) -> None:
    lines = run("doctor").stdout.splitlines()
    assert all(line.startswith(("ok    ", "warn  ", "bad   ")) for line in lines)
    assert any(line.startswith("ok    pages: whole") for line in lines)


def test_malformed_settings_are_all_that_is_said(examine: Examine) -> None:
    found = examine(1, PORT="nine", ACCESS="everyone")
    assert list(found) == ["settings"]
    assert "PORT" in found["settings"]["says"]
    assert "ACCESS" in found["settings"]["says"]


def test_before_the_first_start_it_makes_nothing(examine: Examine) -> None:
    assert examine()["database"]["level"] == "warn"
    assert not DATABASE.parent.exists()


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("http://keepsake.example.org", "in the clear"),
        ("https://127.0.0.1:8080", "cannot reach"),
        ("https://192.168.1.4", "cannot reach"),
        ("https://raspberry.local", "cannot reach"),
        ("https://keepsake", "cannot reach"),
    ],
)
def test_an_address_that_twilio_cannot_use_is_bad(examine: Examine, migrated: Path, address: str, says: str) -> None:
    finding = examine(1, **TWILIO | {"PUBLIC_URL": address})["PUBLIC_URL"]
    assert finding["level"] == "bad"
    assert says in finding["says"]


def test_what_could_be_safer_with_twilio_is_a_warning(examine: Examine, migrated: Path) -> None:
    given = {name: value for name, value in TWILIO.items() if "API" not in name}
    found = examine(**given, ACCESS="open", HOST="0.0.0.0")
    assert {check for check, finding in found.items() if finding["level"] == "warn"} == {
        "account",
        "Twilio",
        "ANTHROPIC_API_KEY",
        "ACCESS",
        "outside",
    }


def test_a_server_open_to_the_network_without_tls_is_a_warning(examine: Examine, migrated: Path) -> None:
    assert examine(HOST="0.0.0.0")["HOST"]["level"] == "warn"


def test_files_that_others_can_read_are_bad_and_the_mending_is_named(examine: Examine, migrated: Path) -> None:
    migrated.chmod(0o644)
    migrated.parent.chmod(0o755)
    finding = examine(1)["permissions"]
    assert finding["level"] == "bad"
    assert f"chmod 700 {migrated.parent.absolute()} && chmod 600 {migrated}" in finding["says"]


def test_a_database_that_is_behind_is_bad(examine: Examine, migrated: Path) -> None:
    with sqlite3.connect(migrated) as raw:
        raw.execute("UPDATE alembic_version SET version_num = '0003_operators'")
    raw.close()
    finding = examine(1)["schema"]
    assert "at 0003_operators" in finding["says"]
    assert "keepsake migrate" in finding["says"]


def test_damaged_pages_are_bad(examine: Examine, migrated: Path) -> None:
    with sqlite3.connect(migrated) as raw:
        (page,) = raw.execute(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'uq_messages_sid' OR name LIKE 'ix_messages_turn%'"
        ).fetchone()
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    raw.close()
    content = bytearray(migrated.read_bytes())
    content[(page - 1) * 4096 : page * 4096] = os.urandom(4096)
    migrated.write_bytes(content)
    finding = examine(1)["pages"]
    assert "Restore a backup" in finding["says"]


def test_an_encrypted_database_is_ok_with_its_key_and_bad_without(examine: Examine, run: Run) -> None:
    assert examine(0, DATABASE_KEY="the key")["database"]["level"] == "warn"
    run("migrate")
    assert "encrypted (SQLCipher)" in examine(DATABASE_KEY="the key")["encryption"]["says"]
    assert "Is DATABASE_KEY right" in examine(1, DATABASE_KEY="another key")["database"]["says"]


def test_a_key_for_a_database_that_is_plain_is_bad(examine: Examine, migrated: Path) -> None:
    assert "the file is not encrypted" in examine(1, DATABASE_KEY="the key")["encryption"]["says"]


def test_texts_that_wait_too_long_and_replies_in_doubt_are_counted(examine: Examine, migrated: Path) -> None:
    keep_message("in", "waiting", age=timedelta(minutes=4))
    keep_message("in", "waiting", age=timedelta(minutes=6))
    keep_message("out", "unknown", age=timedelta(minutes=6))
    found = examine(1)
    assert found["unanswered"]["says"].startswith("1 waiting for more than 5 minutes")
    assert found["unsure"]["level"] == "warn"
    assert found["unsure"]["says"].startswith("1 ")


def test_a_clock_behind_the_newest_text_is_bad(examine: Examine, migrated: Path) -> None:
    keep_message("in", "answered", age=timedelta(days=-30))
    assert "still to come" in examine(1)["newest text"]["says"]


def keep_message(direction: str, state: str, age: timedelta) -> None:
    services = build_services(Settings())
    at = services.clock.now() - age
    with services.transaction() as db:
        person = db.query(Person).first() or Person(
            address="+1", key="k", timezone="UTC", access="allowed", created_at=at.astimezone(UTC)
        )
        db.add(person)
        db.flush()
        db.add(
            Message(person_id=person.id, direction=direction, state=state, body="hi", carrier="phone", created_at=at)
        )


def test_a_newer_database_is_said_to_be_newer_and_not_sent_to_migrate(run: Run) -> None:
    run("migrate")
    connection = dbapi2.connect("instance/keepsake.db")
    connection.execute("UPDATE alembic_version SET version_num = '9999_to_come'")
    connection.commit()
    connection.close()
    result = run("doctor")
    assert result.exit_code == 1
    assert "was made by a newer Keepsake" in result.stdout
    assert "Run: keepsake migrate" not in result.stdout


def test_r118_a_model_that_is_not_offered_or_a_key_that_is_refused_is_found(examine: Examine) -> None:
    with ClaudeServer(call("remember", {"fact": "Likes black coffee"}), say("Noted!")) as server:
        given = {"ANTHROPIC_API_KEY": server.key, "ANTHROPIC_BASE_URL": server.url}
        found = examine(**given)
        assert (found["model"]["level"], found["tools"]["level"]) == ("ok", "ok")
        assert "answered without calling the tool" in examine(**given)["tools"]["says"]
        assert "misspelt" in examine(1, **given | {"CLAUDE_MODEL": "claude-of-yesterday"})["model"]["says"]
        assert "Check ANTHROPIC_API_KEY" in examine(1, **given | {"ANTHROPIC_API_KEY": "another"})["model"]["says"]


def test_r48_the_host_that_people_s_words_are_sent_to_is_named_without_what_else_is_in_the_address(
    examine: Examine, migrated: Path
) -> None:
    found = examine(
        ANTHROPIC_API_KEY="the-claude-key",
        ANTHROPIC_BASE_URL=f"http://somebody:secret@{NOWHERE}",
        CLAUDE_FALLBACK_MODEL="claude-haiku-5-5",
    )["ANTHROPIC_API_KEY"]["says"]
    assert "replies come from claude-sonnet-5-5 at 127.0.0.1:" in found
    assert "from claude-haiku-5-5 while that is down" in found
    assert "secret" not in found
