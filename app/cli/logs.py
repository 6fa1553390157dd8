"""The log: a line each for what happened, with ids and never with what people wrote."""

import json
import logging
import re
import sys
import threading
import traceback
from collections.abc import Collection, Iterator
from datetime import UTC, datetime
from typing import Literal

from app.cli.masking import Mask

SPOKEN = {"KeepsakeError", "OSError", "SQLAlchemyError", "ImportError", "AttributeError", "NameError"}
"""Errors whose words are our own, the system's or the code's. Others, as ValueError, quote what they were given.

By name: SQLAlchemy would have to be loaded before a command that never asks the database.
"""

logger = logging.getLogger(__name__)

NAMED_IDS = re.compile(r"\b(person|turn|message) (\d+)\b", re.IGNORECASE)


def log_to_stderr(level: int, *, form: Literal["text", "json"] | None = "text", secrets: Collection[str] = ()) -> None:
    """Keepsake's own log from `level` on, and the libraries' from WARNING on; `secrets` are shown nowhere in it.

    Below that, HTTP libraries log what they send: people's words, numbers and keys. With `form` None it is text on a
    terminal and JSON elsewhere.
    """
    handler = logging.StreamHandler(sys.stderr)
    lines: type[Text] = Json if (form or ("text" if sys.stderr.isatty() else "json")) == "json" else Text
    handler.setFormatter(lines(Mask(secrets)))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("app").setLevel(level)


def log_what_ends_a_thread() -> None:
    """Have errors that nobody caught stand in the log, masked, and not on stderr as they are; for a whole process."""

    def told(error: BaseException | None, thread: str) -> None:
        if error is not None:
            logger.critical("%s ended with an error", thread, exc_info=error)

    sys.excepthook = lambda _, error, __: told(error, "The process")
    threading.excepthook = lambda given: told(given.exc_value, given.thread.name if given.thread else "A thread")


class Text(logging.Formatter):
    """Lines for people: time, level, logger, message; below it, where an error came from."""

    def __init__(self, mask: Mask) -> None:
        super().__init__()
        self._mask = mask

    def format(self, record: logging.LogRecord) -> str:
        line = f"{_time(record)} {record.levelname} {record.name}: {self.message(record)}"
        error = self.error(record)
        return f"{line}\n{error}" if error else line

    def message(self, record: logging.LogRecord) -> str:
        # A line break that came from outside must not look like a line of its own.
        return self._mask(_said(record)).replace("\r", "\\r").replace("\n", "\\n")

    def error(self, record: logging.LogRecord) -> str | None:
        error = record.exc_info[1] if record.exc_info else None
        return self._mask("".join(_told(error))) if error is not None else None


class Json(Text):
    """Lines for programs: an object each, with the ids of whom and what it is about beside the sentence."""

    def format(self, record: logging.LogRecord) -> str:
        message = self._mask(_said(record))
        line: dict[str, object] = {
            "time": _time(record),
            "level": record.levelname,
            "logger": record.name,
            "message": message,
        }
        line.update({f"{name.lower()}_id": int(number) for name, number in NAMED_IDS.findall(message)})
        error = self.error(record)
        if error:
            line["error"] = error
        return json.dumps(line, ensure_ascii=False)


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")


def _said(record: logging.LogRecord) -> str:
    """The sentence with its values, those that are errors in words that quote nothing."""
    said = _worded(record.msg) if isinstance(record.msg, BaseException) else str(record.msg)
    if not record.args or not isinstance(record.args, tuple):
        return said % record.args if record.args else said
    return said % tuple(_worded(value) if isinstance(value, BaseException) else value for value in record.args)


def _told(error: BaseException) -> Iterator[str]:
    """Where the error came from, as Python tells it, the first cause first; without what the code was working on."""
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if before is not None:
        yield from _told(before)
        yield "\nThen:\n\n"
    yield from traceback.format_tb(error.__traceback__)
    yield f"{type(error).__name__}: {_worded(error)}\n"


def _worded(error: BaseException) -> str:
    kinds = {kind.__name__ for kind in type(error).__mro__}
    if "SQLAlchemyError" in kinds:
        return str(getattr(error, "orig", None) or error).partition("\n")[0]
    return str(error) if SPOKEN & kinds else f"({type(error).__name__}; its words may be somebody's)"
