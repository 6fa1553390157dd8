"""Every setting, its unit and the reason for its default. The only reader of the environment."""

import re
from pathlib import Path
from typing import Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from app.errors import SettingsError


class Settings(BaseSettings):
    """What the operator decides. Names are those of the environment, in lower case."""

    model_config = SettingsConfigDict(
        env_file=".env", env_file_encoding="utf-8", env_ignore_empty=True, extra="ignore", frozen=True
    )

    host: str = "127.0.0.1"  # Loopback, so that nothing is open to a network before the operator says so.
    port: int = Field(8080, ge=1, le=65535)
    public_url: str = ""  # Empty means http://HOST:PORT, which is right until Twilio calls.

    database_url: str = "sqlite:///instance/keepsake.db"
    database_key: SecretStr | None = None
    secret_key: SecretStr | None = None  # Made once into instance/ when it is not given.

    anthropic_api_key: SecretStr | None = None
    anthropic_base_url: str | None = None
    claude_model: str = "claude-sonnet-5-5"
    claude_small_model: str = "claude-haiku-5-5"

    twilio_account_sid: str | None = Field(None, pattern=r"^AC[0-9a-zA-Z]{32}$")
    twilio_auth_token: SecretStr | None = None
    twilio_from: str | None = Field(
        None, pattern=r"^(\+[1-9]\d{6,14}|MG[0-9a-zA-Z]{32}|whatsapp:\+[1-9]\d{6,14}|\d{5,6})$"
    )
    twilio_api_key: str | None = Field(None, pattern=r"^SK[0-9a-zA-Z]{32}$")
    twilio_api_secret: SecretStr | None = None
    twilio_api_url: str = "https://api.twilio.com"

    access: Literal["open", "allowlist"] | None = None  # Unset: allowlist with Twilio, open on the phone page.
    admin_password: SecretStr | None = None
    embeddings: Literal["local", "ollama", "openai", "voyage", "sentence-transformers", "none"] = "local"
    daily_budget_cents: int = Field(500, ge=0)
    person_daily_budget_cents: int = Field(100, ge=0)

    burst_quiet_seconds: float = Field(
        1.5, ge=0, le=30
    )  # People send one thought as several texts within a second or two.
    burst_max_seconds: float = Field(6.0, ge=0, le=60)  # Nobody waits longer than this because they go on typing.
    turn_max_seconds: float = Field(60.0, gt=0, le=300)  # After a minute a kind sentence is better than more silence.
    history_max_tokens: int = Field(6000, ge=200)  # 50 texts are seldom more; it bounds what one turn can cost.
    workers: int = Field(32, ge=1, le=512)  # Turns under way at once; each mostly waits for the model.

    @field_validator("public_url", "twilio_api_url", "anthropic_base_url")
    @classmethod
    def _is_an_address(cls, value: str | None) -> str | None:
        if not value:
            return value
        parts = urlsplit(value)
        if parts.scheme.lower() not in {"http", "https"} or not parts.hostname:
            raise ValueError("is not an address such as https://keepsake.example.org")
        return value.rstrip("/")

    @field_validator("database_url")
    @classmethod
    def _is_a_database(cls, value: str) -> str:
        try:
            url = make_url(value)
        except ArgumentError as error:
            raise ValueError("is not an SQLAlchemy URL such as sqlite:///instance/keepsake.db") from error
        if url.get_backend_name() != "sqlite":
            raise ValueError("names a database that is not supported yet; use sqlite:///path/to/keepsake.db")
        if not url.database or url.database == ":memory:":
            raise ValueError("names no file; use sqlite:///path/to/keepsake.db")
        return value

    @model_validator(mode="after")
    def _twilio_is_whole(self) -> Self:
        given = {
            "TWILIO_ACCOUNT_SID": self.twilio_account_sid,
            "TWILIO_AUTH_TOKEN": self.twilio_auth_token,
            "TWILIO_FROM": self.twilio_from,
        }
        missing = [name for name, value in given.items() if not value]
        problems = []
        if missing and len(missing) < len(given):
            problems.append(f"{', '.join(missing)}: missing; Twilio needs all of {', '.join(given)}")
        if bool(self.twilio_api_key) != bool(self.twilio_api_secret):
            problems.append("TWILIO_API_KEY and TWILIO_API_SECRET: give both, or neither")
        if self.burst_max_seconds < self.burst_quiet_seconds:
            problems.append("BURST_MAX_SECONDS: must be at least BURST_QUIET_SECONDS")
        if problems:
            raise ValueError("; ".join(problems))
        return self

    @property
    def has_twilio(self) -> bool:
        return self.twilio_account_sid is not None

    @property
    def is_allowlist(self) -> bool:
        """Whether an unknown number has to wait for the operator."""
        return (self.access or ("allowlist" if self.has_twilio else "open")) == "allowlist"

    @property
    def address(self) -> str:
        """The address that Twilio calls, without a slash at the end."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return self.public_url or f"http://{host}:{self.port}"

    @property
    def database_path(self) -> Path:
        return Path(str(make_url(self.database_url).database))

    @property
    def instance_path(self) -> Path:
        """The folder of what this installation keeps beside the database: its secret key."""
        return Path("instance")


def load_settings(**overrides: object) -> Settings:
    """The settings of this process, from the environment and `.env`.

    Raises:
        SettingsError: names everything that is missing or malformed, in one message.

    """
    try:
        return Settings(**overrides)  # type: ignore[arg-type]
    except ValidationError as error:
        problems = [_problem(str(part["loc"][0]) if part["loc"] else "", part["msg"]) for part in error.errors()]
        raise SettingsError("Settings to mend: " + "; ".join(problems) + ".") from None


def _problem(name: str, message: str) -> str:
    # The value is left out: it may be a secret that was put under the wrong name.
    message = re.sub(r"^Value error, ", "", message)
    if not name:
        return message
    return f"{name.upper()}: {message[0].lower()}{message[1:]}"
