"""Twilio's own SDK against a stand-in on a real socket."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.delivery.twilio.send import TwilioCarrier
from app.errors import CarrierBusy, CarrierError
from app.services import Carrier, OutgoingText
from tests.tables import rows
from tests.twilio_server import ACCOUNT_SID, AUTH_TOKEN, NUMBER, PERSON, Fault, TwilioServer, twilio_settings

SELF_SIGNED = Path(__file__).with_name("self_signed.pem")  # For 127.0.0.1, made for these tests, worth nothing.
SERVICE = "MG" + "1f" * 16
TEXT = OutgoingText(to=PERSON, body="Hello Alex, it's sunny.", key="0123abcd")


@pytest.fixture
def twilio(monkeypatch: pytest.MonkeyPatch) -> Iterator[TwilioServer]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with TwilioServer() as server:
        server.account.senders |= {SERVICE, "rcs:agent", "messenger:12345"}
        yield server


def carrier(server: TwilioServer, *, timeout_seconds: float = 5.0, **overrides: object) -> Carrier:
    return TwilioCarrier(twilio_settings(twilio_api_url=server.url, **overrides), timeout_seconds)


def test_a_text_is_sent_as_twilio_wants_it(twilio: TwilioServer) -> None:
    sid = carrier(twilio, public_url="https://x.org:8443/keepsake/").send(replace(TEXT, key="a/b&c"))
    [text] = twilio.accepted
    assert sid == text.sid
    assert text.form == {
        "To": PERSON,
        "From": NUMBER,
        "Body": TEXT.body,
        "StatusCallback": "https://x.org:8443/keepsake/sms/status?m=a%2Fb%26c",
        "SmartEncoded": "true",
    }


@pytest.mark.parametrize(("asked", "told"), [(14400, "14400"), (99999, "36000"), (0, "1")])
def test_twilio_is_told_how_long_the_text_is_of_use_in_its_limits(twilio: TwilioServer, asked: int, told: str) -> None:
    carrier(twilio).send(replace(TEXT, valid_seconds=asked))
    assert twilio.accepted[0].form["ValidityPeriod"] == told


@pytest.mark.parametrize(
    ("ours", "to", "sender"),
    [
        (NUMBER, PERSON, NUMBER),
        (NUMBER, f"whatsapp:{PERSON}", f"whatsapp:{NUMBER}"),
        (f"whatsapp:{NUMBER}", PERSON, NUMBER),
        (f"whatsapp:{NUMBER}", f"whatsapp:{PERSON}", f"whatsapp:{NUMBER}"),
        ("rcs:agent", f"rcs:{PERSON}", "rcs:agent"),
        ("messenger:12345", "messenger:67890", "messenger:12345"),
        (SERVICE, PERSON, None),
        (SERVICE, f"rcs:{PERSON}", None),
    ],
)
def test_a_reply_goes_out_on_its_channel(twilio: TwilioServer, ours: str, to: str, sender: str | None) -> None:
    carrier(twilio, twilio_from=ours).send(OutgoingText(to=to, body="Hi", key="k"))
    [text] = twilio.accepted
    assert (text.to, text.sender, text.service) == (to, sender, SERVICE if sender is None else None)


def test_an_api_key_is_used_in_place_of_the_auth_token() -> None:
    key = "SK" + "2e" * 16
    with TwilioServer(username=key, password="the-secret") as twilio:
        carrier(twilio, twilio_api_key=key, twilio_api_secret="the-secret").send(TEXT)
        assert twilio.bodies == [TEXT.body]


def test_the_sdk_takes_nothing_from_the_environment(twilio: TwilioServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TWILIO_EDGE", "dublin")
    monkeypatch.setenv("TWILIO_REGION", "ie1")
    monkeypatch.setenv("TWILIO_ACCOUNT_SID", "AC" + "9" * 32)
    carrier(twilio).send(TEXT)
    assert twilio.bodies == [TEXT.body]


@pytest.mark.parametrize(
    ("wrong", "code"), [({"twilio_auth_token": "another"}, 20003), ({"twilio_account_sid": "AC" + "9" * 32}, 20404)]
)
def test_a_wrong_token_and_an_account_that_twilio_does_not_know_are_refusals_told_apart(
    twilio: TwilioServer, wrong: dict[str, Any], code: int
) -> None:
    with pytest.raises(CarrierError) as raised:
        carrier(twilio, **wrong).send(TEXT)
    assert (type(raised.value), raised.value.carrier_code) == (CarrierError, code)


@pytest.mark.parametrize(("kind", "code", "fault"), rows("odd_answers_of_twilio.jsonl"))
def test_odd_answers_are_sorted_and_tell_no_secret(
    twilio: TwilioServer, caplog: pytest.LogCaptureFixture, kind: str, code: int | None, fault: dict[str, Any]
) -> None:
    caplog.set_level("DEBUG")
    twilio.next_faults = [Fault(**fault)]
    with pytest.raises(CarrierError) as raised:
        carrier(twilio).send(TEXT)
    assert type(raised.value).__name__ == kind
    assert raised.value.carrier_code == code
    assert twilio.calls == 1, "The SDK must not try again by itself."
    told = f"{raised.value} {raised.value!r} {raised.value.__cause__}"
    assert not any(secret in told + caplog.text for secret in (PERSON[-7:], AUTH_TOKEN, TEXT.body, "sunny"))
    assert ACCOUNT_SID not in told


def test_a_certificate_that_is_not_trusted_means_that_nothing_was_sent() -> None:
    with TwilioServer(certificate=SELF_SIGNED) as twilio:
        with pytest.raises(CarrierBusy, match="nothing was sent"):
            carrier(twilio).send(TEXT)
        assert twilio.accepted == []


def test_a_proxy_with_the_operators_own_certificate_is_trusted_when_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(SELF_SIGNED))
    with TwilioServer(certificate=SELF_SIGNED) as twilio:
        carrier(twilio).send(TEXT)
        assert twilio.bodies == [TEXT.body]


def test_each_text_goes_over_a_connection_of_its_own(twilio: TwilioServer) -> None:
    """One that idled may be dead without a sign, and the text written to it would end in doubt."""
    ours = carrier(twilio)
    assert len({ours.send(TEXT), ours.send(TEXT)}) == 2
    assert twilio.connections == 2


@pytest.mark.parametrize("url", ["http://x..y:1", "http://twilio.invalid"])
def test_an_address_that_cannot_be_called_means_that_nothing_was_sent(url: str) -> None:
    with pytest.raises(CarrierBusy, match="nothing was sent"):
        TwilioCarrier(twilio_settings(twilio_api_url=url)).send(TEXT)


def test_half_a_character_is_refused_before_anything_is_sent(twilio: TwilioServer) -> None:
    with pytest.raises(CarrierError, match="half a character"):
        carrier(twilio).send(OutgoingText(to=PERSON, body="\ud83d", key="k"))
    assert twilio.calls == 0
