"""Somebody calls the number: they hear that it reads texts, and nothing of the call is kept but that there was one."""

from collections.abc import Callable
from xml.etree import ElementTree as ET

import pytest
from flask import Flask
from sqlalchemy import func, select
from werkzeug.test import TestResponse

from app.models import Message, Person
from app.operations import marks
from app.services import Services
from app.settings import Settings
from app.web.sms import CALLS
from tests.twilio_server import ACCOUNT_SID, NUMBER, PERSON, sign, twilio_settings

CALL = {
    "AccountSid": ACCOUNT_SID,
    "ApiVersion": "2010-04-01",
    "CallSid": "CA" + "1" * 32,
    "CallStatus": "ringing",
    "Called": NUMBER,
    "Caller": PERSON,
    "Direction": "inbound",
    "From": PERSON,
    "To": NUMBER,
}
PUBLIC_URL = "https://keepsake.example.org"
Ring = Callable[..., TestResponse]


@pytest.fixture
def settings(request: pytest.FixtureRequest) -> Settings:
    return twilio_settings(**getattr(request, "param", {}))


@pytest.fixture
def ring(app: Flask) -> Ring:
    """What posts a call, signed for the address that is given."""

    def ring(signed_for: str = f"{PUBLIC_URL}/voice", **more: str) -> TestResponse:
        form = CALL | more
        return app.test_client().post("/voice", data=form, headers={"X-Twilio-Signature": sign(signed_for, form)})

    return ring


def calls(services: Services) -> int:
    with services.reading() as db:
        mark = marks.read(db, CALLS)
    return (mark and mark.number) or 0


def test_whoever_calls_hears_that_the_number_reads_texts_and_is_hung_up_on(ring: Ring) -> None:
    answer = ring()
    assert (answer.status_code, answer.mimetype) == (200, "text/xml")
    document = ET.fromstring(answer.get_data())
    assert [part.tag for part in document] == ["Say", "Hangup"]
    said = document.findtext("Say") or ""
    assert "only reads text messages" in said
    assert said.count(".") == 2


@pytest.mark.sqlite
def test_a_call_is_counted_and_nothing_else_of_it_is_kept(ring: Ring, services: Services) -> None:
    assert calls(services) == 0
    ring()
    ring(CallSid="CA" + "2" * 32, SpeechResult="my secret words")
    assert calls(services) == 2
    with services.reading() as db:
        assert db.scalar(select(func.count()).select_from(Person)) == 0
        assert db.scalar(select(func.count()).select_from(Message)) == 0
    assert b"my secret words" not in services.settings.database_path.read_bytes()


@pytest.mark.parametrize("settings", [{"public_url": "https://keepsake.example.org:8443"}], indirect=True)
def test_a_call_is_signed_for_the_address_without_its_port(ring: Ring) -> None:
    assert ring(f"{PUBLIC_URL}/voice").status_code == 200
    assert ring(f"{PUBLIC_URL}:8443/voice").status_code == 200
    assert ring(f"{PUBLIC_URL}:9443/voice").status_code == 403


def test_a_call_that_twilio_did_not_sign_is_refused_and_not_counted(ring: Ring, app: Flask, services: Services) -> None:
    assert ring("https://elsewhere.example.org/voice").status_code == 403
    assert ring(AccountSid="AC" + "9" * 32).status_code == 403
    assert ring(CallSid="not one").status_code == 403
    assert app.test_client().post("/voice", data=CALL).status_code == 403
    assert app.test_client().get("/voice").status_code == 405
    assert calls(services) == 0
