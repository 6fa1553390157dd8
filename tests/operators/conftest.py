import pytest

from app import operators
from app.services import Services
from tests.operators.logins import PASSWORD


@pytest.fixture
def first(services: Services) -> int:
    """The id of the first operator, whose password is `PASSWORD`."""
    operators.ensure_first(services, PASSWORD)
    return operators.named(services, "operator").id
