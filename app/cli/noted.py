"""Commands on a person's data are logged before anything is done, as the operator's pages do it.

A command that is refused after that, or fails, adds an entry that says so.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import click
from sqlalchemy.exc import DBAPIError

from app.errors import DatabaseError, KeepsakeError
from app.operations import audit
from app.services import Services

SHOWING = ("facts ", "episodes ", "rules ", "routines ", "people show")
"""How the commands begin that print what is remembered, or what was said."""

_NOTED = "keepsake.noted"
_IN_PART = "keepsake.in_part"


def noted(services: Services, person_id: int | None, about: str = "") -> None:
    """Write down the command that runs: about this person, or with None about everybody; once, however often asked.

    `about` is what it is about besides, as `AuditEntry.about` says it; without it, the rows that the command was given.
    """
    context = click.get_current_context()
    command = _named(context)
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


def _named(context: click.Context) -> str:
    """`facts forget` of `keepsake facts forget`."""
    names: list[str] = []
    at: click.Context | None = context
    while at is not None and at.parent is not None:
        names.insert(0, at.info_name or "")
        at = at.parent
    return " ".join(names)


def _ids(context: click.Context, kind: str | None) -> Iterator[str]:
    """The ids that the command was given: arguments that are whole numbers. Options are no ids."""
    for parameter in context.command.params:
        value = context.params.get(parameter.name or "")
        given = value if isinstance(value, tuple) else (value,)
        if isinstance(parameter, click.Argument) and given and all(isinstance(one, int) for one in given):
            yield f"{kind or parameter.name} {' '.join(map(str, given))}"
