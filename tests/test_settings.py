"""The settings of a process, and its refusals of bad values."""

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

import pytest

from app.errors import SettingsError
from app.settings import Settings, load_settings

ACCOUNT = "AC" + "0" * 32

BAD: dict[str, Sequence[str]] = {
    **tomllib.loads((Path(__file__).parent / "data" / "bad_settings.toml").read_text("utf-8")),
    "secret_key": ["changeme", "k" * 31, "k" * 64, " " * 64],
    "twilio_account_sid": ["my-secret", "AC123", "SK" + "0" * 32, "AC" + "0" * 33],
    "twilio_api_key": ["my-secret", "AC" + "0" * 32],
    "admin_password": [*"short my-secret password Password123 administrator 1234567890".split(), "a" * 20, " " * 12],
}
"""Bad values for each setting that needs others than `bad_values` finds by itself."""
WORDS = {
    "port": "a whole number from 1 to 65535",
    "claude_effort": "low, medium, high, xhigh or max",
    "daily_budget_cents": "a whole number of US cents, 0 or more",
    "turn_max_seconds": "a number of seconds above 0, up to 300",
}
"""Expected words of the refusal, for settings without a sentence of their own."""
TWILIO = {"twilio_account_sid": ACCOUNT, "twilio_auth_token": "a-token", "twilio_from": "+12065550100"}

PYDANTIC = ("Input should", "input should", "String should", "string should", "pattern", "alue error", "validation")


def load(**given: object) -> Settings:
    return load_settings(_env_file=None, **given)


def refusal(**given: object) -> str:
    with pytest.raises(SettingsError) as raised:
        load(**given)
    assert raised.value.__cause__ is None
    assert raised.value.__context__ is None
    return str(raised.value)


def bad_values(name: str) -> list[str]:
    """Those of the table, or two words; for a number also what is beyond its limits or has a unit."""
    field = Settings.model_fields[name]
    bad, kinds = [*BAD.get(name, ["two words"])], {field.annotation, *get_args(field.annotation)}
    if kinds & {int, float}:
        bad += ["1m", "$5", "1.5" if int in kinds else "nan", "inf"]
        past = {"ge": -1, "gt": 0, "le": 1}
        bad += [str(getattr(one, key) + by) for one in field.metadata for key, by in past.items() if hasattr(one, key)]
    return bad


@pytest.mark.parametrize("name", Settings.model_fields)
def test_a_bad_value_is_refused_in_our_words_without_the_value(name: str) -> None:
    for value in bad_values(name):
        said = refusal(**{name: value})
        assert f"{name.upper()}: must be {Settings.model_fields[name].description or WORDS.get(name, '')}" in said, (
            value
        )
        assert not any(phrase in said for phrase in PYDANTIC)
        assert "my-secret" not in said


def test_all_that_is_malformed_or_missing_is_named_in_one_message() -> None:
    bad = {name: bad_values(name)[0] for name in Settings.model_fields} | {
        "twilio_auth_token": None,
        "twilio_api_secret": None,
    }
    said = refusal(**bad)
    for name in bad.keys() - {"twilio_auth_token", "twilio_api_secret"}:
        assert f"{name.upper()}: must be " in said
    assert "TWILIO_AUTH_TOKEN: missing" in said
    assert "TWILIO_API_KEY and TWILIO_API_SECRET: give both" in said


def test_what_is_unusual_and_right_is_taken() -> None:
    for name, values in {
        "host": ("::1", "0.0.0.0", "fe80::1%eth0", "raspberry.local"),
        "port": ("65535",),
        "public_url": ("https://me:secret@x.org:8443/keepsake/", "http://[::1]:8080"),
        "database_url": ("sqlite:////var/lib/keepsake.db",),
        "database_key": ("it's a key",),
        "secret_key": ("0123456789abcdef" * 2,),
        "admin_password": ("ten chars!", "amber river stone"),
        "burst_max_seconds": ("1.5",),
        "daily_budget_cents": ("0",),
        "episode_triggers": ("none",),
        "ollama_host": ("0.0.0.0", "localhost:11434", "https://ollama.example.org/"),
    }.items():
        for value in values:
            assert load(**{name: value}), value


@pytest.mark.parametrize("provider", ["openai", "voyage"])
def test_who_embeds_by_a_provider_needs_its_key_or_another_server(provider: str) -> None:
    name = provider.upper()
    assert f"{name}_API_KEY: missing (EMBEDDINGS={provider} needs it, unless {name}_BASE_URL is set)" in refusal(
        embeddings=provider
    )
    assert "PORT: must be" in refusal(embeddings=provider, port="nine")
    assert load(embeddings=provider, **{f"{provider}_api_key": "a-key"})
    assert load(embeddings=provider, **{f"{provider}_base_url": "http://127.0.0.1:8000"})


def test_the_longest_wait_is_no_shorter_than_the_quiet_also_when_only_that_is_set() -> None:
    assert "BURST_MAX_SECONDS: " in refusal(burst_quiet_seconds=10)


def test_an_env_file_that_is_not_utf_8_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes("PUBLIC_URL=https://schön.example.org".encode("latin-1"))
    with pytest.raises(SettingsError, match=r"\.env is not UTF-8"):
        load_settings()


def test_twilio_partly_set_is_refused_with_all_that_is_missing() -> None:
    for name, value in TWILIO.items():
        said = refusal(**{name: value}, twilio_api_key="SK" + "0" * 32)
        assert f"{', '.join(one.upper() for one in TWILIO if one != name)}: missing (Twilio needs all of" in said
        assert "TWILIO_API_KEY and TWILIO_API_SECRET: give both" in said
    assert load(**TWILIO).has_twilio


def test_r93_an_empty_value_is_the_same_as_none_so_that_a_secret_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_API_KEY", "PORT", "SECRET_KEY", "ADMIN_PASSWORD", "METRICS_TOKEN"):
        monkeypatch.setenv(name, "")
    settings = load()
    secrets = (settings.anthropic_api_key, settings.secret_key, settings.admin_password, settings.metrics_token)
    assert (secrets, settings.port) == ((None,) * 4, 8080)


def test_no_secret_stands_in_a_repr() -> None:
    secrets = {
        name: f"very-secret-and-long-enough-{name}"
        for name, field in Settings.model_fields.items()
        if "SecretStr" in str(field.annotation) and not name.startswith(("twilio", "mcp", "otel"))
    }
    assert {"anthropic_api_key", "database_key", "secret_key", "admin_password"} <= secrets.keys()
    settings = load_settings(
        _env_file=None,
        twilio_account_sid=ACCOUNT,
        twilio_from="+12065550100",
        twilio_auth_token="very-secret-token",
        twilio_api_key="SK" + "0" * 32,
        twilio_api_secret="very-secret-secret",
        twilio_old_auth_tokens="very-secret-old-1, very-secret-old-2",
        twilio_shared_keys="key1=very-secret-shared=",
        mcp_servers='[{"name": "home", "url": "https://x.org/mcp", "token": "very-secret-mcp"}]',
        otel_exporter_otlp_headers="Authorization=Bearer%20very-secret-header",
        **secrets,
    )
    assert settings.signing_tokens == ("very-secret-token", "very-secret-old-1", "very-secret-old-2")
    assert settings.shared_keys == {"key1": "very-secret-shared="}
    assert settings.otlp_headers == {"Authorization": "Bearer very-secret-header"}
    told = {"very-secret-old-2", "very-secret-shared=", "very-secret-secret", "Bearer very-secret-header"}
    assert told <= set(settings.secrets)
    assert "very-secret" not in repr(settings)
    assert "very-secret" not in str(settings)


def test_the_password_of_a_database_server_is_a_secret_and_its_key_is_of_a_file_alone() -> None:
    url = "postgresql+psycopg://keepsake:very-secret@db/keepsake"
    settings = load(database_url=url)
    assert "very-secret" not in repr(settings)
    assert "very-secret" in settings.secrets
    with pytest.raises(SettingsError, match="DATABASE_KEY: leave it out"):
        load(database_url=url, database_key="a key")


def test_the_public_address_is_where_it_listens_until_it_is_set() -> None:
    assert load(host="127.0.0.1", port=9000).address == "http://127.0.0.1:9000"
    assert load(host="::1", port=9000).address == "http://[::1]:9000"
    given = load(public_url="https://keepsake.example.org/")
    assert given.address == "https://keepsake.example.org"


def test_unknown_numbers_wait_once_there_is_a_real_number_and_not_before() -> None:
    assert [load().is_allowlist, load(**TWILIO).is_allowlist] == [False, True]
    assert load(**TWILIO, access="open").is_allowlist is False


def test_r11_there_is_no_setting_that_turns_the_check_of_signatures_off() -> None:
    names = set(Settings.model_fields)
    assert not [name for name in names if re.search(r"skip|valid|verif|check|insecure|signature|debug", name)]
    assert {name for name in names if "bool" in str(Settings.model_fields[name].annotation)} == set()
