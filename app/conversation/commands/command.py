"""A texted command, and helpers for the handlers that answer it."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy.orm import Session

from app import people
from app.clock import spoken_date
from app.conversation.claim import OpenTurn
from app.memory import Origin
from app.models import Fact, Message, Rule
from app.services import Services

NUMBER = r"#?\d{1,9}"
NUMBERS = rf"{NUMBER}(?:(?:, ?and |, ?| and | ){NUMBER})*"

_NUMBERED = {"/memory": ("number", "/memory"), "/rule": ("rule", "/rules"), "/": ("routine", "/routines")}
"""By a command's beginning: the noun that its numbers belong to, and the command that lists them."""
SOURCES = {
    "explicit": "You told me",
    "corrected": "You corrected it",
    "inferred": "I took it from what you wrote",
    "file": "It came with a picture or another file of yours",
    "forwarded": "It stood in something that you forwarded or quoted",
    "imported": "It was imported",
    "operator": "The operator of this service wrote it",
    "agent": "A program that you use wrote it",
}
"""Sentence openings on how a fact or rule is known, by its source."""


@dataclass(frozen=True)
class Command:
    """A command with the numbers in it."""

    services: Services
    turn: OpenTurn
    words: re.Match[str]  # The handler's match; its named groups hold words of the command.
    numbers: list[int]

    @property
    def person_id(self) -> int:
        return self.turn.person_id

    @property
    def page(self) -> int:
        """The number of the page that is asked for; the first if none is named."""
        return self.numbers[0] if self.numbers else 1

    @property
    def origin(self) -> Origin:
        return Origin("person", "explicit", self.turn.id, self.turn.texts[0].id, self.turn.words)


@dataclass(frozen=True)
class Handler:
    """A function that answers texts of one form without the model, declared with `@command`."""

    pattern: re.Pattern[str]  # It matches the whole text, in lower case with single spaces.
    help: str | None
    """Its line in `/help`, which may name other commands too; None if another's line names it."""
    answer: Callable[[Command], str]


def command(pattern: str, *, help: str | None = None) -> Callable[[Callable[[Command], str]], Handler]:  # noqa: A002
    """Declare the handler of texts that match the pattern; the first match in a file wins."""
    return lambda answer: Handler(re.compile(pattern), help, answer)


def ended_sentence(said: str, asked: Command, numbers: list[int]) -> str:
    """The sentence on what was ended, followed by one on the numbers that name nothing, if there are any."""
    return f"{said} {unknown_numbers_sentence(asked.turn.words, numbers)}".strip() if numbers else said


def learned_sentence(db: Session, row: Fact | Rule) -> str:
    """A sentence on how and when a fact or rule was learned, quoting the words that told it."""
    message = db.get(Message, row.message_id) if row.message_id else None
    told_at = message.created_at if message else row.recorded_at
    day = spoken_date(told_at, people.by_id(db, row.person_id).timezone)
    said = f': "{row.quote}"' if row.quote else ""
    return f"{SOURCES[row.source]} on {day}{said}{'' if (row.quote or '').endswith(tuple('.!?')) else '.'}"


def unknown_numbers_sentence(words: str, numbers: list[int]) -> str:
    """The sentence on numbers of a command that name nothing."""
    start = words.lstrip().casefold()
    noun, lists = next(both for begin, both in _NUMBERED.items() if start.startswith(begin))
    return f"I have no {noun} {', '.join(map(str, numbers))}. Text {lists} to see the numbers."
