import re
from collections.abc import Callable

import pytest
from flask import Flask

from app import operators
from app.models import Person
from app.services import Services
from app.settings import Settings
from app.web.application import create_app
from tests.fakes import FrozenClock
from tests.web.admin.conftest import PASSWORD, Browser
from tests.web.admin.scenes import add_text

NEW = "amber river stone"


def cookie_lines(browser: Browser, **fields: str) -> dict[str, str]:
    response = browser.log_in(**fields)
    return {line.partition("=")[0]: line for line in response.headers.getlist("Set-Cookie")}


def test_the_page_says_which_password_the_first_one_is(browser: Browser) -> None:
    page = browser.get("/login")
    assert "The first password is that of <code>ADMIN_PASSWORD</code>" in page
    assert "keepsake operator reset" in page


def test_the_one_time_password_opens_only_the_page_that_changes_it(app: Flask, services: Services) -> None:
    one_time = operators.ensure_first(services, None)
    assert one_time is not None
    browser = Browser(app)
    browser.log_in(one_time)

    page = browser.get("/people")

    assert "Choose your password" in page
    assert browser.client.get("/admin/people").headers["Location"] == "/admin/password"
    assert browser.post("/people/1/block").headers["Location"] == "/admin/password"


def test_after_the_one_time_password_is_changed_everything_opens_and_it_is_of_no_use(
    app: Flask, services: Services
) -> None:
    one_time = operators.ensure_first(services, None)
    assert one_time is not None
    browser = Browser(app)
    browser.log_in(one_time)
    for given, new, sentence in (
        ("wrong", NEW, "The one-time password is not right."),
        (one_time, one_time, "The new password is the one-time one. Choose another."),
    ):
        assert sentence in browser.post("/password", current=given, new=new, again=new).text

    changed = browser.act("/password", current=one_time, new=NEW, again=NEW)

    assert "The password is changed" in changed
    assert "<h1>People</h1>" in browser.get("/people")
    assert Browser(app).log_in(one_time).status_code == 403
    assert Browser(app).log_in(NEW).status_code == 303


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"current": PASSWORD, "new": NEW, "again": "amber river stones"}, "not the same"),
        ({"current": PASSWORD, "new": "short", "again": "short"}, "at least 10"),
        ({"current": "wrong", "new": NEW, "again": NEW}, "current password is not right"),
    ],
)
def test_a_password_that_will_not_do_is_explained_on_the_page(
    operator: Browser, fields: dict[str, str], sentence: str
) -> None:
    response = operator.post("/password", **fields)

    assert response.status_code == 403
    assert sentence in response.text
    assert "<h1>People</h1>" in operator.get("/people")


def test_a_wrong_name_and_a_wrong_password_are_answered_alike(browser: Browser) -> None:
    wrong_password = browser.log_in("wrong")
    wrong_name = browser.log_in(PASSWORD, name="nobody")

    assert wrong_password.status_code == wrong_name.status_code == 403
    assert "The name or the password is not right." in wrong_password.text
    assert wrong_name.text.replace("nobody", "operator") == wrong_password.text


def test_the_sixth_wrong_password_in_a_row_has_to_wait_and_the_page_says_how_long(
    browser: Browser, clock: FrozenClock
) -> None:
    for _ in range(6):
        clock.advance(seconds=1)
        browser.log_in("wrong")

    refused = browser.log_in()

    assert refused.status_code == 429
    assert "6 wrong tries in a row. Try again in 2 s, at 17:00:08 UTC." in refused.text
    clock.advance(seconds=2)
    assert browser.log_in().status_code == 303


def test_after_the_login_they_are_where_they_wanted_to_be(browser: Browser, alex: Person) -> None:
    turned_away = browser.client.get(f"/admin/people/{alex.id}/facts?words=dog")
    assert turned_away.headers["Location"] == f"/admin/login?next=/admin/people/{alex.id}/facts?words%3Ddog"

    page = browser.client.get(turned_away.headers["Location"]).text
    wanted = re.findall(r'name="next" value="([^"]*)"', page)[0]

    assert browser.log_in(next=wanted).headers["Location"] == f"/admin/people/{alex.id}/facts?words=dog"


@pytest.mark.parametrize(
    "wanted",
    ["https://evil.example/", "//evil.example/admin/", "javascript:alert(1)", "/adminx", "/admin/\r\nSet-Cookie: a=b"],
)
def test_a_login_leads_nowhere_but_to_the_admin_pages(browser: Browser, wanted: str) -> None:
    assert browser.log_in(next=wanted).headers["Location"] == "/admin/"


def test_each_login_has_a_session_of_its_own_and_ends_the_one_before(operator: Browser, services: Services) -> None:
    before = operator.client.get_cookie("keepsake_session")
    assert before is not None

    operators.ensure_first(services, PASSWORD)
    login_token = operator.client.get_cookie("keepsake_login")
    assert login_token is not None
    operator.log_in(token=login_token.value)

    after = operator.client.get_cookie("keepsake_session")
    assert after is not None
    assert after.value != before.value
    assert operators.operator_for(services, before.value) is None


def test_r92_logging_out_ends_the_session_and_takes_the_cookie_back(operator: Browser, services: Services) -> None:
    cookie = operator.client.get_cookie("keepsake_session")
    assert cookie is not None

    page = operator.act("/logout")

    assert "You are logged out." in page
    assert operator.client.get_cookie("keepsake_session") is None
    assert operators.operator_for(services, cookie.value) is None


def test_a_session_that_was_idle_for_eight_hours_leads_to_the_login_and_its_forms_change_nothing(
    operator: Browser, services: Services, alex: Person, clock: FrozenClock
) -> None:
    add_text(services, alex.id, "Hi")
    token = operator.token()
    clock.advance(hours=8)

    response = operator.post(f"/people/{alex.id}/block", token=token)

    assert response.status_code == 403
    assert operator.client.get("/admin/people").headers["Location"].startswith("/admin/login")
    with services.reading() as db:
        assert db.get_one(Person, alex.id).access == "allowed"


def test_over_plain_http_the_cookie_is_kept_from_scripts_and_other_sites(browser: Browser) -> None:
    line = cookie_lines(browser)["keepsake_session"]

    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(line.split("; "))
    assert "Secure" not in line


def test_over_https_every_cookie_is_secure_and_bound_to_this_very_host(
    services: Services, make_services: Callable[..., Services]
) -> None:
    app = create_app(services=make_services(settings=Settings(public_url="https://keepsake.example.org")))
    operators.ensure_first(services, PASSWORD)
    client = app.test_client()
    page = client.get("/admin/login", base_url="https://keepsake.example.org")
    token = re.findall(r'name="csrf_token" value="([^"]+)"', page.text)[0]

    login = client.post(
        "/admin/login",
        base_url="https://keepsake.example.org",
        data={"csrf_token": token, "name": "operator", "password": PASSWORD},
        headers={"Origin": "https://keepsake.example.org"},
    )
    session = re.findall(r"__Host-keepsake_session=([^;]+)", login.headers["Set-Cookie"])[0]
    out = client.get("/admin/password", base_url="https://keepsake.example.org")
    token = re.findall(r'name="csrf_token" value="([^"]+)"', out.text)[0]
    logout = client.post(
        "/admin/logout",
        base_url="https://keepsake.example.org",
        data={"csrf_token": token},
        headers={"Origin": "https://keepsake.example.org"},
    )

    assert session
    lines = [*page.headers.getlist("Set-Cookie"), *login.headers.getlist("Set-Cookie")]
    lines += logout.headers.getlist("Set-Cookie")
    assert {line.partition("=")[0] for line in lines} == {
        "__Host-keepsake_login",
        "__Host-keepsake_browser",
        "__Host-keepsake_session",
        "__Host-keepsake_notice",
    }
    assert all({"Secure", "HttpOnly", "Path=/", "SameSite=Lax"} <= set(line.split("; ")) for line in lines)
    assert not any("Domain" in line for line in lines)


def test_today_is_seen_first_after_the_login_and_by_those_who_are_logged_in(browser: Browser) -> None:
    assert browser.log_in().headers["Location"] == "/admin/"
    for path in ("/", "/admin/login"):
        assert browser.client.get(path).headers["Location"] == "/admin/"
