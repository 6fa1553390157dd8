"""Every setting with its default, its unit and its reason: the operator's decisions."""

from typing import Annotated, Literal

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from app.settings.validators import (
    MIN_DIFFERENT_CHARS,
    MIN_PASSWORD_CHARS,
    MIN_SECRET_KEY_CHARS,
    Address,
    LongKey,
    Name,
    Word,
    are_modules,
    are_pairs,
    are_triggers,
    are_words,
    is_address,
    is_database,
    is_guessable,
    is_zone,
    listed,
    that,
    tool_servers,
    without_slash,
)

QUIET_HOURS = "22:00-07:00"
"""Hours in which nobody is texted unasked, unless a person has set others; they do so in a text."""


class Declared(BaseSettings):
    """Everything that the operator decides. Names are those of the environment, in lower case.

    The title explains a setting in the documents. The description completes the sentence "NAME: must be …", which is
    all that is said about a wrong value; without one, the sentence names the type and limits. A comment gives the
    reason for a default.
    """

    model_config = SettingsConfigDict(
        env_file=".env", env_file_encoding="utf-8", env_ignore_empty=True, extra="ignore", frozen=True
    )

    # Loopback, so that nothing is open to a network before the operator says so.
    host: str = Field(
        "127.0.0.1",
        title="The address to listen on. Loopback: open to nobody else until you say so.",
        pattern=r"^([\w.-]+|[0-9A-Fa-f.]*:[0-9A-Fa-f.]*:[\w.:%]*)$",
        description="a name or an IP address without a port, such as 127.0.0.1",
    )
    port: int = Field(8080, title="The port to listen on.", ge=1, le=65535)
    # Empty means http://HOST:PORT, which is right until Twilio calls.
    public_url: Address = Field(
        "",
        title="The address that Twilio calls; signatures are checked against it, never against request headers.",
        description="an address such as https://keepsake.example.org, without ? and #",
    )

    database_url: Annotated[str, that(is_database)] = Field(
        "sqlite:///instance/keepsake.db",
        repr=False,  # It may hold a password.
        title="The database, as an SQLAlchemy URL: an SQLite file on a local disk, or a PostgreSQL server.",
        description="sqlite:///path/to/keepsake.db, a file on a local disk, or "
        "postgresql+psycopg://user:password@host/name",
    )
    database_key: Annotated[SecretStr | None, that(lambda key: bool(key.strip()))] = Field(
        None,
        title="Encrypts a new database file (SQLCipher). Without it the file cannot be opened again: keep it apart "
        "from the backups.",
        description="more than blanks, or left out for a database that is not encrypted",
    )
    # Generated once, in instance/, if it is not given.
    secret_key: LongKey = Field(
        None,
        title="Signs what browsers hold. Made at the first start into `instance/`, mode 0600. One that you give has at "
        "least 32 random characters.",
        description=f"at least {MIN_SECRET_KEY_CHARS} random characters, or left out to have one made",
    )

    anthropic_api_key: Word = Field(
        None,
        title="With it replies come from Claude; without it from the offline model.",
        description="one word of plain letters, digits and marks, as Anthropic's console shows it",
    )
    anthropic_base_url: Address | None = Field(
        None,
        title="Another server that speaks `/v1/messages`; it may need no key. The host in force is logged at the "
        "start.",
        description="an address such as https://gateway.example.org, without ? and #, or left out for Anthropic's",
    )
    claude_model: Name = Field(
        "claude-sonnet-5-5",
        title="The model that writes the replies.",
        description="the name of a model, such as claude-sonnet-5-5",
    )
    # A text of a few sentences needs no long thought, and the person waits for it.
    claude_effort: Literal["low", "medium", "high", "xhigh", "max"] = Field(
        "low",
        title="How hard the model thinks before a reply: `low`, `medium`, `high`, `xhigh` or `max`. More takes longer "
        "and costs more.",
    )
    # None: the operator decides about the cost and style of a second model.
    claude_fallback_model: Name | None = Field(
        None,
        title="The model that writes the replies while `CLAUDE_MODEL` is down.",
        description="the name of a model, such as claude-haiku-5-5, or left out for none",
    )
    claude_small_model: Name = Field(
        "claude-haiku-5-5",
        title="The model for background work: it writes the episodes. If `CLAUDE_MODEL` is not Anthropic's, the"
        " default is that one.",
        description="the name of a model, such as claude-haiku-5-5",
    )

    twilio_account_sid: str | None = Field(
        None,
        title="The account, `AC…`. With it, the token and the sender, texts go through Twilio.",
        pattern=r"^AC[0-9a-zA-Z]{32}$",
        description="AC and 32 letters or digits, as Twilio's console shows it",
    )
    twilio_auth_token: Word = Field(
        None,
        title="Checks the signature of every webhook, and sends texts if there is no API key.",
        description="one word of plain letters, digits and marks, as Twilio's console shows it",
    )
    # Twilio signs with the primary token only: a request signed with one just replaced may still be on its way.
    twilio_old_auth_tokens: Annotated[SecretStr | None, that(are_words)] = Field(
        None,
        title="Tokens that were replaced, separated by commas: signatures made with them still pass. Remove "
        "them a day after the change.",
        description="the tokens that were replaced, separated by commas, each as Twilio's console showed it",
    )
    twilio_shared_keys: Annotated[SecretStr | None, that(are_pairs)] = Field(
        None,
        title="Twilio's shared keys, `id=secret`, separated by commas: webhooks signed with one of them pass, too.",
        description="id=secret for each of Twilio's shared keys, separated by commas, no id twice",
    )
    twilio_from: str | None = Field(
        None,
        title="The sender: `+1…`, `whatsapp:+1…`, `rcs:agent`, `messenger:page`, a short code, or `MG…` for a "
        "Messaging Service.",
        pattern=r"^(\+[1-9]\d{6,14}|MG[0-9a-zA-Z]{32}|whatsapp:\+[1-9]\d{6,14}|\d{5,6}|rcs:[\w.-]{1,100}|messenger:\d{1,50})$",
        description="a number such as +12065550100 or whatsapp:+12065550100, a short code of 5 or 6 digits, rcs: and "
        "the name of an RCS sender, messenger: and the number of a page, or a Messaging Service: MG and 32 letters or "
        "digits",
    )
    twilio_api_key: str | None = Field(
        None,
        title="An API key, `SK…`, to send with.",
        pattern=r"^SK[0-9a-zA-Z]{32}$",
        description="SK and 32 letters or digits, as Twilio's console shows it",
    )
    twilio_api_secret: Word = Field(
        None,
        title="The API key's secret.",
        description="one word of plain letters, digits and marks, as Twilio showed it when the key was made",
    )
    twilio_api_url: Address = Field(
        "https://api.twilio.com",
        title="The address of Twilio's REST API.",
        description="an address such as https://api.twilio.com, without ? and #",
    )
    # A US long code sends about one segment a second, so this is assumed of unknown numbers (Twilio's errors 30001 and
    # 21611 report too fast a rate); a toll-free number sends three, a short code 10 to 100.
    twilio_segments_per_second: float = Field(
        1.0,
        title="Segments that the sender may send a second: 1 for a US long code, 3 for a toll-free number, 10 "
        "to 100 for a short code. Further texts wait their turn, replies before routines. `0`: no limit.",
        ge=0,
        le=1000,
        description="a number from 0 to 1000, where 0 means as fast as they come",
    )
    # A US long code's segment in 2026, without the carrier's fee (twilio.com/en-us/sms/pricing/us).
    sms_segment_cents: float = Field(
        0.83, title="Price of a segment, in US cents, until Twilio reports the real one.", ge=0, le=1000
    )
    # Three times Twilio's time to answer, so that only a process that was paused or killed exceeds it.
    send_lease_seconds: float = Field(
        30.0, title="Seconds that a text may take to reach the carrier before it counts as interrupted.", gt=0, le=600
    )

    # Unset: allowlist with Twilio, open on the phone page.
    access: Literal["open", "allowlist"] | None = Field(
        None,
        title="Who may text: `open`, or `allowlist`, where an unknown number gets one reply and waits for the "
        "operator.",
    )
    admin_password: Annotated[SecretStr | None, that(lambda password: not is_guessable(password))] = Field(
        None,
        title="The operator's password, of at least 10 characters. Without it a one-time password is printed at the "
        "first start.",
        description=f"at least {MIN_PASSWORD_CHARS} characters, {MIN_DIFFERENT_CHARS} of them different, and none of "
        "the passwords that everybody tries first, or left out to have one made",
    )
    embeddings: Literal["local", "ollama", "openai", "voyage", "sentence-transformers", "none"] = Field(
        "local",
        title="The embedder for search by meaning: `local` (all-MiniLM-L6-v2 in this process, nothing leaves "
        "the machine), `ollama`, `openai`, `voyage`, `sentence-transformers` (a package that you install "
        "yourself), or `none`. Without vectors memory is searched by words alone.",
    )
    # None: each provider has a usual one, and local has only one.
    embedding_model: Name | None = Field(
        None,
        title="The provider's model. Left out: `nomic-embed-text` of Ollama, `text-embedding-3-small` of "
        "OpenAI, `voyage-4` of Voyage, `all-MiniLM-L6-v2` of sentence-transformers. `local` has only one "
        "model: with it, and with `none`, this is ignored, and `keepsake doctor` says so.",
        description="the name of a model, such as nomic-embed-text, or left out for the usual one",
    )
    embedding_dimension: int | None = Field(
        None,
        title="Numbers in a vector, for models that can be asked for fewer; ignored where `EMBEDDING_MODEL` is."
        " Vectors of different models or lengths are never compared.",
        ge=1,
        le=8192,
        description="a whole number from 1 to 8192, or left out for as many as the model makes",
    )
    # Ollama's own name for its address, which may lack http://.
    ollama_host: Annotated[
        str, that(lambda host: is_address(host if "://" in host else f"http://{host}")), without_slash
    ] = Field(
        "http://127.0.0.1:11434",
        title="The address of Ollama, in any form that Ollama itself takes.",
        description="an address such as http://127.0.0.1:11434, without ? and #",
    )
    openai_api_key: Word = Field(
        None,
        title="OpenAI's key, for `EMBEDDINGS=openai`.",
        description="one word of plain letters, digits and marks, as OpenAI's console shows it",
    )
    openai_base_url: Address | None = Field(
        None,
        title="Another server that speaks OpenAI's `/v1/embeddings`; it may need no key.",
        description="an address such as http://127.0.0.1:8000/v1, without ? and #, or left out for OpenAI's",
    )
    voyage_api_key: Word = Field(
        None,
        title="Voyage's key, for `EMBEDDINGS=voyage`.",
        description="one word of plain letters, digits and marks, as Voyage's dashboard shows it",
    )
    voyage_base_url: Address | None = Field(
        None,
        title="Another address of Voyage's API, such as MongoDB's.",
        description="an address such as https://ai.mongodb.com/v1, without ? and #, or left out for Voyage's",
    )
    weather: Literal["open-meteo", "none"] = Field(
        "open-meteo",
        title="The weather service: `open-meteo` (no key; free for private use, 10,000 questions a day; it "
        "learns the town, never who asks), or `none`.",
    )
    # None: Open-Meteo's own two hosts.
    weather_url: Address | None = Field(
        None,
        title="Another server that speaks as Open-Meteo's two, such as your own.",
        description="an address such as http://127.0.0.1:8080, without ? and #, or left out for Open-Meteo's",
    )
    # None: people choose these addresses, so only the operator can allow one in the operator's own network.
    calendar_origins: Annotated[str | None, that(lambda value: all(is_address(one) for one in listed(value)))] = Field(
        None,
        title="Servers in your own network that may hold people's calendars, separated by commas, such as "
        "`https://nextcloud.lan`. All other calendars need a public https address.",
        description="addresses such as https://nextcloud.lan, separated by commas, or left out for the internet alone",
    )
    # Off: each search costs a cent, its results are paid for as input, and anybody may have written the pages.
    web_search: Literal["claude", "none"] = Field(
        "none",
        title="The web search: `claude` (its own tool, within its answer), or `none`. Each search costs a cent "
        "plus the tokens of its results, and has to be allowed in Anthropic's console too. Servers other "
        "than Anthropic's may not offer it.",
    )
    # Enough for one question; results are paid for as input.
    web_searches_per_turn: int = Field(3, title="The most searches for one answer.", ge=1, le=10)
    # The addresses are the operator's, so they may be in their own network.
    mcp_servers: Annotated[SecretStr | None, that(lambda value: tool_servers(value) is not None)] = Field(
        None,
        title="Servers whose tools the model may call, by MCP over streamable HTTP: a JSON list in one line, such as "
        '`[{"name": "home", "url": "http://127.0.0.1:8123/mcp", "token": "…", "writing": '
        '["turn_on"]}]`. `writing` names the tools that change something; routines use only the others. They are '
        "offered to everyone who texts.",
        description='a JSON list such as [{"name": "home", "url": "http://127.0.0.1:8123/mcp", "token": "…", '
        '"writing": ["turn_on"]}], each with a name of up to 20 small letters and digits, or left out for none',
    )

    daily_budget_cents: int = Field(
        500,
        title="Model spend, in US cents, at which replies stop for the day. Each person is told once, and what they "
        "text is answered when the next day begins. No call is made that could exceed it. A Claude that has no price "
        "in `app/clients/prices.py` counts as the dearest; every other model as free.",
        ge=0,
    )
    person_daily_budget_cents: int = Field(100, title="The same for one person.", ge=0)
    # Anthropic and Twilio also bill by days in UTC.
    budget_timezone: Annotated[str, that(is_zone)] = Field(
        "UTC",
        title="The IANA zone at whose midnight the budgets' day ends.",
        description="an IANA time zone such as America/New_York, at whose midnight the budgets' day ends",
    )
    # One a minute for an hour: people write less, and a machine that never tires is held to it.
    person_replies_per_hour: int = Field(
        60,
        title="Replies of the model that one number gets through Twilio in an hour. Further texts are kept and "
        "answered together later.",
        ge=1,
    )

    # People send one thought as several texts within a second or two.
    burst_quiet_seconds: float = Field(
        1.5,
        title="Seconds of quiet before a person is answered, since several texts in a row are one thought.",
        ge=0,
        le=30,
    )
    # A person who goes on typing is answered after this long.
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
        60.0, title="Seconds that one answer may take; then a kind sentence is sent instead.", gt=0, le=300
    )
    # 50 texts rarely have more; it bounds the cost of one turn.
    history_max_tokens: int = Field(
        6000, title="Tokens of the conversation that the model is shown; at most 50 texts.", ge=200
    )
    # Quiet is the default; compaction turns whatever outgrows the history into an episode at once.
    episode_triggers: Annotated[str, that(are_triggers)] = Field(
        "quiet,compaction",
        title="Reasons to make an episode of a conversation: it went `quiet`, the person ended it in words "
        "(`ended`), it reached a number of messages (`count`), or it outgrew the history (`compaction`). "
        "`none`: no episodes are made.",
        description="some of quiet, ended, count and compaction, separated by commas, or none",
    )
    # As long as the fixed silence that ends a conversation. If it were shorter, words said before that end would have
    # the episode rewritten; if longer, the first text of the next conversation would make the earlier one due.
    episode_quiet_minutes: float = Field(
        30.0,
        title="Minutes of silence after which a conversation is `quiet`. A conversation always ends after 30 "
        "minutes of silence. With less here, texts that follow before that have the episode retold; with "
        "more, the episode is made at the latest when the next conversation begins.",
        gt=0,
        le=1440,
    )
    # An hour of chatting; used by the trigger count only.
    episode_messages: int = Field(40, title="Number of messages for the trigger `count`.", ge=2, le=1000)
    # Turns under way at once; each mostly waits for the model.
    workers: int = Field(32, title="People who are answered at the same time.", ge=1, le=512)
    # Most answers finish within it, and service managers kill after 30 to 90 s.
    shutdown_grace_seconds: float = Field(
        20.0,
        title="Seconds that answers under way get at shutdown; an answer that is cut off is taken up at the "
        "next start.",
        ge=0,
        le=600,
    )
    hooks: Annotated[str | None, that(are_modules)] = Field(
        None,
        title="Python modules of your own that join each turn, separated by commas: docs/hooks.md.",
        description="names of Python modules, separated by commas, such as my_hooks",
    )
    # Unset: text on a terminal, otherwise JSON lines for programs.
    log_format: Literal["text", "json"] | None = Field(
        None, title="Format of the log: `text`, or `json` with one object a line."
    )
    metrics_token: LongKey = Field(
        None,
        title="The bearer token for `/metrics`, of at least 32 random characters. Without it only the machine itself "
        "may read them, and nobody where `PUBLIC_URL` is a public address.",
        description=f"at least {MIN_SECRET_KEY_CHARS} random characters, or left out to have /metrics read from the "
        "machine itself alone",
    )
    # The standard's own names, so that values set for other programs on the machine apply here too.
    otel_exporter_otlp_endpoint: Address | None = Field(
        None,
        title="The collector of OpenTelemetry's spans (OTLP over HTTP), such as `http://127.0.0.1:4318`; `/v1/traces` "
        "is added. It gets the timings of turns and nobody's words: docs/operating.md.",
        description="an address such as http://127.0.0.1:4318, without ? and #, or left out for no spans",
    )
    otel_exporter_otlp_headers: Annotated[SecretStr | None, that(are_pairs)] = Field(
        None,
        title="Headers sent to that collector with each batch: `name=value`, separated by commas, with `%20` "
        "for a blank.",
        description="name=value for each header, separated by commas, with %20 for a blank, no name twice",
    )
