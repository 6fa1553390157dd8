from pathlib import Path

import click

from app.cli.call import BY_OPERATOR, Call, phone_number, with_call
from app.cli.printing import one_line, values
from app.delivery.inbox import retry_dead_texts
from app.models import Person
from app.people import add, block, by_address, calendars, consents, everyone, let_in
from app.people.user_config import import_legacy_file

CALENDAR_SECONDS = 30.0  # The operator waits for it; a text would not wait so long.
HOW = {
    "texted_first": "texted first",
    "carrier_word": "the carrier's word",
    "own_words": "in their own words",
    "carrier_refusal": "the carrier said so",
    "operator": "told the operator",
}

people = click.Group("people", help="People who text, and their permission to.")
by_number = click.argument("number", type=phone_number)


@people.command("list")
@with_call
def list_people(call: Call) -> None:
    """List everyone, the latest to text first."""
    call.note(None)
    with call.services.reading() as db:
        found = everyone(db)
    nothing = "Nobody is known yet. Begin with `keepsake text` or `keepsake people allow NUMBER`."
    call.answer([_record(person) for person in found], *map(_line, found), nothing=nothing)


@people.command("show")
@by_number
@with_call
def show_person(call: Call) -> None:
    """Show the state of NUMBER, and its consents and opt-outs."""
    person = call.person
    with call.services.reading() as db:
        said = consents.of(db, person.id)
    lines = [_line(person)]
    if person.opted_out_at:
        since = f"{person.opted_out_at:%Y-%m-%d %H:%M} UTC"
        lines.append(f"Opted out since {since}: nothing is sent to it until it texts START.")
    if person.stop_text_id:
        lines.append("Asked what is to stop: nothing that it did not ask for is sent to it until it has answered.")
    for consent in said:
        words = f': "{one_line(consent.words)}"' if consent.words else ""
        lines.append(f"{consent.at:%Y-%m-%d %H:%M} UTC  {'yes' if consent.agrees else 'no'}  {HOW[consent.how]}{words}")
    if not said:
        lines.append("It has not said yes or no to texts yet.")
    consented = [values(consent, "at", "agrees", "how", "words") for consent in said]
    call.answer({**_record(person), "consents": consented}, *lines)


@people.command("opt-out")
@by_number
@click.argument("words")
@with_call
def opt_person_out(call: Call, words: str) -> None:
    """Opt NUMBER out, because its owner asked for it elsewhere.

    WORDS are kept as the proof, for instance "By phone on Monday: no more texts". Only their START undoes it.
    """
    consents.opt_out_for(call.services, call.person.id, words)
    _answer(call, f"{call.number} has opted out, and hears nothing until it texts START.")


@people.command("allow")
@by_number
@with_call
def allow_person(call: Call) -> None:
    """Allow NUMBER to text, even before its first text.

    Texts that are waiting get their answers now.
    """
    assert call.number is not None  # noqa: S101  (for the type checker: the argument is required)
    with call.services.transaction() as db:
        if by_address(db, call.number) is None:
            add(db, call.number, access="waiting", now=call.services.clock.now())
    let_in(call.services, call.person.id)
    opted_out = " They have opted out, and hear nothing until they text START." if call.person.opted_out_at else ""
    _answer(call, f"{call.number} may text.{opted_out}")


@people.command("block")
@by_number
@with_call
def block_person(call: Call) -> None:
    """Block NUMBER: keep its texts and answer none."""
    block(call.services, call.person.id)
    _answer(call, f"{call.number} is blocked.")


@people.command("retry")
@by_number
@with_call
def retry_texts(call: Call) -> None:
    """Retry the texts of NUMBER that were given up.

    A text is given up after it has crashed its process five times.
    """
    count = retry_dead_texts(call.services, call.person.id)
    told = f"Texts tried again: {count}. A server that runs answers them."
    call.answer({"number": call.number, "tried_again": count}, told)


@people.command("calendar")
@by_number
@click.argument("address", required=False)
@click.option("--name", help="The calendar's name, such as work.")
@click.option("--remove", is_flag=True, help="Remove the calendar with that name, or the only one.")
@with_call
def set_calendar(call: Call, address: str | None, name: str | None, *, remove: bool) -> None:
    """Connect a calendar for NUMBER, or list its calendars.

    ADDRESS is an iCal address (https or webcal), secret or public. It is not shown again.
    """
    if remove and address:
        raise click.UsageError("Give an ADDRESS or --remove, not both.")
    services, person = call.services, call.person
    if remove:
        calendars.disconnect(services, person.id, name, BY_OPERATOR)
    elif address:
        calendars.connect(services, person.id, address, name, CALENDAR_SECONDS, BY_OPERATOR)
    with services.reading() as db:
        names = [one.name for one in calendars.of(db, person.id)]
    told = f"Calendars of {person.address}: {', '.join(names) or 'none'}."
    call.answer({"number": person.address, "calendars": names}, told)


@people.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--allow", is_flag=True, help="Allow the new people to text at once; else they wait for the operator.")
@with_call
def import_people(call: Call, file: Path, *, allow: bool) -> None:
    """Import names and time zones from FILE.

    FILE comes from an earlier assistant: SQLite with a table user_config, or JSON, a list of objects with
    phone_number, name and timezone.
    """
    call.note(None)
    result = import_legacy_file(call.services, file, "allowed" if allow else "waiting")
    call.answer(vars(result), f"{len(result.people)} taken over.")
    for sentence in result.left_out:
        click.echo(f"Left out: {sentence}", err=True)


def _answer(call: Call, sentence: str) -> None:
    with call.services.reading() as db:
        call.answer(_record(db.get_one(Person, call.person.id)), sentence)


def _line(person: Person) -> str:
    is_out = person.opted_out_at is not None and person.access == "allowed"
    stands = f"opted out {person.opted_out_at:%Y-%m-%d}" if is_out else person.access
    return "  ".join(filter(None, [person.address, stands, person.timezone, person.name]))


def _record(person: Person) -> dict[str, object]:
    return {"number": person.address, **values(person, "name", "timezone", "access", "opted_out_at", "created_at")}
