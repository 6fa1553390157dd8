"""Cases C: the model is down, slow, gone or strange, and every text still gets its one answer.

What one strange answer does to a turn (R36, R40 to R43, R46, R51, R52) stands in `tests/conversation/test_loop.py`, and
what one fault does to a call (R36 to R40, R47) in `tests/clients/test_claude_faults.py`. Here stands what people see.
"""

import signal
from pathlib import Path

import pytest

from app.clients.claude import WAIT_MAX_SECONDS, ClaudeModel
from app.conversation import claim, waiting
from app.conversation.turn import hold, start
from app.jobs import answer_waiting, notice_waiting
from app.services import Services
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
from tests.fakes import FrozenClock, InlineBackground
from tests.faults.outages import COFFEE, alerts, down, pass_time
from tests.phoning import ALEX, DyingAfter, Killed, Phone
from tests.serving import Serving
from tests.twilio_server import TwilioServer

SPEND_LIMIT = rate_limited(retry_after="1", code="enforced_spend_limit_reached")


@pytest.mark.parametrize("fault", [html(), truncated(), overloaded(), error(500, "api_error"), cut(), rate_limited()])
def test_r36_r37_t9_a_text_that_the_model_cannot_take_is_kept_and_answered_when_it_is_back(
    fault: Reply, alex: Phone, claude: ClaudeServer, clock: FrozenClock
) -> None:
    claude.queue(fault, fault, fault)
    assert alex.text("Hello") == []
    claude.queue(say("Here I am."))
    pass_time(alex, clock, minutes=0.5)
    assert alex.received() == ["Here I am."]
    assert [(turn.state, turn.outcome) for turn in alex.turns()] == [("done", "replied")]
    assert (down(alex.services), alerts(alex.services)) == (None, {})


def test_r37_a_wait_of_a_day_releases_the_worker_and_the_model_is_tried_within_a_quarter_of_an_hour(
    alex: Phone, claude: ClaudeServer, clock: FrozenClock
) -> None:
    claude.queue(rate_limited(retry_after="86400"))
    alex.text("Hello")
    assert clock.waits == []
    pass_time(alex, clock, minutes=14)
    assert len(claude.requests) == 1
    claude.queue(say("Here I am."))
    pass_time(alex, clock, minutes=2)
    assert alex.received() == [kind_words.MODEL_DOWN, "Here I am."]


def test_r37_t9_overload_for_ten_minutes_is_told_once_and_answered_within_a_minute_of_its_end(
    alex: Phone, claude: ClaudeServer, clock: FrozenClock
) -> None:
    claude.otherwise = overloaded()
    alex.text("Hello")
    pass_time(alex, clock, minutes=10)
    assert alex.received() == [kind_words.MODEL_DOWN]
    assert max(clock.waits) <= WAIT_MAX_SECONDS
    assert len(claude.requests) <= 3 * (15 + 2)  # Two of the tries asked a small question as well.
    assert "529" in alerts(alex.services)["model_down"]
    claude.otherwise = say("Here I am.")
    pass_time(alex, clock, minutes=1.3)
    assert alex.received() == [kind_words.MODEL_DOWN, "Here I am."]
    assert alerts(alex.services) == {}


def test_r38_a_spend_limit_is_asked_once_alerts_at_once_and_opens_the_circuit_for_all(
    alex: Phone, blair: Phone, claude: ClaudeServer, clock: FrozenClock
) -> None:
    claude.queue(SPEND_LIMIT)
    alex.text("Hello")
    blair.text("Hello")
    pass_time(alex, clock, minutes=3)
    assert len(claude.requests) == 1
    assert "spend limit" in alerts(alex.services)["model_down"]
    assert (alex.received(), blair.received()) == ([kind_words.MODEL_DOWN], [kind_words.MODEL_DOWN])


@pytest.mark.parametrize("settings", [{"turn_max_seconds": 0.3}], indirect=True)
def test_r39_an_answer_that_does_not_come_in_time_is_asked_for_again_later(
    alex: Phone, claude: ClaudeServer, clock: FrozenClock
) -> None:
    claude.queue(Reply(content=[text("Too late")], pace="drip body"))
    assert alex.text("Hello") == []
    claude.queue(say("In time."))
    pass_time(alex, clock, minutes=0.5)
    assert alex.received() == ["In time."]


@pytest.mark.parametrize("settings", [{"turn_max_seconds": 0.3}], indirect=True)
def test_r39_a_text_that_alone_takes_too_long_ends_kindly_and_holds_up_nobody(
    alex: Phone, claude: ClaudeServer, clock: FrozenClock
) -> None:
    slow = Reply(content=[text("Too late")], pace="drip body")
    claude.otherwise = lambda request: say("Yes.") if "Are you there?" in str(request["messages"]) else slow
    alex.text("Count all the stars")
    pass_time(alex, clock, minutes=1)
    assert alex.received() == [kind_words.trouble(memory_changed=False)]
    assert down(alex.services) is None


@pytest.mark.parametrize("settings", [{"person_daily_budget_cents": 300}], indirect=True)  # A lost answer counts.
@pytest.mark.parametrize("fault", [error(500, "api_error"), cut()])
def test_r39_a_text_that_alone_breaks_the_model_ends_kindly_and_the_others_are_answered(
    fault: Reply, alex: Phone, blair: Phone, claude: ClaudeServer, clock: FrozenClock
) -> None:
    claude.otherwise = lambda request: fault if "Divide by zero" in str(request["messages"]) else say("Yes.")
    alex.text("Divide by zero")
    for texted in range(1, 4):
        blair.send("Are you well?")
        pass_time(alex, clock, minutes=2)
        # They may have been told that their text is kept, when the next try was put a little more than a minute off.
        assert [body for body in blair.received() if body != kind_words.MODEL_DOWN] == ["Yes."] * texted
    assert alex.received() == [kind_words.MODEL_DOWN, kind_words.trouble(memory_changed=False)]
    assert (down(alex.services), alerts(alex.services)) == (None, {})


def test_r39_a_text_that_breaks_the_model_while_nobody_else_texts_ends_kindly_within_five_minutes(
    alex: Phone, claude: ClaudeServer, clock: FrozenClock
) -> None:
    fault = error(500, "api_error")
    claude.otherwise = lambda request: say("Yes.") if "Are you there?" in str(request["messages"]) else fault
    alex.text("Divide by zero")
    pass_time(alex, clock, minutes=5)
    assert alex.received() == [kind_words.MODEL_DOWN, kind_words.trouble(memory_changed=False)]
    assert down(alex.services) is None


@pytest.mark.parametrize(
    "fault", [rate_limited(retry_after="1"), error(529, "overloaded_error", headers={"retry-after": "1"}), SPEND_LIMIT]
)
def test_r37_r38_a_server_that_says_itself_that_it_is_not_the_question_keeps_it(
    fault: Reply, alex: Phone, claude: ClaudeServer, clock: FrozenClock
) -> None:
    claude.otherwise = lambda request: say("Yes.") if "Are you there?" in str(request["messages"]) else fault
    alex.text("Hello")
    pass_time(alex, clock, minutes=10)
    claude.otherwise = say("Here I am.")
    pass_time(alex, clock, minutes=20)
    assert alex.received() == [kind_words.MODEL_DOWN, "Here I am."]


def test_r47_a_key_revoked_in_the_midst_of_the_day_keeps_the_texts_until_the_restart_with_a_new_one(
    alex: Phone, claude: ClaudeServer, clock: FrozenClock, make_services: MakeServices
) -> None:
    claude.queue(error(401, "authentication_error"))
    alex.text("Hello")
    assert "ANTHROPIC_API_KEY" in alerts(alex.services)["model_down"]
    clock.advance(seconds=30)
    claude.queue(say("Here I am."))
    start(alex.services)
    alex.background.run()
    assert alex.received() == ["Here I am."]
    assert alerts(alex.services) == {}


def test_a_turn_that_is_put_off_repeats_no_call_and_keeps_texts_that_came_meanwhile_for_later(
    alex: Phone, claude: ClaudeServer, clock: FrozenClock
) -> None:
    claude.queue(call("extract_memory", COFFEE), *[overloaded()] * 3)
    alex.text("I like black coffee")
    alex.send("And tea?")
    claude.queue(say("Noted: coffee."), say("Tea, too."))
    pass_time(alex, clock, minutes=1)
    assert alex.received() == ["Noted: coffee.", "Tea, too."]
    assert alex.facts() == ["Likes black coffee"]
    assert [made.name for made in alex.tool_calls()] == ["extract_memory"]
    assert [turn.model_calls for turn in alex.turns()] == [2, 1]


def test_commands_are_answered_while_the_model_is_down_but_those_that_change_something_wait_their_turn(
    alex: Phone, blair: Phone, claude: ClaudeServer, clock: FrozenClock
) -> None:
    claude.queue(*[overloaded()] * 3)
    blair.text("Hello")
    assert alex.text("/help")[0].startswith("Text me like a friend")
    for nothing in ("/memory", "/rules", "/routines", "/who looked", "/more"):  # Behind a text that was put off.
        assert len(blair.text(nothing)) == 1
        assert len(alex.text("And how are you?", nothing)) == 1  # Behind texts that were never begun.
    assert blair.text("/undo", "/memory") == []
    assert len(claude.requests) == 3

    claude.otherwise = say("Here I am.")
    pass_time(alex, clock, minutes=1)
    assert blair.received()[-3:-1] == ["Here I am.", "There is nothing to undo."]
    assert alex.received()[-1] == "Here I am."
    assert {turn.state for turn in (*alex.turns(), *blair.turns())} == {"done"}


def test_t9_fifty_people_are_answered_oldest_first_after_one_try_at_a_time(
    claude_services: Services, background: InlineBackground, claude: ClaudeServer, clock: FrozenClock
) -> None:
    phones = [Phone(claude_services, background, f"+1206555{number:04}") for number in range(50)]
    claude.otherwise = overloaded()
    for phone in phones:
        phone.send(f"Hello from {phone.number}")
        clock.advance(seconds=0.01)
    background.run()
    assert len(claude.requests) == 3  # Whoever came first asked, and the others were not to.
    pass_time(phones[0], clock, minutes=8)
    before = len(claude.requests)
    assert before <= 3 * 14
    claude.otherwise = lambda request: say(newest(request))
    background.delays.clear()
    pass_time(phones[0], clock, minutes=1.3)
    answered = list(map(newest, claude.requests[before:]))
    assert len(answered) == 50
    assert answered[1:] == sorted(set(answered) - {answered[0]})
    assert [phone.received()[-1] for phone in phones] == [f"Hello from {phone.number}" for phone in phones]
    assert background.delays.count(0.0) <= 50
    assert max(background.delays) == pytest.approx(0.2 * 48)


def test_t9_the_one_try_is_made_by_who_has_waited_longest_and_the_next_by_another(
    claude_services: Services, background: InlineBackground, claude: ClaudeServer, clock: FrozenClock
) -> None:
    phones = [Phone(claude_services, background, f"+1206555{number:04}") for number in range(3)]
    claude.otherwise = overloaded()
    for phone in phones:
        phone.text(f"Hello from {phone.number}")
    pass_time(phones[0], clock, minutes=1)
    asked = [newest(request)[-4:] for request in claude.requests[::3]]
    assert asked[:4] == ["0000", "0001", "0002", "0000"]


def test_t9_of_two_processes_that_would_try_at_one_instant_one_does(
    alex: Phone, claude: ClaudeServer, clock: FrozenClock
) -> None:
    claude.queue(*[overloaded()] * 3)
    alex.text("Hello")
    clock.advance(seconds=10)
    with alex.services.transaction() as db:
        tries = [waiting.may_try(db, alex.person_id, clock.now(), 60.0) for _ in range(2)]
    assert tries == [True, False]


def test_t9_a_process_that_dies_while_it_tries_leaves_the_next_try_to_another(
    alex: Phone, claude: ClaudeServer, clock: FrozenClock
) -> None:
    claude.queue(*[overloaded()] * 3)
    alex.text("Hello")
    clock.advance(seconds=10)
    with alex.services.transaction() as db:
        assert waiting.may_try(db, alex.person_id, clock.now(), 60.0)
    claude.queue(say("Here I am."))
    pass_time(alex, clock, minutes=2.2)
    assert alex.received()[-1] == "Here I am."


def test_t9_whoever_is_to_try_and_needs_no_model_lets_the_next_try_at_once(
    alex: Phone, blair: Phone, background: InlineBackground, claude: ClaudeServer, clock: FrozenClock
) -> None:
    claude.queue(*[overloaded()] * 3)
    blair.send("Hello")
    alex.send("")  # To which the answer needs no model.
    background.run()
    claude.queue(say("Hello to you."))
    clock.advance(seconds=10)
    for _ in range(2):
        notice_waiting.run(alex.services)
        background.run()
    assert (alex.received(), blair.received()) == ([kind_words.EMPTY], ["Hello to you."])


def test_a_text_answered_hours_late_is_answered_all_the_same_and_the_model_is_told_to_say_sorry(
    alex: Phone, claude: ClaudeServer, clock: FrozenClock
) -> None:
    claude.queue(*[overloaded()] * 3)
    alex.text("Hello")
    clock.advance(hours=26)
    claude.queue(say("Sorry, that took a day."))
    pass_time(alex, clock, minutes=0.1)
    assert alex.received()[-1] == "Sorry, that took a day."
    assert "waited 26 hours" in str(claude.requests[-1]["messages"][-1])
    assert "waited" not in str(claude.requests[0]["messages"])


def test_t9_the_terminal_is_told_at_once_and_its_text_is_not_answered_later(
    claude_services: Services, claude: ClaudeServer, clock: FrozenClock
) -> None:
    claude.queue(*[overloaded()] * 3)
    held = hold(claude_services, ALEX, "Hello")
    assert (held.text, held.outcome) == (kind_words.trouble(memory_changed=False), "model_down")
    clock.advance(minutes=10)
    answer_waiting.run(claude_services)
    assert claude_services.background.woken == []  # type: ignore[attr-defined]


def test_t9_the_terminal_does_not_wait_behind_a_text_of_the_phone_that_waits_for_the_model(
    alex: Phone, claude: ClaudeServer, clock: FrozenClock
) -> None:
    claude.queue(*[overloaded()] * 3)
    alex.text("Hello")
    waited = sum(clock.waits)
    held = hold(alex.services, ALEX, "What is 2+2?")
    assert (held.text, held.outcome) == (kind_words.trouble(memory_changed=False), "model_down")
    assert sum(clock.waits) == waited
    claude.queue(say("Hello to you."))
    pass_time(alex, clock, minutes=0.3)
    assert alex.received() == ["Hello to you."]


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
        assert twilio.bodies == [kind_words.trouble(memory_changed=False), "Hello to you."]
        assert any("Alert dead_letters" in line for line in serving.lines)
        assert serving.command("people", "retry", ALEX).startswith("Texts tried again: 1.")
        twilio.wait_for(3)
        assert twilio.bodies[2:] == ["It was no poison."]
        assert "Poison" in str(claude.requests[-1]["messages"][-1])
        assert serving.command("people", "retry", ALEX).startswith("Texts tried again: 0.")


def test_whoever_meets_a_fault_of_ours_is_told_whether_memory_was_changed_before_it(
    alex: Phone, claude: ClaudeServer, claude_model: ClaudeModel, make_services: MakeServices
) -> None:
    claude.queue(call("extract_memory", COFFEE))
    make_services(model=DyingAfter(claude_model, 1, RuntimeError))
    assert alex.text("I like black coffee") == [kind_words.trouble(memory_changed=True)]
    assert alex.text("Hello") == [kind_words.trouble(memory_changed=False)]
    assert [turn.outcome for turn in alex.turns()] == ["failed", "failed"]


def test_r19_whose_text_is_given_up_is_told_that_what_it_changed_is_kept(
    alex: Phone, claude: ClaudeServer, claude_model: ClaudeModel, make_services: MakeServices
) -> None:
    claude.queue(call("extract_memory", COFFEE))
    make_services(model=DyingAfter(claude_model, 1))
    alex.send("I like black coffee")
    for _ in range(claim.MAX_ATTEMPTS):
        with pytest.raises(Killed):
            alex.background.run(within_seconds=0)
        alex.background.wake(alex.person_id)
    alex.background.run()
    assert alex.received() == [kind_words.trouble(memory_changed=True)]


def test_t9_a_process_killed_after_it_put_a_text_off_answers_it_once_after_the_restart(
    tmp_path: Path, claude: ClaudeServer, twilio: TwilioServer
) -> None:
    claude.otherwise = error(401, "authentication_error")
    serving = Serving.live(tmp_path, twilio, claude)
    serving.start(faults="turn.put_off:1:KILL")
    serving.text("Hello")
    assert serving.wait_for_death() == -signal.SIGKILL
    claude.otherwise = say("Here I am.")
    with serving:
        assert [accepted.body for accepted in twilio.wait_for(1)] == ["Here I am."]
    assert len(claude.requests) == 2


def test_a_process_killed_after_it_answered_a_command_behind_a_text_that_waits_answers_both_once(
    tmp_path: Path, claude: ClaudeServer, twilio: TwilioServer
) -> None:
    claude.otherwise = error(401, "authentication_error")
    serving = Serving.live(tmp_path, twilio, claude)
    serving.start(faults="command.answered:1:KILL")
    serving.text("Hello")
    serving.text("/rules")
    assert serving.wait_for_death() == -signal.SIGKILL
    claude.otherwise = say("Here I am.")
    with serving:
        first, last = (accepted.body for accepted in twilio.wait_for(2))
    assert first.startswith("You have set no rules yet.")
    assert last == "Here I am."
