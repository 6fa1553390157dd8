"""The page where owners say who else logs in."""

import re

import pytest
from flask import Flask

from app import operators
from app.services import Services
from tests.web.admin.conftest import PASSWORD, Browser

ONE_TIME = re.compile(r"[2-9a-z]{5}(?:-[2-9a-z]{5}){3}")
SAM = {"name": "sam", "role": "support", "password": PASSWORD}


def added(operator: Browser, role: str = "support") -> str:
    """The one-time password of sam, who was added on the page."""
    page = operator.post("/operators", **SAM | {"role": role})
    assert page.status_code == 200
    assert not page.headers.getlist("Set-Cookie")
    assert page.headers["Cache-Control"] == "no-store"
    return str(ONE_TIME.findall(page.text)[0])


def path_of(services: Services, name: str) -> str:
    return f"/operators/{operators.named(services, name).id}"


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        *(({"name": name}, f"the name {name.lower()} already") for name in ("Operator", "terminal", "nobody")),
        *(({"name": name}, "A name has up to 40") for name in ("two words", "", "-x", "é", "a" * 41, "<b>", "a\nb")),
        ({"role": "king"}, "one of: owner, support"),
        ({"password": "wrong"}, "The password is not right."),
        ({"password": ""}, "The password is not right."),
    ],
)
def test_whoever_cannot_be_added_is_explained_beside_the_form(
    operator: Browser, services: Services, fields: dict[str, str], sentence: str
) -> None:
    page = operator.post("/operators", **SAM | fields)
    assert page.status_code in {403, 409}
    assert sentence in page.text
    assert len(operators.everyone(services)) == 1


def test_with_the_password_alone_a_role_is_changed_a_login_is_reset_and_an_operator_is_removed(
    app: Flask, operator: Browser, services: Services
) -> None:
    one_time = added(operator)
    sam = path_of(services, "sam")
    for action in ("role", "reset", "remove"):
        page = operator.post(f"{sam}/{action}", password="wrong", role="owner")
        assert page.status_code == 403
        assert "The password is not right." in page.text
    assert "one of: owner, support" in operator.post(f"{sam}/role", password=PASSWORD, role="king").text
    assert operators.named(services, "sam").role == "support"

    assert "is owner now" in operator.act(f"{sam}/role", role="owner", password=PASSWORD)
    again = ONE_TIME.findall(operator.post(f"{sam}/reset", password=PASSWORD).text)[0]
    assert Browser(app).log_in(one_time, name="sam").status_code == 403
    assert Browser(app).log_in(again, name="sam").status_code == 303
    assert "Removed" in operator.act(f"{sam}/remove", password=PASSWORD)
    assert Browser(app).log_in(again, name="sam").status_code == 403
    assert operator.client.get(f"/admin{sam}").status_code == 404


def test_the_only_owner_stays_is_told_why_and_offered_no_way_out_of_it(operator: Browser, services: Services) -> None:
    me = path_of(services, "operator")
    for action, why in (("role", "is the only owner"), ("remove", "is the only owner"), ("reset", "That is you.")):
        refused = operator.post(f"{me}/{action}", password=PASSWORD, role="support")
        assert refused.status_code == 403
        assert why in refused.text
    page = operator.get(me)
    assert "operator is the only owner" in page
    assert f"/admin{me}/" not in page

    added(operator, role="owner")
    page = operator.get(me)
    for action in ("role", "remove"):
        assert f'action="/admin{me}/{action}"' in page
    assert operator.post(f"{me}/remove", password=PASSWORD).status_code == 303
    assert operator.client.get("/admin/operators").headers["Location"].startswith("/admin/login")
