"""The look and feel of the phone page: on every screen, in both colour schemes, by keyboard and by ear."""

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import ViewportSize, expect

from app.conversation.turn import run_turn
from app.settings import Settings
from app.web.phone import NUMBERS
from app.wiring import build_services
from tests.browser.conftest import ServedApp
from tests.browser.phone_page import DESK, PHONE, SMALL_PHONE, OpenPage, phone, text, theirs

SCREENS: tuple[ViewportSize, ...] = (SMALL_PHONE, {"width": 320, "height": 568}, PHONE, {"width": 900, "height": 700})
PARTS = ("document.documentElement", "document.querySelector('.scroller')", "document.querySelector('.drawer')")


def test_nothing_is_wider_than_the_screen(open_page: OpenPage, live_app: ServedApp) -> None:
    page = phone(open_page, live_app)
    text(page, "W" * 120 + " https://example.org/" + "a" * 120)
    expect(theirs(page)).to_have_count(1)
    for screen in SCREENS:
        page.set_viewport_size(screen)
        page.reload()
        page.get_by_role("button", name="What it remembers").click()
        page.get_by_text("For developers").click()
        page.locator(".turn summary").first.click()
        for part in PARTS:
            assert page.evaluate(f"{part}.scrollWidth <= {part}.clientWidth"), (screen, part)
        page.keyboard.press("Escape")
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), screen


def test_the_page_works_by_keyboard_alone(open_page: OpenPage, live_app: ServedApp) -> None:
    page = phone(open_page, live_app)
    opener = page.get_by_role("button", name="What it remembers")
    opener.focus()
    page.keyboard.press("Enter")
    drawer = page.get_by_role("complementary", name="Memory and turns")
    expect(drawer).to_be_visible()
    page.keyboard.press("Tab")
    expect(drawer.get_by_role("button", name="Close")).to_be_focused()
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    expect(opener).to_be_focused()
    assert opener.evaluate("element => getComputedStyle(element).outlineStyle") == "solid"
    page.keyboard.press("Tab")
    expect(page.get_by_role("region", name="Texts with Keepsake")).to_be_focused()


AMISS = """async () => (await axe.run(document, {resultTypes: ["violations"], preload: false})).violations.map(
  (one) => `${one.id}: ${one.nodes.map((node) => node.target.join(" ")).slice(0, 3).join(" | ")}`)"""


def test_axe_finds_nothing_day_and_night_and_texts_are_announced(open_page: OpenPage, live_app: ServedApp) -> None:
    page = phone(open_page, live_app, reduced_motion="reduce", viewport=DESK)
    text(page, "Hi! I'm Alex and I'm allergic to peanuts.")
    expect(theirs(page)).to_have_count(1)
    expect(page.get_by_text("Remembered").first).to_be_visible()
    expect(page.get_by_role("log", name="Texts")).to_have_attribute("aria-live", "polite")
    page.get_by_text("For developers").click()
    page.locator(".turn summary").first.click()
    page.evaluate(AXE_SCRIPT)
    for screen in (PHONE, DESK):
        page.set_viewport_size(screen)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            is_dark = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(18, 19, 22)"
            assert is_dark == (scheme == "dark")
            assert page.evaluate(AMISS) == [], (screen, scheme)


def test_the_page_does_not_jump_while_it_loads_and_is_answered(open_page: OpenPage, live_app: ServedApp) -> None:
    page = open_page(viewport=PHONE)
    page.add_init_script(
        """globalThis.shifted = 0;
        new PerformanceObserver((list) => list.getEntries().forEach((entry) => { shifted += entry.value; }))
          .observe({ type: "layout-shift", buffered: true });"""
    )
    page.goto(f"{live_app.url}/phone")
    run_turn(build_services(Settings()), NUMBERS[0], "I have a dog named Max")
    expect(theirs(page)).to_have_count(1)
    page.reload()
    run_turn(build_services(Settings()), NUMBERS[0], "I have a cat named Luna")
    expect(theirs(page)).to_have_count(2)
    assert page.evaluate("shifted") < 0.01
