"""What a command does with a person's data stands in the log before it is done, as the operator's pages do it."""

from collections.abc import Iterator

import click

from app import audit
from app.services import Services

SHOWING = ("facts ", "episodes ", "rules ", "routines ", "people show")
"""How the commands begin that print what is remembered, or what was said."""


def noted(services: Services, person_id: int | None, about: str = "") -> None:
    """Write down the command that runs: about this person, or with None about everybody; once, however often asked.

    `about` is what it is about besides, as `AuditEntry.about` says it; without it, the rows that the command was given.
    """
    context = click.get_current_context()
    command = _named(context)
    if person_id in context.meta.setdefault("keepsake.noted", set()):
        return
    context.meta["keepsake.noted"].add(person_id)
    with services.transaction() as db:
        audit.note(
            db,
            audit.TERMINAL,
            command,
            services.clock.now(),
            person_id=person_id,
            about=about or ", ".join(_ids(context, audit.KINDS.get(command.split()[0]))),
            shows=command.startswith(SHOWING),
        )


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
