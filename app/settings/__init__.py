"""Every setting, its unit and the reason for its default. The only reader of the environment."""

from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import unquote

from pydantic import (
    Field,
    ModelWrapValidatorHandler,
    PrivateAttr,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_settings import BaseSettings, DotEnvSettingsSource, EnvSettingsSource, SettingsConfigDict
from sqlalchemy.engine import make_url

from app.errors import SettingsError
from app.settings.values import (
    MIN_DIFFERENT_CHARS,
    MIN_PASSWORD_CHARS,
    MIN_SECRET_KEY_CHARS,
    ToolServer,
    are_modules,
    are_pairs,
    are_tool_servers,
    are_triggers,
    are_words,
    incomplete,
    is_address,
    is_guessable,
    is_long_key,
    is_sqlite_file,
    is_word,
    is_zone,
    listed,
    pairs,
    that,
    tool_servers,
)

MADE_AT_FIRST_START = frozenset({"secret_key", "admin_password"})
"""What is made where it is not given."""


class Settings(BaseSettings):
    """What the operator decides. Names are those of the environment, in lower case.

    A description completes the sentence "NAME: must be …", which is all that is said of a value that will not do.
    """

    model_config = SettingsConfigDict(
        env_file=".env", env_file_encoding="utf-8", env_ignore_empty=True, extra="ignore", frozen=True
    )

    # Loopback, so that nothing is open to a network before the operator says so.
    host: str = Field(
        "127.0.0.1",
        pattern=r"^([\w.-]+|[0-9A-Fa-f.]*:[0-9A-Fa-f.]*:[\w.:%]*)$",
        description="a name or an IP address without a port, such as 127.0.0.1",
    )
    port: int = Field(8080, ge=1, le=65535, description="a whole number from 1 to 65535")
    # Empty means http://HOST:PORT, which is right until Twilio calls.
    public_url: Annotated[str, that(is_address)] = Field(
        "", description="an address such as https://keepsake.example.org, without ? and #"
    )

    database_url: Annotated[str, that(is_sqlite_file)] = Field(
        "sqlite:///instance/keepsake.db",
        description="sqlite:///path/to/keepsake.db, a file on a local disk (no other database is supported yet)",
    )
    database_key: Annotated[SecretStr | None, that(lambda key: bool(key.strip()))] = Field(
        None, description="more than blanks, or left out for a database that is not encrypted"
    )
    # Made once into instance/ when it is not given.
    secret_key: Annotated[SecretStr | None, that(is_long_key)] = Field(
        None, description=f"at least {MIN_SECRET_KEY_CHARS} random characters, or left out to have one made"
    )

    anthropic_api_key: Annotated[SecretStr | None, that(is_word)] = Field(
        None, description="one word of plain letters, digits and marks, as Anthropic's console shows it"
    )
    anthropic_base_url: Annotated[str | None, that(is_address)] = Field(
        None, description="an address such as https://gateway.example.org, without ? and #, or left out for Anthropic's"
    )
    claude_model: str = Field(
        "claude-sonnet-5-5", pattern=r"^\S+$", description="the name of a model, such as claude-sonnet-5-5"
    )
    # A text of a few sentences needs no long thought, and whoever waits for it would rather have it soon.
    claude_effort: Literal["low", "medium", "high", "xhigh", "max"] = Field(
        "low", description="low, medium, high, xhigh or max"
    )
    # None: what the second costs, and how it speaks, is the operator's to choose.
    claude_fallback_model: str | None = Field(
        None, pattern=r"^\S+$", description="the name of a model, such as claude-haiku-5-5, or left out for none"
    )
    claude_small_model: str = Field(
        "claude-haiku-5-5", pattern=r"^\S+$", description="the name of a model, such as claude-haiku-5-5"
    )

    twilio_account_sid: str | None = Field(
        None,
        pattern=r"^AC[0-9a-zA-Z]{32}$",
        description="AC and 32 letters or digits, as Twilio's console shows it",
    )
    twilio_auth_token: Annotated[SecretStr | None, that(is_word)] = Field(
        None, description="one word of plain letters, digits and marks, as Twilio's console shows it"
    )
    # Twilio signs with the primary token alone: one that was just replaced may still be on its way in.
    twilio_old_auth_tokens: Annotated[SecretStr | None, that(are_words)] = Field(
        None, description="the tokens that were replaced, separated by commas, each as Twilio's console showed it"
    )
    twilio_shared_keys: Annotated[SecretStr | None, that(are_pairs)] = Field(
        None, description="id=secret for each of Twilio's shared keys, separated by commas, no id twice"
    )
    twilio_from: str | None = Field(
        None,
        pattern=r"^(\+[1-9]\d{6,14}|MG[0-9a-zA-Z]{32}|whatsapp:\+[1-9]\d{6,14}|\d{5,6}|rcs:[\w.-]{1,100}|messenger:\d{1,50})$",
        description="a number such as +12065550100 or whatsapp:+12065550100, a short code of 5 or 6 digits, rcs: and "
        "the name of an RCS sender, messenger: and the number of a page, or a Messaging Service: MG and 32 letters or "
        "digits",
    )
    twilio_api_key: str | None = Field(
        None,
        pattern=r"^SK[0-9a-zA-Z]{32}$",
        description="SK and 32 letters or digits, as Twilio's console shows it",
    )
    twilio_api_secret: Annotated[SecretStr | None, that(is_word)] = Field(
        None, description="one word of plain letters, digits and marks, as Twilio showed it when the key was made"
    )
    twilio_api_url: Annotated[str, that(is_address)] = Field(
        "https://api.twilio.com", description="an address such as https://api.twilio.com, without ? and #"
    )
    # A US long code sends about one segment each second, and so may any number of which no more is known (Twilio's
    # errors 30001 and 21611 tell of faster ones); a toll-free number three, a short code 10 to 100.
    twilio_segments_per_second: float = Field(
        1.0, ge=0, le=1000, description="a number from 0 to 1000, where 0 means as fast as they come"
    )
    # A US long code's segment in 2026, the carrier's fee not counted (twilio.com/en-us/sms/pricing/us).
    sms_segment_cents: float = Field(0.83, ge=0, le=1000, description="a number of US cents from 0 to 1000")
    # Three times what Twilio gets to answer in, so that only a process that was paused or killed outlasts it.
    send_lease_seconds: float = Field(30.0, gt=0, le=600, description="a number of seconds above 0, up to 600")

    # Unset: allowlist with Twilio, open on the phone page.
    access: Literal["open", "allowlist"] | None = Field(None, description="open or allowlist")
    admin_password: Annotated[SecretStr | None, that(lambda password: not is_guessable(password))] = Field(
        None,
        description=f"at least {MIN_PASSWORD_CHARS} characters, {MIN_DIFFERENT_CHARS} of them different, and none of "
        "the passwords that everybody tries first, or left out to have one made",
    )
    embeddings: Literal["local", "ollama", "openai", "voyage", "sentence-transformers", "none"] = Field(
        "local", description="local, ollama, openai, voyage, sentence-transformers or none"
    )
    # None: each provider has a usual one, and local has one alone.
    embedding_model: str | None = Field(
        None,
        pattern=r"^\S+$",
        description="the name of a model, such as nomic-embed-text, or left out for the usual one",
    )
    embedding_dimension: int | None = Field(
        None, ge=1, le=8192, description="a whole number from 1 to 8192, or left out for as many as the model makes"
    )
    # Ollama's own name for it and where it listens; it takes it without http:// too.
    ollama_host: Annotated[str, that(lambda host: is_address(host if "://" in host else f"http://{host}"))] = Field(
        "http://127.0.0.1:11434", description="an address such as http://127.0.0.1:11434, without ? and #"
    )
    openai_api_key: Annotated[SecretStr | None, that(is_word)] = Field(
        None, description="one word of plain letters, digits and marks, as OpenAI's console shows it"
    )
    openai_base_url: Annotated[str | None, that(is_address)] = Field(
        None, description="an address such as http://127.0.0.1:8000/v1, without ? and #, or left out for OpenAI's"
    )
    voyage_api_key: Annotated[SecretStr | None, that(is_word)] = Field(
        None, description="one word of plain letters, digits and marks, as Voyage's dashboard shows it"
    )
    voyage_base_url: Annotated[str | None, that(is_address)] = Field(
        None, description="an address such as https://ai.mongodb.com/v1, without ? and #, or left out for Voyage's"
    )
    weather: Literal["open-meteo", "none"] = Field("open-meteo", description="open-meteo or none")
    # None: Open-Meteo's own two hosts.
    weather_url: Annotated[str | None, that(is_address)] = Field(
        None, description="an address such as http://127.0.0.1:8080, without ? and #, or left out for Open-Meteo's"
    )
    # None: people choose these addresses, so what is in the operator's own network has to be named by the operator.
    calendar_origins: Annotated[str | None, that(lambda value: all(is_address(one) for one in listed(value)))] = Field(
        None,
        description="addresses such as https://nextcloud.lan, separated by commas, or left out for the internet alone",
    )
    # Off: each search costs a cent and the reading of what it finds, and pages are anybody's words.
    web_search: Literal["claude", "none"] = Field("none", description="claude or none")
    # Enough for one question; what is found is paid for as input.
    web_searches_per_turn: int = Field(3, ge=1, le=10, description="a whole number from 1 to 10")
    # The addresses are the operator's, so they may be in their own network.
    mcp_servers: Annotated[SecretStr | None, that(are_tool_servers)] = Field(
        None,
        description='a JSON list such as [{"name": "home", "url": "http://127.0.0.1:8123/mcp", "token": "…", '
        '"writing": ["turn_on"]}], each with a name of up to 20 small letters and digits, or left out for none',
    )
    daily_budget_cents: int = Field(500, ge=0, description="a whole number of US cents, 0 or more")
    person_daily_budget_cents: int = Field(100, ge=0, description="a whole number of US cents, 0 or more")
    # Anthropic's and Twilio's own bills go by days of UTC.
    budget_timezone: Annotated[str, that(is_zone)] = Field(
        "UTC", description="an IANA time zone such as America/New_York, at whose midnight the budgets' day ends"
    )
    # One a minute for a whole hour: people write less, and a machine that never tires stays bounded.
    person_replies_per_hour: int = Field(60, ge=1, description="a whole number, 1 or more")

    # People send one thought as several texts within a second or two.
    burst_quiet_seconds: float = Field(1.5, ge=0, le=30, description="a number of seconds from 0 to 30")
    # Nobody waits longer than this because they go on typing.
    burst_max_seconds: float = Field(
        6.0,
        ge=0,
        le=60,
        validate_default=True,
        description="a number of seconds from 0 to 60, and no less than BURST_QUIET_SECONDS",
    )
    # After a minute a kind sentence is better than more silence.
    turn_max_seconds: float = Field(60.0, gt=0, le=300, description="a number of seconds above 0, up to 300")
    # 50 texts are seldom more; it bounds what one turn can cost.
    history_max_tokens: int = Field(6000, ge=200, description="a whole number of tokens, 200 or more")
    # Quiet is the default; with it, what a conversation outgrows its history by becomes an episode at once.
    episode_triggers: Annotated[str, that(are_triggers)] = Field(
        "quiet,compaction", description="some of quiet, ended, count and compaction, separated by commas, or none"
    )
    # As long as the silence that ends a conversation, which is fixed. With less, what is said before that end has the
    # episode told anew; with more, the text that begins the next conversation makes the one before it due.
    episode_quiet_minutes: float = Field(30.0, gt=0, le=1440, description="a number of minutes above 0, up to 1440")
    # An hour of chatting; read by the trigger count alone.
    episode_messages: int = Field(40, ge=2, le=1000, description="a whole number of messages from 2 to 1000")
    # Turns under way at once; each mostly waits for the model.
    workers: int = Field(32, ge=1, le=512, description="a whole number from 1 to 512")
    # Most answers are there within it, and service managers kill after 30 to 90 s.
    shutdown_grace_seconds: float = Field(20.0, ge=0, le=600, description="a number of seconds from 0 to 600")
    hooks: Annotated[str | None, that(are_modules)] = Field(
        None, description="names of Python modules, separated by commas, such as my_hooks"
    )
    # Unset: text on a terminal, and JSON lines where a program reads along.
    log_format: Literal["text", "json"] | None = Field(None, description="text or json")
    metrics_token: Annotated[SecretStr | None, that(is_long_key)] = Field(
        None,
        description=f"at least {MIN_SECRET_KEY_CHARS} random characters, or left out to have /metrics read from the "
        "machine itself alone",
    )
    # The standard's own names: what is written for other programs on the machine holds for this one too.
    otel_exporter_otlp_endpoint: Annotated[str | None, that(is_address)] = Field(
        None, description="an address such as http://127.0.0.1:4318, without ? and #, or left out for no spans"
    )
    otel_exporter_otlp_headers: Annotated[SecretStr | None, that(are_pairs)] = Field(
        None, description="name=value for each header, separated by commas, with %20 for a blank, no name twice"
    )

    _origins: dict[str, str] = PrivateAttr(default_factory=dict)

    @field_validator(
        "public_url",
        "twilio_api_url",
        "anthropic_base_url",
        "ollama_host",
        "openai_base_url",
        "voyage_base_url",
        "weather_url",
        "otel_exporter_otlp_endpoint",
    )
    @classmethod
    def _without_a_slash_at_the_end(cls, value: str | None) -> str | None:
        return value and value.rstrip("/")

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
            problems = [f"{name.upper()}: must be {cls.model_fields[name].description}" for name in names] + problems
        if settings is None or problems:
            raise SettingsError(
                f"Settings to mend: {'; '.join(problems)}. They are read from the environment and .env."
            )
        settings._origins = _origins(cls, given)  # noqa: SLF001  (a validator of the class itself)
        return settings

    def origin(self, name: str) -> str:
        """Where a setting came from when this process read it, as the operator would say it; by the field's name."""
        return self._origins.get(name) or ("made at the first start" if name in MADE_AT_FIRST_START else "default")

    @property
    def model_key(self) -> str | None:
        """What is shown to the server that writes replies; None where there is none. One's own may need no key."""
        if self.anthropic_api_key is not None:
            return self.anthropic_api_key.get_secret_value()
        return "none" if self.anthropic_base_url else None

    @property
    def small_model(self) -> str:
        """What works in the background. A server of one's own seldom has Claude's small one: there it is the same."""
        follows = "claude_small_model" not in self.model_fields_set and not self.claude_model.startswith("claude-")
        return self.claude_model if follows else self.claude_small_model

    @property
    def has_twilio(self) -> bool:
        return self.twilio_account_sid is not None

    @cached_property
    def signing_tokens(self) -> tuple[str, ...]:
        """The auth tokens that a webhook may be signed with, the one in use first."""
        given = [self.twilio_auth_token, self.twilio_old_auth_tokens]
        return tuple(word for secret in given if secret for word in listed(secret.get_secret_value()))

    @cached_property
    def shared_keys(self) -> dict[str, str]:
        """The secret of each of Twilio's shared keys, by its id."""
        given = self.twilio_shared_keys
        return pairs(given.get_secret_value()) if given else {}

    @cached_property
    def otlp_headers(self) -> dict[str, str]:
        """What the collector of spans is shown, by the name of the header."""
        given = self.otel_exporter_otlp_headers
        found = pairs(given.get_secret_value()) if given else {}
        return {unquote(name): unquote(value) for name, value in found.items()}

    @property
    def own_calendar_origins(self) -> tuple[str, ...]:
        """Where calendars may be read in the operator's own network."""
        return tuple(listed(self.calendar_origins)) if self.calendar_origins else ()

    @cached_property
    def tool_servers(self) -> tuple[ToolServer, ...]:
        """The servers whose tools are offered to the model."""
        return tool_servers(self.mcp_servers.get_secret_value()) if self.mcp_servers else ()

    @property
    def secrets(self) -> tuple[str, ...]:
        """Every word that must never be seen, in a log above all."""
        given = [getattr(self, name) for name in type(self).model_fields]
        whole = [value.get_secret_value() for value in given if isinstance(value, SecretStr)]
        tokens = [server.token for server in self.tool_servers if server.token]
        parts = [*self.shared_keys.values(), *self.otlp_headers.values(), *tokens]
        return tuple(dict.fromkeys([*whole, *self.signing_tokens, *parts]))

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
    except UnicodeDecodeError:
        raise SettingsError("Settings to mend: .env is not UTF-8. Save it as UTF-8.") from None


def _origins(settings: type[Settings], given: dict[str, object]) -> dict[str, str]:
    """Where each setting that was given came from."""
    sources = {"environment": EnvSettingsSource(settings)(), ".env": DotEnvSettingsSource(settings)()}
    return {
        name: next((source for source, found in sources.items() if found.get(name) == value), "command line")
        for name, value in given.items()
        if name in settings.model_fields
    }
