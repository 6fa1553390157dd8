from collections.abc import Iterator

import pytest

from app.features.offline.extract import ExtractiveSummariser
from app.services.summaries import Summariser
from tests.claude_server import ClaudeServer
from tests.contracts.summariser import SummariserContract
from tests.fakes import FrozenClock
from tests.keeping import keep, summariser_at


class TestModel(SummariserContract):
    @pytest.fixture
    def summariser(self, claude: ClaudeServer, clock: FrozenClock) -> Iterator[Summariser]:
        claude.otherwise = keep("Alex is scared of an exam tomorrow.")
        with summariser_at(claude, clock) as summariser:
            yield summariser
        assert claude.refused == []


class TestExtractive(SummariserContract):
    @pytest.fixture
    def summariser(self) -> Summariser:
        return ExtractiveSummariser()
