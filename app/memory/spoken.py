"""What was said in conversations, and while memory was on: the one rule for what is indexed and what is summarised.

Left out are texts of ours that only say that something is in the way, or that never went out, and all that was said
while memory was off.
"""

from collections import defaultdict
from collections.abc import Callable, Collection

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from app.models import Message, Turn
from app.models.turn import SPOKEN

_SWITCHES = {"/memory off": True, "/memory on": False}


def is_said() -> ColumnElement[bool]:
    """Which messages, of turns that are joined, are the person's words, or the model's that went out."""
    return (Message.direction == "in") | (Turn.outcome.in_(SPOKEN) & (Message.state != "refused"))


def while_memory_was_off(db: Session, conversations: Collection[int]) -> Callable[[int, int], bool]:
    """Whether a turn, named by its conversation and its id, ran while memory was off, as the person's commands tell."""
    rows = db.execute(
        select(Turn.conversation_id, Turn.id, Message.body)
        .join(Message, Message.turn_id == Turn.id)
        .where(Turn.conversation_id.in_(conversations), Turn.kind == "command", Message.direction == "in")
        .order_by(Turn.id)
    )
    switches: dict[int, list[tuple[int, bool]]] = defaultdict(list)
    for conversation_id, turn_id, body in rows:
        off = _SWITCHES.get(" ".join(body.split()).casefold())
        if off is not None:
            switches[conversation_id].append((turn_id, off))

    def was_off(conversation_id: int, turn_id: int) -> bool:
        before = [off for switched_in, off in switches[conversation_id] if switched_in < turn_id]
        return bool(before) and before[-1]

    return was_off
