"""Printing of a person's rows, as lines for people and JSON for programs, and commands that all kinds of rows share."""

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import click
from sqlalchemy.orm import Session

from app import people
from app.cli.call import BY_OPERATOR, Call, about_one, episode_number
from app.errors import NotFound
from app.memory import Origin
from app.models import Person
from app.operations import audit
from app.services import Services

T = TypeVar("T")
TURNS_AROUND = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that reverse the direction of the rest of a line (UAX #9, explicit formatting characters)."""


@dataclass(frozen=True)
class Noun(Generic[T]):
    """One kind of a person's rows: its name, and how a row is printed."""

    name: str
    line: Callable[[T, Person], str]
    record: Callable[[T, Person], dict[str, object]]
    prefix: str = ""  # Prefix of its numbers.

    def none_such(self, person: Person, numbers: Sequence[int]) -> NotFound:
        named = ", ".join(f"{self.prefix}{number}" for number in numbers)
        listing = f"`keepsake {self.name}s list --person {person.address}`"
        return NotFound(f"{person.address} has no {self.name} {named}. {listing} shows all.")

    def print_changed(self, call: Call, number: int, change: Callable[[int], T]) -> None:
        """Call `change` with the person's id, and print the changed row `number`.

        Raises:
            NotFound: there is no such row.
        """
        person = call.person
        try:
            row = change(person.id)
        except NotFound:
            raise self.none_such(person, [number]) from None
        call.answer(self.record(row, person), self.line(row, person))

    def print_each(self, call: Call, rows: Callable[[Session, int], Sequence[T]], nothing: str) -> Sequence[T]:
        """Print the rows of the given person, or of everybody, under a heading for each person who has any.

        `nothing` goes to stderr if nobody has any. Returns the rows.

        Raises:
            NotFound: nobody with the number is known.
        """
        only = None if call.number is None else call.person
        if only is None:
            call.note(None)
        with call.services.reading() as db:
            found = [(one, rows(db, one.id)) for one in ([only] if only else people.everyone(db))]
        lines: list[str] = []
        for person, held in found:
            if held:
                lines.append(f"{person.address}{f'  {person.name}' if person.name else ''}")
                lines += [self.line(row, person) for row in held]
        call.answer([self.record(row, person) for person, held in found for row in held], *lines, nothing=nothing)
        return [row for _, held in found for row in held]

    def add_change(
        self, group: click.Group, verb: str, change: Callable[[Services, int, int, Origin], T], says: str
    ) -> None:
        """Add a command that changes one row, whose number its help calls by the noun and _ID."""

        @group.command(verb, help=says)
        @click.argument("row", metavar=f"{self.name.upper()}_ID", type=int)
        @about_one
        def _change(call: Call, row: int) -> None:
            self.print_changed(call, row, lambda who: change(call.services, who, row, BY_OPERATOR))

    def add_removal(
        self, group: click.Group, verb: str, remove: Callable[[Services, int, Sequence[int], Origin], Any], says: str
    ) -> None:
        """Add a command that removes rows; if some numbers are unknown, it removes the others and then refuses."""
        metavar = f"{self.name.upper()}{'S' if self.prefix else '_IDS'}..."
        done, key = ("cancelled", "cancelled") if verb == "cancel" else ("forgotten", "removed")

        @group.command(verb, help=says)
        @click.argument("rows", metavar=metavar, type=episode_number if self.prefix else int, nargs=-1, required=True)
        @about_one
        def _remove(call: Call, rows: tuple[int, ...]) -> None:
            person = call.person
            found = remove(call.services, person.id, rows, BY_OPERATOR)
            record = {key: [self.record(one, person) for one in found.removed], "unknown": found.unknown}
            call.answer(record, *[f"{done.capitalize()}:\n{self.line(one, person)}" for one in found.removed])
            if found.unknown:
                refusal = self.none_such(person, found.unknown)
                refusal.code = audit.IN_PART if found.removed else refusal.code  # For the log.
                raise refusal


def values(row: Any, *names: str) -> dict[str, object]:
    return {name: getattr(row, name) for name in names}


def one_line(words: str) -> str:
    """People's words in one line, with a mark for each character that the terminal would obey.

    Anyone can text these words: a line of theirs must not look like one of ours, and none may control the terminal.
    JSON output has them unchanged.
    """
    line = " ".join(words.split())
    return "".join("\ufffd" if one in TURNS_AROUND or unicodedata.category(one) == "Cc" else one for one in line)
