"""The operator's pages with their script: what shows by itself."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from app import operators
from app.models import Message
from app.operations import audit
from app.services import Services
from tests.browser.conftest import ServedApp
from tests.web.admin.scenes import add_person, add_text, add_turn

PASSWORD = "violet harbour lamp"

OpenPage = Callable[..., Page]


@pytest.fixture
def served(services: Services) -> Iterator[ServedApp]:
    operators.ensure_first(services, PASSWORD)
    served = ServedApp(services)
    served.begin()
    yield served
    served.end()


def log_in(open_page: OpenPage, served: ServedApp, **options: object) -> Page:
    page = open_page(base_url=served.url, **options)
    page.goto("/admin/login")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", name="Today")).to_be_visible()
    return page


def test_what_happens_shows_by_itself_also_after_a_restart_and_to_nobody_who_logged_out(
    open_page: OpenPage, served: ServedApp, services: Services
) -> None:
    alex = add_person(services, name="Alex")
    add_turn(services, alex.id, "Hi", "Hello!", memory_shown="<facts/>")
    today = log_in(open_page, served)
    thread = today.context.new_page()
    thread.goto(f"/admin/people/{alex.id}")
    thread.get_by_text("Why this reply").click()
    log = today.context.new_page()
    log.goto("/admin/log?who=terminal")
    expect(log.get_by_role("heading", name="Nothing of that kind happened")).to_be_visible()

    text = add_text(services, alex.id, "Are you there?", state="waiting")
    waiting = today.locator("[data-key=waiting] .large")
    expect(waiting).to_have_text("1")
    expect(thread.locator(".mine").last).to_contain_text("waiting for an answer")
    expect(thread.locator(".turn")).to_have_attribute("open", "")

    served.end()
    with services.transaction() as db:
        db.get_one(Message, text.id).state = "answered"
        audit.note(db, audit.TERMINAL, "facts list", services.clock.now())
    served.begin()
    expect(log.get_by_role("rowheader")).to_have_text("facts list")
    expect(log.get_by_role("heading", name="Nothing of that kind happened")).not_to_be_visible()
    expect(thread.locator(".mine").last).not_to_contain_text("waiting for an answer")
    expect(waiting).to_have_text("0")

    today.get_by_role("button", name="Log out").click()
    expect(thread.get_by_role("heading", name="Log in")).to_be_visible()
