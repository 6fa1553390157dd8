"""The page of one's own login: second factors on and off, and where one is logged in."""

import html
import re

import pytest
from flask import Flask

from app import operators
from app.services import Services
from tests.fakes import FrozenClock
from tests.operators.logins import row, shown_by_app
from tests.web.admin.conftest import PASSWORD, Browser

CODE = re.compile(r"<code class=\"secret\">([2-9a-z]{5}(?:-[2-9a-z]{5}){2})</code>")


def hidden(page: str, name: str) -> str:
    return html.unescape(re.findall(rf'name="{name}" value="([^"]*)"', page)[0])


def turn_on(operator: Browser, services: Services, clock: FrozenClock) -> tuple[str, list[str]]:
    """The app's secret and the recovery codes."""
    secret = hidden(operator.get("/security/app"), "secret")
    page = operator.post("/security/app", secret=secret, code=shown_by_app(secret, services), password=PASSWORD)
    assert page.status_code == 200
    clock.advance(minutes=1)
    return secret, CODE.findall(page.text)


def begin(browser: Browser, **fields: str) -> str:
    """The token of a login that asks for a second factor."""
    page = browser.log_in(**fields)
    assert page.status_code == 200
    assert "One step more" in page.text
    return hidden(page.text, "step")


def test_with_an_app_on_the_login_asks_for_its_code_and_leads_where_one_wanted_to_be(
    app: Flask, operator: Browser, services: Services, clock: FrozenClock
) -> None:
    secret, codes = turn_on(operator, services, clock)
    assert len(codes) == 10
    other = Browser(app)

    page = other.log_in(next="/admin/security")
    assert other.client.get_cookie("keepsake_session") is None
    assert other.client.get_cookie("keepsake_browser") is None
    step = hidden(page.text, "step")
    assert hidden(page.text, "next") == "/admin/security"
    wrong = other.post("/login/step", step=step, code="000000", next="/admin/security")
    assert wrong.status_code == 403
    assert "That code is not right" in wrong.text
    right = other.post("/login/step", step=step, code=shown_by_app(secret, services), next="/admin/security")

    assert right.headers["Location"] == "/admin/security"
    assert "Security" in other.get("/security")


def test_a_recovery_code_stands_in_for_the_app(
    app: Flask, operator: Browser, services: Services, clock: FrozenClock
) -> None:
    _, codes = turn_on(operator, services, clock)
    other = Browser(app)

    assert other.post("/login/step", step=begin(other), code=codes[0]).status_code == 303
    assert "9 left" in other.get("/security")
    third = Browser(app)
    assert third.post("/login/step", step=begin(third), code=codes[0]).status_code == 403


def test_r92_many_wrong_codes_have_to_wait_and_the_page_says_how_long(
    app: Flask, operator: Browser, services: Services, clock: FrozenClock
) -> None:
    secret, _ = turn_on(operator, services, clock)
    other = Browser(app)
    step = begin(other)
    for _ in range(5):
        other.post("/login/step", step=step, code="000000")

    page = other.post("/login/step", step=step, code=shown_by_app(secret, services))

    assert page.status_code == 429
    assert "5 wrong tries in a row. Try again in 1 s" in page.text
    clock.advance(seconds=1)
    assert other.post("/login/step", step=step, code=shown_by_app(secret, services)).status_code == 303


def test_r92_a_thousand_guesses_from_a_thousand_addresses_leave_the_owners_own_browser_open(
    app: Flask, operator: Browser, services: Services
) -> None:
    operator.act("/logout")
    guesser = Browser(app)
    token = guesser.token()
    statuses = set()
    for number in range(1000):
        address = f"10.1.{number // 250}.{number % 250}"
        statuses.add(
            guesser.client.post(
                "/admin/login",
                data={"csrf_token": token, "name": "operator", "password": f"guess {number}"},
                headers={"Origin": "http://localhost", "X-Forwarded-For": address},
                environ_overrides={"REMOTE_ADDR": address},
            ).status_code
        )

    assert statuses == {403, 429}
    assert guesser.log_in().status_code == 429
    assert operator.log_in().status_code == 303


def test_a_login_step_that_nobody_began_leads_back_to_the_beginning(browser: Browser) -> None:
    for step in ("", "made up", "x" * 10_000):
        page = browser.post("/login/step", step=step, code="123456")
        assert page.status_code == 403
        assert "<h1>Log in</h1>" in page.text


def test_every_change_asks_for_the_password(operator: Browser, services: Services, clock: FrozenClock) -> None:
    turn_on(operator, services, clock)
    secret = operators.new_secret()

    for path, fields in (
        ("/security/app", {"secret": secret, "code": shown_by_app(secret, services)}),
        ("/security/app/off", {}),
        ("/security/recovery-codes", {}),
    ):
        page = operator.post(path, password="wrong", **fields)
        assert page.status_code == 403, path
        assert "The password is not right." in page.text, path
        clock.advance(minutes=10)

    factors = operators.factors_of(services, row(services).id)
    assert (factors.has_app, factors.codes_left) == (True, 10)
    assert row(services).totp_secret != secret


def test_the_app_is_turned_off_and_codes_are_made_anew(
    app: Flask, operator: Browser, services: Services, clock: FrozenClock
) -> None:
    _, old = turn_on(operator, services, clock)
    new = CODE.findall(operator.post("/security/recovery-codes", password=PASSWORD).text)
    assert len(new) == 10
    assert not set(old) & set(new)

    assert "The authenticator app is off" in operator.act("/security/app/off", password=PASSWORD)

    assert Browser(app).log_in().status_code == 303


def test_a_wrong_code_shows_the_same_picture_again(operator: Browser) -> None:
    secret = hidden(operator.get("/security/app"), "secret")

    page = operator.post("/security/app", secret=secret, code="000000", password=PASSWORD)

    assert page.status_code == 403
    assert hidden(page.text, "secret") == secret
    assert 'src="data:image/svg+xml' in page.text


@pytest.mark.parametrize("secret", ["", "short", "A" * 5000, '"><script>', "ÄÄÄÄ" * 8])
def test_a_secret_that_was_not_made_here_is_replaced(operator: Browser, secret: str) -> None:
    page = operator.post("/security/app", secret=secret, code="000000", password=PASSWORD)

    assert page.status_code == 403
    assert re.fullmatch(r"[A-Z2-7]{32}", hidden(page.text, "secret"))


def test_the_other_sessions_are_listed_without_where_they_are_and_ended(
    app: Flask, operator: Browser, clock: FrozenClock
) -> None:
    other = Browser(app)
    other.log_in()

    page = operator.get("/security")
    assert page.count("This browser") == 1
    assert page.count("Another browser") == 1
    assert "127.0.0.1" not in page
    assert "ended" in operator.act("/security/sessions/end", session=hidden(page, "session"))
    assert other.client.get("/admin/people").status_code == 303

    other.log_in()
    assert "1 session ended" in operator.act("/security/sessions/end-others")
    assert other.client.get("/admin/people").status_code == 303
    assert "has ended already" in operator.act("/security/sessions/end", session="made up")
