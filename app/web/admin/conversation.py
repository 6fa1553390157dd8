"""A person's texts as they looked on the phone, with what each turn did folded under it, and what is known of them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cache
from operator import itemgetter
from typing import Any
from xml.sax.saxutils import escape

from flask import request
from sqlalchemy import CTE, BindParameter, Row, Select, bindparam, case, func, select, union_all
from sqlalchemy.orm import Session, aliased
from werkzeug.wrappers import Response

from app import people
from app.conversation import budget
from app.conversation.memory_shown import as_sentence
from app.memory.facts import is_live
from app.models import Episode, Fact, Message, Occurrence, Person, Routine, Rule, ToolCall, Turn
from app.web import auth, streams
from app.web.admin.blueprint import asked_id, bp, make_live, page
from app.web.admin.people import spent_by
from app.web.admin.shown import Listed, as_day
from app.web.streams import Sections

MESSAGES_ON_A_PAGE = 40
AFTER_THE_ONE_SOUGHT = 15  # A text that is looked for stands in the middle of the page, with what came of it below.
VERSIONS_MAX = 300

_is_live = is_live(bindparam("now"))
_VERSIONS = (
    select(
        Fact.number,
        Fact.sentence,
        Fact.retired_at.is_(None).label("is_held"),
        _is_live.label("is_live"),
        Fact.pinned,
        Message.turn_id.label("told_in"),
        func.sum(case((_is_live, 1), else_=0)).over().label("live_count"),
    )
    .outerjoin(Message, Message.id == Fact.message_id)
    .where(Fact.person_id == bindparam("person"))
    .order_by(_is_live.desc(), Fact.retired_at.is_not(None), Fact.pinned.desc(), Fact.number.desc(), Fact.id.desc())
    .limit(VERSIONS_MAX)
)
_ENDS, _TOLD = aliased(Message), aliased(Message)

FactKnown = Row[*tuple[Any, ...]]
"""A version of a fact, in the columns above; `told_in` is the turn whose text it was learned from."""


def facts_known(db: Session, person_id: int, now: datetime) -> list[FactKnown]:
    """Versions of a person's facts: live ones first, pinned and newest before others, then what else is held."""
    return list(db.execute(_VERSIONS, {"person": person_id, "now": now}))


@dataclass(frozen=True)
class Stretch:
    """The texts that are wanted: the newest, or those before, after or around the message with that id."""

    before: int | None = None
    after: int | None = None
    around: int | None = None


@dataclass(frozen=True)
class TurnShown:
    """A turn with all that is kept of it."""

    turn: Turn
    calls: list[ToolCall]
    sent: dict[str, Any] | None
    """The texts that went out for it: `parts`, `segments`, `cost_cents`, and `seconds` from the last text that came."""
    occurrence: Occurrence | None
    routine: Routine | None
    shown: Sequence[FactKnown]
    """The facts that stood before the model at last, as far as they are still known by their words."""

    @property
    def knew(self) -> list[FactKnown]:
        """Those that it was shown from the beginning."""
        return [one for one in self.shown if one.told_in != self.turn.id]

    @property
    def learned(self) -> list[FactKnown]:
        """Those that the turn's own texts told: what is kept is shown to the model while it still answers."""
        return [one for one in self.shown if one.told_in == self.turn.id]

    @property
    def seconds(self) -> float:
        """From when the texts were taken up until the reply was kept; until then, what is known to have been taken."""
        if self.turn.ended_at is None:
            return self.known_seconds
        return max((self.turn.ended_at - self.turn.started_at).total_seconds(), self.known_seconds)

    @property
    def known_seconds(self) -> float:
        """Of recall and of the model: they are measured apart, the rest is what is left."""
        return self.turn.model_seconds + self.recall_seconds

    @property
    def recall_seconds(self) -> float:
        return (self.turn.recall_ms or 0.0) / 1000

    @property
    def cost_cents(self) -> float:
        """Of the model and of the carrier."""
        return self.turn.cost_cents + (self.sent["cost_cents"] if self.sent else 0.0)


@dataclass(frozen=True)
class Bubble:
    """A text of the thread; the last text of a turn carries the turn."""

    message: Message
    turn: TurnShown | None


@dataclass(frozen=True)
class Thread:
    """A stretch of a person's texts, oldest first."""

    bubbles: Sequence[Bubble] = ()
    has_earlier: bool = False
    has_later: bool = False
    episodes: Mapping[int, str] = field(default_factory=dict)
    """The summaries of the episodes that came back, by number."""


def thread(db: Session, person_id: int, known: Sequence[FactKnown], stretch: Stretch) -> Thread:
    rows = db.execute(_texts(_wanted(person_id, stretch), person_id)).all()
    if not rows:
        return Thread()
    # One whose texts lie on two pages is shown where it ends.
    ended = {row.Message.id for row in rows if row.Message.id == row.newest}
    turns = {row.Turn.id: row.Turn for row in rows if row.Message.id in ended}
    calls, began = _calls(db, turns), _occurrences(db, turns)

    @cache  # Most turns were shown the same.
    def standing_in(block: str) -> list[FactKnown]:
        """The facts whose sentences a block of memory has, in its order; of two versions the newer."""
        facts = f" {' '.join(block.partition('<facts>')[2].partition('</facts>')[0].split())} "
        found = ((facts.find(f" {escape(as_sentence(one.sentence))} "), one) for one in reversed(known))
        places = {one.number: (place, one) for place, one in found if place >= 0}
        return [one for _, one in sorted(places.values(), key=itemgetter(0))]

    def turn_of(row: Row[*tuple[Any, ...]]) -> TurnShown:
        turn: Turn = row.Turn
        shown = standing_in(turn.memory_shown or "")
        occurrence, routine = began.get(turn.id, (None, None))
        return TurnShown(turn, calls.get(turn.id, []), _sent(row), occurrence, routine, shown)

    return Thread(
        [Bubble(row.Message, turn_of(row) if row.Message.id in ended else None) for row in rows],
        has_earlier=rows[0].Message.id > rows[0].first,
        has_later=rows[-1].Message.id < rows[0].last,
        episodes=_episodes(db, person_id, turns.values()),
    )


def _wanted(person_id: int, stretch: Stretch) -> CTE:
    """The ids of the texts, and of the turns to which they belong."""
    own = select(Message.id, Message.turn_id).where(Message.person_id == person_id)
    newest_first, oldest_first = own.order_by(Message.id.desc()), own.order_by(Message.id)
    if stretch.around is not None:
        follow = oldest_first.where(Message.id >= stretch.around).limit(AFTER_THE_ONE_SOUGHT)
        lead = newest_first.where(Message.id < stretch.around).limit(MESSAGES_ON_A_PAGE - AFTER_THE_ONE_SOUGHT)
        return union_all(select(follow.subquery()), select(lead.subquery())).cte("stretch")
    if stretch.after is not None:
        return oldest_first.where(Message.id > stretch.after).limit(MESSAGES_ON_A_PAGE).cte("stretch")
    earlier = newest_first.where(Message.id < stretch.before) if stretch.before is not None else newest_first
    return earlier.limit(MESSAGES_ON_A_PAGE).cte("stretch")


def _texts(stretch: CTE, person_id: int) -> Select[*tuple[Any, ...]]:
    """The texts, each with its turn, what became of all that belong to it, and the person's first and last id."""
    of_turn = select(
        _TOLD.turn_id,
        func.max(_TOLD.id).label("newest"),
        func.sum(case((_TOLD.direction == "out", 1), else_=0)).label("parts"),
        func.coalesce(func.sum(_TOLD.segments), 0).label("segments"),
        func.coalesce(func.sum(_TOLD.cost_cents), 0.0).label("cost_cents"),
        func.max(case((_TOLD.direction == "in", _TOLD.created_at))).label("asked_at"),
        func.min(_TOLD.sent_at).label("sent_at"),
    )
    told = of_turn.where(_TOLD.turn_id.in_(select(stretch.c.turn_id))).group_by(_TOLD.turn_id).subquery()
    # Each end apart: asked for both in one go, SQLite reads everything between them.
    first, last = (select(end(_ENDS.id)).where(_ENDS.person_id == person_id) for end in (func.min, func.max))
    rows = select(Message, Turn, told, first.scalar_subquery().label("first"), last.scalar_subquery().label("last"))
    rows = rows.join(stretch, stretch.c.id == Message.id).outerjoin(Turn, Turn.id == Message.turn_id)
    return rows.outerjoin(told, told.c.turn_id == Message.turn_id).order_by(Message.id)


def _calls(db: Session, turns: Collection[int]) -> dict[int, list[ToolCall]]:
    calls: dict[int, list[ToolCall]] = {}
    for call in db.scalars(select(ToolCall).where(ToolCall.turn_id.in_(turns)).order_by(ToolCall.ordinal)):
        calls.setdefault(call.turn_id, []).append(call)
    return calls


def _sent(row: Row[*tuple[Any, ...]]) -> dict[str, Any] | None:
    if not row.parts:
        return None
    seconds = (row.sent_at - row.asked_at).total_seconds() if row.sent_at and row.asked_at else None
    return {"parts": row.parts, "segments": row.segments, "cost_cents": row.cost_cents, "seconds": seconds}


def _occurrences(db: Session, turns: Collection[int]) -> dict[int | None, tuple[Occurrence, Routine]]:
    """The occurrence that was due, by the turn in which it was carried out."""
    rows = select(Occurrence, Routine).join(Routine, Routine.id == Occurrence.routine_id)
    found = db.execute(rows.where(Occurrence.turn_id.in_(turns), Occurrence.turn_id.is_not(None)))
    return {one.turn_id: (one, routine) for one, routine in found}


def _episodes(db: Session, person_id: int, turns: Collection[Turn]) -> dict[int, str]:
    numbers = {row["id"] for turn in turns for row in turn.recalled or [] if row["kind"] == "episode"}
    live = (Episode.person_id == person_id, Episode.number.in_(numbers), Episode.retired_at.is_(None))
    return dict(db.execute(select(Episode.number, Episode.summary).where(*live)).all())


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
        **streams.followed(sections, "admin.conversation_", person_id=person_id),
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
    parts = streams.parts(
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


make_live("/people/<int:person_id>", "conversation_", lambda person_id: _see(person_id, Stretch())[2])
