"""One slow sender and many texts: each in its slot, replies first, nothing stale, and nobody's thread waiting."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from app import people
from app.conversation.turn import start
from app.conversation.waiting import wake_waiting
from app.delivery import outbox
from app.delivery.inbox import IncomingText, take_in
from app.models import Message
from tests.conftest import MakeLine
from tests.line import Line
from tests.twilio_server import NUMBER, TOO_MANY


def pace(per_second: float) -> pytest.MarkDecorator:
    """Set the sender's pace in segments per second."""
    return pytest.mark.parametrize("line", [per_second], indirect=True)


class Paced(Line):
    """Texts queued for many people, and when each went out."""

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self.began = self.clock.now()
        self.times: dict[str, float] = {}
        self.twilio.before_answering = lambda text: self.times.update({text.body: self.seconds()})

    def seconds(self) -> float:
        return (self.clock.now() - self.began) / timedelta(seconds=1)

    def queue(self, bodies: Sequence[str], *, purpose: str = "reply", carrier: str = "twilio", form: str = "") -> None:
        """One text for each of as many people, in this order."""
        with self.services.transaction() as db:
            found = [self._person(db, f"{form}+1206555{number:04}") for number in range(len(bodies))]
            for person_id, body in zip(found, bodies, strict=True):
                outbox.queue(db, person_id, None, carrier, [body], self.clock.now(), purpose=purpose)
        for person_id in found:
            self.background.wake(person_id, at_once=True)

    def _person(self, db: Session, address: str) -> int:
        known = people.by_address(db, address)
        return (known or people.add(db, address, access="allowed", now=self.clock.now())).id


@pytest.fixture
def line(request: pytest.FixtureRequest, make_line: MakeLine) -> Paced:
    made = make_line(twilio_segments_per_second=request.param)
    return Paced(made.services, made.background, made.clock, made.twilio)


@pace(1)
def test_r32_five_hundred_texts_go_out_one_segment_a_second_and_replies_before_routines(line: Paced) -> None:
    routines = [f"Routine {number}" for number in range(500)]
    line.queue(routines, purpose="routine")
    line.background.run(within_seconds=99.5)
    assert list(line.times) == routines[:100]
    replies = [f"Reply {number}" for number in range(20)]
    line.queue(replies)
    line.background.run()
    assert [line.times[reply] for reply in replies] == [float(second) for second in range(100, 120)]
    assert sorted(line.times.values()) == [float(second) for second in range(520)]
    assert len(line.twilio.bodies) == len(set(line.twilio.bodies)) == 520
    valid = {text.body: int(text.form["ValidityPeriod"]) for text in line.twilio.accepted}
    assert {valid[reply] for reply in replies} == {4 * 3600}
    assert [valid[routine] for routine in routines] == [3600 - line.times[routine] for routine in routines]
    assert "refused" not in line.states()


@pace(0.01)
def test_r32_a_routine_that_is_stale_by_its_turn_is_dropped_with_a_record_and_a_reply_is_not(line: Paced) -> None:
    line.queue([f"Routine {number}" for number in range(40)], purpose="routine")
    line.background.run(within_seconds=4100)
    assert len(line.twilio.bodies) == 36
    assert [message.note for message in line.went() if message.state == "refused"] == [
        "It could not go out within 60 minutes, and was of no use any more."
    ] * 4
    line.queue([f"Reply {number}" for number in range(40)])
    line.background.run()
    assert len(line.twilio.bodies) == 76


@pace(1)
def test_segments_keep_the_sender_busy_and_a_reply_sends_as_many_routines_behind_it_as_it_needs(line: Paced) -> None:
    last, reply = "b" * 200, "a" * 400
    line.queue([*(f"Routine {number}" for number in range(5)), last], purpose="routine")
    line.background.run(within_seconds=0.5)
    line.queue(["Short", reply])  # The second person, whose other text is Routine 1.
    line.background.run()
    assert line.times == {
        "Routine 0": 0.0,
        "Short": 1.0,
        reply: 2.0,
        last: 5.0,
        "Routine 1": 7.0,
        "Routine 2": 8.0,
        "Routine 3": 9.0,
        "Routine 4": 10.0,
    }


@pace(1)
def test_a_reply_takes_the_end_of_the_line_where_a_routine_that_is_tried_again_comes_only_later(line: Paced) -> None:
    line.twilio.next_faults = [TOO_MANY] * 7
    line.queue(["Tried again"], purpose="routine")
    line.background.run(within_seconds=14)  # The six waits take 11.3 to 13.9 seconds, and the next some 13.
    assert line.twilio.calls == 7
    line.queue([f"Reply {number}" for number in range(4)])
    line.background.run()
    began = line.times["Reply 0"]
    assert [line.times[f"Reply {number}"] - began for number in range(4)] == [0.0, 1.0, 2.0, 3.0]


@pace(1)
@pytest.mark.parametrize(
    ("hours", "times"), [(0, [1.0, 2.0, 3.0]), (1, [3600.5, 3601.5, 3602.5]), (-1, [-3599.5, -3598.5, -3597.5])]
)
def test_r67_slots_are_kept_over_a_restart_and_given_anew_when_they_were_missed_or_a_clock_was_set_back(
    line: Paced, hours: int, times: list[float]
) -> None:
    line.queue(["a", "b", "c", "d"])
    line.background.run(within_seconds=0.5)
    line.background.later.clear()
    line.clock.advance(hours=hours)
    start(line.services)
    line.background.run()
    assert [line.times[body] for body in "bcd"] == times
    wake_waiting(line.services, quiet_seconds=0)
    assert line.background.woken == []


@pace(1)
def test_r67_after_a_clock_was_set_back_a_reply_still_goes_before_the_routines_and_not_with_them(line: Paced) -> None:
    line.queue(["Routine 0", "Routine 1", "Routine 2"], purpose="routine")
    line.background.run(within_seconds=0.5)
    line.background.later.clear()
    line.clock.advance(hours=-1)
    line.queue(["Reply 0", "Reply 1"])
    line.background.run()
    wake_waiting(line.services, quiet_seconds=0)
    line.background.run()
    assert list(line.times) == ["Routine 0", "Reply 0", "Reply 1", "Routine 1", "Routine 2"]
    assert sorted(line.times.values())[:-1] == [-3599.5, -3598.5, -3597.5, -3596.5]


@pace(1)
def test_whatsapp_and_the_page_know_no_segments(line: Paced) -> None:
    for number in range(3):
        sender = f"whatsapp:+1206555{number:04}"
        take_in(line.services, IncomingText(f"SM{number:032x}", sender, f"whatsapp:{NUMBER}", "/help", "twilio"))
    line.background.run(within_seconds=0)
    answers = list(line.twilio.bodies)
    line.queue(["a", "b", "c"], form="whatsapp:")
    line.queue(["d", "e", "f"], carrier="phone")
    line.background.run(within_seconds=0)
    assert answers
    assert sorted(line.twilio.bodies) == sorted([*answers, "a", "b", "c"])
    assert "refused" not in line.states()
    assert line.background.later == []


@pace(1)
def test_the_cost_of_a_text_is_estimated_when_it_goes_out(line: Paced) -> None:
    line.queue(["a" * 400, "Waits"])
    line.queue(["On the page"], carrier="phone")
    line.background.run(within_seconds=0)
    with line.services.reading() as db:
        costs = {row.body: row.cost_cents for row in db.scalars(select(Message))}
    assert costs == {"a" * 400: pytest.approx(3 * 0.83), "Waits": None, "On the page": None}
