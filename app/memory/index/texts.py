"""The words of the index's documents: the same are indexed and embedded, read here for both."""

from collections.abc import Collection

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.memory.episodes.said import of_messages
from app.memory.index.row_ids import Kind
from app.models import Episode, Fact, Message


def texts(db: Session, kind: Kind, items: Collection[int]) -> dict[int, str]:
    """The text of each item; one that is there no more is left out."""
    match kind:
        case "message":
            whose = db.scalars(select(Message.person_id).where(Message.id.in_(items)).distinct())
            return {item: words for one in whose.all() for item, words in of_messages(db, one, items).items()}
        case "fact":
            rows = db.execute(select(Fact.id, Fact.sentence).where(Fact.id.in_(items)))
            return {row.id: row.sentence for row in rows}
        case "episode":
            return {one.id: of_episode(one) for one in db.scalars(select(Episode).where(Episode.id.in_(items)))}


def of_episode(episode: Episode) -> str:
    return "\n".join(filter(None, (episode.summary, episode.narrative, *episode.key_facts, ", ".join(episode.topics))))
