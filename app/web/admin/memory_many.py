"""Changes of several memories at once: one for each person, and an answer that says what was not done."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from flask import make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from app import memory as verbs
from app import people
from app.errors import Conflict, KeepsakeError, NotFound, Refused
from app.memory import MAX_MERGED
from app.memory import facts as fact_rows
from app.memory.remember import MAX_FACT_CHARS
from app.models import Fact
from app.operations import audit
from app.services import Services
from app.web import auth
from app.web.admin import auditing
from app.web.admin.blueprint import MAX_ID, bp, done, not_done
from app.web.admin.memory import facets_given, kind_asked
from app.web.admin.memory_queries import ON_A_PAGE, Kind
from app.web.admin.shown import as_count
from app.web.admin.undoing import by_operator

Numbers = Sequence[int]


@dataclass
class Outcome:
    """What became of those that were ticked: of each person, by number."""

    done: dict[int, Numbers] = field(default_factory=dict)
    already: dict[int, Numbers] = field(default_factory=dict)
    unknown: dict[int, Numbers] = field(default_factory=dict)
    failed: list[int] = field(default_factory=list)
    """People of whose nothing was done."""

    def note(self, person_id: int, done_: Numbers, unknown: Numbers, already: Numbers = ()) -> None:
        for kept, numbers in ((self.done, done_), (self.unknown, unknown), (self.already, already)):
            if numbers:
                kept[person_id] = numbers


@bp.post("/memory")
def change_many() -> Response:
    kind, given, action = kind_asked(), facets_given(), request.form.get("action", "")
    ticked = _ticked()
    if not ticked:
        nothing = NotFound(f"Nothing was ticked. Tick the {kind}, then choose what to do.")
        return not_done(nothing, "admin.memory", **given)
    if action == "merge" and kind == "facts":
        return _to_merge(ticked, given)
    change = ACTIONS.get((kind, action))
    if change is None:
        raise Refused(f"“{action[:20]}” cannot be done to {kind}.")
    outcome = Outcome()
    for person_id, numbers in ticked.items():
        try:
            change(auth.services(), person_id, numbers, outcome)
        except KeepsakeError:  # Of one person all or nothing is done; the others' is done whatever became of theirs.
            outcome.failed.append(person_id)
    sentence = _told(SAID[action], kind, outcome)
    if not outcome.done:
        return not_done(Conflict(sentence), "admin.memory", **given)
    if outcome.unknown or outcome.failed:
        auditing.not_done(audit.IN_PART)
    return done(sentence, "admin.memory", **given)


def _pin(services: Services, person_id: int, numbers: Numbers, outcome: Outcome) -> None:
    set_ = verbs.pin_facts(services, person_id, numbers, by_operator(person_id))
    outcome.note(person_id, set_.changed, set_.unknown, set_.already)


def _unpin(services: Services, person_id: int, numbers: Numbers, outcome: Outcome) -> None:
    set_ = verbs.pin_facts(services, person_id, numbers, by_operator(person_id), pinned=False)
    outcome.note(person_id, set_.changed, set_.unknown, set_.already)


def _archive(services: Services, person_id: int, numbers: Numbers, outcome: Outcome) -> None:
    set_ = verbs.archive_facts(services, person_id, numbers, by_operator(person_id))
    outcome.note(person_id, set_.changed, set_.unknown, set_.already)


def _forget(services: Services, person_id: int, numbers: Numbers, outcome: Outcome) -> None:
    gone = verbs.forget(services, person_id, numbers, by_operator(person_id))
    outcome.note(person_id, [fact.number for fact in gone.removed], gone.unknown)


def _forget_episodes(services: Services, person_id: int, numbers: Numbers, outcome: Outcome) -> None:
    gone = verbs.forget_episodes(services, person_id, numbers, by_operator(person_id))
    outcome.note(person_id, [episode.number for episode in gone.removed], gone.unknown)


def _forget_rules(services: Services, person_id: int, numbers: Numbers, outcome: Outcome) -> None:
    gone = verbs.forget_rules(services, person_id, numbers, by_operator(person_id))
    outcome.note(person_id, [rule.number for rule in gone.removed], gone.unknown)


ACTIONS: Mapping[tuple[Kind, str], Callable[[Services, int, Numbers, Outcome], None]] = {
    ("facts", "pin"): _pin,
    ("facts", "unpin"): _unpin,
    ("facts", "archive"): _archive,
    ("facts", "forget"): _forget,
    ("episodes", "forget"): _forget_episodes,
    ("rules", "forget"): _forget_rules,
}
SAID = {"pin": "Pinned", "unpin": "No longer pinned", "archive": "Archived", "forget": "Forgotten"}


def _ticked() -> dict[int, list[int]]:
    """The numbers that were ticked, by person; what names no row is left out, as a page of ours sends none."""
    ticked: defaultdict[int, list[int]] = defaultdict(list)
    for one in request.form.getlist("chosen")[:ON_A_PAGE]:
        person, _, number = one.partition("-")
        if person.isdecimal() and number.isdecimal() and max(int(person), int(number)) <= MAX_ID:
            ticked[int(person)].append(int(number))
    return dict(ticked)


def _told(verb: str, kind: Kind, outcome: Outcome) -> str:
    total = sum(map(len, outcome.done.values()))
    sentences = [f"{verb}: {_named(kind, outcome.done)}."] if total else [f"{verb}: nothing."]
    if outcome.already:
        sentences.append(f"So already: {_named(kind, outcome.already)}.")
    if outcome.unknown:
        sentences.append(f"Not there any more: {_named(kind, outcome.unknown)}.")
    if outcome.failed:
        of = ", ".join(map(str, outcome.failed))
        sentences.append(f"Nothing was done for person {of}: open their page and try it there.")
    return " ".join(sentences)


def _named(kind: Kind, numbers: Mapping[int, Numbers]) -> str:
    """By number alone: the sentence travels in a cookie, which is no place for a person's words or name."""

    def of(person_id: int, theirs: Numbers) -> str:
        which = ", ".join(map(str, sorted(theirs)))
        return f"{kind if len(theirs) > 1 else kind[:-1]} {which} of person {person_id}"

    return "; ".join(of(person_id, theirs) for person_id, theirs in numbers.items())


def _to_merge(ticked: Mapping[int, Numbers], given: Mapping[str, str]) -> Response:
    if len(ticked) > 1:
        sentence = f"Facts of {len(ticked)} people were ticked; only one person's can be merged. Nothing was merged."
        return not_done(Refused(sentence), "admin.memory", **given)
    [(person_id, numbers)] = ticked.items()
    if not 1 < len(numbers) <= MAX_MERGED:
        return not_done(
            Refused(f"{as_count(len(numbers), 'fact')} ticked; 2 to {MAX_MERGED} can be merged."),
            "admin.memory",
            **given,
        )
    which = ",".join(map(str, sorted(numbers)))
    return redirect(url_for("admin.merge", person_id=person_id, numbers=which), 303)


@bp.get("/people/<int:person_id>/merge")
def merge(person_id: int) -> Response:
    return _merge_page(person_id, _numbers(request.args.get("numbers", "")))


@bp.post("/people/<int:person_id>/merge")
def merge_into_one(person_id: int) -> Response:
    sentence, numbers = request.form.get("fact", ""), _numbers(request.form.get("numbers", ""))
    try:
        merged = verbs.merge(auth.services(), person_id, numbers, sentence, by_operator(person_id))
    except (Refused, Conflict, NotFound) as error:
        return _merge_page(person_id, numbers, sentence=sentence, problem=str(error), status=error.http_status)
    others = sorted({*numbers} - {merged.number})
    which = f"fact{'' if len(others) == 1 else 's'} {', '.join(map(str, others))}"
    return done(
        f"Fact {merged.number} says it now, also what {which} said.",
        "admin.fact",
        person_id=person_id,
        number=merged.number,
    )


def _numbers(written: str) -> list[int]:
    return [int(one) for one in written.split(",")[: 2 * MAX_MERGED] if one.isdecimal() and int(one) <= MAX_ID]


def _merge_page(
    person_id: int, numbers: Numbers, *, sentence: str | None = None, problem: str = "", status: int = 200
) -> Response:
    services = auth.services()
    now = services.clock.now()
    with services.reading() as db:
        person = people.by_id(db, person_id)
        held = fact_rows.held_by_numbers(db, person_id, numbers)
    page = render_template(
        "admin/merge.html",
        person=person,
        facts=held,
        numbers=",".join(map(str, numbers)),
        sentence=_longest(held) if sentence is None else sentence,
        problem=problem
        or ("" if len(held) > 1 else "Fewer than two of these facts are held; there is nothing to merge."),
        max_chars=MAX_FACT_CHARS,
        now=now,
    )
    return make_response(page, status)


def _longest(held: Sequence[Fact]) -> str:
    return max((fact.sentence for fact in held), key=len, default="")
