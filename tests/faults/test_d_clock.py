"""Cases D: the machine's clock is set back, and nobody waits until it has caught up."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest
from sqlalchemy import update

from app import people
from app.conversation import claim, finish
from app.conversation.turn import start
from app.delivery.inbox import keep_for_terminal
from app.jobs import answer_waiting, notice_waiting
from app.models import Turn
from app.services import Services
from tests.claude_server import Reply, overloaded, rate_limited, say
from tests.conftest import MakeLine
from tests.faults.outages import Scene, sweep
from tests.line import Line
from tests.phoning import ALEX


@pytest.fixture
def paced(make_line: MakeLine) -> Line:
    """A number that sends one segment a second."""
    return make_line(twilio_segments_per_second=1)


@pytest.mark.parametrize("minutes", [2, 60, 24 * 60])
def test_r67_a_reply_goes_out_at_once_when_the_senders_line_seems_to_end_far_ahead(minutes: float, paced: Line) -> None:
    paced.text("Hello")
    paced.clock.set_back(minutes=minutes)
    paced.bring("Hello again")
    paced.background.run(within_seconds=1)
    assert len(paced.twilio.bodies) == 2


def is_put_off(scene: Scene, fault: Reply) -> None:
    scene.claude.otherwise = fault
    scene.alex.text("Hello")


def waits_for_the_budget(scene: Scene) -> None:
    scene.alex.send("Hello")
    turn = claim.claim(scene.services, scene.alex.person_id)
    assert turn is not None
    with scene.services.transaction() as db:
        assert finish.postpone(db, turn, scene.clock.now() + timedelta(seconds=5))


def is_left_on_a_machine_that_is_gone(scene: Scene, *, model_is_down: bool = False) -> None:
    scene.alex.send("Hello")
    assert claim.claim(scene.services, scene.alex.person_id) is not None
    scene.background.woken.clear()
    with scene.services.transaction() as db:
        db.execute(update(Turn).values(owner="another-machine:1"))
    if model_is_down:
        scene.claude.queue(*[overloaded()] * 3)
        scene.blair.text("Hello")
    assert claim.claim(scene.services, scene.alex.person_id) is None


def is_kept(scene: Scene) -> None:
    scene.alex.send("Hello")


@pytest.mark.parametrize(
    ("left", "look"),
    [
        (partial(is_put_off, fault=overloaded()), notice_waiting.run),
        (partial(is_put_off, fault=rate_limited(retry_after="900")), notice_waiting.run),
        (waits_for_the_budget, answer_waiting.run),
        (is_left_on_a_machine_that_is_gone, answer_waiting.run),
        (partial(is_left_on_a_machine_that_is_gone, model_is_down=True), notice_waiting.run),
        (is_kept, start),
        (is_kept, answer_waiting.run),
        (is_kept, notice_waiting.run),
    ],
    ids="down rate-limited budget gone-machine gone-machine-and-down start sweep notice".split(),
)
def test_r67_a_text_that_was_left_is_answered_at_the_next_look(
    left: Callable[[Scene], None], look: Callable[[Services], object], scene: Scene
) -> None:
    left(scene)
    scene.background.woken.clear()  # As if the process had died with its queue.
    scene.clock.set_back(hours=1)
    scene.claude.otherwise = say("Here I am.")
    sweep(scene.services, scene.background, look)
    assert scene.alex.received() == ["Here I am."]
    assert (scene.outage(), scene.alerts()) == (None, {})


def test_r67_a_wait_that_the_model_asked_for_after_the_step_is_kept_to(scene: Scene) -> None:
    def meanwhile_down(_: object) -> object:
        scene.claude.otherwise = overloaded()
        scene.alex.text("Hello")  # It is put off, and the outage begins.
        scene.clock.set_back(hours=1)
        scene.claude.otherwise = rate_limited(retry_after="600")
        return rate_limited(retry_after="600")

    scene.claude.queue(meanwhile_down)  # type: ignore[arg-type]
    scene.blair.send("Hello")
    scene.background.run()
    asked = len(scene.claude.requests)
    scene.pass_time(minutes=9)
    assert len(scene.claude.requests) == asked


def test_r67_a_text_whose_terminal_died_is_answered_by_the_server(scene: Scene) -> None:
    with scene.services.transaction() as db:
        alex = people.add(db, ALEX, access="allowed", now=scene.clock.now())
        keep_for_terminal(db, alex, "Anybody?", scene.clock.now())
    sweep(scene.services, scene.background, answer_waiting.run)
    assert scene.alex.messages("out") == []
    scene.clock.set_back(hours=1)
    scene.claude.queue(say("Yes."))
    sweep(scene.services, scene.background, answer_waiting.run)
    assert [message.body for message in scene.alex.messages("out")] == ["Yes."]
