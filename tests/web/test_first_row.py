"""Where a stretch of time begins among ids that rise with time."""

from datetime import timedelta

import pytest
from sqlalchemy import delete, select

from app.models import Message
from app.services import Services
from app.web.first_row import first_id
from tests.fakes import FrozenClock
from tests.web.admin.scenes import add_person, add_text


def found(services: Services, hours: float, most: int = 1000) -> int | None:
    since = services.clock.now() - timedelta(hours=hours)
    with services.reading() as db:
        return db.scalar(select(first_id(Message.id, Message.created_at, since, most)))


@pytest.fixture
def _hourly(services: Services, clock: FrozenClock) -> None:
    """Texts 1 to 20, one an hour, the last of them now; 8 to 12 are gone."""
    person = add_person(services)
    for number in range(20):
        clock.advance(hours=1 if number else 0)
        add_text(services, person.id, f"Text {number}")
    with services.transaction() as db:
        db.execute(delete(Message).where(Message.id.between(8, 12)))


@pytest.mark.usefixtures("_hourly")
@pytest.mark.parametrize("hours", [0, 0.5, 1, 6.5, 7, 7.5, 12.5, 13, 18.5, 19, 500])
def test_rows_from_it_on_are_those_of_that_time_or_later(services: Services, hours: float) -> None:
    since = services.clock.now() - timedelta(hours=hours)
    with services.reading() as db:
        expected = db.scalars(select(Message.id).where(Message.created_at >= since)).all()
        first = first_id(Message.id, Message.created_at, since, 1000)
        assert db.scalars(select(Message.id).where(Message.id >= first)).all() == expected


@pytest.mark.usefixtures("_hourly")
def test_no_more_ids_than_the_most_are_looked_at(services: Services) -> None:
    assert found(services, 500, most=3) == 18
    assert found(services, 1, most=3) == 19


@pytest.mark.usefixtures("_hourly")
def test_with_nothing_so_new_it_is_behind_the_last(services: Services) -> None:
    assert found(services, -1) == 21


def test_of_an_empty_table_it_is_the_first(services: Services) -> None:
    assert found(services, 1) == 1
