"""Routines and rules that still speak of something that was forgotten: whoever forgets is told how to end them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from app.memory import rules
from app.memory.forgotten import Fence, Gone
from app.memory.rules.words import spoken
from app.memory.subjects import CALENDAR
from app.models import Rule
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
    speaks = _Listener(gone)
    return [
        StillComing(one.number, one.words, describe(rows.schedule_of(one), rows.zone_of(db, one)))
        for one in rows.standing(db, person_id)
        if one.state == "active" and speaks.of(one.words, one.created_at)
    ]


def still_ruling(db: Session, person_id: int, gone: Sequence[Gone]) -> list[Rule]:
    """The rules of the person that speak of what was forgotten, by number."""
    if not gone:
        return []
    speaks = _Listener(gone)
    return [one for one in rules.live(db, person_id) if speaks.of(spoken(one), one.created_at)]


def sentence(db: Session, person_id: int, gone: Sequence[Gone]) -> str:
    """Both for the person, with how to end them; empty for nothing."""
    told = (_coming(still_coming(db, person_id, gone)), _ruling(still_ruling(db, person_id, gone)))
    return " ".join(filter(None, told))


def _ruling(found: Sequence[Rule]) -> str:
    if not found:
        return ""
    named = found[:MOST_NAMED]
    numbers = ", ".join(str(one.number) for one in named)
    more = f" (and {len(found) - len(named)} more: /rules shows them)" if len(found) > len(named) else ""
    lead = "A rule still names it" if len(found) == 1 else "Rules still name it"
    end = f"/rules forget {numbers} ends {'it' if len(named) == 1 else 'them'}."
    return f"{lead}: {'; '.join(map(spoken, named))}{more}. {end}"


def _coming(found: Sequence[StillComing]) -> str:
    if not found:
        return ""
    named = found[:MOST_NAMED]
    coming = "; ".join(f"{one.words}, {one.when}" for one in named)
    numbers = ", ".join(str(one.number) for one in named)
    more = f" (and {len(found) - len(named)} more: /routines shows them)" if len(found) > len(named) else ""
    return f"Still to come: {coming}{more}. /routines forget {numbers} stops {'it' if len(named) == 1 else 'them'}."


class _Listener:
    """Whoever knows what was forgotten, and hears whether words speak of it."""

    def __init__(self, gone: Sequence[Gone]) -> None:
        self._fence, self._names = Fence(gone), {name for one in gone for name in _names(one.fact)}

    def of(self, words: str, at: datetime) -> bool:
        is_named = any(re.search(rf"\b{re.escape(name)}\b", words) for name in self._names)
        return is_named or self._fence.spoken_of_in(words, at) is not None


def _names(fact: str) -> list[str]:
    return [name for name in _NAME.findall(fact) if name.casefold() not in CALENDAR]
