"""What cannot be read of a calendar, read in a process of its own: a sentence for the person, the reason in the log."""

from contextlib import closing
from datetime import timedelta

import pytest

from app.clients.ics_calendars import IcsCalendars
from app.errors import SourceError
from tests.calendar_server import CalendarServer, calendar, event
from tests.fakes import FrozenClock


def test_of_what_breaks_the_reader_the_log_tells_kind_and_place_and_nothing_else(
    caplog: pytest.LogCaptureFixture,
) -> None:
    clock = FrozenClock()
    now = clock.now()
    far = calendar(event("far", "DTSTART;VALUE=DATE:99991231", "SUMMARY:Heliotrope"))
    with (
        CalendarServer() as there,
        closing(IcsCalendars(clock, (there.url,))) as calendars,
        pytest.raises(SourceError, match=r"^The calendar cannot be read: It is no calendar that can be read\.$"),
    ):
        calendars.events(there.put(far), now, now + timedelta(days=1), "Asia/Tokyo", 20.0)
    assert "A calendar could not be read: OverflowError in " in caplog.text
    assert "Heliotrope" not in caplog.text
