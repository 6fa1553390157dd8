"""Revise: change a fact and keep its history; pin, archive, merge and move facts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from sqlalchemy.orm import Session

from app.clock import end_of_day
from app.errors import Conflict, NotFound, Refused
from app.memory import changes, facts
from app.memory.changes import LARGEST_NUMBER, Origin
from app.memory.facts import pairs
from app.memory.forget import retell_all_without
from app.memory.remember import NewFact, checked_category, checked_sentence, dated_sentence, learn
from app.models import ChangeItem, Fact, Person
from app.services import Services
from app.text.wording import normalise

MAX_MERGED = 20  # More facts than that do not say the same thing.
NEVER_ENDS = date.max  # `last_day` for no end.


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
    """Revise a fact and return it: live, with the same number, in a new version if its sentence or category changed.

    `last_day` is the last day it is shown, on the person's own calendar. `same_subject_only` refuses a sentence about
    another subject, in case the model gave a wrong number.

    Raises:
        NotFound: the person has no fact with that number.
        Conflict: another fact already says the new sentence.
        Refused: nothing to change, an unfit sentence, another subject, or a last day in the past.
    """
    if fact is None and category is None and pinned is None and last_day is None:
        raise Refused("Nothing to change was given. Give the new fact, the new category, or both.")
    sentence = checked_sentence(fact) if fact is not None else None
    now = services.clock.now()
    with services.transaction(person_id) as db:
        current = changes.expect_held(Fact, db, person_id, number, origin)
        if sentence is not None:
            if sentence != current.sentence:  # An unchanged sentence keeps its old dates.
                sentence = dated_sentence(db, person_id, sentence, origin, now)
            _check_is_new(db, current, sentence, now)
            if same_subject_only:
                _check_subject(db, current, sentence, category, now)
        items = changes.make_live(current, now) if facts.is_archived(current, now) else []
        if pinned is not None:
            items += changes.set_fields(current, {"pinned": pinned})
        if last_day is not None:
            items += changes.set_fields(current, {"expires_at": _end_of(db, person_id, last_day, now)})
        new_sentence = sentence or current.sentence
        new_category = checked_category(category) if category is not None else current.category
        revised = current
        if (new_sentence, new_category) != (current.sentence, current.category):
            revised = facts.add_version(db, current, new_sentence, new_category, origin, now)
            items.append(ChangeItem(retired_fact_id=current.id, added_fact_id=revised.id))
        if items:
            facts.archive_beyond_limit(db, person_id, now, but=[number])
            changes.record(db, person_id, "revise", origin, now, items)
        return revised


def read_last_day(written: str) -> date:
    """Parse a `last_day` as people write it: `2026-08-10`, or `never` or an empty string for no end.

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
    if normalise(current.sentence) == normalise(sentence) or pairs.share_a_subject(current.sentence, sentence):
        return
    others = [fact for fact in facts.live(db, current.person_id, now) if fact is not current]
    meant = pairs.nearest(sentence, others)
    if meant is None and not pairs.has_other_subject(current.sentence, current.category, sentence, category):
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


@dataclass(frozen=True)
class FlagResult:
    """Numbers of facts that were changed, that were so already, and that are unknown; each number is in one list."""

    changed: list[int]
    already: list[int]
    unknown: list[int]


@dataclass(frozen=True)
class Moved:
    fact: Fact
    was_known: bool  # True if the other person had told it already; that fact is left as it was.


def pin_facts(
    services: Services, person_id: int, numbers: Sequence[int], origin: Origin, *, pinned: bool = True
) -> FlagResult:
    """Pin facts, so that they are always shown, or unpin them. Pinning an archived fact makes it live again."""

    def change(fact: Fact, now: datetime) -> list[ChangeItem]:
        back = changes.make_live(fact, now) if pinned and facts.is_archived(fact, now) else []
        return back + changes.set_fields(fact, {"pinned": pinned})

    return _each(services, person_id, numbers, origin, change)


def archive_facts(services: Services, person_id: int, numbers: Sequence[int], origin: Origin) -> FlagResult:
    """Archive facts: a search still finds them, but they are never shown unasked."""

    def change(fact: Fact, now: datetime) -> list[ChangeItem]:
        return [] if facts.is_archived(fact, now) else changes.set_fields(fact, {"archived_at": now})

    return _each(services, person_id, numbers, origin, change)


def _each(
    services: Services,
    person_id: int,
    numbers: Sequence[int],
    origin: Origin,
    change: Callable[[Fact, datetime], list[ChangeItem]],
) -> FlagResult:
    """Apply one change to several facts; one undo takes it all back."""
    now = services.clock.now()
    with services.transaction(person_id) as db:
        held = facts.held_by_numbers(db, person_id, numbers)
        done = {fact.number: change(fact, now) for fact in held}
        changed = [number for number, items in done.items() if items]
        if changed:
            facts.archive_beyond_limit(db, person_id, now, but=changed)
            changes.record(db, person_id, "revise", origin, now, [item for items in done.values() for item in items])
    already = [number for number in done if number not in changed]
    return FlagResult(changed, already, [number for number in dict.fromkeys(numbers) if number not in done])


def merge(services: Services, person_id: int, numbers: Sequence[int], sentence: str, origin: Origin) -> Fact:
    """Merge facts into the one known longest, and return its new version with the sentence.

    The others are retired in the same change, and count as forgotten only once that fact is.

    Raises:
        Refused: fewer than two facts, more than `MAX_MERGED`, or an unfit sentence.
        NotFound: one of them is not held.
        Conflict: a fact that is not one of them already says the sentence.
    """
    wanted = list(dict.fromkeys(numbers))
    if not 1 < len(wanted) <= MAX_MERGED:
        raise Refused(f"A merge is of 2 to {MAX_MERGED} facts of one person; this one is of {len(wanted)}.")
    written = checked_sentence(sentence)
    now = services.clock.now()
    with services.transaction(person_id) as db:
        held = facts.held_by_numbers(db, person_id, wanted)
        missing = sorted({*wanted} - {fact.number for fact in held})
        if missing:
            raise NotFound(f"No fact with id {missing[0]}. Nothing was merged.")
        if written not in [fact.sentence for fact in held]:
            written = dated_sentence(db, person_id, sentence, origin, now)
        same = facts.held_by_sentence(db, person_id, written)
        if same is not None and same not in held:
            raise Conflict(
                f"Fact {same.number} says '{same.sentence}' already. Merge it with them, or say it otherwise."
            )
        first, others = held[0], held[1:]
        items = []
        for fact in others:
            facts.retire(db, fact, now)
            fact.merged_into = first.number
            items.append(ChangeItem(retired_fact_id=fact.id))
        merged = facts.add_version(db, first, written, first.category, origin, now)
        _take_over(merged, [first, *others], now)
        # Last, because undo goes backwards: the sentence must be free before the fact that had it comes back.
        items.append(ChangeItem(retired_fact_id=first.id, added_fact_id=merged.id))
        facts.archive_beyond_limit(db, person_id, now, but=[merged.number])
        changes.record(db, person_id, "merge", origin, now, items)
        return merged


def _take_over(merged: Fact, parts: Sequence[Fact], now: datetime) -> None:
    """Give the merged fact the pin, counts and importance of its parts; it expires when the last part does."""
    merged.category = next((fact.category for fact in parts if fact.category), None)
    merged.pinned = any(fact.pinned for fact in parts)
    merged.importance = max(merged.importance, *(fact.importance for fact in parts))
    merged.times_told = sum(fact.times_told for fact in parts)
    merged.use_count = sum(fact.use_count for fact in parts)
    merged.last_used_at = max((fact.last_used_at for fact in parts if fact.last_used_at), default=None)
    ends = [fact.expires_at for fact in parts]
    merged.expires_at = None if None in ends else max(end for end in ends if end)
    changes.make_live(merged, now)


def move(services: Services, person_id: int, number: int, to_person_id: int, origin: Origin) -> Moved:
    """Move a fact to another person, without its source text, and forget it for the first; returns the new fact.

    Each person gets a change of their own; an undo of either takes back both.

    Raises:
        NotFound: the first person has no such fact, or the other person does not exist.
        Refused: both are the same person, or the sentence is unfit.
    """
    if person_id == to_person_id:
        raise Refused("The fact is this person's already. Choose another person.")
    now = services.clock.now()
    with services.transaction() as db:
        fact = changes.expect_held(Fact, db, person_id, number, origin)
        if not 0 < to_person_id <= LARGEST_NUMBER or db.get(Person, to_person_id) is None:
            raise NotFound(f"There is no person with id {to_person_id}.")
        there_by = replace(origin, call=None)  # A call makes one change.
        learned = learn(db, to_person_id, [NewFact(fact.sentence, fact.category)], there_by, now, verb="move")
        other_side = changes.latest_not_undone(db, to_person_id) if learned.stored or learned.back else None
        there = (learned.stored or learned.duplicates)[0]
        if learned.stored:
            there.pinned, there.expires_at = fact.pinned, fact.expires_at
        facts.retire(db, fact, now)
        _, retold, _ = retell_all_without(db, person_id, [number], now)
        items = [ChangeItem(retired_fact_id=fact.id), *retold]
        changes.record(db, person_id, "move", origin, now, items, other_side)
        return Moved(there, was_known=not learned.stored)
