"""The page of a person's rules: add, correct, pause, forget and restore."""

from flask import make_response, render_template, request
from werkzeug.wrappers import Response

from app import memory, people
from app.errors import Conflict, KeepsakeError, NotFound, Refused
from app.memory import RuleWords
from app.memory import rules as rule_rows
from app.memory.rules.words import MAX_PROCEDURE_CHARS, MAX_TRIGGER_CHARS, TRIGGER_KINDS
from app.web import auth
from app.web.admin import masking, queries
from app.web.admin.blueprint import bp, done, not_done
from app.web.admin.undoing import by_operator, made

LIMITS = {"max_procedure": MAX_PROCEDURE_CHARS, "max_trigger": MAX_TRIGGER_CHARS, "kinds": TRIGGER_KINDS}
NOTHING_WRITTEN = RuleWords("always", None, "")


@bp.get("/people/<int:person_id>/rules")
def rules(person_id: int) -> Response:
    return _list(person_id)


@bp.post("/people/<int:person_id>/rules")
def set_rule(person_id: int) -> Response:
    written = _written()
    try:
        kept = memory.set_rule(auth.services(), person_id, written, by_operator(person_id))
    except KeepsakeError as error:
        return _list(person_id, problem=str(error), written=written, status=error.http_status)
    sentence = f"Added as rule {kept.rule.number}." if kept.is_new else f"Rule {kept.rule.number} says that already."
    return done(sentence, "admin.rules", person_id=person_id)


@bp.get("/people/<int:person_id>/rules/<int:number>")
def rule(person_id: int, number: int) -> Response:
    return _one(person_id, number)


@bp.post("/people/<int:person_id>/rules/<int:number>")
def revise_rule(person_id: int, number: int) -> Response:
    masking.check_revealed(person_id)
    written = _written()
    try:
        memory.revise_rule(auth.services(), person_id, number, by_operator(person_id), words=written)
    except (Refused, Conflict) as error:
        return _one(person_id, number, problem=str(error), written=written, status=error.http_status)
    said = f"Rule {number} is corrected." if made() else f"Rule {number} says that already: nothing was changed."
    return done(said, "admin.rule", person_id=person_id, number=number)


@bp.post("/people/<int:person_id>/rules/<int:number>/pause")
def pause_rule(person_id: int, number: int) -> Response:
    memory.revise_rule(auth.services(), person_id, number, by_operator(person_id), paused=True)
    return done(f"Rule {number} is paused.", "admin.rules", person_id=person_id)


@bp.post("/people/<int:person_id>/rules/<int:number>/resume")
def resume_rule(person_id: int, number: int) -> Response:
    memory.revise_rule(auth.services(), person_id, number, by_operator(person_id), paused=False)
    return done(f"Rule {number} holds again.", "admin.rules", person_id=person_id)


@bp.post("/people/<int:person_id>/rules/<int:number>/forget")
def forget_rule(person_id: int, number: int) -> Response:
    if memory.forget_rules(auth.services(), person_id, [number], by_operator(person_id)).unknown:
        return not_done(NotFound(f"Rule {number} is not there to forget."), "admin.rules", person_id=person_id)
    return done(f"Forgot rule {number}.", "admin.rules", person_id=person_id)


@bp.post("/people/<int:person_id>/rules/<int:number>/restore")
def restore_rule(person_id: int, number: int) -> Response:
    try:
        memory.restore_rule(auth.services(), person_id, number, by_operator(person_id))
    except (Conflict, Refused):
        why = "it is there already, another rule says the same, or there is no room"
        return not_done(Conflict(f"Rule {number} cannot come back: {why}."), "admin.rules", person_id=person_id)
    return done(f"Rule {number} is back.", "admin.rules", person_id=person_id)


def _written() -> RuleWords:
    form = request.form
    kind, trigger = form.get("trigger_kind", ""), form.get("trigger", "")
    return RuleWords(kind if kind in TRIGGER_KINDS else "always", trigger or None, form.get("procedure", ""))


def _list(person_id: int, *, problem: str = "", written: RuleWords = NOTHING_WRITTEN, status: int = 200) -> Response:
    services = auth.services()
    with services.reading() as db:
        person = people.by_id(db, person_id)
        live, forgotten = rule_rows.live(db, person_id), rule_rows.forgotten(db, person_id)
    page = render_template(
        "admin/rules.html",
        person=person,
        rules=live,
        forgotten=forgotten[: queries.FACTS_ON_A_PAGE],
        problem=problem,
        written=written,
        now=services.clock.now(),
        **LIMITS,
    )
    return make_response(page, status)


def _one(
    person_id: int, number: int, *, problem: str = "", written: RuleWords | None = None, status: int = 200
) -> Response:
    services = auth.services()
    with services.reading() as db:
        person = people.by_id(db, person_id)
        versions = rule_rows.versions(db, person_id, number)
        if not versions:
            raise NotFound(f"This person never had a rule {number}.")
        source = queries.source_message(db, person_id, versions[-1].message_id)
    page = render_template(
        "admin/rule.html",
        person=person,
        rule=versions[-1],
        is_live=versions[-1].retired_at is None,
        versions=versions[::-1],
        source=source,
        problem=problem,
        written=written or rule_rows.words_of(versions[-1]),
        now=services.clock.now(),
        **LIMITS,
    )
    return make_response(page, status)
