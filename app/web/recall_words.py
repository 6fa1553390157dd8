"""The reason why a turn looked into the past or did not, and what came of it, in words for the pages."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import Flask

from app.memory.index.gates import LOOKED
from app.models import Turn

RECALL = {
    "start": "looked: a conversation began",
    "past": "looked: it asks for something past",
    "a day": "looked: it asks for a day",
    "a name": "looked: it asks for somebody or something by name",
    "themselves": "looked: it asks for something of theirs",
    "new topic": "looked: the topic is new",
    "long since": "looked: several texts ago was the last time",
    "same topic": "not looked: the topic is the same",
    "same question": "not looked: the question is the same",
    "small talk": "not looked: it says little",
    "nothing kept": "not looked: all that is kept is shown anyway",
    "memory off": "not looked: memory is off",
    "no time": "not looked: too little time was left",
    "failed": "failed: the log tells why",
}
"""By the reason of the gate that spoke."""


SCALES = {
    "days": "By days: it happened when the text asks for, and nothing else was asked.",
    "meaning": "By meaning: a cosine, −1 to 1, higher is nearer. Episodes have to reach the floor; facts have none.",
    "words": "By words: a score above 0, which can be compared within this look alone.",
    "": "How it was measured was not noted.",
}
"""What a score says, by its scale; in the order in which they are shown."""


@dataclass(frozen=True)
class Back:
    """A memory that stood before the model because of what was texted."""

    kind: str
    number: int
    scale: str
    score: float | None
    """None where there is nothing to measure."""
    floor: float | None
    carried: bool


def add_filters(app: Flask) -> None:
    for shown in (as_recall, came_back, in_vain, as_scale):
        app.add_template_filter(shown)


def came_back(turn: Turn) -> list[Back]:
    """Found for its texts first, then carried over; episodes before facts; of each scale the nearest first."""
    rows, scales = [_back(row) for row in turn.recalled or [] if row["kind"] != "nearest"], list(SCALES)
    rows.sort(key=lambda one: (one.carried, one.kind != "episode", scales.index(one.scale), -(one.score or 0.0)))
    return rows


def in_vain(turn: Turn) -> str:
    """What is to be said where a turn looked and no episode came of it."""
    rows = turn.recalled or []
    if turn.recall_gate not in LOOKED or any(row["kind"] == "episode" for row in rows):
        return ""
    nearest = next((row for row in rows if row["kind"] == "nearest"), None)
    if nearest is None:
        return "" if rows else "Looked, and nothing was put before the text."
    if "floor" not in nearest:
        return "Looked, and no episode shares words enough that few of them hold."
    best, floor = f"{nearest['score']:.2f}", f"{nearest['floor']:.2f}"
    return f"Looked, and no episode reached the floor: the best {best}, the floor {floor}."


def _back(row: Mapping[str, Any]) -> Back:
    scale = row.get("scale", "")
    score = row["score"] if scale != "days" else None
    return Back(row["kind"], row["id"], scale, score, row.get("floor"), row.get("carried", False))


def as_recall(gate: str) -> str:
    return RECALL.get(gate, gate)


def as_scale(scale: str) -> str:
    """What a score on this scale says."""
    return SCALES[scale]
