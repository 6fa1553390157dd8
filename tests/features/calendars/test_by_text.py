"""Calendars by text with the offline model: connected, asked about, let go, and what an address is refused for."""

import pytest

from app.conversation import turn
from app.services import Services
from tests.fakes import InlineBackground
from tests.features.calendars.test_calendars import DENTIST
from tests.file_servers import CalendarServer, calendar
from tests.memory.remembering import ANNA
from tests.phoning import Phone
from tests.routines.routine_line import Coming


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("what's on on monday?", "Monday 23 November, 12:00-13:00: Dentist."),
        ("What's on my calendar today?", "Nothing is in your calendar then."),
        ("my agenda for tomorrow", "Nothing is in your calendar then."),
        ("disconnect my calendar", "I don't look at that calendar any more. /undo connects it again."),
    ],
)
def test_the_offline_model_looks_and_connects(outside: Services, there: CalendarServer, words: str, said: str) -> None:
    address = there.hold(calendar(DENTIST))
    assert "Your calendar is connected" in turn.run_turn(outside, ANNA, f"My calendar is {address}").text
    assert said in turn.run_turn(outside, ANNA, words).text


NO_CALENDAR = "No calendar is connected."


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("what do I have today?", f"Today: 19:00 Gym. {NO_CALENDAR}"),
        ("what's on today?", f"Today: 19:00 Gym. {NO_CALENDAR}"),
        ("do i have anything on thursday?", f"Thursday 26 November: 08:00 Stretch; 17:00 Call Ana. {NO_CALENDAR}"),
        ("which reminders come tomorrow?", "Tomorrow: 08:00 Stretch."),
        (
            "what's coming up this week?",
            f"Today, 19:00: Gym; Stretch, daily at 08:00; Thursday 26 November, 17:00: Call Ana. {NO_CALENDAR}",
        ),
        ("what's next?", "1. Gym, 7 PM tonight. 2. Stretch, every day at 8 AM. 3. Call Ana, 5 PM on Thursday."),
    ],
)
def test_what_a_day_brings_is_told_with_its_reminders(outside: Services, words: str, said: str) -> None:
    for wish in ("of gym today at 7pm", "to stretch every day at 8am", "on thursday at 5pm to call Ana"):
        turn.run_turn(outside, ANNA, f"remind me {wish}")
    assert turn.run_turn(outside, ANNA, words).text == said


def test_of_a_day_that_brings_nothing_that_is_said(outside: Services, there: CalendarServer) -> None:
    first = turn.run_turn(outside, ANNA, "do I have anything on tomorrow?").text
    assert first.startswith("Nothing comes by itself then, no calendar is connected,")
    turn.run_turn(outside, ANNA, f"My calendar is {there.hold(calendar(DENTIST))}")
    turn.run_turn(outside, ANNA, "remind me on monday at 9am to floss")
    assert turn.run_turn(outside, ANNA, "what's on on monday?").text == (
        "Monday 23 November, 12:00-13:00: Dentist. Monday 23 November: 09:00 Floss."
    )


def test_a_routine_that_tells_the_day_has_its_reminders_in_it(outside: Services, background: InlineBackground) -> None:
    coming = Coming(Phone(outside, background))
    [set_] = coming.phone.text("every weekday at 7am text me my plan for the day")
    coming.phone.text("remind me on monday at 5pm to call Ana")
    assert "Without a model" not in set_
    assert coming.pass_time(hours=46) == ["Today: 17:00 Call Ana. No calendar is connected."]
