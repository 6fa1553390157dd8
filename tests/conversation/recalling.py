"""Helpers for recall: conversations of a person, and the episodes that later texts bring back."""

from collections.abc import Sequence

import pytest

from app.embeddings.local import LocalEmbedder
from app.embeddings.minilm import find_weights
from app.jobs import index_texts
from app.memory import episodes
from app.memory.episodes import Covered, Summary
from app.models import Turn
from app.services import Clock, Services
from tests.fakes import FrozenClock
from tests.memory.talking import DATA, Talk


def local(clock: Clock) -> LocalEmbedder:
    files = find_weights()
    assert files is not None, "the weights are not installed: run make setup"
    embedder = LocalEmbedder(files, clock)
    embedder.embed(["ok"])  # Loads it, so that no text of a test arrives during that.
    return embedder


@pytest.fixture(scope="session")
def meaning() -> LocalEmbedder:
    return local(FrozenClock())


def index_all(services: Services) -> None:
    """Run the index job over everything: with a frozen clock it never runs out of time."""
    index_texts.run(services)


def tell_of(alex: Talk, conversations: Sequence[Sequence[str]], *, hours: float = 24.0) -> list[int]:
    """Hold these conversations, one a day; returns the number of each one's episode, or 0 if there was none."""
    alex.say("hello")
    numbers = []
    for texts in conversations:
        before = {one.number for one in alex.episodes()}
        alex.clock.advance(hours=hours)
        for text in texts:
            alex.say(text)
        alex.fall_silent()
        numbers.append(next(iter({one.number for one in alex.episodes()} - before), 0))
    index_all(alex.services)
    return numbers


def references(name: str) -> list[tuple[int, str]]:
    """Numbers of conversations, from 1 on, each with a later text that refers to it."""
    lines = (DATA / f"{name}.txt").read_text().splitlines()
    found = [line.split(": ", 1) for line in lines if line and not line.startswith("#")]
    return [(int(number), text) for number, text in found]


def episodes_of(turn: Turn) -> list[int]:
    """Numbers of the episodes that the model was shown in this turn."""
    return [one["id"] for one in turn.recalled or [] if one["kind"] == "episode"]


def brought_back(alex: Talk, text: str) -> list[int]:
    """Numbers of the episodes that a text brings back at the start of a conversation."""
    alex.clock.advance(hours=1)
    alex.say(text)
    return episodes_of(alex.turns()[-1])


def add_episodes(alex: Talk, *told: tuple[str, str], importance: float = 0.5) -> None:
    """Add episodes, each given by summary and narrative; the person must have texted before."""
    turn = alex.turns()[0]
    now = alex.clock.now()
    with alex.services.transaction() as db:
        for summary, narrative in told:
            said = Summary(summary, narrative, (), (), importance)
            covered = Covered(turn.conversation_id, turn.id, "quiet", (), now, now)
            episodes.add(db, alex.person_id, said, covered, now, written_by="a test")
