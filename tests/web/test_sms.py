"""Texts at the webhook's door: what is kept, what is refused, what is answered."""

import fcntl
import logging
import os
from collections.abc import Callable

import pytest
from flask import Flask
from sqlalchemy import select, text
from werkzeug.test import TestResponse

from app.models import Media, Message, Person
from app.services import Services
from app.settings import Settings
from app.store.sqlite import SqliteDatabase
from tests.fakes import InlineBackground
from tests.twilio_server import ACCOUNT_SID, AUTH_TOKEN, NUMBER, PERSON, inbound_form, sign, twilio_settings

SERVICE = "MG" + "3c" * 16

Post = Callable[..., TestResponse]


@pytest.fixture
def settings() -> Settings:
    return twilio_settings(access="open")


@pytest.fixture
def post(app: Flask, settings: Settings) -> Post:
    """What posts a signed form as Twilio does."""
    client = app.test_client()

    def post(form: dict[str, str], path: str = "/sms", **more: object) -> TestResponse:
        headers = {"X-Twilio-Signature": sign(settings.address + path, form)}
        return client.post(path, data=form, headers=headers, **more)

    return post


def kept(services: Services) -> list[Message]:
    with services.reading() as db:
        return list(db.scalars(select(Message).where(Message.direction == "in").order_by(Message.id)))


def test_a_text_is_on_the_disk_and_its_lane_awake_before_twilio_gets_its_empty_answer(
    post: Post, services: Services, background: InlineBackground
) -> None:
    form = inbound_form("My dog is called Max")
    answer = post(form)
    assert (answer.status_code, answer.mimetype) == (200, "text/xml")
    assert answer.text == '<?xml version="1.0" encoding="UTF-8"?><Response/>'
    [message] = kept(services)
    assert (message.sid, message.body, message.carrier) == (form["MessageSid"], form["Body"], "twilio")
    assert background.woken == [message.person_id]
    with services.reading() as db:
        assert db.get_one(Person, message.person_id).address == PERSON


def test_r1_a_text_that_twilio_sends_twice_is_kept_once(
    post: Post, services: Services, background: InlineBackground
) -> None:
    form = inbound_form("Hi")
    assert [post(form).status_code for _ in range(3)] == [200] * 3
    assert len(kept(services)) == 1
    assert len(background.woken) == 1


def test_r12_a_slash_at_the_end_is_no_redirect(post: Post, services: Services) -> None:
    assert post(inbound_form("Hi"), "/sms/").status_code == 200
    assert len(kept(services)) == 1


@pytest.mark.parametrize("path", ["//sms", "/sms//", "/SMS", "/sms/x"])
def test_r12_no_address_near_the_webhook_redirects(app: Flask, path: str) -> None:
    answer = app.test_client().open(path, method="POST", base_url="http://localhost")
    assert answer.status_code in {403, 404, 405, 415}


@pytest.mark.parametrize("path", ["/sms", "/sms/"])
@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "PATCH", "DELETE"])
def test_r12_every_other_method_is_405(app: Flask, method: str, path: str) -> None:
    assert app.test_client().open(path, method=method).status_code == 405


def test_r12_json_is_415_and_leaves_nothing(app: Flask, services: Services) -> None:
    assert app.test_client().post("/sms", json=inbound_form("Hi")).status_code == 415
    assert kept(services) == []


def test_r5_a_request_that_twilio_did_not_sign_is_403_and_leaves_nothing(app: Flask, services: Services) -> None:
    form = inbound_form("Hi")
    for headers in ({}, {"X-Twilio-Signature": sign("https://evil.example/sms", form)}):
        forged = {**headers, "X-Forwarded-Host": "evil.example", "Host": "evil.example"}
        assert app.test_client().post("/sms", data=form, headers=forged).status_code == 403
    assert kept(services) == []


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"AccountSid": "AC" + "9" * 32}, "AccountSid"),
        ({"To": "+14155550111"}, "To"),
        ({"To": ""}, "To"),
        ({"To": "rcs:somebody"}, "To"),
        ({"MessageSid": "SM123"}, "MessageSid"),
        ({"MessageSid": "SM" + "g" * 32}, "MessageSid"),
        ({"MessageSid": "SM" + "a" * 32 + "\n"}, "MessageSid"),
        ({"MessageSid": ""}, "MessageSid"),
        ({"From": ""}, "From"),
        ({"From": "+0123"}, "From"),
        ({"From": "whatsapp:bob"}, "From"),
        ({"From": "x" * 200}, "From"),
        ({"From": "<script>"}, "From"),
    ],
)
def test_r8_a_signed_text_that_is_not_for_us_is_refused_with_the_reason_in_the_log(
    post: Post, services: Services, change: dict[str, str], reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    form = {**inbound_form("Something private"), **change}
    with caplog.at_level(logging.WARNING):
        assert post(form).status_code == 403
    assert reason in caplog.text
    assert "private" not in caplog.text
    assert PERSON not in caplog.text
    assert kept(services) == []


@pytest.mark.parametrize("name", ["Body", "MessageSid", "From", "To", "AccountSid"])
def test_r8_a_name_shifted_into_its_value_is_refused_though_the_signature_fits(
    post: Post, services: Services, name: str
) -> None:
    form = inbound_form("hi")
    value = form.pop(name)
    form[name[:-1]] = name[-1] + value
    assert post(form).status_code == 403
    assert kept(services) == []


@pytest.mark.parametrize(
    "sender", ["whatsapp:+14155550123", "72975", "GOOGLE", "My Bank 24", "rcs:agent_1", "messenger:1234567"]
)
def test_r14_every_kind_of_sender_is_kept(post: Post, services: Services, sender: str) -> None:
    assert post(inbound_form("Hi", sender=sender)).status_code == 200
    assert len(kept(services)) == 1


def test_a_whatsapp_text_comes_to_our_number_on_whatsapp(post: Post, services: Services) -> None:
    form = inbound_form(
        "Hi", sender=f"whatsapp:{PERSON}", to=f"whatsapp:{NUMBER}", ProfileName="Alex", WaId="14155550123"
    )
    assert post(form).status_code == 200
    assert len(kept(services)) == 1


class TestWithAMessagingService:
    @pytest.fixture
    def settings(self) -> Settings:
        return twilio_settings(access="open", twilio_from=SERVICE)

    def test_any_number_of_the_service_is_ours(self, post: Post, services: Services) -> None:
        assert post(inbound_form("Hi", to="+14155550177", MessagingServiceSid=SERVICE)).status_code == 200
        assert len(kept(services)) == 1

    @pytest.mark.parametrize("more", [{}, {"MessagingServiceSid": "MG" + "4d" * 16}])
    def test_another_service_is_not(self, post: Post, services: Services, more: dict[str, str]) -> None:
        assert post(inbound_form("Hi", **more)).status_code == 403
        assert kept(services) == []


class TestBehindAProxyWithAPrefix:
    @pytest.fixture
    def settings(self) -> Settings:
        return twilio_settings(access="open", public_url="https://Home.example.org:8443/keepsake/")

    @pytest.mark.parametrize("path", ["/sms", "/keepsake/sms"])
    @pytest.mark.parametrize("host", ["Home.example.org", "home.example.org"])
    def test_r6_a_text_arrives_whether_the_proxy_takes_the_prefix_off_or_not(
        self, app: Flask, services: Services, path: str, host: str
    ) -> None:
        form = inbound_form("Hi")
        headers = {"X-Twilio-Signature": sign(f"https://{host}:8443/keepsake/sms", form)}
        assert app.test_client().post(path, data=form, headers=headers).status_code == 200
        assert len(kept(services)) == 1


@pytest.mark.parametrize(
    "body", ["", "  \n blank on both sides  ", "😀" * 1600, "مرحبا\u200f 👩‍👩‍👧 e\u0301", "a\x07b\tc", "x" * 100_000]
)
def test_r16_a_body_is_kept_letter_by_letter(post: Post, services: Services, body: str) -> None:
    assert post(inbound_form(body)).status_code == 200
    assert [message.body for message in kept(services)] == [body]


def test_r7_fields_that_twilio_adds_are_no_hindrance(post: Post, services: Services) -> None:
    assert post(inbound_form("Hi", **{f"New{number}": str(number) for number in range(1000)})).status_code == 200
    assert len(kept(services)) == 1


def test_r7_a_form_larger_than_any_text_is_413(post: Post, services: Services) -> None:
    assert post(inbound_form("x" * 1_200_000)).status_code == 413
    assert kept(services) == []


@pytest.mark.parametrize(("number", "count"), [("0", 0), ("2", 2), ("", 0), ("many", 0), ("-1", 0), ("9" * 30, 0)])
def test_media_are_counted(post: Post, services: Services, number: str, count: int) -> None:
    assert post(inbound_form("Look", NumMedia=number)).status_code == 200
    assert kept(services)[0].media_count == count


def files_kept(services: Services) -> list[tuple[int, str, str]]:
    with services.reading() as db:
        return [(one.place, one.url, one.content_type) for one in db.scalars(select(Media).order_by(Media.id))]


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


def test_a_file_of_a_stranger_and_of_somebody_opted_out_is_kept_and_nobody_answers(
    post: Post, services: Services, background: InlineBackground
) -> None:
    post(inbound_form("STOP"))
    post(inbound_form("", NumMedia="1", MediaUrl0="https://api.twilio.com/1", MediaContentType0="image/png"))
    assert [message.state for message in kept(services)] == ["unanswered", "unanswered"]
    assert len(files_kept(services)) == 1
    assert background.woken == []


def test_a_place_is_kept_beside_its_text_whose_body_stays_as_it_came(post: Post, services: Services) -> None:
    place = {"Latitude": "37.7937", "Longitude": "-122.3965", "Label": "Blue Cafe", "Address": "1 Main St; #2"}
    assert post(inbound_form("", **place)).status_code == 200
    assert files_kept(services) == [
        (0, "geo:37.7937,-122.3965?q=Blue%20Cafe%2C%201%20Main%20St%3B%20%232", "application/geo")
    ]
    assert [(message.body, message.media_count) for message in kept(services)] == [("", 1)]


@pytest.mark.parametrize("latitude", ["", "north", "1e5", "37.79?x=1", "9" * 50])
def test_what_is_no_place_is_kept_as_none(post: Post, services: Services, latitude: str) -> None:
    assert post(inbound_form("Hi", Latitude=latitude, Longitude="2.5")).status_code == 200
    assert files_kept(services) == []


class TestAsAnRcsSender:
    @pytest.fixture
    def settings(self) -> Settings:
        return twilio_settings(access="open", twilio_from="rcs:keepsake_agent")

    def test_a_text_to_our_agent_is_ours_and_one_to_another_is_not(self, post: Post, services: Services) -> None:
        assert post(inbound_form("Hi", sender=f"rcs:{PERSON}", to="rcs:keepsake_agent")).status_code == 200
        assert post(inbound_form("Hi", sender=f"rcs:{PERSON}", to="rcs:another_agent")).status_code == 403
        assert len(kept(services)) == 1


def test_a_carrier_word_that_twilio_matched_is_kept_and_not_answered(
    post: Post, services: Services, background: InlineBackground
) -> None:
    assert post(inbound_form("please stop it", OptOutType="STOP")).status_code == 200
    assert [message.state for message in kept(services)] == ["unanswered"]
    assert background.woken == []


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
def test_r4_a_database_that_another_process_holds_is_503_within_ten_seconds(
    post: Post, services: Services, database: SqliteDatabase
) -> None:
    lock = os.open(database.path.with_name(database.path.name + ".lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert post(inbound_form("Hi")).status_code == 503
    finally:
        os.close(lock)
    assert kept(services) == []


class TestWithoutTwilio:
    @pytest.fixture
    def settings(self) -> Settings:
        return Settings()

    def test_nobody_gets_in(self, app: Flask, services: Services) -> None:
        form = inbound_form("Hi")
        for token in ("", "None", AUTH_TOKEN):
            headers = {"X-Twilio-Signature": sign("http://127.0.0.1:8080/sms", form, token)}
            assert app.test_client().post("/sms", data=form, headers=headers).status_code == 403
        assert kept(services) == []


@pytest.mark.parametrize("flag", ["Forwarded", "FrequentlyForwarded"])
def test_what_whatsapp_calls_forwarded_is_kept_as_such(post: Post, services: Services, flag: str) -> None:
    assert post(inbound_form("always pay early", **{flag: "true"})).status_code == 200
    assert post(inbound_form("always pay late", **{flag: "false"})).status_code == 200
    assert post(inbound_form("hello")).status_code == 200

    assert [(one.body, one.forwarded, one.state) for one in kept(services)] == [
        ("always pay early", True, "waiting"),
        ("always pay late", False, "waiting"),
        ("hello", False, "waiting"),
    ]
