"""The text that a memory came from, and the turns in which the model was shown it, with the reason."""

from collections.abc import Collection, Sequence
from typing import Any
from xml.sax.saxutils import escape

from sqlalchemy import false, func, or_, select
from sqlalchemy.orm import Session

from app.models import Message, Turn

TURNS_LOOKED_THROUGH = 300  # The person's latest turns: months of most people's texts, read in a few milliseconds.
USES_SHOWN = 10

_FIRST = select(func.min(Message.id)).where(Message.turn_id == Turn.id).correlate(Turn).scalar_subquery()


def source_message(db: Session, person_id: int, message_id: int | None) -> Message | None:
    """The text that something was learned from, or None if it is another person's or gone."""
    return db.scalars(select(Message).where(Message.id == message_id, Message.person_id == person_id)).one_or_none()


def uses(db: Session, person_id: int, kind: str, number: int, *, sentences: Collection[str] = ()) -> dict[str, Any]:
    """The `latest` turns that were `shown` this `fact` or `episode`, their count, and how many were `looked_through`.

    Each has its instant, its first text (a routine has none) and a reason; `sentences` are the fact's wordings.
    """
    stood = or_(false(), *(Turn.memory_shown.contains(escape(one), autoescape=True) for one in sentences))
    columns = (Turn.started_at, Turn.recalled, func.coalesce(stood, false()).label("stood"), _FIRST.label("first"))
    theirs = select(*columns).where(Turn.person_id == person_id).order_by(Turn.id.desc())
    looked = db.execute(theirs.limit(TURNS_LOOKED_THROUGH)).all()
    found = [
        {"at": turn.started_at, "message_id": turn.first, "why": why}
        for turn in looked
        if (why := _why(turn.recalled or [], kind, number, stood=turn.stood))
    ]
    return {"latest": found[:USES_SHOWN], "shown": len(found), "looked_through": len(looked)}


def _why(recalled: Sequence[dict[str, Any]], kind: str, number: int, *, stood: bool) -> str:
    row = next((one for one in recalled if one["kind"] == kind and one["id"] == number), None)
    if row is None:
        return "always included" if stood else ""
    if row.get("carried"):
        return "carried over from the turn before"
    match row.get("scale", ""):
        case "days":
            return "found for the text: it happened when that asks for"
        case "meaning":
            floor = f", the floor {row['floor']:.2f}" if "floor" in row else ""
            return f"found for the text by meaning, {row['score']:.2f}{floor}"
        case "words":
            return f"found for the text by words, {row['score']:.2f}"
        case _:
            return "found for the text"
