"""Revise: a fact changed, and what it was kept as history."""

from datetime import date, datetime

from sqlalchemy.orm import Session

from app.clock import end_of_day
from app.errors import Conflict, NotFound, Refused
from app.memory import changes, facts
from app.memory.facts import archive, conflicts
from app.memory.origin import Origin
from app.memory.remember import checked_category, checked_sentence, dated_sentence
from app.models import ChangeItem, Fact, Person
from app.services import Services
from app.text.wording import normalise

NEVER_ENDS = date.max
"""The last day of what has no end."""


def revise(
    services: Services,
    person_id: int,
    number: int,
    origin: Origin,
    *,
    fact: str | None = None,
    category: str | None = None,
    pinned: bool | None = None,
    last_day: date | None = None,
    same_subject_only: bool = False,
) -> Fact:
    """The fact as it is now held: live, under its number, in a new version where its sentence or category changed.

    `last_day` is the last on which it stands, on the person's own calendar; `NEVER_ENDS` takes the end away.

    With `same_subject_only` a new sentence is refused where something speaks for another subject than the old one's;
    the model asks for that, so that a wrong number does not replace an unrelated fact.

    Raises:
        NotFound: the person has no fact with that number.
        Conflict: another fact says the new sentence already.
        Refused: nothing to change, an unfit sentence, another subject, or a last day that is over.
    """
    if fact is None and category is None and pinned is None and last_day is None:
        raise Refused("Nothing to change was given. Give the new fact, the new category, or both.")
    sentence = checked_sentence(fact) if fact is not None else None
    now = services.clock.now()
    with services.transaction() as db:
        current = facts.held_by_number(db, person_id, number)
        if current is None:
            raise NotFound(f"No fact with id {number}. List the memories to see the ids.")
        if sentence is not None:
            if sentence != current.sentence:  # Said again as it is kept, it means what it meant then.
                sentence = dated_sentence(db, person_id, sentence, origin, now)
            _check_is_new(db, current, sentence, now)
            if same_subject_only:
                _check_subject(db, current, sentence, category, now)
        items = changes.make_live(current, now) if facts.is_archived(current, now) else []
        given: dict[str, changes.Field] = {}
        if pinned is not None:
            given["pinned"] = pinned
        if last_day is not None:
            given["expires_at"] = _end_of(db, person_id, last_day, now)
        items += changes.set_changed(current, given)
        new_sentence = sentence or current.sentence
        new_category = checked_category(category) if category is not None else current.category
        revised = current
        if (new_sentence, new_category) != (current.sentence, current.category):
            revised = facts.add_version(db, current, new_sentence, new_category, origin, now)
            items.append(ChangeItem(retired_fact_id=current.id, added_fact_id=revised.id))
        if items:
            archive.hold_to_limit(db, person_id, now, but=[number])
            changes.record(db, person_id, "revise", origin, now, items)
        return revised


def read_last_day(written: str) -> date:
    """A day as people write it for `last_day`: `2026-08-10`; `never`, or nothing, for no end.

    Raises:
        Refused: it is neither.
    """
    if written.strip().casefold() in {"", "never"}:
        return NEVER_ENDS
    try:
        return date.fromisoformat(written.strip())
    except ValueError:
        raise Refused(f"'{written[:20]}' is no day. Give one as YYYY-MM-DD, such as 2026-08-10, or never.") from None


def _end_of(db: Session, person_id: int, last_day: date, now: datetime) -> datetime | None:
    if last_day == NEVER_ENDS:
        return None
    end = end_of_day(last_day, db.get_one(Person, person_id).timezone)
    if end <= now:
        raise Refused(
            f"{last_day} is over for this person, so the fact would not be shown again. "
            "Give today or a later day, or forget the fact."
        )
    return end


def _check_is_new(db: Session, current: Fact, sentence: str, now: datetime) -> None:
    same = facts.held_by_sentence(db, current.person_id, sentence)
    if same is None or same.number == current.number:
        return
    archived = " and is archived: tell it again to have it back" if facts.is_archived(same, now) else ""
    raise Conflict(
        f"Fact {same.number} says '{same.sentence}' already{archived}. Remove fact {current.number} instead."
    )


def _check_subject(db: Session, current: Fact, sentence: str, category: str | None, now: datetime) -> None:
    if normalise(current.sentence) == normalise(sentence) or conflicts.shares_a_thing(current.sentence, sentence):
        return
    others = [fact for fact in facts.live(db, current.person_id, now) if fact is not current]
    meant = conflicts.nearest(sentence, others)
    if meant is None and not conflicts.is_another(current.sentence, current.category, sentence, category):
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
