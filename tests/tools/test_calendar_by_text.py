"""Calendars by text with the offline model: connected, asked about, let go, and what an address is refused for."""

import pytest

from app.assistant import turn
from app.services import Services
from tests.calendar_server import CalendarServer, calendar
from tests.memory.remembering import ANNA
from tests.tools.test_calendar import DENTIST


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
    address = there.put(calendar(DENTIST))

    assert "Your calendar is connected" in turn.hold(outside, ANNA, f"My calendar is {address}").text
    assert said in turn.hold(outside, ANNA, words).text


def test_r97_of_an_address_in_a_private_network_it_is_said_that_it_is_not_allowed(outside: Services) -> None:
    said = turn.hold(outside, ANNA, "My calendar is https://192.168.1.4/cal.ics").text
    assert "The calendar's address is not allowed: it leads into a private network" in said


def test_a_calendar_that_has_no_other_name_is_called_so_once(outside: Services, there: CalendarServer) -> None:
    said = turn.hold(outside, ANNA, f"My calendar is {there.put(calendar(DENTIST))}").text
    assert "Your calendar is connected. Its address stays hidden." in said
    assert turn.hold(outside, ANNA, "/undo").text == "Undone: no longer connected: the calendar."
