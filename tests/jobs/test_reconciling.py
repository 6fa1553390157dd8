"""The jobs that compare what is kept here with the carrier's own books."""

import pytest

from app.delivery.ledger import MARK
from app.jobs import ask_about_silent, fetch_missed, reconcile_sends
from app.operations import marks
from app.services import Services
from app.settings import Settings
from app.wiring import build_services
from tests.line import Line
from tests.twilio_server import CUT_AFTER_ACCEPTING, NUMBER, PERSON, twilio_settings


def test_a_send_in_doubt_is_settled(line: Line) -> None:
    line.twilio.next_faults = [CUT_AFTER_ACCEPTING]
    line.text("Hello")
    line.clock.advance(seconds=15)
    reconcile_sends.run(line.services)
    assert line.went()[0].sid == line.twilio.accepted[0].sid


def test_a_text_that_the_webhook_did_not_bring_is_taken_in(line: Line) -> None:
    fetch_missed.run(line.services)
    line.twilio.books.receive("Hello?", sender=PERSON, to=NUMBER)
    line.clock.advance(minutes=1)
    fetch_missed.run(line.services)
    assert [message.body for message in line.came()] == ["Hello?"]


def test_a_text_nothing_was_heard_of_is_asked_about(line: Line) -> None:
    line.text("Hello")
    line.clock.advance(hours=6)
    ask_about_silent.run(line.services)
    assert line.went()[0].delivery == "unconfirmed"


def test_without_twilio_there_are_no_books_and_nothing_is_done(services: Services) -> None:
    for job in (reconcile_sends, fetch_missed, ask_about_silent):
        job.run(services)
    with services.reading() as db:
        assert (marks.read(db, MARK), services.ledger) == (None, None)


@pytest.mark.parametrize(("settings", "carrier"), [(Settings(_env_file=None), None), (twilio_settings(), "twilio")])
def test_the_books_are_those_of_the_carrier_that_is_set_up(settings: Settings, carrier: str | None) -> None:
    services = build_services(settings)
    services.store.close()
    assert (services.ledger.carrier if services.ledger else None) == carrier
