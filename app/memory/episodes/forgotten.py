"""Episodes forgotten by themselves, restored as they were; and all else that a forgetting took beside facts."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import exists, func, select
from sqlalchemy.orm import Session, aliased

from app.errors import Conflict, NotFound
from app.memory import episodes
from app.memory.forgotten import SUBJECT
from app.memory.undo import take_back
from app.models import Change, ChangeItem, Episode
from app.services import Services


@dataclass(frozen=True)
class RestoredEpisodes:
    """What came of it."""

    back: list[Episode]
    """All that was forgotten in the same change, and is live again."""
    told_anew: list[int]
    """Numbers of those that are told again instead, since something that they may say was forgotten meanwhile."""


def forgotten(db: Session, person_id: int) -> list[tuple[Episode, Change]]:
    """The episodes that were forgotten by themselves and are not live again, the last one forgotten first.

    What is only told again without a fact or a subject that was forgotten is not among them.
    """
    live = aliased(Episode)
    is_live = exists().where(
        live.person_id == Episode.person_id, live.number == Episode.number, live.retired_at.is_(None)
    )
    rows = (
        select(Episode, Change)
        .join(ChangeItem, ChangeItem.retired_episode_id == Episode.id)
        .join(Change, Change.id == ChangeItem.change_id)
        .where(Change.person_id == person_id, Change.undone_at.is_(None), ~is_live)
        .where(ChangeItem.field.is_(None))  # Else it names one that is told again.
        .order_by(Change.id.desc(), Episode.number)
    )
    return [(episode, change) for episode, change in db.execute(rows)]


def forgotten_subjects(db: Session, person_id: int) -> list[tuple[str, datetime, int]]:
    """The subjects that are forgotten, as they were put, the last one first: when, and how many changes stand since.

    Undo takes those back first.
    """
    standing = (Change.person_id == person_id, Change.undone_at.is_(None))
    since = func.count().over(order_by=Change.id.desc()) - 1
    changes = select(Change.id, since.label("since")).where(*standing).subquery()
    rows = (
        select(ChangeItem.before, Change.at, changes.c.since)
        .join(Change, Change.id == ChangeItem.change_id)
        .join(changes, changes.c.id == Change.id)
        .where(*standing, Change.verb == "forget", ChangeItem.field == SUBJECT)
        .order_by(Change.id.desc(), ChangeItem.id)
    )
    return [(said or "", at, since) for said, at, since in db.execute(rows)]


def restore_episodes(services: Services, person_id: int, number: int) -> RestoredEpisodes:
    """The forgotten episode with that number, with those that were forgotten in the same change: that is taken back.

    Raises:
        NotFound: no episode with that number is forgotten.
        Conflict: it is told again without something that was forgotten, which alone would bring it back.
    """
    with services.transaction() as db:
        change = next((change for episode, change in forgotten(db, person_id) if episode.number == number), None)
        if change is None and episodes.versions(db, person_id, number) and not _is_live(db, person_id, number):
            raise Conflict(
                f"Episode {number} is told again without something that was forgotten. Undo brings it back as it was "
                "once it has come to that change: it takes back the last change first."
            )
        if change is None:
            raise NotFound(f"No episode {number} is forgotten: it is remembered, or it never was.")
        gone = [db.get_one(Episode, item.retired_episode_id) for item in change.items if item.retired_episode_id]
        take_back(db, change, services.clock.now(), None)
        found = [(one.number, episodes.live_by_number(db, person_id, one.number)) for one in gone]
        back = [episode for _, episode in found if episode is not None]
        return RestoredEpisodes(back, [name for name, episode in found if episode is None])


def _is_live(db: Session, person_id: int, number: int) -> bool:
    return episodes.live_by_number(db, person_id, number) is not None
