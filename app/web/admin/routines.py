"""The pages of a person's routines and of one routine: its words, schedule, occurrences and changes.

A routine can be run, paused, skipped or ended here.
"""

from flask import redirect, request, url_for
from werkzeug.wrappers import Response

from app import people
from app.clock import local
from app.conversation.coming import blocking_reason, next_times
from app.conversation.due_routines import newest_occurrences, run_now
from app.errors import Asleep, Conflict, NotFound, Refused
from app.models import Routine
from app.routines import answering, rows, setting, suggestions, values
from app.routines.occurrences import past
from app.routines.quiet_hours import QuietHours
from app.web import auth
from app.web.admin.blueprint import action, asked_id, bp, by_operator, not_done, page
from app.web.admin.provenance import source_message

OCCURRENCES_SHOWN = 3  # For each routine, enough to see at a glance that it works.
NEXT_SHOWN = 3
HISTORY_SHOWN = 20


@bp.get("/people/<int:person_id>/routines")
def routines(person_id: int) -> Response:
    services = auth.services()
    with services.reading() as db:
        person = people.by_id(db, person_id)
        found, suggested = rows.all_of(db, person_id), suggestions.of(db, person_id)
        shown = [
            {
                "routine": one,
                "when": rows.described(db, one, services.clock.now()),
                "last": rows.occurrences(db, one.id, OCCURRENCES_SHOWN),
            }
            for one in reversed(found)
        ]
    return page(
        "routines",
        person=person,
        shown=shown,
        over=sum(one.state not in Routine.STANDING for one in found),
        suggested=[(one, suggestions.described(one, person.timezone)) for one in reversed(suggested)],
        adoption=suggestions.adoption(suggested),
        quiet=QuietHours.parse(person.quiet_hours),
    )


@bp.get("/people/<int:person_id>/routines/<int:number>")
def routine(person_id: int, number: int, *, problem: Asleep | None = None) -> Response:
    services, before = auth.services(), asked_id("before")
    now = services.clock.now()
    with services.reading() as db:
        person = people.by_id(db, person_id)
        found = rows.by_number(db, person_id, number)
        if found is None:
            raise NotFound(f"This person never had a routine {number}.")
        shown = {
            "history": past(db, routine_id=found.id, before=before, limit=HISTORY_SHOWN),
            "source": source_message(db, person_id, found.message_id),
            "newest": newest_occurrences(db, [found.id]).get(found.id, 0),
            "when": rows.described(db, found, now),
        }
    return page(
        "routine",
        problem,
        person=person,
        routine=found,
        comes_once=rows.comes_once(found),
        next_day=found.next_due_at and local(found.next_due_at, found.zone or person.timezone).date(),
        coming=[
            (at, blocking_reason(services, found, person, at)) for at in next_times(found, person, now, NEXT_SHOWN)
        ],
        before=before,
        quiet=QuietHours.parse(person.quiet_hours),
        **shown,
    )


@bp.get("/people/<int:person_id>/routines/<int:number>/run")
def run_again(person_id: int, number: int) -> Response:
    """Redirect a reload of a refused form's URL to the routine's page, without running it."""
    return redirect(url_for("admin.routine", person_id=person_id, number=number), 303)


@action("/people/<int:person_id>/routines/<int:number>/run", "admin.routine", told=(Conflict, Refused))
def run_routine(person_id: int, number: int) -> str | Response:
    seen = asked_id("seen")  # An operator who has not seen its occurrences is shown them first.
    at_night = "at_night" in request.form
    try:
        run_now(auth.services(), person_id, number, seen=-1 if seen is None else seen, at_night=at_night)
    except Asleep as error:
        return routine(person_id, number, problem=error)
    return f"Routine {number} comes now; what becomes of it is shown below."


@action("/people/<int:person_id>/routines/<int:number>/pause", "admin.routine")
def pause_routine(person_id: int, number: int) -> str:
    setting.pause(auth.services(), person_id, number, by_operator(person_id))
    return f"Routine {number} is paused."


@action("/people/<int:person_id>/routines/<int:number>/resume", "admin.routine", told=Refused)
def resume_routine(person_id: int, number: int) -> str:
    setting.resume(auth.services(), person_id, number, by_operator(person_id))
    return f"Routine {number} comes again."


@action("/people/<int:person_id>/routines/<int:number>/skip", "admin.routine", told=Refused)
def skip_routine(person_id: int, number: int) -> str:
    try:
        shown = values.day("day", request.form.get("day", ""))
        _, day = answering.skip(auth.services(), person_id, number, by_operator(person_id), shown)
    except Refused as error:
        raise Refused(f"Routine {number} has no next time to leave out.") from error
    return f"Routine {number} is left out on {day}." if day else f"Routine {number} has come meanwhile, as shown below."


@action("/people/<int:person_id>/routines/<int:number>/end", "admin.routine")
def end_routine(person_id: int, number: int) -> str | Response:
    if setting.cancel(auth.services(), person_id, [number], by_operator(person_id)).unknown:
        return not_done(NotFound(f"Routine {number} is not there to end."), "admin.routines")
    return f"Routine {number} has ended."


@action("/people/<int:person_id>/routines/pause", "admin.routines")
def pause_all(person_id: int) -> str:
    by_operator(person_id)
    setting.pause_all(auth.services(), person_id)
    return "All are paused: nothing comes to this person by itself."


@action("/people/<int:person_id>/routines/end-pause", "admin.routines")
def end_pause_of_all(person_id: int) -> str:
    by_operator(person_id)
    setting.end_pause_of_all(auth.services(), person_id)
    with auth.services().reading() as db:
        paused = sum(one.state == "paused" for one in rows.all_of(db, person_id))
    still = f" {paused} {'is' if paused == 1 else 'are'} still paused on {'its' if paused == 1 else 'their'} own."
    return f"All routines resumed.{still if paused else ''}"
