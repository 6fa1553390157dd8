"""Twilio's own list of texts, read by Twilio's own SDK from a stand-in on a real socket."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from app.delivery.twilio.ledger import PAGE_TEXTS, TwilioLedger
from app.delivery.twilio.send import TwilioCarrier
from app.errors import CarrierBusy, CarrierError
from app.services import LedgerEntry, OutgoingText
from tests import twilio_server
from tests.twilio_server import NUMBER, PERSON, Fault, TwilioServer, twilio_settings

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
SERVICE = "MG" + "1f" * 16
OTHER_SERVICE = "MG" + "2f" * 16
OTHER = "+14155550199"


@pytest.fixture
def twilio(monkeypatch: pytest.MonkeyPatch) -> Iterator[TwilioServer]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with TwilioServer(now=lambda: NOON) as server:
        server.account.senders |= {SERVICE, OTHER_SERVICE, OTHER}
        yield server


def ledger(server: TwilioServer, **overrides: object) -> TwilioLedger:
    """The ledger a day later, because a new text is not in Twilio's list yet."""
    server.ledger.now = lambda: NOON + timedelta(days=1)
    return TwilioLedger(twilio_settings(twilio_api_url=server.url, **overrides), timeout_seconds=5.0)


def send(server: TwilioServer, body: str, *, to: str = PERSON, **overrides: object) -> str:
    settings = twilio_settings(twilio_api_url=server.url, **overrides)
    return TwilioCarrier(settings).send(OutgoingText(to=to, body=body, key="k"))


def bodies(entries: list[LedgerEntry]) -> list[str]:
    return [entry.body for entry in entries]


def test_only_what_we_sent_to_this_address_is_listed_as_twilio_has_it(twilio: TwilioServer) -> None:
    send(twilio, "to another", to=OTHER)
    send(twilio, "from another", twilio_from=OTHER)
    send(twilio, "by WhatsApp", to=f"whatsapp:{PERSON}")
    twilio.ledger.receive("from ourselves", sender=NUMBER, to=PERSON)
    sid = send(twilio, "Hello Alex")
    [entry] = ledger(twilio).sent_to(PERSON, NOON)
    assert entry == LedgerEntry(sid, NUMBER, PERSON, "Hello Alex", "queued", NOON)
    assert bodies(ledger(twilio).sent_to(f"whatsapp:{PERSON}", NOON)) == ["by WhatsApp"]


def test_a_text_by_a_messaging_service_is_known_by_the_service_whatever_number_it_chose(twilio: TwilioServer) -> None:
    sid = send(twilio, "by the service", twilio_from=SERVICE)
    assert bodies(ledger(twilio, twilio_from=SERVICE).sent_to(PERSON, NOON)) == ["by the service"]
    twilio.ledger[sid]["from"] = "+14155550177"
    send(twilio, "by another service", twilio_from=OTHER_SERVICE)
    send(twilio, "by a number")
    assert bodies(ledger(twilio, twilio_from=SERVICE).sent_to(PERSON, NOON)) == ["by the service"]


def test_texts_come_oldest_first_from_all_pages_up_to_the_instant_asked_for(twilio: TwilioServer) -> None:
    for number in range(3 * PAGE_TEXTS):
        at = NOON + timedelta(minutes=number)
        twilio.ledger.receive(f"text {number}", sender=PERSON, to=NUMBER, at=at)
    found = ledger(twilio, twilio_from="12345").received(NOON)
    assert found == []
    found = ledger(twilio).received(NOON + timedelta(minutes=PAGE_TEXTS + 7))
    assert bodies(found) == [f"text {number}" for number in range(PAGE_TEXTS + 7, 3 * PAGE_TEXTS)]


def test_what_came_for_us_is_listed_on_each_channel_and_nothing_else(twilio: TwilioServer) -> None:
    twilio.ledger.receive("by text", sender=PERSON, to=NUMBER, num_media="2")
    twilio.ledger.receive("by WhatsApp", sender=f"whatsapp:{PERSON}", to=f"whatsapp:{NUMBER}")
    twilio.ledger.receive("to another number", sender=PERSON, to=OTHER)
    send(twilio, "what another of our numbers sent", to=NUMBER, twilio_from=OTHER)
    found = ledger(twilio).received(NOON)
    assert sorted(bodies(found)) == ["by WhatsApp", "by text"]
    assert {entry.body: entry.media_count for entry in found} == {"by text": 2, "by WhatsApp": 0}


def test_what_came_for_a_messaging_service_is_known_by_the_service(twilio: TwilioServer) -> None:
    twilio.ledger.receive("ours", sender=PERSON, to=OTHER, service=SERVICE)
    twilio.ledger.receive("another's", sender=PERSON, to=NUMBER)
    assert bodies(ledger(twilio, twilio_from=SERVICE).received(NOON)) == ["ours"]


@pytest.mark.parametrize(
    ("price", "unit", "cents"),
    [("-0.00750", "USD", 0.75), (None, None, None), (None, "USD", None), ("-0.00750", "EUR", None), ("-1", None, None)],
)
def test_a_text_is_looked_up_by_its_id_and_a_price_that_is_not_in_dollars_is_left(
    twilio: TwilioServer, price: str | None, unit: str | None, cents: float | None
) -> None:
    sid = send(twilio, "Hello")
    twilio.ledger[sid].update(status="delivered", price=price, price_unit=unit)
    entry = ledger(twilio).look_up(sid)
    assert entry is not None
    assert (entry.sid, entry.status) == (sid, "delivered")
    assert entry.cost_cents == (None if cents is None else pytest.approx(cents))


@pytest.mark.parametrize(
    "fault",
    [
        Fault(),
        Fault(resets=True),
        twilio_server.HTML_503,
        twilio_server.TOO_MANY,
        Fault(200, "<html>Log in to the Wi-Fi</html>", "text/html"),
        Fault(200, "[]"),
        Fault(200, json.dumps({"messages": [{"sid": "SM" + "0" * 32, "date_created": "soon"}]})),
        Fault(200, json.dumps({"messages": [{}]})),
        Fault(408, "", "text/html"),
    ],
)
@pytest.mark.parametrize("question", ["sent_to", "received", "look_up"])
def test_an_unreadable_ledger_is_our_error_without_doubt(twilio: TwilioServer, fault: Fault, question: str) -> None:
    twilio.next_look_faults = [fault]
    with pytest.raises(CarrierBusy):
        ask(ledger(twilio), question)


@pytest.mark.parametrize("question", ["sent_to", "received", "look_up"])
def test_a_ledger_that_twilio_will_not_show_is_a_refusal_with_its_code(twilio: TwilioServer, question: str) -> None:
    with pytest.raises(CarrierError, match="20003") as raised:
        ask(ledger(twilio, twilio_auth_token="another"), question)
    assert type(raised.value) is CarrierError
    assert raised.value.carrier_code == 20003


def test_a_404_that_is_not_twilios_does_not_mean_that_the_text_is_unknown(twilio: TwilioServer) -> None:
    twilio.next_look_faults = [Fault(404, "<html>Not here</html>", "text/html")]
    with pytest.raises(CarrierError):
        ledger(twilio).look_up("SM" + "0" * 32)


def test_a_later_page_that_fails_leaves_the_whole_list_unread(twilio: TwilioServer) -> None:
    for _ in range(PAGE_TEXTS + 1):
        send(twilio, "Hello")
    twilio.next_look_faults = [None, twilio_server.HTML_503]
    with pytest.raises(CarrierBusy):
        ledger(twilio).sent_to(PERSON, NOON)
    assert len(twilio.looks) == 2


def ask(asked: TwilioLedger, question: str) -> object:
    if question == "look_up":
        return asked.look_up("SM" + "0" * 32)
    return asked.sent_to(PERSON, NOON) if question == "sent_to" else asked.received(NOON)
