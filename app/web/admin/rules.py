"""The pages of a person's rules and of one rule: add, correct, pause, forget and restore."""

from flask import request
from werkzeug.wrappers import Response

from app import memory, people
from app.errors import Conflict, KeepsakeError, NotFound, Refused
from app.memory import RuleWords
from app.memory import rules as rows
from app.memory.rules import MAX_PROCEDURE_CHARS, MAX_TRIGGER_CHARS, TRIGGER_KINDS
from app.web import auth
from app.web.admin import masking
from app.web.admin.blueprint import action, bp, by_operator, made_change, page
from app.web.admin.facts import page_of_rows
from app.web.admin.provenance import source_message

LIMITS = {"max_procedure": MAX_PROCEDURE_CHARS, "max_trigger": MAX_TRIGGER_CHARS, "kinds": TRIGGER_KINDS}


def _written() -> RuleWords:
    form = request.form
    kind, trigger = form.get("trigger_kind", ""), form.get("trigger", "")
    return RuleWords(kind if kind in TRIGGER_KINDS else "always", trigger or None, form.get("procedure", ""))


@bp.get("/people/<int:person_id>/rules")
def rules(person_id: int, problem: KeepsakeError | None = None) -> Response:
    with auth.services().reading() as db:
        person = people.by_id(db, person_id)
        live, forgotten = rows.live(db, person_id), page_of_rows(rows.forgotten(db, person_id))
    return page("rules", problem, person=person, rules=live, forgotten=forgotten, written=_written(), **LIMITS)


@bp.get("/people/<int:person_id>/rules/<int:number>")
def rule(person_id: int, number: int, problem: KeepsakeError | None = None) -> Response:
    with auth.services().reading() as db:
        person = people.by_id(db, person_id)
        versions = rows.versions(db, person_id, number)
        if not versions:
            raise NotFound(f"This person never had a rule {number}.")
        newest = versions[-1]
        source = source_message(db, person_id, newest.message_id)
    written = _written() if problem else rows.words_of(newest)
    shown = {"rule": newest, "is_live": newest.retired_at is None, "versions": versions[::-1], "source": source}
    return page("rule", problem, person=person, written=written, **shown, **LIMITS)


@action("/people/<int:person_id>/rules", "admin.rules", told=KeepsakeError, retry=rules)
def set_rule(person_id: int) -> str:
    became = memory.set_rule(auth.services(), person_id, _written(), by_operator(person_id))
    number = became.rule.number
    return f"Added as rule {number}." if became.is_new else f"Rule {number} says that already."


@action("/people/<int:person_id>/rules/<int:number>", "admin.rule", told=(Refused, Conflict), retry=rule)
def revise_rule(person_id: int, number: int) -> str:
    masking.check_revealed(person_id)
    memory.revise_rule(auth.services(), person_id, number, by_operator(person_id), words=_written())
    return f"Rule {number} is corrected." if made_change() else f"Rule {number} says that already: nothing was changed."


@action("/people/<int:person_id>/rules/<int:number>/pause", "admin.rules")
def pause_rule(person_id: int, number: int) -> str:
    memory.revise_rule(auth.services(), person_id, number, by_operator(person_id), paused=True)
    return f"Rule {number} is paused."


@action("/people/<int:person_id>/rules/<int:number>/resume", "admin.rules")
def resume_rule(person_id: int, number: int) -> str:
    memory.revise_rule(auth.services(), person_id, number, by_operator(person_id), paused=False)
    return f"Rule {number} holds again."


@action("/people/<int:person_id>/rules/<int:number>/forget", "admin.rules", told=NotFound)
def forget_rule(person_id: int, number: int) -> str:
    if memory.forget_rules(auth.services(), person_id, [number], by_operator(person_id)).unknown:
        raise NotFound(f"Rule {number} is not there to forget.")
    return f"Forgot rule {number}."


@action("/people/<int:person_id>/rules/<int:number>/restore", "admin.rules", told=Conflict)
def restore_rule(person_id: int, number: int) -> str:
    try:
        memory.restore_rule(auth.services(), person_id, number, by_operator(person_id))
    except (Conflict, Refused) as error:
        why = "it is there already, another rule says the same, or there is no room"
        raise Conflict(f"Rule {number} cannot come back: {why}.") from error
    return f"Rule {number} is back."
