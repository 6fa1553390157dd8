"""What becomes of a text whose sending ended in doubt, by what the carrier's books show."""

import pytest
from sqlalchemy import select

from app.delivery import outbox
from app.delivery.doubts import settle_doubts
from app.models import Message
from tests.line import Line
from tests.twilio_server import CUT_AFTER_ACCEPTING, HTML_503, PERSON, Fault

LOST_ON_THE_WAY = Fault()
"""The connection is cut and the text was not taken: to us the same as `CUT_AFTER_ACCEPTING`."""


def states(line: Line) -> list[str]:
    return [message.state for message in line.went()]


def in_doubt(line: Line, fault: Fault = LOST_ON_THE_WAY) -> None:
    line.twilio.next_faults = [fault]
    line.text("Hello")
    assert states(line) == ["unknown"]


def look_later(line: Line, **span: float) -> None:
    line.clock.advance(**(span or {"minutes": 2}))
    settle_doubts(line.services)
    line.background.run()


def test_a_text_in_doubt_that_twilio_has_is_adopted_at_the_first_look(line: Line) -> None:
    in_doubt(line, CUT_AFTER_ACCEPTING)
    look_later(line, seconds=15)
    [message] = line.went()
    [accepted] = line.twilio.accepted
    assert (message.state, message.sid, message.note) == ("sent", accepted.sid, None)
    assert message.sent_at == line.clock.now()
    look_later(line)
    assert len(line.twilio.accepted) == 1


def test_what_the_books_know_of_it_is_kept_too(line: Line) -> None:
    in_doubt(line, CUT_AFTER_ACCEPTING)
    entry = line.twilio.books[line.twilio.accepted[0].sid]
    entry.update(status="delivered", price="-0.0079", price_unit="USD")
    look_later(line, seconds=15)
    [message] = line.went()
    assert message.delivery == "delivered"
    assert message.cost_cents == pytest.approx(0.79)


def test_a_text_that_the_list_shows_late_is_adopted_and_not_sent_again(line: Line) -> None:
    in_doubt(line, CUT_AFTER_ACCEPTING)
    sid = line.twilio.accepted[0].sid
    line.twilio.books.not_listed_yet.add(sid)
    look_later(line, seconds=15)
    assert states(line) == ["unknown"]
    line.twilio.books.not_listed_yet.clear()
    look_later(line)
    assert [(message.state, message.sid) for message in line.went()] == [("sent", sid)]
    assert len(line.twilio.accepted) == 1


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
    look_later(line)
    assert states(line) == ["unknown"]
    look_later(line)
    look_later(line)
    [message] = line.went()
    assert (message.state, line.twilio.accepted) == ("refused", [])
    assert "once more already" in str(message.note)
    assert line.alerts() == ["unknown_sends"]


def test_a_text_of_an_hour_ago_is_not_sent_again(line: Line) -> None:
    in_doubt(line)
    look_later(line)
    look_later(line, minutes=59)
    [message] = line.went()
    assert (message.state, line.twilio.accepted) == ("refused", [])
    assert "too old" in str(message.note)
    assert line.alerts() == ["unknown_sends"]


def test_whoever_opted_out_meanwhile_is_sent_nothing_again(line: Line) -> None:
    in_doubt(line)
    look_later(line)
    line.text("STOP")
    look_later(line)
    assert (line.went()[0].state, line.twilio.accepted) == ("refused", [])


def test_a_text_that_is_found_after_an_opt_out_is_still_adopted(line: Line) -> None:
    in_doubt(line, CUT_AFTER_ACCEPTING)
    line.text("STOP")
    look_later(line)
    assert (line.went()[0].state, line.went()[0].sid) == ("sent", line.twilio.accepted[0].sid)


def say_the_same(line: Line, *faults: Fault | None) -> None:
    """The second text of a day and those after it, all in the same words, each met by its fault."""
    line.text("Hello")
    for fault in faults:
        line.twilio.next_faults = [fault] if fault else []
        line.text("Hello")
    assert len({message.body for message in line.went()[1:]}) == 1


def test_same_words_sent_before_are_not_taken_for_it(line: Line) -> None:
    say_the_same(line, None, LOST_ON_THE_WAY)
    look_later(line)
    look_later(line)
    assert [message.sid for message in line.went()] == [text.sid for text in line.twilio.accepted]
    assert len(line.twilio.accepted) == 3


def test_two_texts_of_the_same_words_are_matched_one_to_one_in_order(line: Line) -> None:
    say_the_same(line, CUT_AFTER_ACCEPTING, CUT_AFTER_ACCEPTING)
    assert states(line) == ["sent", "unknown", "unknown"]
    look_later(line)
    assert [message.sid for message in line.went()] == [text.sid for text in line.twilio.accepted]
    assert states(line) == ["sent"] * 3


def test_of_two_texts_of_the_same_words_only_the_missing_one_is_sent_again(line: Line) -> None:
    say_the_same(line, CUT_AFTER_ACCEPTING, LOST_ON_THE_WAY)
    look_later(line)
    look_later(line)
    assert states(line) == ["sent"] * 3
    assert len(line.twilio.accepted) == 3


def test_a_text_whose_twin_is_at_the_carrier_this_moment_is_left_until_that_one_is_known(line: Line) -> None:
    in_doubt(line, CUT_AFTER_ACCEPTING)
    with line.services.transaction() as db:
        [row] = db.scalars(select(Message).where(Message.direction == "out"))
        [twin] = outbox.queue(db, row.person_id, None, "twilio", [row.body], line.clock.now())
        twin.state = "sending"
    look_later(line)
    look_later(line)
    assert states(line) == ["unknown", "sending"]


def test_an_entry_with_other_words_is_perhaps_it_so_that_nothing_is_sent_again(line: Line) -> None:
    in_doubt(line, CUT_AFTER_ACCEPTING)
    line.twilio.books[line.twilio.accepted[0].sid]["body"] = ""  # Redacted at Twilio.
    look_later(line)
    look_later(line)
    assert (line.went()[0].state, len(line.twilio.accepted)) == ("refused", 1)
    assert line.alerts() == ["unknown_sends"]


@pytest.mark.parametrize(
    "as_kept",
    [
        "Sent from your Twilio trial account - {}",
        "{} ",
    ],
)
def test_what_twilio_changes_of_the_words_does_not_hide_the_text(line: Line, as_kept: str) -> None:
    in_doubt(line, CUT_AFTER_ACCEPTING)
    entry = line.twilio.books[line.twilio.accepted[0].sid]
    entry["body"] = as_kept.format(entry["body"])
    look_later(line)
    assert states(line) == ["sent"]


def test_plain_letters_that_twilio_put_for_others_do_not_hide_the_text(line: Line) -> None:
    in_doubt(line, CUT_AFTER_ACCEPTING)
    with line.services.transaction() as db:
        db.scalars(select(Message).where(Message.direction == "out")).one().body = "It’s “here” 🎉"
    line.twilio.books[line.twilio.accepted[0].sid]["body"] = 'It\'s "here" 🎉'
    look_later(line)
    assert states(line) == ["sent"]


def test_an_older_text_with_the_same_words_that_we_no_longer_hold_is_not_taken_for_it(line: Line) -> None:
    in_doubt(line)
    form = {"To": PERSON, "From": line.services.settings.twilio_from or "", "Body": line.went()[0].body}
    line.clock.advance(minutes=-3)
    line.twilio.books.sent("SM" + "9" * 32, form)
    line.clock.advance(minutes=3)
    look_later(line)
    look_later(line)
    assert line.went()[0].sid == line.twilio.accepted[0].sid


def test_a_carrier_clock_that_is_two_minutes_behind_hides_nothing(line: Line) -> None:
    in_doubt(line, CUT_AFTER_ACCEPTING)
    entry = line.twilio.books[line.twilio.accepted[0].sid]
    entry["date_created"] = "Sat, 21 Nov 2026 16:58:00 +0000"
    look_later(line)
    assert states(line) == ["sent"]


def test_books_that_cannot_be_read_prove_nothing(line: Line) -> None:
    in_doubt(line)
    look_later(line)
    line.twilio.next_look_faults = [HTML_503]
    look_later(line)
    assert (states(line), line.twilio.accepted) == (["unknown"], [])
    assert line.alerts() == []
    look_later(line, seconds=15)
    assert states(line) == ["sent"]


def test_books_that_twilio_refuses_to_show_are_the_operators_to_mend_and_nothing_is_sent(line: Line) -> None:
    in_doubt(line)
    line.twilio.next_look_faults = [Fault(401, '{"code": 20003, "message": "Authenticate", "status": 401}')] * 2
    look_later(line)
    look_later(line)
    assert (states(line), line.twilio.accepted, line.alerts()) == (["unknown"], [], ["carrier_books"])
    look_later(line)
    assert line.alerts() == []


def test_a_callback_settles_a_doubt_before_any_look(line: Line) -> None:
    in_doubt(line, CUT_AFTER_ACCEPTING)
    line.call_back(line.twilio.accepted[0], "sent")
    look_later(line)
    assert states(line) == ["sent"]
    assert line.twilio.looks == []


def test_a_callback_between_the_look_and_the_second_sending_stops_that(line: Line) -> None:
    in_doubt(line, CUT_AFTER_ACCEPTING)
    line.twilio.books.not_listed_yet.add(line.twilio.accepted[0].sid)
    look_later(line)
    line.clock.advance(minutes=2)
    settle_doubts(line.services)
    assert states(line) == ["queued"]
    line.call_back(line.twilio.accepted[0], "delivered")
    line.background.run()
    assert [(message.state, message.delivery) for message in line.went()] == [("sent", "delivered")]
    assert len(line.twilio.accepted) == 1


def test_without_a_doubt_nobody_is_asked(line: Line) -> None:
    line.text("Hello")
    look_later(line)
    assert line.twilio.looks == []
