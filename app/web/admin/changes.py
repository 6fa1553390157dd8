"""The history of changes to a person's memory, with undo."""

from collections.abc import Sequence
from typing import TypeVar

from sqlalchemy import select
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response

from app import memory, people
from app.errors import Conflict, NotFound
from app.memory import changes as rows
from app.memory.changes import UndoBlocked, blocked_from_undo
from app.models import Change, Episode, Fact, Routine, Rule
from app.routines.rows import spoken
from app.web import auth
from app.web.admin.blueprint import action, asked_id, bp, page
from app.web.admin.facts import ON_A_PAGE, page_of_rows

Row = TypeVar("Row", Fact, Episode, Rule, Routine)


@bp.get("/people/<int:person_id>/changes")
def changes(person_id: int) -> Response:
    with auth.services().reading() as db:
        person = people.by_id(db, person_id)
        listed = rows.latest(db, person_id, (asked_id("skip") or 0) + ON_A_PAGE + 1)
        shown = {
            "facts": _touched(db, Fact, listed, "added_fact_id", "retired_fact_id", "fact_id"),
            "episodes": _touched(db, Episode, listed, "retired_episode_id"),
            "rules": _touched(db, Rule, listed, "added_rule_id", "retired_rule_id"),
            # Their current state, in a few words.
            "routines": {key: spoken(db, one) for key, one in _touched(db, Routine, listed, "routine_id").items()},
            "blocked_from_undo": blocked_from_undo(db, listed),
        }
    return page("changes", person=person, changes=page_of_rows(listed), **shown)


def _touched(db: Session, table: type[Row], changes: Sequence[Change], *columns: str) -> dict[int, Row]:
    """Rows of this table that the changes touched, by id, as named in these columns of their items."""
    ids = {getattr(item, column) for change in changes for item in change.items for column in columns} - {None}
    return {row.id: row for row in db.scalars(select(table).where(table.id.in_(ids)))}


@action("/people/<int:person_id>/changes/<int:change_id>/undo", "admin.changes", told=(Conflict, NotFound))
def undo(person_id: int, change_id: int) -> str:
    try:
        memory.undo(auth.services(), person_id, change_id=change_id)
    except UndoBlocked:
        raise
    except Conflict as error:
        sentence = "It cannot be taken back: another fact or rule says by now what would come back."
        raise Conflict(sentence) from error
    return "The change is taken back."
