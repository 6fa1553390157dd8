"""What a process may be told, and how it refuses what it cannot use."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.errors import SettingsError
from app.settings import Settings, load_settings

ROOT = Path(__file__).resolve().parent.parent
ACCOUNT = "AC" + "0" * 32


def run_doctor(folder: Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    """`keepsake doctor` in an empty folder, with nothing of this machine's environment."""
    inherited = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-m", "app.cli", "doctor"],
        cwd=folder,
        env=inherited | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_all_that_is_malformed_is_named_in_one_message() -> None:
    with pytest.raises(SettingsError) as raised:
        load_settings(
            _env_file=None,
            port=70000,
            public_url="keepsake.example.org",
            database_url="mysql://somewhere/else",
            access="everyone",
            embeddings="word2vec",
            daily_budget_cents=-1,
            twilio_from="Keepsake",
        )
    for name in ("PORT", "PUBLIC_URL", "DATABASE_URL", "ACCESS", "EMBEDDINGS", "DAILY_BUDGET_CENTS", "TWILIO_FROM"):
        assert f"{name}: " in str(raised.value)


def test_all_that_is_missing_for_twilio_is_named_in_one_message() -> None:
    with pytest.raises(SettingsError) as raised:
        load_settings(_env_file=None, twilio_account_sid=ACCOUNT, twilio_api_key="SK" + "0" * 32)
    assert "TWILIO_AUTH_TOKEN, TWILIO_FROM: missing" in str(raised.value)
    assert "TWILIO_API_KEY and TWILIO_API_SECRET: give both" in str(raised.value)


@pytest.mark.parametrize("given", ["twilio_account_sid", "twilio_auth_token", "twilio_from"])
def test_twilio_partly_set_is_refused(given: str) -> None:
    values = {"twilio_account_sid": ACCOUNT, "twilio_auth_token": "a-token", "twilio_from": "+12065550100"}
    with pytest.raises(SettingsError, match="Twilio needs all of"):
        load_settings(_env_file=None, **{given: values[given]})
    assert load_settings(_env_file=None, **values).has_twilio


def test_an_empty_value_is_the_same_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "")
    monkeypatch.setenv("PORT", "")
    settings = load_settings(_env_file=None)
    assert settings.anthropic_api_key is None
    assert settings.port == 8080


def test_no_secret_stands_in_a_repr() -> None:
    secrets = {
        name: f"very-secret-{name}"
        for name, field in Settings.model_fields.items()
        if "SecretStr" in str(field.annotation) and not name.startswith("twilio")
    }
    assert {"anthropic_api_key", "database_key", "secret_key", "admin_password"} <= secrets.keys()
    settings = load_settings(
        _env_file=None,
        twilio_account_sid=ACCOUNT,
        twilio_from="+12065550100",
        twilio_auth_token="very-secret-token",
        twilio_api_key="SK" + "0" * 32,
        twilio_api_secret="very-secret-secret",
        **secrets,
    )
    assert "very-secret" not in repr(settings)
    assert "very-secret" not in str(settings)


def test_no_value_stands_in_an_error_since_it_may_be_a_secret_in_the_wrong_place() -> None:
    with pytest.raises(SettingsError) as raised:
        load_settings(
            _env_file=None, twilio_account_sid="my-secret-token", twilio_api_key="my-secret-key", port="my-secret"
        )
    assert "TWILIO_ACCOUNT_SID" in str(raised.value)
    assert "my-secret" not in str(raised.value)
    assert raised.value.__cause__ is None


def test_the_public_address_is_where_it_listens_until_it_is_set() -> None:
    assert load_settings(_env_file=None, host="127.0.0.1", port=9000).address == "http://127.0.0.1:9000"
    assert load_settings(_env_file=None, host="::1", port=9000).address == "http://[::1]:9000"
    given = load_settings(_env_file=None, public_url="https://keepsake.example.org/")
    assert given.address == "https://keepsake.example.org"


def test_unknown_numbers_wait_once_there_is_a_real_number_and_not_before() -> None:
    twilio = {"twilio_account_sid": ACCOUNT, "twilio_auth_token": "a-token", "twilio_from": "+12065550100"}
    assert load_settings(_env_file=None).is_allowlist is False
    assert load_settings(_env_file=None, **twilio).is_allowlist is True
    assert load_settings(_env_file=None, **twilio, access="open").is_allowlist is False


def test_a_process_reads_the_environment_and_the_env_file_of_its_folder(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("PORT=nine\n")
    done = run_doctor(tmp_path, EMBEDDINGS="word2vec")
    assert done.returncode == 1
    assert "PORT: " in done.stdout
    assert "EMBEDDINGS: " in done.stdout
