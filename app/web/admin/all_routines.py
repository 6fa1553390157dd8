"""The pages of everybody's routines: those of the coming week by day, and past occurrences."""

from datetime import timedelta

from flask import request
from werkzeug.wrappers import Response

from app.conversation.coming import DAYS, upcoming_on
from app.conversation.due_routines import newest_occurrences
from app.routines import occurrences
from app.web import auth
from app.web.admin.blueprint import Place, asked_id, asked_person, bp, page

PLACE = Place("Routines", "admin.all_routines", 40)
PAGES_MOST = 10_000  # For one day; the number comes from the URL.


@bp.get("/routines")
def all_routines() -> Response:
    services, number = auth.services(), min(asked_id("page") or 1, PAGES_MOST)
    now = services.clock.now()
    days = {f"{now.date() + timedelta(days=ahead)}": now.date() + timedelta(days=ahead) for ahead in range(DAYS)}
    day = days.get(request.args.get("day", ""), now.date())
    with services.reading() as db:
        person, person_id = asked_person(db), asked_id("person")
        is_first = day == now.date()
        coming, has_more = upcoming_on(db, services, day, is_first=is_first, person_id=person_id, number=number)
        newest = newest_occurrences(db, {one.routine.id for one in coming})
    shown = {"coming": coming, "newest": newest, "number": number, "has_more": has_more}
    return page("all_routines", person_asked=person, days=list(days.values()), day=day, **shown)


@bp.get("/routines/history")
def routine_history() -> Response:
    state, before = request.args.get("state", ""), asked_id("before")
    state = state if state in occurrences.STATES else ""
    with auth.services().reading() as db:
        person = asked_person(db)
        past = occurrences.past(db, person_id=asked_id("person"), state=state or None, before=before)
    shown = {"states": occurrences.STATES, "state": state, "past": past, "before": before}
    return page("routine_history", person_asked=person, **shown)
