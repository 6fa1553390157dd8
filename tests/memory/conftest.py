import pytest

from app.features.offline.extract import ExtractiveSummariser
from app.services import Services
from tests.conftest import MakeServices
from tests.fakes import WordEmbedder
from tests.memory.remembering import add_person
from tests.memory.talking import Talk


@pytest.fixture
def person_id(services: Services) -> int:
    return add_person(services)


@pytest.fixture
def alex(make_services: MakeServices) -> Talk:
    """Somebody whose conversations become episodes without a model."""
    return Talk(make_services(summariser=ExtractiveSummariser(), embedder=WordEmbedder()))
