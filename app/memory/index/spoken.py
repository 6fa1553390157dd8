"""Texts of conversations with memory on: the one rule for what is indexed and what is summarised.

Left out are texts of ours that only say that something is in the way, or that never went out, and all that was said
while memory was off.
"""

from sqlalchemy import ColumnElement

from app.models import Message, Turn
from app.models.turn import SPOKEN


def is_said() -> ColumnElement[bool]:
    """Which messages, of turns that are joined, are the person's words, or the model's that went out."""
    went_out = Turn.outcome.in_(SPOKEN) & (Message.state != "refused")
    return Turn.memory_on & ((Message.direction == "in") | went_out)
