"""The page of facts learned since this operator last looked: kept, corrected or forgotten, one by one."""

from dataclasses import dataclass
from typing import Any

from flask import make_response, render_template, request
from sqlalchemy import select
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response

from app import memory as verbs
from app import people
from app.errors import Conflict, NotFound, Refused
from app.memory.episodes import first_messages
from app.memory.facts import review as review_rows
from app.memory.facts.review import KINDS, MOST, Kind, Learned
from app.memory.remember import MAX_FACT_CHARS
from app.models import Episode, Fact, Message, Person, Rule
from app.web import auth
from app.web.admin import masking
from app.web.admin.blueprint import MAX_ID, asked_id, bp, done, not_done
from app.web.admin.undoing import by_operator

BELOW = "admin.memory"

AT_ONCE = 30  # As much as somebody reads before they look away; the rest follows when these are done.
QUOTED_CHARS = 400
_ROWS: dict[Kind, Any] = {"fact": Fact, "episode": Episode, "rule": Rule}


@dataclass(frozen=True)
class Shown:
    """One memory to be looked at, with the text that it came from."""

    learned: Learned
    row: Any
    person: Person
    source: Message | None

    @property
    def key(self) -> str:
        return f"{self.learned.kind}-{self.learned.id}"


@bp.get("/review")
def review() -> Response:
    return _page()


@bp.post("/review")
def keep() -> Response:
    """Keep what was named: one, or all that the page shows."""
    kept = _keep(_named())
    return done(f"Kept {kept}." if kept else "Nothing was left to keep.", "admin.review", **_given())


@bp.post("/review/all")
def keep_all() -> Response:
    try:
        review_rows.keep_all(auth.services(), auth.operator().operator_id, of=masking.revealed().keys())
    except Refused as error:
        return not_done(error, "admin.review")
    return done("All that was learned until now counts as reviewed by you.", "admin.review")


@bp.post("/review/forget")
def forget_learned() -> Response:
    services = auth.services()
    row, kind = _one()
    if row is None or row.retired_at is not None:
        return not_done(NotFound("It is not there to forget any more."), "admin.review", **_given())
    match kind:
        case "fact":
            verbs.forget(services, row.person_id, [row.number], by_operator(row.person_id))
        case "episode":
            verbs.forget_episodes(services, row.person_id, [row.number], by_operator(row.person_id))
        case "rule":
            verbs.forget_rules(services, row.person_id, [row.number], by_operator(row.person_id))
    return done(f"Forgot {kind} {row.number} of person {row.person_id}.", "admin.review", **_given())


@bp.post("/review/correct")
def correct_learned() -> Response:
    row, kind = _one()
    sentence = request.form.get("fact", "")
    if row is None or kind != "fact":
        raise NotFound("There is no such fact to correct.")
    masking.check_revealed(row.person_id)
    try:
        verbs.revise(auth.services(), row.person_id, row.number, by_operator(row.person_id), fact=sentence)
    except (Refused, Conflict, NotFound) as error:
        return _page(problem=str(error), of=f"{kind}-{row.id}", written=sentence, status=error.http_status)
    # Said again as it is, it is kept.
    _keep([(kind, row.id)])
    return done(f"Corrected fact {row.number} of person {row.person_id}.", "admin.review", **_given())


def _keep(named: list[tuple[Kind, int]]) -> int:
    of = masking.revealed().keys()  # Nothing counts as looked at whose words are masked.
    return review_rows.keep(auth.services(), auth.operator().operator_id, named, of=of)


def _given() -> dict[str, Any]:
    return {"person": one} if (one := asked_id("person")) is not None else {}


def _named() -> list[tuple[Kind, int]]:
    named = []
    for one in request.form.getlist("item")[: 2 * AT_ONCE]:
        kind, _, item = one.partition("-")
        named += [(known, int(item)) for known in KINDS if known == kind and item.isdecimal() and int(item) <= MAX_ID]
    return named


def _one() -> tuple[Any, Kind]:
    named = _named()
    if len(named) != 1:
        raise NotFound("There is no such memory.")
    kind, item = named[0]
    with auth.services().reading() as db:
        return db.get(_ROWS[kind], item), kind


def _page(*, problem: str = "", of: str = "", written: str = "", status: int = 200) -> Response:
    services, person_id = auth.services(), asked_id("person")
    operator_id = auth.operator().operator_id
    with services.reading() as db:
        person = people.by_id(db, person_id) if person_id is not None else None
        waiting = review_rows.waiting(db, operator_id, person_id)
        shown = _shown(db, waiting[:AT_ONCE])
        last_look = review_rows.last_look(db, operator_id)
    page = render_template(
        "admin/review.html",
        shown=shown,
        waiting=len(waiting),
        hidden=sum(not masking.is_revealed(one.person_id) for one in waiting),
        most=MOST,
        whose={one.person.id: one.person for one in shown},
        person=person,
        last_look=last_look,
        problem=problem,
        of=of,
        written=written,
        max_chars=MAX_FACT_CHARS,
        quoted_chars=QUOTED_CHARS,
        now=services.clock.now(),
    )
    return make_response(page, status)


def _shown(db: Session, learned: list[Learned]) -> list[Shown]:
    rows: dict[tuple[Kind, int], Any] = {}
    for kind, table in _ROWS.items():
        ids = [one.id for one in learned if one.kind == kind]
        rows |= {(kind, row.id): row for row in db.scalars(select(table).where(table.id.in_(ids)))}
    persons = {
        one.id: one for one in db.scalars(select(Person).where(Person.id.in_({one.person_id for one in learned})))
    }
    first = first_messages(db, [one.id for one in learned if one.kind == "episode"])
    source_of = {
        (one.kind, one.id): first.get(one.id) if one.kind == "episode" else rows[one.kind, one.id].message_id
        for one in learned
    }
    texts = {one.id: one for one in db.scalars(select(Message).where(Message.id.in_(set(source_of.values()) - {None})))}
    return [
        Shown(
            one,
            rows[one.kind, one.id],
            persons[one.person_id],
            _own(texts.get(source_of[one.kind, one.id] or 0), one.person_id),
        )
        for one in learned
    ]


def _own(text: Message | None, person_id: int) -> Message | None:
    return text if text is not None and text.person_id == person_id else None
