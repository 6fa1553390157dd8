"""The changes of a routine, with who made them, and the times an operator had it come at once, as a list says it."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.models import Change, ChangeItem, Occurrence, Routine
from app.routines import rows
from app.routines.described import describe
from app.routines.schedule import Schedule

MOST = 50  # Of one routine; nobody reads further back.

RUN_NOW = "run now"
"""What stands in place of a field where nothing was set: the routine came once more."""

NAMES = {
    "at_night": "may come at night",
    "schedule": "when it comes",
    "useful_minutes": "minutes for which it is of use",
    "words": "words",
    "zone": "zone it stays in",
}


@dataclass(frozen=True)
class Changed:
    """One field of a routine that was set otherwise, the routine's making included; or that it was run."""

    at: datetime
    actor: str
    field: str
    before: str | None
    """None of a new routine, and of one that was run."""
    after: str
    """Of one that was run, what became of it."""
    undone_at: datetime | None

    @property
    def what(self) -> str:
        """The field in words; `state` has none, since its values say enough."""
        return NAMES.get(self.field, self.field)


def changes_of(db: Session, routine: Routine) -> list[Changed]:
    """The newest first."""
    done = sorted([*_set(db, routine), *_run_now(db, routine)], key=lambda one: one.at, reverse=True)
    return done[:MOST]


def _run_now(db: Session, routine: Routine) -> list[Changed]:
    wanted = select(Occurrence.due_at, Occurrence.state).where(
        Occurrence.routine_id == routine.id, Occurrence.by_operator
    )
    newest = db.execute(wanted.order_by(Occurrence.due_at.desc()).limit(MOST))
    return [Changed(at, "operator", RUN_NOW, None, state, None) for at, state in newest]


def _set(db: Session, routine: Routine) -> list[Changed]:
    zone = rows.zone_of(db, routine)
    wanted = select(Change.at, Change.actor, ChangeItem.field, ChangeItem.before, ChangeItem.after, Change.undone_at)
    wanted = wanted.join(Change, Change.id == ChangeItem.change_id).where(ChangeItem.routine_id == routine.id)
    return [
        Changed(at, actor, field or "", _spoken(field, before, zone), _spoken(field, after, zone) or "", undone_at)
        for at, actor, field, before, after, undone_at in db.execute(wanted.order_by(ChangeItem.id.desc()).limit(MOST))
    ]


def _spoken(field: str | None, value: str | None, zone: str) -> str | None:
    kept: Any = json.loads(value or "null")
    match kept:
        case None:
            return "none" if field == "zone" else None
        case bool():
            return "yes" if kept else "no"
        case dict():
            return describe(Schedule.from_dict(kept), zone)
        case _:
            return str(kept)
