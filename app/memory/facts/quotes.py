"""The words that facts quote, without what is forgotten."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.memory import changes
from app.memory.episodes.retelling import Retold
from app.memory.gone import Gone, Said, tellable
from app.models import ChangeItem, Fact, Message

QUOTE = "quote"
"""The field of a change's item that says so."""


def shortened_quotes(
    db: Session, person_id: int, gone: Sequence[Gone], retold: Retold, now: datetime
) -> list[ChangeItem]:
    """Facts that stay quote the words they came from: without what was said beside them of what is forgotten."""
    quoting = select(Fact).join(Message, Message.id == Fact.message_id).where(Message.turn_id.in_(retold.turns))
    items = []
    for fact in db.scalars(quoting.where(Fact.person_id == person_id, Fact.retired_at.is_(None))):
        left = tellable([Said(0, 0, by_person=True, words=fact.quote or "", at=now)], gone)
        quote = left[0].words if left else None
        if fact.quote and quote != fact.quote:
            items += changes.set_fields(fact, {QUOTE: quote})
    return items
