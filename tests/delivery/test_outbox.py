"""Texts on their way out through the real Twilio SDK: in order, once, and never blindly again."""

from datetime import timedelta

import pytest

from app import people
from app.conversation.turn import start, wake_waiting
from app.delivery import outbox
from app.delivery.reports import record_status
from app.models import Message
from app.services import Services
from tests.claude_server import ClaudeServer, Reply, say
from tests.conftest import MakeServices
from tests.fakes import FrozenClock, InlineBackground
from tests.phoning import Phone
from tests.twilio_server import CUT_AFTER_ACCEPTING, LIVE, NO_ANSWER, NUMBER, TOO_MANY, Accepted, TwilioServer

pytestmark = pytest.mark.parametrize("settings", [LIVE], indirect=True)


LONG = " ".join(f"word{number}" for number in range(300))
"""Two parts."""


@pytest.fixture
def alex(live: Services, background: InlineBackground) -> Phone:
    return Phone(live, background)


@pytest.fixture
def blair(live: Services, background: InlineBackground) -> Phone:
    return Phone(live, background, "+12125550101")


def states(phone: Phone) -> list[str]:
    return [message.state for message in phone.messages("out")]


def test_the_reply_is_accepted_once_with_our_key_in_its_status_callback(
    alex: Phone, claude: ClaudeServer, twilio: TwilioServer
) -> None:
    claude.queue(say("Hello from Keepsake"))
    assert alex.text("Hi", carrier="twilio") == ["Hello from Keepsake"]
    [message] = alex.messages("out")
    [accepted] = twilio.accepted
    assert accepted.sid == message.sid
    assert accepted.status_callback == f"https://keepsake.example.org/sms/status?m={message.key}"


def test_the_parts_of_a_long_reply_are_sent_in_order(alex: Phone, claude: ClaudeServer, twilio: TwilioServer) -> None:
    long = " ".join(f"word{number}" for number in range(500))
    claude.queue(say(long))
    assert " ".join(alex.text("Tell me", carrier="twilio")) == long
    assert " ".join(twilio.bodies) == long


def test_r20_a_connection_cut_after_twilio_accepted_is_unknown_and_never_sent_again(
    alex: Phone, claude: ClaudeServer, twilio: TwilioServer, background: InlineBackground
) -> None:
    claude.queue(say("Hello"))
    twilio.next_faults = [CUT_AFTER_ACCEPTING]
    assert alex.text("Hi", carrier="twilio") == []
    assert states(alex) == ["unknown"]
    start(alex.services)
    background.wake(alex.person_id)
    background.run()
    assert twilio.bodies == ["Hello"]


def test_r22_a_carrier_that_is_busy_is_tried_again_and_accepts_once(
    alex: Phone, claude: ClaudeServer, twilio: TwilioServer, clock: FrozenClock
) -> None:
    claude.queue(say("Hello"))
    twilio.next_faults = [TOO_MANY] * 3
    assert alex.text("Hi", carrier="twilio") == ["Hello"]
    assert twilio.bodies == ["Hello"]
    assert clock.waits == [], "No thread is held meanwhile."


def test_r22_the_waits_grow_to_half_a_minute_with_jitter_and_after_half_an_hour_the_text_is_kept_for_later(
    alex: Phone, background: InlineBackground, claude: ClaudeServer, twilio: TwilioServer, clock: FrozenClock
) -> None:
    claude.queue(say("Hello"))
    twilio.next_faults = [TOO_MANY] * 100
    began = clock.now()
    assert alex.text("Hi", carrier="twilio") == []
    waits = [seconds for seconds in background.delays if seconds]
    for number, seconds in enumerate(waits, start=1):
        assert 0.9 <= seconds / min(0.1 * 2**number, 30.0) <= 1.1
    assert len(set(waits)) == len(waits)
    assert timedelta(minutes=27) < clock.now() - began < timedelta(minutes=33)
    [kept] = alex.messages("out")
    assert (kept.state, twilio.bodies) == ("queued", [])
    assert "too many requests" in str(kept.note)


def test_r22_what_is_tried_again_holds_nobody_else_up(
    alex: Phone, blair: Phone, background: InlineBackground, claude: ClaudeServer, twilio: TwilioServer
) -> None:
    claude.queue(say("For Alex"), say("For Blair"))
    twilio.next_faults = [TOO_MANY]
    alex.send("Hi", carrier="twilio")
    blair.send("Hi", carrier="twilio")
    background.run()
    assert twilio.bodies == ["For Blair", "For Alex"]


def test_r23_a_carrier_that_never_answers_frees_the_lane_and_is_unknown(
    alex: Phone, claude: ClaudeServer, twilio: TwilioServer
) -> None:
    claude.queue(say("Hello"))
    twilio.next_faults = [NO_ANSWER]
    assert alex.text("Hi", carrier="twilio") == []
    assert states(alex) == ["unknown"]


def test_a_refused_part_takes_the_rest_of_its_reply_with_it(
    alex: Phone, claude: ClaudeServer, twilio: TwilioServer
) -> None:
    twilio.account.opted_out.add((alex.number, NUMBER))
    claude.queue(say(" ".join(["word"] * 700)))
    alex.text("Tell me", carrier="twilio")
    assert states(alex) == ["refused"] * len(alex.messages("out"))
    assert twilio.bodies == []


def test_r28_nothing_is_sent_to_somebody_who_opted_out_while_the_reply_was_made(
    alex: Phone, claude: ClaudeServer, twilio: TwilioServer
) -> None:
    def opt_out(_: dict[str, object]) -> Reply:
        alex.send("STOP", carrier="twilio")
        return say("Here is a long story")

    claude.queue(opt_out)
    assert alex.text("Tell me a story", carrier="twilio") == []
    assert twilio.bodies == []


def test_r21_a_text_that_was_being_sent_when_the_process_died_is_unknown_after_the_start(
    alex: Phone, claude: ClaudeServer, twilio: TwilioServer, clock: FrozenClock
) -> None:
    claude.queue(say("Hello"))
    alex.text("Hi", carrier="twilio")
    with alex.services.transaction() as db:  # As the process left it, had it died before it could note the outcome.
        message = db.get_one(Message, alex.messages("out")[0].id)
        message.state, message.sid = "sending", None
    start(alex.services)
    assert states(alex) == ["sending"], "Its process may be another one, and alive."
    clock.advance(seconds=alex.services.settings.send_lease_seconds)
    wake_waiting(alex.services, quiet_seconds=0)
    assert states(alex) == ["unknown"]
    outbox.send_queued(alex.services, alex.person_id)
    assert twilio.bodies == ["Hello"]


def test_what_is_for_a_carrier_that_is_not_set_up_waits(
    alex: Phone, claude: ClaudeServer, twilio: TwilioServer, make_services: MakeServices
) -> None:
    without = make_services(model=alex.services.model)
    claude.queue(say("Hello"))
    phone = Phone(without, alex.background)
    assert phone.text("Hi", carrier="twilio") == []
    assert states(phone) == ["queued"]


def test_r28_nothing_is_sent_to_somebody_who_opted_out_between_two_tries(
    alex: Phone, background: InlineBackground, claude: ClaudeServer, twilio: TwilioServer
) -> None:
    twilio.next_faults = [TOO_MANY]
    claude.queue(say("Hello"))
    alex.send("Hi", carrier="twilio")
    background.run(within_seconds=0.1)
    alex.send("STOP", carrier="twilio")
    background.run()
    assert twilio.bodies == []
    assert states(alex) == ["refused"]


def test_nothing_is_sent_to_a_number_that_was_blocked_meanwhile(
    alex: Phone, background: InlineBackground, claude: ClaudeServer, twilio: TwilioServer
) -> None:
    claude.queue(say("Hello"))
    twilio.next_faults = [TOO_MANY]
    alex.send("Hi", carrier="twilio")
    background.run(within_seconds=0.1)
    people.block(alex.services, alex.person_id)
    background.run()
    assert states(alex) == ["refused"]
    assert twilio.bodies == []


def test_r34_what_one_worker_is_sending_no_other_takes(alex: Phone, claude: ClaudeServer, twilio: TwilioServer) -> None:
    twilio.before_answering = lambda _: outbox.send_queued(alex.services, alex.person_id)
    claude.queue(say(LONG))
    alex.text("Tell me", carrier="twilio")
    assert " ".join(twilio.bodies) == LONG


def test_r34_the_id_of_a_text_whose_worker_was_given_up_meanwhile_is_kept(
    alex: Phone, claude: ClaudeServer, twilio: TwilioServer, clock: FrozenClock
) -> None:
    def give_up(_: Accepted) -> None:
        clock.advance(seconds=alex.services.settings.send_lease_seconds)
        outbox.settle_interrupted(alex.services)
        assert states(alex) == ["unknown"]

    twilio.before_answering = give_up
    claude.queue(say("Hello"))
    assert alex.text("Hi", carrier="twilio") == ["Hello"]
    assert alex.messages("out")[0].sid == twilio.accepted[0].sid


def test_a_part_waits_until_it_is_known_what_became_of_the_part_before(
    alex: Phone, background: InlineBackground, claude: ClaudeServer, twilio: TwilioServer
) -> None:
    claude.queue(say(LONG), say("Next"))
    twilio.next_faults = [CUT_AFTER_ACCEPTING]
    alex.text("Tell me", carrier="twilio")
    wake_waiting(alex.services, quiet_seconds=0)
    background.run()
    assert states(alex) == ["unknown", "queued"]
    first = alex.messages("out")[0]
    record_status(alex.services, key=first.key, sid=twilio.accepted[0].sid, status="sent")
    alex.text("And?", carrier="twilio")
    assert " ".join(twilio.bodies) == f"{LONG} Next"


def test_a_part_waits_ten_minutes_at_most(
    alex: Phone, background: InlineBackground, claude: ClaudeServer, twilio: TwilioServer, clock: FrozenClock
) -> None:
    claude.queue(say(LONG))
    twilio.next_faults = [CUT_AFTER_ACCEPTING]
    alex.text("Tell me", carrier="twilio")
    clock.advance(minutes=10)
    wake_waiting(alex.services, quiet_seconds=0)
    background.run()
    assert states(alex) == ["unknown", "queued"]
    clock.advance(seconds=alex.services.settings.send_lease_seconds)
    wake_waiting(alex.services, quiet_seconds=0)
    background.run()
    assert states(alex) == ["unknown", "sent"]


def test_r28_nothing_is_sent_to_somebody_who_opts_out_while_a_text_has_its_slot(
    alex: Phone, background: InlineBackground, claude: ClaudeServer, twilio: TwilioServer, clock: FrozenClock
) -> None:
    with alex.services.transaction() as db:
        person = people.add(db, alex.number, access="allowed", now=clock.now())
        for message in outbox.queue(db, person.id, None, "twilio", ["Later"], clock.now(), purpose="routine"):
            message.send_at = clock.now() + timedelta(hours=1)
    alex.send("STOP", carrier="twilio")
    clock.advance(hours=1)
    wake_waiting(alex.services, quiet_seconds=0)
    background.run()
    assert (states(alex), twilio.bodies) == (["refused"], [])


def test_r28_only_the_farewell_goes_to_somebody_who_has_opted_out(
    alex: Phone, background: InlineBackground, twilio: TwilioServer, clock: FrozenClock
) -> None:
    with alex.services.transaction() as db:
        person = people.add(db, alex.number, access="allowed", now=clock.now())
        person.opted_out_at = clock.now()
        outbox.queue(db, person.id, None, "twilio", ["A reply"], clock.now())
        outbox.queue(db, person.id, None, "twilio", ["Goodbye"], clock.now(), purpose="farewell")
    outbox.send_queued(alex.services, person.id)
    assert twilio.bodies == ["Goodbye"]
    assert states(alex) == ["refused", "sent"]


def test_what_no_worker_came_back_for_is_shown_again_where_that_is_harmless(
    alex: Phone, background: InlineBackground, claude: ClaudeServer, clock: FrozenClock
) -> None:
    claude.queue(say("Hello"))
    alex.text("Hi")
    with alex.services.transaction() as db:
        message = db.get_one(Message, alex.messages("out")[0].id)
        message.state, message.sid = "sending", None
    clock.advance(seconds=alex.services.settings.send_lease_seconds)
    wake_waiting(alex.services, quiet_seconds=0)
    background.run()
    assert states(alex) == ["sent"]
