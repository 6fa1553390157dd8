"""The queries of *Today*: one for each of its parts, however many rows there are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import islice

from sqlalchemy import bindparam, func, literal, select, union_all
from sqlalchemy.orm import Session, lazyload

from app.conversation.budget import spent_by_all
from app.errors import Refused
from app.models import Alert, Change, ChangeItem, Episode, Fact, Message, Person, Routine, Rule
from app.models.message import HERE, TROUBLED, UNDER_WAY
from app.models.routine import TO_COME
from app.operations.alerts import open_alerts
from app.operations.numbers.halving import Timeline
from app.routines import rows as rows_of_routines
from app.routines.due import due_between
from app.web import figures

ROWS_SHOWN = 6  # Of each list: enough to see whether something is the matter; the rest stands on its own page.
LATER_COUNTED = 144  # As many as come in 12 hours at most: one every five minutes.
DELIVERED = ("delivered", "read")
ENDS = {*DELIVERED, "undelivered", "failed", "canceled"}

# Made once, all of them: to build a question takes longer than to answer it. All of a list are counted, and its first
# chosen, by what an index holds: only of these whole rows are read.
_counted = select(Message.state, func.count()).group_by(Message.state)
_STANDING = union_all(_counted.where(UNDER_WAY), _counted.where(TROUBLED))
_waiting = (
    select(Message.id, literal(1).label("texts"), func.count().over().label("all"))
    .where(UNDER_WAY, Message.state == "waiting")
    .order_by(Message.id)
    .limit(ROWS_SHOWN)
)
_newest_dead = func.max(Message.id)
_dead = (
    select(_newest_dead, func.count(), func.count().over())
    .where(TROUBLED, Message.state == "dead")
    .group_by(Message.person_id)
    .order_by(_newest_dead.desc())
    .limit(ROWS_SHOWN)
)
_stuck_few = union_all(select(_waiting.subquery()), select(_dead.subquery())).subquery()
_STUCK = (
    select(Message, Person, _stuck_few.c.texts, _stuck_few.c.all)
    .join(_stuck_few, _stuck_few.c.id == Message.id)
    .join(Person, Person.id == Message.person_id)
    .order_by(Message.id)
)
_strangers = (
    select(Person.id, func.count().over().label("all"))
    .where(Person.access == "waiting")
    .order_by(Person.id.desc())
    .limit(ROWS_SHOWN)
    .subquery()
)
_STRANGERS = (
    select(Person, Message, _strangers.c.all)
    .join(_strangers, _strangers.c.id == Person.id)
    .join(Message, Message.id == Person.last_text_id, isouter=True)
    .order_by(Person.id.desc())
)
_to_come = (TO_COME, Routine.next_due_at <= bindparam("until"))
_next = select(Routine.id).where(*_to_come).order_by(Routine.next_due_at).limit(ROWS_SHOWN).subquery()
_COMING = (
    select(Routine, Person, select(func.count()).select_from(Routine).where(*_to_come).scalar_subquery())
    .join(_next, _next.c.id == Routine.id)
    .join(Person, Person.id == Routine.person_id)
    .order_by(Routine.next_due_at, Routine.id)
)
_CHANGES = Timeline(Change.id, Change.at)
_lately = (_CHANGES.newest(figures.ROWS_MAX), Change.undone_at.is_(None))
_VERBS = select(Change.verb, func.count()).where(*_lately).group_by(Change.verb)
_newest = select(Change.id).where(*_lately).order_by(Change.id.desc()).limit(ROWS_SHOWN).subquery()
# Of a change that touched several rows the first stands for all: the page of changes tells the rest.
_first = select(func.min(ChangeItem.id)).where(ChangeItem.change_id == Change.id).correlate(Change).scalar_subquery()
_CHANGED = (
    select(Change, Person, ChangeItem, Fact, Rule, Episode, Routine)
    .join(_newest, _newest.c.id == Change.id)
    .join(Person, Person.id == Change.person_id)
    .join(ChangeItem, ChangeItem.id == _first, isouter=True)
    .join(
        Fact,
        Fact.id == func.coalesce(ChangeItem.added_fact_id, ChangeItem.retired_fact_id, ChangeItem.fact_id),
        isouter=True,
    )
    .join(Rule, Rule.id == func.coalesce(ChangeItem.added_rule_id, ChangeItem.retired_rule_id), isouter=True)
    .join(Episode, Episode.id == ChangeItem.retired_episode_id, isouter=True)
    .join(Routine, Routine.id == ChangeItem.routine_id, isouter=True)
    .options(lazyload(Change.items))
    .order_by(Change.id.desc())
)
_begins = (Message.purpose == "reply") & (Message.part == 1)
_ends = (Message.direction, Message.state, Message.delivery, _begins.label("begins"), Message.carrier)
_TEXTS = select(*_ends, func.count()).where(figures.TEXTS.newest(figures.ROWS_MAX)).group_by(*_ends)


@dataclass(frozen=True)
class Listed:
    """The first few of a list, and how many there are of it."""

    rows: Sequence[tuple[object, ...]]
    count: int


@dataclass(frozen=True)
class Texts:
    """The texts of the last 24 hours, or the newest `figures.ROWS_MAX` of them."""

    came: int
    went: int
    replies: int
    delivered: int
    refused: int
    """Not sent, or not brought to the phone."""
    awaited: int
    """Sent, and the carrier has not yet reported how far they came."""
    unasked: int
    """Sent by a carrier that reports nothing."""
    is_cut: bool
    """Whether there were more."""


@dataclass(frozen=True)
class Today:
    """How things stand."""

    texts: Texts
    reply_seconds: Sequence[float]
    """Of the last hour, sorted."""
    standing: Mapping[str, int]
    """How many texts wait, are queued, are being sent, are in doubt, were given up: by their state."""
    spent_cents: float
    waiting: Listed
    """Unanswered texts and who sent them, the oldest first."""
    dead: Listed
    """The newest text of each person that was given up, who that is, and how many of theirs were."""
    strangers: Listed
    """People who wait to be let in, with their newest text."""
    coming: Listed
    """Routines, whose they are, and their times after the next one: up to LATER_COUNTED. The next first."""
    changed: Sequence[tuple[object, ...]]
    """What was remembered, corrected or forgotten, the newest first."""
    verbs: Mapping[str, int]
    alerts: Sequence[Alert]


def today(db: Session, now: datetime, budget_day: date, coming_within: timedelta) -> Today:
    waiting, dead = _stuck(db)
    spent = db.scalars(select(spent_by_all(budget_day))).one()
    return Today(
        texts=_texts(db, now),
        reply_seconds=figures.reply_seconds(db, now),
        standing=dict(db.execute(_STANDING).all()),
        spent_cents=float(spent),
        waiting=waiting,
        dead=dead,
        strangers=_listed(db.execute(_STRANGERS).all()),
        coming=_coming(db, now + coming_within),
        changed=_changed(db, now),
        verbs=_verbs(db, now),
        alerts=open_alerts(db),
    )


def _coming(db: Session, until: datetime) -> Listed:
    found = db.execute(_COMING, {"until": until}).all()
    rows = [(routine, person, _later(routine, person, until), count) for routine, person, count in found]
    return _listed(rows)


def _later(routine: Routine, person: Person, until: datetime) -> list[datetime]:
    """When the routine comes again after its next time, up to LATER_COUNTED times."""
    next_due_at = routine.next_due_at
    if next_due_at is None:
        return []
    times = due_between(rows_of_routines.schedule_of(routine), routine.zone or person.timezone, next_due_at, until)
    try:
        return list(islice(times, LATER_COUNTED))
    except Refused:  # Of a zone that this installation no longer knows: an alert says so when it is due.
        return []


def _texts(db: Session, now: datetime) -> Texts:
    rows = db.execute(_TEXTS, {"since": now - figures.LATELY}).all()
    came = sum(count for direction, *_, count in rows if direction == "in")
    out = [row for row in rows if row.direction == "out"]
    sent = [row for row in out if row.state == "sent"]
    return Texts(
        came=came,
        went=sum(count for _, state, *_, count in out if state == "sent"),
        replies=sum(count for _, state, _, is_first, _, count in out if state == "sent" and is_first),
        delivered=sum(count for _, _, delivery, *_, count in out if delivery in DELIVERED),
        refused=sum(row[-1] for row in out if row.state == "refused" or row.delivery in {"undelivered", "failed"}),
        awaited=sum(row[-1] for row in sent if row.carrier not in HERE and row.delivery not in ENDS),
        unasked=sum(row[-1] for row in sent if row.carrier in HERE and row.delivery is None),
        is_cut=came + sum(count for *_, count in out) >= figures.ROWS_MAX,
    )


def _stuck(db: Session) -> tuple[Listed, Listed]:
    """What waits, and what was given up."""
    found = db.execute(_STUCK).all()
    return (
        _listed([row for row in found if row[0].state == "waiting"]),
        _listed([row for row in reversed(found) if row[0].state == "dead"]),
    )


def _listed(rows: Sequence[Sequence[object]]) -> Listed:
    """Rows of which the last column is how many there are in all."""
    return Listed([tuple(row)[:-1] for row in rows], int(str(rows[0][-1])) if rows else 0)


def _verbs(db: Session, now: datetime) -> dict[str, int]:
    return dict(db.execute(_VERBS, {"since": now - figures.LATELY}).all())


def _changed(db: Session, now: datetime) -> list[tuple[object, ...]]:
    return [tuple(row) for row in db.execute(_CHANGED, {"since": now - figures.LATELY}).all()]
