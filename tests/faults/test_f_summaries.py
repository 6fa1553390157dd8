"""`kill -9` at every step from texts to an episode, in a real process, and what is remembered in the end."""

import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from app.memory import facts
from app.models import Change
from app.services import Services
from tests.claude_server import ClaudeServer
from tests.conversation.spendings import spendings
from tests.faults.lives import begin, summarise
from tests.keeping import SUMMARY, fact, keep, tell_of_the_exam
from tests.memory.talking import Talk

PLACES = ("batch.taken", "draft.paid", "draft.written", "episode.kept")

Run = Callable[..., int]
"""Has the job run in a process of its own, to be killed at that place; the exit code, or the negative signal."""


@pytest.fixture
def alex(services: Services) -> Talk:
    return Talk(services)


@pytest.fixture
def run(alex: Talk, claude: ClaudeServer, tmp_path: Path) -> Run:
    given = alex.services.settings
    url = f"sqlite:///{given.database_path.resolve()}" if given.is_sqlite else given.database_url
    settings = {"database_url": url, "anthropic_api_key": claude.key, "anthropic_base_url": claude.url}

    def run(kill_at: str = "") -> int:
        faults = f"{kill_at}:1:KILL" if kill_at else ""
        return begin(summarise, tmp_path, settings=settings, now=alex.clock.now().isoformat(), faults=faults).wait()

    return run


@pytest.mark.parametrize("place", PLACES)
def test_r89_after_a_death_the_episode_is_made_once(place: str, run: Run, alex: Talk, claude: ClaudeServer) -> None:
    claude.otherwise = keep(SUMMARY, fact("Sister is named Ana", "My sister Ana says I worry"))
    tell_of_the_exam(alex)
    known = alex.facts()
    alex.clock.advance(minutes=31)
    assert run(place) == -signal.SIGKILL
    assert alex.unsummarised() == (0 if place == "episode.kept" else 1)
    alex.clock.advance(minutes=6)  # The dead process's lease ends.
    assert run() == 0
    assert (alex.episode.name, alex.episode.version, alex.episode.summary) == ("ep1", 1, SUMMARY)
    assert alex.found("exam") == ["ep1"]
    assert alex.facts() == [*known, "Sister is named Ana"]
    assert "Sister is named Ana" in alex.learned(alex.episode)
    assert (alex.unsummarised(), alex.batches()) == (0, [])
    asked_twice = place == "draft.written"
    assert len(claude.requests) == (2 if asked_twice else 1)
    with alex.services.reading() as db:
        learning = db.query(Change).filter(Change.call.is_not(None)).all()
        assert len([one for one in learning if str(one.call).startswith("episode:")]) == 1
        rows = facts.live(db, alex.person_id, alex.clock.now())
    learned = next(one for one in rows if one.sentence == "Sister is named Ana")
    assert learned.times_told == 1
    [*lost, came] = spendings(alex.services)
    assert came.is_settled
    assert len(lost) == (1 if place in {"draft.paid", "draft.written"} else 0)
