"""All pages of the operator with their script: what axe finds, keys, and what shows by itself."""

import re
from collections.abc import Callable, Iterator

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from flask import Flask
from playwright.sync_api import Page, expect

from app import audit, create_app, operators
from app.models import Message
from app.services import Services
from tests.browser.conftest import ServedApp
from tests.browser.reveal import reveal
from tests.fakes import FrozenClock
from tests.web.admin.made_up import fill
from tests.web.admin.scenes import add_person, add_text, add_turn
from tests.web.admin.test_guard import OPEN, admin_rules, path_of

PASSWORD = "violet harbour lamp"
WIDTHS = (1280, 360)
FIND = """async (options) => (await axe.run(document, {resultTypes: ["violations"], ...options})).violations.map(
  (one) => `${one.id}: ${one.nodes.map((node) => node.target.join(" ")).slice(0, 3).join(" | ")}`)"""

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


def hears_keys(page: Page) -> None:
    """Wait until the page's script runs: it is what shows the button."""
    expect(page.get_by_role("button", name="Keys")).to_be_visible()


def pages(app: Flask) -> list[str]:
    """Every page below /admin, whatever is added later; not what scripts ask for."""
    asked_by_scripts = ("_events", "_snapshot")
    found = {
        path_of(rule)
        for rule, method in admin_rules(app)
        if method == "GET" and rule.endpoint not in OPEN and not rule.endpoint.endswith(asked_by_scripts)
    }
    return sorted(found)


def faults(page: Page) -> list[str]:
    """What axe finds on the page as it is loaded: at each width, and of its colours by day and by night."""
    page.evaluate("for (const folded of document.querySelectorAll('details')) folded.open = true")
    page.evaluate(AXE_SCRIPT)
    found = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme="light")
        found += [f"{width}: {one}" for one in page.evaluate(FIND, {})]
        page.emulate_media(color_scheme="dark")
        colours = page.evaluate(FIND, {"runOnly": {"type": "rule", "values": ["color-contrast"]}})
        found += [f"{width}, dark: {one}" for one in colours]
    return found


def test_axe_finds_nothing_on_any_page(
    open_page: OpenPage, served: ServedApp, services: Services, clock: FrozenClock
) -> None:
    fill(services, clock)
    anyone = open_page(base_url=served.url)
    anyone.goto("/admin/login")
    found = {"/admin/login": faults(anyone)}
    page = log_in(open_page, served)
    for path in pages(create_app(services=services)):
        answer = page.request.get(path)
        if answer.headers["content-type"].startswith("text/html"):
            page.goto(path)
            found[path] = faults(page)
    page.goto("/admin/people?words=nobody")
    page.set_viewport_size({"width": WIDTHS[0], "height": 900})  # On a phone there are no keys.
    hears_keys(page)
    page.keyboard.press("?")
    found["the help of the keys"] = faults(page)

    assert len(found) >= 15
    assert [f"{path} at {one}" for path, what in found.items() for one in what] == []


def test_by_keys_alone_one_finds_why_a_reply_said_what_it_said_and_forgets_it(
    open_page: OpenPage, served: ServedApp, services: Services, clock: FrozenClock
) -> None:
    fill(services, clock)
    page = log_in(open_page, served)
    press = page.keyboard.press

    hears_keys(page)
    press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    press("g")
    press("p")
    expect(page.get_by_role("heading", name="People", exact=True)).to_be_visible()
    hears_keys(page)
    press("/")
    page.keyboard.type("rivera j")
    expect(page.get_by_role("searchbox")).to_have_value("rivera j")
    press("Backspace")
    press("Backspace")
    press("Enter")
    expect(page).to_have_url(re.compile(r"words=rivera"))
    hears_keys(page)
    press("j")
    expect(page.get_by_role("link", name="Alex Rivera", exact=True)).to_be_focused()
    press("Enter")
    expect(page.get_by_role("log")).to_be_visible()
    hears_keys(page)
    for _ in range(3):
        press("k")
    press("Enter")
    forget = page.get_by_role("button", name="Forget fact 1").first
    expect(forget).to_be_visible()
    while not forget.evaluate("button => button === document.activeElement"):
        press("Tab")
    press("Enter")

    expect(page.get_by_role("status")).to_contain_text("Undo")


def test_keys_are_silent_once_they_are_turned_off(open_page: OpenPage, served: ServedApp) -> None:
    page = log_in(open_page, served)
    page.get_by_role("button", name="Keys").click()
    page.get_by_label("Keys are on in this browser").uncheck()
    page.get_by_role("button", name="Close").click()

    for key in ("g", "p", "?"):
        page.keyboard.press(key)

    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.get_by_role("heading", name="Today")).to_be_visible()


def test_without_a_script_one_finds_why_what_it_cost_and_how_it_is_forgotten(
    open_page: OpenPage, served: ServedApp, services: Services, clock: FrozenClock
) -> None:
    fill(services, clock)
    page = log_in(open_page, served, java_script_enabled=False, viewport={"width": 360, "height": 740})
    page.goto("/admin/people/1")
    reveal(page)
    page.goto("/admin/")
    page.get_by_role("link", name="And a dessert?").click()
    reply = page.locator(".moment", has_text="Fruit skewers")
    reply.get_by_text("Why this reply · 2.1 s · 1.21 ¢").click()
    expect(reply).to_contain_text("It was shown 3 facts")
    expect(reply).to_contain_text("the topic is new")
    expect(reply).to_contain_text("Of it the carrier")

    reply.get_by_role("button", name="Forget fact 1").click()
    page.get_by_role("status").get_by_role("button", name="Undo").click()

    expect(page.get_by_role("status")).to_contain_text("The last change is taken back.")


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
