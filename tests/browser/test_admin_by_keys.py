"""The operator's pages by keyboard alone: by Tab, Enter and Space, and by the pages' own keys."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from app import operators
from app.memory import Origin
from app.services import Services
from tests.browser.conftest import ServedApp
from tests.browser.forms_of_memory import live
from tests.browser.operator_page import said
from tests.fakes import FrozenClock
from tests.operators.logins import PASSWORD
from tests.web.admin.made_up import fill
from tests.web.admin.scenes import add_person

MOST_STOPS = 150  # Of Tab, on the way to anything on a page; in a trap there is no end.
HERE = """sought => ({
  isHere: sought === document.activeElement,
  isSeen: document.activeElement === document.body ||
    getComputedStyle(document.activeElement).outlineStyle !== "none",
  name: document.activeElement.outerHTML.slice(0, 80),
})"""
"""JavaScript: true if the element has the focus, and if the focus is visible or past the end of the page."""


class Keyboard:
    """A user who has only a keyboard."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, *keys: str) -> None:
        """The page's own keys, once it hears them: its script is what shows the button."""
        expect(self.page.get_by_role("button", name="Keys")).to_be_visible()
        for key in keys:
            self.page.keyboard.press(key)

    def tab_to(self, sought: Locator, key: str = "Tab") -> None:
        """Move the focus there, seeing at each stop where it is."""
        expect(sought).to_be_visible()
        for _ in range(MOST_STOPS):
            self.page.keyboard.press(key)
            found = sought.evaluate(HERE)
            if found["name"].startswith("<main"):
                continue  # Where the skip link led: no stop of Tab, and still there while the page is renewed.
            assert found["isSeen"], found["name"]
            if found["isHere"]:
                return
        pytest.fail(f"{sought} is not reached in {MOST_STOPS} stops", pytrace=False)

    def press_button(self, name: str, key: str = "Enter") -> None:
        self.tab_to(self.page.get_by_role("button", name=name).first)
        self.page.keyboard.press(key)

    def follow(self, name: str) -> None:
        self.tab_to(self.page.get_by_role("link", name=name, exact=True).first)
        self.page.keyboard.press("Enter")

    def go_to(self, letter: str, title: str) -> None:
        self.press("g", letter)
        expect(self.page.get_by_role("heading", name=title, level=1)).to_be_visible()

    def write(self, words: str) -> None:
        self.page.keyboard.type(words)
        self.page.keyboard.press("Enter")

    def reveal(self) -> None:
        self.tab_to(self.page.get_by_text("What they wrote is hidden. Reveal it"))
        self.page.keyboard.press("Enter")
        self.tab_to(self.page.get_by_label("Why you look"))
        self.write("A reply was wrong")
        expect(self.page.get_by_role("button", name="Hide again")).to_be_visible()


def test_by_keyboard_alone_one_sees_where_one_is_and_does_what_is_to_be_done(
    open_page: Callable[..., Page], served: ServedApp, services: Services, clock: FrozenClock
) -> None:
    operators.ensure_first(services, PASSWORD)
    fill(services, clock)
    nora = add_person(services, "+12065550177", name="Nora")
    told = Origin("assistant", "explicit", message_id=nora.text("Let me tell you about myself").id)
    nora.learn("Has a dog", "Likes tea", "Sings", "Lives in Lima", origin=told)
    page = open_page(base_url=served.url)
    page.clock.install(time=0)
    page.clock.pause_at(1)  # So long as a slow machine takes between two keys of one chord, they are one chord.
    keyboard = Keyboard(page)

    log_in_and_let_somebody_in(keyboard)
    find_why_a_reply_said_what_it_said_and_forget_it(keyboard)
    pin_and_correct(keyboard)
    review(keyboard)
    assert live(nora) == ["Has a dog", "Likes tea at 5 from my cup", "Lives in Lima"]
    turn_keys_off_and_log_out(keyboard)


def log_in_and_let_somebody_in(keyboard: Keyboard) -> None:
    page = keyboard.page
    page.goto("/admin/")
    expect(page.get_by_label("Password")).to_be_focused()
    keyboard.write(PASSWORD)
    expect(page.get_by_role("heading", name="Today")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    keyboard.press_button("Let in …0200")
    said(page, "Let in.")

    keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()


def find_why_a_reply_said_what_it_said_and_forget_it(keyboard: Keyboard) -> None:
    page = keyboard.page
    keyboard.go_to("p", "People")
    keyboard.press("/")
    page.keyboard.type("rivera j")  # Letters that are keys are written, in a field.
    expect(page.get_by_role("searchbox")).to_have_value("rivera j")
    keyboard.press("Backspace", "Backspace", "Enter")
    expect(page).to_have_url(re.compile(r"words=rivera"))
    keyboard.press("j")
    expect(page.get_by_role("link", name="Alex Rivera", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("log")).to_be_visible()
    keyboard.reveal()

    keyboard.press("k", "k", "k", "Enter")
    forget = page.get_by_role("button", name="Forget fact 1").first
    expect(forget).to_be_visible()
    keyboard.tab_to(forget)
    page.keyboard.press("Enter")
    keyboard.press_button("Undo", "Space")
    said(page, "The change is taken back.")


def pin_and_correct(keyboard: Keyboard) -> None:
    page = keyboard.page
    keyboard.follow("Facts")
    expect(page.get_by_role("heading", name="3 facts")).to_be_visible()
    keyboard.press("j", "j")
    expect(page.get_by_role("link", name="Has a dog named Max")).to_be_focused()
    keyboard.press_button("Pin fact 2", "Space")
    said(page, "Pinned fact 2")
    keyboard.press("j", "j", "Enter")
    sentence = page.get_by_label("Sentence")
    keyboard.tab_to(sentence)
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("Has a poodle named Max")
    keyboard.press_button("Correct")
    expect(page.get_by_role("heading", name="Has a poodle named Max")).to_be_visible()


def review(keyboard: Keyboard) -> None:
    page = keyboard.page
    keyboard.go_to("p", "People")
    keyboard.follow("Nora")
    expect(page.get_by_role("heading", name="Nora")).to_be_visible()
    keyboard.reveal()
    keyboard.go_to("m", "Memory")
    keyboard.follow("Review what is new")
    keyboard.follow("Nora")
    waiting = page.locator("[data-review] > li")
    expect(waiting).to_have_count(4)

    keyboard.press("f")  # Nothing is chosen yet, so nothing is forgotten.
    expect(waiting.nth(0)).to_be_focused()
    expect(waiting).to_have_count(4)
    keyboard.press("j")
    expect(waiting.nth(1)).to_be_focused()
    keyboard.press("k")
    expect(waiting.nth(0)).to_be_focused()
    keyboard.press("y")
    said(page, "Kept 1.")
    expect(waiting.nth(0)).to_be_focused()
    keyboard.press("c")
    expect(page.get_by_label("Sentence").first).to_be_focused()
    keyboard.write(" at 5 from my cup")
    expect(waiting).to_have_count(2)
    expect(waiting.nth(0)).to_be_focused()
    keyboard.press("f")
    expect(waiting).to_have_count(1)
    expect(waiting.nth(0)).to_be_focused()
    keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Keys")).to_be_hidden()
    keyboard.press("o")
    expect(page.locator(".sought")).to_contain_text("Let me tell you about myself")


def turn_keys_off_and_log_out(keyboard: Keyboard) -> None:
    page = keyboard.page
    keyboard.go_to("l", "Log")
    keyboard.press_button("Verify the log")
    said(page, "The log is whole")
    keyboard.press_button("Keys")
    keyboard.tab_to(page.get_by_label("Keys are on in this browser"))
    page.keyboard.press("Space")
    keyboard.press_button("Close")
    expect(page.get_by_role("dialog")).to_be_hidden()
    keyboard.press("g", "p", "?")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.get_by_role("heading", name="Log", level=1)).to_be_visible()
    keyboard.press_button("Log out")
    said(page, "You are logged out.")
