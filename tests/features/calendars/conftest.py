from collections.abc import Iterator
from contextlib import closing

import pytest

from app.features.calendars import CALENDARS
from app.features.calendars.ics import IcsCalendars
from app.services import Services
from tests.conftest import MakeServices
from tests.file_servers import CalendarServer


@pytest.fixture
def there() -> Iterator[CalendarServer]:
    with CalendarServer() as server:
        yield server


@pytest.fixture
def outside(make_services: MakeServices, services: Services, there: CalendarServer) -> Iterator[Services]:
    """They read calendars, of `there` alone."""
    with closing(IcsCalendars((there.url,))) as reader:
        yield make_services(features=(CALENDARS,), calendars=reader)
