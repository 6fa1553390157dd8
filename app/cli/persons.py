"""The services of a command and the person it is about; whoever gets a person's data is in the log.

A command is logged before anything is done, as on the operator's pages. One that is refused after that, or fails, adds
an entry that says so.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import click
from sqlalchemy.exc import DBAPIError

from app import people
from app.errors import DatabaseError, KeepsakeError, NotFound
from app.memory import Origin
from app.models import Person
from app.operations import audit
from app.services import Services
from app.settings import load_settings
from app.web.phone import NUMBERS
from app.wiring import build_services

BY_OPERATOR = Origin(actor="operator", source="operator")
SHOWING = ("facts ", "episodes ", "rules ", "routines ", "people show")
"""How the commands begin that print what is remembered, or what was said."""

_NOTED = "keepsake.noted"
_IN_PART = "keepsake.in_part"


def ready_services() -> Services:
    """The services of this process's settings, on a database at its newest schema; closed with the command.

    Raises:
        SettingsError: a setting is missing or malformed.
        DatabaseError: the database cannot be used.
    """
    services = build_services(load_settings())
    click.get_current_context().call_on_close(services.close)
    return services


def known(services: Services, number: str | None) -> Person:
    """The person with that number, or the only one there is.

    Raises:
        NotFound: nobody is known, or nobody by that number.
        click.UsageError: no number was given, and several people are known.
    """
    person = _found(services, number)
    if person is None and number is not None:
        raise NotFound(f"Nobody with the number {number} is known. `keepsake people list` shows who is.")
    if person is None:
        raise NotFound("Nobody is known yet. Begin with `keepsake text` or `keepsake facts add`.")
    noted(services, person.id)
    return person


def known_or_new(services: Services, number: str | None) -> Person:
    """The person with that number, who may be new; without a number the only one, or the phone page's first.

    Raises:
        click.UsageError: no number was given, and it is not clear who is meant.
    """
    person = _found(services, number)
    if person is not None:
        noted(services, person.id)
        return person
    if number is None and services.settings.has_twilio:
        raise click.UsageError("Nobody is known yet. Say whose it is: --person NUMBER.")
    number = number or NUMBERS[0]
    # Whoever is told about is not let in by it: that stays a decision of its own.
    access = "waiting" if services.settings.is_allowlist else "allowed"
    with services.transaction() as db:
        person = people.add(db, number, access=access, now=services.clock.now())
    noted(services, person.id)
    may = "may text" if access == "allowed" else f"may not text until `keepsake people allow {number}`"
    click.echo(f"{number} is new: known from now on, and {may}.", err=True)
    return person


def _found(services: Services, number: str | None) -> Person | None:
    with services.reading() as db:
        if number is not None:
            return people.by_address(db, number)
        everyone = people.everyone(db)
    if len(everyone) > 1:
        raise click.UsageError(
            f"{len(everyone)} people are known. Say who is meant: --person NUMBER. "
            "`keepsake people list` shows the numbers."
        )
    return everyone[0] if everyone else None


def noted(services: Services, person_id: int | None, about: str = "") -> None:
    """Write down the command that runs: about this person, or with None about everybody; once, however often asked.

    `about` is what it is about besides, as `AuditEntry.about` says it; without it, the rows that the command was given.
    """
    context = click.get_current_context()
    command = context.command_path.partition(" ")[2]
    if person_id in context.meta.setdefault(_NOTED, set()):
        return
    context.meta[_NOTED].add(person_id)
    with services.transaction() as db:
        number = audit.note(
            db,
            audit.TERMINAL,
            command,
            services.clock.now(),
            person_id=person_id,
            about=about or ", ".join(_ids(context, audit.KINDS.get(command.split()[0]))),
            shows=command.startswith(SHOWING),
        )
    context.with_resource(_tells_if_not_done(services, number))


def done_in_part(done: Sequence[object]) -> None:
    """Before an error that is about the others: where something was done, the log says that it was done in part."""
    click.get_current_context().meta[_IN_PART] = bool(done)


@contextmanager
def _tells_if_not_done(services: Services, number: int) -> Iterator[None]:
    """Round what is left of the command; an interrupt from the keyboard tells nothing of how far it came."""
    context = click.get_current_context()
    try:
        yield
    except BrokenPipeError:
        raise  # It was done; whoever read the output has gone.
    except Exception as error:
        why = audit.IN_PART if context.meta.get(_IN_PART) else _code(error)
        # Where the database is what failed, the sentence of the first error says so.
        with suppress(KeepsakeError, DBAPIError), services.transaction() as db:
            audit.note_not_done(db, number, why, services.clock.now())
        raise


def _code(error: Exception) -> str:
    if isinstance(error, click.UsageError):
        return "usage"
    if isinstance(error, DBAPIError):
        return DatabaseError.code
    return error.code if isinstance(error, KeepsakeError) else KeepsakeError.code


def _ids(context: click.Context, kind: str | None) -> Iterator[str]:
    """The ids that the command was given: arguments that are whole numbers. Options are no ids."""
    for parameter in context.command.params:
        value = context.params.get(parameter.name or "")
        given = value if isinstance(value, tuple) else (value,)
        if isinstance(parameter, click.Argument) and given and all(isinstance(one, int) for one in given):
            yield f"{kind or parameter.name} {' '.join(map(str, given))}"
