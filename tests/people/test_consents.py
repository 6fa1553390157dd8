"""Consents: people's words on being texted are kept verbatim, never changed, and obeyed at once."""

import pytest

from app import people
from app.delivery.inbox import IncomingText, take_in
from app.models import Consent
from app.people import consents
from app.text import kind_words, sms_text
from tests.claude_server import ClaudeServer, say
from tests.fakes import FrozenClock, InlineBackground
from tests.phoning import Phone
from tests.twilio_server import ALLOWLIST


def said(phone: Phone) -> list[tuple[bool, str, str | None]]:
    return [(one.agrees, one.how, one.words) for one in rows(phone)]


def rows(phone: Phone) -> list[Consent]:
    with phone.services.reading() as db:
        return consents.of(db, phone.person_id)


def test_every_word_adds_a_row_with_its_time_alone(alex: Phone, claude: ClaudeServer, clock: FrozenClock) -> None:
    claude.queue(say("Hi."), say("Yes."))
    for words in ("Hello", "Still there?", "HELP", "STOP", "START", "please stop texting me"):
        alex.text(words)
        clock.advance(minutes=1)
    assert said(alex) == [
        (True, "texted_first", "Hello"),
        (False, "carrier_word", "STOP"),
        (True, "carrier_word", "START"),
        (False, "own_words", "please stop texting me"),
    ]
    ats = [row.at for row in rows(alex)]
    assert ats == sorted(set(ats))
    first, _, _, *rest = [message.id for message in alex.messages("in")]
    assert [row.message_id for row in rows(alex)] == [first, *rest]
    assert alex.person().opted_out_at == ats[-1]


def test_an_opt_out_in_own_words_gets_one_farewell_and_then_silence(alex: Phone, claude: ClaudeServer) -> None:
    alex.text("please quit texting me")
    for words in ("please quit texting me", "Hello?", "start texting me again", "/help", "HELP", "yes", "Yes!"):
        alex.text(words)
    (farewell,) = alex.messages("out")
    assert (farewell.body, farewell.purpose, farewell.turn_id) == (kind_words.FAREWELL, "farewell", None)
    assert {message.state for message in alex.messages("in")} == {"unanswered"}
    assert claude.requests == []
    assert (sms_text.segments(farewell.body), farewell.body.isascii(), "START" in farewell.body) == (1, True, True)
    claude.queue(say("Welcome back."))
    assert alex.text("START") == []
    assert alex.text("Hello") == ["Welcome back."]


@pytest.mark.parametrize("settings", [ALLOWLIST], indirect=True)
def test_who_waits_to_be_let_in_may_opt_out_and_gets_the_farewell(alex: Phone, background: InlineBackground) -> None:
    alex.send("Hello", carrier="twilio")
    alex.send("who is this? stop texting me", carrier="twilio")
    texts = [(message.body, message.state) for message in alex.messages("out")]
    assert texts == [(kind_words.PLEASE_WAIT, "refused"), (kind_words.FAREWELL, "queued")]
    assert {message.state for message in alex.messages("in")} == {"unanswered"}
    people.let_in(alex.services, alex.person_id)
    assert {message.state for message in alex.messages("in")} == {"unanswered"}


def test_a_machines_words_are_recorded_and_get_no_farewell(alex: Phone, background: InlineBackground) -> None:
    take_in(alex.services, IncomingText("SM" + "d" * 32, "72975", "keepsake", "Please stop texting me", "phone"))
    assert background.woken == []
    machine = Phone(alex.services, background, "72975")
    assert said(machine) == [(False, "own_words", "Please stop texting me")]
    assert machine.messages("out") == []
