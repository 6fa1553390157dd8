"""Cases E: what is due comes once and at its time, whatever the process, the clock and the model do."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest

from app import people
from app.clients.claude import ClaudeModel
from app.conversation import due_routines, waiting
from app.conversation.waiting import wake_waiting
from app.errors import ModelDown
from app.jobs import begin_routines
from app.memory import forget
from app.models import Message, Occurrence, Person, Routine, Turn
from app.people import consents
from app.routines import setting
from app.routines.schedule import Schedule
from app.services import Services
from tests.claude_server import ClaudeServer, Reply, overloaded, say
from tests.conftest import MakeServices
from tests.fakes import FrozenClock, InlineBackground, Terse
from tests.line import Line
from tests.memory.remembering import OPERATOR, TOLD
from tests.phoning import DyingAfter, Killed
from tests.routines.routine_line import Coming
from tests.stores import Meanwhile
from tests.twilio_server import TOO_MANY

AT_TEN = {"repeat": "daily", "times": ["10:00"]}  # An hour from now, in the person's zone.


@pytest.fixture
def by_claude(coming: Coming, make_services: MakeServices, claude_model: ClaudeModel) -> Coming:
    """Turns are had with Claude's stand-in."""
    make_services(model=claude_model)
    return coming


def due_on(line: Line, does: str = "remind") -> None:
    """Set a reminder for a person who has texted, and let it fall due."""
    line.text("Hello")
    when = Schedule("once", instant=line.clock.now() + timedelta(hours=1))
    new = setting.NewRoutine(does, "stretch", when)
    setting.set_routine(line.services, line.person().id, new, TOLD, "twilio")
    line.clock.advance(hours=1)


# R67: the clock is set.


def test_r67_a_day_ahead_brings_one_text_and_set_back_again_nothing_is_lost(coming: Coming, clock: FrozenClock) -> None:
    coming.remind("drink", repeat="hourly", from_time="08:00", to_time="20:00")
    assert len(coming.pass_time(days=1, minutes=1)) == 1
    assert coming.states().count("missed") == 12
    clock.set_back(days=1)
    assert coming.pass_time(minutes=58) == []
    assert coming.pass_time(minutes=1) == ["Reminder: drink"]


def test_r67_what_was_put_off_comes_at_that_time_and_not_at_its_first_again(coming: Coming, clock: FrozenClock) -> None:
    coming.remind("call Ana", repeat="once", times=["09:05"])
    assert coming.pass_time(minutes=5) == ["Reminder: call Ana"]
    coming.change("snooze", minutes=60)
    clock.set_back(minutes=30)
    assert coming.tick() + coming.pass_time(minutes=30) == []
    assert coming.pass_time(minutes=60) == ["Reminder: call Ana"]


# R68: the process was down.


def test_r68_down_for_minutes_the_reminder_comes_once_and_says_that_it_is_late(coming: Coming) -> None:
    coming.remind("call Ana", repeat="once", times=["10:00"])
    assert coming.pass_time(minutes=80) == ["Reminder: call Ana (Late: this was due at 10:00.)"]
    assert coming.pass_time(minutes=1) == []
    [one] = coming.occurrences()
    assert (one.state, one.late_seconds, one.reason) == ("late", 1200, "It came 20 minutes late.")


@pytest.mark.parametrize(("days", "before", "kept"), [(2, "2", 2), (30, "at least 20", 20)])
def test_r68_down_for_days_a_daily_text_comes_at_most_once(coming: Coming, days: int, before: str, kept: int) -> None:
    coming.remind("stretch", **AT_TEN)
    [line] = coming.pass_time(days=days, hours=6)
    assert line == f"Sorry, I was out of reach and missed this: stretch (due at 10:00, and {before} times before)."
    assert coming.states() == ["missed"] * (kept + 1)
    assert coming.pass_time(hours=19) == ["Reminder: stretch"]


def test_r68_all_that_was_missed_is_one_line(coming: Coming) -> None:
    for number in range(7):
        coming.remind(f"thing {number}", repeat="once", in_minutes=60 + number)
    coming.services.clock.advance(days=1)  # type: ignore[attr-defined]
    begin_routines.run(coming.services)
    assert due_routines.do_next(coming.services, coming.phone.person_id, lambda *_: None)
    setting.pause(coming.services, coming.phone.person_id, 7, TOLD)  # What is on its way tells of the others, too.
    [line] = coming.tick()
    assert line.startswith("Sorry, I was out of reach and missed these: thing 0 (due on Saturday 21 November at 10:00)")
    assert line.endswith("and 2 more: /routines shows all.")
    assert coming.states() == [*["missed"] * 6, "cancelled"]


def test_r68_what_fell_due_just_before_the_night_comes_in_the_morning_or_not_at_all(coming: Coming) -> None:
    coming.remind("take the bread out", repeat="once", times=["21:50"])
    coming.remind("stretch", repeat="daily", times=["21:50"])
    assert coming.pass_time(hours=13, minutes=10) == []  # 22:10
    assert sorted(coming.states()) == ["held", "skipped"]
    [line] = coming.pass_time(hours=8, minutes=50)
    assert "take the bread out" in line


# R74: people who may get nothing.


@pytest.mark.parametrize(
    ("forbid", "reason"),
    [
        (people.block, "The number is blocked."),
        (partial(consents.opt_out_for, words="by phone"), "The person opted out."),
        (setting.pause_all, "All routines of the person were paused."),
    ],
    ids=["blocked", "opted out", "paused"],
)
def test_r74_to_whom_nothing_may_go_nothing_goes_and_the_reason_is_kept(
    forbid: Callable[[Services, int], object], reason: str, coming: Coming
) -> None:
    coming.remind("stretch", **AT_TEN)
    coming.services.clock.advance(hours=1)  # type: ignore[attr-defined]
    begin_routines.run(coming.services)
    forbid(coming.services, coming.phone.person_id)
    assert coming.tick() == []
    assert coming.ends() == [("skipped", reason)]


def test_r74_the_sixth_unasked_text_of_a_day_is_left_out_but_never_what_comes_once(coming: Coming) -> None:
    coming.remind("drink", repeat="hourly", from_time="10:00", to_time="17:00")
    coming.remind("call Ana", repeat="once", times=["17:30"])
    texts = [text for _ in range(9) for text in coming.pass_time(hours=1)]
    assert texts == ["Reminder: drink"] * 5 + ["Reminder: call Ana (Late: this was due at 17:30.)"]
    assert coming.states().count("skipped") == 3
    assert coming.pass_time(hours=16) == ["Reminder: drink"]


# R75: many at once.


def test_r75_a_thousand_at_eight_are_spread_and_none_is_dropped(
    make_services: MakeServices, background: InlineBackground, clock: FrozenClock
) -> None:
    services = make_services(model=Terse())
    when = Schedule("once", instant=clock.now() + timedelta(hours=1))
    with services.transaction() as db:
        everybody = [
            people.add(db, f"+1206555{number:04}", access="allowed", now=clock.now()).id for number in range(1000)
        ]
    for person_id in everybody:
        setting.set_routine(services, person_id, setting.NewRoutine("run", "the weather", when), TOLD, "phone")
    clock.advance(hours=1)
    begin_routines.run(services)
    assert len(background.woken) == 1
    woken = []
    for _ in range(250):
        background.woken.clear()
        begin_routines.run(services)
        woken.append(len(background.woken))
        clock.advance(seconds=1)
        background.run(within_seconds=0)
    assert max(woken) <= 6
    with services.reading() as db:
        assert db.query(Message).filter_by(purpose="routine", state="sent").count() == 1000


# R76: deleted while it fires.


def test_r76_after_the_confirmation_of_its_end_nothing_comes(by_claude: Coming, claude: ClaudeServer) -> None:
    number = by_claude.run("the weather", **AT_TEN)

    def cancelled_meanwhile(_: object) -> Reply:
        setting.cancel(by_claude.services, by_claude.phone.person_id, [number], OPERATOR)
        return say("Sunny.")

    claude.queue(cancelled_meanwhile)
    assert by_claude.pass_time(hours=1) == []
    assert by_claude.ends() == [("cancelled", "The routine was cancelled.")]


def test_r76_what_waits_to_be_sent_when_it_is_forgotten_is_written_anew(live: Line, claude: ClaudeServer) -> None:
    claude.queue(say("Hi."), say("Think of Greta."), say("Stretch."))
    due_on(live, "run")
    live.twilio.next_faults = [TOO_MANY] * 9
    begin_routines.run(live.services)
    live.background.run(within_seconds=1)
    forget(live.services, live.person().id, [], TOLD, about=["Greta"])
    for _ in range(2):
        live.sweep(minutes=1)
        begin_routines.run(live.services)
    assert live.twilio.bodies == ["Hi.", "Stretch."]


# R78: the model fails.


def test_r78_a_routine_whose_model_fails_comes_while_it_is_of_use(by_claude: Coming, claude: ClaudeServer) -> None:
    by_claude.run("the weather", **AT_TEN)
    claude.queue(*[overloaded()] * 3, say("Sunny."))
    assert by_claude.pass_time(hours=1) == []
    assert by_claude.states() == ["due"]
    assert by_claude.pass_time(minutes=5) == ["Sunny. (Late: this was due at 10:00.)"]


@pytest.mark.parametrize("nothing", ["", "\u200b", "---"])
def test_r78_a_routine_of_which_nothing_is_to_be_said_is_left_out(
    nothing: str, by_claude: Coming, claude: ClaudeServer
) -> None:
    by_claude.run("the weather, if it rains", **AT_TEN)
    claude.queue(say(nothing), say("Rain."))
    assert by_claude.pass_time(hours=1) == []
    assert by_claude.ends() == [("skipped", "There was nothing to say.")]
    assert by_claude.pass_time(hours=24) == ["Rain."]


def test_r78_when_it_is_of_no_use_any_more_it_is_dropped_with_a_record_and_no_text(coming: Coming) -> None:
    coming.run("the weather", **AT_TEN)
    with coming.services.transaction() as db:
        waiting.note_model_down(db, 0, ModelDown(), coming.services.clock.now())
    texts = [text for _ in range(130) for text in coming.pass_time(minutes=1)]
    assert texts == []
    assert coming.ends() == [("missed", "The model was down.")]
    with coming.services.reading() as db:
        assert db.query(Turn).filter_by(kind="routine").count() == 0


def test_r68_what_comes_once_is_not_lost_while_its_lane_is_held_up_or_the_carrier_is_out_of_reach(line: Line) -> None:
    due_on(line)
    line = line.on(Meanwhile(line.services.store, partial(line.clock.advance, hours=2), after=3))
    line.twilio.next_faults = [TOO_MANY] * 1000
    for hour in range(16):
        begin_routines.run(line.services)
        line.sweep(hours=1)
        line.twilio.next_faults *= hour < 6
    assert line.twilio.bodies[-1] == "Sorry, I was out of reach and missed this: stretch (due at 10:00)."


# What ends in the middle, or cannot begin.


def test_r69_a_damaged_one_is_paused_and_holds_up_no_other(coming: Coming) -> None:
    coming.remind("stretch", **AT_TEN)
    coming.remind("drink", **AT_TEN)
    with coming.services.transaction() as db:
        db.query(Routine).filter_by(number=1).update({"schedule": {"repeat": "daily", "times": ["24:00"]}})
    assert coming.pass_time(hours=1) == ["Reminder: drink"]
    assert coming.routine().state == "paused"


def test_r69_what_ends_its_process_each_time_is_given_up_without_a_word(
    coming: Coming, make_services: MakeServices, background: InlineBackground
) -> None:
    coming.run("the weather", **AT_TEN)
    make_services(model=DyingAfter(coming.services.model, 0))
    coming.services.clock.advance(hours=1)  # type: ignore[attr-defined]
    begin_routines.run(coming.services)
    for _ in range(5):
        with pytest.raises(Killed):
            background.run(within_seconds=0)
        wake_waiting(coming.services, quiet_seconds=0)
    assert coming.tick() == []
    assert coming.ends() == [("missed", "It ended its process again and again.")]


def test_r74_when_the_days_money_is_spent_nothing_is_said_and_reminders_still_come(
    coming: Coming, make_services: MakeServices, claude: ClaudeServer, claude_model: ClaudeModel
) -> None:
    settings = coming.services.settings.model_copy(update={"person_daily_budget_cents": 0})
    make_services(settings=settings, model=claude_model)
    coming.run("the weather", **AT_TEN)
    coming.remind("stretch", **AT_TEN)
    assert coming.pass_time(hours=1) == ["Reminder: stretch"]
    refused = next(one for one in coming.occurrences() if one.state == "skipped")
    assert "budget of 0 cents" in str(refused.reason)
    assert claude.requests == []


def test_r74_a_number_that_cannot_be_reached_gets_none_and_the_operator_sees_why(line: Line) -> None:
    due_on(line)
    with line.services.transaction() as db:
        db.get_one(Person, line.person().id).unreachable = "It is a landline."
    begin_routines.run(line.services)
    line.background.run(within_seconds=0)
    with line.services.reading() as db:
        [one] = db.query(Occurrence)
        assert (one.state, one.reason) == ("skipped", "It is a landline.")


@pytest.mark.parametrize("looked_before", [True, False])
def test_r74_the_carriers_word_ends_the_occurrence_and_what_comes_once(line: Line, looked_before: bool) -> None:
    due_on(line)
    begin_routines.run(line.services)
    line.background.run(within_seconds=1)
    if looked_before:
        begin_routines.run(line.services)
    assert line.twilio.bodies[-1] == "Reminder: stretch"
    assert line.call_back(line.twilio.accepted[-1], "delivered") == 204
    with line.services.reading() as db:
        assert [one.state for one in db.query(Occurrence)] == ["delivered"]
        assert [one.state for one in db.query(Routine)] == ["ended"]
