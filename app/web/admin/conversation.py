"""A person's texts as they looked on the phone, with what each turn did folded under it, and what is known of them."""

from dataclasses import dataclass
from datetime import datetime

from flask import make_response, render_template, request, url_for
from werkzeug.wrappers import Response

from app import people
from app.conversation import budget
from app.models import Person
from app.web import auth
from app.web.admin import live
from app.web.admin.beside_queries import Beside, beside
from app.web.admin.blueprint import asked_id, bp
from app.web.admin.known_queries import FactsKnown, facts_known
from app.web.admin.shown import as_day
from app.web.admin.thread_queries import Thread, thread
from app.web.streams import Sections, fingerprint


@bp.get("/people/<int:person_id>")
def conversation(person_id: int) -> Response:
    places = {name: asked_id(name) for name in ("before", "after", "around")}
    seen = _see(person_id, is_unfolded="unfold" in request.args, **places)
    sections = _sections(seen)
    page = render_template(
        "admin/conversation.html",
        person=seen.person,
        thread=seen.thread,
        sought=seen.sought,
        lists=live.written(sections),
        events=url_for("admin.conversation_events", person_id=person_id, known=fingerprint(sections)),
        snapshot=url_for("admin.conversation_snapshot", person_id=person_id),
        is_followed=not any(places.values()),  # Earlier texts do not change.
        now=seen.now,
    )
    return make_response(page)


@dataclass(frozen=True)
class _Seen:
    person: Person
    known: FactsKnown
    thread: Thread
    beside: Beside
    sought: int | None
    is_unfolded: bool
    """Whether the turn that ends with the text that is sought is shown with all that is kept of it."""
    now: datetime


def _see(
    person_id: int,
    *,
    before: int | None = None,
    after: int | None = None,
    around: int | None = None,
    is_unfolded: bool = False,
) -> _Seen:
    services = auth.services()
    now = services.clock.now()
    with services.reading() as db:
        person, known = people.by_id(db, person_id), facts_known(db, person_id, now)
        return _Seen(
            person,
            known,
            thread(db, person_id, known, before=before, after=after, around=around),
            beside(db, person_id, known, budget.month_until(budget.day_of(now, services))),
            around,
            is_unfolded,
            now,
        )


def _sections(seen: _Seen) -> Sections:
    person, texts = seen.person, seen.thread
    parts = live.parts(
        "admin/conversation_parts.html",
        person=person,
        sought=seen.sought,
        is_unfolded=seen.is_unfolded,
        facts=seen.known.by_number,
        episodes=texts.episodes,
        now=seen.now,
    )
    days = [as_day(bubble.message.created_at, person.timezone) for bubble in texts.bubbles]
    return {
        "thread": [
            [str(bubble.message.id), str(parts.moment(bubble, day if day != day_before else ""))]
            for bubble, day, day_before in zip(texts.bubbles, days, ["", *days], strict=False)
        ],
        "about": [["about", str(parts.about(seen.beside))]],
    }


live.offer("/people/<int:person_id>", "conversation", lambda person_id: _sections(_see(person_id)))
