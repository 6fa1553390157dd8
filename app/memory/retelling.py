"""What happened, told again without what was forgotten: rows in and out.

An episode that may say it is out of sight at once, as the fact is. Its conversation waits to be summarised again, and
whoever summarises it sees the texts without the sentences that speak of it.
"""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from app.memory import batches, episodes, facts, index
from app.memory.index import IndexQuery
from app.memory.said import say_one, what_they_are_about
from app.models import Episode, EpisodeFact, EpisodeMessage, Fact, Message

LOOKED_THROUGH = 1000  # Episodes that share words with a fact, the likeliest first: years of daily talk about it.


def tell_again_without(db: Session, person_id: int, numbers: Collection[int], now: datetime) -> None:
    """Have everything that happened told without the facts of these numbers, which were just retired."""
    if not numbers:
        return
    batches.take_away(db, person_id, now)
    for episode in _telling(db, person_id, numbers):
        _tell_again(db, episode, now)
    _unlink(db, person_id, numbers)


def bring_back(db: Session, forgotten: Episode, now: datetime) -> None:
    """An episode that was forgotten by itself, as it was.

    What happened in it is not told twice: where it has been told again meanwhile, or waits to be, because of a fact
    that was forgotten since, that holds.
    """
    if batches.was_told(db, forgotten) and not episodes.is_told(db, forgotten):
        episodes.bring_back(db, forgotten, now)
        batches.close_up_to(db, forgotten.conversation_id, forgotten.upto_turn_id)


def _telling(db: Session, person_id: int, numbers: Collection[int]) -> list[Episode]:
    """The live episodes in which one of the facts was learned, or that say what it says."""
    gone = facts.gone(db, person_id, numbers)
    found = {episode.id: episode for number in numbers for episode in episodes.of_fact(db, person_id, number)}
    alike: set[int] = set()
    for sentence in {one.sentence for one in gone}:
        asked = IndexQuery(sentence, pool=LOOKED_THROUGH, reach=0)
        alike.update(index.search(db, person_id, "episode", asked).items.tolist())
    about = what_they_are_about(gone)  # Once for all: everybody who writes waits meanwhile.
    others = episodes.by_ids(db, person_id, sorted(alike - found.keys()))
    found |= {one.id: one for one in others if _says(one, about)}
    return sorted(found.values(), key=lambda episode: episode.number)


def _says(episode: Episode, about: Sequence[frozenset[str]]) -> bool:
    told = (episode.summary, episode.narrative, *episode.key_facts, *episode.topics)
    return any(say_one(words, about) for words in told)


def _tell_again(db: Session, episode: Episode, now: datetime) -> None:
    """Retire it, and those of the same conversation that followed it, so that none of their texts is left out."""
    covered = select(func.min(Message.turn_id)).join(EpisodeMessage, EpisodeMessage.message_id == Message.id)
    first = db.scalar(covered.where(EpisodeMessage.episode_id == episode.id))
    for one in episodes.of_conversation(db, episode.conversation_id):
        if one.upto_turn_id >= episode.upto_turn_id:
            episodes.retire(db, one, now)
    batches.look_again_from(db, episode.conversation_id, first or episode.upto_turn_id)


def _unlink(db: Session, person_id: int, numbers: Collection[int]) -> None:
    versions = select(Fact.id).where(Fact.person_id == person_id, Fact.number.in_(numbers))
    db.execute(delete(EpisodeFact).where(EpisodeFact.fact_id.in_(versions)))
