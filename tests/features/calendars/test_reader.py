"""What cannot be read of a calendar, read in a process of its own: a sentence for the person, the reason in the log."""

from contextlib import closing
from datetime import timedelta

import pytest

from app.errors import SourceError
from app.features.calendars.ics import IcsCalendars
from tests.fakes import FrozenClock
from tests.file_servers import CalendarServer, calendar, event


def test_of_what_breaks_the_reader_the_log_tells_kind_and_place_and_nothing_else(
    caplog: pytest.LogCaptureFixture,
) -> None:
    clock = FrozenClock()
    now = clock.now()
    odd = calendar("CALSCALE:JULIAN\r\n", event("odd", "DTSTART;VALUE=DATE:20261121", "SUMMARY:Heliotrope"))
    with (
        CalendarServer() as there,
        closing(IcsCalendars((there.url,))) as calendars,
        pytest.raises(SourceError, match=r"^The calendar cannot be read: It is no calendar that can be read\.$"),
    ):
        calendars.events(there.hold(odd), now, now + timedelta(days=1), "Asia/Tokyo", 20.0)
    assert "A calendar could not be read: InvalidCalendar in " in caplog.text
    assert "Heliotrope" not in caplog.text


def test_an_event_of_thousands_of_years_or_of_no_time_hides_no_other() -> None:
    clock = FrozenClock()
    now = clock.now()
    odd = [("20000101", "99991231"), ("00010101", "20270101"), ("99991231", "99991231")]
    events = [
        event(f"odd{begins}{ends}", f"DTSTART;VALUE=DATE:{begins}", f"DTEND;VALUE=DATE:{ends}", "SUMMARY:Odd")
        for begins, ends in odd
    ]
    lasting = event("span", "DTSTART:20261121T000000Z", "DURATION:P3000000D", "SUMMARY:Odd")
    never = event("never", "SUMMARY:Odd")
    plain = event("plain", f"DTSTART:{now + timedelta(hours=1):%Y%m%dT%H%M%SZ}", "SUMMARY:Dentist")
    with CalendarServer() as there, closing(IcsCalendars((there.url,))) as calendars:
        address = there.hold(calendar(*events, lasting, never, plain))
        found = calendars.events(address, now, now + timedelta(days=1), "Asia/Tokyo", 20.0)
    assert [one.title for one in found] == ["Dentist"]
