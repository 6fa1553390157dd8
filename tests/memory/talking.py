"""Short helpers for conversations by text, and for the episodes that they become when they go quiet."""

from datetime import timedelta
from pathlib import Path

from sqlalchemy import select

from app.delivery.inbox import IncomingText, take_in
from app.jobs import summarise_quiet
from app.memory import episodes, index
from app.models import Batch, Conversation, Episode
from app.services import Services
from tests.fakes import FrozenClock, InlineBackground
from tests.phoning import ALEX, Phone

DATA = Path(__file__).parent.parent / "data"


def conversations_in(name: str) -> list[list[str]]:
    """The person's texts of each made-up conversation in `tests/data/<name>.txt`."""
    blocks = (DATA / f"{name}.txt").read_text().split("\n\n")
    found = [[line[2:] for line in block.splitlines() if line.startswith("> ")] for block in blocks]
    return [texts for texts in found if texts]


class Talk(Phone):
    """One person's phone with a clock, and the episodes that are kept of the texts."""

    def __init__(self, services: Services, number: str = ALEX) -> None:
        assert isinstance(services.background, InlineBackground)
        assert isinstance(services.clock, FrozenClock)
        super().__init__(services, services.background, number)
        self.clock = services.clock

    def say(self, *bodies: str, minutes: float = 1.0) -> None:
        """Send texts together after some minutes, and have them answered."""
        self.clock.advance(minutes=minutes)
        self.text(*bodies)

    def arrives_late(self, body: str, *, minutes_ago: float) -> None:
        """Deliver a text now that was sent some minutes ago."""
        sent_at = self.clock.now() - timedelta(minutes=minutes_ago)
        sid = f"SM{next(self._sids):032x}"
        take_in(self.services, IncomingText(sid, self.number, "keepsake", body, "phone", sent_at=sent_at))
        self.background.run()

    def fall_silent(self, *, minutes: float = 31.0) -> None:
        """Let the conversation go quiet, and run the job."""
        self.clock.advance(minutes=minutes)
        self.look()

    def look(self) -> None:
        summarise_quiet.run(self.services)

    def episodes(self) -> list[Episode]:
        """Live episodes, in the order in which they happened."""
        with self.services.reading() as db:
            return episodes.live(db, self.person_id)[::-1]

    @property
    def episode(self) -> Episode:
        """The only live episode."""
        [only] = self.episodes()
        return only

    @property
    def told(self) -> str:
        """The full text of all live episodes."""
        return " ".join(f"{one.summary} {one.narrative} {one.key_facts} {one.topics}" for one in self.episodes())

    def versions(self, number: int = 1) -> list[Episode]:
        with self.services.reading() as db:
            return episodes.versions(db, self.person_id, number)

    def covered(self, episode: Episode) -> list[str]:
        """The person's texts in the episode."""
        with self.services.reading() as db:
            return [one.body for one in episodes.messages(db, episode) if one.direction == "in"]

    def learned(self, episode: Episode) -> list[str]:
        """The facts that belong to the episode."""
        with self.services.reading() as db:
            return [fact.sentence for fact in episodes.facts(db, episode)]

    def found(self, words: str) -> list[str]:
        """Names of the episodes that the index finds for all the words."""
        with self.services.reading() as db:
            ids = index.find(db, self.person_id, "episode", words)
            return [db.get_one(Episode, one).name for one in ids]

    def batches(self) -> list[Batch]:
        with self.services.reading() as db:
            return list(db.scalars(select(Batch).order_by(Batch.conversation_id)))

    def conversations(self) -> list[Conversation]:
        with self.services.reading() as db:
            theirs = select(Conversation).where(Conversation.person_id == self.person_id)
            return list(db.scalars(theirs.order_by(Conversation.id)))

    def unsummarised(self) -> int:
        """Number of conversations that wait for a summary."""
        return sum(one.summarised_at != one.last_at for one in self.conversations())
