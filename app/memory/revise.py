"""Revise: a fact changed, and what it was kept as history."""

from sqlalchemy.orm import Session

from app.errors import Conflict, NotFound, Refused
from app.memory import changes, facts, subject
from app.memory.origin import Origin
from app.memory.remember import checked_category, checked_sentence
from app.memory.wording import normalise
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

    With `same_subject_only` a new sentence is refused where something speaks for another subject than the old one's;
    the model asks for that, so that a wrong number does not replace an unrelated fact.

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
            same = facts.live_by_sentence(db, person_id, sentence)
            if same is not None and same.number != number:
                raise Conflict(f"Fact {same.number} says '{same.sentence}' already. Remove fact {number} instead.")
            if same_subject_only:
                _check_subject(db, current, sentence, category)
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


def _check_subject(db: Session, current: Fact, sentence: str, category: str | None) -> None:
    if normalise(current.sentence) == normalise(sentence) or subject.shares_a_thing(current.sentence, sentence):
        return
    others = [fact for fact in facts.live(db, current.person_id) if fact is not current]
    meant = subject.nearest(sentence, others)
    if meant is None and not subject.is_another(current.sentence, current.category, sentence, category):
        return
    other = (
        f"If you meant fact {meant.number}, which says '{meant.sentence}', update that one"
        if meant is not None
        else "If you meant another fact, list the memories for its id"
    )
    raise Refused(
        f"Fact {current.number} says '{current.sentence}', which is about something else than '{sentence}'. {other}; "
        f"if this is new, extract it and leave fact {current.number} as it is; if fact {current.number} is no longer "
        "true, remove it and extract the new one. When unsure, ask the person."
    )
