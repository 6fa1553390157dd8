"""A person's texts as on the phone, with each turn's details folded under it, and their memory beside them."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
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
from app.models import Episode, Fact, Message, Occurrence, Person, Routine, Rule, Spending, ToolCall, Turn
from app.web import auth, streams
from app.web.admin.blueprint import asked_id, bp, make_live, page
from app.web.admin.people import spent
from app.web.admin.shown import Listed, as_day
from app.web.streams import Sections

MESSAGES_ON_A_PAGE = 40
AFTER_THE_ONE_SOUGHT = 15  # Texts after a sought one, which stands mid-page with its answer below.
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
"""A version of a fact, with the columns above; `told_in` is the turn whose text it was learned from."""

TextRow = Row[*tuple[Any, ...]]
"""A text of the thread, with the columns of `_texts`."""


@dataclass(frozen=True)
class Stretch:
    """The texts to show: the newest, or those before, after or around the message with that id."""

    before: int | None = None
    after: int | None = None
    around: int | None = None


def _turns(db: Session, texts: Sequence[TextRow], known: Sequence[FactKnown]) -> dict[int, dict[str, Any]]:
    """Details of the turns, by the id of the text under which each is shown."""
    ended = [text for text in texts if text.Message.id == text.newest]  # A turn across two pages is shown on the last.
    ids = {text.Turn.id for text in ended}
    calls, began = _calls(db, ids), _occurrences(db, ids)

    @cache  # Most turns were shown the same block.
    def standing_in(block: str) -> list[FactKnown]:
        """Facts whose sentences are in a block of memory, in its order; of two versions the newer one."""
        facts = f" {' '.join(block.partition('<facts>')[2].partition('</facts>')[0].split())} "
        found = ((facts.find(f" {escape(as_sentence(one.sentence))} "), one) for one in reversed(known))
        places = {one.number: (place, one) for place, one in found if place >= 0}
        return [one for _, one in sorted(places.values(), key=itemgetter(0))]

    def shown(text: TextRow) -> dict[str, Any]:
        turn: Turn = text.Turn
        occurrence, routine = began.get(turn.id, (None, None))
        facts = standing_in(turn.memory_shown or "")
        recall_seconds = (turn.recall_ms or 0.0) / 1000
        known_seconds = turn.model_seconds + recall_seconds  # Both are measured; the rest is the time left over.
        return {
            "turn": turn,
            "calls": calls[turn.id],
            "occurrence": occurrence,
            "routine": routine,
            # Facts told in the turn's own texts are shown to the model as soon as they are kept, in the same turn.
            "knew": [one for one in facts if one.told_in != turn.id],
            "learned": [one for one in facts if one.told_in == turn.id],
            "seconds": max(turn.seconds or 0.0, known_seconds),
            "known_seconds": known_seconds,
            "recall_seconds": recall_seconds,
            "sent": text if text.parts else None,
            "sent_seconds": (text.sent_at - text.asked_at).total_seconds() if text.sent_at and text.asked_at else None,
            "cost_cents": turn.cost_cents + (text.cost_cents if text.parts else 0.0),
        }

    return {text.Message.id: shown(text) for text in ended}


def _ids_to_show(person_id: int, stretch: Stretch) -> CTE:
    """Ids of the texts to show, and of their turns."""
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
    """The texts, each with its turn, totals over the turn's texts, and the person's first and last text id."""
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
    # One query for each end: asked for both at once, SQLite reads everything between them.
    first, last = (select(end(_ENDS.id)).where(_ENDS.person_id == person_id) for end in (func.min, func.max))
    rows = select(Message, Turn, told, first.scalar_subquery().label("first"), last.scalar_subquery().label("last"))
    rows = rows.join(stretch, stretch.c.id == Message.id).outerjoin(Turn, Turn.id == Message.turn_id)
    return rows.outerjoin(told, told.c.turn_id == Message.turn_id).order_by(Message.id)


def _calls(db: Session, turns: Collection[int]) -> Mapping[int, list[ToolCall]]:
    calls: defaultdict[int, list[ToolCall]] = defaultdict(list)
    for call in db.scalars(select(ToolCall).where(ToolCall.turn_id.in_(turns)).order_by(ToolCall.ordinal)):
        calls[call.turn_id].append(call)
    return calls


def _occurrences(db: Session, turns: Collection[int]) -> dict[int | None, tuple[Occurrence, Routine]]:
    """Occurrences with their routines, by the turn that carried them out."""
    rows = select(Occurrence, Routine).join(Routine, Routine.id == Occurrence.routine_id)
    found = db.execute(rows.where(Occurrence.turn_id.in_(turns), Occurrence.turn_id.is_not(None)))
    return {one.turn_id: (one, routine) for one, routine in found}


def _summaries(db: Session, person_id: int, turns: Iterable[Turn]) -> dict[int, str]:
    """Summaries of the live episodes that these turns recalled, by number."""
    numbers = {row["id"] for turn in turns for row in turn.recalled or [] if row["kind"] == "episode"}
    live = (Episode.person_id == person_id, Episode.number.in_(numbers), Episode.retired_at.is_(None))
    return dict(db.execute(select(Episode.number, Episode.summary).where(*live)).all())


FACTS_SHOWN = 6
OTHERS_SHOWN = 3

# Built once: building a query takes longer than running it.
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
    person, texts, sections = _see(person_id, stretch, is_unfolded="unfold" in request.args)
    return page(
        "conversation",
        person=person,
        texts=texts,
        sought=stretch.around,
        **streams.followed(sections, "admin.conversation_", person_id=person_id),
        is_followed=stretch == Stretch(),  # Earlier texts do not change.
    )


def _see(person_id: int, stretch: Stretch, *, is_unfolded: bool = False) -> tuple[Person, Sequence[TextRow], Sections]:
    """The person, the texts and the parts of the page; `is_unfolded` shows the turn of the sought text open."""
    services = auth.services()
    now = services.clock.now()
    month = budget.month_so_far(services, now)
    with services.reading() as db:
        person = people.by_id(db, person_id)
        known = db.execute(_VERSIONS, {"person": person_id, "now": now}).all()
        texts = db.execute(_texts(_ids_to_show(person_id, stretch), person_id)).all()
        turns, beside = _turns(db, texts, known), _side_column(db, person_id, known, month)
        summaries = _summaries(db, person_id, [shown["turn"] for shown in turns.values()])
    parts = streams.parts(
        "admin/conversation_parts.html",
        person=person,
        sought=stretch.around,
        is_unfolded=is_unfolded,
        facts={one.number: one for one in reversed(known)},  # Each in its held version, or else its last.
        episodes=summaries,
    )
    days = [as_day(text.Message.created_at, person.timezone) for text in texts]
    moments = [
        [str(text.Message.id), parts.moment(text.Message, turns.get(text.Message.id), day if day != before else "")]
        for text, day, before in zip(texts, days, ["", *days], strict=False)
    ]
    return person, texts, {"thread": moments, "about": [["about", parts.about(beside)]]}


def _side_column(db: Session, person_id: int, known: Sequence[FactKnown], month: list[date]) -> dict[str, Any]:
    """Values of the column beside the thread: the person's memory, coming routines, and cost of the month."""

    def some(rows: Select[Any, int]) -> Listed:
        found = db.execute(rows, {"person": person_id}).all()
        return Listed([row[0] for row in found], found[0][1] if found else 0)

    return {
        "facts": Listed([one for one in known[:FACTS_SHOWN] if one.is_live], known[0].live_count if known else 0),
        "episodes": some(_EPISODES),
        "rules": some(_RULES),
        "routines": some(_ROUTINES),
        "spent_cents": db.scalar(spent(Spending.person_id == person_id, month)),
    }


make_live("/people/<int:person_id>", "conversation_", lambda person_id: _see(person_id, Stretch())[-1])
