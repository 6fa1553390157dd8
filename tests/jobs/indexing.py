"""What people said, on its way into memory's index, in as few words as a test wants."""

from sqlalchemy import select

from app.conversation import turn
from app.memory import index
from app.memory.index import Found, IndexQuery, backlog
from app.memory.index.documents import Kind
from app.models import Message, Person
from app.services import Services
from tests.memory.remembering import ANNA


def say(services: Services, *texts: str, address: str = ANNA) -> None:
    for words in texts:
        turn.hold(services, address, words)


def search(services: Services, person_id: int, asked: str, kind: Kind = "message") -> Found:
    embedder = services.embedder
    assert embedder is not None
    query = IndexQuery(asked, embedder.embed([asked], is_query=True)[0], embedder.name)
    with services.reading() as db:
        return index.search(db, person_id, kind, query)


def found(services: Services, person_id: int, asked: str) -> list[str]:
    """The texts that share a word with what is asked, in the order in which they were said."""
    hits = search(services, person_id, asked)
    with services.reading() as db:
        bodies = {one.id: one.body for one in db.scalars(select(Message))}
    return [bodies[item] for item, score in zip(hits.items.tolist(), hits.bm25.tolist(), strict=True) if score > 0]


def behind(services: Services, person_id: int) -> bool:
    with services.reading() as db:
        return backlog.is_behind(db, person_id)


def left(services: Services) -> int:
    assert services.embedder is not None
    with services.reading() as db:
        return backlog.left(db, services.embedder)


def set_zone(services: Services, person_id: int, zone: str) -> None:
    with services.transaction() as db:
        db.get_one(Person, person_id).timezone = zone
