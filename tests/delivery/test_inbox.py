"""What becomes of a text when it comes in: kept once, sorted, and nobody texted who should not be."""

import threading
from collections.abc import Sequence

import pytest
from sqlalchemy import select

from app.delivery.inbox import IncomingText, take_in
from app.models import Message
from app.services import Services
from tests.claude_server import ClaudeServer, say
from tests.fakes import InlineBackground
from tests.phoning import ALEX, Phone


def states(services: Services) -> list[str]:
    with services.reading() as db:
        return list(db.scalars(select(Message.state).order_by(Message.id)))


def take_in_at_once(services: Services, texts: Sequence[IncomingText]) -> None:
    threads = [threading.Thread(target=take_in, args=(services, text)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_r1_texts_that_come_at_once_are_kept_once_each(alex: Phone) -> None:
    take_in_at_once(alex.services, [IncomingText("SM" + "a" * 32, ALEX, "keepsake", "Hello", "phone")] * 20)
    texts = [IncomingText(f"SM{n:032x}", f"+1206555{n:04d}", "keepsake", f"Text {n}", "phone") for n in range(40)]
    take_in_at_once(alex.services, texts)
    assert states(alex.services) == ["waiting"] * 41


@pytest.mark.parametrize("sender", ["whatsapp:+12065550100", "rcs:+12065550100", "messenger:1234567890123456"])
def test_a_person_on_another_channel_is_answered_there_and_is_somebody_else_than_by_sms(
    sender: str, alex: Phone, background: InlineBackground, claude: ClaudeServer
) -> None:
    claude.queue(say("Hello by SMS."), say("Hello there."))
    alex.text("Hi")
    elsewhere = Phone(alex.services, background, sender)
    assert elsewhere.text("Hi") == ["Hello there."]
    assert elsewhere.person_id != alex.person_id
    assert alex.received() == ["Hello by SMS."]


@pytest.mark.parametrize(
    "body", ["\U0001f600" * 800, "שלום עולם", "e\u0301", "\u200d\u200d", "   ", "\t\n", "x" * 1600, "a\0b", "a\ud800b"]
)
def test_r16_a_strange_body_is_stored_as_it_came_and_what_no_database_keeps_is_marked(body: str, alex: Phone) -> None:
    alex.send(body)
    kept = body.replace("\0", "\ufffd").replace("\ud800", "\ufffd")
    assert [message.body for message in alex.messages("in")] == [kept]


def test_r9_a_start_brought_again_after_a_later_stop_changes_nothing(alex: Phone) -> None:
    start = alex.send("START")
    alex.text("STOP")
    alex.send("START", sid=start)
    assert alex.person().opted_out_at is not None
