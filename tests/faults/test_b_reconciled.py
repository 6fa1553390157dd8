"""Sends that ended in doubt, and callbacks in every order: one text at Twilio, and one row that knows it as sent."""

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from itertools import permutations
from pathlib import Path

import pytest

from app.conversation.turn import answer, start
from app.delivery import outbox
from app.delivery.outbox import settle_interrupted
from app.jobs import ask_about_silent, fetch_missed, reconcile_sends
from app.services import Services
from app.wiring import build_services
from tests.fakes import FrozenClock, InlineBackground
from tests.line import Line
from tests.serving import Serving
from tests.stores import FullDisk
from tests.twilio_server import (
    CUT_AFTER_ACCEPTING,
    HTML_503,
    NO_ANSWER,
    PROBLEM_500,
    PUBLIC_URL,
    REFUSED,
    Accepted,
    Fault,
    TwilioServer,
    status_form,
    twilio_settings,
)

ALL_GONE_BY = {"minutes": 3}


def settle(line: Line) -> None:
    """Run everything that happens in the minutes after an interrupted send."""
    for _ in range(2):
        line.clock.advance(**ALL_GONE_BY)
        settle_interrupted(line.services)
        reconcile_sends.run(line.services)
        line.background.run()


def queue(line: Line, *parts: str) -> None:
    """Queue the parts of one reply to the person who has texted."""
    person = line.person()
    with line.services.transaction() as db:
        outbox.queue(db, person.id, None, "twilio", parts, line.clock.now())
    line.background.wake(person.id)
    line.background.run()


def ends_well(line: Line) -> bool:
    [message], [accepted] = line.went(), line.twilio.accepted
    return (message.state, message.sid) == ("sent", accepted.sid)


@pytest.mark.parametrize(
    ("fault", "callback_comes"), [(CUT_AFTER_ACCEPTING, True), (CUT_AFTER_ACCEPTING, False), (NO_ANSWER, False)]
)
def test_r20_r23_a_text_that_twilio_took_unsaid_is_adopted(line: Line, fault: Fault, callback_comes: bool) -> None:
    line.twilio.next_faults = [fault]
    line.text("Hello")
    start(line.services)
    line.background.wake(line.person().id)
    line.background.run()
    assert line.states() == ["unknown"], "It is not sent again as long as nobody knows."
    if callback_comes:
        line.call_back(line.twilio.accepted[0], "queued")
    settle(line)
    assert ends_well(line)


@pytest.mark.parametrize("fault", [HTML_503, PROBLEM_500], ids=["html", "problem"])
def test_r24_an_answer_in_no_known_form_leaves_its_text_in_doubt_and_the_next_goes_out(
    line: Line, fault: Fault
) -> None:
    line.twilio.next_faults = [fault]
    line.text("Hello")
    line.text("And?")
    assert line.states() == ["unknown", "sent"]
    assert len(line.twilio.accepted) == 1 + fault.accepts


@pytest.mark.parametrize("by_callback", [True, False])
def test_r20_the_next_part_goes_out_once_the_one_before_is_known_at_twilio(line: Line, by_callback: bool) -> None:
    line.text("Hello")
    line.twilio.next_faults = [CUT_AFTER_ACCEPTING]
    queue(line, "First part", "Second part")
    assert line.states() == ["sent", "unknown", "queued"]
    if by_callback:
        line.call_back(line.twilio.accepted[1], "queued")
    else:
        line.clock.advance(seconds=15)
        reconcile_sends.run(line.services)
    line.background.run()
    assert line.twilio.bodies[1:] == ["First part", "Second part"]


def test_a_list_that_twilio_refuses_to_show_is_told_until_it_can_be_read(line: Line) -> None:
    fetch_missed.run(line.services)
    for fault, told in ((HTML_503, []), (REFUSED, ["carrier_books"]), (HTML_503, ["carrier_books"]), (None, [])):
        line.twilio.next_look_faults = [fault]
        fetch_missed.run(line.services)
        assert line.alerts() == told


def test_r35_a_disk_that_is_full_when_the_id_is_to_be_saved_costs_no_second_text(line: Line) -> None:
    disk = FullDisk(line.services.store, lambda: bool(line.twilio.accepted))
    full = line.on(disk)
    full.bring("Hello")
    with pytest.raises(OSError, match="space"):
        full.background.run()
    assert (full.went()[0].state, full.went()[0].sid, disk.refused) == ("sending", None, 1)
    settle(full)
    assert ends_well(full)


@pytest.mark.parametrize("before_the_answer", range(5))
def test_r25_callbacks_in_every_order_doubled_and_early_end_in_the_highest(line: Line, before_the_answer: int) -> None:
    def call_back(text: Accepted, statuses: Sequence[str]) -> None:
        for status in statuses:
            assert line.call_back(text, status) == 204
            assert line.call_back(text, status) == 204

    for order in permutations(["queued", "sent", "delivered", "read"]):
        line.twilio.before_answering = partial(call_back, statuses=order[:before_the_answer])
        line.text("Hello")
        call_back(line.twilio.accepted[-1], order[before_the_answer:])
        line.clock.advance(hours=1)
    rows = [(message.state, message.sid, message.delivery) for message in line.went()]
    assert rows == [("sent", text.sid, "read") for text in line.twilio.accepted]
    assert len(rows) == 24


@pytest.mark.parametrize("order", list(permutations(["queued", "sent", "undelivered"])), ids="-".join)
def test_r25_a_loss_in_any_order_is_acted_on_once(line: Line, order: tuple[str, ...]) -> None:
    line.text("Hello")
    for status in [*order, *order]:
        code = {"ErrorCode": "30005"} if status == "undelivered" else {}
        assert line.call_back(line.twilio.accepted[0], status, **code) == 204
    [message] = line.went()
    assert (message.delivery, message.carrier_code) == ("undelivered", 30005)
    assert line.person().undelivered == 1
    line.text("Hello again")
    line.call_back(line.twilio.accepted[1], "delivered")
    assert line.person().undelivered == 0, "One that arrived ends the count of those that did not."


@pytest.mark.parametrize("key", ["", "/", "?m=", "?m=of-nobody&x=%7E"])
def test_r25_a_callback_of_nobodys_is_logged_and_2xx(line: Line, key: str, caplog: pytest.LogCaptureFixture) -> None:
    line.text("Hello")
    assert line.post(f"{PUBLIC_URL}/sms/status{key}", status_form("SM" + "9" * 32, "delivered")) == 204
    assert "none of ours" in caplog.text
    assert ends_well(line)
    assert line.went()[0].delivery is None


def test_r31_a_text_without_a_word_for_six_hours_is_asked_about_once_and_then_unconfirmed(line: Line) -> None:
    line.text("Hello")
    line.clock.advance(hours=5, minutes=59)
    ask_about_silent.run(line.services)
    assert line.twilio.looks == []
    line.clock.advance(minutes=1)
    ask_about_silent.run(line.services)
    with services_beside(line.twilio, line.clock) as restarted:
        for _ in range(3):
            ask_about_silent.run(restarted)
            line.clock.advance(hours=6)
        assert len(line.twilio.looks) == 1
        line.text("And this?")
        line.clock.advance(hours=6)
        ask_about_silent.run(restarted)
    assert len(line.twilio.looks) == 2
    assert line.twilio.accepted[1].sid in line.twilio.looks[1]
    assert [(message.state, message.delivery) for message in line.went()] == [("sent", "unconfirmed")] * 2


@pytest.mark.parametrize(("place", "state"), [("send.returned", "sending"), ("send.saved", "sent")])
def test_r21_a_process_killed_around_the_saving_of_the_id_has_sent_one_text_and_the_next_one_finds_it(
    tmp_path: Path, place: str, state: str
) -> None:
    # The process that dies lives in real time; the one that finds the text is this one, some minutes later.
    clock = FrozenClock(datetime.now(UTC))
    with TwilioServer(now=clock.now) as twilio:
        with Serving.live(tmp_path, twilio) as keepsake:
            keepsake.kill()
            keepsake.start(faults=f"{place}:1:KILL")
            keepsake.text("Hello")
            assert keepsake.wait_for_death() == -signal.SIGKILL
        with services_beside(twilio, clock) as services:
            background = InlineBackground(clock)
            background.start(partial(answer, services))
            line = Line(services, background, clock, twilio)
            assert line.states()[0] == state
            settle(line)
            assert ends_well(line)


@contextmanager
def services_beside(twilio: TwilioServer, clock: FrozenClock) -> Iterator[Services]:
    """Services of a process that takes over the installation in this folder."""
    settings = twilio_settings(twilio_api_url=twilio.url, access="open")
    services = replace(build_services(settings), clock=clock)
    yield services
    services.store.close()
