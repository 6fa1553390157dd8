"""The person a command is about, with or without their number; whoever gets one is in the log."""

import click

from app import people
from app.cli.noted import noted
from app.cli.numbers import PhoneNumber
from app.errors import NotFound
from app.models import Person
from app.services import Services
from app.web.phone_numbers import NUMBERS

whose = click.option(
    "--person",
    "number",
    metavar="NUMBER",
    type=PhoneNumber(),
    help="Whose memory. May be left out while only one person is known.",
)


def known(services: Services, number: str | None) -> Person:
    """The person with that number, or the only one there is.

    Raises:
        NotFound: nobody is known, or nobody by that number.
        click.UsageError: no number was given, and several people are known.
    """
    person = _known(services, number)
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
    person = _known(services, number)
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


def _known(services: Services, number: str | None) -> Person | None:
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
