"""On WhatsApp and Messenger a text gets through within 24 hours of the person's last one; what is later waits."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from app import people
from app.delivery.inbox import IncomingText, take_in
from app.jobs import answer_waiting, begin_routines, tell_of_window
from app.memory import Origin
from app.models import Occurrence
from app.operations.alerts import open_alerts
from app.routines.request import ScheduleRequest, from_request
from app.routines.setting import NewRoutine, set_routine
from tests.line import Line
from tests.twilio_server import NUMBER, PERSON, REFUSED, Accepted, Fault

WHATSAPP = {"sender": f"whatsapp:{PERSON}", "to": f"whatsapp:{NUMBER}"}


class Window:
    """Somebody on WhatsApp; all jobs that matter here look whenever time passes, and Twilio tells how texts fare."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.twilio = line.twilio
        self._told = 0

    def text(self, body: str) -> list[str]:
        """Their text, and all that comes of it."""
        before = len(self.arrived())
        self.line.text(body, **WHATSAPP)
        self._look()
        return self.arrived()[before:]

    def pass_time(self, **span: float) -> list[str]:
        before = len(self.arrived())
        self.line.clock.advance(**span)
        self._look()
        return self.arrived()[before:]

    def arrived(self) -> list[str]:
        """The texts that reached the phone."""
        return [text.body for text in self.twilio.accepted if not self._is_lost(text)]

    def lost(self) -> list[str]:
        return [text.body for text in self.twilio.accepted if self._is_lost(text)]

    def remind(self, words: str, *, address: str = WHATSAPP["sender"], **schedule: Any) -> None:
        person, now = self.line.person(address), self.line.clock.now()
        when = from_request(ScheduleRequest(**schedule), now, person.timezone)
        new = NewRoutine("remind", words, when)
        set_routine(self.line.services, person.id, new, Origin("person", "explicit"), "twilio")

    def alert(self) -> str | None:
        with self.line.services.reading() as db:
            return next((one.sentence for one in open_alerts(db) if one.kind == "window"), None)

    def occurrences(self) -> list[tuple[str, str | None]]:
        with self.line.services.reading() as db:
            return [(one.state, one.reason) for one in db.scalars(select(Occurrence).order_by(Occurrence.due_at))]

    def _look(self) -> None:
        for _ in range(3):  # Each may leave something for another.
            begin_routines.run(self.line.services)
            answer_waiting.run(self.line.services)
            self.line.background.run(within_seconds=0)
            self.line.tell_of(*self.twilio.accepted[self._told :])
            self._told = len(self.twilio.accepted)
        tell_of_window.run(self.line.services)

    def _is_lost(self, text: Accepted) -> bool:
        return any(status == "failed" for status, _ in self.twilio.callbacks(text))


@pytest.fixture
def window(line: Line) -> Window:
    window = Window(line)
    assert len(window.text("Hello")) == 1
    return window


def keep_waiting(window: Window, body: str, hours: float) -> None:
    """Delay the answer to a text by some hours, in which Twilio accepts nothing."""
    window.twilio.next_faults = [REFUSED]
    assert window.text(body) == []
    window.line.clock.advance(hours=hours)


def test_a_reply_that_could_go_out_only_later_waits_for_the_person_and_comes_once(window: Window) -> None:
    keep_waiting(window, "How are you?", hours=24)
    calls = window.twilio.calls
    assert [text for _ in range(5) for text in window.pass_time(hours=1)] == []
    assert window.twilio.calls == calls, "Nothing is sent in the hope that it gets through."
    assert window.alert() == (
        "One text waits for one person until they text again: WhatsApp and Messenger take a text only within 24 hours "
        "of the person's last one (Twilio's error 63016). Nothing is lost, and nothing has to be done. Whoever is to "
        "have it sooner has to text first, so ask them to, or reach them by SMS; approved templates are not supported."
    )
    came = window.text("Are you there?")
    assert len(came) == 2, "The answer that waited, and the new one."
    assert window.line.went()[1].body == came[0]
    assert window.pass_time(hours=1) == []
    assert (window.lost(), window.alert()) == ([], None)


def test_up_to_24_hours_a_reply_goes_out_by_itself(window: Window) -> None:
    keep_waiting(window, "How are you?", hours=23.9)
    assert len(window.pass_time(minutes=1)) == 1
    assert window.alert() is None


def test_by_sms_no_window_closes(line: Line) -> None:
    line.text("Hello")
    window = Window(line)
    line.twilio.next_faults = [Fault(401, "")]
    line.text("How are you?")
    assert len(window.pass_time(hours=30)) == 1


def test_a_reminder_that_is_still_of_use_when_they_write_comes_as_it_is(window: Window) -> None:
    window.remind("call the bank", repeat="once", date="2026-11-23", times=["10:00"])
    window.pass_time(hours=49, minutes=5)
    came = window.text("Good morning")
    assert [text for text in came if "call the bank" in text] == [
        "Reminder: call the bank (Late: this was due at 10:00.)"
    ]


@pytest.mark.parametrize("at_once", [False, True])
def test_a_reply_that_twilio_calls_too_late_is_kept_and_comes_once_they_write(window: Window, at_once: bool) -> None:
    window.twilio.account.refuses_closed_windows = at_once
    window.line.clock.advance(hours=1)
    window.line.bring("How are you?", **WHATSAPP)
    window.twilio.account.heard.clear()  # By WhatsApp's clock it was longer ago.
    assert [text for _ in range(5) for text in window.pass_time(hours=1)] == []
    assert len(window.lost()) == (0 if at_once else 1)
    assert window.twilio.calls == 2, "It is tried once."
    assert "One text waits for one person" in str(window.alert())
    came = window.text("Are you there?")
    assert len(came) == 2
    assert came[0] == window.line.went()[1].body
    assert [text for _ in range(5) for text in window.pass_time(hours=1)] == []
    assert window.alert() is None


@pytest.mark.parametrize("at_once", [False, True])
def test_a_reminder_that_twilio_says_came_too_late_is_told_of_when_they_write(window: Window, at_once: bool) -> None:
    window.twilio.account.refuses_closed_windows = at_once
    window.remind("call the bank", repeat="once", date="2026-11-21", times=["12:00"])
    window.twilio.account.heard.clear()
    assert window.pass_time(hours=4) == []
    assert [text for _ in range(5) for text in window.pass_time(hours=1)] == []
    assert window.twilio.calls == 2, "It is tried once."
    assert window.occurrences() == [
        ("due", "Their last text is more than 24 hours old, so their channel takes nothing before they text again.")
    ]
    came = window.text("Good evening")
    assert len([text for text in came if "call the bank" in text]) == 1
    assert [text for _ in range(5) for text in window.pass_time(hours=1)] == []
    assert window.alert() is None


def test_whoever_has_written_since_a_text_was_lost_gets_it_at_once(window: Window) -> None:
    window.line.clock.advance(hours=1)
    window.line.bring("How are you?", **WHATSAPP)
    window.twilio.account.heard.clear()
    window.line.background.run()
    [lost] = window.lost()
    window.line.clock.advance(seconds=5)
    window.line.bring("Hello?", **WHATSAPP)
    window.line.clock.advance(seconds=5)
    window.line.tell_of(window.twilio.accepted[-1])
    window.pass_time(minutes=1)
    assert window.arrived().count(lost) == 1


def test_somebody_who_never_wrote_is_not_written_to(window: Window) -> None:
    stranger, calls = "whatsapp:+14155550177", window.twilio.calls
    with window.line.services.transaction() as db:
        people.add(db, stranger, access="allowed", now=window.line.clock.now())
    window.remind("call the bank", address=stranger, repeat="once", date="2026-11-21", times=["12:00"])
    assert window.pass_time(hours=5) == []
    assert window.twilio.calls == calls
    assert "One text waits for one person" in str(window.alert())


def test_a_late_text_from_the_ledger_closes_no_window(window: Window) -> None:
    keep_waiting(window, "How are you?", hours=1)
    late = window.line.clock.now() - timedelta(hours=25)
    given = ("SM" + "a" * 32, WHATSAPP["sender"], WHATSAPP["to"], "A lost one", "twilio")
    take_in(window.line.services, IncomingText(*given, sent_at=late))
    assert len(window.pass_time(minutes=1)) == 1
