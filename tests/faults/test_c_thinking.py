"""Cases C: the model is down, slow, gone or strange, and every text still gets its one answer.

What one strange answer does to a turn (R36, R40 to R43, R46, R51, R52) stands in `tests/conversation/test_loop.py`, and
what one fault does to a call (R36 to R40, R47) in `tests/clients/test_claude_faults.py`. Here stands what people see.
"""

import signal
from pathlib import Path

import pytest

from app.clients.claude import ClaudeModel
from app.conversation import claim, waiting
from app.conversation.turn import run_turn, start
from app.jobs import answer_waiting
from app.services.retries import WAIT_MAX_SECONDS
from app.text import kind_words
from tests.asked_of_claude import newest
from tests.claude_server import (
    ClaudeServer,
    Reply,
    call,
    cut,
    error,
    html,
    overloaded,
    rate_limited,
    say,
    text,
    truncated,
)
from tests.conftest import MakeServices
from tests.faults.outages import COFFEE, Scene
from tests.phoning import ALEX, DyingAfter, Killed
from tests.serving import Serving
from tests.twilio_server import TwilioServer

SPEND_LIMIT = rate_limited(retry_after="1", code="enforced_spend_limit_reached")


@pytest.mark.parametrize("fault", [html(), truncated(), overloaded(), error(500, "api_error"), cut(), rate_limited()])
def test_r36_r37_t9_a_text_that_the_model_cannot_take_is_kept_and_answered_later(scene: Scene, fault: Reply) -> None:
    scene.claude.queue(fault, fault, fault)
    assert scene.alex.text("Hello") == []
    scene.claude.queue(say("Here I am."))
    scene.pass_time(minutes=0.5)
    assert scene.alex.received() == ["Here I am."]
    assert [(turn.state, turn.outcome) for turn in scene.alex.turns()] == [("done", "replied")]
    assert (scene.outage(), scene.alerts()) == (None, {})


def test_r37_t9_overload_for_ten_minutes_is_told_once_and_answered_within_a_minute_of_its_end(scene: Scene) -> None:
    scene.claude.otherwise = overloaded()
    scene.alex.text("Hello")
    scene.pass_time(minutes=10)
    assert scene.alex.received() == [kind_words.MODEL_DOWN]
    assert max(scene.clock.waits) <= WAIT_MAX_SECONDS
    assert len(scene.claude.requests) <= 3 * (15 + 2)  # Two of the tries asked a small question as well.
    assert "529" in scene.alerts()["model_down"]
    scene.claude.otherwise = say("Here I am.")
    scene.pass_time(minutes=1.3)
    assert scene.alex.received() == [kind_words.MODEL_DOWN, "Here I am."]
    assert scene.alerts() == {}


def test_r37_a_server_that_asks_to_be_left_alone_for_a_day_is_told_to_the_operator_at_once(scene: Scene) -> None:
    scene.claude.queue(rate_limited(retry_after="86400"))
    scene.alex.text("Hello")
    assert "86,400" in scene.alerts()["model_down"]


def test_r38_a_spend_limit_is_asked_once_alerts_at_once_and_opens_the_circuit_for_all(scene: Scene) -> None:
    scene.claude.queue(SPEND_LIMIT)
    scene.alex.text("Hello")
    scene.blair.text("Hello")
    scene.pass_time(minutes=3)
    assert len(scene.claude.requests) == 1
    assert "spend limit" in scene.alerts()["model_down"]
    assert (scene.alex.received(), scene.blair.received()) == ([kind_words.MODEL_DOWN], [kind_words.MODEL_DOWN])


@pytest.mark.parametrize("settings", [{"person_daily_budget_cents": 300}], indirect=True)  # A lost answer counts.
@pytest.mark.parametrize("fault", [error(500, "api_error"), cut()])
def test_r39_a_text_that_alone_breaks_the_model_ends_kindly_and_others_go_on(scene: Scene, fault: Reply) -> None:
    scene.claude.otherwise = lambda request: fault if "Divide by zero" in str(request["messages"]) else say("Yes.")
    scene.alex.text("Divide by zero")
    for texted in range(1, 4):
        scene.blair.send("Are you well?")
        scene.pass_time(minutes=2)
        # They get the notice if the next try comes more than a minute later.
        assert [body for body in scene.blair.received() if body != kind_words.MODEL_DOWN] == ["Yes."] * texted
    assert scene.alex.received() == [kind_words.MODEL_DOWN, kind_words.apology(changed=False)]
    assert (scene.outage(), scene.alerts()) == (None, {})


@pytest.mark.parametrize(
    ("settings", "fault", "notices"),
    [
        ({"turn_max_seconds": 0.3}, Reply(content=[text("Too late")], pace="drip body"), []),
        ({}, error(500, "api_error"), [kind_words.MODEL_DOWN]),
    ],
    ids=["too long", "broken"],
    indirect=["settings"],
)
def test_r39_a_text_that_takes_too_long_or_breaks_the_model_while_nobody_else_texts_ends_kindly(
    fault: Reply, notices: list[str], scene: Scene
) -> None:
    scene.claude.otherwise = lambda request: say("Yes.") if "Are you there?" in str(request["messages"]) else fault
    scene.alex.text("Divide by zero")
    scene.pass_time(minutes=5)
    assert scene.alex.received() == [*notices, kind_words.apology(changed=False)]
    assert scene.outage() is None


@pytest.mark.parametrize(
    "fault", [rate_limited(retry_after="1"), error(529, "overloaded_error", headers={"retry-after": "1"}), SPEND_LIMIT]
)
def test_r37_r38_a_server_that_says_itself_that_it_is_not_the_question_keeps_it(scene: Scene, fault: Reply) -> None:
    scene.claude.otherwise = lambda request: say("Yes.") if "Are you there?" in str(request["messages"]) else fault
    scene.alex.text("Hello")
    scene.pass_time(minutes=10)
    scene.claude.otherwise = say("Here I am.")
    scene.pass_time(minutes=20)
    assert scene.alex.received() == [kind_words.MODEL_DOWN, "Here I am."]


def test_r47_a_key_revoked_in_the_midst_of_the_day_keeps_the_texts_until_the_restart_with_a_new_one(
    scene: Scene,
) -> None:
    scene.claude.queue(error(401, "authentication_error"))
    scene.alex.text("Hello")
    assert "ANTHROPIC_API_KEY" in scene.alerts()["model_down"]
    scene.clock.advance(seconds=30)
    scene.claude.queue(say("Here I am."))
    start(scene.services)
    scene.background.run()
    assert scene.alex.received() == ["Here I am."]
    assert scene.alerts() == {}


def test_commands_are_answered_while_the_model_is_down(scene: Scene) -> None:
    scene.put_off(scene.blair)
    assert scene.alex.text("/help")[0].startswith("Text me like a friend")
    assert len(scene.claude.requests) == 3


def test_t9_fifty_people_are_answered_oldest_first_after_one_try_at_a_time(scene: Scene) -> None:
    phones = scene.phones(50)
    scene.claude.otherwise = overloaded()
    for phone in phones:
        phone.send(f"Hello from {phone.number}")
        scene.clock.advance(seconds=0.01)
    scene.background.run()
    assert len(scene.claude.requests) == 3  # Only the first person's turn asked the model.
    scene.pass_time(minutes=8)
    before = len(scene.claude.requests)
    assert before <= 3 * 14
    scene.claude.otherwise = lambda request: say(newest(request))
    scene.pass_time(minutes=1.3)
    answered = list(map(newest, scene.claude.requests[before:]))
    assert len(answered) == 50
    assert answered[1:] == sorted(set(answered) - {answered[0]})
    assert [phone.received()[-1] for phone in phones] == [f"Hello from {phone.number}" for phone in phones]


def test_t9_of_two_processes_one_tries_and_when_it_dies_the_next_try_is_made_by_another(scene: Scene) -> None:
    scene.put_off()
    scene.clock.advance(seconds=10)
    with scene.services.transaction() as db:
        tries = [waiting.claim_try(db, scene.alex.person_id, scene.clock.now(), 60.0) for _ in range(2)]
    assert tries == [True, False]
    scene.claude.queue(say("Here I am."))
    scene.pass_time(minutes=2.2)
    assert scene.alex.received()[-1] == "Here I am."


def test_a_text_answered_hours_late_is_answered_all_the_same_and_the_model_is_told_to_say_sorry(scene: Scene) -> None:
    scene.put_off()
    scene.clock.advance(hours=26)
    scene.claude.queue(say("Sorry, that took a day."))
    scene.pass_time(minutes=0.1)
    assert scene.alex.received()[-1] == "Sorry, that took a day."
    assert "waited 26 hours" in str(scene.claude.requests[-1]["messages"][-1])
    assert "waited" not in str(scene.claude.requests[0]["messages"])


def test_t9_the_terminal_is_told_at_once_also_behind_a_text_that_waits_and_is_not_answered_later(scene: Scene) -> None:
    scene.claude.otherwise = overloaded()
    held = run_turn(scene.services, ALEX, "Hello")
    scene.alex.text("Are you there?")
    waited = sum(scene.clock.waits)
    again = run_turn(scene.services, ALEX, "What is 2+2?")
    assert sum(scene.clock.waits) == waited, "It does not wait for the phone's text."
    for one in (held, again):
        assert (one.text, one.outcome) == (kind_words.apology(changed=False), "model_down")
    scene.claude.otherwise = say("Hello to you.")
    scene.clock.advance(minutes=10)
    answer_waiting.run(scene.services)
    scene.background.run()
    assert scene.alex.received() == [held.text, "Hello to you."]


def test_r19_a_text_that_kills_its_process_five_times_is_given_up_told_once_and_tried_again_on_demand(
    tmp_path: Path, claude: ClaudeServer, twilio: TwilioServer
) -> None:
    serving = Serving.live(tmp_path, twilio, claude)
    serving.start(faults="turn.claimed:1:KILL")
    serving.text("Poison", sender=ALEX)
    assert serving.wait_for_death() == -signal.SIGKILL
    for _ in range(claim.MAX_ATTEMPTS - 1):
        serving.start(faults="turn.claimed:1:KILL", may_die=True)
        assert serving.wait_for_death() == -signal.SIGKILL
    claude.queue(say("Hello to you."), say("It was no poison."))
    with serving:
        twilio.wait_for(1)
        serving.text("Hello", sender=ALEX)
        twilio.wait_for(2)
        assert twilio.bodies == [kind_words.apology(changed=False), "Hello to you."]
        assert any("Alert dead_letters" in line for line in serving.lines)
        assert serving.command("people", "retry", ALEX).startswith("Texts tried again: 1.")
        twilio.wait_for(3)
        assert twilio.bodies[2:] == ["It was no poison."]
        assert "Poison" in str(claude.requests[-1]["messages"][-1])
        assert serving.command("people", "retry", ALEX).startswith("Texts tried again: 0.")


def test_whoever_meets_a_fault_of_ours_is_told_whether_memory_was_changed_before_it(
    scene: Scene, claude_model: ClaudeModel, make_services: MakeServices
) -> None:
    scene.claude.queue(call("extract_memory", COFFEE))
    make_services(model=DyingAfter(claude_model, 1, RuntimeError))
    assert scene.alex.text("I like black coffee") == [kind_words.apology(changed=True)]
    assert scene.alex.text("Hello") == [kind_words.apology(changed=False)]
    assert [turn.outcome for turn in scene.alex.turns()] == ["failed", "failed"]


def test_r19_whose_text_is_given_up_is_told_that_what_it_changed_is_kept(
    scene: Scene, claude_model: ClaudeModel, make_services: MakeServices
) -> None:
    scene.claude.queue(call("extract_memory", COFFEE))
    make_services(model=DyingAfter(claude_model, 1))
    scene.alex.send("I like black coffee")
    for _ in range(claim.MAX_ATTEMPTS):
        with pytest.raises(Killed):
            scene.background.run(within_seconds=0)
        scene.background.wake(scene.alex.person_id)
    scene.background.run()
    assert scene.alex.received() == [kind_words.apology(changed=True)]
