"""Rate limits for one number: texts that come too fast are answered late, and never lost."""

from datetime import timedelta

import pytest

from app.clients.claude import ClaudeModel
from app.conversation.waiting import LOOP_REPLIES
from app.jobs import begin_routines
from app.routines.occurrences import settle_sent
from app.text import kind_words
from tests.claude_server import ClaudeServer, say
from tests.conftest import MakeLine
from tests.line import Line
from tests.phoning import Phone
from tests.twilio_server import Fault


@pytest.fixture
def slow_line(make_line: MakeLine) -> Line:
    """A line that gives each person five replies an hour."""
    return make_line(person_replies_per_hour=5)


def flood(line: Line, texts: int, *, seconds_apart: float, **more: str) -> None:
    """Send texts one after the other; each gets its answer, if any, before the next."""
    began = line.clock.now()
    for number in range(1, texts + 1):
        line.text(f"My code number is {number}", **more)
        spare = began + timedelta(seconds=number * seconds_apart) - line.clock.now()
        line.clock.advance(seconds=max(0.0, spare.total_seconds()))


def test_a_machine_that_texts_commands_is_a_loop_too(line: Line) -> None:
    for _ in range(40):
        line.text("/help")
        line.clock.advance(seconds=2)
    assert len(line.twilio.bodies) < 2 * LOOP_REPLIES + 2  # The help takes two texts at most.
    assert line.alerts() == ["loop"]


@pytest.mark.parametrize("short_of", ["person_replies_per_hour", "person_daily_budget_cents"])
def test_r15_a_machine_that_texts_commands_to_a_person_at_rest_is_a_loop_too(
    short_of: str, make_line: MakeLine, claude: ClaudeServer, claude_model: ClaudeModel
) -> None:
    line = make_line({"model": claude_model}, **{short_of: 1})
    claude.otherwise = say("Yes.")
    flood(line, 2, seconds_apart=60)
    before = len(line.twilio.bodies)
    for _ in range(40):
        line.text("/memory")
        line.clock.advance(seconds=2)
    assert len(line.twilio.bodies) - before <= LOOP_REPLIES
    assert "loop" in line.alerts()


def test_a_loop_is_over_though_another_rest_follows_it(
    make_line: MakeLine, claude: ClaudeServer, claude_model: ClaudeModel
) -> None:
    line = make_line({"model": claude_model}, person_replies_per_hour=1)
    claude.otherwise = say("Yes.")
    flood(line, 2, seconds_apart=60)
    for _ in range(LOOP_REPLIES + 2):
        line.text("/memory")
    assert line.alerts() == ["loop"]
    line.sweep(minutes=11)
    assert (line.person().rests_for, line.alerts()) == ("rate", [])


def test_more_replies_in_an_hour_than_are_allowed_wait_for_the_first_to_be_an_hour_old(slow_line: Line) -> None:
    began = slow_line.clock.now()
    flood(slow_line, 12, seconds_apart=60)
    assert len(slow_line.twilio.bodies) == 5 + 1
    assert slow_line.twilio.bodies[-1] == kind_words.too_fast(55)
    slow_line.sweep(seconds=(began + timedelta(minutes=59) - slow_line.clock.now()).total_seconds())
    assert len(slow_line.twilio.bodies) == 6
    slow_line.sweep(minutes=1)
    assert len(slow_line.twilio.bodies) == 7
    assert {message.state for message in slow_line.came()} == {"answered"}


def test_a_person_is_told_once_an_hour_that_they_wait_and_commands_are_no_replies_of_the_model(slow_line: Line) -> None:
    flood(slow_line, 100, seconds_apart=60)
    told = [body for body in slow_line.twilio.bodies if body.startswith(kind_words.too_fast(1)[:40])]
    assert len(told) == 2
    before = len(slow_line.twilio.bodies)
    slow_line.text("/memory")
    assert len(slow_line.twilio.bodies) > before


def test_r67_a_rest_of_minutes_ends_when_the_clock_is_set_back_by_an_hour(line: Line) -> None:
    flood(line, 15, seconds_apart=2)
    line.sweep(hours=-1)
    assert len(line.twilio.bodies) == LOOP_REPLIES + 2


@pytest.mark.parametrize(("minutes", "command"), [(1, "/memory on"), (35, "/memory")])  # After 30 memory is on again.
def test_f19_a_text_at_rest_that_was_sent_with_memory_off_is_not_kept_though_it_is_on_since(
    slow_line: Line, minutes: int, command: str
) -> None:
    flood(slow_line, 5, seconds_apart=60)
    for text, wait in (("/memory off", 1), ("I like tea", minutes), (command, 1), ("I like cake", 0)):
        slow_line.text(text)
        slow_line.clock.advance(minutes=wait)
    slow_line.sweep(hours=1)
    slow_line.text("/memory")
    assert "\n1. Likes cake\n" in slow_line.twilio.bodies[-1]


def test_f11_what_a_text_at_rest_tells_is_not_kept_if_it_was_forgotten_meanwhile(slow_line: Line) -> None:
    flood(slow_line, 4, seconds_apart=60)
    for text in ("My sister is called Ana", "My sister Ana lives in Berlin", "/memory forget my sister", "I like tea"):
        slow_line.text(text)
        slow_line.clock.advance(minutes=1)
    slow_line.sweep(hours=1)
    slow_line.text("/memory")
    assert "What I know about you:\n2. Likes tea\n" in slow_line.twilio.bodies[-1]


def test_on_the_phone_page_nobody_is_too_fast(alex: Phone, claude: ClaudeServer) -> None:
    claude.otherwise = say("Yes.")
    for _ in range(70):
        assert alex.text("Hello") == ["Yes."]


def test_reminders_are_no_replies_to_a_machine(line: Line) -> None:
    for number in range(LOOP_REPLIES):
        line.text(f"Remind me at noon to pack thing {number}")
        line.clock.advance(minutes=1)
    line.clock.set(line.clock.now().replace(hour=20, minute=0))  # Noon in Los Angeles.
    for _ in range(3):
        begin_routines.run(line.services)
        line.background.run()
    line.text("Thanks!")
    assert (line.alerts(), line.twilio.bodies[-1]) == ([], "You're welcome!")


def test_a_reminder_that_cannot_go_out_yet_is_not_written_to_each_second(line: Line) -> None:
    line.text("Remind me in 5 minutes to stretch")
    line.clock.advance(minutes=5)
    line.twilio.next_faults = [Fault(401, "")]
    begin_routines.run(line.services)
    line.background.run(within_seconds=0)
    assert line.went()[-1].state == "queued"
    written = line.services.store.wait_for_change(-1, 0)
    settle_sent(line.services)
    assert line.services.store.wait_for_change(-1, 0) == written
