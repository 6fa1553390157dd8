"""Status callbacks: what Twilio says about a text that went out to it."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import permutations

import pytest
from flask import Flask
from sqlalchemy import select, text
from werkzeug.test import TestResponse

from app.conversation.turn import answer
from app.delivery.twilio.send import TwilioCarrier
from app.models import Message
from app.services import Services
from app.settings import Settings
from tests.fakes import InlineBackground
from tests.twilio_server import CUT_AFTER_ACCEPTING, TwilioServer, inbound_form, sign, status_form, twilio_settings

PUBLIC_URL = "https://keepsake.example.org"

Post = Callable[[str, dict[str, str]], TestResponse]


@pytest.fixture
def twilio(monkeypatch: pytest.MonkeyPatch) -> Iterator[TwilioServer]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with TwilioServer() as server:
        yield server


@pytest.fixture
def settings(twilio: TwilioServer) -> Settings:
    """An allowlist: an unknown number gets one reply, so a text goes out without a model."""
    return twilio_settings(twilio_api_url=twilio.url, public_url=PUBLIC_URL)


@pytest.fixture
def services(services: Services, background: InlineBackground) -> Services:
    services = replace(services, carriers={**services.carriers, "twilio": TwilioCarrier(services.settings)})
    background.start(lambda person_id: answer(services, person_id))
    return services


@pytest.fixture
def post(app: Flask) -> Post:
    """What posts a form to an address of ours, signed as Twilio does."""

    def post(url: str, form: dict[str, str]) -> TestResponse:
        target = url.removeprefix(PUBLIC_URL)
        return app.test_client().post(
            target, data=form, headers={"X-Twilio-Signature": sign(PUBLIC_URL + target, form)}
        )

    return post


@pytest.fixture
def text_out(post: Post, background: InlineBackground, twilio: TwilioServer) -> Callable[[], tuple[str, str]]:
    """What has one text sent; the id that Twilio gave it, and the address of its callbacks."""

    def text_out() -> tuple[str, str]:
        assert post("/sms", inbound_form("Hi")).status_code == 200
        background.run()
        [accepted] = twilio.accepted
        return accepted.sid, str(accepted.status_callback)

    return text_out


TextOut = Callable[[], tuple[str, str]]


def row(services: Services) -> Message:
    with services.reading() as db:
        return db.scalars(select(Message).where(Message.direction == "out")).one()


@pytest.mark.parametrize("order", list(permutations(["sent", "delivered", "read"])))
def test_callbacks_in_any_order_end_in_the_highest(
    post: Post, text_out: TextOut, services: Services, order: tuple[str, ...]
) -> None:
    sid, url = text_out()
    for status in (*order, order[0]):
        assert post(url, status_form(sid, status)).status_code == 204
    assert (row(services).state, row(services).delivery) == ("sent", "read")


def test_a_text_whose_acceptance_was_in_doubt_is_settled_by_its_callback_and_never_sent_twice(
    post: Post, text_out: TextOut, services: Services, background: InlineBackground, twilio: TwilioServer
) -> None:
    twilio.next_faults = [CUT_AFTER_ACCEPTING]
    sid, url = text_out()
    assert (row(services).state, row(services).sid) == ("unknown", None)
    assert post(url, status_form(sid, "sent")).status_code == 204
    assert (row(services).state, row(services).sid, row(services).delivery) == ("sent", sid, "sent")
    background.run()
    assert len(twilio.accepted) == 1


def test_a_text_that_was_not_delivered_says_why_and_is_found_by_its_id_where_the_key_is_missing(
    post: Post, text_out: TextOut, services: Services
) -> None:
    sid, _ = text_out()
    assert post("/sms/status", status_form(sid, "undelivered", ErrorCode="30003")).status_code == 204
    assert row(services).delivery == "undelivered"
    assert "30003" in str(row(services).note)


@pytest.mark.parametrize("target", ["/sms/status", "/sms/status/", "/sms/status?m=", "/sms/status?m=nobody&x=%7E"])
def test_a_callback_for_a_text_nobody_knows_is_2xx(post: Post, services: Services, target: str) -> None:
    assert post(target, status_form("SM" + "a" * 32, "delivered")).status_code == 204
    with services.reading() as db:
        assert db.scalars(select(Message)).all() == []


def test_what_is_no_status_yet_or_not_for_this_account_or_not_signed_for_this_key_changes_nothing(
    app: Flask, post: Post, text_out: TextOut, services: Services
) -> None:
    sid, url = text_out()
    for status in ("", "invented", "delivered ", "DELIVERED", "x" * 5000):
        assert post(url, status_form(sid, status)).status_code == 204
    form, target = status_form(sid, "failed"), url.removeprefix(PUBLIC_URL)
    for change in ({"AccountSid": "AC" + "9" * 32}, {"MessageSid": "SM1"}, {"MessageSid": ""}):
        assert post(url, {**form, **change}).status_code == 403
    for headers in ({}, {"X-Twilio-Signature": sign(url + "x", form)}):
        assert app.test_client().post(target, data=form, headers=headers).status_code == 403
    assert row(services).delivery is None


def test_get_is_405_and_json_415(app: Flask) -> None:
    assert app.test_client().get("/sms/status?m=1").status_code == 405
    assert app.test_client().post("/sms/status?m=1", json={}).status_code == 415


def test_a_database_that_fails_is_503_so_that_twilio_may_come_again(
    post: Post, text_out: TextOut, services: Services
) -> None:
    sid, url = text_out()
    with services.transaction() as db:
        db.execute(text("ALTER TABLE messages RENAME TO elsewhere"))
    assert post(url, status_form(sid, "delivered")).status_code == 503
