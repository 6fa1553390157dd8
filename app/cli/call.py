"""One call of a command: its options, its services, its person, and its entry in the log.

A command is logged before anything is done, as on the operator's pages. If it is then refused or fails, a further
entry says so.
"""

import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import date, datetime
from functools import cached_property, wraps
from typing import Any

import click
from sqlalchemy.exc import DBAPIError

from app import people
from app.delivery.inbox import PERSON_ADDRESS
from app.errors import DatabaseError, KeepsakeError, NotFound, Refused
from app.memory import Origin
from app.memory.revise import read_last_day
from app.models import Person
from app.operations import audit
from app.services import Services
from app.settings import load_settings
from app.text.phone_number import parse_number
from app.web.phone import NUMBERS
from app.wiring import build_services

BY_OPERATOR = Origin(actor="operator", source="operator")
SHOWING = ("facts ", "episodes ", "rules ", "routines ", "people show", "text")
"""Beginnings of the commands that print people's memories or words."""


def phone_number(value: str) -> str:
    """A person's address, with a number in any international spelling as E.164: `+12065550100`, `messenger:1234567`."""
    channel, colon, written = value.strip().rpartition(":")
    try:
        address = channel + colon + (written if channel == "messenger" else parse_number(written))
    except Refused as refusal:
        raise click.BadParameter(str(refusal)) from None
    if not PERSON_ADDRESS.fullmatch(address):
        raise click.BadParameter(f"“{address}” names nobody who texts. `keepsake people list` shows who does.")
    return address


def episode_number(value: str) -> int:
    """The number of an episode, given as in the lists, `ep3`, or as the number alone."""
    if found := re.fullmatch(r"(?:ep)?(\d{1,18})", value.strip(), re.IGNORECASE):
        return int(found[1])
    raise click.BadParameter(f"{value!r} names no episode. Give one as `keepsake episodes list` shows it: ep3.")


def last_day_or_never(value: str) -> date:
    """The last day of something: `2026-08-10`, or `never` for no end."""
    try:
        return read_last_day(value)
    except Refused as refusal:
        raise click.BadParameter(str(refusal)) from None


as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
of_anybody = click.option(
    "--person", "number", metavar="NUMBER", type=phone_number, help="Only this person's; else everyone's."
)


def with_call(command: Callable[..., None]) -> Callable[..., None]:
    """Adds `--json`, and passes the command a `Call` in place of that option and of `number`."""

    @wraps(command)
    def run(*, as_json: bool, number: str | None = None, **given: Any) -> None:
        command(Call(number, as_json=as_json), **given)

    return as_json(run)


def about_one(command: Callable[..., None]) -> Callable[..., None]:
    """Adds `--person`, for a command on one person's memory, and everything that `with_call` adds."""
    whose = "The person; may be left out while there is only one."
    return click.option("--person", "number", metavar="NUMBER", type=phone_number, help=whose)(with_call(command))


class Call:
    """The services and the person of one call of a command; with `as_json` it prints for programs."""

    def __init__(self, number: str | None = None, *, as_json: bool = False) -> None:
        self.number = number
        self.as_json = as_json

    @cached_property
    def services(self) -> Services:
        """The services of these settings, on a database at its newest schema; closed when the command ends.

        Raises:
            SettingsError: a setting is missing or malformed.
            DatabaseError: the database cannot be used.
        """
        services = build_services(load_settings())
        click.get_current_context().call_on_close(services.close)
        return services

    @cached_property
    def person(self) -> Person:
        """The person with the number, or the only one if no number was given.

        Raises:
            NotFound: nobody is known, or nobody with that number.
            click.UsageError: no number was given, and several people are known.
        """
        person = self.found()
        if person is None and self.number is not None:
            raise unknown(self.number)
        if person is None:
            raise NotFound("Nobody is known yet. Begin with `keepsake text` or `keepsake facts add`.")
        self.note(person.id)
        return person

    @cached_property
    def person_or_new(self) -> Person:
        """The person with the number, added if new; without a number the only person, or the phone page's first.

        Raises:
            click.UsageError: no number was given, and it is not clear whose is meant.
        """
        person, settings = self.found(), self.services.settings
        if person is None and self.number is None and settings.has_twilio:
            raise click.UsageError("Nobody is known yet. Say whose it is: --person NUMBER.")
        if person is None:
            number = self.number or NUMBERS[0]
            # A fact about somebody does not let them in: access is a separate decision.
            access = "waiting" if settings.is_allowlist else "allowed"
            with self.services.transaction() as db:
                person = people.add(db, number, access=access, now=self.services.clock.now())
            may = "may text" if access == "allowed" else f"may not text until `keepsake people allow {number}`"
            click.echo(f"{number} is new: known from now on, and {may}.", err=True)
        self.note(person.id)
        return person

    def found(self) -> Person | None:
        """The person with the number, or without one the only person; None if there is none."""
        with self.services.reading() as db:
            if self.number is not None:
                return people.by_address(db, self.number)
            everyone = people.everyone(db)
        if len(everyone) > 1:
            raise click.UsageError(
                f"{len(everyone)} people are known. Say who is meant: --person NUMBER. "
                "`keepsake people list` shows the numbers."
            )
        return everyone[0] if everyone else None

    def answer(self, record: Any, *lines: str, nothing: str = "") -> None:
        """Print the record for programs, or the lines for people; if there are no lines, print `nothing` on stderr."""
        if self.as_json:
            print_json(record)
            return
        for line in lines:
            click.echo(line)
        if nothing and not lines:
            click.echo(nothing, err=True)

    def note(self, person_id: int | None, about: str = "") -> None:
        """Log the command, about this person, or about everybody if None.

        `about` names the rows concerned, as in `AuditEntry.about`; by default they are the ids the command was given.
        """
        context = click.get_current_context()
        command = context.command_path.partition(" ")[2]
        ids = ", ".join(_ids(context, audit.KINDS.get(command.split()[0])))
        shows = command.startswith(SHOWING)
        now = self.services.clock.now()
        with self.services.transaction() as db:
            number = audit.note(db, audit.TERMINAL, command, now, person_id=person_id, about=about or ids, shows=shows)
        context.with_resource(self._tells_if_not_done(number))

    @contextmanager
    def _tells_if_not_done(self, number: int) -> Iterator[None]:
        """Wraps the rest of the command; Ctrl-C adds no entry, since it says nothing about how far the command came."""
        try:
            yield
        except BrokenPipeError:
            raise  # It was done; the reader of the output has gone.
        except Exception as error:
            # If the database itself failed, the first error already says so.
            with suppress(KeepsakeError, DBAPIError), self.services.transaction() as db:
                audit.note_not_done(db, number, _code(error), self.services.clock.now())
            raise


def unknown(number: str) -> NotFound:
    return NotFound(f"Nobody with the number {number} is known. `keepsake people list` shows who is.")


def print_json(value: Any) -> None:
    """Print the value as indented JSON; instants as in `iso`. Only UTF-8 has all letters, so others get escapes."""
    click.echo(json.dumps(value, ensure_ascii=sys.stdout.encoding != "utf-8", indent=2, default=iso))


def iso(instant: datetime | None) -> str | None:
    """ISO 8601 to the second, with the zone."""
    return instant.isoformat(timespec="seconds") if instant else None


def _code(error: Exception) -> str:
    if isinstance(error, click.UsageError):
        return "usage"
    if isinstance(error, DBAPIError):
        return DatabaseError.code
    return error.code if isinstance(error, KeepsakeError) else KeepsakeError.code


def _ids(context: click.Context, kind: str | None) -> Iterator[str]:
    """The ids that the command was given: its arguments that are whole numbers, and no options."""
    for parameter in context.command.params:
        value = context.params.get(parameter.name or "")
        given = value if isinstance(value, tuple) else (value,)
        if isinstance(parameter, click.Argument) and given and all(isinstance(one, int) for one in given):
            yield f"{kind or parameter.name} {' '.join(map(str, given))}"
