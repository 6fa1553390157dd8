"""The admin pages as a browser without JavaScript sees them."""

import html
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import event
from werkzeug.test import TestResponse

from app import operators
from app.db import Database
from app.models import Person
from app.services import Services
from tests.web.admin.scenes import add_person

PASSWORD = "violet harbour lamp"


class Browser:
    """Keeps cookies, and sends a form as the page it stands on would: with its token, its origin and its fields."""

    def __init__(self, app: Flask) -> None:
        self.client = app.test_client()

    def get(self, path: str) -> str:
        """The page, after redirects."""
        response = self.client.get(f"/admin{path}", follow_redirects=True)
        assert response.status_code == 200, response.text
        return response.text

    def post(self, path: str, *, token: str | None = None, **fields: str) -> TestResponse:
        """What the form is answered with: as a rule a redirect."""
        if token is None:
            token = self.token()
        return self.client.post(
            f"/admin{path}", data={"csrf_token": token, **fields}, headers={"Origin": "http://localhost"}
        )

    def act(self, path: str, **fields: str) -> str:
        """The page that follows when the form was taken."""
        response = self.post(path, **fields)
        assert response.status_code == 303, response.text
        return self.get(response.headers["Location"].removeprefix("/admin"))

    def token(self) -> str:
        found = re.search(r'name="csrf_token" value="([^"]+)"', self.client.get("/admin/password").text)
        found = found or re.search(r'name="csrf_token" value="([^"]+)"', self.client.get("/admin/login").text)
        assert found is not None
        return html.unescape(found[1])

    def log_in(self, password: str = PASSWORD, *, name: str = "operator", **fields: str) -> TestResponse:
        return self.post("/login", name=name, password=password, **fields)


@pytest.fixture
def browser(app: Flask, services: Services) -> Browser:
    """At the login page; the operator's password is `PASSWORD`."""
    operators.ensure_first(services, PASSWORD)
    return Browser(app)


@pytest.fixture
def operator(browser: Browser) -> Browser:
    """Logged in."""
    assert browser.log_in().status_code == 303
    return browser


@pytest.fixture
def alex(services: Services) -> Person:
    return add_person(services, name="Alex")


@pytest.fixture
def count_queries(database: Database) -> Any:
    """A block of code with the statements that it sends to the database."""

    @contextmanager
    def counted() -> Iterator[list[str]]:
        statements: list[str] = []

        def keep(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
            if statement != "BEGIN":
                statements.append(statement)

        event.listen(database.engine, "before_cursor_execute", keep)
        yield statements
        event.remove(database.engine, "before_cursor_execute", keep)

    return counted
