"""Every form that comes with a session and its token is in the log before it is carried out, or refused by its role."""

import re
from collections.abc import Iterator

from flask import request

from app import audit
from app.web import auth
from app.web.roles import READING

NOTED_BY_THEIR_VERBS = frozenset(
    {"admin.check_login", "admin.check_step", "admin.begin_passkey_login", "admin.reveal", "admin.end_reveal"}
)
"""A login is nobody's before it has succeeded, and a reveal is written with its row."""

REFUSED = "_refused"
"""How the word of an entry ends that somebody's role was not for: as `reveal_refused`."""

MAX_IDS = 100  # Of one form, such as a list with many rows ticked; how many more there were is said.

_NAMES_OF_IDS = re.compile(r"(?:.*_)?(?:id|ids|number|numbers|chosen|into)")
_AN_ID = re.compile(r"\d{1,9}(?:-\d{1,9})?", re.ASCII)  # Shorter than a phone number.


def note_what_is_asked() -> None:
    """Runs once `auth.guard` has let a request through: an entry that stays, whatever becomes of what it asks for."""
    is_theirs = auth.is_for_their_role()
    if request.method in READING or (is_theirs and request.endpoint in NOTED_BY_THEIR_VERBS):
        return
    services, values = auth.services(), request.view_args or {}
    with services.transaction() as db:
        audit.note(
            db,
            auth.operator().name,
            (request.endpoint or "").removeprefix("admin.") + ("" if is_theirs else REFUSED),
            services.clock.now(),
            person_id=values.get("person_id"),
            about=", ".join(_ids()),
            reason=request.form.get("reason", ""),
        )


def _ids() -> Iterator[str]:
    """Which rows the form is about: by its address, and by those of its fields whose names say that they hold ids."""
    for name, value in (request.view_args or {}).items():
        if name != "person_id" and isinstance(value, int):
            yield f"{name} {value}"
    for name in sorted(request.form):
        values = [value for value in request.form.getlist(name) if _AN_ID.fullmatch(value)]
        if values and _NAMES_OF_IDS.fullmatch(name):
            more = f" and {len(values) - MAX_IDS} more" if len(values) > MAX_IDS else ""
            yield f"{name} {' '.join(values[:MAX_IDS])}{more}"
