from collections.abc import Sequence
from typing import Any

import click

from app import people
from app.cli.call import BY_OPERATOR, Call, about_one, iso, of_anybody, with_call
from app.cli.printing import Noun, values
from app.conversation.due_routines import carrier_of
from app.models import Occurrence, Person, Routine, Suggestion
from app.routines import rows, setting
from app.routines import suggestions as suggested
from app.routines.described import describe
from app.routines.request import ScheduleRequest, from_request
from app.routines.setting import NewRoutine
from app.web.phone import NUMBERS

OCCURRENCES_SHOWN = 20

routines = click.Group("routines", help="Reminders and routines that come by themselves.")


@routines.command("list")
@of_anybody
@click.option("--all", "also_over", is_flag=True, help="Include ended and cancelled ones.")
@with_call
def list_routines(call: Call, *, also_over: bool) -> None:
    """List routines, each with the id that the other commands take."""
    nothing = f"Nothing is scheduled{f' for {call.number}' if call.number else ''} yet."
    ROUTINE.print_each(call, rows.all_of if also_over else rows.standing, nothing)


@routines.command("suggestions")
@of_anybody
@with_call
def list_suggestions(call: Call) -> None:
    """List the routines and rules suggested to people because of their habits, with their answers."""
    nothing = f"Nothing was suggested{f' to {call.number}' if call.number else ''} yet."
    found = SUGGESTION.print_each(call, suggested.of, nothing)
    if found and not call.as_json:
        click.echo(suggested.adoption(found))


@routines.command("show")
@click.argument("routine_id", type=int)
@about_one
def show_routine(call: Call, routine_id: int) -> None:
    """Show one routine with its last occurrences and their outcomes."""
    person = call.person
    with call.services.reading() as db:
        routine = rows.by_number(db, person.id, routine_id)
        last: Sequence[Occurrence] = rows.occurrences(db, routine.id, OCCURRENCES_SHOWN) if routine else []
    if routine is None:
        raise ROUTINE.none_such(person, [routine_id])
    lines = [_line(routine, person)]
    for one in last:
        by = " (run by an operator)" if one.by_operator else ""
        lines.append(f"    {iso(one.due_at)}  {one.state}{by}{f': {one.reason}' if one.reason else ''}")
    columns = ("due_at", "state", "reason", "late_seconds", "by_operator", "said_at")
    call.answer(_record(routine, person) | {"occurrences": [values(one, *columns) for one in last]}, *lines)


@routines.command("add")
@click.argument("words")
@click.option("--run", is_flag=True, help="WORDS are an instruction for the model; else they are sent as they are.")
@click.option(
    "--repeat",
    type=click.Choice(["once", "hourly", "daily", "weekly", "monthly", "yearly"]),
    default="once",
    show_default=True,
    help="How often it comes.",
)
@click.option("--at", "times", metavar="HH:MM", multiple=True, help="On the person's own clock. May be repeated.")
@click.option("--in", "in_minutes", metavar="MINUTES", type=int, default=0, help="Once, after so many minutes.")
@click.option("--on", "date", metavar="YYYY-MM-DD", default="", help="The day, or the first day.")
@click.option("--weekday", "weekdays", multiple=True, help="By name. May be repeated.")
@click.option("--day", "days_of_month", type=int, multiple=True, help="Of the month, 1 to 31. May be repeated.")
@click.option("--until", metavar="YYYY-MM-DD", default="", help="The last day.")
@click.option("--zone", help="A fixed IANA time zone; else the routine follows its person's.")
@about_one
def add_routine(call: Call, words: str, *, run: bool, zone: str | None, **schedule: object) -> None:
    """Schedule WORDS for a person."""
    setting.checked_words(words)
    services = call.services
    request = ScheduleRequest(**schedule)  # type: ignore[arg-type]
    now = services.clock.now()
    person = call.found()
    theirs = person.timezone if person else people.guess_timezone(call.number or NUMBERS[0])[0]
    when = from_request(request, now, zone or theirs)
    person = call.person_or_new  # After the schedule was checked, as it may add a new person.
    new = NewRoutine("run" if run else "remind", words, when, zone=zone)
    routine = setting.set_routine(services, person.id, new, BY_OPERATOR, carrier_of(services, ""))
    call.answer(_record(routine, person), _line(routine, person))


@routines.command("revise")
@click.argument("routine_id", type=int)
@click.argument("words", required=False)
@click.option("--at", "times", metavar="HH:MM", multiple=True, help="The new hours. May be repeated.")
@click.option("--zone", help="A fixed IANA time zone, or none to follow its person's.")
@about_one
def revise_routine(call: Call, routine_id: int, *, words: str | None, times: Sequence[str], zone: str | None) -> None:
    """Change the words, the hours or the zone of the routine ROUTINE_ID. For other days: cancel it, and add another."""
    changed: dict[str, Any] = {} if words is None else {"words": words}
    if zone is not None:
        changed["zone"] = None if zone == "none" else zone
    if times:
        changed["schedule"] = lambda known, its_zone: setting.rescheduled(known, its_zone, times)
    if not changed:
        raise click.UsageError("Nothing to change was given. Give WORDS, --at or --zone.")

    def change(who: int) -> Routine:
        return setting.revise_routine(call.services, who, routine_id, BY_OPERATOR, **changed)

    ROUTINE.print_changed(call, routine_id, change)


def _line(routine: Routine, person: Person) -> str:
    zone = routine.zone or person.timezone
    comes = f", next {iso(routine.next_due_at)}" if routine.state == "active" and routine.next_due_at else ""
    return f"{routine.number:5}  {routine.words}  ({describe(rows.schedule_of(routine), zone)}; {routine.state}{comes})"


def _record(routine: Routine, person: Person) -> dict[str, object]:
    return {
        "id": routine.number,
        **values(routine, "does", "words", "state", "schedule"),
        "when": describe(rows.schedule_of(routine), routine.zone or person.timezone),
        "zone": routine.zone,
        "next_due_at": routine.next_due_at if routine.state == "active" else None,
        **values(routine, "source", "created_at"),
        "person": person.address,
    }


def _suggestion_line(one: Suggestion, person: Person) -> str:
    made = f", {one.kind} {one.made_number}" if one.made_number else ""
    at = f" on {iso(one.said_at)}" if one.said_at else ""
    why = f": {one.reason}" if one.reason else ""
    return f"{one.id:5}  {suggested.described(one, person.timezone)}  ({one.kind}; {one.state}{made}{at}{why})"


def _suggestion(one: Suggestion, person: Person) -> dict[str, object]:
    return {
        **values(one, "kind", "words"),
        "suggested": suggested.described(one, person.timezone),
        **values(one, "times", "state", "reason"),
        "made": one.made_number,
        **values(one, "said_at", "answered_at"),
        "person": person.address,
    }


ROUTINE = Noun("routine", _line, _record)
ROUTINE.add_removal(routines, "cancel", setting.cancel, "Cancel the routines ROUTINE_IDS.")
ROUTINE.add_removal(routines, "forget", setting.cancel, "Cancel the routines ROUTINE_IDS, as cancel does.")
ROUTINE.add_change(routines, "pause", setting.pause, "Pause the routine ROUTINE_ID until it is resumed.")
ROUTINE.add_change(routines, "resume", setting.resume, "Resume the routine ROUTINE_ID.")
SUGGESTION = Noun("suggestion", _suggestion_line, _suggestion)
