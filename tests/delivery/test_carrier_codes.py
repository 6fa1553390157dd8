"""What follows from the carrier's error codes, told when a text is refused or when it did not arrive."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from app.conversation.turn import wake_waiting
from app.delivery.pacing import STOPPED
from app.delivery.reports import MEANINGS, record_status
from app.models import Consent, Message
from app.operations import marks
from app.operations.alerts import open_alerts
from app.people import block
from app.services import Services
from tests.claude_server import ClaudeServer, overloaded, say
from tests.fakes import FrozenClock, InlineBackground
from tests.phoning import Phone
from tests.twilio_server import LIVE, TwilioServer

pytestmark = pytest.mark.parametrize("settings", [LIVE], indirect=True)


@pytest.fixture
def alex(live: Services, background: InlineBackground, claude: ClaudeServer) -> Phone:
    claude.otherwise = say("Hello")
    return Phone(live, background)


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
    sid = str(newest(phone).sid)
    record_status(phone.services, key=None, sid=sid, status=status, error_code=code)


def ask(phone: Phone) -> list[str]:
    return phone.text("Hi", carrier="twilio")


def sweep(phone: Phone) -> None:
    wake_waiting(phone.services, quiet_seconds=0)
    phone.background.run()


@pytest.mark.parametrize("code", [21610, 30004])
def test_r27_an_opt_out_that_the_carrier_tells_is_recorded_and_nothing_more_is_sent(
    code: int, alex: Phone, twilio: TwilioServer
) -> None:
    twilio.account.refused_numbers[alex.number] = code
    ask(alex)
    assert alex.person().opted_out_at == alex.services.clock.now()
    assert (newest(alex).state, newest(alex).carrier_code) == ("refused", code)
    with alex.services.reading() as db:
        [_, consent] = db.scalars(select(Consent).order_by(Consent.id)).all()
    assert (consent.agrees, consent.how, consent.message_id) == (False, "carrier_refusal", newest(alex).id)
    calls = twilio.calls
    ask(alex)
    assert twilio.calls == calls


@pytest.mark.parametrize("code", [21211, 21408, 21614, 21635, 30640])
def test_a_number_that_can_never_be_reached_is_not_tried_again_until_it_texts(
    code: int, alex: Phone, background: InlineBackground, twilio: TwilioServer
) -> None:
    twilio.account.refused_numbers[alex.number] = code
    ask(alex)
    note = alex.person().unreachable
    assert str(code) in str(note)
    with alex.services.transaction() as db:
        db.get_one(Message, newest(alex).id).state = "queued"
    calls = twilio.calls
    sweep(alex)
    assert (newest(alex).state, newest(alex).note, twilio.calls) == ("refused", note, calls)
    twilio.account.refused_numbers.clear()
    assert ask(alex) == ["Hello"]
    assert alex.person().unreachable is None


@pytest.mark.parametrize(("code", "allowed"), [(30003, 5), (30005, 2), (30006, 2)])
def test_r26_texts_that_miss_the_phone_in_a_row_make_it_unreachable(code: int, allowed: int, alex: Phone) -> None:
    ask(alex)
    sids = [str(newest(alex).sid)]
    with alex.services.transaction() as db:
        db.get_one(Message, newest(alex).id).resends = 1  # So that none is sent once more.
        for number in range(2, allowed + 1):
            sids.append(f"SM{number:032x}")
            db.add(
                Message(
                    person_id=alex.person_id,
                    direction="out",
                    carrier="twilio",
                    sid=sids[-1],
                    state="sent",
                    body="More",
                    resends=1,
                    created_at=alex.services.clock.now(),
                )
            )
    for sid in sids:
        assert alex.person().unreachable is None
        record_status(alex.services, key=None, sid=sid, status="undelivered", error_code=code)
    assert str(code) in str(alex.person().unreachable)


def test_a_text_that_arrives_forgives_those_that_did_not(alex: Phone) -> None:
    ask(alex)
    fail(alex, 30005)
    assert alex.person().undelivered == 1
    with alex.services.transaction() as db:
        db.add(
            Message(
                person_id=alex.person_id,
                direction="out",
                carrier="twilio",
                sid="SM1",
                state="sent",
                body="More",
                created_at=alex.services.clock.now(),
            )
        )
    record_status(alex.services, key=None, sid="SM1", status="delivered")
    assert alex.person().undelivered == 0


@pytest.mark.parametrize("code", [30003, 30008])
def test_r26_a_reply_that_did_not_arrive_is_sent_once_more_half_an_hour_later_and_holds_nothing_up(
    code: int, alex: Phone, clock: FrozenClock, twilio: TwilioServer
) -> None:
    ask(alex)
    fail(alex, code)
    fail(alex, code, "failed")  # A second word on the same text changes nothing.
    assert ask(alex) == ["Hello"]
    sweep(alex)
    assert len(twilio.bodies) == 2
    clock.advance(minutes=30)
    sweep(alex)
    assert len(twilio.bodies) == 3
    record_status(alex.services, key=None, sid=twilio.accepted[-1].sid, status="undelivered", error_code=code)
    clock.advance(minutes=30)
    sweep(alex)
    assert len(twilio.bodies) == 3


@pytest.mark.parametrize("code", [30005, 30006, 30007, 30034, 30036, 30450])
def test_r26_others_are_never_sent_again_by_themselves(
    code: int, alex: Phone, clock: FrozenClock, twilio: TwilioServer
) -> None:
    ask(alex)
    fail(alex, code)
    clock.advance(hours=2)
    sweep(alex)
    assert twilio.bodies == ["Hello"]
    assert (newest(alex).delivery, newest(alex).carrier_code) == ("undelivered", code)


def test_r26_a_reply_that_is_more_than_an_hour_old_is_not_sent_again(
    alex: Phone, clock: FrozenClock, twilio: TwilioServer
) -> None:
    ask(alex)
    clock.advance(hours=1, seconds=1)
    fail(alex, 30003)
    clock.advance(hours=1)
    sweep(alex)
    assert twilio.bodies == ["Hello"]


@pytest.mark.parametrize("code", [21408, 21608])
def test_what_the_operator_can_mend_is_told_when_a_text_is_refused(
    code: int, alex: Phone, twilio: TwilioServer
) -> None:
    twilio.account.refused_numbers[alex.number] = code
    ask(alex)
    assert alerts(alex) == [f"carrier_{code}"]


@pytest.mark.parametrize("code", [30007, 30450])
def test_what_the_operator_can_mend_is_told_when_a_text_did_not_arrive(code: int, alex: Phone) -> None:
    ask(alex)
    fail(alex, code)
    assert alerts(alex) == [f"carrier_{code}"]


@pytest.mark.parametrize("code", [20003, 21611, 30001, 30034, 63038])
def test_a_sender_that_is_refused_keeps_every_text_and_tries_with_one_at_a_time(
    code: int, alex: Phone, blair: Phone, clock: FrozenClock, twilio: TwilioServer
) -> None:
    twilio.account.refused_numbers = {alex.number: code, blair.number: code}
    ask(alex)
    ask(blair)
    assert twilio.calls == 1
    assert [newest(alex).state, newest(blair).state] == ["queued", "queued"]
    assert alerts(alex) == ["sender"]
    pause = MEANINGS[code].stops_for
    assert pause is not None
    clock.advance(seconds=pause.total_seconds() - 1)
    sweep(alex)
    assert twilio.calls == 1
    clock.advance(seconds=1)
    sweep(alex)
    assert twilio.calls == 2, "One text tries, and the other is kept back."
    assert alerts(alex) == ["sender"]


@pytest.mark.parametrize("code", [20003, 21611, 63038])
def test_when_the_sender_works_again_everybody_gets_their_text_in_order(
    code: int, alex: Phone, blair: Phone, clock: FrozenClock, twilio: TwilioServer
) -> None:
    twilio.account.refused_numbers = {alex.number: code, blair.number: code}
    ask(alex)
    ask(blair)
    twilio.account.refused_numbers = {}
    clock.advance(hours=1)
    sweep(alex)
    assert [text.to for text in twilio.accepted] == [alex.number, blair.number]
    assert alerts(alex) == []


def test_texts_that_are_accepted_and_then_blocked_prove_nothing_until_one_arrives(
    alex: Phone, blair: Phone, clock: FrozenClock, twilio: TwilioServer
) -> None:
    ask(alex)
    fail(alex, 30034)
    ask(alex)
    ask(blair)
    assert len(twilio.accepted) == 1
    clock.advance(hours=1)
    sweep(alex)
    assert len(twilio.accepted) == 2
    fail(alex, 30034)
    clock.advance(hours=1)
    sweep(blair)
    assert len(twilio.accepted) == 3
    assert alerts(blair) == ["sender"]
    record_status(blair.services, key=None, sid=str(newest(blair).sid), status="delivered")
    assert alerts(blair) == []
    assert ask(alex) == ["Hello"]


def test_a_carrier_that_never_confirms_is_believed_when_nothing_bad_was_heard(
    alex: Phone, blair: Phone, clock: FrozenClock, twilio: TwilioServer
) -> None:
    ask(alex)
    fail(alex, 30034)
    ask(alex)
    ask(blair)
    clock.advance(hours=1)
    sweep(alex)
    clock.advance(minutes=5)
    sweep(blair)
    assert len(twilio.accepted) == 3
    assert alerts(alex) == []


def test_a_code_nobody_knows_refuses_this_one_text_alone(alex: Phone, twilio: TwilioServer) -> None:
    twilio.account.refused_numbers[alex.number] = 29999
    ask(alex)
    assert (newest(alex).state, newest(alex).carrier_code, newest(alex).cost_cents) == ("refused", 29999, None)
    assert alerts(alex) == []
    twilio.account.refused_numbers = {}
    assert ask(alex) == ["Hello"]


def test_wrong_credentials_stop_the_sender_also_in_the_real_refusal(
    alex: Phone, clock: FrozenClock, twilio: TwilioServer
) -> None:
    right, twilio.credentials = twilio.credentials, "changed:since"
    ask(alex)
    assert (newest(alex).state, alerts(alex)) == ("queued", ["sender"])
    with alex.services.reading() as db:
        mark = marks.read(db, "sender_stopped")
    assert mark is not None
    assert (mark.at, mark.number) == (clock.now() + timedelta(minutes=5), 20003)
    twilio.credentials = right
    clock.advance(minutes=5)
    sweep(alex)
    assert twilio.bodies == ["Hello"]


def test_a_sender_whose_last_try_was_forgotten_meanwhile_tries_again(alex: Phone, clock: FrozenClock) -> None:
    ask(alex)
    with alex.services.transaction() as db:
        marks.put(db, STOPPED, clock.now() - timedelta(minutes=1), number=30034, note="999999")
    assert ask(alex) == ["Hello"]


def test_a_blocked_persons_turn_that_was_put_off_is_never_taken_up(
    alex: Phone, claude: ClaudeServer, clock: FrozenClock
) -> None:
    claude.otherwise = overloaded()
    assert ask(alex) == []
    block(alex.services, alex.person_id)
    claude.otherwise = say("Hello")
    asked = len(claude.requests)
    clock.advance(minutes=30)
    sweep(alex)
    assert len(claude.requests) == asked
    assert [turn.outcome for turn in alex.turns()] == ["blocked"]
    assert [message.state for message in alex.messages("in")] == ["unanswered"]
