"""The receipt of a forgetting: what was removed where, read from its change and looked up in the index."""

import json
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.memory import documents, retelling
from app.memory.forgotten import SUBJECT
from app.memory.quotes import QUOTE
from app.memory.raw_rows import RawRows
from app.memory.row_ids import shelf_of
from app.models import Change, ChangeItem, Episode, Fact, Message


@dataclass(frozen=True)
class Receipt:
    """What one change took away with a fact."""

    verb: str
    """`forget`, `move` or `merge`; `revise` and others of an undo have none."""
    at: datetime
    actor: str
    facts: list[int]
    """Numbers of the facts that went with it, itself among them."""
    subjects: list[str]
    """As they were put, where it was forgotten as what tells of them."""
    episodes: list[int]
    """Numbers of the episodes that are told again without it."""
    texts: int
    """How many texts left the index, to be put into it again without the sentences that say it."""
    quotes: int
    """How many other facts quote less of the words that they came from."""
    left_in_index: int
    """Rows of the index that hold the fact now, in any version: 0."""


def receipt(db: Session, fact: Fact) -> Receipt | None:
    """Of the last change that retired this version of a fact; None where none did, as of one that an undo took away."""
    retiring = select(Change).join(ChangeItem).where(ChangeItem.retired_fact_id == fact.id)
    change = db.scalars(retiring.order_by(Change.id.desc()).limit(1)).one_or_none()
    if change is None:
        return None
    items = change.items
    facts = {item.retired_fact_id for item in items if item.retired_fact_id and item.added_fact_id is None}
    episodes = [item.retired_episode_id for item in items if item.field == retelling.EPISODE]
    turns = {one for item in items if item.field == retelling.TEXTS for one in json.loads(item.before or "[]")}
    return Receipt(
        verb=change.verb,
        at=change.at,
        actor=change.actor,
        facts=sorted(db.scalars(select(Fact.number).where(Fact.id.in_(facts)))),
        subjects=[item.before or "" for item in items if item.field == SUBJECT],
        episodes=sorted(set(db.scalars(select(Episode.number).where(Episode.id.in_(episodes))))),
        texts=db.scalar(select(func.count(Message.id)).where(Message.turn_id.in_(turns))) or 0,
        quotes=sum(item.field == QUOTE for item in items),
        left_in_index=_left(db, fact),
    )


def _left(db: Session, fact: Fact) -> int:
    versions = select(Fact.id).where(Fact.person_id == fact.person_id, Fact.number == fact.number)
    held = documents.load(RawRows(db), shelf_of(fact.person_id, "fact"))
    return int(np.isin(held.items, list(db.scalars(versions))).sum())
