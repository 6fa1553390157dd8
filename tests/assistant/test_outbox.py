"""Texts on their way out through the real Twilio SDK: in order, once, and never blindly again."""

from collections.abc import Iterator

import pytest

from app import people
from app.assistant import outbox
from app.assistant.turn import start
from app.clients.twilio import TwilioCarrier
from app.models import Message
from app.services import Services
from app.settings import Settings
from tests.assistant.conftest import Phone
from tests.claude_server import ClaudeServer, Reply, say
from tests.conftest import MakeServices
from tests.fakes import FrozenClock, InlineBackground
from tests.twilio_server import CUT_AFTER_ACCEPTING, LIVE, NO_ANSWER, TOO_MANY, TwilioServer

pytestmark = pytest.mark.parametrize("settings", [LIVE], indirect=True)


@pytest.fixture
def twilio() -> Iterator[TwilioServer]:
    with TwilioServer() as server:
        yield server


@pytest.fixture
def live(claude_services: Services, make_services: MakeServices, settings: Settings, twilio: TwilioServer) -> Services:
    carrier = TwilioCarrier(settings.model_copy(update={"twilio_api_url": twilio.url}), timeout_seconds=0.5)
    return make_services(model=claude_services.model, carriers={**claude_services.carriers, "twilio": carrier})


@pytest.fixture
def alex(live: Services, background: InlineBackground) -> Phone:
    return Phone(live, background)


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
    twilio.next_faults = [TOO_MANY] * 2
    assert alex.text("Hi", carrier="twilio") == ["Hello"]
    assert clock.waits == [1.0, 3.0]
    assert twilio.bodies == ["Hello"]


def test_r22_a_carrier_that_stays_busy_keeps_the_text_for_the_next_sweep(
    alex: Phone, claude: ClaudeServer, twilio: TwilioServer
) -> None:
    claude.queue(say("Hello"))
    twilio.next_faults = [TOO_MANY] * 3
    assert alex.text("Hi", carrier="twilio") == []
    assert states(alex) == ["queued"]
    outbox.send_queued(alex.services, alex.person_id)
    assert twilio.bodies == ["Hello"]


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
    twilio.opted_out.add(alex.number)
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
    alex: Phone, claude: ClaudeServer, twilio: TwilioServer
) -> None:
    claude.queue(say("Hello"))
    alex.text("Hi", carrier="twilio")
    with alex.services.transaction() as db:  # As the process left it, had it died before it could note the outcome.
        message = db.get_one(Message, alex.messages("out")[0].id)
        message.state, message.sid = "sending", None
    start(alex.services)
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
    alex: Phone, claude: ClaudeServer, twilio: TwilioServer, make_services: MakeServices
) -> None:
    class StopsMeanwhile(FrozenClock):
        def wait(self, seconds: float) -> None:
            super().wait(seconds)
            alex.send("STOP", carrier="twilio")

    alex.services = make_services(
        model=alex.services.model, carriers=alex.services.carriers, clock=StopsMeanwhile(alex.services.clock.now())
    )
    twilio.next_faults = [TOO_MANY]
    claude.queue(say("Hello"))
    assert alex.text("Hi", carrier="twilio") == []
    assert twilio.bodies == []
    assert states(alex) == ["refused"]


def test_nothing_is_sent_to_a_number_that_was_blocked_meanwhile(
    alex: Phone, claude: ClaudeServer, twilio: TwilioServer
) -> None:
    claude.queue(say("Hello"))
    twilio.next_faults = [TOO_MANY] * 3
    alex.text("Hi", carrier="twilio")
    people.block(alex.services, alex.person_id)
    outbox.send_queued(alex.services, alex.person_id)
    assert states(alex) == ["refused"]
    assert twilio.bodies == []
