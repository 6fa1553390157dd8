"""What is hidden, how it is revealed and hidden again, and the log of it, without scripts and by keyboard alone."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from app import memory, operators
from app.memory import NewFact, Origin
from app.services import Services
from tests.browser.test_admin import PASSWORD, log_in
from tests.web.admin.scenes import add_person


def test_words_are_revealed_by_keyboard_with_a_reason_and_hidden_again(
    open_page: Callable[..., Page], served_app: str, services: Services
) -> None:
    operators.ensure_first(services, PASSWORD)
    alex = add_person(services, name="Alex")
    memory.remember(services, alex.id, [NewFact("Likes tea")], Origin("assistant", "explicit"))
    page = open_page(base_url=served_app, java_script_enabled=False, viewport={"width": 360, "height": 740})
    log_in(page)
    page.goto(f"/admin/people/{alex.id}/facts")
    expect(page.get_by_role("rowheader")).to_contain_text("hidden: a few words")

    page.get_by_text("What they wrote is hidden. Reveal it").press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_label("Why you look")).to_be_focused()
    page.keyboard.type("A memory is wrong")
    page.keyboard.press("Enter")

    expect(page.get_by_role("rowheader")).to_contain_text("Likes tea")
    expect(page.get_by_text("for 30 more minutes.")).to_be_visible()
    page.get_by_role("button", name="Hide again").press("Enter")
    expect(page.get_by_role("rowheader")).to_contain_text("hidden: a few words")

    page.goto("/admin/log")
    expect(page.get_by_role("rowheader").nth(0)).to_contain_text("end reveal")
    expect(page.get_by_role("rowheader").nth(1)).to_contain_text("A memory is wrong")
    page.get_by_label("Who did it").select_option("terminal")
    page.get_by_role("button", name="Filter").click()
    expect(page.get_by_role("heading", name="Nothing of that kind happened")).to_be_visible()
    page.get_by_role("button", name="Verify the log").click()
    expect(page.get_by_role("status")).to_have_text("The log is whole: all 4 entries stand as written.")
