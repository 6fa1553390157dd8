import sys

import click

from app import people
from app.cli.call import Call, phone_number, unknown, with_call
from app.cli.printing import values
from app.errors import DatabaseError
from app.models import AuditEntry
from app.operations import audit
from app.operations.audit import Outcome

LISTED = 50

log = click.Group("log", help="The log of what operators and commands did.")


@log.command("list")
@click.option("--person", "number", metavar="NUMBER", type=phone_number, help="Only entries about this person.")
@click.option("--operator", "who", metavar="NAME", help="Only entries of this operator; `terminal` for commands.")
@click.option(
    "--before", metavar="ENTRY", type=click.IntRange(1), help="Only entries older than the one with this number."
)
@click.option("--limit", type=click.IntRange(1, 10_000), default=LISTED, show_default=True, help="The most to show.")
@with_call
def list_entries(call: Call, who: str | None, before: int | None, limit: int) -> None:
    """List the entries, the newest first. No entry holds what people wrote.

    Each entry is written before the action. If the action fails, a second entry says `not done` and names the first.
    An entry without a second one was carried out, unless the process was killed in the middle.
    """
    with call.services.reading() as db:
        person = people.by_address(db, call.number) if call.number else None
        if call.number and person is None:
            raise unknown(call.number)
        within = before and min(before, sys.maxsize)  # Databases compare no larger numbers.
        found = audit.find(db, who=who, person_id=person.id if person else None, before=within, limit=limit)
    lines = [_line(*one) for one in found]
    call.answer([_record(*one) for one in found], *lines, nothing="There is no such entry.")


@log.command("verify")
@with_call
def verify_log(call: Call) -> None:
    """Check that no entry was changed; if one was, say where the chain breaks and exit with 1.

    The printed hash covers the whole log up to its last entry. Keep it elsewhere to see later whether the log was
    rewritten.
    """
    with call.services.reading() as db:
        found = audit.verify(db)
    told = [f"The log is whole: {found.entries} as written. {found.head}"] if found.is_whole else []
    whole = {"whole": found.is_whole, "entries": found.entries, "hash": found.head, "broken_at": found.broken_at}
    call.answer(whole, *told)
    if not found.is_whole:
        raise DatabaseError(f"The log breaks at entry {found.broken_at}: {found.problem} Compare it with a backup.")


def _line(entry: AuditEntry, outcome: Outcome | None) -> str:
    person = f"person {entry.person_id}" if entry.person_id is not None else ""
    times = f"{entry.times} times" if entry.times > 1 else ""
    said = filter(None, [entry.who, entry.did, person, entry.about, times, entry.reason, str(outcome or "")])
    return f"{entry.id:6}  {entry.at:%Y-%m-%d %H:%M} UTC  {'  '.join(said)}"


def _record(entry: AuditEntry, outcome: Outcome | None) -> dict[str, object]:
    return {
        **values(entry, "id", "at", "who", "did", "person_id", "about", "reason", "times"),
        "is_done": outcome.is_done if outcome else None,
        "why_not": (outcome.why or None) if outcome else None,
        "hash": entry.hash,
    }
