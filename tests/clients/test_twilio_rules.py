"""Each rule of Twilio's, broken through its own SDK or through our webhooks: the stand-in is no kinder than Twilio."""

import base64
import hashlib
import hmac
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from twilio.base.exceptions import TwilioRestException

from app.delivery.twilio.send import TwilioCarrier, rest_client
from app.errors import CarrierError
from app.services import OutgoingText
from tests.fakes import FrozenClock
from tests.line import Line
from tests.twilio_rules import RULES, Account
from tests.twilio_server import AUTH_TOKEN, NUMBER, PERSON, PUBLIC_URL, TwilioServer, inbound_form, twilio_settings

CALLBACK = f"{PUBLIC_URL}/sms/status?m=k"
PLAIN = {"to": PERSON, "from_": NUMBER, "body": "Hello", "status_callback": CALLBACK}
WHATSAPP = {"to": f"whatsapp:{PERSON}", "from_": f"whatsapp:{NUMBER}"}
NO_SENDER = {name: value for name, value in PLAIN.items() if name != "from_"}


def sdk(twilio: TwilioServer) -> Any:
    """Twilio's own client on the stand-in."""
    return rest_client(twilio_settings(twilio_api_url=twilio.url), 5.0)


def untouched(_: Account) -> None:
    """Leave the account as it was opened."""


def stop(account: Account) -> None:
    account.hear(inbound_form("Stop"))


BROKEN: list[tuple[int, dict[str, Any], Callable[[Account], object]]] = [
    (21604, {**PLAIN, "to": ""}, untouched),
    (21603, NO_SENDER, untouched),
    (21602, {**PLAIN, "body": " "}, untouched),
    (21617, {**PLAIN, "body": "x" * 1601}, untouched),
    (21617, {**PLAIN, "body": "🎉" * 801}, untouched),
    (21211, {**PLAIN, "to": "4155550123"}, untouched),
    (21211, {**PLAIN, "to": "+1415555012"}, untouched),
    (21211, {**PLAIN, "to": "+1 415 555 0123"}, untouched),
    (21211, {**PLAIN, "to": "72975"}, untouched),
    (21910, {**PLAIN, "to": f"whatsapp:{PERSON}"}, untouched),
    (63007, {**PLAIN, **WHATSAPP, "from_": "whatsapp:+14155550177"}, untouched),
    (21659, {**PLAIN, "from_": "+14155550177"}, untouched),
    (21606, PLAIN, lambda account: account.no_texts.add(NUMBER)),
    (21705, {**NO_SENDER, "messaging_service_sid": "MG" + "9" * 32}, untouched),
    (21408, {**PLAIN, "to": "+442071838750"}, untouched),
    (21609, {**PLAIN, "status_callback": "/sms/status"}, untouched),
    (21609, {**PLAIN, "status_callback": "ftp://keepsake.example.org/sms"}, untouched),
    (21609, {**PLAIN, "status_callback": "http://localhost:8080/sms/status"}, untouched),
    (21609, {**PLAIN, "status_callback": "http://127.0.0.1:8080/sms/status"}, untouched),
    (21609, {**PLAIN, "status_callback": "http://192.168.1.7/sms/status"}, untouched),
    (21609, {**PLAIN, "status_callback": "https://my_host.example.org/sms"}, untouched),
    (21609, {**PLAIN, "status_callback": f"{CALLBACK}{'k' * 4000}"}, untouched),
    (21610, PLAIN, stop),
    (63016, {**PLAIN, **WHATSAPP}, lambda account: setattr(account, "refuses_closed_windows", True)),
]


@pytest.mark.parametrize(("code", "given", "before"), BROKEN)
def test_what_breaks_a_rule_is_refused_with_its_code_and_nothing_is_sent(
    twilio: TwilioServer, code: int, given: dict[str, Any], before: Callable[[Account], object]
) -> None:
    before(twilio.account)
    with pytest.raises(TwilioRestException) as raised:
        sdk(twilio).messages.create(**given)
    assert (raised.value.status, raised.value.code) == (400, code)
    assert twilio.accepted == []


def test_each_rule_has_a_test_a_sentence_and_a_source() -> None:
    codes = [rule.code for rule in RULES if rule.code]
    assert sorted(codes) == sorted({code for code, _, _ in BROKEN})
    assert all(rule.sentence and rule.source for rule in RULES)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"body": "x" * 1600},
        {"body": "🎉" * 800},
        {"status_callback": "http://93.184.216.34:8443/sms"},
        {"status_callback": "https://xn--bcher-kva.example/sms"},
    ],
)
def test_what_breaks_none_is_taken(twilio: TwilioServer, given: dict[str, Any]) -> None:
    assert sdk(twilio).messages.create(**{**PLAIN, **given}).status == "queued"


def test_a_stop_bars_the_one_number_that_it_was_sent_to_until_start(twilio: TwilioServer) -> None:
    twilio.account.senders.add("+14155550177")
    twilio.ledger.receive("STOP", sender=PERSON, to=NUMBER)
    sdk(twilio).messages.create(**{**PLAIN, "from_": "+14155550177"})
    with pytest.raises(TwilioRestException, match="unsubscribed"):
        sdk(twilio).messages.create(**PLAIN)
    twilio.ledger.receive("start", sender=PERSON, to=NUMBER)
    sdk(twilio).messages.create(**PLAIN)
    assert len(twilio.accepted) == 2


def test_a_text_outside_the_window_is_taken_and_fails_afterwards(twilio: TwilioServer, clock: FrozenClock) -> None:
    twilio.ledger.receive("Hi", sender=WHATSAPP["to"], to=WHATSAPP["from_"])
    clock.advance(hours=23, minutes=59)
    within = sdk(twilio).messages.create(**{**PLAIN, **WHATSAPP})
    clock.advance(minutes=2)
    outside = sdk(twilio).messages.create(**{**PLAIN, **WHATSAPP})
    assert (within.status, outside.status) == ("queued", "queued")
    within, outside = (sdk(twilio).messages(one.sid).fetch() for one in (within, outside))
    assert (within.status, within.error_code, outside.status, outside.error_code) == ("queued", None, "failed", 63016)
    assert [twilio.callbacks(text) for text in twilio.accepted] == [
        [("sent", {}), ("delivered", {})],
        [("failed", {"ErrorCode": "63016"})],
    ]


def test_a_price_is_null_beside_its_unit_until_the_text_is_billed(twilio: TwilioServer) -> None:
    made = sdk(twilio).messages.create(**PLAIN)
    assert (made.price, made.price_unit) == (None, "USD")
    twilio.ledger.bill(made.sid, "-0.00750")
    assert sdk(twilio).messages(made.sid).fetch().price == "-0.00750"


def test_a_new_text_is_listed_after_seconds_and_looked_up_at_once(twilio: TwilioServer, clock: FrozenClock) -> None:
    made = sdk(twilio).messages.create(**PLAIN)
    assert sdk(twilio).messages.list(to=PERSON) == []
    assert sdk(twilio).messages(made.sid).fetch().sid == made.sid
    clock.advance(seconds=2)
    assert [one.sid for one in sdk(twilio).messages.list(to=PERSON)] == [made.sid]


def test_the_list_is_filtered_by_whom_and_day_in_pages_of_so_many(twilio: TwilioServer, clock: FrozenClock) -> None:
    now = clock.now()
    for hours in range(60):
        twilio.ledger.receive(f"{hours}", sender=PERSON, to=NUMBER, at=now - timedelta(hours=hours, minutes=1))
    twilio.ledger.receive("to another", sender=PERSON, to="+14155550177", at=now - timedelta(hours=1))
    found = sdk(twilio).messages.list(to=NUMBER, date_sent=date(2026, 11, 20), page_size=10)
    assert [one.body for one in found] == [str(hours) for hours in range(17, 41)]
    assert len(twilio.looks) == 3, "24 texts are three pages."
    assert "PageToken=" in twilio.looks[1]
    after = sdk(twilio).messages.list(to=NUMBER, date_sent_after=date(2026, 11, 21))
    assert len(after) == 17


def test_a_signature_is_over_the_whole_address_and_each_field_by_name_every_repeated_one(line: Line) -> None:
    """Worked out here as Twilio describes it, without the SDK that checks it."""
    form = [*inbound_form("Hello").items(), ("Zebra", "2"), ("Zebra", "1"), ("aardvark", "x")]

    def post(signed_address: str, signed: list[tuple[str, str]]) -> int:
        words = signed_address + "".join(name + value for name, value in sorted(signed))
        digest = hmac.new(AUTH_TOKEN.encode(), words.encode(), hashlib.sha1).digest()
        body = "&".join(f"{name}={value}".replace("+", "%2B").replace(" ", "%20") for name, value in form)
        return line.post_raw("/sms?a=1", body, base64.b64encode(digest).decode())

    assert post(f"{PUBLIC_URL}/sms", form) == 403, "The query is signed, too."
    assert post(f"{PUBLIC_URL}/sms?a=1", [one for one in form if one != ("Zebra", "2")]) == 403
    assert line.came() == []
    assert post(f"{PUBLIC_URL}/sms?a=1", form) == 200
    assert [text.body for text in line.came()] == ["Hello"]


def test_an_address_that_twilio_cannot_call_stops_our_sender_and_loses_nothing(line: Line) -> None:
    """Without this each text would be refused as if it were at fault itself, and be lost."""
    settings = line.services.settings.model_copy(update={"public_url": "http://localhost:8080"})
    with pytest.raises(CarrierError) as raised:
        TwilioCarrier(settings).send(OutgoingText(PERSON, "Hello", "k"))
    assert raised.value.carrier_code == 21609
    line.twilio.account.refused_numbers[PERSON] = 21609
    line.text("Hello")
    assert [text.state for text in line.went()] == ["queued"]
    assert line.alerts() == ["sender"]
