"""Counts of facts written, known already, corrected and forgotten in a stretch of time."""

import json
from dataclasses import dataclass, field

from sqlalchemy import RowMapping, or_, select
from sqlalchemy.orm import Session, aliased

from app.models import Change, ChangeItem, Fact, Rule, ToolCall
from app.operations.numbers.halving import Span, Timeline

FACTS, RULES, EPISODES = "facts", "rules", "episodes"

_KEEPS = ("extract_memory", "set_rule")
"""The tools by which the model sends something to be kept."""


_CHANGES, _CALLS = Timeline(Change.id, Change.at), Timeline(ToolCall.id, ToolCall.at)
_SENT = select(ToolCall.name, ToolCall.result, ToolCall.turn_id, ToolCall.ordinal).where(
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


@dataclass
class OfMemory:
    """Of each kind of change what it was of, one entry for each fact, rule or episode."""

    written: list[str] = field(default_factory=list)
    known: list[str] = field(default_factory=list)
    corrected: list[str] = field(default_factory=list)
    forgotten: list[str] = field(default_factory=list)
    corrected_again: int = 0
    """How many of the corrected ones had been corrected before."""


def of_memory(db: Session, span: Span) -> OfMemory:
    found = OfMemory()
    for row in db.execute(_ITEMS, span).mappings():
        _note_item(found, row)
    _note_known(db, found, span)
    return found


def _note_item(found: OfMemory, row: RowMapping) -> None:
    if row["episode"] is not None:
        # One that is told again without what was forgotten carries a field; it is not forgotten itself.
        if row["field"] is None and row["verb"] == "forget":
            found.forgotten.append(EPISODES)
        return
    for kind, name in ((FACTS, "fact"), (RULES, "rule")):
        now, before = row[name], row[f"{name}_before"]
        if now is not None and before is not None and now != before:
            found.corrected.append(kind)
            found.corrected_again += row[f"{name}_version"] > 1
        elif now is not None and before is None and row["verb"] == "remember":
            found.written.append(kind)
        elif now is None and before is not None and row["verb"] == "forget":
            found.forgotten.append(kind)


def _note_known(db: Session, found: OfMemory, span: Span) -> None:
    """What the model sent to be kept and nothing was stored of: a call tells it, no change does."""
    rows = db.execute(_SENT, span).all()
    keys = {f"{row.turn_id}:{row.ordinal}:{row.name}" for row in rows if row.name == "set_rule"}
    made = set(db.scalars(select(Change.call).where(Change.call.in_(keys)))) if keys else set()
    for row in rows:
        if row.name == "extract_memory":
            found.known += [FACTS] * _duplicates(row.result)
        elif f"{row.turn_id}:{row.ordinal}:{row.name}" not in made:
            found.known.append(RULES)


def _duplicates(result: str) -> int:
    try:
        told = json.loads(result)
    except ValueError:
        return 0
    known = told.get("duplicates") if isinstance(told, dict) else None
    return len(known) if isinstance(known, list) else 0
