"""The jobs that compare what is kept here with the carrier's own ledger."""

import pytest

from app.delivery.ledger import MARK
from app.jobs import ask_about_silent, fetch_missed, reconcile_sends
from app.models import marks
from app.services import Services
from app.settings import Settings
from app.wiring import build_services
from tests.twilio_server import twilio_settings


def test_without_twilio_there_is_no_ledger_and_nothing_is_done(services: Services) -> None:
    for job in (reconcile_sends, fetch_missed, ask_about_silent):
        job.run(services)
    with services.reading() as db:
        assert (marks.read(db, MARK), services.ledger) == (None, None)


@pytest.mark.parametrize(("settings", "carrier"), [(Settings(_env_file=None), None), (twilio_settings(), "twilio")])
def test_the_ledger_is_that_of_the_carrier_that_is_set_up(settings: Settings, carrier: str | None) -> None:
    services = build_services(settings)
    services.store.close()
    assert (services.ledger.carrier if services.ledger else None) == carrier
