"""What still comes by itself about something that was forgotten: whoever forgets is told, and how to stop it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from app.memory.gone import Fence, Gone
from app.memory.subject_names import CALENDAR
from app.models import Routine
from app.routines import rows
from app.routines.described import describe

MOST_NAMED = 3  # It stands behind what was forgotten, and each line is paid for.

# What somebody or something is called, in a fact: behind its first word, which is always written large.
_NAME = re.compile(r"(?<=[\w,'’] )[A-Z][^\W\d_]+")


@dataclass(frozen=True)
class StillComing:
    """A routine that speaks of it and comes all the same."""

    number: int
    words: str
    when: str
    """As `described.describe` has it."""


def still_coming(db: Session, person_id: int, gone: Sequence[Gone]) -> list[StillComing]:
    """The active routines of the person that speak of what was forgotten, by number."""
    if not gone:
        return []
    fence, names = Fence(gone), {name for one in gone for name in _names(one.fact)}
    return [
        StillComing(one.number, one.words, describe(rows.schedule_of(one), rows.zone_of(db, one)))
        for one in rows.standing(db, person_id)
        if one.state == "active" and _speaks_of(one, fence, names)
    ]


def sentence(found: Sequence[StillComing]) -> str:
    """It for the person, with how to stop it; empty for nothing."""
    if not found:
        return ""
    named = found[:MOST_NAMED]
    coming = "; ".join(f"{one.words}, {one.when}" for one in named)
    numbers = ", ".join(str(one.number) for one in named)
    more = f" (and {len(found) - len(named)} more: /routines shows them)" if len(found) > len(named) else ""
    return f"Still to come: {coming}{more}. /routines forget {numbers} stops {'it' if len(named) == 1 else 'them'}."


def _speaks_of(routine: Routine, fence: Fence, names: set[str]) -> bool:
    is_named = any(re.search(rf"\b{re.escape(name)}\b", routine.words) for name in names)
    return is_named or fence.spoken_of_in(routine.words, routine.created_at) is not None


def _names(fact: str) -> list[str]:
    return [name for name in _NAME.findall(fact) if name.casefold() not in CALENDAR]
