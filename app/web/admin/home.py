"""*Today*: current figures, waiting texts, problems and coming routines, each linked to its own full page.

Each part takes one query, however many rows there are.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import bindparam, func, literal, select, union_all
from sqlalchemy.orm import Session, lazyload
from werkzeug.wrappers import Response

from app.conversation.budget import budget_day, spent_cents
from app.delivery.reports import ARRIVED, LOST
from app.models import Change, ChangeItem, Episode, Fact, Message, Person, Routine, Rule
from app.operations.alerts import open_alerts
from app.operations.checks import rounds
from app.operations.numbers.halving import Timeline
from app.web import auth, health, streams
from app.web.admin.blueprint import Place, bp, make_live, page
from app.web.admin.shown import Listed
from app.web.streams import Sections

PLACE = Place("Today", "admin.home", 10)

COMING_WITHIN = timedelta(hours=12)  # Until the operator looks again, by day or by night.
ROWS_SHOWN = 6  # In each list: enough to notice a problem; the rest is on its own page.

# All built once: building a query takes longer than running it. Each list is counted, and its first rows are chosen,
# from an index alone; only these rows are read in full.
_all = func.count().over().label("all")
_counted = select(Message.state, func.count()).group_by(Message.state)
_STANDING = union_all(_counted.where(Message.UNDER_WAY), _counted.where(Message.TROUBLED))
_waiting = select(Message.id, literal(1).label("texts"), _all).where(Message.UNDER_WAY, Message.state == "waiting")
_newest_dead = func.max(Message.id)
_dead = (
    select(_newest_dead, func.count(), _all)
    .where(Message.TROUBLED, Message.state == "dead")
    .group_by(Message.person_id)
)
_stuck_few = union_all(
    select(_waiting.order_by(Message.id).limit(ROWS_SHOWN).subquery()),
    select(_dead.order_by(_newest_dead.desc()).limit(ROWS_SHOWN).subquery()),
).subquery()
_STUCK = (
    select(Message, Person, _stuck_few.c.texts, _stuck_few.c.all)
    .join(_stuck_few, _stuck_few.c.id == Message.id)
    .join(Person, Person.id == Message.person_id)
    .order_by(Message.id)
)
_strangers = select(Person.id, _all).where(Person.access == "waiting").order_by(Person.id.desc()).limit(ROWS_SHOWN)
_few = _strangers.subquery()
_STRANGERS = (
    select(Person, Message, _few.c.all)
    .join(_few, _few.c.id == Person.id)
    .join(Message, Message.id == Person.last_text_id, isouter=True)
    .order_by(Person.id.desc())
)
_to_come = (Routine.TO_COME, Routine.next_due_at <= bindparam("until"))
_next = select(Routine.id).where(*_to_come).order_by(Routine.next_due_at).limit(ROWS_SHOWN).subquery()
_COMING = (
    select(Routine, Person, select(func.count()).select_from(Routine).where(*_to_come).scalar_subquery())
    .join(_next, _next.c.id == Routine.id)
    .join(Person, Person.id == Routine.person_id)
    .order_by(Routine.next_due_at, Routine.id)
)
_lately = (Timeline(Change.id, Change.at).newest(health.ROWS_MAX), Change.undone_at.is_(None))
_VERBS = select(Change.verb, func.count()).where(*_lately).group_by(Change.verb)
_newest = select(Change.id).where(*_lately).order_by(Change.id.desc()).limit(ROWS_SHOWN).subquery()
# If a change touched several rows, the first stands for all; the page of changes shows the rest.
_first = select(func.min(ChangeItem.id)).where(ChangeItem.change_id == Change.id).correlate(Change).scalar_subquery()
_fact = func.coalesce(ChangeItem.added_fact_id, ChangeItem.retired_fact_id, ChangeItem.fact_id)
_CHANGED = (
    select(Change, Person, ChangeItem, Fact, Rule, Episode, Routine)
    .join(_newest, _newest.c.id == Change.id)
    .join(Person, Person.id == Change.person_id)
    .join(ChangeItem, ChangeItem.id == _first, isouter=True)
    .join(Fact, Fact.id == _fact, isouter=True)
    .join(Rule, Rule.id == func.coalesce(ChangeItem.added_rule_id, ChangeItem.retired_rule_id), isouter=True)
    .join(Episode, Episode.id == ChangeItem.retired_episode_id, isouter=True)
    .join(Routine, Routine.id == ChangeItem.routine_id, isouter=True)
    .options(lazyload(Change.items))
    .order_by(Change.id.desc())
)
_begins = (Message.purpose == "reply") & (Message.part == 1)
_ends = (Message.direction, Message.state, Message.delivery, _begins.label("begins"), Message.carrier)
_TEXTS = select(*_ends, func.count().label("texts")).where(health.TEXTS.newest(health.ROWS_MAX)).group_by(*_ends)


@bp.get("/")
def home() -> Response:
    return page("home", **streams.followed(_sections(), "admin.home_"))


def _sections() -> Sections:
    services = auth.services()
    now, settings = services.clock.now(), services.settings
    since = {"since": now - health.LATELY}
    with services.reading() as db:
        texts, seconds = _texts(db, now), health.reply_seconds(db, now)
        standing = dict(db.execute(_STANDING).all())
        stuck = db.execute(_STUCK).all()
        waiting = _listed([row for row in stuck if row[0].state == "waiting"])
        dead = _listed([row for row in reversed(stuck) if row[0].state == "dead"])
        strangers = _listed(db.execute(_STRANGERS).all())
        coming = _listed(db.execute(_COMING, {"until": now + COMING_WITHIN}).all())
        changed, verbs = db.execute(_CHANGED, since).all(), dict(db.execute(_VERBS, since).all())
        spent, alerts = spent_cents(db, budget_day(services, now)), open_alerts(db)
    amiss = rounds.quick_problems(settings)
    parts = streams.parts("admin/home_parts.html", now=now)
    half, most = (health.quantile(seconds, share) for share in (0.5, 0.95))
    return {
        "alerts": [[one.kind, parts.alert(one)] for one in alerts] or [["none", parts.no_alert()]],
        "findings": [["doctor", parts.findings(amiss)]] if amiss else [],
        "figures": [
            ["texts", parts.texts(texts)],
            ["answers", parts.answers(texts, half, most)],
            ["waiting", parts.waiting_figure(standing, waiting)],
            ["delivery", parts.delivery(texts, standing)],
            ["spend", parts.spend(spent, settings.daily_budget_cents)],
        ],
        "stuck": [["stuck", parts.stuck(waiting, dead)]],
        "strangers": [["strangers", parts.strangers(strangers)]],
        "coming": [["coming", parts.coming(coming)]],
        "changed": [["changed", parts.changed(changed, verbs)]],
    }


make_live("/", "home_", _sections)


def _listed(rows: Sequence[Sequence[object]]) -> Listed:
    """The list in these rows, whose last column is the total count."""
    return Listed([tuple(row)[:-1] for row in rows], int(str(rows[0][-1])) if rows else 0)


def _texts(db: Session, now: datetime) -> dict[str, int]:
    """Counts of the last 24 hours' texts, or, with `is_cut`, of the newest `health.ROWS_MAX` of them."""
    rows = db.execute(_TEXTS, {"since": now - health.LATELY}).all()
    out = [row for row in rows if row.direction == "out"]
    sent = [row for row in out if row.state == "sent"]
    return {
        "came": sum(row.texts for row in rows if row.direction == "in"),
        "went": sum(row.texts for row in sent),
        "replies": sum(row.texts for row in sent if row.begins),
        "delivered": sum(row.texts for row in out if row.delivery in ARRIVED),
        "refused": sum(row.texts for row in out if row.state == "refused" or row.delivery in LOST),
        # `awaited` texts have no delivery report yet; `unasked` ones went by a carrier that sends none.
        "awaited": sum(
            row.texts for row in sent if row.carrier not in Message.HERE and row.delivery not in ARRIVED | LOST
        ),
        "unasked": sum(row.texts for row in sent if row.carrier in Message.HERE and row.delivery is None),
        "is_cut": sum(row.texts for row in rows) >= health.ROWS_MAX,
    }
