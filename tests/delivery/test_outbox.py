"""Texts on their way out through the real Twilio SDK: in order, once, and never blindly again."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from app import people
from app.conversation.turn import start
from app.delivery import outbox
from app.models import Message
from tests.claude_server import ClaudeServer, say
from tests.fakes import FrozenClock, InlineBackground
from tests.line import Line
from tests.phoning import Phone
from tests.twilio_server import CUT_AFTER_ACCEPTING, NUMBER, TOO_MANY, Accepted, TwilioServer

LONG = " ".join(f"word{number}" for number in range(300))  # Two parts.


@pytest.fixture
def alex(live: Line, claude: ClaudeServer) -> Phone:
    claude.otherwise = say("Hello")
    return Phone(live.services, live.background)


def states(phone: Phone) -> list[str]:
    return [message.state for message in phone.messages("out")]


def pass_the_lease(phone: Phone, clock: FrozenClock) -> None:
    clock.advance(seconds=phone.services.settings.send_lease_seconds)


def leave_in_hand(phone: Phone, carrier: str) -> None:
    """A text as its process leaves it when it dies before it could note the outcome."""
    phone.text("Hi", carrier=carrier)
    with phone.services.transaction() as db:
        message = db.get_one(Message, phone.messages("out")[0].id)
        message.state, message.sid = "sending", None


def test_r34_the_parts_of_a_reply_go_once_in_order_with_our_key_whoever_else_looks_meanwhile(
    alex: Phone, claude: ClaudeServer, twilio: TwilioServer
) -> None:
    twilio.before_answering = lambda _: outbox.send_queued(alex.services, alex.person_id)
    claude.queue(say(LONG))
    assert " ".join(alex.text("Tell me", carrier="twilio")) == " ".join(twilio.bodies) == LONG
    assert [(text.sid, text.status_callback) for text in twilio.accepted] == [
        (message.sid, f"https://keepsake.example.org/sms/status?m={message.key}") for message in alex.messages("out")
    ]


def test_r22_the_waits_grow_to_half_a_minute_with_jitter_and_after_half_an_hour_the_text_is_kept_for_later(
    alex: Phone, background: InlineBackground, twilio: TwilioServer, clock: FrozenClock
) -> None:
    twilio.next_faults = [TOO_MANY] * 100
    began = clock.now()
    assert alex.text("Hi", carrier="twilio") == []
    waits = [seconds for seconds in background.delays if seconds]
    for number, seconds in enumerate(waits, start=1):
        assert 0.9 <= seconds / min(0.1 * 2**number, 30.0) <= 1.1
    assert len(set(waits)) == len(waits)
    assert timedelta(minutes=27) < clock.now() - began < timedelta(minutes=33)
    assert clock.waits == [], "No thread is held meanwhile."
    [kept] = alex.messages("out")
    assert (kept.state, twilio.bodies) == ("queued", [])
    assert "too many requests" in str(kept.note)


def test_a_refused_part_takes_the_rest_of_its_reply(alex: Phone, claude: ClaudeServer, twilio: TwilioServer) -> None:
    twilio.account.opted_out.add((alex.number, NUMBER))
    claude.queue(say(LONG))
    alex.text("Tell me", carrier="twilio")
    assert (states(alex), twilio.bodies) == (["refused", "refused"], [])


def test_r21_a_text_that_was_being_sent_when_the_process_died_is_unknown_after_the_start(
    alex: Phone, twilio: TwilioServer, clock: FrozenClock
) -> None:
    leave_in_hand(alex, "twilio")
    start(alex.services)
    assert states(alex) == ["sending"], "Its process may be another one, and alive."
    pass_the_lease(alex, clock)
    alex.sweep()
    assert (states(alex), twilio.bodies) == (["unknown"], ["Hello"])


def test_what_no_worker_came_back_for_is_shown_again_where_that_is_harmless(alex: Phone, clock: FrozenClock) -> None:
    leave_in_hand(alex, "phone")
    pass_the_lease(alex, clock)
    outbox.settle_interrupted(alex.services)
    assert alex.messages("out")[0].leased_until is None, "No carrier has had it."
    alex.sweep()
    assert states(alex) == ["sent"]


@pytest.mark.parametrize(
    "bar",
    [lambda phone: phone.send("STOP", carrier="twilio"), lambda phone: people.block(phone.services, phone.person_id)],
    ids=["r28 they opt out", "they are blocked"],
)
def test_r28_nothing_is_sent_to_somebody_who_is_barred_between_two_tries(
    alex: Phone, background: InlineBackground, twilio: TwilioServer, bar: Callable[[Phone], object]
) -> None:
    twilio.next_faults = [TOO_MANY]
    alex.send("Hi", carrier="twilio")
    background.run(within_seconds=0.1)
    bar(alex)
    background.run()
    assert (states(alex), twilio.bodies) == (["refused"], [])


def test_r34_the_id_is_kept_though_the_worker_was_lost(alex: Phone, twilio: TwilioServer, clock: FrozenClock) -> None:
    def give_up(_: Accepted) -> None:
        pass_the_lease(alex, clock)
        outbox.settle_interrupted(alex.services)
        assert states(alex) == ["unknown"]

    twilio.before_answering = give_up
    assert alex.text("Hi", carrier="twilio") == ["Hello"]
    assert alex.messages("out")[0].sid == twilio.accepted[0].sid


def test_a_part_waits_ten_minutes(alex: Phone, claude: ClaudeServer, twilio: TwilioServer, clock: FrozenClock) -> None:
    claude.queue(say(LONG))
    twilio.next_faults = [CUT_AFTER_ACCEPTING]
    alex.text("Tell me", carrier="twilio")
    clock.advance(minutes=10)
    alex.sweep()
    assert states(alex) == ["unknown", "queued"]
    pass_the_lease(alex, clock)
    alex.sweep()
    assert states(alex) == ["unknown", "sent"]
