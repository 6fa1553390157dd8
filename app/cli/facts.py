from datetime import date

import click

from app.cli.call import BY_OPERATOR, Call, about_one, iso, last_day_or_never, of_anybody, with_call
from app.cli.printing import Noun, one_line, values
from app.clock import last_day_before
from app.memory import NewFact, forget, remember, restore, revise
from app.memory import facts as rows
from app.memory.remember import checked_sentence
from app.models import Fact, Person

facts = click.Group("facts", help="Facts that are remembered about people.")


@facts.command("list")
@of_anybody
@click.option(
    "--archived", is_flag=True, help="Archived facts instead: a search finds them, and nothing shows them unasked."
)
@with_call
def list_facts(call: Call, *, archived: bool) -> None:
    """List facts, each with the id that the other commands take."""
    noun, listed = (ARCHIVED, rows.archived) if archived else (FACT, rows.live)
    whom = f"about {call.number}" if call.number else "of anybody"
    nothing = f"Nothing is archived {whom}." if archived else f"Nothing is remembered {whom} yet."
    noun.print_each(call, lambda db, who: listed(db, who, call.services.clock.now()), nothing)


@facts.command("show")
@click.argument("fact_id", type=int)
@about_one
def show_fact(call: Call, fact_id: int) -> None:
    """Show one fact with all its versions, and where each came from."""
    person = call.person
    with call.services.reading() as db:
        versions = rows.versions(db, person.id, fact_id)
    if not versions:
        raise FACT.none_such(person, [fact_id])
    lines = []
    for version in versions:
        ended = f" until {iso(version.retired_at)}" if version.retired_at else ""
        if rows.is_archived(version, call.services.clock.now()):
            ended = f", archived at {iso(version.archived_at or version.expires_at)}"
        lines.append(
            f"{_sentence(version, person)}\n    {version.source}, known from {iso(version.recorded_at)}{ended}"
        )
        if version.quote:
            lines.append(f"    “{one_line(version.quote)}”")
    call.answer(_record(versions[-1], person) | {"versions": [_version(version) for version in versions]}, *lines)


@facts.command("add")
@click.argument("fact")
@click.option("--category", help="The kind of fact, in one word.")
@about_one
def add_fact(call: Call, fact: str, category: str | None) -> None:
    """Remember FACT, one short sentence.

    An unknown NUMBER becomes a new person. Without NUMBER the fact is about the only person, or, before there is any,
    about the first number of the phone page.
    """
    checked_sentence(fact)  # Before a new person is added for it.
    person = call.person_or_new
    done = remember(call.services, person.id, [NewFact(fact, category)], BY_OPERATOR)
    lines = [_line(one, person) for one in done.stored]
    lines += [f"Known already:\n{_line(one, person)}" for one in done.duplicates]
    kinds = {"stored": done.stored, "duplicates": done.duplicates}
    call.answer({name: [_record(one, person) for one in some] for name, some in kinds.items()}, *lines)


@facts.command("revise")
@click.argument("fact_id", type=int)
@click.argument("fact", required=False)
@click.option("--category", help="The new category.")
@click.option("--pin/--unpin", "pinned", default=None, help="Always show it to the model, or only when it matters.")
@click.option(
    "--expires",
    "last_day",
    type=last_day_or_never,
    metavar="DATE",
    help="The last day, in the person's own zone, on which it is shown unasked: 2026-08-10, or never.",
)
@about_one
def revise_fact(
    call: Call, fact_id: int, *, fact: str | None, category: str | None, pinned: bool | None, last_day: date | None
) -> None:
    """Change the fact FACT_ID, and keep the old version as history. An archived fact becomes live again."""
    if fact is None and category is None and pinned is None and last_day is None:
        raise click.UsageError(
            "Nothing to change was given. Give FACT, --category, --pin or --unpin. A last day: --expires."
        )

    def change(who: int) -> Fact:
        return revise(
            call.services, who, fact_id, BY_OPERATOR, fact=fact, category=category, pinned=pinned, last_day=last_day
        )

    FACT.print_changed(call, fact_id, change)


def _line(fact: Fact, person: Person) -> str:
    return f"{fact.number:5}  {_sentence(fact, person)}"


def _sentence(fact: Fact, person: Person) -> str:
    until = f"until {last_day_before(fact.expires_at, person.timezone)}" if fact.expires_at else None
    notes = ", ".join(note for note in (fact.category, "pinned" if fact.pinned else None, until) if note)
    return f"{fact.sentence}{f'  ({notes})' if notes else ''}"


def _record(fact: Fact, person: Person) -> dict[str, object]:
    times = {"created_at": fact.created_at, "updated_at": fact.recorded_at}
    shown = values(fact, "category", "source", "pinned")
    return {"id": fact.number, "fact": fact.sentence, **shown, **times, "person": person.address}


def _version(fact: Fact) -> dict[str, object]:
    instants = values(fact, "recorded_at", "retired_at", "valid_from", "valid_to", "expires_at", "archived_at")
    return {"fact": fact.sentence, **values(fact, "category", "source", "confidence", "quote"), **instants}


FACT = Noun("fact", _line, _record)
FACT.add_removal(facts, "forget", forget, "Forget the facts FACT_IDS.")
FACT.add_change(facts, "restore", restore, "Restore the archived or forgotten fact FACT_ID.")
ARCHIVED = Noun(
    "fact", _line, lambda fact, of: _record(fact, of) | {"archived_at": fact.archived_at or fact.expires_at}
)
