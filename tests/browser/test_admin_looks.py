"""The look of every operator's page: axe's findings and the fit, in both themes, on a phone and on a desktop."""

import re
from collections.abc import Callable, Sequence
from typing import Any, Literal

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from flask import Flask
from playwright.sync_api import Page, expect

from app import operators
from app.models import Person
from app.services import Services
from tests.browser.conftest import ServedApp
from tests.browser.forms_of_logins import log_in, replace_one_time, turn_on_app
from tests.browser.operator_page import reveal
from tests.fakes import FrozenClock
from tests.operators.logins import PASSWORD, shown_by_app
from tests.web.admin.made_up import fill
from tests.web.admin.scenes import add_person, fill_with
from tests.web.admin.test_guard import admin_rules, path_of

Way = tuple[int, Literal["light", "dark"]]
WIDE: Way = (1280, "light")
WAYS: tuple[Way, ...] = (WIDE, (360, "dark"), (1280, "dark"), (360, "light"))
"""Viewports: width in pixels, and theme."""
LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft" * 2
DARKEST = 200  # Of red, green and blue together, up to which a background counts as dark.

FIND = """async (selector) => {
  axe.configure({rules: [{id: "color-contrast", selector}]});
  return (await axe.run(document, {resultTypes: ["violations"], preload: false})).violations.map(
    (one) => `${one.id}: ${one.nodes.map((node) => node.target.join(" ")).slice(0, 3).join(" | ")}`);
}"""
IN_COLOUR, OF_ITS_OWN = "*", "main *, [aria-current]"
"""Selectors for measuring contrast, which takes most of the time: the bar differs only in the current page."""
MEASURE = """() => ({
  wider: Math.max(...[document.documentElement, ...document.querySelectorAll(".pages, .tabs")]
    .map((one) => one.scrollWidth - one.clientWidth)),
  ground: getComputedStyle(document.body).backgroundColor,
  plain: [...document.querySelectorAll("main :is(table, .rows, .known, .learned) a:not(.button)")]
    .filter((link) => getComputedStyle(link).color === getComputedStyle(link.parentElement).color)
    .filter((link) => getComputedStyle(link).textDecorationLine === "none")
    .map((link) => link.outerHTML.slice(0, 80)),
  narrow: [...document.querySelectorAll(".search input")].filter((one) => innerWidth < 600 && one.offsetWidth)
    .filter((one) => one.offsetWidth < one.parentElement.offsetWidth).map((one) => one.name),
})"""
"""JavaScript: the pixels by which the page or a row of links is too wide, the background colour, the links in lists
that look like the words around them, and on a phone the search fields that leave room in their row."""


class Looks:
    """Looks at pages as they are loaded, and keeps what is amiss."""

    def __init__(self, page: Page, ways: Sequence[Way]) -> None:
        self.page = page
        self.ways = ways
        self.faults: list[str] = []
        page.context.add_init_script(AXE_SCRIPT)
        page.on("console", lambda message: self.faults.append(f"{page.url}: {message.text}"))

    def at(self, path: str) -> None:
        answer = self.page.goto(path)
        assert answer is not None
        assert answer.ok, path
        self.now()

    def now(self) -> None:
        """At the page that is there, with all that is folded opened."""
        page = self.page
        page.evaluate("for (const folded of document.querySelectorAll('details')) folded.open = true")
        has_bar = page.locator("[aria-current]").count() > 0  # Not while somebody logs in.
        measured = OF_ITS_OWN if has_bar and not page.url.endswith("/admin/") else IN_COLOUR
        for width, theme in self.ways:
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme=theme)
            found = page.evaluate(FIND, measured) + _misfits(page, theme)
            self.faults += [f"{page.url} at {width}, {theme}: {one}" for one in found]
        self.ways = self.ways[::-1]  # The next page starts in this page's last layout, because a new layout takes time.


def _misfits(page: Page, theme: str) -> list[str]:
    measured: dict[str, Any] = page.evaluate(MEASURE)
    is_dark = sum(int(part) for part in re.findall(r"\d+", measured["ground"])) < DARKEST
    misfits = [] if is_dark == (theme == "dark") else [f"stands on {measured['ground']}"]
    misfits += [f"plain: {link}" for link in measured["plain"]] + [f"narrow: {one}" for one in measured["narrow"]]
    return misfits + ([f"{measured['wider']} pixels wider than its room"] if measured["wider"] > 0 else [])


def pages(app: Flask) -> list[str]:
    """Every page below /admin, whatever is added later; not files, and not what scripts ask for."""
    no_pages = ("_events", "_snapshot", "_file", ".login")
    return sorted(
        {path_of(rule) for rule, method in admin_rules(app) if method == "GET" and not rule.endpoint.endswith(no_pages)}
    )


@pytest.mark.parametrize("ways", [WAYS[:2], pytest.param(WAYS, marks=pytest.mark.whole)], ids=["sample", "whole"])
def test_axe_finds_nothing_on_any_page_and_none_is_wider_than_its_window(
    open_page: Callable[..., Page], served: ServedApp, services: Services, clock: FrozenClock, ways: Sequence[Way]
) -> None:
    one_time = operators.ensure_first(services, None)
    assert one_time is not None
    alex = fill(services, clock)
    with services.transaction() as db:
        db.get_one(Person, alex.id).name = LONG[:80]
    waiting = add_person(services, "+12065550111", name=LONG[:80], access="waiting")
    waiting.text(LONG, state="held", note=LONG)
    long = fill_with(alex, LONG, ours=LONG)
    long.append(f"merge?numbers=1,{long[0].removeprefix('facts/')}")
    page = open_page(base_url=served.url.replace("127.0.0.1", "localhost"))
    looks = Looks(page, ways)
    looks.at("/admin/login")
    log_in(page, "wrong")
    looks.now()
    assert looks.faults.pop().endswith("403 (FORBIDDEN)")  # How the browser notes the refusal.
    look_at_logins(looks, services, clock, one_time)

    person = f"/admin/people/{alex.id}"
    for masked in (person, f"{person}/facts", f"{person}/facts/1", "/admin/memory", "/admin/review"):
        looks.at(masked)
    page.goto(person)
    reveal(page)
    every = pages(served.app)
    assert len(every) >= 25
    for path in (*every, *(f"{person}/{one}" for one in long), *(f"/admin/{one}" for one in CHOSEN)):
        looks.at(path)
    page.get_by_role("link", name="Today").click()
    page.set_viewport_size({"width": WIDE[0], "height": 900})  # On a phone there are no keys.
    page.get_by_role("button", name="Keys").click()
    looks.now()

    assert looks.faults == []


CHOSEN = (
    "people?words=nobody",
    "people?access=waiting",
    "memory?kind=episodes",
    "memory?kind=rules",
    "memory?person=1&words=works",
    "numbers?over=day",
    "log?who=terminal",
    "routines/history?state=held",
)
"""Pages that look otherwise for what is asked of them."""


def look_at_logins(looks: Looks, services: Services, clock: FrozenClock, one_time: str) -> None:
    """At what is the answer to a form, and has no address of its own; the page is at the end logged in."""
    page = looks.page
    log_in(page, one_time)
    looks.now()
    replace_one_time(page, one_time)
    expect(page.get_by_role("heading", name="Today")).to_be_visible()

    page.goto("/admin/operators")
    page.get_by_label("Name").fill("sam")
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Add", exact=True).click()
    looks.now()
    page.goto("/admin/security")
    page.get_by_label("Name of the new passkey").fill("Desk")
    page.get_by_role("region", name="Passkeys").get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("button", name="Make the passkey")).to_be_visible()
    looks.now()
    page.goto("/admin/security/app")
    secret = turn_on_app(page, services)
    looks.now()

    page.get_by_role("button", name="Log out").click()
    clock.advance(minutes=1)
    log_in(page)
    expect(page.get_by_role("heading", name="One step more")).to_be_visible()
    looks.now()
    page.get_by_label("Code").fill(shown_by_app(secret, services))
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", name="Today")).to_be_visible()
