"""Every legal step of a message, a turn, a routine, an occurrence and a suggestion, in one place.

Nothing else sets a state: `tests/test_architecture.py` checks this.
"""

from typing import Any, cast

from sqlalchemy import ColumnElement, Table, TextClause, Update, update
from sqlalchemy.engine import CursorResult
from sqlalchemy.orm import Session

from app.models.messages import Message
from app.models.routines import Occurrence, Routine, Suggestion
from app.models.turns import Turn

Rows = type[Message] | type[Turn] | type[Routine] | type[Occurrence] | type[Suggestion]

STEPS: dict[Rows, dict[str, frozenset[str]]] = {
    Message: {
        # In. A text waits, perhaps held until its person is let in; then it is answered, or never will be.
        "waiting": frozenset({"answered", "unanswered", "dead"}),
        "held": frozenset({"waiting", "unanswered"}),
        "answered": frozenset(),
        "unanswered": frozenset(),
        "dead": frozenset({"waiting"}),  # The operator has it tried again.
        # Out. The carrier can prove at any time, by its own word, that it has a text.
        "queued": frozenset({"sending", "sent", "refused"}),
        "sending": frozenset({"queued", "sent", "refused", "unknown"}),
        "unknown": frozenset({"queued", "sent", "refused"}),
        "refused": frozenset({"sent"}),
        "sent": frozenset(),
    },
    Turn: {
        "running": frozenset({"running", "postponed", "done"}),  # To itself: another process takes it over.
        "postponed": frozenset({"running", "done"}),
        "done": frozenset(),
    },
    Routine: {
        "proposed": frozenset({"active", "paused", "ended", "cancelled"}),
        "active": frozenset({"proposed", "paused", "ended", "cancelled"}),
        "paused": frozenset({"active", "proposed", "ended", "cancelled"}),
        "ended": frozenset({"active", "cancelled"}),  # It is to come again: snoozed, or at another time.
        "cancelled": frozenset({"active", "proposed", "paused"}),  # The cancellation is undone.
    },
    Occurrence: {
        "due": frozenset({"due", "held", "running", "missed", "skipped", "cancelled"}),
        "held": frozenset({"due", "held", "running", "missed", "skipped", "cancelled"}),
        "running": frozenset({"due", "sent", "late", "delivered", "missed", "skipped", "cancelled"}),
        "sent": frozenset({"delivered", "missed", "due"}),  # To due: its person wants it again.
        "late": frozenset({"delivered", "missed", "due"}),
        "delivered": frozenset({"due"}),
        "missed": frozenset({"due"}),
        "skipped": frozenset(),
        "cancelled": frozenset({"due"}),  # The cancellation of its routine is undone before it was to come.
    },
    Suggestion: {
        "waiting": frozenset({"waiting", "said", "dropped"}),
        "said": frozenset({"accepted", "declined", "silent", "dropped"}),
        "accepted": frozenset(),
        "declined": frozenset(),
        "silent": frozenset(),
        "dropped": frozenset(),
    },
}


def _from_there(rows: Rows, to: str) -> Update:
    leading = [state for state, following in STEPS[rows].items() if to in following]
    table = cast("Table", rows.__table__)
    return update(table).where(table.c.state.in_(leading))


# Built once, on the tables: every text takes half a dozen of these steps.
_MOVES = {(rows, to): _from_there(rows, to) for rows, steps in STEPS.items() for to in steps}


def move(db: Session, rows: Rows, to: str, *which: ColumnElement[bool] | TextClause, **values: Any) -> int:
    """Move matching rows to the state `to`, set `values`, and return their number; rows with no legal step stay."""
    db.flush()
    result = db.connection().execute(_MOVES[rows, to].where(*which), {"state": to, **values})
    assert isinstance(result, CursorResult)  # noqa: S101  (for the type checker: an UPDATE counts its rows)
    for one in db:
        if isinstance(one, rows):
            db.expire(one, ["state", *values])
    return result.rowcount
