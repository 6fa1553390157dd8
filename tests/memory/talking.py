"""Conversations held by text, and what becomes of them when they go quiet, in as few words as a test wants."""

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
    """One person's phone, the time that passes, and what is remembered of it."""

    def __init__(self, services: Services, number: str = ALEX) -> None:
        assert isinstance(services.background, InlineBackground)
        assert isinstance(services.clock, FrozenClock)
        super().__init__(services, services.background, number)
        self.clock = services.clock

    def say(self, *bodies: str, minutes: float = 1.0) -> None:
        """Texts in a row after so many minutes, answered together."""
        self.clock.advance(minutes=minutes)
        self.text(*bodies)

    def arrives_late(self, body: str, *, minutes_ago: float) -> None:
        """A text that was sent so long ago, and that only now is brought."""
        sent_at = self.clock.now() - timedelta(minutes=minutes_ago)
        sid = f"SM{next(self._sids):032x}"
        take_in(self.services, IncomingText(sid, self.number, "keepsake", body, "phone", sent_at=sent_at))
        self.background.run()

    def fall_silent(self, *, minutes: float = 31.0) -> None:
        """Let the conversation go quiet, and the job look."""
        self.clock.advance(minutes=minutes)
        self.look()

    def look(self) -> None:
        summarise_quiet.run(self.services)

    def episodes(self) -> list[Episode]:
        """Those that live, in the order in which they happened."""
        with self.services.reading() as db:
            return episodes.live(db, self.person_id)[::-1]

    @property
    def episode(self) -> Episode:
        """The only one."""
        [only] = self.episodes()
        return only

    @property
    def told(self) -> str:
        """All that the live episodes say."""
        return " ".join(f"{one.summary} {one.narrative} {one.key_facts} {one.topics}" for one in self.episodes())

    def versions(self, number: int = 1) -> list[Episode]:
        with self.services.reading() as db:
            return episodes.versions(db, self.person_id, number)

    def covered(self, episode: Episode) -> list[str]:
        """What the person wrote in the episode."""
        with self.services.reading() as db:
            return [one.body for one in episodes.messages(db, episode) if one.direction == "in"]

    def learned(self, episode: Episode) -> list[str]:
        """The facts that belong to the episode."""
        with self.services.reading() as db:
            return [fact.sentence for fact in episodes.facts(db, episode)]

    def found(self, words: str) -> list[str]:
        """The names of the episodes that hold all the words, as the index finds them."""
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
        """How many conversations wait."""
        return sum(one.summarised_at != one.last_at for one in self.conversations())
