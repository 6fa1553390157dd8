"""One routine: what it says and when it comes, what became of it, who changed it; and to run, pause, skip or end it."""

from flask import make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from app import people
from app.conversation.coming import against, next_times
from app.conversation.run_now import newest_occurrence, run_now
from app.errors import Asleep, Conflict, KeepsakeError, NotFound, Refused
from app.routines import answering, rows, setting
from app.routines.described import describe
from app.routines.history import changes_of, past_of
from app.routines.quiet_hours import QuietHours
from app.web import auth
from app.web.admin import queries
from app.web.admin.blueprint import MAX_ID, asked_id, bp, done, not_done
from app.web.admin.undoing import by_operator

NEXT_SHOWN = 3
HISTORY_SHOWN = 20


@bp.get("/people/<int:person_id>/routines/<int:number>")
def routine(person_id: int, number: int) -> Response:
    return _page(person_id, number)


@bp.get("/people/<int:person_id>/routines/<int:number>/run")
def run_again(person_id: int, number: int) -> Response:
    """The address of a form that was refused, entered again: nothing is run by that."""
    return redirect(url_for("admin.routine", person_id=person_id, number=number), 303)


@bp.post("/people/<int:person_id>/routines/<int:number>/run")
def run_routine(person_id: int, number: int) -> Response:
    seen = request.form.get("seen", type=int)
    if seen is None or not 0 <= seen <= MAX_ID:
        seen = -1  # Whoever has seen nothing of it is shown it first.
    try:
        run_now(auth.services(), person_id, number, seen=seen, at_night="at_night" in request.form)
    except Asleep as error:
        return _page(person_id, number, asleep=str(error), status=error.http_status)
    except (Conflict, Refused) as error:
        return _not_done(error, person_id, number)
    return _back(f"Routine {number} comes now; what becomes of it is shown below.", person_id, number)


@bp.post("/people/<int:person_id>/routines/<int:number>/pause")
def pause_routine(person_id: int, number: int) -> Response:
    setting.pause(auth.services(), person_id, number, by_operator(person_id))
    return _back(f"Routine {number} is paused.", person_id, number)


@bp.post("/people/<int:person_id>/routines/<int:number>/resume")
def resume_routine(person_id: int, number: int) -> Response:
    try:
        setting.resume(auth.services(), person_id, number, by_operator(person_id))
    except Refused as error:
        return _not_done(error, person_id, number)
    return _back(f"Routine {number} comes again.", person_id, number)


@bp.post("/people/<int:person_id>/routines/<int:number>/skip")
def skip_routine(person_id: int, number: int) -> Response:
    try:
        day = answering.skip_next(auth.services(), person_id, number, by_operator(person_id))
    except Refused:
        return _not_done(Refused(f"Routine {number} has no next time to leave out."), person_id, number)
    said = f"Routine {number} is left out on {day:%A} {day.day} {day:%B}."
    return _back(said, person_id, number)


@bp.post("/people/<int:person_id>/routines/<int:number>/end")
def end_routine(person_id: int, number: int) -> Response:
    if setting.cancel(auth.services(), person_id, [number], by_operator(person_id)).unknown:
        return not_done(NotFound(f"Routine {number} is not there to end."), "admin.routines", person_id=person_id)
    return _back(f"Routine {number} comes no more.", person_id, number)


@bp.post("/people/<int:person_id>/routines/pause")
def pause_all(person_id: int) -> Response:
    _known(person_id)
    setting.pause_all(auth.services(), person_id)
    return done("All are paused: nothing comes to this person by itself.", "admin.routines", person_id=person_id)


@bp.post("/people/<int:person_id>/routines/end-pause")
def end_pause_of_all(person_id: int) -> Response:
    _known(person_id)
    setting.end_pause_of_all(auth.services(), person_id)
    said = "The pause of all is ended; what was paused by itself still is."
    return done(said, "admin.routines", person_id=person_id)


def _known(person_id: int) -> None:
    with auth.services().reading() as db:
        people.by_id(db, person_id)


def _not_done(error: KeepsakeError, person_id: int, number: int) -> Response:
    return not_done(error, "admin.routine", person_id=person_id, number=number)


def _back(said: str, person_id: int, number: int) -> Response:
    return done(said, "admin.routine", person_id=person_id, number=number)


def _page(person_id: int, number: int, *, asleep: str = "", status: int = 200) -> Response:
    services, before = auth.services(), asked_id("before")
    now = services.clock.now()
    with services.reading() as db:
        person = people.by_id(db, person_id)
        found = rows.by_number(db, person_id, number)
        if found is None:
            raise NotFound(f"This person never had a routine {number}.")
        history = past_of(db, found.id, before=before, limit=HISTORY_SHOWN)
        changes = changes_of(db, found)
        source = queries.source_message(db, person_id, found.message_id)
        newest = newest_occurrence(db, found.id)
    coming = next_times(found, person, now, NEXT_SHOWN)
    page = render_template(
        "admin/routine.html",
        person=person,
        routine=found,
        when=describe(rows.schedule_of(found), found.zone or person.timezone, now),
        comes_once=rows.comes_once(found),
        coming=[(at, against(services, found, person, at)) for at in coming],
        history=history,
        before=before,
        changes=changes,
        source=source,
        newest=newest,
        asleep=asleep,
        quiet=QuietHours.said(person.quiet_hours),
        now=now,
    )
    return make_response(page, status)
