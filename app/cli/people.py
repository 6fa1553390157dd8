import json
from pathlib import Path

import click

from app.cli.numbers import PhoneNumber
from app.cli.ready import ready_services
from app.errors import NotFound
from app.models import Person
from app.people import add, block, by_address, everyone, let_in
from app.services import Services
from app.user_config import take_over

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")


@click.group()
def people() -> None:
    """Who texts, and who may."""


@people.command("list")
@as_json
def list_people(*, as_json: bool) -> None:
    """Everyone, the one who texted last first."""
    with ready_services().reading() as db:
        found = everyone(db)
    if as_json:
        click.echo(json.dumps([_record(person) for person in found], ensure_ascii=False, indent=2))
        return
    if not found:
        click.echo("Nobody is known yet. Begin with `keepsake text` or `keepsake people allow NUMBER`.", err=True)
    for person in found:
        access = "opted out" if person.access == "allowed" and person.opted_out_at else person.access
        click.echo("  ".join([person.address, access, person.timezone, person.name or ""]).rstrip())


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
    let_in(services, person.id)
    opted_out = " They sent STOP, and hear nothing until they text START." if person.opted_out_at else ""
    _show(services, number, f"{number} may text.{opted_out}", as_json=as_json)


@people.command("block")
@click.argument("number", type=PhoneNumber())
@as_json
def block_person(number: str, *, as_json: bool) -> None:
    """Keep what NUMBER texts, and answer none of it."""
    services = ready_services()
    with services.reading() as db:
        person = by_address(db, number)
    if person is None:
        raise NotFound(f"Nobody with the number {number} is known. `keepsake people list` shows who is.")
    block(services, person.id)
    _show(services, number, f"{number} is blocked.", as_json=as_json)


@people.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--allow", is_flag=True, help="Let the new ones text at once; else they wait for the operator.")
@as_json
def import_people(file: Path, *, allow: bool, as_json: bool) -> None:
    """Take over names and time zones from FILE.

    FILE is an earlier assistant's: SQLite with a table user_config, or JSON, a list of objects with phone_number, name
    and timezone.
    """
    result = take_over(ready_services(), file, "allowed" if allow else "waiting")
    if as_json:
        click.echo(json.dumps(vars(result), ensure_ascii=False, indent=2))
    else:
        click.echo(f"{len(result.people)} taken over.")
    for sentence in result.left_out:
        click.echo(f"Left out: {sentence}", err=True)


def _show(services: Services, number: str, sentence: str, *, as_json: bool) -> None:
    if not as_json:
        click.echo(sentence)
        return
    with services.reading() as db:
        person = by_address(db, number)
    if person is not None:
        click.echo(json.dumps(_record(person), ensure_ascii=False, indent=2))


def _record(person: Person) -> dict[str, object]:
    return {
        "number": person.address,
        "name": person.name,
        "timezone": person.timezone,
        "access": person.access,
        "opted_out_at": person.opted_out_at.isoformat(timespec="seconds") if person.opted_out_at else None,
        "created_at": person.created_at.isoformat(timespec="seconds"),
    }
