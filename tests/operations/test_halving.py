"""Finds the begin and end of a time span among ids that rise with time."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, delete, select, update

from app.models import Message
from app.operations.numbers.halving import Timeline, span
from app.services import Services
from tests.fakes import FrozenClock
from tests.web.admin.scenes import add_person, add_text

TEXTS = Timeline(Message.id, Message.created_at)


def ids(services: Services, *which: ColumnElement[bool], **given: datetime) -> Sequence[int]:
    with services.reading() as db:
        return db.scalars(select(Message.id).where(*which).order_by(Message.id), given).all()


def add_texts(services: Services, clock: FrozenClock) -> None:
    """Texts 1 to 20, one an hour, the last of them now; 8 to 12 are gone."""
    person = add_person(services)
    for number in range(20):
        clock.advance(hours=1 if number else 0)
        add_text(services, person.id, f"Text {number}")
    with services.transaction() as db:
        db.execute(delete(Message).where(Message.id.between(8, 12)))


def test_the_newest_are_of_that_time_or_later_and_of_no_more_ids_than_the_most(
    services: Services, clock: FrozenClock
) -> None:
    now = clock.now()
    assert ids(services, TEXTS.newest(1000), since=now - timedelta(hours=1)) == [], "of an empty table there are none"
    add_texts(services, clock)
    now = clock.now()
    for hours in (-1, 0, 0.5, 1, 6.5, 7, 7.5, 12.5, 13, 18.5, 19, 500):
        since = now - timedelta(hours=hours)
        assert ids(services, TEXTS.newest(1000), since=since) == ids(services, Message.created_at >= since), hours
    assert ids(services, TEXTS.newest(3), since=now - timedelta(hours=500)) == [18, 19, 20]
    assert ids(services, TEXTS.newest(3), since=now - timedelta(hours=1)) == [19, 20]


def test_a_stretch_has_its_first_instant_not_its_last_and_rows_a_little_out_of_order(
    services: Services, clock: FrozenClock
) -> None:
    def look(*stretches: tuple[float, float]) -> None:
        for stretch in stretches:
            since, until = (clock.now() - timedelta(hours=hours) for hours in stretch)
            which = (Message.created_at >= since, Message.created_at < until)
            assert ids(services, TEXTS.within, **span(since, until)) == ids(services, *which), stretch

    look((1, 0))
    add_texts(services, clock)
    look((500, -1), (7, 0), (6.5, 6), (15, 5), (12, 8), (1, 1), (19, 18))
    with services.transaction() as db:
        for text in range(13, 21):  # Every other one waited for a few minutes, and so came after its hour.
            at = clock.now() - timedelta(hours=10 - (text - 12) // 2, minutes=-5 * (-1) ** text)
            db.execute(update(Message).where(Message.id == text).values(created_at=at))
    look((10, 9), (9, 8), (8, 7), (7, 6), (6, 5))
