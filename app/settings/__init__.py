"""The settings of this process: read, checked and completed. Nothing else reads the environment."""

from functools import cached_property
from pathlib import Path
from typing import Any, Literal, Self, get_args, get_origin
from urllib.parse import unquote

from pydantic import (
    ModelWrapValidatorHandler,
    PrivateAttr,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic.fields import FieldInfo
from pydantic_settings import DotEnvSettingsSource, EnvSettingsSource
from sqlalchemy.engine import make_url

from app.errors import SettingsError
from app.settings.defaults import Declared
from app.settings.validators import ToolServer, incomplete, listed, pairs, tool_servers

MADE_AT_FIRST_START = frozenset({"secret_key", "admin_password"})
"""Settings that are generated if they are not given."""

GROUPS = {
    "host": "Where it listens",
    "database_url": "Database and keys",
    "anthropic_api_key": "The model",
    "twilio_account_sid": "Twilio",
    "access": "Who may come in",
    "embeddings": "Search by meaning",
    "weather": "Weather, calendars, the web, tools",
    "daily_budget_cents": "Money",
    "burst_quiet_seconds": "Turns and episodes",
    "workers": "The process",
}
"""The title of each group of settings, by its first setting."""

WORKED_OUT = {
    "public_url": "http://HOST:PORT",
    "secret_key": "made once",
    "admin_password": "made once",
    "anthropic_base_url": "the SDK's",
    "access": "allowlist with Twilio, else open",
    "log_format": "text on a terminal, else json",
}
"""Defaults that depend on other settings, in words."""


class Settings(Declared):
    """The settings of a process, with the values derived from them."""

    _origins: dict[str, str] = PrivateAttr(default_factory=dict)

    @field_validator("burst_max_seconds")
    @classmethod
    def _is_no_less_than_the_quiet(cls, value: float, info: ValidationInfo) -> float:
        if value < info.data.get("burst_quiet_seconds", 0):
            raise ValueError
        return value

    @model_validator(mode="wrap")
    @classmethod
    def _tells_all_problems_at_once(cls, given: Any, build: ModelWrapValidatorHandler[Self]) -> Self:
        problems, settings = incomplete(given), None
        try:
            settings = build(given)
        except ValidationError as error:
            names = dict.fromkeys(str(part["loc"][0]) for part in error.errors())
            # The value is left out: it may be a secret that was put under the wrong name.
            problems = [
                f"{name.upper()}: must be {_must_be(name, cls.model_fields[name])}" for name in names
            ] + problems
        if settings is None or problems:
            told = ";\n  ".join(problems)
            raise SettingsError(f"Settings to mend: {told}. They are read from the environment and .env.")
        settings._origins = _origins(cls, given)  # noqa: SLF001  (a validator of the class itself)
        return settings

    def origin(self, name: str) -> str:
        """The source of the setting `name` when this process read it, in words for the operator."""
        return self._origins.get(name) or ("made at the first start" if name in MADE_AT_FIRST_START else "default")

    @property
    def model_key(self) -> str | None:
        """The API key for the server that writes replies; `none` if only that server is set, None if neither is."""
        if self.anthropic_api_key is not None:
            return self.anthropic_api_key.get_secret_value()
        return "none" if self.anthropic_base_url else None

    @property
    def small_model(self) -> str:
        """The model for background work: Claude's small one, or on another server the one that writes replies."""
        follows = "claude_small_model" not in self.model_fields_set and not self.claude_model.startswith("claude-")
        return self.claude_model if follows else self.claude_small_model

    @property
    def has_twilio(self) -> bool:
        return self.twilio_account_sid is not None

    @cached_property
    def signing_tokens(self) -> tuple[str, ...]:
        """The auth tokens that a webhook may be signed with, the current one first."""
        given = [self.twilio_auth_token, self.twilio_old_auth_tokens]
        return tuple(word for secret in given if secret for word in listed(secret.get_secret_value()))

    @cached_property
    def shared_keys(self) -> dict[str, str]:
        """The secret of each of Twilio's shared keys, by its id."""
        given = self.twilio_shared_keys
        return pairs(given.get_secret_value()) if given else {}

    @cached_property
    def otlp_headers(self) -> dict[str, str]:
        """Headers for the collector of spans, by name."""
        given = self.otel_exporter_otlp_headers
        found = pairs(given.get_secret_value()) if given else {}
        return {unquote(name): unquote(value) for name, value in found.items()}

    @cached_property
    def tool_servers(self) -> tuple[ToolServer, ...]:
        return tool_servers(self.mcp_servers.get_secret_value()) if self.mcp_servers else ()

    @property
    def secrets(self) -> tuple[str, ...]:
        """Every word that must never be seen, above all in a log."""
        given = [getattr(self, name) for name in type(self).model_fields]
        whole = [value.get_secret_value() for value in given if isinstance(value, SecretStr)]
        tokens = [server.token for server in self.tool_servers if server.token]
        parts = [*self.shared_keys.values(), *self.otlp_headers.values(), *tokens]
        password = make_url(self.database_url).password
        return tuple(dict.fromkeys([*whole, *self.signing_tokens, *parts, *([password] if password else [])]))

    @property
    def is_allowlist(self) -> bool:
        """True if an unknown number has to wait for the operator."""
        return (self.access or ("allowlist" if self.has_twilio else "open")) == "allowlist"

    @property
    def address(self) -> str:
        """The address that Twilio calls, without a slash at the end."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return self.public_url or f"http://{host}:{self.port}"

    @property
    def is_sqlite(self) -> bool:
        return make_url(self.database_url).get_backend_name() == "sqlite"

    @property
    def database_path(self) -> Path:
        """The database's file; for SQLite only."""
        return Path(str(make_url(self.database_url).database))

    @property
    def beside_database(self) -> Path:
        """The path that this machine's process files are named after."""
        return self.database_path if self.is_sqlite else self.instance_path / "keepsake"

    @property
    def instance_path(self) -> Path:
        """The folder for files kept outside the database, such as the secret key."""
        return Path("instance")


def load_settings(**overrides: object) -> Settings:
    """The settings of this process, from the environment and `.env`.

    Raises:
        SettingsError: names everything that is missing or malformed, in one message.
    """
    try:
        return Settings(**overrides)  # type: ignore[arg-type]
    except UnicodeDecodeError:
        raise SettingsError("Settings to mend: .env is not UTF-8. Save it as UTF-8.") from None
    except OSError as error:
        raise SettingsError(f"Settings to mend: .env: {error.strerror}. Mend its owner or mode.") from None


def _origins(settings: type[Settings], given: dict[str, object]) -> dict[str, str]:
    """The source of each given setting."""
    sources = {"environment": EnvSettingsSource(settings)(), ".env": DotEnvSettingsSource(settings)()}
    return {
        name: next((source for source, found in sources.items() if found.get(name) == value), "command line")
        for name, value in given.items()
        if name in settings.model_fields
    }


def _must_be(name: str, field: FieldInfo) -> str:
    """The values that a setting takes, in words: its description, or else its choices or limits."""
    if field.description:
        return field.description
    kinds = (field.annotation, *get_args(field.annotation))
    if choices := [choice for kind in kinds if get_origin(kind) is Literal for choice in get_args(kind)]:
        return f"{', '.join(choices[:-1])} or {choices[-1]}"
    unit = {"cents": "US cents"}.get(name.rpartition("_")[2], name.rpartition("_")[2])
    kind = "a whole number" if field.annotation is int else "a number"
    of_what = f"{kind} of {unit}" if unit in {"US cents", "messages", "minutes", "seconds", "tokens"} else kind
    ends = {end: getattr(rule, end) for rule in field.metadata for end in ("ge", "gt", "le") if hasattr(rule, end)}
    if "le" not in ends:
        return f"{of_what}, {ends['ge']} or more"
    return (
        f"{of_what} from {ends['ge']} to {ends['le']}"
        if "ge" in ends
        else f"{of_what} above {ends['gt']}, up to {ends['le']}"
    )
