"""Keepsake with stand-ins on real sockets for Claude and for Twilio."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from app.services import Services
from tests.assistant.conftest import Phone
from tests.claude_server import ClaudeServer
from tests.conftest import MakeServices
from tests.fakes import FrozenClock, InlineBackground
from tests.faults.outages import model_at
from tests.twilio_server import TwilioServer


@pytest.fixture
def claude() -> Iterator[ClaudeServer]:
    with ClaudeServer() as server:
        yield server


@pytest.fixture
def alive(
    make_services: MakeServices, background: InlineBackground, claude: ClaudeServer, clock: FrozenClock
) -> Iterator[Services]:
    """Services whose model is the stand-in's Claude."""
    with closing(model_at(claude, clock)) as model:
        yield make_services(model=model)


@pytest.fixture
def alex(alive: Services, background: InlineBackground) -> Phone:
    return Phone(alive, background)


@pytest.fixture
def twilio() -> Iterator[TwilioServer]:
    with TwilioServer() as server:
        yield server
