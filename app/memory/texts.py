"""What the documents of the index say: the words that are indexed and embedded are the same, read here for both."""

from collections.abc import Collection

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.memory.row_ids import Kind
from app.models import Episode, Fact, Message
from app.redaction import without_secrets


def texts(db: Session, kind: Kind, items: Collection[int]) -> dict[int, str]:
    """The text of each item; one that is there no more is left out."""
    match kind:
        case "message":
            rows = db.execute(select(Message.id, Message.body).where(Message.id.in_(items)))
            return {row.id: of_message(row.body) for row in rows}
        case "fact":
            rows = db.execute(select(Fact.id, Fact.sentence).where(Fact.id.in_(items)))
            return {row.id: row.sentence for row in rows}
        case "episode":
            return {one.id: of_episode(one) for one in db.scalars(select(Episode).where(Episode.id.in_(items)))}


def of_message(body: str) -> str:
    """What of a text may be found again: a password or a card number never."""
    return without_secrets(body).strip()


def of_episode(episode: Episode) -> str:
    return "\n".join(filter(None, (episode.summary, episode.narrative, *episode.key_facts, ", ".join(episode.topics))))
