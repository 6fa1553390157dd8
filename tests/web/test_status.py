"""Status callbacks: what Twilio says about a text that went out to it."""

from sqlalchemy import text

from app.models import Message
from tests.line import Line
from tests.twilio_server import PUBLIC_URL, Accepted, sign, status_form


def sent(line: Line) -> Accepted:
    """The one text that was sent."""
    line.text("Hi")
    [accepted] = line.twilio.accepted
    return accepted


def row(line: Line) -> Message:
    return line.went()[0]


def test_a_text_that_was_not_delivered_says_why_and_is_found_by_its_id_where_the_key_is_missing(line: Line) -> None:
    form = status_form(sent(line).sid, "undelivered", ErrorCode="30003")
    url = f"{PUBLIC_URL}/sms/status"
    assert line.post(url, form) == 204
    assert row(line).delivery == "undelivered"
    assert "30003" in str(row(line).note)


def test_what_is_no_status_yet_or_not_for_this_account_or_not_signed_for_this_key_changes_nothing(line: Line) -> None:
    accepted = sent(line)
    for status in ("", "invented", "delivered ", "DELIVERED", "x" * 5000):
        assert line.call_back(accepted, status) == 204
    url = str(accepted.status_callback)
    form = status_form(accepted.sid, "failed")
    for change in ({"AccountSid": "AC" + "9" * 32}, {"MessageSid": "SM1"}, {"MessageSid": ""}):
        assert line.post(url, {**form, **change}) == 403
    for signature in ("", sign(url + "x", form)):
        assert line.post(url, form, signature) == 403
    assert row(line).delivery is None


def test_a_database_that_fails_is_503_so_that_twilio_may_come_again(line: Line) -> None:
    accepted = sent(line)
    with line.services.transaction() as db:
        db.execute(text("ALTER TABLE messages RENAME TO elsewhere"))
    assert line.call_back(accepted, "delivered") == 503
