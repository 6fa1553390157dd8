"""Effects of the carrier's reports on a text: error codes, at once or later, and callbacks in any order."""

import pytest

from app import people
from app.delivery.reports import MEANINGS, record_status
from app.models import Message
from app.operations.alerts import open_alerts
from tests.claude_server import ClaudeServer, overloaded, say
from tests.fakes import FrozenClock
from tests.line import Line
from tests.phoning import Phone
from tests.twilio_server import TwilioServer


@pytest.fixture
def alex(live: Line, claude: ClaudeServer) -> Phone:
    claude.otherwise = say("Hello")
    return Phone(live.services, live.background)


@pytest.fixture
def blair(alex: Phone) -> Phone:
    return Phone(alex.services, alex.background, "+12125550101")


def alerts(phone: Phone) -> list[str]:
    with phone.services.reading() as db:
        return [alert.kind for alert in open_alerts(db)]


def newest(phone: Phone) -> Message:
    return phone.messages("out")[-1]


def fail(phone: Phone, code: int, status: str = "undelivered") -> None:
    """The carrier says that the newest text did not arrive."""
    record_status(phone.services, key=None, sid=str(newest(phone).sid), status=status, error_code=code)


def ask(phone: Phone) -> list[str]:
    return phone.text("Hi", carrier="twilio")


def sent_before(phone: Phone, sid: str) -> None:
    """One more text that the carrier took, and that is not to be sent once more."""
    text = {"direction": "out", "carrier": "twilio", "sid": sid, "state": "sent", "body": "More", "resends": 1}
    with phone.services.transaction() as db:
        db.add(Message(person_id=phone.person_id, created_at=phone.services.clock.now(), **text))


def test_whatever_stops_the_sender_has_an_alert_and_each_says_what_to_do_without_anybodys_number() -> None:
    assert all(meaning.alert for meaning in MEANINGS.values() if meaning.stops_for)
    told = [meaning.alert for meaning in MEANINGS.values() if meaning.alert]
    assert [alert for alert in told if "." not in alert[:-1] or "+" in alert] == []


@pytest.mark.parametrize("code", [21211, 21408, 21614, 21635, 30640])
def test_a_number_out_of_reach_is_not_tried_again_until_it_texts(code: int, alex: Phone, twilio: TwilioServer) -> None:
    twilio.account.refused_numbers[alex.number] = code
    ask(alex)
    note = alex.person().unreachable
    assert str(code) in str(note)
    with alex.services.transaction() as db:
        db.get_one(Message, newest(alex).id).state = "queued"
    calls = twilio.calls
    alex.sweep()
    assert (newest(alex).state, newest(alex).note, twilio.calls) == ("refused", note, calls)
    twilio.account.refused_numbers.clear()
    assert ask(alex) == ["Hello"]
    assert alex.person().unreachable is None


@pytest.mark.parametrize(("code", "allowed"), [(30003, 5), (30005, 2), (30006, 2)])
def test_r26_texts_that_miss_the_phone_in_a_row_make_it_unreachable(code: int, allowed: int, alex: Phone) -> None:
    ask(alex)
    for number in range(1, allowed + 1):
        assert alex.person().unreachable is None
        sent_before(alex, f"MM{number:032x}")
        record_status(alex.services, key=None, sid=f"MM{number:032x}", status="undelivered", error_code=code)
    assert str(code) in str(alex.person().unreachable)
    record_status(alex.services, key=None, sid=str(alex.messages("out")[0].sid), status="delivered")
    assert alex.person().unreachable is None, "One that arrives shows that it can be reached."


@pytest.mark.parametrize("code", [30003, 30008])
def test_r26_a_reply_that_did_not_arrive_is_sent_once_more_half_an_hour_later_in_order_and_holds_nothing_up(
    code: int, alex: Phone, clock: FrozenClock, twilio: TwilioServer, claude: ClaudeServer
) -> None:
    claude.queue(say("A few words. " * 150))
    parts = ask(alex)
    for part in reversed(alex.messages("out")):
        for status in ("undelivered", "failed"):  # A second word on the same text changes nothing.
            record_status(alex.services, key=None, sid=str(part.sid), status=status, error_code=code)
        clock.advance(seconds=1)
    assert ask(alex) == ["Hello"]
    assert alex.person().undelivered == 0, "Whoever texts can be reached."
    clock.advance(minutes=29, seconds=58)
    alex.sweep()
    assert twilio.bodies == [*parts, "Hello"]
    for _ in range(2):
        clock.advance(minutes=30)
        alex.sweep()
        assert twilio.bodies == [*parts, "Hello", *parts]
        record_status(alex.services, key=None, sid=twilio.accepted[-1].sid, status="undelivered", error_code=code)


def test_a_part_that_waits_for_its_person_comes_with_their_text_though_another_comes_later(
    alex: Phone, claude: ClaudeServer
) -> None:
    claude.queue(say("A few words. " * 150))
    parts = ask(alex)
    for part, code in zip(alex.messages("out"), (63016, 30008), strict=True):
        record_status(alex.services, key=None, sid=str(part.sid), status="undelivered", error_code=code)
    assert ask(alex) == [parts[0], "Hello"]


@pytest.mark.parametrize(
    ("code", "after"), [*((code, {}) for code in (30005, 30006, 30007, 30034, 30036, 30450)), (30003, {"seconds": 1})]
)
def test_r26_others_and_a_reply_that_is_more_than_an_hour_old_are_never_sent_again_by_themselves(
    code: int, after: dict[str, int], alex: Phone, clock: FrozenClock, twilio: TwilioServer
) -> None:
    ask(alex)
    if after:
        clock.advance(hours=1, **after)
    fail(alex, code)
    clock.advance(hours=2)
    alex.sweep()
    assert twilio.bodies == ["Hello"]
    assert (newest(alex).delivery, newest(alex).carrier_code) == ("undelivered", code)


@pytest.mark.parametrize(
    ("code", "refused"), [(21408, True), (21606, True), (21608, True), (30007, False), (30450, False)]
)
def test_what_the_operator_can_mend_is_told(code: int, refused: bool, alex: Phone, twilio: TwilioServer) -> None:
    if refused:
        twilio.account.refused_numbers[alex.number] = code
    ask(alex)
    if not refused:
        fail(alex, code)
    assert alerts(alex) == [f"carrier_{code}"]


@pytest.mark.parametrize("confirms", [True, False], ids=["it arrives", "nothing bad is heard"])
def test_texts_that_are_accepted_and_then_blocked_prove_nothing_until_one_arrives_or_nothing_bad_is_heard(
    alex: Phone, blair: Phone, clock: FrozenClock, twilio: TwilioServer, confirms: bool
) -> None:
    ask(alex)
    fail(alex, 30034)
    ask(alex)
    ask(blair)
    assert len(twilio.accepted) == 1
    clock.advance(hours=1)
    alex.sweep()
    assert len(twilio.accepted) == 2
    fail(alex, 30034)
    clock.advance(hours=1)
    blair.sweep()
    assert (len(twilio.accepted), alerts(blair)) == (3, ["sender"])
    if confirms:
        record_status(blair.services, key=None, sid=str(newest(blair).sid), status="delivered")
        assert alerts(blair) == []
    else:
        clock.advance(minutes=5)
    assert ask(alex) == ["Hello"]
    assert alerts(alex) == []


def test_a_code_nobody_knows_refuses_this_one_text_alone(alex: Phone, twilio: TwilioServer) -> None:
    twilio.account.refused_numbers[alex.number] = 29999
    ask(alex)
    assert (newest(alex).state, newest(alex).carrier_code, newest(alex).cost_cents) == ("refused", 29999, None)
    assert alerts(alex) == []
    twilio.account.refused_numbers = {}
    assert ask(alex) == ["Hello"]


def test_a_blocked_persons_turn_is_never_taken_up_again(alex: Phone, claude: ClaudeServer, clock: FrozenClock) -> None:
    claude.otherwise = overloaded()
    assert ask(alex) == []
    people.block(alex.services, alex.person_id)
    claude.otherwise = say("Hello")
    asked = len(claude.requests)
    clock.advance(minutes=30)
    alex.sweep()
    assert len(claude.requests) == asked
    assert [turn.outcome for turn in alex.turns()] == ["blocked"]
    assert [message.state for message in alex.messages("in")] == ["unanswered"]


def test_a_second_id_for_a_key_is_logged_alone(alex: Phone, caplog: pytest.LogCaptureFixture) -> None:
    ask(alex)
    sid = newest(alex).sid
    record_status(alex.services, key=newest(alex).key, sid="SM" + "b" * 32, status="failed")
    assert (newest(alex).sid, newest(alex).delivery) == (sid, None)
    assert "another" in caplog.text


def test_our_answer_to_a_text_stands_behind_it(line: Line) -> None:
    line.text("please stop texting me")
    with line.services.reading() as db:
        ways = [one.direction for one in db.query(Message).order_by(Message.id)]
    assert ways == ["in", "out"]


def test_a_late_report_on_a_text_from_before_their_start_opts_nobody_out(line: Line) -> None:
    for body in ("Hello", "STOP", "START"):
        line.text(body)
        line.clock.advance(minutes=1)
    line.call_back(line.twilio.accepted[0], "undelivered", ErrorCode="30004")
    assert line.person().opted_out_at is None


@pytest.mark.parametrize(("words", "sent"), [(("Hello", "STOP", "START"), 1), (("Hello", "START"), 2)])
def test_r27_a_reply_from_before_they_opted_out_that_did_not_arrive_is_not_sent_again(
    line: Line, words: tuple[str, ...], sent: int
) -> None:
    for body in words:
        line.text(body)
        line.clock.advance(minutes=1)
    line.call_back(line.twilio.accepted[0], "undelivered", ErrorCode="30003")
    line.sweep(minutes=31)
    assert len(line.twilio.accepted) == sent
