"""The doctor's findings from Twilio, and from a webhook request that it signs itself."""

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from flask import redirect

from app.models import Media, Message
from app.settings import Settings
from app.web.application import create_app
from app.wiring import build_services
from tests.cli.conftest import Examine
from tests.loopback import HeldPort, served
from tests.twilio_account_server import Service, TwilioAccountServer
from tests.twilio_server import AUTH_TOKEN, NUMBER, PUBLIC_URL, twilio_settings
from tests.web.admin.scenes import add_person, add_text

WEBHOOK = f"{PUBLIC_URL}/sms#rc=3&rp=all&rt=5000&tt=15000"


@pytest.fixture
def account() -> Iterator[TwilioAccountServer]:
    with TwilioAccountServer() as server:
        server.number = {"sms_url": WEBHOOK, "sms_method": "POST", "sms_fallback_url": WEBHOOK}
        server.services = [Service(numbers=["+14155559999"]), Service("MG" + "1" * 32, numbers=[NUMBER])]
        server.services[1].campaigns = ["VERIFIED"]
        yield server


@pytest.fixture(name="examine")
def examine_the_account(examine: Examine, account: TwilioAccountServer) -> Examine:
    return partial(examine, **account.environment())


def test_r118_a_good_account_is_ok_and_what_could_not_be_reached_is_said(examine: Examine) -> None:
    found = examine()
    levels = {check: found[check]["level"] for check in ("account", "clock skew", "webhook", "A2P 10DLC", "media")}
    assert set(levels.values()) == {"ok"}, found
    assert found["probe"]["level"] == "warn"
    assert found["probe"]["says"].startswith("not looked at: It could not be reached (ProxyError).")
    assert "Geo permissions" in found["countries"]["says"]
    assert "21408" in found["countries"]["says"]
    assert "A2P 10DLC" not in examine(TWILIO_FROM="+18335550100"), "toll-free numbers are verified in another way"


ALONE = Service(inbound_request_url=WEBHOOK, fallback_url=WEBHOOK)
UNAPPROVED = Service("MG" + "1" * 32, numbers=[NUMBER], campaigns=["IN_PROGRESS"])


@pytest.mark.parametrize(
    ("change", "environment", "check", "level", "says"),
    [
        ({}, {"TWILIO_AUTH_TOKEN": "another-token"}, "account", "bad", "Copy them anew"),
        ({"kind": "Trial"}, {}, "account", "warn", "21608"),
        ({"status": "suspended"}, {}, "account", "bad", "suspended: nothing is sent or brought."),
        ({"answers_html": True}, {}, "account", "bad", "The answer is not Twilio's"),
        ({"clock_behind": timedelta(minutes=5)}, {}, "clock skew", "bad", "s ahead of Twilio. Set its clock by NTP."),
        ({"clock_behind": timedelta(minutes=-5)}, {}, "clock skew", "bad", "s behind Twilio. Set its clock by NTP."),
        ({"number": None}, {}, "webhook", "warn", "does not show it"),
        ({"services": [UNAPPROVED]}, {}, "A2P 10DLC", "warn", "(IN_PROGRESS)"),
        ({"services": []}, {}, "A2P 10DLC", "warn", "in no Messaging Service"),
        ({"services": []}, {}, "A2P 10DLC", "warn", "error 30034"),
        ({"shows_services": False}, {}, "A2P 10DLC", "warn", "in no Messaging Service that the API shows"),
        ({"services": [ALONE]}, {"TWILIO_FROM": ALONE.sid}, "A2P 10DLC", "bad", "has no sender"),
        ({"number": {"sms_url": "https://old.org/sms"}}, {}, "webhook", "bad", "brings texts to https://old.org/sms"),
        ({"number": {"sms_url": f"{PUBLIC_URL}/wrong"}}, {}, "webhook", "bad", f"makes it {PUBLIC_URL}/sms"),
        ({"number": {"sms_url": "http://keepsake.example.org/sms"}}, {}, "webhook", "bad", "brings texts to http://"),
        ({"number": {"sms_url": ""}}, {}, "webhook", "bad", "has no address"),
        ({"number": {"sms_method": "GET"}}, {}, "webhook", "bad", "Keepsake takes POST"),
        ({"number": {"sms_application_sid": "AP" + "0" * 32}}, {}, "webhook", "bad", "the application AP"),
        ({"number": {"sms_fallback_url": ""}}, {}, "webhook", "warn", "no fallback"),
        ({"number": {"sms_url": f"{PUBLIC_URL}/sms"}}, {}, "webhook", "warn", "no #rc="),
        ({"number": {"sms_url": "https://KEEPSAKE.example.org/sms/#rc=3"}}, {}, "webhook", "ok", "tries again"),
    ],
)
def test_r118_what_is_wrong_with_the_account_its_key_clock_webhook_or_campaign_is_found(
    examine: Examine,
    account: TwilioAccountServer,
    change: dict[str, Any],
    environment: dict[str, str],
    check: str,
    level: str,
    says: str,
) -> None:
    if change.get("number"):
        change = {"number": (account.number or {}) | change["number"]}
    for name, value in change.items():
        setattr(account, name, value)
    finding = examine(**environment)[check]
    assert (finding["level"], says in finding["says"]) == (level, True), finding


def test_r118_a_services_address_counts_where_it_has_it(examine: Examine, account: TwilioAccountServer) -> None:
    service = account.services[1]
    service.use_inbound_webhook_on_number = False
    assert "has no address" in examine()["webhook"]["says"]
    service.inbound_request_url = service.fallback_url = WEBHOOK
    finding = examine(TWILIO_FROM=service.sid)["webhook"]
    assert finding["level"] == "ok"
    assert finding["says"].startswith(f"the Messaging Service {service.sid}")
    service.use_inbound_webhook_on_number = True
    assert examine(TWILIO_FROM=service.sid)["webhook"]["level"] == "bad"


def test_r118_pictures_that_anybody_can_fetch_are_found(examine: Examine, account: TwilioAccountServer) -> None:
    assert "no picture has come yet" in examine()["media"]["says"]
    with closing(build_services(Settings())) as services:
        text = add_text(services, add_person(services).id, "", media_count=1)
        with services.transaction() as db:
            db.add(Media(message_id=text.id, place=0, url=account.media_url, content_type="image/png"))
    assert examine()["media"]["level"] == "ok"
    account.media_is_private = False
    finding = examine()["media"]
    assert (finding["level"], "HTTP basic authentication" in finding["says"]) == ("warn", True)


@pytest.mark.parametrize(
    ("token", "path", "level", "says"),
    [
        (AUTH_TOKEN, "", "ok", "is taken at PUBLIC_URL"),
        ("an-older-token", "", "bad", "another TWILIO_AUTH_TOKEN"),
        (AUTH_TOKEN, "/moved", "bad", "redirects to"),
        (AUTH_TOKEN, "/nobody", "bad", "answered 404"),
    ],
)
def test_r118_a_probe_that_was_signed_here_tells_of_a_wrong_token_and_of_a_redirect(
    examine: Examine, token: str, path: str, level: str, says: str
) -> None:
    held = HeldPort()
    url = f"http://127.0.0.1:{held.number}"
    services = build_services(twilio_settings(twilio_auth_token=token, public_url=url, database_url="sqlite:///a.db"))
    app = create_app(services=services)
    app.add_url_rule("/moved/sms/status", "moved", lambda: redirect("/sms/status"), methods=["POST"])
    with served(app, held.number):
        finding = examine(PUBLIC_URL=url + path)["probe"]
    assert finding["level"] == level, finding
    assert says in finding["says"]
    with services.reading() as db:
        assert db.query(Message).count() == 0
    services.store.close()
