"""Rows as commands print them: lines for people, JSON for programs."""

import json
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, Protocol, TypeVar

import click
from sqlalchemy.orm import Session

from app import people
from app.cli.persons import done_in_part, known, noted
from app.errors import NotFound
from app.models import Person
from app.services import Services

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
TURNS_AROUND = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""What has the rest of a line read from the other end (UAX #9, explicit formatting characters)."""


class Removed(Protocol[T_co]):
    """What a verb took away, and the numbers that it did not find."""

    @property
    def removed(self) -> Sequence[T_co]: ...

    @property
    def unknown(self) -> Sequence[int]: ...


@dataclass(frozen=True)
class Noun(Generic[T]):
    """One kind of a person's rows: how it is called, and how a row is printed."""

    name: str
    line: Callable[[T, Person], str]
    record: Callable[[T, Person], dict[str, object]]
    prefix: str = ""
    """What stands before a number of its kind."""

    def none_such(self, person: Person, numbers: Sequence[int]) -> NotFound:
        named = ", ".join(f"{self.prefix}{number}" for number in numbers)
        listing = f"`keepsake {self.name}s list --person {person.address}`"
        return NotFound(f"{person.address} has no {self.name} {named}. {listing} shows all.")

    def print(self, row: T, person: Person, *, as_json: bool) -> None:
        if as_json:
            print_json(self.record(row, person))
        else:
            click.echo(self.line(row, person))

    def print_each(
        self,
        services: Services,
        number: str | None,
        rows: Callable[[Session, int], Sequence[T]],
        nothing: str,
        *,
        as_json: bool,
    ) -> Sequence[T]:
        """The rows of the person with that number, or of everybody without one, under a heading for each who has any.

        `nothing` goes to stderr where nobody has. Returns the rows.

        Raises:
            NotFound: nobody is known by that number.
        """
        only = None if number is None else known(services, number)
        if only is None:
            noted(services, None)
        with services.reading() as db:
            found = [(one, rows(db, one.id)) for one in ([only] if only else people.everyone(db))]
        if as_json:
            print_json([self.record(row, person) for person, held in found for row in held])
        else:
            for person, held in found:
                if held:
                    click.echo(f"{person.address}{f'  {person.name}' if person.name else ''}")
                for row in held:
                    click.echo(self.line(row, person))
            if not any(held for _, held in found):
                click.echo(nothing, err=True)
        return [row for _, held in found for row in held]

    def print_removed(self, done: Removed[T], person: Person, *, as_json: bool, verb: str = "forgotten") -> None:
        """What was taken away.

        Raises:
            NotFound: some of it was not there.
        """
        if as_json:
            rows = [self.record(one, person) for one in done.removed]
            print_json({"removed" if verb == "forgotten" else verb: rows, "unknown": done.unknown})
        else:
            for one in done.removed:
                click.echo(f"{verb.capitalize()}:\n{self.line(one, person)}")
        if done.unknown:
            done_in_part(done.removed)
            raise self.none_such(person, done.unknown)


def print_json(value: Any) -> None:
    """UTF-8 as it is, indented."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def iso(instant: datetime | None) -> str | None:
    """ISO 8601 to the second, with the zone."""
    return instant.isoformat(timespec="seconds") if instant else None


def one_line(words: str) -> str:
    """People's words in one line, with a mark for each character that the terminal would obey.

    Whoever texts a number chooses them: a line of theirs must not look like one of ours, and none may drive the screen.
    JSON has them letter by letter.
    """
    line = " ".join(words.split())
    return "".join("\ufffd" if one in TURNS_AROUND or unicodedata.category(one) == "Cc" else one for one in line)
