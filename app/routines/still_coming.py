"""Facts, routines and rules that still mention something forgotten; the person is told how to end them."""

import re
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy.orm import Session

from app.memory import rules
from app.memory.forgotten import Fence, ForgottenThing
from app.memory.rules import spoken
from app.memory.subjects import CALENDAR
from app.models import Routine, Rule
from app.routines import rows

Named = tuple[int, str]  # A number and the words on what it stands for.

MOST_NAMED = 3  # The list follows that of the forgotten facts, and each line costs money.

# A proper name within a fact. The first word is left out because it is always capitalised.
_NAME = re.compile(r"(?<=[\w,'’] )[A-Z][^\W\d_]+")


def still_mentioning(db: Session, person_id: int, gone: Sequence[ForgottenThing]) -> tuple[list[Routine], list[Rule]]:
    """The person's routines and rules that mention what was forgotten, paused and proposed ones too, by number."""
    if not gone:
        return [], []
    fence = Fence(gone)
    names = {name for one in gone for name in _NAME.findall(one.fact) if name.casefold() not in CALENDAR}

    def speaks(words: str, at: datetime) -> bool:
        is_named = any(re.search(rf"\b{re.escape(name)}\b", words) for name in names)
        return is_named or fence.find_mentioned(words, at) is not None

    coming = [one for one in rows.standing(db, person_id) if speaks(one.words, one.created_at)]
    return coming, [one for one in rules.live(db, person_id) if speaks(spoken(one), one.created_at)]


def sentence(db: Session, person_id: int, gone: Sequence[ForgottenThing]) -> str:
    """A sentence for the person that names both and says how to end them; empty if there are none."""
    coming, ruling = still_mentioning(db, person_id, gone)
    routines = [(one.number, f"{rows.spoken(db, one)}{rows.STATES[one.state]}") for one in coming]
    return told(coming=routines, ruling=[(one.number, spoken(one)) for one in ruling])


def told(known: Sequence[Named] = (), coming: Sequence[Named] = (), ruling: Sequence[Named] = ()) -> str:
    """A sentence for each kind that has any: facts, routines, rules. It names them, and the command that ends them."""
    lead = "A rule still names it" if len(ruling) == 1 else "Rules still name it"
    lines = (
        _line(known, "Still known", "/memory", "forgets"),
        _line(coming, "Still to come", "/routines", "stops"),
        _line(ruling, lead, "/rules", "ends"),
    )
    return " ".join(filter(None, lines))


def _line(found: Sequence[Named], lead: str, command: str, ends: str) -> str:
    if not found:
        return ""
    named = found[:MOST_NAMED]
    words, numbers = "; ".join(said for _, said in named), ", ".join(str(number) for number, _ in named)
    more = f" (and {len(found) - len(named)} more: {command} shows them)" if len(found) > len(named) else ""
    return f"{lead}: {words}{more}. {command} forget {numbers} {ends} {'it' if len(named) == 1 else 'them'}."
