"""Logging in and out, the first password, and the cookies that it is kept in."""

import re
from collections.abc import Callable

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from app import operators
from app.operators import sessions
from app.services import Services
from app.settings import Settings
from app.web.application import create_app
from tests.fakes import FrozenClock
from tests.stores import Meanwhile
from tests.web.admin.conftest import PASSWORD, Browser
from tests.web.admin.scenes import Someone

NEW = "amber river stone"


def session_of(browser: Browser) -> str:
    cookie = browser.client.get_cookie("keepsake_session")
    assert cookie is not None
    return cookie.value


def test_the_one_time_password_opens_only_the_page_that_changes_it_and_once(app: Flask, services: Services) -> None:
    one_time = operators.ensure_first(services, None)
    assert one_time is not None
    browser = Browser(app)
    browser.log_in(one_time)
    assert "Choose your password" in browser.get("/people")
    assert browser.client.get("/admin/people").headers["Location"] == "/admin/password"
    assert browser.post("/people/1/block").headers["Location"] == "/admin/password"
    for given, new, sentence in (
        ("wrong", NEW, "The one-time password is not right."),
        (one_time, one_time, "The new password is the one-time one. Choose another."),
    ):
        assert sentence in browser.post("/password", current=given, new=new, again=new).text

    assert "The password is changed" in browser.act("/password", current=one_time, new=NEW, again=NEW)
    assert "<h1>People</h1>" in browser.get("/people")
    assert Browser(app).log_in(one_time).status_code == 403
    assert Browser(app).log_in(NEW).status_code == 303


def test_of_two_who_start_together_one_prints(services: Services, make_services: Callable[..., Services]) -> None:
    late = make_services(store=Meanwhile(services.store, lambda: operators.ensure_first(services, None)))
    assert operators.ensure_first(late, None) is None, "of two passwords only the last would open"


@pytest.mark.parametrize(
    ("current", "new", "again", "sentence"),
    [
        (PASSWORD, NEW, "amber river stones", "not the same"),
        (PASSWORD, "nine char", "nine char", "has at least 10 characters; the new one has 9"),
        (PASSWORD, "Password123", "Password123", "is easily guessed"),
        (PASSWORD, "aaaaaaaaaaaa", "aaaaaaaaaaaa", "is easily guessed"),
        (PASSWORD, PASSWORD, PASSWORD, "is the current one"),
        ("wrong", NEW, NEW, "current password is not right"),
    ],
)
def test_a_bad_password_is_explained_here(operator: Browser, current: str, new: str, again: str, sentence: str) -> None:
    response = operator.post("/password", current=current, new=new, again=again)
    assert response.status_code == 403
    assert sentence in response.text
    assert "<h1>People</h1>" in operator.get("/people")


def test_a_wrong_name_and_a_wrong_password_are_answered_alike(browser: Browser) -> None:
    wrong_password, wrong_name = browser.log_in("wrong"), browser.log_in(PASSWORD, name="nobody")
    assert wrong_password.status_code == wrong_name.status_code == 403
    assert "The name or the password is not right." in wrong_password.text
    assert wrong_name.text.replace("nobody", "operator") == wrong_password.text


def test_the_sixth_wrong_password_has_to_wait_and_the_page_says_so(browser: Browser, clock: FrozenClock) -> None:
    for _ in range(6):
        clock.advance(seconds=1)
        browser.log_in("wrong")
    refused = browser.log_in()
    assert refused.status_code == 429
    assert "6 wrong tries in a row. Try again in 2 s, at 17:00:08 UTC." in refused.text
    clock.advance(seconds=2)
    assert browser.log_in().status_code == 303


def test_after_the_login_they_are_where_they_wanted_to_be_else_at_today(browser: Browser, alex: Someone) -> None:
    turned_away = browser.client.get(f"/admin{alex.path}/facts?words=dog").headers["Location"]
    assert turned_away == f"/admin/login?next=/admin{alex.path}/facts?words%3Ddog"
    wanted = re.findall(r'name="next" value="([^"]*)"', browser.client.get(turned_away).text)[0]
    assert browser.log_in(next=wanted).headers["Location"] == f"/admin{alex.path}/facts?words=dog"
    for path in ("/", "/admin/login"):
        assert browser.client.get(path).headers["Location"] == "/admin/"


def test_a_login_leads_nowhere_but_to_the_admin_pages(browser: Browser) -> None:
    sites = ("", "https://evil.example/", "//evil.example/admin/", "javascript:alert(1)")
    for wanted in (*sites, "/adminx", "/admin/\r\nSet-Cookie: a=b"):
        answer = Browser(browser.client.application).log_in(next=wanted)
        assert answer.headers["Location"] == "/admin/", wanted


def test_each_login_has_a_session_of_its_own_and_ends_the_one_before(operator: Browser, services: Services) -> None:
    before = session_of(operator)
    login_token = operator.client.get_cookie("keepsake_login")
    assert login_token is not None
    operator.log_in(token=login_token.value)
    assert session_of(operator) != before
    assert sessions.operator_for(services, before) is None


def test_r92_logging_out_ends_the_session_and_takes_the_cookie_back(operator: Browser, services: Services) -> None:
    session = session_of(operator)
    assert "You are logged out." in operator.act("/logout")
    assert operator.client.get_cookie("keepsake_session") is None
    assert sessions.operator_for(services, session) is None


def test_over_https_each_cookie_is_secure_and_bound(services: Services, make_services: Callable[..., Services]) -> None:
    address = "https://keepsake.example.org"
    operators.ensure_first(services, PASSWORD)
    client = create_app(services=make_services(settings=Settings(public_url=address))).test_client()
    answers: list[TestResponse] = []

    def send(form: str, action: str, **fields: str) -> None:
        page = client.get(f"/admin/{form}", base_url=address)
        fields["csrf_token"] = re.findall(r'name="csrf_token" value="([^"]+)"', page.text)[0]
        answers.extend(
            [page, client.post(f"/admin/{action}", base_url=address, data=fields, headers={"Origin": address})]
        )

    send("login", "login", name="operator", password=PASSWORD)
    assert re.search(r"__Host-keepsake_session=[^;]+", answers[-1].headers["Set-Cookie"])
    send("password", "logout")

    lines = [line for answer in answers for line in answer.headers.getlist("Set-Cookie")]
    names = {f"__Host-keepsake_{name}" for name in ("login", "browser", "session", "notice")}
    assert {line.partition("=")[0] for line in lines} == names
    assert all({"Secure", "HttpOnly", "Path=/", "SameSite=Lax"} <= set(line.split("; ")) for line in lines)
    assert not any("Domain" in line for line in lines)
