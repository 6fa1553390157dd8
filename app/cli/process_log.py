"""The log: one line an event, with ids and never with people's words; phone numbers and keys are masked."""

import json
import logging
import re
import sys
import threading
import traceback
from collections.abc import Collection, Iterator
from datetime import UTC, datetime
from typing import Literal

SPOKEN = {"KeepsakeError", "OSError", "SQLAlchemyError", "ImportError", "AttributeError", "NameError"}
"""Errors whose words are our own, the system's or the code's. Others, such as ValueError, quote their input.

As names, since the classes would load SQLAlchemy even for a command that never uses the database.
"""

logger = logging.getLogger(__name__)

NAMED_IDS = re.compile(r"\b(person|turn|message) (\d+)\b", re.IGNORECASE)
SHORTEST_SECRET = 4  # Anything shorter occurs in ordinary words, and masking it protects nothing.

_NUMBERS = re.compile(
    r"(?P<plus>\+|%2B)\d(?:[ ().-]{0,2}\d){6,14}"  # +12065550100, +1 (206) 555-0100, as in an address %2B1206…
    r"|(?<![\w.])\(?\d{3}\)?[ .-]{1,2}\d{3}[ .-]\d{4}(?!\w|[.:]\d)"  # 206-555-0100
    r"|(?<!\w)(?<!\d[.:])\d{10,15}(?!\w|[.:]\d)",
    re.IGNORECASE,
)
_KEYS = re.compile(
    r"\b(?P<kind>AC|SK)[0-9a-zA-Z]{32}\b"  # Twilio's accounts and API keys
    r"|\b(?P<claude>sk-ant-)[\w-]+"
    r"|\b[0-9a-fA-F]{32,}\b"  # auth tokens, keys of status callbacks, hashes
)
_CREDENTIALS = re.compile(
    r"(?P<name>\b(?:Authorization|X-Twilio-Signature|Cookie|Set-Cookie)\b['\"]?\s*[:=]\s*).*", re.IGNORECASE
)
_SCHEMES = re.compile(r"\b(?P<scheme>Bearer|Basic) [\w.~+/=-]{8,}", re.IGNORECASE)
_ADDRESSES = re.compile(r"(?P<scheme>\bhttps?://)(?:[^\s/@]+@)?(?P<place>[^\s?#'\"]*)(?P<query>\?[^\s'\"]*)?")
_QUERIES = re.compile(r"(?P<path>(?<=[\s'\"])/[^\s?'\"]*)\?[^\s'\"]+")


class Mask:
    """`mask(text)` is the text without anything secret: the secrets given to it, and anything that looks like one."""

    def __init__(self, secrets: Collection[str] = ()) -> None:
        hidden = sorted((re.escape(one) for one in secrets if len(one) >= SHORTEST_SECRET), key=len, reverse=True)
        self._secrets = re.compile("|".join(hidden) or r"(?!)")

    def __call__(self, text: str) -> str:
        text = self._secrets.sub("…", text)
        text = _CREDENTIALS.sub(r"\g<name>…", text)
        text = _SCHEMES.sub(r"\g<scheme> …", text)
        text = _ADDRESSES.sub(lambda found: f"{found['scheme']}{found['place']}{'?…' if found['query'] else ''}", text)
        text = _QUERIES.sub(r"\g<path>?…", text)
        text = _KEYS.sub(lambda found: f"{found['kind'] or found['claude'] or ''}…", text)
        return _NUMBERS.sub(_shortened, text)


def _shortened(found: re.Match[str]) -> str:
    digits = re.sub(r"\D", "", found[0].removeprefix(found["plus"] or ""))
    first = 4 if len(digits) > 9 else 2  # noqa: PLR2004  (enough to tell two people apart, too few to call)
    return f"{found['plus'] or ''}{digits[:first]}…{digits[-2:]}"


def log_to_stderr(level: int, *, form: Literal["text", "json"] | None = "text", secrets: Collection[str] = ()) -> None:
    """Log Keepsake's own records from `level` on, and the libraries' from WARNING on, with all `secrets` masked.

    Below WARNING, HTTP libraries log their requests: people's words, numbers and keys. With `form` None it is text on a
    terminal and JSON elsewhere.
    """
    handler = logging.StreamHandler(sys.stderr)
    as_json = form == "json" or (form is None and not sys.stderr.isatty())
    handler.setFormatter(Lines(Mask(secrets), as_json=as_json))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("app").setLevel(level)


def log_uncaught_errors() -> None:
    """Log uncaught errors, masked, instead of having them printed to stderr as they are; for the whole process."""

    def told(error: BaseException | None, thread: str) -> None:
        if error is not None:
            logger.critical("%s ended with an error", thread, exc_info=error)

    sys.excepthook = lambda _, error, __: told(error, "The process")
    threading.excepthook = lambda given: told(given.exc_value, given.thread.name if given.thread else "A thread")


class Lines(logging.Formatter):
    """A line for each record: time, level, logger and message, followed by the traceback of an error.

    For programs it is an object, with the ids of person, turn and message beside the sentence.
    """

    def __init__(self, mask: Mask, *, as_json: bool) -> None:
        super().__init__()
        self._mask = mask
        self._as_json = as_json

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        message = self._mask(_message(record))
        error = record.exc_info[1] if record.exc_info else None
        told = self._mask("".join(_traceback(error))) if error is not None else ""
        if not self._as_json:
            # A line break from outside must not look like a line of its own.
            message = message.replace("\r", "\\r").replace("\n", "\\n")
            line = f"{at} {record.levelname} {record.name}: {message}"
            return f"{line}\n{told}" if told else line
        whole: dict[str, object] = {"time": at, "level": record.levelname, "logger": record.name, "message": message}
        whole |= {f"{name.lower()}_id": int(number) for name, number in NAMED_IDS.findall(message)}
        return json.dumps(whole | ({"error": told} if told else {}), ensure_ascii=False)


def _message(record: logging.LogRecord) -> str:
    """The message with its values; errors among them are put in words that quote nothing."""
    said = _worded(record.msg) if isinstance(record.msg, BaseException) else str(record.msg)
    if not record.args or not isinstance(record.args, tuple):
        return said % record.args if record.args else said
    return said % tuple(_worded(value) if isinstance(value, BaseException) else value for value in record.args)


def _traceback(error: BaseException) -> Iterator[str]:
    """The traceback as Python prints it, the first cause first, without the values that the code was working on."""
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if before is not None:
        yield from _traceback(before)
        yield "\nThen:\n\n"
    yield from traceback.format_tb(error.__traceback__)
    yield f"{type(error).__name__}: {_worded(error)}\n"


def _worded(error: BaseException) -> str:
    kinds = {kind.__name__ for kind in type(error).__mro__}
    if "SQLAlchemyError" in kinds:
        return str(getattr(error, "orig", None) or error).partition("\n")[0]
    return str(error) if SPOKEN & kinds else f"({type(error).__name__}; its words may be somebody's)"
