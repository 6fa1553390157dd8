import pytest

from app import people
from app.services import Services
from tests.fakes import InlineBackground
from tests.phoning import ALEX, Phone
from tests.routines.routine_line import Coming


@pytest.fixture
def coming(services: Services, background: InlineBackground) -> Coming:
    """Alex, in Los Angeles, on 21 November 2026 at 9 in the morning."""
    with services.transaction() as db:
        people.add(db, ALEX, access="allowed", now=services.clock.now())
    return Coming(Phone(services, background))
