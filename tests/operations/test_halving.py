"""Where a stretch of time begins and ends among ids that rise with time."""

from collections.abc import Sequence
from datetime import timedelta

import pytest
from sqlalchemy import ColumnElement, delete, select, update

from app.models import Message
from app.operations.numbers.halving import Timeline, span
from app.services import Services
from tests.fakes import FrozenClock
from tests.web.admin.scenes import add_person, add_text

TEXTS = Timeline(Message.id, Message.created_at)


def newest(services: Services, hours: float, most: int = 1000) -> Sequence[int]:
    since = services.clock.now() - timedelta(hours=hours)
    with services.reading() as db:
        return db.scalars(select(Message.id).where(TEXTS.newest(most)), {"since": since}).all()


def between(services: Services, began: float, ended: float) -> Sequence[int]:
    since, until = (services.clock.now() - timedelta(hours=hours) for hours in (began, ended))
    with services.reading() as db:
        return db.scalars(select(Message.id).where(TEXTS.within), span(since, until)).all()


def expected(services: Services, *which: ColumnElement[bool]) -> Sequence[int]:
    with services.reading() as db:
        return db.scalars(select(Message.id).where(*which).order_by(Message.id)).all()


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
def test_the_newest_are_those_of_that_time_or_later_and_of_no_more_ids_than_the_most(services: Services) -> None:
    for hours in (-1, 0, 0.5, 1, 6.5, 7, 7.5, 12.5, 13, 18.5, 19, 500):
        since = services.clock.now() - timedelta(hours=hours)
        assert newest(services, hours) == expected(services, Message.created_at >= since), hours
    assert newest(services, 500, most=3) == [18, 19, 20]
    assert newest(services, 1, most=3) == [19, 20]


def assert_between(services: Services, *stretches: tuple[float, float]) -> None:
    now = services.clock.now()
    for began, ended in stretches:
        which = (Message.created_at >= now - timedelta(hours=began), Message.created_at < now - timedelta(hours=ended))
        assert between(services, began, ended) == expected(services, *which), (began, ended)


@pytest.mark.usefixtures("_hourly")
def test_a_stretch_has_its_first_instant_and_not_its_last(services: Services) -> None:
    assert_between(services, (500, -1), (7, 0), (6.5, 6), (15, 5), (12, 8), (1, 1), (19, 18))


@pytest.mark.usefixtures("_hourly")
def test_a_row_that_is_a_little_out_of_its_order_is_in_its_own_stretch(services: Services) -> None:
    hour = services.clock.now() - timedelta(hours=10)
    with services.transaction() as db:
        for text in range(13, 21):  # Every other one waited for a few minutes, and so came after its hour.
            at = hour + timedelta(hours=(text - 12) // 2, minutes=5 * (-1) ** text)
            db.execute(update(Message).where(Message.id == text).values(created_at=at))
    assert_between(services, (10, 9), (9, 8), (8, 7), (7, 6), (6, 5))


def test_of_an_empty_table_there_are_none(services: Services) -> None:
    assert newest(services, 1) == []
    assert between(services, 1, 0) == []
