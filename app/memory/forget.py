"""Forget: facts out of sight at once, and what happened told without them; back again when that was a mistake."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.errors import NotFound
from app.memory import archive, batches, changes, episodes, facts, retelling
from app.memory.origin import Origin
from app.models import ChangeItem, Episode, Fact
from app.services import Services


@dataclass(frozen=True)
class Forgotten:
    """What was forgotten, and the numbers that name nothing."""

    removed: list[Fact]
    unknown: list[int]


@dataclass(frozen=True)
class ForgottenEpisodes:
    """The same of episodes."""

    removed: list[Episode]
    unknown: list[int]


def forget(services: Services, person_id: int, numbers: Sequence[int], origin: Origin) -> Forgotten:
    """The facts that are no longer remembered; one change, so that one undo brings all of them back."""
    now = services.clock.now()
    removed: list[Fact] = []
    unknown: list[int] = []
    items: list[ChangeItem] = []
    with services.transaction() as db:
        for number in dict.fromkeys(numbers):
            fact = facts.held_by_number(db, person_id, number)
            if fact is None:
                gone = changes.retired_in(db, origin.turn_id, Fact, number) if origin.turn_id is not None else None
                if gone is None:
                    unknown.append(number)
                else:
                    removed.append(gone)  # This turn forgot it already, before it was cut off or asked again.
                continue
            facts.retire(db, fact, now)
            removed.append(fact)
            items.append(ChangeItem(retired_fact_id=fact.id))
        if items:
            retelling.tell_again_without(db, person_id, [fact.number for fact in removed], now)
            changes.record(db, person_id, "forget", origin, now, items)
    return Forgotten(removed, unknown)


def forget_episodes(services: Services, person_id: int, numbers: Sequence[int], origin: Origin) -> ForgottenEpisodes:
    """The episodes that are no longer remembered; what was said in them, and learned, stays. One change, as of facts.

    What is said later in the same conversation is an episode of its own, so that nothing of these is told again with
    it.
    """
    now = services.clock.now()
    removed: list[Episode] = []
    unknown: list[int] = []
    with services.transaction() as db:
        for number in dict.fromkeys(numbers):
            episode = episodes.live_by_number(db, person_id, number)
            if episode is None:
                unknown.append(number)
                continue
            episodes.retire(db, episode, now)
            batches.close_up_to(db, episode.conversation_id, episode.upto_turn_id)
            removed.append(episode)
        if removed:
            batches.take_away(db, person_id, now)  # Somebody may be making one of them anew at this moment.
            items = [ChangeItem(retired_episode_id=episode.id) for episode in removed]
            changes.record(db, person_id, "forget", origin, now, items)
    return ForgottenEpisodes(removed, unknown)


def restore(services: Services, person_id: int, number: int, origin: Origin) -> Fact:
    """A forgotten or an archived fact, live again as it last was.

    Raises:
        NotFound: the person never had a fact with that number.
        Conflict: it is live, or another fact says the same.
    """
    now = services.clock.now()
    with services.transaction() as db:
        versions = facts.versions(db, person_id, number)
        if not versions:
            raise NotFound(f"No fact with id {number} was ever remembered.")
        back = versions[-1]
        if facts.is_archived(back, now):
            items = changes.make_live(back, now)
        else:
            back = facts.bring_back(db, back, now)
            changes.make_live(back, now)  # Of a version that was just added, an undo leaves nothing to be set back.
            items = [ChangeItem(added_fact_id=back.id)]
        archive.hold_to_limit(db, person_id, now, but=[number])
        changes.record(db, person_id, "restore", origin, now, items)
    return back
