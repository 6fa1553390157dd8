"""How near something was to a text, and how that stands on the turn: pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Scale = Literal["", "meaning", "words", "days"]


@dataclass(frozen=True)
class Near:
    """How near something was to a text, or to an earlier one of its topic."""

    score: float
    """By `meaning`, a cosine: −1 to 1, higher is nearer. By `words`, a ranking's score: above 0, comparable within one
    look alone. By `days` 0: it happened when the text asks for, and nothing else was asked."""
    scale: Scale = ""
    """Empty where it was not noted."""
    floor: float | None = None
    """What a cosine had to be at the least; None where none was asked."""
    carried: bool = False
    """Whether it stands there because of a turn before, and nobody looked for it in this one."""


def as_row(kind: str, near: Near, number: int | None = None) -> dict[str, Any]:
    """As `Turn.recalled` keeps it."""
    row: dict[str, Any] = {"kind": kind, "id": number, "score": round(near.score, 3), "scale": near.scale}
    if near.floor is not None:
        row["floor"] = round(near.floor, 3)
    return row | ({"carried": True} if near.carried else {})


def carried(row: Mapping[str, Any]) -> Near:
    """What stands on an earlier turn, in this one."""
    return Near(row["score"], row.get("scale", ""), row.get("floor"), carried=True)
