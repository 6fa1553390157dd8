import pytest

from app.services import Services
from tests.memory.remembering import add_person


@pytest.fixture
def person_id(services: Services) -> int:
    return add_person(services)
