"""The page where owners say who else logs in."""

import re

import pytest
from flask import Flask

from app import operators
from app.services import Services
from tests.web.admin.conftest import PASSWORD, Browser

ONE_TIME = re.compile(r"[2-9a-z]{5}(?:-[2-9a-z]{5}){3}")


def added(operator: Browser, name: str = "sam", role: str = "support") -> str:
    """The one-time password of an operator who was added on the page."""
    page = operator.post("/operators", name=name, role=role, password=PASSWORD)
    assert page.status_code == 200
    assert not page.headers.getlist("Set-Cookie")
    assert page.headers["Cache-Control"] == "no-store"
    return str(ONE_TIME.findall(page.text)[0])


def id_of(services: Services, name: str) -> int:
    return operators.named(services, name).id


def test_the_password_of_a_new_operator_is_shown_once_and_opens_the_page_that_changes_it(
    app: Flask, operator: Browser
) -> None:
    one_time = added(operator)

    listed = operator.get("/operators")
    assert one_time not in listed
    assert "sam" in listed
    sam = Browser(app)
    assert sam.log_in(one_time, name="sam").status_code == 303
    assert "Choose your password" in sam.get("/people")


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"name": "Operator", "role": "support", "password": PASSWORD}, "the name operator already"),
        ({"name": "two words", "role": "support", "password": PASSWORD}, "A name has up to 40"),
        ({"name": "sam", "role": "king", "password": PASSWORD}, "one of: owner, support"),
        ({"name": "sam", "role": "owner", "password": "wrong"}, "The password is not right."),
        ({"name": "sam", "role": "owner"}, "The password is not right."),
    ],
)
def test_whoever_cannot_be_added_is_explained_beside_the_form(
    operator: Browser, services: Services, fields: dict[str, str], sentence: str
) -> None:
    page = operator.post("/operators", **fields)

    assert page.status_code in {403, 409}
    assert sentence in page.text
    assert len(operators.everyone(services)) == 1


def test_a_session_alone_changes_no_operator(operator: Browser, services: Services) -> None:
    added(operator)
    sam = id_of(services, "sam")

    for action, fields in (("role", {"role": "owner"}), ("reset", {}), ("remove", {})):
        page = operator.post(f"/operators/{sam}/{action}", password="wrong", **fields)
        assert page.status_code == 403
        assert "The password is not right." in page.text

    (row,) = [one for one in operators.everyone(services) if one.name == "sam"]
    assert row.role == "support"


def test_a_role_is_changed_a_login_is_reset_and_an_operator_is_removed(
    app: Flask, operator: Browser, services: Services
) -> None:
    one_time = added(operator)
    sam = id_of(services, "sam")

    assert "is owner now" in operator.act(f"/operators/{sam}/role", role="owner", password=PASSWORD)
    reset = operator.post(f"/operators/{sam}/reset", password=PASSWORD)
    again = ONE_TIME.findall(reset.text)[0]
    assert Browser(app).log_in(one_time, name="sam").status_code == 403
    assert Browser(app).log_in(again, name="sam").status_code == 303
    assert "Removed" in operator.act(f"/operators/{sam}/remove", password=PASSWORD)
    assert Browser(app).log_in(again, name="sam").status_code == 403
    assert operator.client.get(f"/admin/operators/{sam}").status_code == 404


@pytest.mark.parametrize(
    ("action", "fields", "why"),
    [
        ("role", {"role": "support"}, "is the only owner"),
        ("remove", {}, "is the only owner"),
        ("reset", {}, "That is you."),
    ],
)
def test_the_only_owner_stays_and_is_told_why(
    operator: Browser, services: Services, action: str, fields: dict[str, str], why: str
) -> None:
    page = operator.post(f"/operators/{id_of(services, 'operator')}/{action}", password=PASSWORD, **fields)
    assert page.status_code == 403
    assert why in page.text
    assert "<h1>Operators</h1>" in operator.get("/operators")


def test_the_only_owner_is_offered_neither_another_role_nor_removal(operator: Browser, services: Services) -> None:
    me = id_of(services, "operator")
    page = operator.get(f"/operators/{me}")
    assert "operator is the only owner" in page
    assert f"/admin/operators/{me}/" not in page

    added(operator, role="owner")
    page = operator.get(f"/operators/{me}")
    assert f'action="/admin/operators/{me}/role"' in page
    assert f'action="/admin/operators/{me}/remove"' in page


def test_an_owner_who_leaves_is_logged_out(operator: Browser, services: Services) -> None:
    added(operator, role="owner")

    page = operator.post(f"/operators/{id_of(services, 'operator')}/remove", password=PASSWORD)

    assert page.status_code == 303
    assert operator.client.get("/admin/operators").headers["Location"].startswith("/admin/login")
