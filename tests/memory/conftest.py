import pytest

from app.features.offline.extract import ExtractiveSummariser
from tests.conftest import MakeServices
from tests.fakes import WordEmbedder
from tests.memory.talking import Talk


@pytest.fixture
def alex(make_services: MakeServices) -> Talk:
    """Somebody whose conversations become episodes without a model."""
    return Talk(make_services(summariser=ExtractiveSummariser(), embedder=WordEmbedder()))
