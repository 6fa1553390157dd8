"""Texts that the webhook never brought, brought late, or brought again after a month."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from app.delivery.ledger import BEGUN, MARK
from app.jobs import fetch_missed
from app.models.marks import read, remove
from app.services import Services
from app.text import kind_words
from tests.line import Line
from tests.stores import FullDisk
from tests.twilio_server import HTML_503, NUMBER, PERSON

OTHER = "+14155550199"


@pytest.fixture(autouse=True)
def _has_looked_before(line: Line) -> None:
    fetch_missed.run(line.services)
    line.clock.advance(hours=1)
    fetch_missed.run(line.services)


def miss(line: Line, body: str, *, sender: str = PERSON, to: str = NUMBER, **more: Any) -> str:
    """Let Twilio receive a text without a successful call of our webhook."""
    return line.twilio.ledger.receive(body, sender=sender, to=to, **more)


def look(line: Line, **span: float) -> None:
    line.clock.advance(**(span or {"minutes": 1}))
    fetch_missed.run(line.services)
    line.background.run()


def came(line: Line) -> list[tuple[str, str]]:
    return [(message.body, message.state) for message in line.came()]


def received_until(services: Services) -> datetime:
    with services.reading() as db:
        mark = read(db, MARK)
    assert mark is not None
    return mark.at


@pytest.mark.parametrize("error_code", [None, 11200], ids=["never called", "failed"])
def test_r13_a_text_that_the_webhook_never_brought_is_answered_once(error_code: int | None, line: Line) -> None:
    sid = miss(line, "Hello?", num_media="1", error_code=error_code)
    sent_at = line.clock.now()
    look(line)
    look(line)
    [text] = line.came()
    assert (text.sid, text.state, text.created_at, text.media_count) == (sid, "answered", sent_at, 1)
    assert len(line.twilio.accepted) == 1
    assert kind_words.CAME_LATE not in line.twilio.bodies


def test_r9_r13_the_webhook_may_bring_the_text_before_it_was_fetched_or_after_it_or_a_month_later(line: Line) -> None:
    for late in (False, True):
        sid = miss(line, "Hello?")
        if not late:
            line.text("Hello?", sid=sid)
        look(line)
        line.text("Hello?", sid=sid)
    line.clock.advance(days=31)
    line.text("Hello?", sid=sid)
    assert came(line) == [("Hello?", "answered")] * 2
    assert len(line.twilio.accepted) == 2


def test_r13_a_text_that_came_late_is_answered_after_one_apology(line: Line) -> None:
    miss(line, "Hello?")
    miss(line, "Anybody?")
    look(line, minutes=31)
    assert came(line) == [("Hello?", "answered"), ("Anybody?", "answered")]
    assert line.twilio.bodies[0] == kind_words.CAME_LATE
    assert len(line.twilio.bodies) == 2
    miss(line, "And I again")
    look(line, minutes=31)
    assert line.twilio.bodies.count(kind_words.CAME_LATE) == 1


OF_A_MACHINE = {"status": "failed", "error_code": 30039}


@pytest.mark.parametrize(
    ("body", "sender", "more", "hours", "note"),
    [
        ("Shall I take an umbrella?", PERSON, {}, 12.001, "12 hours"),
        ("Your code is 123456", PERSON, OF_A_MACHINE, 0.02, "30039"),
        ("STOP", PERSON, OF_A_MACHINE, 0.02, "30039"),
        *(("Your code is 123456", sender, {}, 0.02, "") for sender in ("12345", "BANK", NUMBER)),
    ],
)
def test_r13_r14_what_came_half_a_day_ago_or_from_a_machine_is_kept_not_answered_and_changes_nothing(
    body: str, sender: str, more: dict[str, Any], hours: float, note: str, line: Line
) -> None:
    miss(line, body, sender=sender, **more)
    look(line, hours=hours)
    [text] = line.came()
    assert (text.body, text.state, line.twilio.accepted) == (body, "unanswered", [])
    assert note in str(text.note)
    assert line.person(sender).opted_out_at is None


def test_r13_a_night_without_twilio_is_looked_at_from_where_the_last_look_ended(line: Line) -> None:
    seen = received_until(line.services)
    line.clock.advance(hours=5)
    miss(line, "In the night")
    line.clock.advance(hours=5)
    line.twilio.next_look_faults = [HTML_503]
    fetch_missed.run(line.services)
    assert received_until(line.services) == seen
    look(line)
    assert came(line) == [("In the night", "answered")]
    assert received_until(line.services) > seen + timedelta(hours=10)


def test_r13_what_came_before_the_installation_is_none_of_its_business(line: Line) -> None:
    line.clock.advance(seconds=0.3)  # Twilio's list has whole seconds.
    with line.services.transaction() as db:
        remove(db, BEGUN)
    fetch_missed.run(line.services)
    miss(line, "Before", at=line.clock.now() - timedelta(seconds=1))
    miss(line, "After")
    look(line)
    assert [body for body, _ in came(line)] == ["After"]


@pytest.mark.parametrize(
    ("missed", "after_it", "hours", "is_out", "told"),
    [
        ("STOP", None, 13, True, []),
        ("START", "STOP", 0, True, []),
        ("STOP", "START", 0, False, []),
        ("Please stop texting me", "START", 0, False, []),
        ("Please stop texting me", None, 0, True, [kind_words.FAREWELL]),
    ],
)
def test_r13_r27_a_missed_word_is_heeded_as_if_it_had_been_brought_and_undoes_none_that_was_said_after_it(
    missed: str, after_it: str | None, hours: float, is_out: bool, told: list[str], line: Line
) -> None:
    line.text("Hi")
    miss(line, missed)
    line.clock.advance(minutes=5)
    if after_it:
        line.text(after_it)
    look(line, hours=hours, minutes=1)
    assert (line.person().opted_out_at is not None) == is_out
    assert [message.state for message in line.came()] == ["answered", "unanswered", *["unanswered"] * bool(after_it)]
    assert line.twilio.bodies[1:] == told
    line.clock.advance(minutes=5)
    line.text("Hello?")
    assert (line.came()[-1].state == "answered") != is_out


def test_r13_a_database_that_fails_half_way_leaves_the_rest_for_the_next_look(line: Line) -> None:
    miss(line, "one")
    miss(line, "two", sender=OTHER)
    before = received_until(line.services)
    full = line.on(FullDisk(line.services.store, lambda: len(came(line)) == 1))
    with pytest.raises(OSError, match="space"):
        look(full)
    assert received_until(line.services) == before
    assert came(line) == [("one", "waiting")]
    look(full)
    assert came(line) == [("one", "answered"), ("two", "answered")]
    assert len(line.twilio.accepted) == 2
