"""Writes every form with a session and token to the log before it is carried out, or refused because of the role.

If it is refused later or fails, a second entry says so.
"""

import logging
import re
from collections.abc import Iterable, Iterator
from http import HTTPStatus
from itertools import groupby, pairwise
from typing import cast

from flask import Response as FlaskResponse
from flask import g, request
from sqlalchemy import select
from sqlalchemy.orm import Session

from app.errors import KeepsakeError, Refused
from app.memory.review import ROWS, Kind
from app.models import Operator
from app.operations import audit
from app.operators import ROLES
from app.web import auth
from app.web.auth import READING

NOTED_BY_THEIR_VERBS = frozenset(
    {"admin.check_login", "admin.check_step", "admin.begin_passkey_login", "admin.reveal", "admin.end_reveal"}
)
"""Endpoints whose verbs write the entry: a login has no operator until it succeeds, and a reveal writes its own."""

MAX_IDS = 100  # Ids listed for one form, such as a list with many ticked rows; the rest are only counted.

_FIXED = {"action": {"pin", "unpin", "archive", "forget", "merge"}, "role": set(ROLES)}
"""Fields whose value is one of a few fixed words."""

_KINDS = {**audit.KINDS, "apart": "fact", "changes": "change"}
_AN_ID = re.compile(r"\d{1,9}", re.ASCII)  # Shorter than a phone number.
_TICKED = re.compile(r"(\d{1,9})-(\d{1,9})", re.ASCII)
_ITEM = re.compile(r"(fact|episode|rule)-(\d{1,9})", re.ASCII)

logger = logging.getLogger(__name__)

Meant = tuple[str, int | None, int]
"""One row that a form is about: its kind, its person (None if the URL names them), and its number."""


def note_request() -> None:
    """Write the entry for a request; runs after `auth.guard`, and the entry stays whatever the outcome."""
    is_allowed = auth.is_for_their_role()
    if request.method in READING or (is_allowed and request.endpoint in NOTED_BY_THEIR_VERBS):
        return
    services, values = auth.services(), request.view_args or {}
    with services.transaction() as db:
        kind = audit.KINDS.get(request.args.get("kind", ""), "fact")
        chosen = [(kind, *row) for row in ticked()]
        merged = [("fact", None, number) for number in to_be_merged()]
        meant = [*_rows_in_url(), *chosen, *merged, *_reviewed_rows(db)]
        person_id = values.get("person_id")
        person_ids = {person for _, person, _ in meant if person is not None}
        if person_id is None and len(person_ids) == 1:
            [person_id] = person_ids
        fixed = [f"{name} {given}" for name, words in _FIXED.items() if (given := request.form.get(name)) in words]
        to = [f"to_id {one}" for one in request.form.getlist("to_id")[:1] if _AN_ID.fullmatch(one)]
        number = audit.note(
            db,
            auth.operator().name,
            (request.endpoint or "").removeprefix("admin.") + ("" if is_allowed else audit.REFUSED),
            services.clock.now(),
            person_id=person_id,
            about=", ".join([*fixed, *_row_words(meant, person_id), *_operator_words(db), *to]),
            reason=request.form.get("reason", ""),
        )
    if is_allowed:
        g.asked_entry = number


def not_done(why: str) -> None:
    """Make the log say that the requested action was not done, or not completely; `why` is one of our codes."""
    g.not_done = why


def note_failure(response: FlaskResponse) -> FlaskResponse:
    """Add an entry if the action logged before was not done; runs after each response."""
    number, why = g.get("asked_entry"), g.get("not_done") or _refusal_code(response.status_code)
    if number is None or not why:
        return response
    services = auth.services()
    try:
        with services.transaction() as db:
            audit.note_not_done(db, number, why, services.clock.now())
    except Exception:
        # The same fault may break this too. The operator is told of the first one, and the earlier entry stands.
        logger.exception("The log does not say of entry %d that it was not done (%s)", number, why)
    return response


def _refusal_code(status: int) -> str:
    """The code of the reason, from the response's status, which is an error for a refused form; empty for success."""
    if status < HTTPStatus.BAD_REQUEST:
        return ""
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return KeepsakeError.code
    return Refused.code if status == Refused.http_status else HTTPStatus(status).name.lower()


def _rows_in_url() -> Iterator[Meant]:
    parts = request.url_rule.rule.split("/") if request.url_rule else []
    for before, part in pairwise(parts):
        name = part.removeprefix("<int:").removesuffix(">")
        if name != part and before in _KINDS and name != "operator_id":
            yield _KINDS[before], None, (request.view_args or {})[name]


def ticked() -> list[tuple[int, int]]:
    """Person and number of each row that is ticked in the form; malformed values, here as below, are left out."""
    return [(int(found[1]), int(found[2])) for found in map(_TICKED.fullmatch, request.form.getlist("chosen")) if found]


def to_be_merged() -> list[int]:
    """Numbers of the facts to be merged."""
    return [int(number) for number in request.values.get("numbers", "").split(",") if _AN_ID.fullmatch(number)]


def reviewed() -> list[tuple[Kind, int]]:
    """Kind and row id of each memory that the form reviews."""
    items = map(_ITEM.fullmatch, request.form.getlist("item"))
    return [(cast("Kind", found[1]), int(found[2])) for found in items if found]


def _reviewed_rows(db: Session) -> Iterator[Meant]:
    """Reviewed memories: the form names row ids, and the rows give the person and the number."""
    items = reviewed()[:MAX_IDS]
    for kind, table in ROWS.items():
        ids = [item for of_kind, item in items if of_kind == kind]
        if ids:
            rows = select(table.person_id, table.number).where(table.id.in_(ids)).order_by(table.person_id, table.id)
            for person_id, number in db.execute(rows):
                yield kind, person_id, number


def _row_words(meant: Iterable[Meant], person_id: int | None) -> Iterator[str]:
    """The rows as words of the log: `fact 7 8`, or `fact 1-7 2-3` for several people."""
    for kind, rows in groupby(meant, key=lambda row: row[0]):
        refs = [f"{number}" if person in {None, person_id} else f"{person}-{number}" for _, person, number in rows]
        refs = list(dict.fromkeys(refs))
        more = f" and {len(refs) - MAX_IDS} more" if len(refs) > MAX_IDS else ""
        yield f"{kind} {' '.join(refs[:MAX_IDS])}{more}"


def _operator_words(db: Session) -> Iterator[str]:
    """The operator's id with the name, which identifies them even after they are removed."""
    operator_id = (request.view_args or {}).get("operator_id")
    if operator_id is not None:
        name = db.scalar(select(Operator.name).where(Operator.id == operator_id))
        yield f"operator {operator_id}{f' {name}' if name else ''}"
