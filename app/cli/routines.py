from collections.abc import Callable, Sequence

import click

from app import people
from app.cli.parameters import as_json, of_whom, whose
from app.cli.persons import BY_OPERATOR, known, known_or_new, ready_services
from app.cli.printing import Noun, iso, print_json
from app.conversation.due_routines import carrier_of
from app.errors import NotFound
from app.memory import Origin
from app.models import Occurrence, Person, Routine, Suggestion
from app.routines import rows, setting
from app.routines import suggestions as suggested
from app.routines.described import describe
from app.routines.request import ScheduleRequest, from_request
from app.routines.setting import NewRoutine
from app.services import Services

OCCURRENCES_SHOWN = 20
OFTEN_MINUTES = 5  # What nobody may ask for by text, the operator may.


@click.group()
def routines() -> None:
    """What comes to people by itself: reminders and routines."""


@routines.command("list")
@of_whom
@click.option("--all", "also_over", is_flag=True, help="Also those that have ended or were cancelled.")
@as_json
def list_routines(number: str | None, *, also_over: bool, as_json: bool) -> None:
    """What is scheduled, each with the id that the other commands take."""
    listed = rows.all_of if also_over else rows.standing
    nothing = f"Nothing is scheduled{f' for {number}' if number else ''} yet."
    ROUTINE.print_each(ready_services(), number, listed, nothing, as_json=as_json)


@routines.command("suggestions")
@of_whom
@as_json
def list_suggestions(number: str | None, *, as_json: bool) -> None:
    """What was made of people's habits and suggested to them, routines and rules, and what they said to it."""
    nothing = f"Nothing was suggested{f' to {number}' if number else ''} yet."
    found = SUGGESTION.print_each(ready_services(), number, suggested.of, nothing, as_json=as_json)
    if found and not as_json:
        click.echo(suggested.adoption(found))


@routines.command("show")
@click.argument("routine_id", type=int)
@whose
@as_json
def show_routine(routine_id: int, number: str | None, *, as_json: bool) -> None:
    """One routine with its last occurrences, and what became of each."""
    services = ready_services()
    person = known(services, number)
    with services.reading() as db:
        routine = rows.by_number(db, person.id, routine_id)
        last: Sequence[Occurrence] = rows.occurrences(db, routine.id, OCCURRENCES_SHOWN) if routine else []
    if routine is None:
        raise ROUTINE.none_such(person, [routine_id])
    if as_json:
        print_json(_record(routine, person) | {"occurrences": [_occurrence(one) for one in last]})
        return
    click.echo(_line(routine, person))
    for one in last:
        by = " (run by an operator)" if one.by_operator else ""
        click.echo(f"    {iso(one.due_at)}  {one.state}{by}{f': {one.reason}' if one.reason else ''}")


@routines.command("add")
@click.argument("words")
@click.option("--run", is_flag=True, help="WORDS are an instruction that the model carries out; else they are sent.")
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
@click.option("--zone", help="The IANA zone that it stays in; else it travels with its person.")
@whose
@as_json
def add_routine(
    words: str, number: str | None, *, run: bool, zone: str | None, as_json: bool, **schedule: object
) -> None:
    """Schedule WORDS for a person."""
    setting.checked_words(words)
    services = ready_services()
    request = ScheduleRequest(**schedule)  # type: ignore[arg-type]
    now = services.clock.now()
    if number is not None:  # Before anybody becomes known for the sake of it.
        from_request(request, now, zone or _zone_of(services, number), least_minutes_apart=OFTEN_MINUTES)
    person = known_or_new(services, number)
    when = from_request(request, now, zone or person.timezone, least_minutes_apart=OFTEN_MINUTES)
    new = NewRoutine("run" if run else "remind", words, when, zone=zone)
    routine = setting.set_routine(services, person.id, new, BY_OPERATOR, carrier_of(services, ""))
    ROUTINE.print(routine, person, as_json=as_json)


@routines.command("cancel")
@click.argument("routine_ids", type=int, nargs=-1, required=True)
@whose
@as_json
def cancel_routines(routine_ids: tuple[int, ...], number: str | None, *, as_json: bool) -> None:
    """End the routines ROUTINE_IDS: they come no more."""
    services = ready_services()
    person = known(services, number)
    done = setting.cancel(services, person.id, routine_ids, BY_OPERATOR)
    ROUTINE.print_removed(done, person, as_json=as_json, verb="cancelled")


@routines.command("pause")
@click.argument("routine_id", type=int)
@whose
@as_json
def pause_routine(routine_id: int, number: str | None, *, as_json: bool) -> None:
    """Have the routine ROUTINE_ID not come until it is resumed."""
    _change(setting.pause, routine_id, number, as_json=as_json)


@routines.command("resume")
@click.argument("routine_id", type=int)
@whose
@as_json
def resume_routine(routine_id: int, number: str | None, *, as_json: bool) -> None:
    """Have the routine ROUTINE_ID come again."""
    _change(setting.resume, routine_id, number, as_json=as_json)


def _change(
    change: Callable[[Services, int, int, Origin], Routine], routine_id: int, number: str | None, *, as_json: bool
) -> None:
    services = ready_services()
    person = known(services, number)
    try:
        routine = change(services, person.id, routine_id, BY_OPERATOR)
    except NotFound:
        raise ROUTINE.none_such(person, [routine_id]) from None
    ROUTINE.print(routine, person, as_json=as_json)


def _zone_of(services: Services, number: str) -> str:
    """Of the person with that number, or what it is if they are new."""
    with services.reading() as db:
        person = people.by_address(db, number)
    return person.timezone if person else people.guess_timezone(number)[0]


def _line(routine: Routine, person: Person) -> str:
    zone = routine.zone or person.timezone
    comes = f", next {iso(routine.next_due_at)}" if routine.state == "active" and routine.next_due_at else ""
    return f"{routine.number:5}  {routine.words}  ({describe(rows.schedule_of(routine), zone)}; {routine.state}{comes})"


def _record(routine: Routine, person: Person) -> dict[str, object]:
    return {
        "id": routine.number,
        "does": routine.does,
        "words": routine.words,
        "state": routine.state,
        "schedule": routine.schedule,
        "when": describe(rows.schedule_of(routine), routine.zone or person.timezone),
        "zone": routine.zone,
        "next_due_at": iso(routine.next_due_at) if routine.state == "active" else None,
        "source": routine.source,
        "created_at": iso(routine.created_at),
        "person": person.address,
    }


def _suggestion_line(one: Suggestion, person: Person) -> str:
    made = f", {one.kind} {one.made_number}" if one.made_number else ""
    at = f" on {iso(one.said_at)}" if one.said_at else ""
    why = f": {one.reason}" if one.reason else ""
    return f"{one.id:5}  {suggested.described(one, person.timezone)}  ({one.kind}; {one.state}{made}{at}{why})"


def _suggestion(one: Suggestion, person: Person) -> dict[str, object]:
    return {
        "kind": one.kind,
        "words": one.words,
        "suggested": suggested.described(one, person.timezone),
        "times": one.times,
        "state": one.state,
        "reason": one.reason,
        "made": one.made_number,
        "said_at": iso(one.said_at),
        "answered_at": iso(one.answered_at),
        "person": person.address,
    }


def _occurrence(one: Occurrence) -> dict[str, object]:
    return {
        "due_at": iso(one.due_at),
        "state": one.state,
        "reason": one.reason,
        "late_seconds": one.late_seconds,
        "by_operator": one.by_operator,
        "said_at": iso(one.said_at),
    }


ROUTINE = Noun("routine", _line, _record)
SUGGESTION = Noun("suggestion", _suggestion_line, _suggestion)
