"""Validation rules for the values of settings: pure."""

import re
from collections.abc import Callable
from typing import Annotated, TypeVar
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, ConfigDict, SecretStr, StringConstraints, TypeAdapter
from pydantic.dataclasses import dataclass
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

MIN_PASSWORD_CHARS = 10
MIN_DIFFERENT_CHARS = 5
TRIED_FIRST = frozenset(
    {"1234567890", "0123456789", "admin", "administrator", "changeme", "keepsake", "operator", "password", "qwertyuiop"}
)
MIN_SECRET_KEY_CHARS = 32  # The length of 128 bits in hexadecimal.
EPISODE_TRIGGERS = frozenset({"quiet", "ended", "count", "compaction"})

T = TypeVar("T", str, str | None, SecretStr | None)

TWILIO = ("TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN", "TWILIO_FROM")
TWILIO_API = ("TWILIO_API_KEY", "TWILIO_API_SECRET")
# The operator's own server with a provider's protocol may need no key; the provider itself does.
KEYS_OF_EMBEDDINGS = {"openai": ("OPENAI_API_KEY", "OPENAI_BASE_URL"), "voyage": ("VOYAGE_API_KEY", "VOYAGE_BASE_URL")}


def is_guessable(password: str) -> bool:
    """True if an operator's password is too short, has too few different characters, or is among the first guesses."""
    letters = re.sub(r"[\W\d_]", "", password).casefold()  # A guesser takes `Password-123` for `password`.
    is_uniform = len(set(password)) < MIN_DIFFERENT_CHARS
    return len(password) < MIN_PASSWORD_CHARS or is_uniform or bool({letters, password} & TRIED_FIRST)


def is_long_key(key: str) -> bool:
    """True if a signing key is long enough and not one character repeated."""
    return len(key.strip()) >= MIN_SECRET_KEY_CHARS and len(set(key)) >= 8  # noqa: PLR2004  (random ones have more)


def is_word(value: str) -> bool:
    """True if it is one word of plain letters, digits and marks."""
    # It is sent in a header: a blank or a typographic quotation mark would break every call, not the start.
    return value.isascii() and value.isprintable() and " " not in value


def is_zone(value: str) -> bool:
    try:
        return ZoneInfo(value).key == value
    except (ZoneInfoNotFoundError, OSError):
        return False


def listed(value: str) -> list[str]:
    """The items, which are separated by commas."""
    return [one.strip() for one in value.split(",")]


def are_words(value: str) -> bool:
    return all(one and is_word(one) for one in listed(value))


def pairs(value: str) -> dict[str, str]:
    """The word for each name in `name=word,…`."""
    found = [one.partition("=") for one in listed(value)]
    return {name.strip(): word.strip() for name, _, word in found}


def are_pairs(value: str) -> bool:
    """True if each item is `name=word` and no name comes twice."""
    found = pairs(value)
    return are_words(value) and all(name and word for name, word in found.items()) and len(found) == len(listed(value))


def are_triggers(value: str) -> bool:
    """True if these are triggers of episodes, or `none`."""
    return value.strip() == "none" or set(listed(value)) <= EPISODE_TRIGGERS


def are_modules(value: str) -> bool:
    return all(part.isidentifier() for name in value.split(",") for part in name.strip().split("."))


def is_address(value: str) -> bool:
    """True if it is an HTTP address that can be extended."""
    # Anything after a ? or # would end up in the middle of the addresses that are made from it.
    parts = urlsplit(value)
    return (
        parts.scheme.lower() in {"http", "https"}
        and bool(parts.hostname)
        and parts.port != 0  # Reading the port raises ValueError if it is not one.
        and not {"?", "#", " "} & set(value)
    )


def is_database(value: str) -> bool:
    """True if it names a file, or a database of a PostgreSQL server."""
    try:
        url = make_url(value)
    except ArgumentError:
        return False
    if url.drivername == "postgresql+psycopg":
        return bool(url.database)
    return url.get_backend_name() == "sqlite" and url.database not in {None, "", ":memory:"}


def that(is_right: Callable[[str], bool]) -> AfterValidator:
    """A validator that refuses values for which `is_right` is false; its words are the setting's description."""

    def check(value: T) -> T:
        plain = value.get_secret_value() if isinstance(value, SecretStr) else value
        if plain and not is_right(plain):
            raise ValueError
        return value

    return AfterValidator(check)


without_slash = AfterValidator(lambda address: address.rstrip("/"))
Address = Annotated[str, that(is_address), without_slash]
Name = Annotated[str, StringConstraints(pattern=r"^\S+$")]  # The name of a model.
Word = Annotated[SecretStr | None, that(is_word)]
LongKey = Annotated[SecretStr | None, that(is_long_key)]


@dataclass(frozen=True, config=ConfigDict(extra="forbid", strict=True))
class ToolServer:
    """A server of tools that the operator connects."""

    name: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9]{0,19}$")]
    url: Annotated[Address, StringConstraints(min_length=1)]
    token: Annotated[str, that(is_word), StringConstraints(min_length=1)] | None = None
    writing: tuple[str, ...] = ()
    """Tools that change something, by the server's names for them."""


def tool_servers(value: str) -> tuple[ToolServer, ...]:
    """The servers that a JSON list names.

    Raises:
        ValueError: it is no such list.
    """
    found = TypeAdapter(tuple[ToolServer, ...]).validate_json(value)
    if len({one.name for one in found}) != len(found):
        raise ValueError
    return found


def incomplete(given: dict[str, object]) -> list[str]:
    """Problems with settings that belong together: Twilio's, all or none, and the key that the embedder needs."""
    problems = []
    missing = [name for name in TWILIO if not given.get(name.lower())]
    if missing and len(missing) < len(TWILIO):
        problems.append(f"{', '.join(missing)}: missing (Twilio needs all of {', '.join(TWILIO)})")
    if len([name for name in TWILIO_API if given.get(name.lower())]) == 1:
        problems.append(f"{' and '.join(TWILIO_API)}: give both, or neither")
    key, address = KEYS_OF_EMBEDDINGS.get(str(given.get("embeddings")), ("", ""))
    if key and not given.get(key.lower()) and not given.get(address.lower()):
        problems.append(f"{key}: missing (EMBEDDINGS={given['embeddings']} needs it, unless {address} is set)")
    if given.get("database_key") and str(given.get("database_url") or "").startswith("postgresql"):
        problems.append(
            "DATABASE_KEY: leave it out (it encrypts an SQLite file; PostgreSQL's disk is encrypted by its host)"
        )
    return problems
