"""A person's rows as commands print them, lines for people and JSON for programs, and commands that all have alike."""

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
"""What has the rest of a line read from the other end (UAX #9, explicit formatting characters)."""


@dataclass(frozen=True)
class Noun(Generic[T]):
    """One kind of a person's rows: how it is called, and how a row is printed."""

    name: str
    line: Callable[[T, Person], str]
    record: Callable[[T, Person], dict[str, object]]
    prefix: str = ""  # What stands before a number of its kind.

    def none_such(self, person: Person, numbers: Sequence[int]) -> NotFound:
        named = ", ".join(f"{self.prefix}{number}" for number in numbers)
        listing = f"`keepsake {self.name}s list --person {person.address}`"
        return NotFound(f"{person.address} has no {self.name} {named}. {listing} shows all.")

    def print_changed(self, call: Call, number: int, change: Callable[[int], T]) -> None:
        """Make the change of the row with that number, for the person whose id it is given; print what it is now.

        Raises:
            NotFound: there is none.
        """
        person = call.person
        try:
            row = change(person.id)
        except NotFound:
            raise self.none_such(person, [number]) from None
        call.answer(self.record(row, person), self.line(row, person))

    def print_each(self, call: Call, rows: Callable[[Session, int], Sequence[T]], nothing: str) -> Sequence[T]:
        """The rows of the person who was named, or of everybody, under a heading for each who has any.

        `nothing` goes to stderr where nobody has. Returns the rows.

        Raises:
            NotFound: nobody is known by the number.
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
        """Add a command that changes one row, of a number that its help calls by the noun and _ID."""

        @group.command(verb, help=says)
        @click.argument("row", metavar=f"{self.name.upper()}_ID", type=int)
        @about_one
        def _change(call: Call, row: int) -> None:
            self.print_changed(call, row, lambda who: change(call.services, who, row, BY_OPERATOR))

    def add_removal(
        self,
        group: click.Group,
        verb: str,
        metavar: str,
        remove: Callable[[Services, int, Sequence[int], Origin], Any],
        says: str,
    ) -> None:
        """Add a command that takes rows away, and is refused where some are unknown once the others are gone."""
        done, key = ("cancelled", "cancelled") if verb == "cancel" else ("forgotten", "removed")

        @group.command(verb, help=says)
        @click.argument(
            "rows", metavar=f"{metavar}...", type=episode_number if self.prefix else int, nargs=-1, required=True
        )
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

    Whoever texts a number chooses them: a line of theirs must not look like one of ours, and none may drive the screen.
    JSON has them letter by letter.
    """
    line = " ".join(words.split())
    return "".join("\ufffd" if one in TURNS_AROUND or unicodedata.category(one) == "Cc" else one for one in line)
