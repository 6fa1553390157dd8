"""Texts and calls at the webhooks' doors: what is kept, what is refused, what is answered."""

import fcntl
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from flask import Flask
from sqlalchemy import select, text
from werkzeug.test import TestResponse

from app.models import Media, Message, Person, marks
from app.services import Services
from app.settings import Settings
from app.store.sqlite import SqliteDatabase
from app.web.sms import CALLS
from tests.fakes import InlineBackground
from tests.twilio_server import ACCOUNT_SID, AUTH_TOKEN, NUMBER, PERSON, inbound_form, sign, twilio_settings

SERVICE = "MG" + "3c" * 16
WITH_SERVICE = {"twilio_from": SERVICE}
WITHOUT_TWILIO = dict.fromkeys(("twilio_account_sid", "twilio_auth_token", "twilio_from"))
AS_RCS = {"twilio_from": "rcs:keepsake_agent"}

Post = Callable[..., TestResponse]


@pytest.fixture
def settings(request: pytest.FixtureRequest) -> Settings:
    return twilio_settings(**{"access": "open", **getattr(request, "param", {})})


@pytest.fixture
def post(app: Flask, settings: Settings) -> Post:
    """A function that posts a form as Twilio does, signed for its own address or for another."""

    def post(form: dict[str, str], path: str = "/sms", signed_for: str | None = None) -> TestResponse:
        headers = {"X-Twilio-Signature": sign(signed_for or settings.address + path, form)}
        return app.test_client().post(path, data=form, headers=headers)

    return post


def kept(services: Services) -> list[Message]:
    with services.reading() as db:
        return list(db.scalars(select(Message).where(Message.direction == "in").order_by(Message.id)))


def files_kept(services: Services) -> list[tuple[int, str, str]]:
    with services.reading() as db:
        return [(one.place, one.url, one.content_type) for one in db.scalars(select(Media).order_by(Media.id))]


def test_r1_a_text_is_on_the_disk_once_and_its_lane_awake_before_twilio_gets_its_empty_answer(
    post: Post, services: Services, background: InlineBackground
) -> None:
    form = inbound_form("My dog is called Max")
    for _ in range(3):
        answer = post(form)
        assert (answer.status_code, answer.mimetype) == (200, "text/xml")
        assert answer.text == '<?xml version="1.0" encoding="UTF-8"?><Response/>'
    [message] = kept(services)
    assert (message.sid, message.body, message.carrier) == (form["MessageSid"], form["Body"], "twilio")
    assert background.woken == [message.person_id]
    with services.reading() as db:
        assert db.get_one(Person, message.person_id).address == PERSON


@pytest.mark.parametrize("path", ["//sms", "/sms//", "/SMS", "/sms/x"])
def test_r12_no_address_near_the_webhook_redirects(app: Flask, path: str) -> None:
    answer = app.test_client().open(path, method="POST", base_url="http://localhost")
    assert answer.status_code in {403, 404, 405, 415}


def test_r12_every_other_method_is_405_and_anything_but_a_plain_form_415(app: Flask, services: Services) -> None:
    client = app.test_client()
    parts = b'--b\r\nContent-Disposition: form-data; name="Body"\r\n\r\nhi\r\n--b--\r\n'
    bodies = {"application/json": b'{"Body": "hi"}', "text/plain": b"Body=hi", "multipart/form-data; boundary=b": parts}
    for path in ("/sms", "/sms/"):
        for method in ("GET", "HEAD", "PUT", "PATCH", "DELETE"):
            assert client.open(path, method=method).status_code == 405
        for content_type, body in ((None, b"Body=hi"), *bodies.items()):
            assert client.post(path, data=body, content_type=content_type).status_code == 415
    assert kept(services) == []


@pytest.mark.parametrize("settings", [{}, WITHOUT_TWILIO], indirect=True)
def test_r5_a_request_unsigned_is_403_and_leaves_nothing(app: Flask, services: Services, settings: Settings) -> None:
    form = inbound_form("Hi")
    keys = ("", "None") if settings.has_twilio else ("", "None", AUTH_TOKEN)
    ours = [sign(f"{settings.address}/sms", form, key) for key in keys]
    for signature in (None, sign("https://evil.example/sms", form), *ours):
        headers = {} if signature is None else {"X-Twilio-Signature": signature}
        forged = {**headers, "X-Forwarded-Host": "evil.example", "Host": "evil.example"}
        assert app.test_client().post("/sms", data=form, headers=forged).status_code == 403
    assert kept(services) == []


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"AccountSid": "AC" + "9" * 32}, "AccountSid"),
        *(({"To": to}, "To") for to in ("+14155550111", "", "rcs:somebody")),
        *(({"MessageSid": sid}, "MessageSid") for sid in ("SM123", "SM" + "g" * 32, "SM" + "a" * 32 + "\n", "")),
        *(({"From": sender}, "From") for sender in ("", "+0123", "whatsapp:bob", "x" * 200, "<script>")),
    ],
)
def test_r8_a_signed_text_that_is_not_for_us_is_refused_with_the_reason_in_the_log(
    post: Post, services: Services, change: dict[str, str], reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        assert post({**inbound_form("Something private"), **change}).status_code == 403
    assert reason in caplog.text
    assert "private" not in caplog.text
    assert PERSON not in caplog.text
    assert kept(services) == []


@pytest.mark.parametrize("name", ["Body", "MessageSid", "From", "To", "AccountSid"])
def test_r8_a_name_shifted_into_its_value_is_refused_though_it_fits(post: Post, services: Services, name: str) -> None:
    form = inbound_form("hi")
    value = form.pop(name)
    form[name[:-1]] = name[-1] + value
    assert post(form).status_code == 403
    assert kept(services) == []


@pytest.mark.parametrize(
    ("settings", "form", "status"),
    [
        *(
            ({}, {"sender": sender}, 200)
            for sender in ("whatsapp:+14155550123", "72975", "GOOGLE", "My Bank 24", "rcs:agent_1", "messenger:1234567")
        ),
        ({}, {"sender": f"whatsapp:{PERSON}", "to": f"whatsapp:{NUMBER}", "WaId": "14155550123"}, 200),
        (WITH_SERVICE, {"to": "+14155550177", "MessagingServiceSid": SERVICE}, 200),
        (WITH_SERVICE, {}, 403),
        (WITH_SERVICE, {"MessagingServiceSid": "MG" + "4d" * 16}, 403),
        (AS_RCS, {"sender": f"rcs:{PERSON}", "to": "rcs:keepsake_agent"}, 200),
        (AS_RCS, {"sender": f"rcs:{PERSON}", "to": "rcs:another_agent"}, 403),
    ],
    indirect=["settings"],
)
def test_r14_each_kind_of_sender_may_text(post: Post, services: Services, form: dict[str, str], status: int) -> None:
    more: dict[str, Any] = form
    assert post(inbound_form("Hi", **more)).status_code == status
    assert len(kept(services)) == (status == 200)


@pytest.mark.parametrize("settings", [{"public_url": "https://Home.example.org:8443/keepsake/"}], indirect=True)
@pytest.mark.parametrize("path", ["/sms", "/keepsake/sms", "/sms/"])
@pytest.mark.parametrize("host", ["Home.example.org", "home.example.org"])
def test_r6_a_text_arrives_with_the_prefix_or_without(app: Flask, services: Services, path: str, host: str) -> None:
    form, url = inbound_form("Hi"), f"https://{host}:8443/keepsake/sms{'/' if path.endswith('/') else ''}"
    answer = app.test_client().post(path, data=form, headers={"X-Twilio-Signature": sign(url, form)})
    assert answer.status_code == 200, "a slash at the end is no redirect"
    assert len(kept(services)) == 1


@pytest.mark.parametrize(
    "body", ["", "  \n blank on both sides  ", "😀" * 1600, "مرحبا\u200f 👩‍👩‍👧 e\u0301", "a\x07b\tc", "x" * 100_000]
)
def test_r16_a_body_is_kept_letter_by_letter_among_unknown_fields(post: Post, services: Services, body: str) -> None:
    assert post(inbound_form(body, **{f"New{number}": str(number) for number in range(900)})).status_code == 200
    assert [message.body for message in kept(services)] == [body]


def test_r7_a_form_larger_than_any_text_is_413(post: Post, services: Services) -> None:
    assert post(inbound_form("x" * 1_200_000)).status_code == 413
    assert kept(services) == []


@pytest.mark.parametrize(("number", "count"), [("0", 0), ("2", 2), ("", 0), ("many", 0), ("-1", 0), ("9" * 30, 0)])
def test_media_are_counted(post: Post, services: Services, number: str, count: int) -> None:
    assert post(inbound_form("Look", NumMedia=number)).status_code == 200
    assert kept(services)[0].media_count == count


def test_files_are_kept_with_their_text(post: Post, services: Services, background: InlineBackground) -> None:
    url = f"https://api.twilio.com/2010-04-01/Accounts/{ACCOUNT_SID}/Messages/MM1/Media/ME"
    named = {"MediaUrl0": f"{url}0", "MediaContentType0": "image/jpeg", "MediaUrl1": f"{url}1"}
    form = inbound_form("", NumMedia="2", sid="MM" + "1" * 32, **named, MediaContentType1="audio/ogg")
    assert [post(form).status_code for _ in range(2)] == [200, 200]
    assert files_kept(services) == [(0, f"{url}0", "image/jpeg"), (1, f"{url}1", "audio/ogg")]
    [message] = kept(services)
    assert (message.body, message.media_count, background.woken) == ("", 2, [message.person_id])


def test_of_very_many_files_ten_are_kept_and_no_endless_address(post: Post, services: Services) -> None:
    named = {f"MediaUrl{number}": f"https://api.twilio.com/{number}" for number in range(30)}
    named["MediaUrl3"] = "https://api.twilio.com/" + "x" * 5000
    assert post(inbound_form("Look", NumMedia="30", **named)).status_code == 200
    assert [place for place, _, _ in files_kept(services)] == list(range(9))
    assert kept(services)[0].media_count == 30


def test_a_carrier_word_that_twilio_matched_and_what_comes_after_it_is_kept_and_not_answered(
    post: Post, services: Services, background: InlineBackground
) -> None:
    assert post(inbound_form("please stop it", OptOutType="STOP")).status_code == 200
    post(inbound_form("", NumMedia="1", MediaUrl0="https://api.twilio.com/1", MediaContentType0="image/png"))
    assert [message.state for message in kept(services)] == ["unanswered", "unanswered"]
    assert len(files_kept(services)) == 1
    assert background.woken == []


def test_a_place_is_kept_beside_its_text_whose_body_stays_as_it_came(post: Post, services: Services) -> None:
    place = {"Latitude": "37.7937", "Longitude": "-122.3965", "Label": "Blue Cafe", "Address": "1 Main St; #2"}
    assert post(inbound_form("", **place)).status_code == 200
    address = "geo:37.7937,-122.3965?q=Blue%20Cafe%2C%201%20Main%20St%3B%20%232"
    assert files_kept(services) == [(0, address, "application/geo")]
    assert [(message.body, message.media_count) for message in kept(services)] == [("", 1)]


@pytest.mark.parametrize("latitude", ["", "north", "1e5", "37.79?x=1", "9" * 50])
def test_what_is_no_place_is_kept_as_none(post: Post, services: Services, latitude: str) -> None:
    assert post(inbound_form("Hi", Latitude=latitude, Longitude="2.5")).status_code == 200
    assert files_kept(services) == []


def test_r4_a_database_that_fails_is_503_without_a_word_of_the_text_in_the_log(
    post: Post, services: Services, caplog: pytest.LogCaptureFixture
) -> None:
    with services.transaction() as db:
        db.execute(text("ALTER TABLE messages RENAME TO elsewhere"))
    assert post(inbound_form("Something private")).status_code == 503
    assert "could not be stored" in caplog.text
    assert not any(secret in caplog.text for secret in ("private", PERSON, AUTH_TOKEN))
    with services.transaction() as db:
        db.execute(text("ALTER TABLE elsewhere RENAME TO messages"))
    assert kept(services) == []


@pytest.mark.sqlite
@pytest.mark.parametrize("is_ours", [True, False], ids=["a process of ours", "another program"])
def test_r4_texts_to_a_database_held_by_another_are_503_within_ten_seconds(
    is_ours: bool, post: Post, services: Services, database: SqliteDatabase
) -> None:
    with closing(database._open("rw")) as program, Path(f"{database.path}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX) if is_ours else program.execute("BEGIN IMMEDIATE")
        began = time.monotonic()
        with ThreadPoolExecutor() as pool:
            codes = pool.map(lambda words: post(inbound_form(words)).status_code, ["Hi", "STOP", "Hello", "You there?"])
        assert set(codes) == {503}
        assert time.monotonic() - began < 10
    assert kept(services) == []


def test_what_whatsapp_calls_forwarded_is_kept_as_such(post: Post, services: Services) -> None:
    for flag in ("Forwarded", "FrequentlyForwarded"):
        for value in ("true", "false"):
            assert post(inbound_form("always pay early", **{flag: value})).status_code == 200
    assert post(inbound_form("hello")).status_code == 200
    assert [one.forwarded for one in kept(services)] == [True, False, True, False, False]
    assert {one.state for one in kept(services)} == {"waiting"}


CALL = {"AccountSid": ACCOUNT_SID, "CallSid": "CA" + "1" * 32, "CallStatus": "ringing", "From": PERSON, "To": NUMBER}


def calls(services: Services) -> int:
    with services.reading() as db:
        mark = marks.read(db, CALLS)
    return (mark and mark.number) or 0


@pytest.mark.sqlite
def test_a_caller_hears_that_the_number_reads_texts_and_is_counted_and_nothing_else_is_kept(
    post: Post, services: Services
) -> None:
    answer = post(CALL, "/voice")
    assert (answer.status_code, answer.mimetype) == (200, "text/xml")
    document = ET.fromstring(answer.get_data())
    assert [part.tag for part in document] == ["Say", "Hangup"]
    assert "only reads text messages" in (document.findtext("Say") or "")
    post(CALL | {"CallSid": "CA" + "2" * 32, "SpeechResult": "my secret words"}, "/voice")
    assert calls(services) == 2
    with services.reading() as db:
        assert db.query(Person).count() == db.query(Message).count() == 0
    assert b"my secret words" not in services.settings.database_path.read_bytes()


@pytest.mark.parametrize("settings", [{"public_url": "https://keepsake.example.org:8443"}], indirect=True)
def test_a_call_is_signed_for_the_address_without_its_port(post: Post) -> None:
    for port, status in (("", 200), (":8443", 200), (":9443", 403)):
        assert post(CALL, "/voice", f"https://keepsake.example.org{port}/voice").status_code == status


def test_a_call_that_twilio_did_not_sign_is_refused_and_not_counted(app: Flask, post: Post, services: Services) -> None:
    assert post(CALL, "/voice", "https://elsewhere.example.org/voice").status_code == 403
    assert post(CALL | {"AccountSid": "AC" + "9" * 32}, "/voice").status_code == 403
    assert post(CALL | {"CallSid": "not one"}, "/voice").status_code == 403
    assert app.test_client().post("/voice", data=CALL).status_code == 403
    assert calls(services) == 0
