"""Texts that the carrier took and said no more of."""

import pytest
from sqlalchemy.orm import make_transient

from app.delivery.doubts import KNOWN, MAX_ASKED, ask_about_silent
from app.models import Message
from app.operations.marks import read
from tests.full_disk import FullDisk
from tests.line import Line
from tests.twilio_server import HTML_503, Fault

REFUSED = Fault(401, '{"code": 20003, "message": "Authenticate", "status": 401}')


def ask_later(line: Line, **span: float) -> None:
    line.clock.advance(**(span or {"hours": 6}))
    ask_about_silent(line.services)


def deliveries(line: Line) -> list[str | None]:
    return [message.delivery for message in line.went()]


@pytest.mark.parametrize("end", ["delivered", "read", "canceled"])
def test_what_became_of_it_is_kept_with_its_price(line: Line, end: str) -> None:
    line.text("Hello")
    line.twilio.books[line.twilio.accepted[0].sid].update(status=end, price="-0.0158", price_unit="USD")
    ask_later(line)
    [message] = line.went()
    assert (message.delivery, message.checked_at) == (end, line.clock.now())
    assert message.cost_cents == pytest.approx(1.58)


def test_a_loss_that_no_callback_told_of_is_acted_on(line: Line) -> None:
    line.text("Hello")
    line.twilio.books[line.twilio.accepted[0].sid].update(status="undelivered", error_code=30005)
    ask_later(line)
    assert (deliveries(line), line.person().undelivered) == (["undelivered"], 1)


@pytest.mark.parametrize("so_far", ["queued", "sent", None])
def test_one_that_is_still_on_its_way_is_unconfirmed_and_never_asked_about_again(
    line: Line, so_far: str | None
) -> None:
    line.text("Hello")
    if so_far:
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


def test_one_that_twilio_does_not_know_any_more_is_unconfirmed(line: Line) -> None:
    line.text("Hello")
    line.twilio.books.texts.clear()
    ask_later(line)
    assert deliveries(line) == ["unconfirmed"]


@pytest.mark.parametrize("told", ["delivered", "undelivered"])
def test_one_whose_end_is_known_is_not_asked_about(line: Line, told: str) -> None:
    line.text("Hello")
    line.call_back(line.twilio.accepted[0], told)
    ask_later(line)
    assert line.twilio.looks == []


def test_what_never_went_to_the_carrier_is_not_asked_about(line: Line) -> None:
    line.text("Hi")
    line.text("STOP")
    ask_later(line)
    line.twilio.looks.clear()
    ask_later(line)
    assert line.twilio.looks == []


def test_a_carrier_that_cannot_be_asked_now_is_asked_at_the_next_run(line: Line) -> None:
    line.text("Hello")
    line.twilio.next_look_faults = [HTML_503]
    ask_later(line)
    assert deliveries(line) == [None]
    ask_later(line, minutes=10)
    assert deliveries(line) == ["unconfirmed"]


def test_a_carrier_that_refuses_to_be_asked_is_the_operators_to_mend(line: Line) -> None:
    line.text("Hello")
    line.twilio.next_look_faults = [REFUSED]
    ask_later(line)
    assert (deliveries(line), line.alerts()) == ([None], ["carrier_books"])


def test_one_run_asks_about_a_few_and_the_next_about_the_rest(line: Line) -> None:
    for _ in range(MAX_ASKED + 2):
        line.text("Hello")
        line.clock.advance(minutes=10)
    ask_later(line)
    assert deliveries(line).count("unconfirmed") == MAX_ASKED
    ask_later(line, minutes=10)
    assert deliveries(line).count("unconfirmed") == MAX_ASKED + 2


def test_texts_whose_end_is_known_are_not_read_again(line: Line) -> None:
    for _ in range(2):
        line.text("Hello")
        line.clock.advance(minutes=10)
    line.call_back(line.twilio.accepted[0], "delivered")
    ask_later(line)
    with line.services.reading() as db:
        mark = read(db, KNOWN)
    first, second = line.went()
    assert mark is not None
    assert first.id <= mark.number < second.id


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


def test_a_disk_that_is_full_when_the_answer_is_kept_has_it_asked_for_once_more(line: Line) -> None:
    line.text("Hello")
    full = line.on(FullDisk(line.services.store, lambda: bool(line.twilio.looks)))
    with pytest.raises(OSError, match="space"):
        ask_later(full)
    assert deliveries(full) == [None]
    ask_later(full, minutes=10)
    assert (deliveries(full), len(full.twilio.looks)) == (["unconfirmed"], 2)
