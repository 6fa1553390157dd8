"""Takes pictures of all pages with made-up people, for the README and the docs: `python -m bench.screenshots [FOLDER]`.

It needs chromium on the PATH. Each page is taken at 1280 px in light; the `SMALL` ones also at 360 px, and in dark.
"""

import argparse
import shutil
import tempfile
from contextlib import chdir
from dataclasses import replace
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Literal
from uuid import uuid4

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from app import operators
from app.conversation.turn import answer
from app.delivery.inbox import IncomingText, take_in
from app.jobs import count_hours
from app.settings import load_settings
from app.web.phone import NUMBERS
from app.wiring import build_services
from tests.browser.conftest import ARGUMENTS, ServedApp
from tests.fakes import FrozenClock, InlineBackground
from tests.web.admin.conftest import PASSWORD
from tests.web.admin.made_up import fill

FOLDER = Path(__file__).parent.parent / "docs" / "images"

PAGES = {
    "today": "",
    "people": "people",
    "person": "people/1?around=5",
    "facts": "people/1/facts",
    "fact": "people/1/facts/1",
    "rules": "people/1/rules",
    "episodes": "people/1/episodes",
    "routines": "people/1/routines",
    "changes": "people/1/changes",
    "memory": "memory",
    "review": "review",
    "coming": "routines",
    "numbers": "numbers",
    "log": "log",
    "settings": "settings",
    "security": "security",
}
"""Paths of the admin pages, by picture name."""

SMALL = frozenset({"today", "person"})
TEXTED = (
    "Hi! I'm Alex, and I have a dog named Max.",
    "I'm allergic to peanuts",
    "Remind me tomorrow at 9am to call mom",
    "What do you know about me?",
)
"""Texts sent on the phone page, to the offline model."""

PHONE: tuple[tuple[str, int, Literal["dark", "light"]], ...] = (
    ("phone", 1280, "light"),
    ("phone-dark", 1280, "dark"),
    ("phone-phone", 390, "light"),
)
"""Pictures of the phone page: name, width in pixels, colour scheme."""

COLOURS = 64  # Enough for flat pages, at a third of the size.
SMALL_PX = 400


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER, help="where to put them")
    folder = parser.parse_args().folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, chdir(place):
        served = _made_up()
        served.begin()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
            _take(browser, served.url, folder, width=1280, pages=PAGES)
            few = {name: PAGES[name] for name in PAGES if name in SMALL}
            _take(browser, served.url, folder, width=1280, pages=few, is_dark=True)
            _take(browser, served.url, folder, width=360, pages=few)
            for name, width, scheme in PHONE:
                _take_phone(browser, served.url, folder / f"{name}.png", width=width, scheme=scheme)
            browser.close()
        served.end()


def _made_up() -> ServedApp:
    clock = FrozenClock()
    settings = load_settings(_env_file=None, database_url="sqlite:///made_up.db", embeddings="none")
    background = InlineBackground(clock)
    services = replace(build_services(settings), clock=clock, background=background)
    operators.ensure_first(services, PASSWORD)
    fill(services, clock)
    count_hours.run(services)
    for words in TEXTED:
        clock.advance(seconds=40)
        take_in(services, IncomingText(f"SM{uuid4().hex}", NUMBERS[1], "keepsake", words, "phone"))
        services.background.start(partial(answer, services))
        background.run()
    return ServedApp(services)


def _take(
    browser: Browser, url: str, folder: Path, *, width: int, pages: dict[str, str], is_dark: bool = False
) -> None:
    scheme: Literal["dark", "light"] = "dark" if is_dark else "light"
    context = browser.new_context(base_url=url, color_scheme=scheme, viewport={"width": width, "height": 800})
    page = context.new_page()
    _log_in(page)
    _reveal(page)
    for name, path in pages.items():
        page.goto(f"/admin/{path}")
        if name == "person":
            page.locator(".moment:has(.sought) + .moment summary").click()
        picture = folder / f"admin-{name}{'-dark' if is_dark else ''}{'' if width > SMALL_PX else '-phone'}.png"
        taken = Image.open(BytesIO(page.screenshot(full_page=name != "person")))
        taken.quantize(COLOURS).save(picture, optimize=True)
        print(f"{picture.name}: {picture.stat().st_size / 1024:.0f} kB")
    context.close()


def _take_phone(browser: Browser, url: str, picture: Path, *, width: int, scheme: Literal["dark", "light"]) -> None:
    height = 800 if width > SMALL_PX else 844
    context = browser.new_context(
        base_url=url, color_scheme=scheme, viewport={"width": width, "height": height}, device_scale_factor=1.5
    )
    page = context.new_page()
    _log_in(page)
    page.goto(f"/phone?number=%2B{NUMBERS[1][1:]}")
    page.locator(".theirs").last.wait_for()
    taken = Image.open(BytesIO(page.screenshot()))
    taken.quantize(COLOURS).save(picture, optimize=True)
    print(f"{picture.name}: {picture.stat().st_size / 1024:.0f} kB")
    context.close()


def _log_in(page: Page) -> None:
    page.goto("/admin/login")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/admin/")


def _reveal(page: Page) -> None:
    page.goto("/admin/people/1/facts")
    page.locator(".reveal summary").click()
    page.locator(".reveal input[name=reason]").fill("They asked me to look")
    page.locator(".reveal button").click()


if __name__ == "__main__":
    main()
