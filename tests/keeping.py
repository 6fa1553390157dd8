"""Scripted answers of the small model that writes episodes, and its real client."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from app.clients.summariser import ModelSummariser
from app.features.offline.extract import ExtractiveSummariser
from app.services import Clock
from tests.claude_server import ClaudeServer, Reply, call, model_at
from tests.memory.talking import Talk

SMALL = "claude-haiku-5-5"

EXAM = "I have an exam tomorrow and I'm really scared"
ANA = "My sister Ana says I worry too much"
SUMMARY = "Alex is scared of an exam on 22 November 2026."


@contextmanager
def summariser_at(server: ClaudeServer, clock: Clock) -> Iterator[ModelSummariser]:
    summariser = ModelSummariser(model_at(server, clock, SMALL), ExtractiveSummariser())
    yield summariser
    summariser.close()


def keep(summary: str, *facts: dict[str, Any], **fields: Any) -> Reply:
    """An answer with an episode of this summary; its other fields may be given."""
    episode = {
        "summary": summary,
        "narrative": f"{summary} That was all.",
        "topics": ["exam", "family"],
        "key_facts": [],
        "importance": 0.7,
        "facts": list(facts),
        **fields,
    }
    return call("keep_episode", episode)


def fact(sentence: str, quote: str, category: str = "") -> dict[str, str]:
    return {"fact": sentence, "category": category, "quote": quote}


def tell_of_the_exam(alex: Talk) -> None:
    """Send two texts of some importance on 21 November 2026."""
    alex.say(EXAM)
    alex.say(ANA)
