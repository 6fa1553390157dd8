"""The lists of what is remembered, of each person or of one of them."""

from collections.abc import Callable, Sequence
from typing import TypeVar

import click
from sqlalchemy.orm import Session

from app import people
from app.cli.noted import noted
from app.cli.whose import known
from app.models import Person
from app.services import Services

T = TypeVar("T")
Held = Sequence[tuple[Person, Sequence[T]]]


def of_each(services: Services, number: str | None, rows: Callable[[Session, int], Sequence[T]]) -> Held[T]:
    """The rows of the person with that number, or of everybody without one.

    Raises:
        NotFound: nobody is known by that number.
    """
    only = None if number is None else known(services, number)
    if only is None:
        noted(services, None)
    with services.reading() as db:
        whose = people.everyone(db) if only is None else [only]
        return [(person, rows(db, person.id)) for person in whose]


def print_of_each(found: Held[T], line: Callable[[T, Person], str], nothing: str) -> None:
    """A heading for each person who has any, and a line for each; `nothing` for whoever reads it, where nobody has."""
    for person, held in found:
        if held:
            click.echo(f"{person.address}{f'  {person.name}' if person.name else ''}")
        for one in held:
            click.echo(line(one, person))
    if not any(held for _, held in found):
        click.echo(nothing, err=True)
