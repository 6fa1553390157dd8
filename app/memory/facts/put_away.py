"""Pin and archive, several facts of one person at once: one change, which one undo takes back."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from app.memory import changes, facts
from app.memory.changes import Field
from app.memory.facts import archive
from app.memory.origin import Origin
from app.models import ChangeItem, Fact
from app.services import Services


@dataclass(frozen=True)
class Set:
    """What was changed, what was so already, and what there is none of: numbers, each in one of them."""

    changed: list[int]
    already: list[int]
    unknown: list[int]


def pin_facts(
    services: Services, person_id: int, numbers: Sequence[int], origin: Origin, *, pinned: bool = True
) -> Set:
    """Have these facts always shown, or no longer. What was archived is shown again, as by `revise`."""

    def change(fact: Fact, now: datetime) -> list[ChangeItem]:
        back = changes.make_live(fact, now) if pinned and facts.is_archived(fact, now) else []
        return back + _set(fact, {"pinned": pinned})

    return _each(services, person_id, numbers, origin, change)


def archive_facts(services: Services, person_id: int, numbers: Sequence[int], origin: Origin) -> Set:
    """Have these facts held and out of sight: found when they are searched for, and never shown unasked."""

    def change(fact: Fact, now: datetime) -> list[ChangeItem]:
        return [] if facts.is_archived(fact, now) else _set(fact, {"archived_at": now})

    return _each(services, person_id, numbers, origin, change)


def _each(
    services: Services,
    person_id: int,
    numbers: Sequence[int],
    origin: Origin,
    change: Callable[[Fact, datetime], list[ChangeItem]],
) -> Set:
    now = services.clock.now()
    with services.transaction() as db:
        held = {fact.number: fact for fact in facts.held_by_numbers(db, person_id, numbers)}
        done = {number: change(fact, now) for number, fact in held.items()}
        if items := [item for of_one in done.values() for item in of_one]:
            changed = [number for number, of_one in done.items() if of_one]
            archive.hold_to_limit(db, person_id, now, but=changed)
            changes.record(db, person_id, "revise", origin, now, items)
    return Set(
        [number for number, of_one in done.items() if of_one],
        [number for number, of_one in done.items() if not of_one],
        [number for number in dict.fromkeys(numbers) if number not in held],
    )


def _set(fact: Fact, values: dict[str, Field]) -> list[ChangeItem]:
    return changes.set_fields(fact, {name: to for name, to in values.items() if to != getattr(fact, name)})
