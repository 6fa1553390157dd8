import pytest

from app.services import Services
from tests.fakes import InlineBackground
from tests.features.habits.weeks import Weeks
from tests.memory.remembering import add_person
from tests.phoning import ALEX, Phone


@pytest.fixture
def weeks(services: Services, background: InlineBackground) -> Weeks:
    """Alex, in Los Angeles, on Saturday, 21 November 2026 at 9 in the morning."""
    add_person(services, ALEX)
    return Weeks(Phone(services, background))
