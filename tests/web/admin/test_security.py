"""The page of one's own login: second factors on and off, and where one is logged in."""

import html
import re

import pytest
from flask import Flask

from app.operators import factors
from app.services import Services
from tests.fakes import FrozenClock
from tests.operators.logins import row, shown_by_app
from tests.web.admin.conftest import PASSWORD, Browser

CODE = re.compile(r"<code class=\"secret\">([2-9a-z]{5}(?:-[2-9a-z]{5}){2})</code>")


def hidden(page: str, name: str) -> str:
    return html.unescape(re.findall(rf'name="{name}" value="([^"]*)"', page)[0])


@pytest.fixture
def secret(operator: Browser, services: Services, clock: FrozenClock) -> str:
    """The secret of an authenticator app that the operator has turned on."""
    shown = hidden(operator.get("/security/app"), "secret")
    page = operator.post("/security/app", secret=shown, code=shown_by_app(shown, services), password=PASSWORD)
    assert page.status_code == 200
    assert len(CODE.findall(page.text)) == 10
    clock.advance(minutes=1)
    return shown


def test_with_an_app_on_the_login_asks_for_its_code_and_leads_where_one_wanted_to_be(
    app: Flask, services: Services, secret: str
) -> None:
    browser = Browser(app)
    page = browser.log_in(next="/admin/security").text
    assert "One step more" in page
    step = {name: hidden(page, name) for name in ("step", "next")}
    for cookie in ("session", "browser"):
        assert browser.client.get_cookie(f"keepsake_{cookie}") is None
    wrong = browser.post("/login/step", code="000000", **step)
    assert wrong.status_code == 403
    assert "That code is not right" in wrong.text
    right = browser.post("/login/step", code=shown_by_app(secret, services), **step)
    assert right.headers["Location"] == "/admin/security"
    assert "Security" in browser.get("/security")


def test_r92_a_thousand_guesses_from_as_many_addresses_leave_the_owner_in(app: Flask, operator: Browser) -> None:
    operator.act("/logout")
    guesser = Browser(app)
    token, statuses = guesser.token(), set()
    for number in range(1000):
        address = f"10.1.{number // 250}.{number % 250}"
        answer = guesser.client.post(
            "/admin/login",
            data={"csrf_token": token, "name": "operator", "password": f"guess {number}"},
            headers={"Origin": "http://localhost", "X-Forwarded-For": address},
            environ_overrides={"REMOTE_ADDR": address},
        )
        statuses.add(answer.status_code)
    assert statuses == {403, 429}
    assert guesser.log_in().status_code == 429
    assert operator.log_in().status_code == 303


@pytest.mark.parametrize("step", ["", "made up", "x" * 10_000])
def test_a_login_step_that_nobody_began_leads_back_to_the_beginning(browser: Browser, step: str) -> None:
    page = browser.post("/login/step", step=step, code="123456")
    assert page.status_code == 403
    assert "<h1>Log in</h1>" in page.text


def test_each_change_asks_for_it_anew(operator: Browser, services: Services, clock: FrozenClock, secret: str) -> None:
    new = factors.new_secret()
    for path in ("app", "app/off", "recovery-codes"):
        code = shown_by_app(new, services)
        page = operator.post(f"/security/{path}", password="wrong", secret=new, code=code)
        assert page.status_code == 403, path
        assert "The password is not right." in page.text, path
        clock.advance(minutes=10)
    found = factors.factors_of(services, row(services).id)
    assert (found.has_app, found.codes_left) == (True, 10)
    assert row(services).totp_secret == secret


@pytest.mark.parametrize("secret", ["", "short", "A" * 5000, '"><script>', "ÄÄÄÄ" * 8])
def test_a_secret_that_was_not_made_here_is_replaced(operator: Browser, secret: str) -> None:
    page = operator.post("/security/app", secret=secret, code="000000", password=PASSWORD)
    assert page.status_code == 403
    assert re.fullmatch(r"[A-Z2-7]{32}", hidden(page.text, "secret"))
