"""The page of all that comes to people by itself in the coming week, by day; and of all that was due."""

import re
from datetime import UTC, date, datetime, timedelta

from flask import make_response, render_template, request
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response

from app import people
from app.conversation.coming import DAYS, Key, coming_on
from app.conversation.coming_week import coming_week
from app.conversation.run_now import newest_occurrences
from app.models import Person
from app.routines import history
from app.web import auth
from app.web.admin.blueprint import asked_id, bp
from app.web.admin.navigation import Place

PLACE = Place("Routines", "admin.all_routines", 40)

BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


@bp.get("/routines")
def all_routines() -> Response:
    services, key = auth.services(), request.args.get("after", "")
    now = services.clock.now()
    days = [now.date() + timedelta(days=ahead) for ahead in range(DAYS)]
    day = _asked_day(days)
    with services.reading() as db:
        person = _asked_person(db)
        coming = coming_on(
            db,
            services,
            day,
            is_first=day == days[0],
            person_id=person.id if person else None,
            after=_read_key(key),
        )
        week = coming_week(db, now, person_id=person.id if person else None)
        newest = newest_occurrences(db, {one.routine.id for one in coming.found})
    page = render_template(
        "admin/all_routines.html",
        person_asked=person,
        week=week,
        day=day,
        newest=newest,
        coming=coming.found,
        is_first_page=not key,
        next_key=_written_key(coming.next_key),
        now=now,
    )
    return make_response(page)


@bp.get("/routines/history")
def routine_history() -> Response:
    services, state = auth.services(), request.args.get("state", "")
    state = state if state in history.STATES else ""
    before = asked_id("before")
    with services.reading() as db:
        person = _asked_person(db)
        past = history.past(db, person_id=person.id if person else None, state=state or None, before=before)
    page = render_template(
        "admin/routine_history.html",
        person_asked=person,
        states=history.STATES,
        state=state,
        past=past,
        before=before,
        now=services.clock.now(),
    )
    return make_response(page)


def _asked_person(db: Session) -> Person | None:
    """The one person whose routines alone are asked for.

    Raises:
        NotFound: there is no such person.
    """
    person_id = asked_id("person")
    return None if person_id is None else people.by_id(db, person_id)


def _asked_day(days: list[date]) -> date:
    asked = request.args.get("day", "")
    return next((day for day in days if day.isoformat() == asked), days[0])


def _written_key(key: Key | None) -> str | None:
    return None if key is None else f"{(key[0] - BEGINNING) // MICROSECOND}-{key[1]}"


def _read_key(key: str) -> Key | None:
    found = re.fullmatch(r"(\d{1,16})-(\d{1,18})", key)
    return (BEGINNING + int(found[1]) * MICROSECOND, int(found[2])) if found else None
