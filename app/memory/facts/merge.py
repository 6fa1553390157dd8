"""Merge: several facts of one person said by one."""

from collections.abc import Sequence
from datetime import datetime

from app.errors import Conflict, NotFound, Refused
from app.memory import changes, facts
from app.memory.facts import archive
from app.memory.origin import Origin
from app.memory.remember import checked_sentence, dated_sentence
from app.models import ChangeItem, Fact
from app.services import Services

MAX_MERGED = 20  # More facts than that say no one thing.


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
