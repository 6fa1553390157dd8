"""Everyone who texts: people who wait to be let in first, then by latest text; with the actions on one person."""

import re
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from flask import flash, request
from sqlalchemy import ColumnElement, Row, Select, func, or_, select, tuple_, union_all
from sqlalchemy.orm import Session, aliased
from werkzeug.wrappers import Response

from app import people as verbs
from app.conversation import budget
from app.delivery import inbox
from app.errors import Refused
from app.memory.facts import is_live
from app.models import Fact, Message, Person, Spending
from app.operators import reveals
from app.web import auth
from app.web.admin import masking
from app.web.admin.blueprint import Place, action, back_or, bp, page
from app.web.admin.shown import as_count
from app.web.auth import support_too

PLACE = Place("People", "admin.people", 20)

ON_A_PAGE = 50
WAITING_SHOWN = 10  # Enough to decide on at a glance; a flood of unknown numbers must not fill the page.
ACCESSES = ("allowed", "waiting", "blocked")
_TEXTS = aliased(Message)
DIGITS_OF_A_NUMBER = 10  # A complete one without its country code; fewer digits would help to guess the rest.


@bp.get("/people", endpoint="people")
def people_list() -> Response:
    words, key = request.args.get("words", "").strip(), request.args.get("after", "")
    chosen = request.args.get("access", "")
    access = chosen if chosen in ACCESSES else ""
    services = auth.services()
    now = services.clock.now()
    month = budget.month_so_far(services, now)
    with services.reading() as db:
        waiting: PeopleRows = ()
        wait = select(func.count(Person.id)).where(Person.access == "waiting", *_matching(words))
        waiting_count = db.scalar(wait) or 0
        if waiting_count and not access and not key:
            waiting, _ = people(db, now, words=words, access=("waiting",), limit=WAITING_SHOWN)
        among = (access,) if access else ("allowed", "blocked")
        rows, next_key = people(db, now, words=words, access=among, key=key, month=month)
    asked = {"words": words, "access": access, "accesses": ACCESSES, "is_first_page": not key}
    shown = {"waiting": waiting, "waiting_count": waiting_count, "rows": rows, "next_key": next_key}
    return page("people", phone_page=not services.settings.has_twilio, **asked, **shown)


@action("/people/<int:person_id>/let-in", "admin.conversation")
@support_too
def let_in(person_id: int) -> str:
    verbs.let_in(auth.services(), person_id)
    return "Let in. What they texted meanwhile is being answered."


@action("/people/<int:person_id>/block", "admin.conversation")
@support_too
def block(person_id: int) -> str:
    verbs.block(auth.services(), person_id)
    return "Blocked. Their texts are kept and not answered."


@action("/people/<int:person_id>/try-again", "admin.conversation", told=Refused)
def try_again(person_id: int) -> str:
    """Make dead texts wait again, each as if it had just come."""
    try:
        return f"{as_count(inbox.retry_dead_texts(auth.services(), person_id), 'text')} tried again."
    except Refused as error:
        why = "this person is blocked, waits to be let in, or has opted out, so nothing would be sent"
        raise Refused(f"Not tried again: {why}.") from error


@bp.post("/people/<int:person_id>/reveal")
def reveal(person_id: int) -> Response:
    if not masking.may_reveal():
        raise Refused("Only an owner may reveal what people wrote. Ask one to look.")
    name, reason = auth.operator().name, request.form.get("reason", "")
    try:
        until = reveals.begin(auth.services(), masking.session(), name, person_id, reason)
    except Refused as error:
        flash(str(error), "problem")  # The verb has logged it.
    else:
        flash(f"Revealed to you until {until:%H:%M} UTC. It is in the log, and told when they ask.", "done")
    return back_or("admin.conversation")


@action("/people/<int:person_id>/reveal/end", "admin.conversation")
def end_reveal(person_id: int) -> str:
    reveals.end(auth.services(), masking.session(), auth.operator().name, person_id)
    return "Hidden again."


PeopleRows = Sequence[Row[*tuple[Any, ...]]]
"""Rows of `Person`, `Message` (the last text, if any), counts of `texts` and `facts`, and `spent_cents` of a month."""


def people(
    db: Session,
    now: datetime,
    *,
    words: str = "",
    access: Sequence[str] = ACCESSES,
    key: str = "",
    limit: int = ON_A_PAGE,
    month: Sequence[date] = (),
) -> tuple[PeopleRows, str | None]:
    """People with one of these kinds of access, latest text first, and the key of the next page.

    `words` are searched in the name, and in the number as its last digits or all of it. The cost of a person covers the
    days in `month`.
    """
    found = _newest_first(db, access, words, limit + 1, key)
    next_key = f"{found[limit - 1][1]}-{found[limit - 1][0]}" if len(found) > limit else None
    texts = select(func.count(_TEXTS.id)).where(_TEXTS.person_id == Person.id).correlate(Person)
    facts = select(func.count(Fact.id)).where(Fact.person_id == Person.id, is_live(now)).correlate(Person)
    rows = select(
        Person,
        Message,
        texts.scalar_subquery().label("texts"),
        facts.scalar_subquery().label("facts"),
        spent(Spending.person_id == Person.id, month).correlate(Person).scalar_subquery().label("spent_cents"),
    )
    rows = rows.outerjoin(Message, Message.id == Person.last_text_id)
    rows = rows.where(Person.id.in_([person_id for person_id, _ in found[:limit]]))
    return db.execute(rows.order_by(Person.last_text_id.desc(), Person.id.desc())).all(), next_key


def _newest_first(
    db: Session, access: Sequence[str], words: str, limit: int, key: str = ""
) -> Sequence[tuple[int, int]]:
    """Ids of people and of their last texts, after the one that the key names."""
    wanted = _matching(words)
    if after := re.fullmatch(r"(\d{1,18})-(\d{1,18})", key):
        wanted.append(tuple_(Person.last_text_id, Person.id) < (int(after[1]), int(after[2])))
    newest = select(Person.id, Person.last_text_id).order_by(Person.last_text_id.desc(), Person.id.desc()).limit(limit)
    # One query per kind of access: the index has each in order, so only rows to be shown are read.
    each = (newest.where(Person.access == one, *wanted).subquery() for one in access)
    found = union_all(*map(select, each)).subquery()
    listed = select(found).order_by(found.c.last_text_id.desc(), found.c.id.desc()).limit(limit)
    return [(row.id, row.last_text_id) for row in db.execute(listed)]


def _matching(words: str) -> list[ColumnElement[bool]]:
    if not words:
        return []
    tests = [Person.name.icontains(words, autoescape=True), Person.address == words]
    # Operators write numbers with spaces, dots and brackets; carriers write digits alone. Digits that are masked match
    # nothing, since a number could otherwise be found out one digit at a time.
    if re.fullmatch(r"[a-z:]*[\d\s().+/-]+", words):
        digits = re.sub(r"\D", "", words)
        is_enough = len(digits) >= DIGITS_OF_A_NUMBER or len(digits) == masking.LAST_DIGITS
        tests.append(Person.address.endswith(digits if is_enough else f"+{digits}"))
    return [or_(*tests)]


def spent(whose: ColumnElement[bool], days: Sequence[date]) -> Select[float]:
    """The cost of a person on these days of the budget, in US cents."""
    # The days are listed one by one, so that the index by day and person is used.
    return select(func.coalesce(func.sum(Spending.cents), 0.0)).where(Spending.day.in_(days), whose)
