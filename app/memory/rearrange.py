"""Rearrange: facts pinned, archived, said by one, or moved to the person of whom they are true."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from app.errors import Conflict, NotFound, Refused
from app.memory import changes, facts
from app.memory.facts import archive
from app.memory.forget import tell_without
from app.memory.origin import Origin
from app.memory.remember import NewFact, checked_sentence, dated_sentence, learn
from app.models import ChangeItem, Fact, Person
from app.services import Services

MAX_MERGED = 20  # More facts than that say no one thing.


@dataclass(frozen=True)
class Set:
    """What was changed, what was so already, and what there is none of: numbers, each in one of them."""

    changed: list[int]
    already: list[int]
    unknown: list[int]


@dataclass(frozen=True)
class Moved:
    """What became of a fact that was moved."""

    fact: Fact
    """As the other person has it."""
    was_known: bool
    """Whether the other person had told it already: then that is left as it was."""


def pin_facts(
    services: Services, person_id: int, numbers: Sequence[int], origin: Origin, *, pinned: bool = True
) -> Set:
    """Have these facts always shown, or no longer. What was archived is shown again, as by `revise`."""

    def change(fact: Fact, now: datetime) -> list[ChangeItem]:
        back = changes.make_live(fact, now) if pinned and facts.is_archived(fact, now) else []
        return back + changes.set_changed(fact, {"pinned": pinned})

    return _each(services, person_id, numbers, origin, change)


def archive_facts(services: Services, person_id: int, numbers: Sequence[int], origin: Origin) -> Set:
    """Have these facts held and out of sight: found when they are searched for, and never shown unasked."""

    def change(fact: Fact, now: datetime) -> list[ChangeItem]:
        return [] if facts.is_archived(fact, now) else changes.set_changed(fact, {"archived_at": now})

    return _each(services, person_id, numbers, origin, change)


def _each(
    services: Services,
    person_id: int,
    numbers: Sequence[int],
    origin: Origin,
    change: Callable[[Fact, datetime], list[ChangeItem]],
) -> Set:
    """What one change did to several facts; one undo takes it back."""
    now = services.clock.now()
    with services.transaction() as db:
        held = facts.held_by_numbers(db, person_id, numbers)
        done = {fact.number: change(fact, now) for fact in held}
        changed = [number for number, items in done.items() if items]
        if changed:
            archive.hold_to_limit(db, person_id, now, but=changed)
            changes.record(db, person_id, "revise", origin, now, [item for items in done.values() for item in items])
    already = [number for number in done if number not in changed]
    return Set(changed, already, [number for number in dict.fromkeys(numbers) if number not in done])


def merge(services: Services, person_id: int, numbers: Sequence[int], sentence: str, origin: Origin) -> Fact:
    """The fact that says all of it from now on: the one known longest, under its number, in a new version.

    The others are retired in the same change, and one undo brings all of them back. They count as said by it, and not
    as forgotten: what happened is told as before, until that fact is forgotten.

    Raises:
        Refused: fewer than two facts, more than `MAX_MERGED`, or an unfit sentence.
        NotFound: one of them is not held.
        Conflict: another fact, which is not among them, says the sentence already.
    """
    wanted = list(dict.fromkeys(numbers))
    if not 1 < len(wanted) <= MAX_MERGED:
        raise Refused(f"{len(wanted)} facts cannot be merged. Choose 2 to {MAX_MERGED} of one person.")
    checked_sentence(sentence)
    now = services.clock.now()
    with services.transaction() as db:
        held = facts.held_by_numbers(db, person_id, wanted)
        missing = sorted({*wanted} - {fact.number for fact in held})
        if missing:
            raise NotFound(f"No fact with id {missing[0]}. Nothing was merged.")
        said = [fact.sentence for fact in held]
        written = checked_sentence(sentence)
        if written not in said:
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
        # Last, because an undo goes backwards: the sentence is free again when the one that had it comes back.
        items.append(ChangeItem(retired_fact_id=first.id, added_fact_id=merged.id))
        archive.hold_to_limit(db, person_id, now, but=[merged.number])
        changes.record(db, person_id, "merge", origin, now, items)
        return merged


def _take_over(merged: Fact, parts: Sequence[Fact], now: datetime) -> None:
    """What held of any of them: pinned, how often it was told and used; and it ends when the last of them does."""
    merged.category = next((fact.category for fact in parts if fact.category), None)
    merged.pinned = any(fact.pinned for fact in parts)
    merged.importance = max(merged.importance, *(fact.importance for fact in parts))
    merged.times_told = sum(fact.times_told for fact in parts)
    merged.use_count = sum(fact.use_count for fact in parts)
    merged.last_used_at = max((fact.last_used_at for fact in parts if fact.last_used_at), default=None)
    ends = [fact.expires_at for fact in parts]
    merged.expires_at = None if None in ends else max(end for end in ends if end)
    merged.archived_at = None
    if merged.expires_at is not None and merged.expires_at <= now:
        merged.expires_at = None


def move(services: Services, person_id: int, number: int, to_person_id: int, origin: Origin) -> Moved:
    """The fact as it is now held of the other person, under a number of theirs; the first has it no more.

    At the first it is as if forgotten: neither held nor found, told in no episode, its words out of the index. Each of
    the two has a change of their own; an undo of either takes back both. Its source text is the first
    person's, and stays in their thread; the other's fact has none.

    Raises:
        NotFound: the first person holds no such fact, or there is no such other person.
        Refused: both are one, or the sentence does not fit.
    """
    if person_id == to_person_id:
        raise Refused("The fact is this person's already. Choose another person.")
    now = services.clock.now()
    with services.transaction() as db:
        fact = facts.held_by_number(db, person_id, number)
        if fact is None:
            raise NotFound(f"No fact with id {number}. List the memories to see the ids.")
        if db.get(Person, to_person_id) is None:
            raise NotFound(f"There is no person with id {to_person_id}.")
        there_by = replace(origin, call=None)  # A call makes one change.
        learned = learn(db, to_person_id, [NewFact(fact.sentence, fact.category)], there_by, now, verb="move")
        other_side = changes.last_standing(db, to_person_id) if learned.stored or learned.back else None
        there = (learned.stored or learned.duplicates)[0]
        if learned.stored:
            there.pinned, there.expires_at = fact.pinned, fact.expires_at
        facts.retire(db, fact, now)
        _, retold = tell_without(db, person_id, [number], now)
        items = [ChangeItem(retired_fact_id=fact.id), *retold.items]
        here = changes.record(db, person_id, "move", origin, now, items)
        here.moved_with_id = other_side.id if other_side else None
        return Moved(there, was_known=not learned.stored)
