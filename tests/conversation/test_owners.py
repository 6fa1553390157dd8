"""A turn belongs to the process with its token; host name and process id are not enough, as others may have the same.

All processes of these tests are objects in one process, so they share host name and process id.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import select, update

from app.conversation import claim, finish
from app.conversation.finish import Reply
from app.conversation.turn import answer
from app.models import Turn
from app.services import Services
from app.settings import Settings
from app.store.locks import Process
from tests.claude_server import ClaudeServer, say
from tests.fakes import FrozenClock
from tests.phoning import Phone


@pytest.fixture
def other(services: Services, alex: Phone) -> Iterator[Services]:
    """A second container on the same database, with the same host name and process id."""
    other = replace(alex.services, process=Process(Settings().beside_database))
    yield other
    other.process.close()


@pytest.fixture
def killed() -> str:
    """The token of a process killed with -9: its file exists, and nobody holds the lock."""
    token = "0" * 32
    beside = Settings().beside_database
    beside.with_name(f"{beside.name}.process-{token}").touch()
    return token


def test_a_process_of_the_same_host_and_number_leaves_a_turn_to_its_owner(alex: Phone, other: Services) -> None:
    alex.send("Hello")
    turn = claim.claim(alex.services, alex.person_id)
    assert turn is not None
    assert claim.claim(other, alex.person_id) is None
    assert finish.end_leases(other) == 0
    assert claim.claim(other, alex.person_id) is None
    parts = finish.finish(alex.services, turn, Reply("Hi.", "replied"))
    assert [part.body for part in parts] == ["Hi."]


def test_a_namesake_process_finishes_no_turn_it_took_over(alex: Phone, other: Services, clock: FrozenClock) -> None:
    alex.send("Hello")
    first = claim.claim(alex.services, alex.person_id)
    clock.advance(minutes=10)
    second = claim.claim(other, alex.person_id)
    assert first is not None
    assert second is not None
    assert second.attempt == 2
    assert finish.finish(alex.services, first, Reply("Too late.", "replied")) == []
    assert [part.body for part in finish.finish(other, second, Reply("Hi.", "replied"))] == ["Hi."]


def test_a_turn_of_a_killed_process_is_taken_up_at_once(alex: Phone, claude: ClaudeServer, killed: str) -> None:
    alex.send("Are you there?")
    assert claim.claim(alex.services, alex.person_id) is not None
    with alex.services.transaction() as db:
        db.execute(update(Turn).values(owner=killed))
    claude.queue(say("Yes."))
    answer(alex.services, alex.person_id)
    assert alex.received() == ["Yes."]
    with alex.services.reading() as db:
        turn = db.scalars(select(Turn)).one()
    assert (turn.owner, turn.attempts) == (alex.services.process.token, 2)


def test_each_start_makes_another_token_and_removes_what_killed_ones_left(alex: Phone, killed: str) -> None:
    first, second = (Process(Settings().beside_database) for _ in range(2))
    assert len({first.token, second.token, alex.services.process.token, killed}) == 4
    assert not first.is_gone(second.token)
    second.close()
    assert first.is_gone(second.token)
    first.close()
    (left,) = Path("instance").glob("keepsake*.process-*")
    assert left.name.endswith(alex.services.process.token)
    assert left.stat().st_mode & 0o777 == 0o600
