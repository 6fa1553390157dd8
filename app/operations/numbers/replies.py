"""Replies that went out: when the last text that each answers came, and when its first part was sent."""

from sqlalchemy import func, select
from sqlalchemy.orm import aliased

from app.models import Message

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
"""Of whatever time; the first column is None where a turn has no texts."""
