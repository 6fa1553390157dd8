"""A person's texts as they looked on the phone, with what each turn did folded under it, and what is known of them."""

from datetime import date
from typing import Any

from flask import request, url_for
from sqlalchemy import BindParameter, Select, bindparam, func, select
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response

from app import people
from app.conversation import budget
from app.models import Episode, Person, Routine, Rule
from app.web import auth
from app.web.admin import live
from app.web.admin.blueprint import asked_id, bp, page
from app.web.admin.people import spent_by
from app.web.admin.shown import Listed, as_day
from app.web.admin.thread import FactKnown, Stretch, Thread, facts_known, thread
from app.web.streams import Sections, fingerprint

FACTS_SHOWN = 6
OTHERS_SHOWN = 3

# Made once: to build a question takes longer than to answer it.
_person: BindParameter[int] = bindparam("person")
_all = func.count().over()
_EPISODES = select(Episode, _all).where(Episode.person_id == _person, Episode.retired_at.is_(None))
_EPISODES = _EPISODES.order_by(Episode.ended_at.desc()).limit(OTHERS_SHOWN)
_RULES = select(Rule, _all).where(Rule.person_id == _person, Rule.retired_at.is_(None))
_RULES = _RULES.order_by(Rule.number.desc()).limit(OTHERS_SHOWN)
_ROUTINES = select(Routine, _all).where(Routine.person_id == _person, Routine.state.in_(Routine.STANDING))
_ROUTINES = _ROUTINES.order_by(Routine.next_due_at.is_(None), Routine.next_due_at).limit(OTHERS_SHOWN)


@bp.get("/people/<int:person_id>")
def conversation(person_id: int) -> Response:
    stretch = Stretch(asked_id("before"), asked_id("after"), asked_id("around"))
    person, shown, sections = _see(person_id, stretch, is_unfolded="unfold" in request.args)
    return page(
        "conversation",
        person=person,
        thread=shown,
        sought=stretch.around,
        lists=live.written(sections),
        events=url_for("admin.conversation_events", person_id=person_id, known=fingerprint(sections)),
        snapshot=url_for("admin.conversation_snapshot", person_id=person_id),
        is_followed=stretch == Stretch(),  # Earlier texts do not change.
    )


def _see(person_id: int, stretch: Stretch, *, is_unfolded: bool = False) -> tuple[Person, Thread, Sections]:
    """The person, the texts and the parts of the page; `is_unfolded` shows the turn of the sought text open."""
    services = auth.services()
    now = services.clock.now()
    month = budget.month_until(budget.day_of(now, services))
    with services.reading() as db:
        person, known = people.by_id(db, person_id), facts_known(db, person_id, now)
        shown, beside = thread(db, person_id, known, stretch), _beside(db, person_id, known, month)
    parts = live.parts(
        "admin/conversation_parts.html",
        person=person,
        sought=stretch.around,
        is_unfolded=is_unfolded,
        facts={one.number: one for one in reversed(known)},  # Each in the version that is held, or else its last.
        episodes=shown.episodes,
    )
    days = [as_day(bubble.message.created_at, person.timezone) for bubble in shown.bubbles]
    moments = [
        [str(bubble.message.id), str(parts.moment(bubble, day if day != day_before else ""))]
        for bubble, day, day_before in zip(shown.bubbles, days, ["", *days], strict=False)
    ]
    return person, shown, {"thread": moments, "about": [["about", str(parts.about(beside))]]}


def _beside(db: Session, person_id: int, known: list[FactKnown], month: list[date]) -> dict[str, Any]:
    """The column beside the thread: what is remembered of the person, what comes, and their cost of the month."""

    def some(rows: Select[Any, int]) -> Listed:
        found = db.execute(rows, {"person": person_id}).all()
        return Listed([row[0] for row in found], found[0][1] if found else 0)

    return {
        "facts": Listed([one for one in known[:FACTS_SHOWN] if one.is_live], known[0].live_count if known else 0),
        "episodes": some(_EPISODES),
        "rules": some(_RULES),
        "routines": some(_ROUTINES),
        "spent_cents": spent_by(db, [person_id], month).get(person_id, 0.0),
    }


live.offer("/people/<int:person_id>", "conversation", lambda person_id: _see(person_id, Stretch())[2])
