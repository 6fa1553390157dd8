from pathlib import Path

import click

from app.cli.parameters import PhoneNumber, as_json
from app.cli.persons import BY_OPERATOR, known, noted, ready_services
from app.cli.printing import iso, one_line, print_json
from app.delivery.inbox import try_again
from app.models import Consent, Person
from app.people import add, block, by_address, calendars, consents, everyone, let_in
from app.people.user_config import take_over
from app.services import Services

CALENDAR_SECONDS = 30.0  # The operator looks on; a text would not wait so long.


@click.group()
def people() -> None:
    """Who texts, and who may."""


@people.command("list")
@as_json
def list_people(*, as_json: bool) -> None:
    """Everyone, the one who texted last first."""
    services = ready_services()
    noted(services, None)
    with services.reading() as db:
        found = everyone(db)
        refusals = {person.id: consents.last_refusal(db, person.id) for person in found if person.opted_out_at}
    if as_json:
        print_json([_record(person) for person in found])
        return
    if not found:
        click.echo("Nobody is known yet. Begin with `keepsake text` or `keepsake people allow NUMBER`.", err=True)
    for person in found:
        said = _opted_out(person, refusals.get(person.id))
        click.echo("  ".join(filter(None, [person.address, said or person.access, person.timezone, person.name])))


@people.command("show")
@click.argument("number", type=PhoneNumber())
@as_json
def show_person(number: str, *, as_json: bool) -> None:
    """How NUMBER stands, and all that it has said on being texted."""
    services = ready_services()
    person = known(services, number)
    with services.reading() as db:
        said = consents.of(db, person.id)
    if as_json:
        print_json({**_record(person), "consents": [_said(consent) for consent in said]})
        return
    click.echo("  ".join(filter(None, [person.address, person.access, person.timezone, person.name])))
    if person.opted_out_at:
        since = f"{person.opted_out_at:%Y-%m-%d %H:%M} UTC"
        click.echo(f"Opted out since {since}: nothing is sent to it until it texts START.")
    if person.stop_text_id:
        click.echo("Asked what is to stop: nothing that it did not ask for is sent to it until it has answered.")
    for consent in said:
        words = f': "{one_line(consent.words)}"' if consent.words else ""
        click.echo(f"{consent.at:%Y-%m-%d %H:%M} UTC  {'yes' if consent.agrees else 'no'}  {_HOW[consent.how]}{words}")
    if not said:
        click.echo("It has said nothing yet on being texted.")


@people.command("opt-out")
@click.argument("number", type=PhoneNumber())
@click.argument("words")
@as_json
def opt_person_out(number: str, words: str, *, as_json: bool) -> None:
    """Send NUMBER nothing more, because its owner said so elsewhere.

    WORDS are kept as how they said it, for instance "By phone on Monday: no more texts". Only their START undoes it.
    """
    services = ready_services()
    consents.refuse_for(services, known(services, number).id, words)
    _show(services, number, f"{number} has opted out, and hears nothing until it texts START.", as_json=as_json)


@people.command("allow")
@click.argument("number", type=PhoneNumber())
@as_json
def allow_person(number: str, *, as_json: bool) -> None:
    """Let NUMBER text, also before its first text.

    What it texted while it waited is answered.
    """
    services = ready_services()
    with services.transaction() as db:
        person = by_address(db, number) or add(db, number, access="waiting", now=services.clock.now())
    noted(services, person.id)
    let_in(services, person.id)
    opted_out = " They have opted out, and hear nothing until they text START." if person.opted_out_at else ""
    _show(services, number, f"{number} may text.{opted_out}", as_json=as_json)


@people.command("block")
@click.argument("number", type=PhoneNumber())
@as_json
def block_person(number: str, *, as_json: bool) -> None:
    """Keep what NUMBER texts, and answer none of it."""
    services = ready_services()
    block(services, known(services, number).id)
    _show(services, number, f"{number} is blocked.", as_json=as_json)


@people.command("retry")
@click.argument("number", type=PhoneNumber())
@as_json
def retry_texts(number: str, *, as_json: bool) -> None:
    """Try the texts of NUMBER again that were given up.

    A text is given up when it has ended its process five times.
    """
    services = ready_services()
    known(services, number)
    count = try_again(services, number)
    if as_json:
        print_json({"number": number, "tried_again": count})
    else:
        click.echo(f"Texts tried again: {count}. A server that runs answers them.")


@people.command("calendar")
@click.argument("number", type=PhoneNumber())
@click.argument("address", required=False)
@click.option("--name", help="What it is called, such as work.")
@click.option("--remove", is_flag=True, help="Let the calendar of that name go, or the only one.")
@as_json
def set_calendar(number: str, address: str | None, name: str | None, *, remove: bool, as_json: bool) -> None:
    """Connect a calendar for NUMBER, or list its own.

    ADDRESS is in iCal form (https or webcal), secret or public. It is not shown again.
    """
    if remove and address:
        raise click.UsageError("Give an ADDRESS or --remove, not both.")
    services = ready_services()
    person = known(services, number)
    if remove:
        calendars.disconnect(services, person.id, name, BY_OPERATOR)
    elif address:
        calendars.connect(services, person.id, address, name, CALENDAR_SECONDS, BY_OPERATOR)
    with services.reading() as db:
        names = [one.name for one in calendars.of(db, person.id)]
    if as_json:
        print_json({"number": person.address, "calendars": names})
    else:
        click.echo(f"Calendars of {person.address}: {', '.join(names) or 'none'}.")


@people.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--allow", is_flag=True, help="Let the new ones text at once; else they wait for the operator.")
@as_json
def import_people(file: Path, *, allow: bool, as_json: bool) -> None:
    """Take over names and time zones from FILE.

    FILE is an earlier assistant's: SQLite with a table user_config, or JSON, a list of objects with phone_number, name
    and timezone.
    """
    services = ready_services()
    noted(services, None)
    result = take_over(services, file, "allowed" if allow else "waiting")
    if as_json:
        print_json(vars(result))
    else:
        click.echo(f"{len(result.people)} taken over.")
    for sentence in result.left_out:
        click.echo(f"Left out: {sentence}", err=True)


_HOW = {
    "texted_first": "texted first",
    "carrier_word": "the carrier's word",
    "own_words": "in their own words",
    "carrier_refusal": "the carrier said so",
    "operator": "told the operator",
}


def _opted_out(person: Person, refusal: Consent | None) -> str | None:
    """Since when and with which words, for one line of the list."""
    if person.access != "allowed" or person.opted_out_at is None:
        return None
    since = f"opted out {person.opted_out_at:%Y-%m-%d}"
    return f'{since} ("{one_line(refusal.words)[:40]}")' if refusal and refusal.words else since


def _said(consent: Consent) -> dict[str, object]:
    return {"at": iso(consent.at), "agrees": consent.agrees, "how": consent.how, "words": consent.words}


def _show(services: Services, number: str, sentence: str, *, as_json: bool) -> None:
    if as_json:
        print_json(_record(known(services, number)))
    else:
        click.echo(sentence)


def _record(person: Person) -> dict[str, object]:
    return {
        "number": person.address,
        "name": person.name,
        "timezone": person.timezone,
        "access": person.access,
        "opted_out_at": iso(person.opted_out_at),
        "created_at": iso(person.created_at),
    }
