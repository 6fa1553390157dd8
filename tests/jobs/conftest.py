"""Somebody whose conversations the small model summarises."""

from collections.abc import Iterator

import pytest

from tests.claude_server import ClaudeServer
from tests.conftest import MakeServices
from tests.fakes import FrozenClock
from tests.keeping import summariser_at
from tests.memory.talking import Talk


@pytest.fixture
def alex(make_services: MakeServices, claude: ClaudeServer, clock: FrozenClock) -> Iterator[Talk]:
    """Replies by the offline model, episodes by Claude's stand-in."""
    with summariser_at(claude, clock) as summariser:
        yield Talk(make_services(summariser=summariser))
