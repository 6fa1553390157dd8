"""The texts of earlier turns as the model may be shown them: rows in, without what was forgotten since."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import bindparam, or_, select
from sqlalchemy.orm import Session

from app.memory import forgotten
from app.memory.episodes.triggers import HISTORY_MESSAGES
from app.memory.gone import Said, tellable
from app.models import Message, Turn

FORGOTTEN = "[forgotten]"
"""What stands in the place of words that are forgotten: the texts around it keep their places."""

# Made once: to build a question takes longer than to answer it.
_EARLIER = (
    select(
        Message.id,
        Message.direction,
        Message.body,
        Message.media_count,
        Message.created_at,
        Turn.id.label("turn_id"),
        Turn.kind,
    )
    .join(Turn, Turn.id == Message.turn_id)
    .where(Message.person_id == bindparam("person"), Turn.id < bindparam("turn"))
    .where(Turn.id > bindparam("since"), Turn.kind != "command", Turn.state == "done")
    .where(or_(Turn.memory_on, Turn.conversation_id == bindparam("off_in")))
    # What a routine was to say and never went out was not said.
    .where(or_(Turn.kind == "reply", Message.state != "refused"))
    .order_by(Turn.id.desc(), Message.direction.desc(), Message.id.desc())
    .limit(HISTORY_MESSAGES)
)


class EarlierText(NamedTuple):
    """One text, ours or the person's."""

    id: int
    direction: str
    body: str
    media_count: int
    created_at: datetime
    turn_id: int
    kind: str


def before(db: Session, person_id: int, turn_id: int, *, since: int, off_in: int | None) -> list[EarlierText]:
    """The texts between these turns, the newest first; commands and what they print are left out.

    What was said with memory off is shown only while it is still off in that conversation, named by `off_in`.
    """
    asked = {"person": person_id, "turn": turn_id, "since": since, "off_in": off_in}
    texts = [EarlierText(*row) for row in db.execute(_EARLIER, asked)]
    return _without_forgotten(db, person_id, texts) if texts else []


def _without_forgotten(db: Session, person_id: int, texts: Sequence[EarlierText]) -> list[EarlierText]:
    gone, forgot = forgotten.gone_and_where(db, person_id, since=min(text.created_at for text in texts))
    if not gone:
        return list(texts)
    said = [Said(one.id, one.turn_id, one.direction == "in", one.body, one.created_at) for one in reversed(texts)]
    left = {one.message_id: one.words for one in tellable(said, gone, forgot)}

    def shown(text: EarlierText) -> str:
        if text.direction == "out" and text.turn_id in forgot:
            return FORGOTTEN  # It says what was forgotten.
        words = left.get(text.id, "")
        return text.body if words == text.body else f"{words}\n{FORGOTTEN}".lstrip()

    return [one._replace(body=shown(one)) if one.body.strip() else one for one in texts]
