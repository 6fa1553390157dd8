"""Changes by another process are noticed within a second, tested with the job itself and a process's services."""

from dataclasses import replace

import pytest

from app import people
from app.delivery.inbox import IncomingText, keep_for_terminal, take_in
from app.jobs import notice_waiting
from app.models import Message
from app.services import Services
from app.store.db import Database
from tests.fakes import FrozenClock, InlineBackground
from tests.memory.remembering import person_at
from tests.statements import asked, plan
from tests.twilio_server import ALLOWLIST

ALEX = "+12065550100"


@pytest.fixture
def elsewhere(services: Services) -> Services:
    """A process without lanes, such as a command: its wake-ups reach nobody."""
    return replace(services, background=InlineBackground())


def take(services: Services, number: int = 1, carrier: str = "phone") -> None:
    take_in(services, IncomingText(f"SM{number:032x}", ALEX, "keepsake", "Hello?", carrier))


@pytest.mark.parametrize("settings", [ALLOWLIST], indirect=True)
def test_whoever_was_let_in_by_another_process_is_answered(
    services: Services, elsewhere: Services, background: InlineBackground, clock: FrozenClock
) -> None:
    take(services, carrier="twilio")
    background.woken.clear()
    clock.advance(minutes=5)
    notice_waiting.run(services)
    assert background.woken == []
    people.let_in(elsewhere, person_at(services, ALEX).id)
    notice_waiting.run(services)
    assert background.woken == [person_at(services, ALEX).id]


def test_a_text_that_another_process_took_in_is_answered_once_its_burst_is_over(
    services: Services, elsewhere: Services, background: InlineBackground, clock: FrozenClock
) -> None:
    take(elsewhere)
    notice_waiting.run(services)
    assert background.woken == []
    clock.advance(seconds=services.settings.burst_max_seconds)
    notice_waiting.run(services)
    background.run()
    with services.reading() as db:
        assert [(one.direction, one.state) for one in db.query(Message).order_by(Message.id)] == [
            ("in", "answered"),
            ("out", "sent"),
        ]
    notice_waiting.run(services)
    assert background.woken == []


def test_a_terminals_text_is_left_to_it(services: Services, background: InlineBackground, clock: FrozenClock) -> None:
    with services.transaction() as db:
        keep_for_terminal(db, people.add(db, ALEX, access="allowed", now=clock.now()), "Anybody?", clock.now())
    clock.advance(seconds=60)
    notice_waiting.run(services)
    assert background.woken == []
    clock.advance(seconds=61)
    notice_waiting.run(services)
    assert background.woken == [person_at(services, ALEX).id]


@pytest.mark.sqlite
def test_a_look_reads_no_text_that_was_answered_long_ago(services: Services, database: Database) -> None:
    with asked(database) as statements:
        notice_waiting.run(services)
    [look] = [one for one in statements if "FROM messages" in one.sql]
    steps = plan(database, look)
    assert any("ix_messages_state_person_id" in step for step in steps)
    assert not any(step.startswith("SCAN") for step in steps), steps
