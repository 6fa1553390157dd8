"""Access, routines and the operation of the whole, by forms alone; each step checks the page after it."""

import re

from playwright.sync_api import Page, expect
from sqlalchemy import func, select

from app.models import AuditEntry, Person
from app.services import Services
from tests.browser.operator_page import go_to, press, reveal, said, turn_to, undo
from tests.fakes import InlineBackground
from tests.web.admin.scenes import add_person


def see_who_texts(page: Page, services: Services) -> None:
    press(page, "Let in …0200", "Let in.")
    expect(page.locator(".person-head")).to_contain_text("allowed")
    block = page.get_by_role("button", name="Block …0200", exact=True)
    expect(block).to_be_hidden()
    page.get_by_text("Block… …0200").click()
    block.click()
    said(page, "Blocked. Their texts are kept and not answered.")
    expect(page.locator(".person-head")).to_contain_text("blocked")
    page.get_by_role("button", name="Let in …0200").click()
    with services.reading() as db:
        assert db.scalar(select(Person.access).where(Person.address.endswith("0200"))) == "allowed"

    go_to(page, "Today")
    press(page, "Try again for Dana Cole", "1 text tried again.")
    expect(page.get_by_role("log")).to_contain_text("waiting for an answer")


def find_why_what_it_cost_and_how_it_is_forgotten(page: Page) -> None:
    go_to(page, "People")
    page.get_by_role("link", name="Alex Rivera", exact=True).click()
    reveal(page)
    go_to(page, "Today")
    page.get_by_role("link", name="And a dessert?").click()
    reply = page.locator(".moment", has_text="Fruit skewers")
    expect(reply.get_by_text("<user_memory>")).to_be_hidden()
    reply.get_by_text("Why this reply · 2.1 s · 1.21 ¢").click()
    expect(reply.get_by_text("<user_memory>")).to_be_visible()
    expect(reply).to_contain_text("It was shown 3 facts")
    expect(reply).to_contain_text("the topic is new")
    expect(reply).to_contain_text("Carrier cost")
    reply.get_by_role("button", name="Forget fact 1").click()
    undo(page)


def read_numbers(page: Page) -> None:
    go_to(page, "Numbers")
    page.locator("#recall summary").click()
    expect(page.locator("#recall").get_by_role("row", name=re.compile(r"^21 Nov, \d\d:00 1\b"))).to_be_visible()
    with page.expect_download() as file:
        page.locator("#recall").get_by_role("link", name="CSV").click()
    assert file.value.suggested_filename.endswith(".csv")
    page.get_by_role("link", name="By day").click()
    expect(page.locator("#recall")).to_contain_text("21 Nov 2026")


def read_settings(page: Page) -> None:
    go_to(page, "Settings")
    expect(page.get_by_text("TURN_MAX_SECONDS")).to_be_hidden()
    page.locator("summary", has_text="Defaults").click()
    expect(page.get_by_text("TURN_MAX_SECONDS")).to_be_visible()
    page.get_by_role("button", name="Ask Twilio, the model and the embedder").click()
    expect(page.get_by_role("button", name="Ask again")).to_be_visible()

    turn_to(page, "Prompts")
    page.get_by_role("link", name="Alex Rivera").click()
    expect(page.get_by_role("region", name="Memory")).to_contain_text("Allergic to peanuts.")


def read_the_log(page: Page, services: Services) -> None:
    page.goto("/admin/log")
    expect(page.get_by_role("rowheader").nth(0)).to_contain_text("end reveal")
    expect(page.get_by_role("rowheader").nth(1)).to_contain_text("A memory is wrong")
    page.get_by_label("Who did it").select_option("terminal")
    page.get_by_role("button", name="Filter").click()
    expect(page.get_by_role("heading", name="Nothing of that kind happened")).to_be_visible()
    page.get_by_role("button", name="Verify the log").click()
    expect(page.get_by_role("status")).to_contain_text("The log is whole")
    with services.reading() as db:
        entries = db.scalar(select(func.count(AuditEntry.id)))
    expect(page.get_by_role("status")).to_have_text(f"The log is whole: all {entries} entries stand as written.")


def have_routines_come(page: Page, services: Services, background: InlineBackground) -> None:
    person = add_person(services, "+12065550155")
    with services.transaction() as db:
        db.get_one(Person, person.id).timezone = "America/Los_Angeles"
    person.remind("Stretch")
    go_to(page, "Routines")
    page.get_by_role("link", name="Mon 23 Nov").click()
    page.get_by_role("row", name="…0155").get_by_role("link").first.click()
    reveal(page)
    expect(page.get_by_role("heading", name="Stretch")).to_be_visible()

    page.get_by_role("button", name="Run now").press("Enter")
    said(page, "Routine 1 comes now")
    background.run(within_seconds=0)
    page.reload()
    expect(page.get_by_role("table").first).to_contain_text("run by an operator")
    press(page, "Pause", "Routine 1 is paused.")
    undo(page)
    turn_to(page, "Routines")
    page.get_by_role("link", name="Stretch").click()
    page.goto(f"{page.url}/run")  # The address of a form, entered again: it runs nothing.
    expect(page.get_by_role("heading", name="Stretch")).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    press(page, "Resume", "Routine 1 comes again.")
    press(page, "Skip the next", "Routine 1 is left out on ")
    press(page, "End", "Routine 1 has ended.")
    expect(page.get_by_role("button", name="Run now")).to_be_hidden()

    turn_to(page, "Routines")
    press(page, "Pause all", "All are paused: nothing comes to this person by itself.")
    expect(page.get_by_text("All are paused since")).to_be_visible()
    press(page, "End the pause", "All routines resumed.")
    page.get_by_role("link", name="History").click()
    expect(page.get_by_role("table")).to_contain_text("run by an operator")
