import pytest

from app import people
from app.services import Services
from tests.fakes import InlineBackground
from tests.features.habits.weeks import Weeks
from tests.phoning import ALEX, Phone


@pytest.fixture
def weeks(services: Services, background: InlineBackground) -> Weeks:
    """Alex, in Los Angeles, on Saturday, 21 November 2026 at 9 in the morning."""
    with services.transaction() as db:
        people.add(db, ALEX, access="allowed", now=services.clock.now())
    return Weeks(Phone(services, background))
