"""Facts, routines and rules that still mention something forgotten; the person is told how to end them."""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy.orm import Session

from app.memory import rules
from app.memory.changes import held
from app.memory.forgotten import Fence, ForgottenThing
from app.memory.rules import spoken
from app.memory.subjects import CALENDAR
from app.models import Fact, Routine, Rule
from app.routines import rows

Named = tuple[int, str]  # A number and the words on what it stands for.

MOST_NAMED = 3  # The list follows that of the forgotten facts, and each line costs money.

# A proper name within a fact. The first word is left out because it is always capitalised.
_NAME = re.compile(r"(?<=[\w,'’] )[A-Z][^\W\d_]+")


class Standing(NamedTuple):
    """Everything that still mentions something forgotten, by number; paused and proposed routines and rules too."""

    facts: Sequence[Fact] = ()  # Those that hold a forgotten name; facts of any other forgotten thing went with it.
    routines: Sequence[Routine] = ()
    rules: Sequence[Rule] = ()


def still_standing(db: Session, person_id: int, gone: Sequence[ForgottenThing]) -> Standing:
    """Everything of the person's that still mentions what was forgotten."""
    if not gone:
        return Standing()
    fence = Fence(gone)
    names = {name for one in gone for name in _NAME.findall(one.fact) if name.casefold() not in CALENDAR}

    def speaks(words: str, at: datetime) -> bool:
        is_named = any(re.search(rf"\b{re.escape(name)}\b", words) for name in names)
        return is_named or fence.find_mentioned(words, at) is not None or fence.nameless(words, at) != words

    facts = db.scalars(held(Fact, person_id).order_by(Fact.number)).all() if any(one.name for one in gone) else ()
    return Standing(
        [one for one in facts if fence.nameless(one.sentence, one.recorded_at) != one.sentence],
        [one for one in rows.standing(db, person_id) if speaks(one.words, one.created_at)],
        [one for one in rules.live(db, person_id) if speaks(spoken(one), one.created_at)],
    )


def sentence(db: Session, person_id: int, gone: Sequence[ForgottenThing]) -> str:
    """A sentence for the person that names all of it and says how to end it; empty if there is none."""
    found = still_standing(db, person_id, gone)
    routines = [(one.number, f"{rows.spoken(db, one)}{rows.STATES[one.state]}") for one in found.routines]
    facts = [(one.number, one.sentence) for one in found.facts]
    return sentences(facts, routines, [(one.number, spoken(one)) for one in found.rules])


def sentences(known: Sequence[Named], coming: Sequence[Named], ruling: Sequence[Named]) -> str:
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
