"""The phone page, with its parts found by their visible names."""

from collections.abc import Callable

from playwright.sync_api import Locator, Page, ViewportSize

from app.web.phone import NUMBERS
from tests.browser.conftest import ServedApp

PHONE: ViewportSize = {"width": 390, "height": 844}
SMALL_PHONE: ViewportSize = {"width": 360, "height": 640}
DESK: ViewportSize = {"width": 1280, "height": 800}

OpenPage = Callable[..., Page]


def phone(open_page: OpenPage, served: ServedApp, number: str = NUMBERS[0], **options: object) -> Page:
    page = open_page(**{"viewport": PHONE, **options})
    page.goto(f"{served.url}/phone?number=%2B{number[1:]}")
    return page


def field(page: Page) -> Locator:
    return page.get_by_label("Text message")


def text(page: Page, words: str) -> None:
    field(page).fill(words)
    field(page).press("Enter")


def mine(page: Page) -> Locator:
    return page.locator(".thread .mine")


def theirs(page: Page) -> Locator:
    return page.locator(".thread .theirs")
