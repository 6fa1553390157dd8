"""What may become of a message and of a turn: every legal step, in one place.

Nothing else sets a state: `tests/test_architecture.py` sees to it.
"""

from typing import Any

from sqlalchemy import ColumnElement, TextClause, update
from sqlalchemy.engine import CursorResult
from sqlalchemy.orm import Session

from app.models import Message, Turn

STEPS: dict[type[Message] | type[Turn], dict[str, frozenset[str]]] = {
    Message: {
        # In. A text waits, perhaps held until its person is let in, and is answered, or never will be.
        "waiting": frozenset({"answered", "unanswered", "dead"}),
        "held": frozenset({"waiting", "unanswered"}),
        "answered": frozenset(),
        "unanswered": frozenset(),
        "dead": frozenset({"waiting"}),  # The operator has it tried again.
        # Out. That the carrier has a text can be proved at any time, by its own word.
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
}


def move(
    db: Session, rows: type[Message] | type[Turn], to: str, *which: ColumnElement[bool] | TextClause, **values: Any
) -> int:
    """How many of the rows went to the state `to`: those that may, whatever else is asked for.

    `values` are set with it. A row in a state that does not lead to `to` stays as it is.
    """
    leading = [state for state, following in STEPS[rows].items() if to in following]
    result = db.execute(update(rows).where(rows.state.in_(leading), *which).values(state=to, **values))
    assert isinstance(result, CursorResult)  # noqa: S101  (for the type checker: an UPDATE counts its rows)
    return result.rowcount
