"""The first step of a turn: what is remembered of the person, as the model will see it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from app import people, prompts
from app.memory import facts
from app.memory.facts import Known
from app.memory.selection import choose, estimate_tokens, varied
from app.services import Services

MEMORY_MAX_TOKENS = 500  # Product F6: memory never crowds out the conversation, nor costs more than a few texts.
LOOKED_AT = 400  # Facts of which those to be shown are chosen: read and sorted in two milliseconds at most.


@dataclass(frozen=True)
class Memory:
    """A person's memory at one moment."""

    block: str
    """`<user_memory>` in the contract's exact form."""
    timezone: str
    person_key: str
    shown: tuple[Known, ...]
    """The facts that stand in the block, by number."""
    relevant: tuple[int, ...] = ()
    """Numbers of the facts that were preferred, as far as they are known."""


def remembered(services: Services, person_id: int, *, memory_on: bool, relevant: Sequence[int] = ()) -> Memory:
    """The person's memory now: built anew after each change, within `MEMORY_MAX_TOKENS`.

    Of more facts than there is room for, those that lead (pinned, and constraints) come first, then the `relevant`, by
    their numbers, then what matters most.
    """
    with services.reading() as db:
        return _built(db, person_id, relevant, services.clock.now(), memory_on=memory_on)


def _built(db: Session, person_id: int, relevant: Sequence[int], now: datetime, *, memory_on: bool) -> Memory:
    person = people.by_id(db, person_id)
    name = person.name if memory_on else None
    frame = prompts.render("user_memory", name=name, timezone=person.timezone, facts=[])
    known = varied(facts.foremost(db, person_id, LOOKED_AT, now)) if memory_on else []
    if relevant and memory_on:
        known = _preferring(known, facts.known(db, person_id, relevant, now))
    shown = choose(known, max_tokens=MEMORY_MAX_TOKENS - estimate_tokens(frame))
    block = prompts.render(
        "user_memory", name=name, timezone=person.timezone, facts=[_sentence(fact.sentence) for fact in shown]
    )
    return Memory(block, person.timezone, person.key, tuple(shown), tuple(relevant))


def _preferring(known: Sequence[Known], relevant: Sequence[Known]) -> list[Known]:
    """Those that lead, then the relevant ones, then the rest, each as they were."""
    leading = [one for one in known if one.leads]
    first = {one.id: one for one in (*leading, *relevant)}
    return [*first.values(), *(one for one in known if one.id not in first)]


def _sentence(sentence: str) -> str:
    return sentence if sentence.endswith((".", "!", "?", "…")) else sentence + "."
