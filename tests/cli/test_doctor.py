"""The doctor's findings, and its advice."""

import json
import os
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from app.models import Message
from app.operations.alerts import MODEL_REFUSED, raise_alert
from app.settings import Settings
from app.wiring import build_services
from tests.claude_server import ClaudeServer, call, say
from tests.cli.conftest import ALEX, DATABASE, Examine, Run
from tests.loopback import NOWHERE
from tests.serving import Serving
from tests.stores import run_sql
from tests.twilio_server import ACCOUNT_SID, AUTH_TOKEN, NUMBER

TWILIO = {
    "TWILIO_ACCOUNT_SID": "AC" + "0" * 32,
    "TWILIO_AUTH_TOKEN": "the-auth-token",
    "TWILIO_FROM": "+12065550123",
    "PUBLIC_URL": "https://keepsake.example.org",
    "ANTHROPIC_API_KEY": "the-claude-key",
    "ANTHROPIC_BASE_URL": f"http://{NOWHERE}",
    "TWILIO_API_KEY": "SK" + "0" * 32,
    "TWILIO_API_SECRET": "the-api-secret",
}


def test_a_good_set_up_has_nothing_to_mend(examine: Examine, migrated: Path) -> None:
    found = examine(**TWILIO)
    amiss = [check for check, finding in found.items() if finding["level"] != "ok"]
    assert amiss == ["account", "outside", "model", "tools"], found
    assert "could not be reached" in found["account"]["says"]
    assert "cannot be reached from here" in found["outside"]["says"]
    wanted = (
        "settings PUBLIC_URL Twilio ANTHROPIC_API_KEY EMBEDDINGS ACCESS permissions encryption schema pragmas pages "
        "vectors unanswered unsure clock tzdata disk"
    )
    assert found.keys() >= set(wanted.split())
    assert found["PUBLIC_URL"]["says"].endswith("the webhook of the number is https://keepsake.example.org/sms.")


NO_SUCH_WORLD = ("https://127.0.0.1:8080", "https://192.168.1.4", "https://raspberry.local", "https://keepsake")
IN_VAIN = {"EMBEDDING_MODEL": "nomic-embed-text", "EMBEDDING_DIMENSION": "256"}


@pytest.mark.parametrize(
    ("environment", "check", "level", "says"),
    [
        *[(TWILIO | {"PUBLIC_URL": one}, "PUBLIC_URL", "bad", "cannot reach") for one in NO_SUCH_WORLD],
        (TWILIO | {"PUBLIC_URL": "http://keepsake.example.org"}, "PUBLIC_URL", "bad", "in the clear"),
        (IN_VAIN | {"EMBEDDINGS": "local"}, "EMBEDDING_MODEL", "warn", "-text is not used: EMBEDDINGS is local, "),
        (IN_VAIN | {"EMBEDDINGS": "none"}, "EMBEDDING_DIMENSION", "warn", "256 is not used: EMBEDDINGS is none, "),
        ({"HOST": "0.0.0.0"}, "HOST", "warn", "without TLS"),
        ({"DATABASE_KEY": "the key"}, "encryption", "bad", "the file is not encrypted"),
    ],
)
def test_settings_that_do_not_fit_are_found(
    examine: Examine, migrated: Path, environment: dict[str, str], check: str, level: str, says: str
) -> None:
    finding = examine(**environment)[check]
    assert (finding["level"], says in finding["says"]) == (level, True), finding


def test_a_misspelt_setting_is_named_and_anothers_is_not(examine: Examine, migrated: Path, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("CLAUDE_MODLE=foo\nPOSTGRES_PASSWORD=x\n")
    found = examine()
    assert found["CLAUDE_MODLE"]["says"] == "in .env is no setting. Did you mean CLAUDE_MODEL?"
    assert "POSTGRES_PASSWORD" not in found


def test_before_the_first_start_it_makes_nothing_and_malformed_settings_are_all_that_is_said(examine: Examine) -> None:
    assert examine()["database"]["level"] == "warn"
    assert not DATABASE.parent.exists()
    found = examine(PORT="nine", ACCESS="everyone")
    assert list(found) == ["settings"]
    assert "PORT" in found["settings"]["says"]
    assert "ACCESS" in found["settings"]["says"]


def test_what_could_be_safer_is_a_warning(examine: Examine, migrated: Path) -> None:
    given = {name: value for name, value in TWILIO.items() if not name.startswith(("ANTHROPIC", "TWILIO_API"))}
    found = examine(**given, ACCESS="open", HOST="0.0.0.0")
    warned = {check for check, finding in found.items() if finding["level"] == "warn"}
    assert warned == {"account", "Twilio", "ANTHROPIC_API_KEY", "ACCESS", "outside"}


def test_files_that_others_can_read_are_bad_and_the_mending_is_named(examine: Examine, migrated: Path) -> None:
    migrated.chmod(0o644)
    migrated.parent.chmod(0o755)
    finding = examine()["permissions"]
    assert finding["level"] == "bad"
    assert f"chmod 700 {migrated.parent.absolute()} && chmod 600 {migrated}" in finding["says"]


def test_a_database_that_is_behind_or_newer_is_bad(examine: Examine, migrated: Path) -> None:
    run_sql(migrated, "UPDATE alembic_version SET version_num = '0003_operators'")
    behind = examine()["schema"]["says"]
    assert "steps behind: this version needs" in behind
    assert "Run: keepsake migrate" in behind
    run_sql(migrated, "UPDATE alembic_version SET version_num = '9999_to_come'")
    newer = examine()["schema"]["says"]
    assert "was made by a newer Keepsake" in newer
    assert "Run: keepsake migrate" not in newer


def test_damaged_pages_are_bad(examine: Examine, migrated: Path) -> None:
    with closing(sqlite3.connect(migrated)) as raw:
        (page,) = raw.execute(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'uq_messages_sid' OR name LIKE 'ix_messages_turn%'"
        ).fetchone()
    content = bytearray(migrated.read_bytes())
    content[(page - 1) * 4096 : page * 4096] = os.urandom(4096)
    migrated.write_bytes(content)
    assert "Restore a backup" in examine()["pages"]["says"]


def test_an_encrypted_database_is_ok_with_its_key_and_bad_without(examine: Examine, run: Run) -> None:
    assert examine(DATABASE_KEY="the key")["database"]["level"] == "warn"
    run("migrate")
    assert "encrypted (SQLCipher)" in examine(DATABASE_KEY="the key")["encryption"]["says"]
    assert "DATABASE_KEY is wrong" in examine(DATABASE_KEY="another key")["database"]["says"]


def test_what_the_database_tells_of_texts_and_the_clock_is_found(examine: Examine, run: Run, migrated: Path) -> None:
    run.printed("people", "allow", ALEX)
    with closing(build_services(Settings())) as services, services.transaction() as db:
        now = services.clock.now()
        raise_alert(db, MODEL_REFUSED, "Claude refuses requests as they are made.", now)
        for direction, state, ago in (
            ("in", "waiting", timedelta(minutes=4)),
            ("in", "waiting", timedelta(minutes=6)),
            ("out", "unknown", timedelta(minutes=6)),
            ("in", "answered", timedelta(days=-30)),
        ):
            values = {"direction": direction, "state": state, "created_at": now - ago}
            db.add(Message(person_id=1, body="hi", carrier="phone", **values))
            db.flush()
    found = examine()
    for check, level, says in (
        ("unanswered", "bad", "1 waiting for more than 5 minutes"),
        ("unsure", "warn", "1 replies may or may not"),
        ("newest text", "bad", "still to come"),
        (f"alert {MODEL_REFUSED}", "bad", "Claude refuses requests as they are made."),
    ):
        assert (found[check]["level"], says in found[check]["says"]) == (level, True), found[check]


def test_r118_a_model_that_is_not_offered_or_a_key_that_is_refused_is_found(examine: Examine) -> None:
    with ClaudeServer(call("remember", {"fact": "Likes black coffee"}), say("Noted!")) as server:
        given = {"ANTHROPIC_API_KEY": server.key, "ANTHROPIC_BASE_URL": server.url}
        found = examine(**given)
        assert (found["model"]["level"], found["tools"]["level"]) == ("ok", "ok")
        assert "answered without calling the tool" in examine(**given)["tools"]["says"]
        assert "misspelt" in examine(**given | {"CLAUDE_MODEL": "claude-of-yesterday"})["model"]["says"]
        assert "Check ANTHROPIC_API_KEY" in examine(**given | {"ANTHROPIC_API_KEY": "another"})["model"]["says"]


def test_r48_the_host_that_people_s_words_are_sent_to_is_named_without_the_whole_address(examine: Examine) -> None:
    found = examine(
        ANTHROPIC_API_KEY="the-claude-key",
        ANTHROPIC_BASE_URL=f"http://somebody:secret@{NOWHERE}",
        CLAUDE_FALLBACK_MODEL="claude-haiku-5-5",
    )["ANTHROPIC_API_KEY"]["says"]
    assert "replies come from claude-sonnet-5-5 at 127.0.0.1:" in found
    assert "from claude-haiku-5-5 while that is down" in found
    assert "secret" not in found


SERVED = {"TWILIO_ACCOUNT_SID": ACCOUNT_SID, "TWILIO_AUTH_TOKEN": AUTH_TOKEN, "TWILIO_FROM": NUMBER}
IS_CLOSED = "{} is closed to visitors without a login or a token (403)."
IS_OPEN = "{} is open to everybody. Let the proxy hand it on to this Keepsake alone."


@pytest.mark.parametrize(
    ("of_the_server", "phone", "metrics"),
    [
        (SERVED | {"PUBLIC_URL": "https://keepsake.example.org"}, ("ok", IS_CLOSED), ("ok", IS_CLOSED)),
        # Started before PUBLIC_URL was set: a proxy on this machine makes every visitor look like the machine itself.
        (SERVED, ("ok", IS_CLOSED), ("bad", IS_OPEN)),
        ({}, ("bad", IS_OPEN), ("bad", IS_OPEN)),
    ],
    ids=["all closed", "metrics open", "all open"],
)
def test_what_a_visitor_gets_is_told(
    run: Run, tmp_path: Path, of_the_server: dict[str, str], phone: tuple[str, str], metrics: tuple[str, str]
) -> None:
    (tmp_path / "server").mkdir()
    with Serving(tmp_path / "server", **of_the_server) as keepsake:
        result = run("doctor", "--json", PUBLIC_URL=keepsake.url)
    found = [one for one in json.loads(result.stdout) if one["check"] == "outside"]
    assert [(one["level"], one["says"]) for one in found] == [
        (level, says.format(f"{keepsake.url}{page}"))
        for page, (level, says) in (("/phone", phone), ("/metrics", metrics))
    ]
