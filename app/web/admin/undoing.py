"""The change that a request of an operator's has made: what the undo beside its sentence takes back."""

from secrets import token_hex

from flask import g

from app.memory import Origin, changes
from app.models import Change
from app.web import auth


def by_operator(person_id: int) -> Origin:
    """The operator who asks, as the origin of one change of this person's memory, by which that is found again."""
    call = f"page:{token_hex(8)}:{person_id}"
    g.calls = [*g.get("calls", []), call]
    return Origin(actor="operator", source="operator", call=call)


def made() -> Change | None:
    """The one change that this request has made; None where it made none or several."""
    calls: list[str] = g.get("calls", [])
    if not calls:
        return None
    with auth.services().reading() as db:
        found = [change for call in calls if (change := changes.made_by(db, call)) is not None]
    return found[0] if len(found) == 1 else None
