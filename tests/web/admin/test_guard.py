"""Nothing of the admin pages is reached, or changed, by anyone who is not logged in there."""

import re
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select
from werkzeug.routing import Rule as Route

from app import memory
from app.models import Episode, Fact, Rule
from app.services import Services
from tests.web.admin.conftest import PASSWORD, Browser
from tests.web.admin.scenes import TOLD, Someone, add_person

OPEN = {"admin.login"}
HERE = "http://localhost"
HTML = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


def admin_rules(app: Flask) -> list[tuple[Route, str]]:
    """Every method of every route below /admin, whatever is added to it later."""
    return [
        (rule, method)
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/admin")
        for method in sorted((rule.methods or set()) - {"OPTIONS"})
    ]


def forms(app: Flask) -> list[str]:
    """The address of every form, below /admin."""
    return [path_of(rule).removeprefix("/admin") for rule, method in admin_rules(app) if method == "POST"]


def declared_for(app: Flask, role: str) -> set[str]:
    """Endpoints that declare themselves for that role."""
    return {endpoint for endpoint, view in app.view_functions.items() if getattr(view, "declared_for", None) == role}


def path_of(rule: Route) -> str:
    return re.sub(r"<[^>]+>", "1", rule.rule)


@pytest.mark.usefixtures("alex")
def test_r94_without_a_session_a_page_leads_to_the_login_and_a_form_is_refused(app: Flask, browser: Browser) -> None:
    for rule, method in admin_rules(app):
        response = browser.client.open(path_of(rule), method=method, headers={"Origin": HERE})
        if method == "POST":
            assert response.status_code == 403, rule
            assert "open for too long" in response.text, rule
        elif rule.endpoint not in OPEN:
            assert response.status_code == 303, rule
            assert response.headers["Location"].startswith("/admin/login"), rule
            assert "Alex" not in response.text
    for never_given_out in ("", "wrong", "%00", "a" * 4000):
        browser.client.set_cookie("keepsake_session", never_given_out)
        assert browser.client.get("/admin/people").headers["Location"].startswith("/admin/login")


def test_r94_no_route_is_outside_the_login_but_those_that_are_guarded_otherwise_or_tell_nothing(app: Flask) -> None:
    outside = {rule.endpoint for rule in app.url_map.iter_rules() if not rule.rule.startswith("/admin")}
    assert outside == {
        *("sms.receive", "sms.status", "sms.voice"),  # By the signature of who sends.
        *("phone.page", "phone.send", "phone.snapshot", "phone.events"),  # By what the browser says of where it is.
        "metrics.metrics",  # By its token, or to this machine alone.
        *("health.health", "health.ready", "home", "static"),
    }


@pytest.mark.usefixtures("alex")
def test_r103_whoever_is_not_logged_in_is_told_no_name_and_no_version(browser: Browser) -> None:
    answers = [browser.client.get(f"/admin/{path}") for path in ("login", "nothing")]
    answers += [browser.client.post("/admin/logout"), browser.log_in("wrong")]
    assert [answer.status_code for answer in answers] == [200, 404, 403, 403]
    said = "".join(answer.text + str(answer.headers) for answer in answers)
    secrets = ("Alex", "0100", "0.1.0", "3.11", "Werkzeug", "Flask", "Traceback")
    assert [word for word in secrets if word in said] == []


def test_r91_every_form_without_the_token_of_its_session_is_refused(app: Flask, operator: Browser) -> None:
    other = Browser(app)
    other.log_in()
    for token in ("", "wrong", "ünïcode", other.token()):
        for path in forms(app):
            response = operator.post(path, token=token)
            assert response.status_code == 403, path
            assert "open for too long" in response.text, path


def test_r91_every_form_of_another_site_is_refused_even_with_the_right_token(app: Flask, operator: Browser) -> None:
    token = operator.token()
    for path in forms(app):
        for headers in (
            {"Origin": "https://evil.example"},
            {"Origin": "null"},
            {"Origin": HERE, "Sec-Fetch-Site": "cross-site"},
            {"Origin": HERE, "Sec-Fetch-Site": "same-site"},
            {},
        ):
            response = operator.client.post(f"/admin{path}", data={"csrf_token": token}, headers=headers)
            assert response.status_code == 403, (path, headers)
            assert "not sent from these pages" in response.text


def test_r91_nobody_can_be_logged_in_from_another_site(browser: Browser) -> None:
    fields = {"csrf_token": browser.token(), "name": "operator", "password": PASSWORD}
    foreign = browser.client.post("/admin/login", data=fields, headers={"Origin": "https://evil.example"})
    own_token = browser.log_in(token="a token of the attacker's own login page")
    assert foreign.status_code == own_token.status_code == 403
    assert browser.client.get_cookie("keepsake_session") is None


@pytest.mark.parametrize("origin", ["http://127.0.0.1:8080", "null"])
def test_a_form_is_taken_behind_a_proxy_and_of_a_browser_that_hides_the_origin(operator: Browser, origin: str) -> None:
    headers = {"Origin": origin, "Sec-Fetch-Site": "same-origin"}
    response = operator.client.post("/admin/logout", data={"csrf_token": operator.token()}, headers=headers)
    assert response.status_code == 303


def test_r90_every_answer_forbids_others_content_and_caches(app: Flask, operator: Browser, alex: Someone) -> None:
    anyone = Browser(app).client
    answers = [operator.client.get(f"/admin{path}") for path in (alex.path, "/people/999")]
    answers += [anyone.get("/admin/login"), anyone.get("/admin/people"), anyone.post("/admin/logout")]
    assert [answer.status_code for answer in answers] == [200, 404, 200, 303, 403]
    for answer in answers:
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Cache-Control"] == "no-store"


def test_an_address_of_no_page_shows_a_frame_to_browsers_and_json(app: Flask, operator: Browser, alex: Someone) -> None:
    for path in ("/people/999", "/people/999/facts/1", f"/people/{10**30}"):
        response = operator.client.get(f"/admin{path}")
        assert response.status_code == 404
        assert "<h1>There is no such page</h1>" in response.text
    assert operator.post(f"{alex.path}/facts/1/apart/3000").status_code == 404
    for path, status in (("/nonsense", 404), ("/people/x", 404), (f"{alex.path}/block", 405)):
        page = operator.client.get(f"/admin{path}", headers=HTML)
        assert page.status_code == status
        for words in ("<h1>There is no such page</h1>", 'aria-label="Pages"', 'href="/admin/">Today</a>'):
            assert words in page.text
        assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]
        assert operator.client.get(f"/admin{path}", headers={"Accept": "*/*"}).json is not None
        assert operator.client.post(f"/admin{path}", headers=HTML).status_code in {403, 404, 405}
    assert app.test_client().get("/nonsense", headers=HTML).json is not None
    assert "To the person" in operator.client.get(f"/admin{alex.path}/facts/77").text
    answer = Browser(app).client.get("/admin/nonsense", headers=HTML)  # Nobody learns which addresses there are.
    assert (answer.status_code, answer.headers["Location"]) == (303, "/admin/login?next=/admin/nonsense")


def test_f9_no_page_reaches_other_people(app: Flask, operator: Browser, services: Services, alex: Someone) -> None:
    blake = add_person(services, "+12065550199", name="Blake")
    blake.learn("Likes violet tea", "Has a violet kite")
    memory.archive_facts(services, blake.id, [2], TOLD)
    blake.rule("Praise violets")
    blake.episode("Blake saw violets.")

    def held() -> list[list[Any]]:
        with services.reading() as db:
            tables: tuple[Any, ...] = (Fact, Rule, Episode)
            rows = [db.scalars(select(table).where(table.retired_at.is_(None))) for table in tables]
            return [[(row.person_id, row.number, row.version, vars(row).get("state")) for row in of] for of in rows]

    before = held()
    fields = {"fact": "Hates tea", "category": "", "trigger_kind": "always", "procedure": "Sing"}
    for rule, method in admin_rules(app):
        if "person_id" not in rule.arguments or rule.endpoint.endswith("_events"):
            continue
        path = path_of(rule).replace("/people/1", alex.path)
        if method == "POST" and "number" in rule.arguments:
            answer = operator.post(path.removeprefix("/admin"), to="Blake", to_id=str(blake.id), **fields)
            assert answer.status_code in {303, 403, 404}, path
        else:
            answer = operator.client.get(path)
            assert answer.status_code in {404, 303} or "number" not in rule.arguments, path
        assert "violet" not in answer.text, path
    assert held() == before
