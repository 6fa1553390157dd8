"""Passkeys on the operator's pages: at the login and under Security."""

import html
import re

import pytest
from flask import Flask

from app.features.passkeys.keys import NO_SITE
from app.models import Passkey
from app.operators import factors
from app.services import Services
from tests.operators.logins import row
from tests.web.admin.conftest import PASSWORD, Browser, add_sam


def step_of(page: str) -> str:
    return html.unescape(re.findall(r'name="step" value="([^"]*)"', page)[0])


def add_passkey(services: Services, name: str) -> None:
    """Add a stored passkey for which no authenticator exists."""
    kept = {"host": "localhost", "credential_id": name.encode(), "public_key": b"", "sign_count": 0}
    with services.transaction() as db:
        db.add(Passkey(operator_id=row(services).id, name=name, created_at=services.clock.now(), **kept))


@pytest.mark.parametrize(
    "credential",
    [
        "{}",
        "[]",
        "null",
        "not json",
        '"x"',
        '{"id": 1}',
        "[" * 100_000,
        '{"id": "AA", "rawId": "AA", "type": "public-key", "response": {}}',
    ],
)
def test_a_passkey_that_is_none_is_refused_and_asked_for_again(browser: Browser, credential: str) -> None:
    asked = browser.post("/login/passkey")
    assert "Log in with a passkey" in asked.text
    page = browser.post("/login/step", step=step_of(asked.text), credential=credential)
    assert page.status_code == 403
    assert "That passkey was not accepted." in page.text
    assert "<h1>Log in</h1>" in browser.post("/login/step", step="nobody's", credential=credential).text
    assert browser.client.get_cookie("keepsake_session") is None


def test_a_login_that_asks_for_a_passkey_alone_takes_no_code(browser: Browser) -> None:
    step = step_of(browser.post("/login/passkey").text)
    page = browser.post("/login/step", step=step, code="123456")
    assert page.status_code == 429
    assert "asked for a passkey" in page.text


def test_where_browsers_know_no_passkeys_the_pages_say_so(operator: Browser) -> None:
    here, client = "http://127.0.0.1", operator.client
    login = client.get_cookie("keepsake_login")
    session = client.get_cookie("keepsake_session")
    assert login is not None
    assert session is not None
    for cookie in (login, session):
        client.set_cookie(cookie.key, cookie.value, domain="127.0.0.1")

    assert NO_SITE in client.get("/admin/security", base_url=here).text
    for path, token in (("/security/passkeys", operator.token()), ("/login/passkey", login.value)):
        form = {"csrf_token": token, "password": PASSWORD}
        page = client.post(f"/admin{path}", data=form, headers={"Origin": here}, base_url=here)
        assert page.status_code == 403
        assert NO_SITE in page.text


def test_r90_the_name_of_a_passkey_does_nothing_on_the_page(operator: Browser, services: Services) -> None:
    add_passkey(services, "<script>alert(1)</script>")
    page = operator.get("/security")
    assert "<script>alert(1)" not in page
    assert "&lt;script&gt;alert(1)" in page


@pytest.mark.parametrize("passkey_id", [1, 99])
def test_r94_nobody_removes_the_passkey_of_another_or_one_that_is_not_there(
    app: Flask, operator: Browser, services: Services, passkey_id: int
) -> None:
    add_passkey(services, "Phone")
    sam = add_sam(app, services, "owner")
    page = sam.post(f"/security/passkeys/{passkey_id}/remove", password=PASSWORD)
    assert page.status_code == 404
    assert f"You have no passkey {passkey_id}." in page.text
    assert len(factors.factors_of(services, row(services).id).passkeys) == 1


def test_a_passkey_is_added_and_removed_with_the_password_alone(operator: Browser, services: Services) -> None:
    add_passkey(services, "Phone")
    for path, fields in (("/security/passkeys", {"name": "Key"}), ("/security/passkeys/1/remove", {})):
        page = operator.post(path, password="wrong", **fields)
        assert page.status_code == 403
        assert "The password is not right." in page.text
    assert len(factors.factors_of(services, row(services).id).passkeys) == 1
