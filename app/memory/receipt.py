"""The receipt of a forgetting: what was removed where, read from its change and looked up in the index."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from sqlalchemy import func, literal, select, union_all
from sqlalchemy.orm import Session, lazyload

from app.memory.episodes import retelling
from app.memory.facts.quotes import QUOTE
from app.memory.forgotten import SUBJECT
from app.memory.index import documents
from app.memory.index.row_ids import shelf_of
from app.models import Change, ChangeItem, Episode, Fact, Message
from app.store.raw_rows import RawRows


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


def receipt(db: Session, versions: Sequence[Fact]) -> Receipt | None:
    """Of the last change that retired a fact for good, given all its versions; None if none did, as after an undo."""
    retiring = select(func.max(ChangeItem.change_id)).where(ChangeItem.retired_fact_id == versions[-1].id)
    whole = select(Change, ChangeItem).join(ChangeItem).where(Change.id == retiring.scalar_subquery())
    found = db.execute(whole.options(lazyload(Change.items)).order_by(ChangeItem.id)).all()
    if not found:
        return None
    change, items = found[0].Change, [row.ChangeItem for row in found]
    facts = {item.retired_fact_id for item in items if item.retired_fact_id and item.added_fact_id is None}
    episodes = [item.retired_episode_id for item in items if item.field == retelling.EPISODE]
    turns = {one for item in items if item.field == retelling.TEXTS for one in json.loads(item.before or "[]")}
    touched: dict[str, set[int]] = {"fact": set(), "episode": set(), "text": set()}
    for kind, number in db.execute(
        union_all(
            select(literal("fact"), Fact.number).where(Fact.id.in_(facts)),
            select(literal("episode"), Episode.number).where(Episode.id.in_(episodes)),
            select(literal("text"), Message.id).where(Message.turn_id.in_(turns)),
        )
    ):
        touched[kind].add(number)
    return Receipt(
        verb=change.verb,
        at=change.at,
        actor=change.actor,
        facts=sorted(touched["fact"]),
        subjects=[item.before or "" for item in items if item.field == SUBJECT],
        episodes=sorted(touched["episode"]),
        texts=len(touched["text"]),
        quotes=sum(item.field == QUOTE for item in items),
        left_in_index=_left(db, versions),
    )


def _left(db: Session, versions: Sequence[Fact]) -> int:
    held = documents.load(RawRows(db), shelf_of(versions[-1].person_id, "fact"))
    return int(np.isin(held.items, [one.id for one in versions]).sum())
