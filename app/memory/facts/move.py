"""Move: a fact from the person it was kept for to the person of whom it is true."""

from dataclasses import dataclass, replace

from app.errors import NotFound, Refused
from app.memory import changes, facts
from app.memory.episodes import retelling
from app.memory.facts.quotes import shortened_quotes
from app.memory.forgotten import facts_gone, with_merged
from app.memory.origin import Origin
from app.memory.remember import NewFact, learn
from app.models import ChangeItem, Fact, Person
from app.services import Services


@dataclass(frozen=True)
class Moved:
    """What became of it."""

    fact: Fact
    """As the other person has it."""
    was_known: bool
    """Whether the other person had told it already: then that is left as it was."""


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
        numbers = with_merged(db, person_id, [number])
        gone = facts_gone(db, person_id, numbers)
        retold = retelling.tell_again_without(db, person_id, gone, now, numbers=numbers)
        items = [ChangeItem(retired_fact_id=fact.id), *retold.items]
        items += shortened_quotes(db, person_id, gone, retold, now)
        here = changes.record(db, person_id, "move", origin, now, items)
        here.moved_with_id = other_side.id if other_side else None
        return Moved(there, was_known=not learned.stored)
