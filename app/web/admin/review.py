"""The review: memories learned since this operator last looked, to keep, correct or forget one by one."""

from collections.abc import Callable
from typing import Any

from flask import request
from sqlalchemy import select
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response

from app import memory as verbs
from app.errors import Conflict, KeepsakeError, NotFound, Refused
from app.memory import review as review_rows
from app.memory.episodes import first_messages
from app.memory.remember import MAX_FACT_CHARS
from app.memory.review import MOST, Kind, Learned
from app.models import Message, Person
from app.web import auth
from app.web.admin import auditing, masking
from app.web.admin.blueprint import action, asked_id, asked_person, bp, by_operator, done, made_change, not_done, page

BELOW = "admin.memory"

AT_ONCE = 30  # As many as an operator reads in one go; the rest follows when these are done.
QUOTED_CHARS = 400
_FORGET: dict[Kind, Callable[..., object]] = {
    "fact": verbs.forget,
    "episode": verbs.forget_episodes,
    "rule": verbs.forget_rules,
}


@bp.get("/review")
def review(problem: KeepsakeError | None = None) -> Response:
    services, person_id = auth.services(), asked_id("person")
    operator_id = auth.operator().operator_id
    with services.reading() as db:
        person = asked_person(db)
        waiting = review_rows.waiting(db, operator_id, person_id)
        shown = _shown(db, waiting[:AT_ONCE])
        last_look = review_rows.last_reviewed_at(db, operator_id)
    return page(
        "review",
        problem,
        shown=shown,
        waiting=len(waiting),
        hidden=sum(not masking.is_revealed(one.person_id) for one in waiting),
        most=MOST,
        whose={one["person"].id: one["person"] for one in shown},
        person=person,
        last_look=last_look,
        of=request.form.get("item", "") if problem else "",
        written=request.form.get("fact", ""),
        max_chars=MAX_FACT_CHARS,
        quoted_chars=QUOTED_CHARS,
    )


def _shown(db: Session, learned: list[Learned]) -> list[dict[str, Any]]:
    """Memories to review, each with the text that it came from."""

    def by_id(table: Any, ids: set[int | None]) -> dict[int | None, Any]:
        return {row.id: row for row in db.scalars(select(table).where(table.id.in_(ids - {None})))}

    rows = {
        kind: by_id(table, {one.id for one in learned if one.kind == kind}) for kind, table in review_rows.ROWS.items()
    }
    persons = by_id(Person, {one.person_id for one in learned})
    first = first_messages(db, [one.id for one in learned if one.kind == "episode"])

    def source_of(one: Learned) -> int | None:
        return first.get(one.id) if one.kind == "episode" else rows[one.kind][one.id].message_id

    texts = by_id(Message, {source_of(one) for one in learned})
    shown = []
    for one in learned:
        text = texts.get(source_of(one))
        source = text if text is not None and text.person_id == one.person_id else None  # A moved fact's is another's.
        of = {"row": rows[one.kind][one.id], "person": persons[one.person_id], "source": source}
        shown.append({"kind": one.kind, "key": f"{one.kind}-{one.id}", **of})
    return shown


@bp.post("/review")
def keep() -> Response:
    """Keep the memories named in the form: one, or all on the page."""
    kept = _keep(auditing.reviewed()[: 2 * AT_ONCE])
    return _back(f"Kept {kept}." if kept else "Nothing was left to keep.")


@action("/review/all", "admin.review", told=Refused)
def keep_all() -> str:
    review_rows.keep_all(auth.services(), auth.operator().operator_id, of=masking.revealed().keys())
    return "All that was learned until now counts as reviewed by you."


@bp.post("/review/forget")
def forget_learned() -> Response:
    row, kind = _one()
    if row is None or row.retired_at is not None:
        return not_done(NotFound("It is not there to forget any more."), "admin.review", person=asked_id("person"))
    _FORGET[kind](auth.services(), row.person_id, [row.number], by_operator(row.person_id))
    return _back(f"Forgot {kind} {row.number} of person {row.person_id}.")


@action("/review/correct", "admin.review", told=(Refused, Conflict), retry=review)
def correct_learned() -> Response:
    row, kind = _one()
    if row is None or kind != "fact":
        raise NotFound("There is no such fact to correct.")
    masking.check_revealed(row.person_id)
    sentence, origin = request.form.get("fact", ""), by_operator(row.person_id)
    verbs.revise(auth.services(), row.person_id, row.number, origin, fact=sentence)
    _keep([(kind, row.id)])
    return _back(f"{'Corrected' if made_change() else 'Kept'} fact {row.number} of person {row.person_id}.")


def _back(sentence: str) -> Response:
    return done(sentence, "admin.review", person=asked_id("person"))


def _keep(named: list[tuple[Kind, int]]) -> int:
    of = masking.revealed().keys()  # Memories with masked words cannot count as reviewed.
    return review_rows.keep(auth.services(), auth.operator().operator_id, named, of=of)


def _one() -> tuple[Any, Kind]:
    named = auditing.reviewed()
    if len(named) != 1:
        raise NotFound("There is no such memory.")
    kind, item = named[0]
    with auth.services().reading() as db:
        return db.get(review_rows.ROWS[kind], item), kind
