"""Faults of our sender: every reply is kept, the operator is told, and all replies go out once it works."""

import json
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest

from app.conversation.turn import answer, start
from app.delivery import outbox
from app.delivery.reports import MEANINGS, SENDER_ALERT
from app.delivery.twilio.send import TwilioCarrier
from app.operations import alerts
from app.services import Services
from tests.conftest import MakeLine
from tests.line import Line
from tests.loopback import NOWHERE
from tests.twilio_server import PATIENCE_SECONDS, PERSON, Fault, twilio_settings

OTHER = "+12065550101"

ABOUT_OUR_SENDER = {
    "funds": (10001, 20005, 90010),
    "TWILIO_AUTH_TOKEN": (20003,),
    "TWILIO_API_KEY": (20006, 70051),
    "TWILIO_ACCOUNT_SID": (20404,),
    "TWILIO_FROM": (21212, 21601, 21659, 21660, 21661, 21701, 21705),
    "Sender Pool": (21703,),
    "TWILIO_SEGMENTS_PER_SECOND": (21611,),
    "daily limit": (63038,),
}
"""Parts of the settings or of Twilio's console that the operator has to fix, with Twilio's error codes for each."""


def refusal(code: int, status: int = 400) -> Fault:
    return Fault(status, json.dumps({"code": code, "message": "Refused", "more_info": "", "status": status}))


def send_by(line: Line, **settings: Any) -> None:
    """Send all later texts by a carrier with other settings."""
    given = {"twilio_api_url": line.twilio.url, "access": "open", **settings}
    carrier = TwilioCarrier(twilio_settings(**given), timeout_seconds=PATIENCE_SECONDS)
    line.background.start(partial(answer, Services(**{**vars(line.services), "carriers": {"twilio": carrier}})))


def send_as_before(line: Line) -> None:
    line.background.start(partial(answer, line.services))


def told(line: Line) -> str:
    """The sentence of the operator's alert on the sender."""
    with line.services.reading() as db:
        [alert] = alerts.open_alerts(db)
    assert alert.kind == SENDER_ALERT
    return alert.sentence


@pytest.fixture
def line(make_line: MakeLine) -> Line:
    """A sender without a pace, so that what waits does so for one reason alone."""
    return make_line(twilio_segments_per_second=0)


@pytest.mark.parametrize(
    ("code", "named"), [(code, named) for named, codes in ABOUT_OUR_SENDER.items() for code in codes]
)
def test_a_refusal_of_our_sender_keeps_every_reply_and_tells_the_operator(code: int, named: str, line: Line) -> None:
    line.twilio.next_faults = [refusal(code)] * 2
    line.text("Hello")
    line.text("Hi", sender=OTHER)
    assert line.states() == ["queued", "queued"]
    assert line.twilio.calls == 1, "The second text is kept back."
    assert named in told(line)
    pause = MEANINGS[code].stops_for or timedelta()
    line.sweep(seconds=pause.total_seconds() - 1)
    assert line.twilio.calls == 1
    line.sweep(seconds=1)
    assert line.twilio.calls == 2, "One text tries."
    assert line.states() == ["queued", "queued"]
    line.sweep(seconds=pause.total_seconds())
    assert [text.to for text in line.twilio.accepted] == [PERSON, OTHER]
    assert line.alerts() == []
    assert [message.carrier_code for message in line.went()] == [None, None]


def test_a_start_lets_one_text_try_at_once_whether_the_sender_was_mended(line: Line) -> None:
    line.twilio.next_faults = [refusal(20003)]
    line.text("Hello")
    start(line.services)
    line.background.run()
    assert line.states() == ["sent"]
    assert line.alerts() == []


@pytest.mark.parametrize("code", [30001, 30002])
def test_a_text_that_our_sender_lost_goes_out_once_more_when_the_sender_works(code: int, line: Line) -> None:
    line.text("Hello")
    [lost] = line.twilio.accepted
    line.call_back(lost, "failed", ErrorCode=str(code))
    assert line.alerts() == ["sender"]
    line.sweep(minutes=29)
    assert len(line.twilio.accepted) == 1
    line.sweep(minutes=1)
    [_, again] = line.twilio.accepted
    assert again.body == lost.body
    line.call_back(again, "delivered")
    assert line.alerts() == []


@pytest.mark.parametrize("code", [30047, 30610])
@pytest.mark.parametrize(
    ("told_at", "morning"),
    [
        # In California it is eight hours earlier, seven in summer.
        (datetime(2026, 11, 21, 10, 0, tzinfo=UTC), datetime(2026, 11, 21, 16, 0, tzinfo=UTC)),
        (datetime(2026, 11, 22, 6, 0, tzinfo=UTC), datetime(2026, 11, 22, 16, 0, tzinfo=UTC)),
        (datetime(2026, 3, 8, 8, 30, tzinfo=UTC), datetime(2026, 3, 8, 15, 0, tzinfo=UTC)),
    ],
    ids=["at night", "in the evening", "in the night in which summer begins"],
)
def test_a_reply_that_met_quiet_hours_goes_out_once_more_in_the_morning_of_its_phone(
    code: int, told_at: datetime, morning: datetime, line: Line
) -> None:
    line.clock.set(told_at)
    line.text("Hello")
    line.call_back(line.twilio.accepted[0], "undelivered", ErrorCode=str(code))
    line.sweep(seconds=(morning - told_at).total_seconds() - 1)
    assert len(line.twilio.accepted) == 1
    line.sweep(seconds=1)
    [_, again] = line.twilio.accepted
    line.call_back(again, "undelivered", ErrorCode=str(code))
    line.sweep(days=2)
    assert len(line.twilio.accepted) == 2
    assert line.alerts() == []


def test_r22_half_an_hour_without_twilio_loses_no_reply_and_all_go_out_in_order_when_it_is_back(line: Line) -> None:
    send_by(line, twilio_api_url=f"http://{NOWHERE}")
    line.bring("Hello")
    line.bring("Hi", sender=OTHER)
    line.background.run()
    assert line.states() == ["queued", "queued"]
    assert "could not be reached" in told(line)
    assert "since about 17:0" in told(line)
    assert told(line).count("kept") == 1
    line.text("Anybody?", sender=OTHER)
    line.sweep(hours=5)
    assert line.states() == ["queued"] * 3
    send_as_before(line)
    line.sweep(minutes=5)
    assert [text.to for text in line.twilio.accepted] == [PERSON, OTHER, OTHER]
    assert [text.body for text in line.twilio.accepted] == [message.body for message in line.went()]
    assert line.alerts() == []


def test_r22_what_is_of_no_use_any_more_is_dropped_and_the_rest_goes_out(line: Line) -> None:
    send_by(line, twilio_api_url=f"http://{NOWHERE}")
    line.text("Hello")
    with line.services.transaction() as db:
        person_id = line.person().id
        outbox.queue(db, person_id, None, "twilio", ["Time for the gym"], line.clock.now(), purpose="routine")
    send_as_before(line)
    line.sweep(hours=2)
    assert line.states() == ["sent", "refused"]
    assert "of no use any more" in str(line.went()[1].note)
