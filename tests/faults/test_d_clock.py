"""Cases D: the machine's clock is set back, and nobody waits until it has caught up."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlalchemy import update

from app import people
from app.conversation import claim, finish
from app.conversation.turn import start
from app.delivery.inbox import keep_for_terminal
from app.delivery.twilio.send import TwilioCarrier
from app.jobs import answer_waiting, notice_waiting
from app.models import Turn
from app.operations import marks
from app.services import Services
from app.text import kind_words
from tests.claude_server import ClaudeServer, overloaded, rate_limited, say
from tests.conftest import MakeServices
from tests.fakes import FrozenClock, InlineBackground
from tests.faults.outages import alerts, down, pass_time
from tests.line import Line
from tests.phoning import ALEX, Phone
from tests.twilio_server import PATIENCE_SECONDS, TOO_MANY, TwilioServer, twilio_settings

Look = Callable[[Services], object]
"""The run of a job, or a start."""


class SteppingClock(FrozenClock):
    """A clock on the wall that can be set; what counts seconds goes on as it did."""

    def set_back(self, **span: float) -> None:
        self._now -= timedelta(**span)


@pytest.fixture
def clock() -> SteppingClock:
    return SteppingClock()


@pytest.fixture
def paced(
    make_services: MakeServices, background: InlineBackground, clock: SteppingClock, twilio: TwilioServer
) -> Line:
    """A number that sends one segment a second."""
    settings = twilio_settings(twilio_api_url=twilio.url, access="open", twilio_segments_per_second=1)
    carriers = {"twilio": TwilioCarrier(settings, timeout_seconds=PATIENCE_SECONDS)}
    return Line(make_services(settings=settings, carriers=carriers), background, clock, twilio)


def sweep(services: Services, look: Look = answer_waiting.run) -> None:
    """What is found to do, done within a second, and nothing is found again."""
    background = services.background
    assert isinstance(background, InlineBackground)
    look(services)
    background.run(within_seconds=1)
    look(services)
    assert background.woken == [], "Whoever is woken can be helped: else they are woken for ever."


@pytest.mark.parametrize("minutes", [2, 60, 24 * 60])
def test_r67_a_reply_goes_out_at_once_when_the_senders_line_seems_to_end_far_ahead(
    minutes: float, paced: Line, background: InlineBackground, clock: SteppingClock, twilio: TwilioServer
) -> None:
    paced.text("Hello")
    clock.set_back(minutes=minutes)
    paced.bring("Hello again")
    background.run(within_seconds=1)
    assert len(twilio.bodies) == 2


def test_r67_a_text_that_the_carrier_was_too_busy_for_is_tried_again_by_the_sweep(
    paced: Line, background: InlineBackground, clock: SteppingClock, twilio: TwilioServer
) -> None:
    paced.bring("Hello")
    twilio.next_faults = [TOO_MANY]
    background.run(within_seconds=0.1)
    assert twilio.bodies == []
    background.later.clear()
    clock.set_back(hours=1)
    sweep(paced.services)
    assert len(twilio.bodies) == 1


@pytest.mark.parametrize("fault", [overloaded(), rate_limited(retry_after="900")])
def test_r67_a_text_that_waits_for_the_model_is_answered_when_the_model_is_back(
    fault: object, alex: Phone, claude: ClaudeServer, clock: SteppingClock
) -> None:
    claude.otherwise = fault  # type: ignore[assignment]
    alex.text("Hello")
    clock.set_back(hours=1)
    claude.otherwise = say("Here I am.")
    sweep(alex.services, notice_waiting.run)
    assert alex.received() == ["Here I am."]
    assert (down(alex.services), alerts(alex.services)) == (None, {})


def test_r67_a_model_that_is_still_down_is_tried_no_oftener_than_before_and_who_waits_for_it_is_told(
    alex: Phone, claude: ClaudeServer, clock: SteppingClock
) -> None:
    claude.otherwise = overloaded()
    alex.text("Hello")
    clock.set_back(hours=1)
    pass_time(alex, clock, minutes=1.5)
    assert alex.received() == [kind_words.MODEL_DOWN]
    pass_time(alex, clock, minutes=1.5)
    assert len(claude.requests) <= 3 * 9


def test_r67_a_wait_that_the_model_asked_for_after_the_step_is_kept_to(
    alex: Phone, blair: Phone, background: InlineBackground, claude: ClaudeServer, clock: SteppingClock
) -> None:

    def meanwhile_down(_: object) -> object:
        claude.otherwise = overloaded()
        alex.text("Hello")  # It is put off, and the outage begins.
        clock.set_back(hours=1)
        claude.otherwise = rate_limited(retry_after="600")
        return rate_limited(retry_after="600")

    claude.queue(meanwhile_down)  # type: ignore[arg-type]
    blair.send("Hello")
    background.run()
    asked = len(claude.requests)
    pass_time(alex, clock, minutes=9)
    assert len(claude.requests) == asked


def test_r67_a_turn_that_was_put_off_is_taken_up_when_the_outage_was_ended_by_another(
    alex: Phone, blair: Phone, background: InlineBackground, claude: ClaudeServer, clock: SteppingClock
) -> None:
    claude.queue(*[overloaded()] * 3)
    alex.text("Hello")
    clock.set_back(hours=1)
    claude.otherwise = say("Here I am.")
    blair.send("Hello")
    background.woken = [blair.person_id]
    background.run(within_seconds=1)
    assert (alex.received(), blair.received()) == (["Here I am."], ["Here I am."])


def test_r67_a_turn_that_waits_a_moment_for_the_budget_is_taken_up_by_the_sweep(
    alex: Phone, background: InlineBackground, claude: ClaudeServer, clock: SteppingClock
) -> None:
    alex.send("Hello")
    turn = claim.claim(alex.services, alex.person_id)
    assert turn is not None
    assert finish.postpone(alex.services, turn, clock.now() + timedelta(seconds=5))
    background.woken.clear()
    clock.set_back(hours=1)
    claude.queue(say("Here I am."))
    sweep(alex.services)
    assert alex.received() == ["Here I am."]


@pytest.mark.parametrize("is_down", [False, True])
def test_r67_a_turn_that_was_left_on_a_machine_that_is_gone_is_taken_over(
    is_down: bool, alex: Phone, blair: Phone, background: InlineBackground, claude: ClaudeServer, clock: SteppingClock
) -> None:
    alex.send("Hello")
    assert claim.claim(alex.services, alex.person_id) is not None
    background.woken.clear()
    with alex.services.transaction() as db:
        db.execute(update(Turn).values(owner="another-machine:1"))
    if is_down:
        claude.queue(*[overloaded()] * 3)
        blair.text("Hello")
    assert claim.claim(alex.services, alex.person_id) is None
    clock.set_back(hours=1)
    claude.otherwise = say("Here I am.")
    sweep(alex.services, notice_waiting.run if is_down else answer_waiting.run)
    assert alex.received() == ["Here I am."]


@pytest.mark.parametrize("look", [start, answer_waiting.run, notice_waiting.run], ids=["start", "sweep", "notice"])
def test_r67_a_text_that_was_kept_is_found_at_a_start_and_by_the_sweeps(
    look: Look, alex: Phone, background: InlineBackground, claude: ClaudeServer, clock: SteppingClock
) -> None:
    alex.send("Are you there?")
    background.woken.clear()  # The process died with its queue.
    clock.set_back(hours=1)
    claude.queue(say("I am."))
    sweep(alex.services, look)
    assert alex.received() == ["I am."]


def test_r67_a_text_whose_terminal_died_is_answered_by_the_server(
    alex: Phone, claude: ClaudeServer, clock: SteppingClock
) -> None:
    with alex.services.transaction() as db:
        keep_for_terminal(db, people.add(db, ALEX, access="allowed", now=clock.now()), "Anybody?", clock.now())
    sweep(alex.services)
    assert alex.messages("out") == []
    clock.set_back(hours=1)
    claude.queue(say("Yes."))
    sweep(alex.services)
    assert [message.body for message in alex.messages("out")] == ["Yes."]


def test_r67_a_part_that_stalls_after_the_clock_was_set_back_is_missed(
    services: Services, clock: SteppingClock
) -> None:
    with services.transaction() as db:
        marks.beat(db, marks.WORKER, clock.now())
    clock.set_back(hours=1)
    with services.transaction() as db:
        marks.beat(db, marks.WORKER, clock.now())
    clock.advance(seconds=marks.TOO_OLD_SECONDS + 1)
    with services.reading() as db:
        age = marks.ages_seconds(db, clock.now())[marks.WORKER]
    assert age is not None
    assert age > marks.TOO_OLD_SECONDS
