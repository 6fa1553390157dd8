"""Reveal one person's words to this session, with a reason, and mask them again."""

from flask import flash, request
from werkzeug.wrappers import Response

from app.errors import Refused
from app.operators import reveals
from app.web import auth
from app.web.admin import masking
from app.web.admin.blueprint import back_or, bp


@bp.post("/people/<int:person_id>/reveal")
def reveal(person_id: int) -> Response:
    if not masking.may_reveal():
        raise Refused("Only an owner may reveal what people wrote. Ask one to look.")
    name, reason = auth.operator().name, request.form.get("reason", "")
    try:
        until = reveals.begin(auth.services(), masking.session(), name, person_id, reason)
    except Refused as error:
        return _back(person_id, str(error), "problem")
    return _back(person_id, f"Revealed to you until {until:%H:%M} UTC. It is in the log, and told when they ask.")


@bp.post("/people/<int:person_id>/reveal/end")
def end_reveal(person_id: int) -> Response:
    reveals.end(auth.services(), masking.session(), auth.operator().name, person_id)
    return _back(person_id, "Hidden again.")


def _back(person_id: int, sentence: str, kind: str = "done") -> Response:
    """The page on which the button stood; the person's own where that is not said."""
    flash(sentence, kind)
    return back_or("admin.conversation", person_id=person_id)
