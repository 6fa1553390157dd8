"""The admin pages as a browser without JavaScript sees them."""

import html
import re
from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select
from werkzeug.test import TestResponse

from app import operators
from app.models import Person
from app.operators.reveals import LASTS
from app.services import Services
from app.store.db import Database
from tests.statements import asked
from tests.web.admin.scenes import Someone, add_person

PASSWORD = "violet harbour lamp"


def in_words(page: str) -> str:
    """The visible words of a page or a part of one, in one line."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


def listed(page: str) -> list[str]:
    """Words of the facts, episodes or rules that the page lists."""
    return [html.unescape(one) for one in re.findall(r'<a class="name" [^>]*dir="auto"[^>]*>([^<]+)</a>', page)]


class Browser:
    """A browser that keeps cookies, and submits forms with the token, origin and fields of a real page."""

    def __init__(self, app: Flask) -> None:
        self.client = app.test_client()
        self.looks_at_all: Services | None = None
        """The services, if this browser reveals everybody's words before each page."""
        self._revealed: dict[int, datetime] = {}

    def get(self, path: str) -> str:
        """The page, after redirects."""
        self._reveal_everybody()
        response = self.client.get(f"/admin{path}", follow_redirects=True)
        assert response.status_code == 200, response.text
        return response.text

    def read(self, path: str) -> str:
        """The visible words of the page, in one line."""
        return in_words(self.get(path))

    def pages(self, path: str) -> list[str]:
        """The page and all its following pages."""
        found = [self.get(path)]
        while links := re.findall(r'href="/admin([^"#]+)[^"]*">(?:Earlier|Next page)', found[-1]):
            found.append(self.get(html.unescape(links[0])))
        return found

    def post(self, path: str, *, token: str | None = None, **fields: str | list[str]) -> TestResponse:
        """Submit a form, and return the response, usually a redirect."""
        self._reveal_everybody()
        return self._send(path, token, fields)

    def _send(self, path: str, token: str | None, fields: Mapping[str, str | list[str]]) -> TestResponse:
        data = {"csrf_token": self.token() if token is None else token, **fields}
        return self.client.post(f"/admin{path}", data=data, headers={"Origin": "http://localhost"})

    def act(self, path: str, **fields: str) -> str:
        """Submit a form that is accepted, and return the page after it."""
        response = self.post(path, **fields)
        assert response.status_code == 303, response.text
        return self.get(response.headers["Location"].removeprefix("/admin"))

    def undo_newest(self, person_id: int) -> str:
        """Take back the newest change that has an undo button, and return the page after it."""
        changes = self.get(f"/people/{person_id}/changes").partition("<table")[2]
        return self.act(re.findall(r'action="/admin(/people/\d+/changes/\d+/undo)"', changes)[0])

    def token(self) -> str:
        pages = (self.client.get(f"/admin/{path}").text for path in ("password", "login"))
        found = (re.search(r'name="csrf_token" value="([^"]+)"', page) for page in pages)
        return html.unescape(next(one[1] for one in found if one))

    def log_in(self, password: str = PASSWORD, *, name: str = "operator", **fields: str) -> TestResponse:
        self._revealed.clear()  # Reveals belong to the former session.
        token = fields.pop("token", None)
        return self._send("/login", token, {"name": name, "password": password, **fields})

    def reveal(self, person_id: int, reason: str = "They asked me to look") -> TestResponse:
        return self._send(f"/people/{person_id}/reveal", None, {"reason": reason})

    def _reveal_everybody(self) -> None:
        if self.looks_at_all is None:
            return
        now = self.looks_at_all.clock.now()
        with self.looks_at_all.reading() as db:
            everybody = db.scalars(select(Person.id)).all()
        for person_id in everybody:
            ends = self._revealed.get(person_id)
            if (ends is None or ends <= now) and self.reveal(person_id).status_code == 303:
                self._revealed[person_id] = now + LASTS
                self.client.delete_cookie("keepsake_notice")  # The notice of the reveal would disturb the tests.


@pytest.fixture
def browser(app: Flask, services: Services) -> Browser:
    """A browser at the login page; the operator's password is `PASSWORD`."""
    operators.ensure_first(services, PASSWORD)
    return Browser(app)


@pytest.fixture
def masked(browser: Browser) -> Browser:
    """A logged-in browser that reveals nobody's words."""
    assert browser.log_in().status_code == 303
    return browser


@pytest.fixture
def operator(masked: Browser, services: Services) -> Browser:
    """A logged-in browser that reveals everybody's words before each page, by the form for it."""
    masked.looks_at_all = services
    return masked


@pytest.fixture
def support(app: Flask, browser: Browser, services: Services) -> Browser:
    """A browser logged in as an operator with the role support."""
    return add_sam(app, services, "support")


def add_sam(app: Flask, services: Services, role: str) -> Browser:
    """A browser logged in as sam, a new operator with that role and the usual password."""
    one_time = operators.add(services, "sam", role)
    sam = Browser(app)
    assert sam.log_in(one_time, name="sam").status_code == 303
    assert sam.post("/password", current=one_time, new=PASSWORD, again=PASSWORD).status_code == 303
    return sam


@pytest.fixture
def alex(services: Services) -> Someone:
    return add_person(services, name="Alex")


@pytest.fixture
def ben(services: Services) -> Someone:
    return add_person(services, "+12065550111", name="Ben")


@pytest.fixture
def count_queries(database: Database) -> Any:
    """A context manager that records the statements of its block."""

    return partial(asked, database)
