"""Access to the phone page, and the browser permissions in its responses."""

import re
from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app import operators
from app.services import Services
from app.settings import Settings
from app.web.application import create_app
from tests.tables import rows
from tests.web.admin.conftest import PASSWORD, Browser
from tests.web.phone_door import NEW_YORK, SEATTLE, TWILIO, new_sid, snapshot, text

PUBLIC = {"public_url": "https://keepsake.example"}


@pytest.mark.parametrize(("peer", "host", "headers", "status"), rows("callers_of_the_phone_page.jsonl"))
def test_where_nobody_else_reaches_it_the_page_and_the_metrics_are_for_this_machine_alone(
    make_services: Callable[..., Services], peer: str, host: str, headers: dict[str, str], status: int
) -> None:
    client = create_app(services=make_services()).test_client()
    for path in ("/phone", f"/phone/snapshot?number=%2B{SEATTLE[1:]}", "/metrics"):
        response = client.get(path, headers={"Host": host, **headers}, environ_base={"REMOTE_ADDR": peer})
        assert response.status_code == status, path
        if status != 200 and path != "/metrics":
            told = response.get_json()["message"]
            assert "Open it here as http://127.0.0.1:8080/phone, or set PUBLIC_URL" in told


@pytest.mark.parametrize("given", [TWILIO, TWILIO | PUBLIC, PUBLIC, {"host": "0.0.0.0"}, {"host": "keepsake.lan"}])
@pytest.mark.parametrize(("host", "headers", "protocol"), rows("visitors_of_the_phone_page.jsonl"))
def test_where_others_reach_it_the_page_asks_for_a_login_whatever_the_connection_says(
    make_services: Callable[..., Services], given: dict[str, str], host: str, headers: dict[str, str], protocol: str
) -> None:
    client = create_app(services=make_services(settings=Settings.model_validate(given))).test_client()
    for path in ("/phone", f"/phone?number=%2B{SEATTLE[1:]}", f"/phone/snapshot?number=%2B{SEATTLE[1:]}"):
        answer = client.get(path, headers={"Host": host, **headers}, environ_overrides={"SERVER_PROTOCOL": protocol})
        assert answer.status_code == 403, path
        assert "Log in as an owner at" in answer.get_json()["message"]
    assert text(client, "Do I have a dog?").status_code == 403


def test_with_twilio_an_owner_who_is_logged_in_has_the_page(make_services: Callable[..., Services]) -> None:
    services = make_services(settings=Settings.model_validate(TWILIO))
    operators.ensure_first(services, PASSWORD)
    owner = Browser(create_app(services=services))
    owner.log_in()
    assert owner.client.get("/phone").status_code == 200
    assert text(owner.client, "Hello").status_code == 202


def test_with_operators_who_may_not_reveal_the_page_is_for_owners_logged_in(app: Flask, services: Services) -> None:
    operators.ensure_first(services, PASSWORD)
    anyone, owner, support = Browser(app), Browser(app), Browser(app)
    text(anyone.client, "I have a dog named Max")
    assert "Max" in anyone.client.get("/phone").text
    support.log_in(operators.add(services, "sam", "support"), name="sam")
    owner.log_in()

    for path in ("/phone", f"/phone/snapshot?number=%2B{SEATTLE[1:]}", f"/phone/events?number=%2B{SEATTLE[1:]}"):
        for refused in (anyone, support):
            answer = refused.client.get(path)
            assert answer.status_code == 403
            assert "Log in as an owner at http://127.0.0.1:8080/admin/" in answer.get_json()["message"]
    assert text(support.client, "Do I have a dog?").status_code == 403
    assert "Max" in owner.client.get("/phone").text


def test_a_stream_of_the_page_ends_when_its_owner_logs_out(app: Flask, services: Services) -> None:
    operators.ensure_first(services, PASSWORD)
    operators.add(services, "sam", "support")
    owner = Browser(app)
    owner.log_in()
    with owner.client.get(f"/phone/events?number=%2B{SEATTLE[1:]}", buffered=False) as stream:
        events = iter(stream.response)
        assert "retry" in str(next(events))
        assert "snapshot" in str(next(events))
        owner.post("/logout")
        assert "event: ended" in str(next(events))


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 202),
        ({"Origin": "http://localhost"}, 202),
        ({"Origin": "http://127.0.0.1:8080"}, 202),  # PUBLIC_URL, behind a proxy that passes another host on.
        ({"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}, 202),
        ({"Sec-Fetch-Site": "none"}, 202),
        *(({"Sec-Fetch-Site": site}, 403) for site in ("cross-site", "same-site")),
        *(({"Origin": of}, 403) for of in ("https://evil.example", "http://localhost:9999", "http://[", "null")),
    ],
)
def test_a_text_is_taken_from_our_own_page_alone(client: FlaskClient, headers: dict[str, str], status: int) -> None:
    form = {"from": SEATTLE, "body": "hello", "sid": new_sid()}
    response = client.post("/phone/texts", data=form, headers={"Accept": "application/json", **headers})
    assert response.status_code == status
    assert ("hello" in snapshot(client)["thread"]) == (status == 202)


def test_every_answer_forbids_what_is_inline_and_is_kept_by_nobody(client: FlaskClient) -> None:
    for path in ("/phone", f"/phone/snapshot?number=%2B{SEATTLE[1:]}", "/phone/snapshot?number=x"):
        headers = client.get(path).headers
        assert headers["Content-Security-Policy"] == (
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
            "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        )
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "same-origin"
        assert headers["Cache-Control"] == "no-store"
    links = re.findall(r'\s(?:src|href|action)="([^"]*)"', client.get("/phone").get_data(as_text=True))
    assert {link[:1] for link in links} == {"/", "#"}, "all lead to our own site"


def test_links_lead_through_the_path_of_the_public_address(make_services: Callable[..., Services]) -> None:
    settings = Settings.model_validate({"public_url": "http://127.0.0.1:8080/assistant"})
    client = create_app(services=make_services(settings=settings)).test_client()
    page = client.get("/assistant/phone").get_data(as_text=True)
    assert 'action="/assistant/phone/texts"' in page
    assert f'href="/assistant/phone?number=%2B{NEW_YORK[1:]}"' in page
