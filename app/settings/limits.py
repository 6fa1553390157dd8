"""Settings of what Keepsake may do: money, turns, episodes, the process; and the groups of all settings."""

from typing import Annotated, Literal

from pydantic import Field, SecretStr

from app.settings.surroundings import Surroundings
from app.settings.validators import (
    MIN_SECRET_KEY_CHARS,
    are_modules,
    are_pairs,
    are_triggers,
    is_address,
    is_long_key,
    is_zone,
    that,
)

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
"""The name of each group, by the setting that it begins with."""

WORKED_OUT = {
    "public_url": "http://HOST:PORT",
    "secret_key": "made once",
    "admin_password": "made once",
    "anthropic_base_url": "the SDK's",
    "access": "allowlist with Twilio, else open",
    "log_format": "text on a terminal, else json",
}
"""The default of those for which it depends on others, in words."""


class Limits(Surroundings):
    """All settings as they are given."""

    daily_budget_cents: int = Field(
        500,
        title="Model spend, in US cents, at which replies stop for the day. Each person is told once, "
        "and what they text is answered when the next day begins. No call is made that could "
        "exceed it. A Claude that has no price in `app/clients/prices.py` counts as the dearest; "
        "every other model as free.",
        ge=0,
        description="a whole number of US cents, 0 or more",
    )
    person_daily_budget_cents: int = Field(
        100, title="The same for one person.", ge=0, description="a whole number of US cents, 0 or more"
    )
    # Anthropic's and Twilio's own bills go by days of UTC.
    budget_timezone: Annotated[str, that(is_zone)] = Field(
        "UTC",
        title="The IANA zone at whose midnight the budgets' day ends.",
        description="an IANA time zone such as America/New_York, at whose midnight the budgets' day ends",
    )
    # One a minute for a whole hour: people write less, and a machine that never tires stays bounded.
    person_replies_per_hour: int = Field(
        60,
        title="How many replies of the model one number gets by Twilio in an hour. Texts beyond it are "
        "kept and answered together, later.",
        ge=1,
        description="a whole number, 1 or more",
    )

    # People send one thought as several texts within a second or two.
    burst_quiet_seconds: float = Field(
        1.5,
        title="How long a person has to be quiet before they are answered: several texts in a row are one thought.",
        ge=0,
        le=30,
        description="a number of seconds from 0 to 30",
    )
    # Nobody waits longer than this because they go on typing.
    burst_max_seconds: float = Field(
        6.0,
        title="The longest wait, in seconds, however much more is typed.",
        ge=0,
        le=60,
        validate_default=True,
        description="a number of seconds from 0 to 60, and no less than BURST_QUIET_SECONDS",
    )
    # After a minute a kind sentence is better than more silence.
    turn_max_seconds: float = Field(
        60.0,
        title="How long one answer may take, in seconds, before a kind sentence is sent instead.",
        gt=0,
        le=300,
        description="a number of seconds above 0, up to 300",
    )
    # 50 texts are seldom more; it bounds what one turn can cost.
    history_max_tokens: int = Field(
        6000,
        title="How much of the conversation the model is shown, in tokens; at most 50 texts.",
        ge=200,
        description="a whole number of tokens, 200 or more",
    )
    # Quiet is the default; with it, what a conversation outgrows its history by becomes an episode at once.
    episode_triggers: Annotated[str, that(are_triggers)] = Field(
        "quiet,compaction",
        title="When a conversation becomes an episode: it went `quiet`, the person ended it in words "
        "(`ended`), after a number of messages (`count`), when it outgrows the history "
        "(`compaction`). Or `none`: then nothing becomes an episode.",
        description="some of quiet, ended, count and compaction, separated by commas, or none",
    )
    # As long as the silence that ends a conversation, which is fixed. With less, what is said before that end has the
    # episode told anew; with more, the text that begins the next conversation makes the one before it due.
    episode_quiet_minutes: float = Field(
        30.0,
        title="How long a conversation has to be silent, in minutes, to be `quiet`. A conversation "
        "always ends after 30 minutes of silence. With less here, what is said before that has "
        "its episode told anew; with more, an episode is made at the latest when the next "
        "conversation begins.",
        gt=0,
        le=1440,
        description="a number of minutes above 0, up to 1440",
    )
    # An hour of chatting; read by the trigger count alone.
    episode_messages: int = Field(
        40,
        title="After how many messages, for the trigger `count`.",
        ge=2,
        le=1000,
        description="a whole number of messages from 2 to 1000",
    )
    # Turns under way at once; each mostly waits for the model.
    workers: int = Field(
        32, title="How many people are answered at once.", ge=1, le=512, description="a whole number from 1 to 512"
    )
    # Most answers are there within it, and service managers kill after 30 to 90 s.
    shutdown_grace_seconds: float = Field(
        20.0,
        title="What the answers under way get at the end, in seconds; what is cut off is taken up at the next start.",
        ge=0,
        le=600,
        description="a number of seconds from 0 to 600",
    )
    hooks: Annotated[str | None, that(are_modules)] = Field(
        None,
        title="Python modules of your own that join each turn, separated by commas: docs/hooks.md.",
        description="names of Python modules, separated by commas, such as my_hooks",
    )
    # Unset: text on a terminal, and JSON lines where a program reads along.
    log_format: Literal["text", "json"] | None = Field(
        None, title="How the log is written: `text`, or `json`, a line each.", description="text or json"
    )
    metrics_token: Annotated[SecretStr | None, that(is_long_key)] = Field(
        None,
        title="The bearer token for `/metrics`, of at least 32 random characters. Without it only the "
        "machine itself may read them, and nobody where `PUBLIC_URL` is a public address.",
        description=f"at least {MIN_SECRET_KEY_CHARS} random characters, or left out to have /metrics read from the "
        "machine itself alone",
    )
    # The standard's own names: what is written for other programs on the machine holds for this one too.
    otel_exporter_otlp_endpoint: Annotated[str | None, that(is_address)] = Field(
        None,
        title="The collector of OpenTelemetry's spans (OTLP over HTTP), such as "
        "`http://127.0.0.1:4318`; `/v1/traces` is added. What a turn took goes there, and "
        "nobody's words: docs/operating.md.",
        description="an address such as http://127.0.0.1:4318, without ? and #, or left out for no spans",
    )
    otel_exporter_otlp_headers: Annotated[SecretStr | None, that(are_pairs)] = Field(
        None,
        title="What that collector is shown with each batch: `name=value`, separated by commas, with "
        "`%20` for a blank.",
        description="name=value for each header, separated by commas, with %20 for a blank, no name twice",
    )
