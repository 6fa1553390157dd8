"""What a callback may change on a text, in every state that the text can be in."""

from itertools import permutations

import pytest
from sqlalchemy import select

from app import people
from app.delivery import outbox
from app.delivery.reports import RANKS, record_status
from app.models import Message
from app.services import Services
from tests.fakes import FrozenClock

SID, OTHER_SID = "SM" + "a" * 32, "SM" + "b" * 32


@pytest.fixture
def key(services: Services, clock: FrozenClock) -> str:
    """The key of one text that is queued."""
    with services.transaction() as db:
        person = people.add(db, "+14155550123", access="allowed", now=clock.now())
        [message] = outbox.queue(db, person.id, None, "twilio", ["Hi"], clock.now())
        return str(message.key)


def row(services: Services) -> Message:
    with services.reading() as db:
        return db.scalars(select(Message)).one()


def change(services: Services, **values: object) -> None:
    with services.transaction() as db:
        message = db.scalars(select(Message)).one()
        for name, value in values.items():
            setattr(message, name, value)


@pytest.mark.parametrize("state", ["queued", "sending", "unknown"])
def test_a_callback_proves_that_the_text_was_accepted(
    services: Services, clock: FrozenClock, key: str, state: str
) -> None:
    change(services, state=state, note="It may have been sent.")
    record_status(services, key=key, sid=SID, status="queued")
    message = row(services)
    assert (message.state, message.sid, message.delivery) == ("sent", SID, "queued")
    assert (message.note, message.sent_at) == (None, clock.now())


def test_the_answer_to_the_send_may_come_after_its_callback(services: Services, clock: FrozenClock, key: str) -> None:
    change(services, state="sending")
    record_status(services, key=key, sid=SID, status="delivered")
    change(services, state="sent", sid=SID, sent_at=clock.now())
    record_status(services, key=key, sid=SID, status="sent")
    assert (row(services).state, row(services).delivery) == ("sent", "delivered")


@pytest.mark.parametrize("lost", ["undelivered", "failed", "canceled"])
def test_what_is_lost_stays_lost(services: Services, key: str, lost: str) -> None:
    record_status(services, key=key, sid=SID, status=lost, error_code=30007)
    for status in RANKS:
        record_status(services, key=key, sid=SID, status=status)
    assert row(services).delivery == lost
    assert row(services).note == f"The carrier did not deliver it: {lost}, error 30007."


def test_what_was_delivered_is_never_undelivered(services: Services, key: str) -> None:
    for status in ("delivered", "undelivered", "failed", "sent", "queued"):
        record_status(services, key=key, sid=SID, status=status)
    assert (row(services).delivery, row(services).note) == ("delivered", None)


@pytest.mark.parametrize("order", list(permutations(["accepted", "sending", "partially_delivered", "delivered"])))
def test_no_order_of_callbacks_takes_a_text_down(services: Services, key: str, order: tuple[str, ...]) -> None:
    seen = []
    for status in order:
        record_status(services, key=key, sid=SID, status=status)
        seen.append(RANKS[str(row(services).delivery)])
    assert seen == sorted(seen)
    assert row(services).delivery == "delivered"


def test_another_id_under_the_same_key_changes_nothing_and_is_logged(
    services: Services, key: str, caplog: pytest.LogCaptureFixture
) -> None:
    record_status(services, key=key, sid=SID, status="sent")
    record_status(services, key=key, sid=OTHER_SID, status="failed")
    assert (row(services).sid, row(services).delivery) == (SID, "sent")
    assert "another" in caplog.text


@pytest.mark.parametrize("given", [None, "", "of nobody"])
def test_an_id_finds_its_text_without_the_key(services: Services, key: str, given: str | None) -> None:
    change(services, state="sent", sid=SID)
    record_status(services, key=given, sid=SID, status="delivered")
    record_status(services, key=given, sid=OTHER_SID, status="failed")
    assert row(services).delivery == "delivered"


def test_a_text_that_came_in_is_no_business_of_a_callback(services: Services, key: str) -> None:
    change(services, direction="in", state="answered", sid=SID)
    record_status(services, key=key, sid=SID, status="failed")
    assert (row(services).state, row(services).delivery) == ("answered", None)
