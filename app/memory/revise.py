"""Revise: a fact changed, and what it was kept as history."""

from app.errors import Conflict, NotFound, Refused
from app.memory import changes, facts
from app.memory.origin import Origin
from app.memory.remember import checked_category, checked_sentence
from app.memory.wording import normalise, same_question, things
from app.models import ChangeItem, Fact
from app.services import Services


def revise(
    services: Services,
    person_id: int,
    number: int,
    origin: Origin,
    *,
    fact: str | None = None,
    category: str | None = None,
    pinned: bool | None = None,
    same_subject_only: bool = False,
) -> Fact:
    """The fact as it is now held: under its number, in a new version where its sentence or category changed.

    With `same_subject_only` a new sentence must be about what the old one was about; the model asks for that, so that
    a wrong number does not replace an unrelated fact.

    Raises:
        NotFound: the person has no live fact with that number.
        Conflict: another fact says the new sentence already.
        Refused: nothing to change, an unfit sentence, or another subject.
    """
    if fact is None and category is None and pinned is None:
        raise Refused("Nothing to change was given. Give the new fact, the new category, or both.")
    sentence = checked_sentence(fact) if fact is not None else None
    now = services.clock.now()
    with services.transaction() as db:
        current = facts.live_by_number(db, person_id, number)
        if current is None:
            raise NotFound(f"No fact with id {number}. List the memories to see the ids.")
        if sentence is not None:
            _check_fits(current, sentence, same_subject_only=same_subject_only)
            same = facts.live_by_sentence(db, person_id, sentence)
            if same is not None and same.number != number:
                raise Conflict(f"Fact {same.number} says '{same.sentence}' already. Remove fact {number} instead.")
        items = []
        if pinned is not None and pinned != current.pinned:
            items += changes.set_fields(current, {"pinned": "true" if pinned else "false"})
        new_sentence = sentence or current.sentence
        new_category = checked_category(category) if category is not None else current.category
        revised = current
        if (new_sentence, new_category) != (current.sentence, current.category):
            revised = facts.add_version(db, current, new_sentence, new_category, origin, now)
            items.append(ChangeItem(retired_fact_id=current.id, added_fact_id=revised.id))
        if items:
            changes.record(db, person_id, "revise", origin, now, items)
        return revised


def _check_fits(current: Fact, sentence: str, *, same_subject_only: bool) -> None:
    if not same_subject_only or normalise(current.sentence) == normalise(sentence):
        return
    if not (things(current.sentence) & things(sentence) or same_question(current.sentence, sentence)):
        raise Refused(
            f"Fact {current.number} says '{current.sentence}', which is about something else than '{sentence}'. "
            "If you meant another fact, list the memories for its id; if this is new, extract it; if the old fact is "
            "no longer true, remove it and extract the new one. When unsure, ask the person."
        )
