"""What becomes of a text when it comes in: kept once, sorted, and nobody texted who should not be."""

import threading
from collections.abc import Sequence

import pytest
from sqlalchemy import select

from app import people
from app.delivery.inbox import IncomingText, take_in
from app.models import Message
from app.services import Services
from app.text import kind_words
from tests.claude_server import ClaudeServer, say
from tests.fakes import InlineBackground
from tests.phoning import ALEX, Phone
from tests.twilio_server import ALLOWLIST

with_allowlist = pytest.mark.parametrize("settings", [ALLOWLIST], indirect=True)


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


@pytest.mark.parametrize("word", ["STOP", " stop ", "STOP.", "Unsubscribe", "CANCEL", "end", "Quit", "OPTOUT", "HELP"])
def test_a_word_of_the_carrier_is_recorded_and_not_answered(word: str, alex: Phone, claude: ClaudeServer) -> None:
    assert alex.text(word) == []
    assert (claude.requests, states(alex.services)) == ([], ["unanswered"])
    assert alex.person().opted_out_at == (None if word == "HELP" else alex.services.clock.now())


def test_r9_a_start_brought_again_after_a_later_stop_changes_nothing(alex: Phone) -> None:
    start = alex.send("START")
    alex.text("STOP")
    alex.send("START", sid=start)
    assert alex.person().opted_out_at is not None


@with_allowlist
def test_r99_an_unknown_number_is_told_once_to_wait_and_is_answered_once_the_operator_lets_it_in(
    alex: Phone, claude: ClaudeServer, background: InlineBackground
) -> None:
    for number in range(20):  # No Twilio carries it here; the row is what counts.
        alex.text(f"Hello {number}", carrier="twilio")
    assert [message.body for message in alex.messages("out")] == [kind_words.PLEASE_WAIT]
    assert ({message.state for message in alex.messages("in")}, claude.requests) == ({"held"}, [])
    claude.queue(say("I am here."))
    people.let_in(alex.services, alex.person_id)
    background.run()
    assert [message.body for message in alex.messages("out")] == [kind_words.PLEASE_WAIT, "I am here."]
