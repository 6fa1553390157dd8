"""Routines and settings in a real browser, by keyboard and without JavaScript."""

from collections.abc import Iterator
from datetime import time

import pytest
from playwright.sync_api import Browser, Page, expect

from app import memory, operators
from app.memory import NewFact, Origin
from app.models import Person
from app.routines.schedule import Schedule
from app.routines.setting import NewRoutine, set_routine
from app.services import Services
from tests.browser.reveal import reveal
from tests.fakes import FrozenClock, InlineBackground
from tests.web.admin.scenes import add_person

PASSWORD = "violet harbour lamp"
BY_PERSON = Origin("person", "explicit")


@pytest.fixture
def page(browser: Browser, served_app: str) -> Iterator[Page]:
    """A phone's browser in which no script runs, at the served pages."""
    context = browser.new_context(
        base_url=served_app, java_script_enabled=False, viewport={"width": 360, "height": 800}
    )
    yield context.new_page()
    context.close()


@pytest.fixture
def alex(services: Services) -> Person:
    person = add_person(services, name="Alex")
    new = NewRoutine("remind", "Stretch", Schedule("daily", times=(time(10),)))
    set_routine(services, person.id, new, BY_PERSON, "phone")
    return person


def log_in(page: Page, services: Services) -> None:
    operators.ensure_first(services, PASSWORD)
    page.goto("/admin/")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()


def test_a_routine_is_found_in_the_week_run_now_and_paused(
    page: Page, services: Services, alex: Person, background: InlineBackground
) -> None:
    log_in(page, services)
    page.goto(f"/admin/people/{alex.id}")
    reveal(page)
    page.get_by_role("navigation", name="Pages", exact=True).get_by_role("link", name="Routines").click()
    page.get_by_role("link", name="Mon 23 Nov").click()
    page.get_by_role("link", name="Stretch").click()
    expect(page.get_by_role("heading", name="Stretch")).to_be_visible()

    page.get_by_role("button", name="Run now").press("Enter")
    expect(page.get_by_role("status")).to_contain_text("Routine 1 comes now")
    background.run(within_seconds=0)
    page.reload()
    expect(page.get_by_role("table").first).to_contain_text("run by an operator")

    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("status")).to_contain_text("Routine 1 is paused.")
    page.get_by_role("status").get_by_role("button", name="Undo").click()
    expect(page.get_by_role("status")).to_contain_text("The last change is taken back.")


def test_at_night_a_second_click_is_asked_for_with_the_hour(
    page: Page, services: Services, alex: Person, clock: FrozenClock
) -> None:
    clock.advance(hours=14)
    log_in(page, services)
    page.goto(f"/admin/people/{alex.id}/routines/1")
    page.get_by_role("button", name="Run now").click()
    expect(page.get_by_role("alert")).to_contain_text("It is 23:00 there")
    page.get_by_role("link", name="Let them sleep").click()
    page.get_by_role("button", name="Run now").click()
    page.get_by_role("button", name="Run now, at 23:00 there").click()
    expect(page.get_by_role("status")).to_contain_text("Routine 1 comes now")


def test_settings_lead_to_what_the_model_would_be_shown(page: Page, services: Services, alex: Person) -> None:
    memory.remember(services, alex.id, [NewFact("Is allergic to walnuts")], BY_PERSON)
    log_in(page, services)
    page.goto(f"/admin/people/{alex.id}")
    reveal(page)
    page.get_by_role("link", name="Settings").click()
    expect(page.get_by_text("TURN_MAX_SECONDS")).to_be_hidden()
    page.get_by_text("All that is as it is by default").click()
    expect(page.get_by_text("TURN_MAX_SECONDS")).to_be_visible()

    page.get_by_role("link", name="Prompts").click()
    page.get_by_role("link", name="Alex").click()
    expect(page.get_by_role("region", name="Memory")).to_contain_text("Is allergic to walnuts.")
