"""Texts whose sending ended in doubt, or without a final report, are settled by the carrier's ledger."""

from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.orm import make_transient

from app.delivery import outbox
from app.jobs import ask_about_silent, begin_routines, reconcile_sends
from app.models import Message
from tests.line import Line
from tests.twilio_server import CUT_AFTER_ACCEPTING, HTML_503, PERSON, REFUSED, Fault

LOST_ON_THE_WAY = Fault()  # The connection is cut and the text was not taken: to us the same as `CUT_AFTER_ACCEPTING`.


def deliveries(line: Line) -> list[str | None]:
    return [message.delivery for message in line.went()]


def entry(line: Line) -> dict[str, Any]:
    """The ledger's entry of the first text that Twilio accepted."""
    return line.twilio.ledger[line.twilio.accepted[0].sid]


def in_doubt(line: Line, fault: Fault = LOST_ON_THE_WAY) -> None:
    line.twilio.next_faults = [fault]
    line.text("Hello")
    assert line.states() == ["unknown"]


def look_later(line: Line, **span: float) -> None:
    line.clock.advance(**(span or {"minutes": 2}))
    reconcile_sends.run(line.services)
    line.background.run()


def test_a_text_in_doubt_that_twilio_has_is_adopted_at_the_first_look_with_what_the_ledger_knows(line: Line) -> None:
    in_doubt(line, CUT_AFTER_ACCEPTING)
    entry(line).update(status="delivered", price="-0.0079", price_unit="USD")
    look_later(line, seconds=15)
    [message] = line.went()
    [accepted] = line.twilio.accepted
    assert (message.state, message.sid, message.note) == ("sent", accepted.sid, None)
    assert (message.sent_at, message.delivery) == (line.clock.now(), "delivered")
    assert message.cost_cents == pytest.approx(0.79)
    look_later(line)
    assert len(line.twilio.accepted) == len(line.twilio.looks) == 1


def test_a_text_that_twilio_does_not_have_is_sent_again_once_after_two_looks(line: Line) -> None:
    in_doubt(line)
    look_later(line, seconds=15)
    look_later(line, seconds=119)
    assert line.twilio.accepted == []
    look_later(line, seconds=1)
    [accepted] = line.twilio.accepted
    [message] = line.went()
    assert (message.state, message.sid, message.resends) == ("sent", accepted.sid, 1)


def test_a_text_that_is_lost_a_second_time_is_given_up_and_the_operator_told(line: Line) -> None:
    in_doubt(line)
    look_later(line)
    line.twilio.next_faults = [LOST_ON_THE_WAY]
    for _ in range(3):
        look_later(line)
    [message] = line.went()
    assert (message.state, line.twilio.accepted, line.alerts()) == ("refused", [], ["unknown_sends"])
    assert "once more already" in str(message.note)


def test_a_text_of_an_hour_ago_is_not_sent_again(line: Line) -> None:
    in_doubt(line)
    look_later(line)
    look_later(line, minutes=59)
    [message] = line.went()
    assert (message.state, line.twilio.accepted, line.alerts()) == ("refused", [], ["unknown_sends"])
    assert "too old" in str(message.note)


@pytest.mark.parametrize("words", [("STOP",), ("STOP", "START")])
@pytest.mark.parametrize(("fault", "state"), [(LOST_ON_THE_WAY, "refused"), (CUT_AFTER_ACCEPTING, "sent")])
def test_r27_who_opted_out_meanwhile_is_sent_nothing_and_what_went_is_adopted(
    line: Line, fault: Fault, state: str, words: tuple[str, ...]
) -> None:
    in_doubt(line, fault)
    for word in words:
        line.clock.advance(seconds=1)
        line.text(word)
    look_later(line)
    look_later(line)
    assert (line.went()[0].state, len(line.twilio.accepted)) == (state, int(fault.accepts))


def test_who_texts_start_without_having_opted_out_is_sent_the_text_in_doubt_again(line: Line) -> None:
    in_doubt(line)
    line.clock.advance(seconds=1)
    line.text("START")
    look_later(line)
    look_later(line)
    assert [message.state for message in line.went()] == ["sent"]


@pytest.mark.parametrize("words", ["/routines forget 1", "/pause", "/undo"])
def test_r76_a_reminder_that_was_called_off_meanwhile_is_not_sent_again(line: Line, words: str) -> None:
    line.text("Remind me in 5 minutes to stretch")
    line.clock.advance(minutes=5)
    line.twilio.next_faults = [LOST_ON_THE_WAY]
    begin_routines.run(line.services)
    line.background.run(within_seconds=0)
    line.text(words)
    look_later(line)
    look_later(line)
    assert [message.state for message in line.went()][1:] == ["refused", "sent"]


@pytest.mark.parametrize(
    "faults", [(None, LOST_ON_THE_WAY), (CUT_AFTER_ACCEPTING,) * 2, (CUT_AFTER_ACCEPTING, LOST_ON_THE_WAY)]
)
def test_texts_of_the_same_words_are_matched_one_to_one_in_order_and_only_what_is_missing_is_sent_again(
    line: Line, faults: tuple[Fault | None, ...]
) -> None:
    line.text("Hello")
    for fault in faults:
        line.twilio.next_faults = [fault] if fault else []
        line.text("Hello")
    assert len({message.body for message in line.went()[1:]}) == 1
    look_later(line)
    look_later(line)
    assert [message.sid for message in line.went()] == [text.sid for text in line.twilio.accepted]
    assert line.states() == ["sent"] * 3


def test_a_text_whose_twin_is_at_the_carrier_this_moment_is_left_until_that_one_is_known(line: Line) -> None:
    in_doubt(line, CUT_AFTER_ACCEPTING)
    with line.services.transaction() as db:
        [row] = db.scalars(select(Message).where(Message.direction == "out"))
        [twin] = outbox.queue(db, row.person_id, None, "twilio", [row.body], line.clock.now())
        twin.state = "sending"
    look_later(line)
    look_later(line)
    assert line.states() == ["unknown", "sending"]


def test_an_entry_with_other_words_is_perhaps_it_so_that_nothing_is_sent_again(line: Line) -> None:
    in_doubt(line, CUT_AFTER_ACCEPTING)
    entry(line)["body"] = ""  # Redacted at Twilio.
    look_later(line)
    look_later(line)
    assert (line.states(), len(line.twilio.accepted), line.alerts()) == (["refused"], 1, ["unknown_sends"])


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("Hello", "Sent from your Twilio trial account - Hello"),
        ("Hello", "Hello "),
        ("It’s “here” 🎉", 'It\'s "here" 🎉'),
    ],
)
def test_neither_what_twilio_changes_in_words_nor_its_clock_hides_it(line: Line, ours: str, theirs: str) -> None:
    in_doubt(line, CUT_AFTER_ACCEPTING)
    with line.services.transaction() as db:
        db.scalars(select(Message).where(Message.direction == "out")).one().body = ours
    entry(line).update(body=theirs, date_created="Sat, 21 Nov 2026 16:58:00 +0000")
    look_later(line)
    assert line.states() == ["sent"]


def test_an_older_text_with_the_same_words_that_we_no_longer_hold_is_not_taken_for_it(line: Line) -> None:
    in_doubt(line)
    form = {"To": PERSON, "From": line.services.settings.twilio_from or "", "Body": line.went()[0].body}
    line.clock.advance(minutes=-3)
    line.twilio.ledger.sent("SM" + "9" * 32, form)
    line.clock.advance(minutes=3)
    look_later(line)
    look_later(line)
    assert line.went()[0].sid == line.twilio.accepted[0].sid


@pytest.mark.parametrize("fault", [HTML_503, REFUSED])
def test_a_ledger_that_cannot_be_read_proves_nothing(line: Line, fault: Fault) -> None:
    in_doubt(line)
    look_later(line)
    line.twilio.next_look_faults = [fault]
    look_later(line)
    assert (line.states(), line.twilio.accepted) == (["unknown"], [])
    look_later(line)
    assert line.states() == ["sent"]


def test_a_callback_between_the_look_and_the_second_sending_stops_that(line: Line) -> None:
    in_doubt(line, CUT_AFTER_ACCEPTING)
    line.twilio.ledger.not_listed_yet.add(line.twilio.accepted[0].sid)
    look_later(line)
    line.clock.advance(minutes=2)
    reconcile_sends.run(line.services)
    assert line.states() == ["queued"]
    line.call_back(line.twilio.accepted[0], "delivered")
    line.background.run()
    assert [(message.state, message.delivery) for message in line.went()] == [("sent", "delivered")]
    assert len(line.twilio.accepted) == 1


# Texts that the carrier took and said no more of.


def ask_later(line: Line, **span: float) -> None:
    line.clock.advance(**(span or {"hours": 6}))
    ask_about_silent.run(line.services)


@pytest.mark.parametrize("end", ["delivered", "read", "canceled", "undelivered"])
def test_what_became_of_a_silent_text_is_kept_with_its_price(line: Line, end: str) -> None:
    line.text("Hello")
    entry(line).update(status=end, price="-0.0158", price_unit="USD")
    ask_later(line)
    [message] = line.went()
    assert (message.delivery, message.checked_at) == (end, line.clock.now())
    assert message.cost_cents == pytest.approx(1.58)


@pytest.mark.parametrize("so_far", ["queued", "sent", "forgotten by Twilio"])
def test_one_that_is_still_on_its_way_is_unconfirmed_and_never_asked_about_again(line: Line, so_far: str) -> None:
    line.text("Hello")
    if so_far == "forgotten by Twilio":
        line.twilio.ledger.texts.clear()
    else:
        line.call_back(line.twilio.accepted[0], so_far)
    for _ in range(3):
        ask_later(line)
    assert (deliveries(line), len(line.twilio.looks)) == (["unconfirmed"], 1)


@pytest.mark.parametrize(("told", "kept"), [("sent", "unconfirmed"), ("delivered", "delivered"), ("failed", "failed")])
def test_what_the_carrier_tells_in_the_end_still_counts(line: Line, told: str, kept: str) -> None:
    line.text("Hello")
    ask_later(line)
    assert line.call_back(line.twilio.accepted[0], told) == 204
    assert deliveries(line) == [kept]


@pytest.mark.parametrize("fault", [HTML_503, REFUSED])
def test_a_carrier_that_cannot_be_asked_is_asked_at_the_next_run(line: Line, fault: Fault) -> None:
    line.text("Hello")
    line.twilio.next_look_faults = [fault]
    ask_later(line)
    assert deliveries(line) == [None]
    ask_later(line, minutes=10)
    assert deliveries(line) == ["unconfirmed"]


def test_a_text_that_is_committed_after_one_with_a_higher_id_is_asked_about(line: Line) -> None:
    for _ in range(2):
        line.text("Hello")
    line.call_back(line.twilio.accepted[1], "delivered")
    first, _ = line.went()
    with line.services.transaction() as db:  # As if its transaction were still under way.
        db.delete(db.get_one(Message, first.id))
    ask_later(line, minutes=10)
    with line.services.transaction() as db:
        make_transient(first)
        db.add(first)
    ask_later(line)
    assert deliveries(line) == ["unconfirmed", "delivered"]
