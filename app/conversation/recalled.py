"""The first step of a turn: what is remembered of the person, as the model will see it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy.orm import Session

from app import people, prompts
from app.conversation import procedures
from app.memory import facts, rules
from app.memory.facts import Known
from app.memory.facts.selection import choose, estimate_tokens, varied
from app.memory.rules import InForce
from app.models import Person
from app.services import Services

MEMORY_MAX_TOKENS = 500  # Product F6: memory never crowds out the conversation, nor costs more than a few texts.
LOOKED_AT = 250  # Facts of which those to be shown are chosen: four times as many as have room, in about a millisecond.


@dataclass(frozen=True)
class Preferred:
    """Numbers of what matters to the texts of a turn, the nearest first: shown where there is no room for all."""

    facts: tuple[int, ...] = ()
    rules: tuple[int, ...] = ()


NOTHING_PREFERRED = Preferred()


@dataclass(frozen=True)
class Memory:
    """A person's memory at one moment."""

    block: str
    """`<user_memory>` in the contract's exact form, and `<procedures>` after it where there are rules."""
    timezone: str
    person_key: str
    shown: tuple[Known, ...]
    """The facts that stand in the block, by number."""
    held: int = 0
    """How many are live."""
    rules: tuple[InForce, ...] = ()
    """All rules that hold, by number, whether they stand in the block or not."""
    preferred: Preferred = NOTHING_PREFERRED


def remembered(
    services: Services, person_id: int, *, memory_on: bool, preferred: Preferred = NOTHING_PREFERRED
) -> Memory:
    """The person's memory now: built anew after each change, within `MEMORY_MAX_TOKENS`, and the rules within theirs.

    Of more facts than there is room for, those that lead (pinned, and constraints) come first, then the preferred, by
    their numbers, then what matters most. Rules are memory: with memory off none holds.
    """
    with services.reading() as db:
        person = people.by_id(db, person_id)
        return remembered_of(db, person, services.clock.now(), memory_on=memory_on, preferred=preferred)


def remembered_of(
    db: Session, person: Person, now: datetime, *, memory_on: bool, preferred: Preferred = NOTHING_PREFERRED
) -> Memory:
    """As `remembered`, of a person who is at hand."""
    facts_ = _built(db, person, preferred, now, memory_on=memory_on)
    in_force = rules.in_force(db, person.id) if memory_on else []
    if not in_force:
        return facts_
    written = procedures.block(procedures.shown(in_force, preferred.rules))
    return replace(facts_, block=f"{facts_.block}\n{written}", rules=tuple(in_force))


def _built(db: Session, person: Person, preferred: Preferred, now: datetime, *, memory_on: bool) -> Memory:
    name = person.name if memory_on else None
    frame = prompts.render("user_memory", name=name, timezone=person.timezone, facts=[])
    known = varied(facts.foremost(db, person.id, LOOKED_AT, now)) if memory_on else []
    if preferred.facts and memory_on:
        known = _preferring(known, facts.known(db, person.id, preferred.facts, now))
    shown = choose(known, max_tokens=MEMORY_MAX_TOKENS - estimate_tokens(frame))
    block = prompts.render(
        "user_memory", name=name, timezone=person.timezone, facts=[as_sentence(fact.sentence) for fact in shown]
    )
    held = len(known) if len(known) < LOOKED_AT else facts.count_live(db, person.id, now)
    return Memory(block, person.timezone, person.key, tuple(shown), held, preferred=preferred)


def _preferring(known: Sequence[Known], relevant: Sequence[Known]) -> list[Known]:
    """Those that lead, then the relevant ones, then the rest, each as they were."""
    leading = [one for one in known if one.leads]
    first = {one.id: one for one in (*leading, *relevant)}
    return [*first.values(), *(one for one in known if one.id not in first)]


def as_sentence(sentence: str) -> str:
    """A fact as it stands in the block."""
    return sentence if sentence.endswith((".", "!", "?", "…")) else sentence + "."
