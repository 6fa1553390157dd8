"""Counts one hour from the rows themselves: the same result at any time, except for rows that came late."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from sqlalchemy import String, bindparam, case, cast, false, func, or_, select
from sqlalchemy.orm import Session, aliased

from app.delivery.reports import ARRIVED, LOST
from app.memory.index.query import LOOKED
from app.models import Change, ChangeItem, Fact, Message, Occurrence, Rule, Spending, ToolCall, Turn
from app.operations.numbers import figures
from app.operations.numbers.figures import Cell, Figure, shape_of
from app.operations.numbers.halving import Span, Timeline, span
from app.routines.occurrences import SAYS_SO_AFTER

HOUR = timedelta(hours=1)
BACKGROUND = "background"
UNANSWERED = "no answer"  # For a call whose turn has not ended, or ended without the model.

SPENT_ON = case((Spending.is_background, BACKGROUND), else_=func.coalesce(Turn.model, UNANSWERED))
"""The purpose of a spending: the model that answered, `background`, or `no answer`. Needs a join with its turn."""

SPENDINGS = Timeline(Spending.id, Spending.at)
_TURNS = Timeline(Turn.id, Turn.started_at)
# Of outgoing messages only: some incoming ones arrive late and carry the time they were sent.
OUT = Timeline(Message.id, Message.created_at, Message.direction == "out")

_asked = aliased(Message)
SENT = select(
    select(func.max(_asked.created_at))
    .where(_asked.turn_id == Message.turn_id, _asked.direction == "in")
    .correlate(Message)
    .scalar_subquery(),
    Message.sent_at,
).where(
    Message.direction == "out",
    Message.purpose == "reply",
    Message.part == 1,
    Message.turn_id.is_not(None),
    Message.sent_at.is_not(None),
)
"""Answers of any time; the first column is None if a turn has no texts."""

# All are built once: building a query takes longer than answering it for an hour in which nothing happened.
_ANSWERS = SENT.where(OUT.within)
_DONE = select(
    Turn.model_calls,
    Turn.model_seconds,
    Turn.memory_tokens,
    Turn.input_tokens,
    Turn.cache_read_tokens,
    Turn.cache_write_tokens,
    Turn.recall_gate,
    Turn.recall_ms,
    func.coalesce(cast(Turn.recalled, String).like('%"id"%'), false()).label("brought_back"),
).where(_TURNS.within, Turn.state == "done")
_kinds = (Message.state, Message.delivery, Message.carrier_code)
_ENDS = select(*_kinds, func.count()).where(OUT.within).group_by(*_kinds)
_became = case(
    (Occurrence.state.in_(("missed", "skipped")), Occurrence.state),
    (Occurrence.late_seconds >= int(SAYS_SO_AFTER.total_seconds()), "late"),
    else_="on time",
)
_DUE = (
    select(_became, func.count())
    .where(Occurrence.due_at >= bindparam("since"), Occurrence.due_at < bindparam("until"))
    # By exclusion: with a list of wanted states, SQLite reads all rows that were ever in them instead of the hour's.
    .where(Occurrence.state.not_in(("due", "held", "running", "cancelled")))
    .group_by(_became)
)
_SPENT = (
    select(SPENT_ON, func.count(), func.sum(Spending.cents))
    .outerjoin(Turn, Turn.id == Spending.turn_id)
    .where(SPENDINGS.within)
    .group_by(SPENT_ON)
)

Counts = dict[tuple[str, str], Cell]
"""Cells by figure and label."""
Counted = Iterator[tuple[tuple[str, str], Cell]]


def count_hour(db: Session, began: datetime) -> Counts:
    hour = span(began, began + HOUR)
    took = [(out - came).total_seconds() for came, out in db.execute(_ANSWERS, hour) if came and out]
    ends = (_end(state, came, code) for state, came, code, texts in db.execute(_ENDS, hour) for _ in range(texts))
    return {
        **dict(_spread(figures.REPLY, took)),
        **dict(_turns(db, hour)),
        **dict(_labelled(figures.DELIVERIES, ends)),
        **{(figures.ROUTINES.key, label): Cell(times) for label, times in db.execute(_DUE, hour)},
        **{(figures.SPEND.key, model): Cell(calls, cents) for model, calls, cents in db.execute(_SPENT, hour)},
        **dict(_memory(db, hour)),
    }


def _spread(figure: Figure, values: list[float]) -> Counted:
    if values:
        yield (figure.key, ""), Cell(len(values), sum(values), shape_of(values))


def _labelled(figure: Figure, labels: Iterable[str]) -> Counted:
    for label, times in Counter(labels).items():
        yield (figure.key, label), Cell(times)


def _turns(db: Session, hour: Span) -> Counted:
    rows = db.execute(_DONE, hour).all()
    asked = [row for row in rows if row.model_calls]
    yield from _spread(figures.MODEL, [row.model_seconds for row in asked if row.model_seconds > 0])
    yield from _spread(figures.MEMORY_TOKENS, [row.memory_tokens for row in asked if row.memory_tokens])
    yield from _spread(figures.RECALL_TIME, [row.recall_ms for row in rows if row.recall_ms is not None])
    looks = [(row.recall_gate, "hit" if row.brought_back else "miss") for row in rows if row.recall_gate]
    yield from _labelled(figures.RECALL, (f"{came if gate in LOOKED else 'skip'}: {gate}" for gate, came in looks))
    read = sum(row.cache_read_tokens for row in rows)
    tokens = read + sum(row.input_tokens + row.cache_write_tokens for row in rows)
    if tokens:
        yield (figures.CACHE.key, ""), Cell(tokens, read)


def _end(state: str, delivery: str | None, code: int | None) -> str:
    if state in {"queued", "sending"}:
        return "to be sent"
    if state == "unknown":
        return "in doubt"
    if delivery in ARRIVED:
        return "delivered"
    if state == "sent" and delivery not in LOST:
        return "sent"
    how = "refused" if state == "refused" else "undelivered"
    return how if code is None else f"{how}: {code}"


FACTS, RULES, EPISODES = "facts", "rules", "episodes"

_KEEPS = ("extract_memory", "set_rule")  # The tools by which the model stores something.

_CHANGES, _CALLS = Timeline(Change.id, Change.at), Timeline(ToolCall.id, ToolCall.at)
_KEEP_CALLS = select(ToolCall.name, ToolCall.result, ToolCall.turn_id, ToolCall.ordinal).where(
    _CALLS.within, ToolCall.name.in_(_KEEPS), ToolCall.is_error.is_(False)
)
_fact, _fact_before, _rule, _rule_before = aliased(Fact), aliased(Fact), aliased(Rule), aliased(Rule)
_ITEMS = (
    select(
        Change.verb,
        _fact.normalised.label("fact"),
        _fact_before.normalised.label("fact_before"),
        _fact_before.version.label("fact_version"),
        _rule.normalised.label("rule"),
        _rule_before.normalised.label("rule_before"),
        _rule_before.version.label("rule_version"),
        ChangeItem.retired_episode_id.label("episode"),
        ChangeItem.field,
    )
    .join(ChangeItem, ChangeItem.change_id == Change.id)
    .outerjoin(_fact, _fact.id == ChangeItem.added_fact_id)
    .outerjoin(_fact_before, _fact_before.id == ChangeItem.retired_fact_id)
    .outerjoin(_rule, _rule.id == ChangeItem.added_rule_id)
    .outerjoin(_rule_before, _rule_before.id == ChangeItem.retired_rule_id)
    .where(_CHANGES.within)
    .where(or_(ChangeItem.field.is_(None), ChangeItem.retired_episode_id.is_not(None)))
)


def _memory(db: Session, hour: Span) -> Counted:
    found: dict[Figure, list[str]] = {one: [] for one in (figures.WRITES, figures.CORRECTIONS, figures.FORGETS)}
    found[figures.DUPLICATES] = _known(db, hour)
    again = len(found[figures.DUPLICATES])
    for row in db.execute(_ITEMS, hour).mappings():
        if row["episode"] is not None:
            # An episode rewritten without a forgotten part carries a field; it is not forgotten itself.
            found[figures.FORGETS] += [EPISODES] * (row["field"] is None and row["verb"] == "forget")
            continue
        for kind, name in ((FACTS, "fact"), (RULES, "rule")):
            now, before = row[name], row[f"{name}_before"]
            if now is not None and before is not None and now != before:
                found[figures.CORRECTIONS].append(kind)
                again += row[f"{name}_version"] > 1
            elif now is not None and before is None and row["verb"] == "remember":
                found[figures.WRITES].append(kind)
            elif now is None and before is not None and row["verb"] == "forget":
                found[figures.FORGETS].append(kind)
    for figure, kinds in found.items():
        yield from _labelled(figure, kinds)
    if told := sum(len(found[figure]) for figure in (figures.WRITES, figures.DUPLICATES, figures.CORRECTIONS)):
        yield (figures.REPEATED.key, ""), Cell(told, again)


def _known(db: Session, hour: Span) -> list[str]:
    """Kinds of the things that the model tried to store in vain, known from its calls, as no change records them."""
    rows = db.execute(_KEEP_CALLS, hour).all()
    keys = {f"{row.turn_id}:{row.ordinal}:{row.name}" for row in rows if row.name == "set_rule"}
    made = set(db.scalars(select(Change.call).where(Change.call.in_(keys)))) if keys else set()
    known: list[str] = []
    for row in rows:
        if row.name == "extract_memory":
            known += [FACTS] * _duplicates(row.result)
        elif f"{row.turn_id}:{row.ordinal}:{row.name}" not in made:
            known.append(RULES)
    return known


def _duplicates(result: str) -> int:
    try:
        told = json.loads(result)
    except ValueError:
        return 0
    known = told.get("duplicates") if isinstance(told, dict) else None
    return len(known) if isinstance(known, list) else 0
