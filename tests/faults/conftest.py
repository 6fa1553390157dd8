import pytest

from tests.claude_server import ClaudeServer
from tests.fakes import FrozenClock
from tests.faults.outages import Scene
from tests.phoning import Phone


@pytest.fixture
def scene(claude: ClaudeServer, clock: FrozenClock, alex: Phone, blair: Phone) -> Scene:
    return Scene(claude, clock, alex, blair)
