from datetime import date

import click

from app.cli.parameters import LastDay, as_json, of_whom, whose
from app.cli.persons import BY_OPERATOR, known, known_or_new, ready_services
from app.cli.printing import Noun, iso, one_line, print_json
from app.clock import last_day_before
from app.errors import NotFound
from app.memory import NewFact, forget, remember, restore, revise
from app.memory import facts as rows
from app.memory.remember import checked_sentence
from app.models import Fact, Person


@click.group()
def facts() -> None:
    """What is remembered of people."""


@facts.command("list")
@of_whom
@click.option(
    "--archived", is_flag=True, help="What is archived instead: found when it is searched for, never shown unasked."
)
@as_json
def list_facts(number: str | None, *, archived: bool, as_json: bool) -> None:
    """What is known, each fact with the id that the other commands take."""
    listed = rows.archived if archived else rows.live
    whom = f"about {number}" if number else "of anybody"
    nothing = f"Nothing is archived {whom}." if archived else f"Nothing is remembered {whom} yet."
    noun = ARCHIVED if archived else FACT
    services = ready_services()
    noun.print_each(services, number, lambda db, who: listed(db, who, services.clock.now()), nothing, as_json=as_json)


@facts.command("show")
@click.argument("fact_id", type=int)
@whose
@as_json
def show_fact(fact_id: int, number: str | None, *, as_json: bool) -> None:
    """One fact with all its versions, and where each came from."""
    services = ready_services()
    person = known(services, number)
    with services.reading() as db:
        versions = rows.versions(db, person.id, fact_id)
    if not versions:
        raise FACT.none_such(person, [fact_id])
    if as_json:
        print_json(_record(versions[-1], person) | {"versions": [_version(version) for version in versions]})
        return
    for version in versions:
        ended = f" until {iso(version.retired_at)}" if version.retired_at else ""
        if rows.is_archived(version, services.clock.now()):
            ended = f", archived at {iso(version.archived_at or version.expires_at)}"
        click.echo(f"{_sentence(version, person)}\n    {version.source}, known from {iso(version.recorded_at)}{ended}")
        if version.quote:
            click.echo(f"    “{one_line(version.quote)}”")


@facts.command("add")
@click.argument("fact")
@click.option("--category", help="What kind of fact it is, in a word.")
@whose
@as_json
def add_fact(fact: str, category: str | None, number: str | None, *, as_json: bool) -> None:
    """Remember FACT, one short sentence.

    A NUMBER that is not known becomes a person. Without one, the fact is of the only person known, or, while nobody
    is, of the first number of the phone page.
    """
    checked_sentence(fact)  # Before anybody becomes known for the sake of it.
    services = ready_services()
    person = known_or_new(services, number)
    remembered = remember(services, person.id, [NewFact(fact, category)], BY_OPERATOR)
    if as_json:
        stored = [_record(one, person) for one in remembered.stored]
        print_json({"stored": stored, "duplicates": [_record(one, person) for one in remembered.duplicates]})
        return
    for one in remembered.stored:
        click.echo(_line(one, person))
    for one in remembered.duplicates:
        click.echo(f"Known already:\n{_line(one, person)}")


@facts.command("revise")
@click.argument("fact_id", type=int)
@click.argument("fact", required=False)
@click.option("--category", help="The new category.")
@click.option("--pin/--unpin", "pinned", default=None, help="Always show it to the model, or as the others.")
@click.option(
    "--expires",
    "last_day",
    type=LastDay(),
    help="The last day, in the person's own zone, on which it is shown unasked: 2026-08-10, or never.",
)
@whose
@as_json
def revise_fact(
    fact_id: int,
    fact: str | None,
    category: str | None,
    last_day: date | None,
    number: str | None,
    *,
    pinned: bool | None,
    as_json: bool,
) -> None:
    """Change the fact FACT_ID; what it said before is kept as history. An archived one is brought back by it."""
    if fact is None and category is None and pinned is None and last_day is None:
        raise click.UsageError(
            "Nothing to change was given. Give FACT, --category, --pin or --unpin. A last day: --expires."
        )
    services = ready_services()
    person = known(services, number)
    try:
        revised = revise(
            services, person.id, fact_id, BY_OPERATOR, fact=fact, category=category, pinned=pinned, last_day=last_day
        )
    except NotFound:
        raise FACT.none_such(person, [fact_id]) from None
    FACT.print(revised, person, as_json=as_json)


@facts.command("forget")
@click.argument("fact_ids", type=int, nargs=-1, required=True)
@whose
@as_json
def forget_facts(fact_ids: tuple[int, ...], number: str | None, *, as_json: bool) -> None:
    """Forget the facts FACT_IDS."""
    services = ready_services()
    person = known(services, number)
    FACT.print_removed(forget(services, person.id, fact_ids, BY_OPERATOR), person, as_json=as_json)


@facts.command("restore")
@click.argument("fact_id", type=int)
@whose
@as_json
def restore_fact(fact_id: int, number: str | None, *, as_json: bool) -> None:
    """Bring back the fact FACT_ID, which was archived or forgotten."""
    services = ready_services()
    person = known(services, number)
    try:
        restored = restore(services, person.id, fact_id, BY_OPERATOR)
    except NotFound:
        raise FACT.none_such(person, [fact_id]) from None
    FACT.print(restored, person, as_json=as_json)


def _line(fact: Fact, person: Person) -> str:
    return f"{fact.number:5}  {_sentence(fact, person)}"


def _sentence(fact: Fact, person: Person) -> str:
    until = f"until {last_day_before(fact.expires_at, person.timezone)}" if fact.expires_at else None
    notes = ", ".join(note for note in (fact.category, "pinned" if fact.pinned else None, until) if note)
    return f"{fact.sentence}{f'  ({notes})' if notes else ''}"


def _record(fact: Fact, person: Person) -> dict[str, object]:
    return {
        "id": fact.number,
        "fact": fact.sentence,
        "category": fact.category,
        "source": fact.source,
        "pinned": fact.pinned,
        "created_at": iso(fact.created_at),
        "updated_at": iso(fact.recorded_at),
        "person": person.address,
    }


def _archived_record(fact: Fact, person: Person) -> dict[str, object]:
    return _record(fact, person) | {"archived_at": iso(fact.archived_at or fact.expires_at)}


def _version(fact: Fact) -> dict[str, object]:
    instants = ("recorded_at", "retired_at", "valid_from", "valid_to", "expires_at", "archived_at")
    values = {name: getattr(fact, name) for name in ("category", "source", "confidence", "quote")}
    return {"fact": fact.sentence, **values, **{name: iso(getattr(fact, name)) for name in instants}}


FACT = Noun("fact", _line, _record)
ARCHIVED = Noun("fact", _line, _archived_record)
