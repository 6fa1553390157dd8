"""Incoming texts: each is stored once and sorted, and nobody is texted who should not be."""

import pytest

from tests.claude_server import ClaudeServer, say
from tests.fakes import InlineBackground
from tests.phoning import Phone


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
