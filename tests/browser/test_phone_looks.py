"""How the phone page looks and feels: on every screen, in both schemes, by keyboard and by ear."""

from playwright.sync_api import ViewportSize, expect

from app.conversation.turn import hold
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


def test_every_control_has_a_name_and_new_texts_are_announced(open_page: OpenPage, live_app: ServedApp) -> None:
    page = phone(open_page, live_app, viewport=DESK)
    text(page, "I have a dog named Max")
    expect(theirs(page)).to_have_count(1)
    nameless = page.evaluate(
        """() => [...document.querySelectorAll("button, a, input:not([type=hidden]), textarea, summary, [tabindex]")]
            .filter((element) => !(element.ariaLabel || element.labels?.length || element.textContent.trim()))
            .map((element) => element.outerHTML)"""
    )
    assert nameless == []
    assert page.evaluate("[...document.images].every((image) => image.hasAttribute('alt'))")
    log = page.get_by_role("log", name="Texts")
    expect(log).to_have_attribute("aria-live", "polite")
    expect(log.get_by_role("listitem").first).to_contain_text("You: I have a dog named Max")
    expect(page.get_by_role("heading", level=1)).to_have_text("Keepsake")


CONTRAST = """(selectors) => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const channels = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = (rgb) => rgb.slice(0, 3).map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = channels(getComputedStyle(at).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return [255, 255, 255, 255];
  };
  return selectors.map((selector) => {
    const element = document.querySelector(selector);
    const [a, b] = [light(channels(getComputedStyle(element).color)), light(ground(element))];
    return [selector, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)];
  });
}"""

WORDS = (
    ".mine .words, .theirs .words, .gap, .mine .status, .noted, .line, .number, .numbers .label, .numbers .preview, "
    ".numbers .written, .numbers li:nth-child(2) .preview, .other button, .profile dt, .unknown, .sentence, "
    ".origin > span:last-child, .chip, blockquote, .when, .what, .figures dt, .tool .name, pre"
).split(", ")


def test_the_words_stand_out_from_their_ground_in_both_schemes(open_page: OpenPage, live_app: ServedApp) -> None:
    page = phone(open_page, live_app, reduced_motion="reduce")
    text(page, "Hi! I'm Alex and I'm allergic to peanuts.")
    expect(theirs(page)).to_have_count(1)
    expect(page.get_by_text("Remembered").first).to_be_visible()
    for screen in (PHONE, DESK):
        page.set_viewport_size(screen)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            dark = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(18, 19, 22)"
            assert dark == (scheme == "dark")
            faint = [(words, ratio) for words, ratio in page.evaluate(CONTRAST, WORDS) if ratio < 4.5]
            assert faint == [], (screen, scheme)


def test_the_page_does_not_jump_while_it_loads_and_is_answered(open_page: OpenPage, live_app: ServedApp) -> None:
    page = open_page(viewport=PHONE)
    page.add_init_script(
        """globalThis.shifted = 0;
        new PerformanceObserver((list) => list.getEntries().forEach((entry) => { shifted += entry.value; }))
          .observe({ type: "layout-shift", buffered: true });"""
    )
    page.goto(f"{live_app.url}/phone")
    hold(build_services(Settings()), NUMBERS[0], "I have a dog named Max")
    expect(theirs(page)).to_have_count(1)
    page.reload()
    hold(build_services(Settings()), NUMBERS[0], "I have a cat named Luna")
    expect(theirs(page)).to_have_count(2)
    assert page.evaluate("shifted") < 0.01
