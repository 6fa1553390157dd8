"""Episode rows: find, add and version them, each with its messages, its facts and its index document."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import partial

from sqlalchemy import and_, exists, func, select, update
from sqlalchemy.orm import Session

from app.clock import end_of_day, local
from app.memory import index
from app.memory.changes import held, last_retired, next_version, versions_of
from app.memory.changes import held_by_number as of_held
from app.memory.index.documents import Document
from app.memory.index.query import names_any_day
from app.models import Change, ChangeItem, Episode, EpisodeFact, EpisodeMessage, Fact, Message, Person

DAYS_MOST = 7  # The most important episodes describe a week well, but not a longer time.
TOLD_WITHIN = timedelta(days=92)  # A day is named by its date mostly in texts of the months around it.

held_by_number = partial(of_held, Episode)
versions = partial(versions_of, Episode)  # All versions of one episode, oldest first; none for an unknown number.


@dataclass(frozen=True)
class Summary:
    """The checked summary of a conversation: its dates are absolute and its lengths within the limits."""

    summary: str
    narrative: str
    topics: tuple[str, ...]
    key_facts: tuple[str, ...]
    importance: float  # 0 to 1, higher is more important.


@dataclass(frozen=True)
class Covered:
    """The part of a conversation that an episode covers, and the trigger that made it."""

    conversation_id: int
    upto_turn_id: int
    trigger: str
    message_ids: tuple[int, ...]
    started_at: datetime
    ended_at: datetime


def text_of(episode: Episode) -> str:
    """The words of an episode that are indexed and embedded."""
    return "\n".join(filter(None, (episode.summary, episode.narrative, *episode.key_facts, ", ".join(episode.topics))))


def live(db: Session, person_id: int) -> list[Episode]:
    """The person's live episodes, latest first."""
    return list(db.scalars(held(Episode, person_id).order_by(Episode.ended_at.desc(), Episode.number.desc())))


def by_ids(db: Session, person_id: int, ids: Collection[int]) -> list[Episode]:
    """Live episodes with these row ids, in no order."""
    return list(db.scalars(held(Episode, person_id).where(Episode.id.in_(ids))))


def by_numbers(db: Session, person_id: int, numbers: Collection[int]) -> list[Episode]:
    """Live episodes with these numbers, in no order."""
    return list(db.scalars(held(Episode, person_id).where(Episode.number.in_(numbers))))


def of_days(db: Session, person_id: int, first: date, last: date, timezone: str) -> Sequence[Episode]:
    """Live episodes that took place between two days, or name one of them, the most important first.

    Empty for more than `DAYS_MOST` days. `timezone` is the IANA zone of the days.
    """
    if not 0 <= (last - first).days < DAYS_MOST:
        return []
    begin, end = end_of_day(first - timedelta(days=1), timezone), end_of_day(last, timezone)
    held_then = and_(Episode.ended_at >= begin, Episode.started_at < end)
    around = (Episode.ended_at >= begin - TOLD_WITHIN, Episode.started_at < end + TOLD_WITHIN)
    rows = held(Episode, person_id).add_columns(held_then).where(*around)
    rows = rows.order_by(Episode.importance.desc(), Episode.number.desc())
    return [
        one for one, then in db.execute(rows) if then or names_any_day(f"{one.summary} {one.narrative}", first, last)
    ]


def first_messages(db: Session, ids: Collection[int]) -> dict[int, int]:
    """Id of the first message that each of these episodes covers, by episode id."""
    rows = select(EpisodeMessage.episode_id, func.min(EpisodeMessage.message_id))
    rows = rows.where(EpisodeMessage.episode_id.in_(ids)).group_by(EpisodeMessage.episode_id)
    return {row[0]: row[1] for row in db.execute(rows)}


def of_conversation(db: Session, conversation_id: int) -> list[Episode]:
    """The live episodes of a conversation, in the order of events."""
    rows = select(Episode).where(Episode.conversation_id == conversation_id, Episode.retired_at.is_(None))
    return list(db.scalars(rows.order_by(Episode.upto_turn_id)))


def forgotten(db: Session, person_id: int) -> list[tuple[Episode, Change]]:
    """Episodes that were forgotten by number and are not live again, each with that change; the latest first."""
    rows = last_retired(Episode, person_id).add_columns(Change)
    rows = rows.join(ChangeItem, ChangeItem.retired_episode_id == Episode.id).join(Change)
    rows = rows.where(Change.undone_at.is_(None), ChangeItem.field.is_(None))  # With a field it was retold.
    return [(episode, change) for episode, change in db.execute(rows.order_by(Change.id.desc(), Episode.number))]


def messages(db: Session, episode: Episode) -> list[Message]:
    """The messages that this version covers, in the order in which they came and went."""
    rows = select(Message).join(EpisodeMessage, EpisodeMessage.message_id == Message.id)
    return list(db.scalars(rows.where(EpisodeMessage.episode_id == episode.id).order_by(Message.id)))


def facts(db: Session, episode: Episode) -> list[Fact]:
    """The versions of facts learned in the episode or from it, by number."""
    rows = select(Fact).join(EpisodeFact, EpisodeFact.fact_id == Fact.id)
    return list(db.scalars(rows.where(EpisodeFact.episode_id == episode.id).order_by(Fact.number, Fact.version)))


def of_messages(db: Session, person_id: int, message_ids: Collection[int]) -> list[Episode]:
    """The live episodes that cover any of these messages, in the order of events."""
    covering = exists().where(EpisodeMessage.episode_id == Episode.id, EpisodeMessage.message_id.in_(message_ids))
    found = held(Episode, person_id).where(covering)
    return list(db.scalars(found.order_by(Episode.started_at, Episode.number)))


def of_fact(db: Session, person_id: int, number: int) -> list[Episode]:
    """The live episodes in which any version of the fact was learned."""
    told = select(Fact.id).where(Fact.person_id == person_id, Fact.number == number)
    linked = exists().where(EpisodeFact.episode_id == Episode.id, EpisodeFact.fact_id.in_(told))
    return list(db.scalars(held(Episode, person_id).where(linked).order_by(Episode.number)))


def add(
    db: Session,
    person_id: int,
    summary: Summary,
    covered: Covered,
    now: datetime,
    *,
    written_by: str,
    note: str | None = None,
    before: Episode | None = None,
    learned: Sequence[int] = (),
) -> Episode:
    """Add an episode, or the next version of `before`, linked to its messages and the facts learned from them."""
    told = vars(summary) | {"topics": [*summary.topics], "key_facts": [*summary.key_facts]}
    told |= {name: value for name, value in vars(covered).items() if name != "message_ids"}
    told |= {"message_count": len(covered.message_ids), "written_by": written_by, "note": note}
    if before is not None:
        return _keep(db, next_version(db, before, now, **told), before, covered.message_ids, learned)
    person = db.get_one(Person, person_id)
    person.last_episode_number += 1
    episode = Episode(person_id=person_id, number=person.last_episode_number, version=1, recorded_at=now, **told)
    return _keep(db, episode, None, covered.message_ids, learned)


def add_version(db: Session, before: Episode, reword: Callable[[str], str], now: datetime) -> Episode:
    """Add the next version of an episode, its words changed by `reword`, with the same messages and facts."""
    words = {name: reword(getattr(before, name)) for name in ("summary", "narrative")}
    lists = {name: [*filter(None, map(reword, getattr(before, name)))] for name in ("topics", "key_facts")}
    covered, learned = [one.id for one in messages(db, before)], [fact.id for fact in facts(db, before)]
    return _keep(db, next_version(db, before, now, **words, **lists), before, covered, learned)


def bring_back(db: Session, retired: Episode, now: datetime) -> Episode:
    """Add a retired version again as the newest one, unchanged, with its messages and its facts that are left."""
    return add_version(db, retired, str, now)


def _keep(
    db: Session, episode: Episode, before: Episode | None, message_ids: Collection[int], learned: Collection[int]
) -> Episode:
    if before is not None and before.retired_at is None:
        retire(db, before, episode.recorded_at)
    db.add(episode)
    db.flush()
    db.add_all(EpisodeMessage(episode_id=episode.id, message_id=one) for one in message_ids)
    in_texts = held(Fact, episode.person_id).where(Fact.message_id.in_(message_ids)).with_only_columns(Fact.id)
    db.add_all(EpisodeFact(episode_id=episode.id, fact_id=one) for one in {*learned, *db.scalars(in_texts)})
    db.flush()
    day = local(episode.started_at, db.get_one(Person, episode.person_id).timezone).date()
    document = Document(episode.id, text_of(episode), day, conversation=episode.conversation_id)
    index.add(db, episode.person_id, "episode", [document])
    return episode


def retire(db: Session, episode: Episode, now: datetime) -> None:
    """Make the episode no longer live: it is neither shown nor found."""
    episode.retired_at = now
    index.remove(db, episode.person_id, "episode", [episode.id])
    db.flush()


def count_use(db: Session, person_id: int, numbers: Collection[int], now: datetime) -> None:
    theirs = update(Episode).where(Episode.person_id == person_id, Episode.number.in_(numbers))
    used = theirs.where(Episode.retired_at.is_(None))
    db.execute(used.values(use_count=Episode.use_count + 1, last_used_at=now))
