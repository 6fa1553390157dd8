"""The page of all that comes to people by itself in the coming week, by day; and of all that was due."""

import re
from datetime import UTC, datetime, timedelta

from flask import request
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response

from app import people
from app.conversation.coming import DAYS, Key, coming_on
from app.conversation.due_routines import newest_occurrences
from app.models import Person
from app.routines import history
from app.web import auth
from app.web.admin.blueprint import Place, asked_id, bp, page

PLACE = Place("Routines", "admin.all_routines", 40)

BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


@bp.get("/routines")
def all_routines() -> Response:
    services, key = auth.services(), request.args.get("after", "")
    now = services.clock.now()
    days = {f"{now.date() + timedelta(days=ahead)}": now.date() + timedelta(days=ahead) for ahead in range(DAYS)}
    day = days.get(request.args.get("day", ""), now.date())
    with services.reading() as db:
        person, person_id = _asked_person(db), asked_id("person")
        is_first, after = day == now.date(), _read_key(key)
        coming, next_key = coming_on(db, services, day, is_first=is_first, person_id=person_id, after=after)
        newest = newest_occurrences(db, {one.routine.id for one in coming})
    return page(
        "all_routines",
        person_asked=person,
        days=list(days.values()),
        day=day,
        newest=newest,
        coming=coming,
        is_first_page=not key,
        next_key=_written_key(next_key),
    )


@bp.get("/routines/history")
def routine_history() -> Response:
    state, before = request.args.get("state", ""), asked_id("before")
    state = state if state in history.STATES else ""
    with auth.services().reading() as db:
        person = _asked_person(db)
        past = history.past(db, person_id=asked_id("person"), state=state or None, before=before)
    shown = {"states": history.STATES, "state": state, "past": past, "before": before}
    return page("routine_history", person_asked=person, **shown)


def _asked_person(db: Session) -> Person | None:
    """The one person whose routines alone are asked for.

    Raises:
        NotFound: there is no such person.
    """
    person_id = asked_id("person")
    return None if person_id is None else people.by_id(db, person_id)


def _written_key(key: Key | None) -> str | None:
    return None if key is None else f"{(key[0] - BEGINNING) // MICROSECOND}-{key[1]}"


def _read_key(key: str) -> Key | None:
    found = re.fullmatch(r"(\d{1,16})-(\d{1,18})", key)
    return (BEGINNING + int(found[1]) * MICROSECOND, int(found[2])) if found else None
