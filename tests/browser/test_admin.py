"""The operator's pages in a real browser, without JavaScript, on a phone and on a desk, by day and by night."""

import re
from collections.abc import Iterator
from datetime import time
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from app import memory, operators
from app.memory import NewFact, Origin, RuleWords
from app.models import Occurrence, Person, Spending
from app.routines.schedule import Schedule
from app.routines.setting import NewRoutine, revise_routine, set_routine
from app.services import Services
from tests.browser.reveal import reveal
from tests.web.admin.scenes import add_episode, add_person, add_text, add_turn

PASSWORD = "violet harbour lamp"
LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft" * 2


@pytest.fixture
def page(browser: Browser, served_app: str) -> Iterator[Page]:
    """A browser in which no script runs, at the served pages."""
    context = browser.new_context(
        base_url=served_app, java_script_enabled=False, viewport={"width": 1280, "height": 800}
    )
    yield context.new_page()
    context.close()


@pytest.fixture
def alex(services: Services) -> Person:
    return add_person(services, name="Alex")


def log_in(page: Page, password: str = PASSWORD) -> None:
    page.goto("/admin/")
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()


def test_the_first_login_asks_for_a_password_of_ones_own(page: Page, services: Services) -> None:
    one_time = operators.ensure_first(services, None)
    assert one_time is not None
    log_in(page, one_time)

    expect(page.get_by_role("heading", name="Choose your password")).to_be_visible()
    page.get_by_label("One-time password").fill(one_time)
    page.get_by_label("New password", exact=False).first.fill(PASSWORD)
    page.get_by_label("New password again").fill(PASSWORD)
    page.get_by_role("button", name="Change the password").click()

    expect(page.get_by_role("heading", name="Today")).to_be_visible()
    page.get_by_role("button", name="Log out").click()
    log_in(page)
    expect(page.get_by_role("heading", name="Today")).to_be_visible()


def test_a_wrong_password_is_said_beside_the_form(page: Page, services: Services) -> None:
    operators.ensure_first(services, PASSWORD)

    log_in(page, "wrong")

    expect(page.get_by_role("alert")).to_have_text("The name or the password is not right.")


def test_a_waiting_number_is_let_in_with_one_click(page: Page, services: Services) -> None:
    operators.ensure_first(services, PASSWORD)
    waiting = add_person(services, "+13125550200", access="waiting")
    add_text(services, waiting.id, "Hi, this is Sam", state="held")
    log_in(page)

    page.get_by_role("button", name="Let in …0200").click()

    expect(page.get_by_role("status")).to_contain_text("Let in.")
    expect(page.locator(".person-head")).to_contain_text("allowed")
    with services.reading() as db:
        assert db.get_one(Person, waiting.id).access == "allowed"


def test_a_fact_is_added_corrected_forgotten_and_restored(page: Page, services: Services, alex: Person) -> None:
    operators.ensure_first(services, PASSWORD)
    log_in(page)
    page.get_by_role("link", name="People", exact=True).click()
    page.get_by_role("link", name="Alex", exact=True).click()
    page.get_by_role("link", name="Facts", exact=True).click()
    reveal(page)

    page.get_by_label("Sentence").fill("Lives in Portland")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("status")).to_contain_text("Added as fact 1.")

    page.get_by_role("link", name="Correct fact 1").click()
    page.get_by_label("Sentence").fill("Lives in Seattle")
    page.get_by_role("button", name="Correct").click()
    expect(page.get_by_role("heading", name="Lives in Seattle")).to_be_visible()
    expect(page.get_by_role("table")).to_contain_text("Lives in Portland")

    page.get_by_role("button", name="Forget").click()
    expect(page.get_by_role("heading", name="What was removed")).to_be_visible()

    page.get_by_role("link", name="Forgotten").click()
    page.get_by_role("button", name="Restore fact 1").click()
    expect(page.get_by_role("rowheader")).to_contain_text("Lives in Seattle")


def test_what_was_done_by_mistake_is_undone_where_it_is_reported(page: Page, services: Services, alex: Person) -> None:
    operators.ensure_first(services, PASSWORD)
    memory.remember(services, alex.id, [NewFact("Likes tea")], Origin(actor="assistant", source="explicit"))
    log_in(page)
    page.goto(f"/admin/people/{alex.id}/facts")

    page.get_by_role("button", name="Forget fact 1").click()
    page.get_by_role("status").get_by_role("button", name="Undo").click()

    expect(page.get_by_role("status")).to_contain_text("The last change is taken back.")
    page.get_by_role("link", name="Facts", exact=True).click()
    expect(page.get_by_role("rowheader")).to_contain_text("hidden: a few words")
    reveal(page)
    expect(page.get_by_role("rowheader")).to_contain_text("Likes tea")


def test_a_rule_is_added_paused_forgotten_and_restored(page: Page, services: Services, alex: Person) -> None:
    operators.ensure_first(services, PASSWORD)
    log_in(page)
    page.goto(f"/admin/people/{alex.id}")
    page.get_by_role("link", name="Rules", exact=True).click()
    reveal(page)

    page.get_by_label("Holds").select_option("phrase")
    page.get_by_label("Phrase or situation").fill("quick update")
    page.get_by_label("What to do").fill("Bullets only")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("rowheader")).to_contain_text('On "quick update": Bullets only')

    page.get_by_role("button", name="Pause rule 1").click()
    expect(page.get_by_role("rowheader")).to_contain_text("paused")
    page.get_by_role("button", name="Forget rule 1").click()
    page.get_by_role("button", name="Restore rule 1").click()
    expect(page.get_by_role("button", name="Resume rule 1")).to_be_visible()


def test_an_episode_is_read_and_forgotten_after_a_second_look(page: Page, services: Services, alex: Person) -> None:
    operators.ensure_first(services, PASSWORD)
    add_episode(services, add_turn(services, alex.id, "I passed the exam!", "Congratulations!"))
    log_in(page)
    page.goto(f"/admin/people/{alex.id}/facts")
    page.get_by_role("link", name="Episodes", exact=True).click()
    reveal(page)
    page.get_by_role("link", name="Alex passed the exam.").click()
    expect(page.get_by_role("table")).to_contain_text("I passed the exam!")

    expect(page.get_by_role("button", name="Forget episode 1")).to_be_hidden()
    page.get_by_text("Forget this episode").click()
    page.get_by_role("button", name="Forget episode 1").click()

    said = "Forgot episode 1. It is kept under Forgotten, and its texts stay."
    expect(page.get_by_role("status")).to_contain_text(said)
    expect(page.get_by_role("heading", name="Nothing has happened yet")).to_be_visible()


def test_a_turn_opens_to_why_it_said_what_it_said_without_a_script(
    page: Page, services: Services, alex: Person
) -> None:
    operators.ensure_first(services, PASSWORD)
    add_turn(services, alex.id, "Hi", "Hello!", memory_shown="<facts>Likes tea.</facts>", cost_cents=0.41)
    log_in(page)
    page.goto(f"/admin/people/{alex.id}")
    reveal(page)

    expect(page.get_by_text("<facts>Likes tea.</facts>")).to_be_hidden()
    page.get_by_text("Why this reply · 0 ms · 0.41 ¢").click()

    expect(page.get_by_text("<facts>Likes tea.</facts>")).to_be_visible()


def test_the_first_tab_stop_leads_past_the_navigation(page: Page, services: Services) -> None:
    operators.ensure_first(services, PASSWORD)
    log_in(page)
    expect(page.get_by_role("heading", name="Today")).to_be_visible()

    page.keyboard.press("Tab")

    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_no_page_scrolls_sideways_or_is_held_back_by_its_own_policy(
    browser: Browser, served_app: str, services: Services, alex: Person, theme: Literal["light", "dark"], width: int
) -> None:
    operators.ensure_first(services, PASSWORD)
    fill_with_long_words(services, alex)
    context = browser.new_context(base_url=served_app, color_scheme=theme, viewport={"width": width, "height": 800})
    page = context.new_page()
    faults: list[str] = []
    page.on("console", lambda message: faults.append(f"{page.url}: {message.text}"))
    page.goto("/admin/login")
    too_wide = {"login": overflow(page)}
    log_in(page)

    person = f"people/{alex.id}"
    page.goto(f"/admin/{person}")
    too_wide["masked"] = overflow(page)
    reveal(page)
    for path in (
        "",
        "people",
        person,
        f"{person}/facts",
        f"{person}/facts/1",
        f"{person}/rules",
        f"{person}/rules/1",
        f"{person}/episodes",
        f"{person}/episodes/1",
        f"{person}/forgotten",
        f"{person}/changes",
        "numbers",
        f"{person}/facts/2",
        f"{person}/merge?numbers=1,3",
        "memory",
        "memory?kind=episodes",
        "memory?kind=rules",
        "review",
        f"{person}/routines",
        f"{person}/routines/1",
        "routines",
        "routines/history",
        "settings",
        "settings/prompt",
        f"settings/prompt/{alex.id}",
        "log",
        "password",
        "security",
        "security/app",
        "operators",
        "operators/1",
    ):
        page.goto(f"/admin/{path}")
        for folded in page.locator("summary").all():
            folded.click()
        too_wide[path] = overflow(page)
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    context.close()

    assert {path: pixels for path, pixels in too_wide.items() if pixels > 0} == {}
    assert faults == []
    assert (sum(int(part) for part in re.findall(r"\d+", dark)) < 200) == (theme == "dark")


def overflow(page: Page) -> int:
    """How many pixels the page is wider than the window."""
    pixels: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return pixels


def fill_with_long_words(services: Services, person: Person) -> None:
    with services.transaction() as db:
        db.get_one(Person, person.id).name = LONG[:80]
    waiting = add_person(services, "+13125550200", name=LONG[:80], access="waiting")
    add_text(services, waiting.id, LONG, state="held", note=LONG)
    add_turn(
        services,
        person.id,
        LONG,
        LONG,
        tools=[("extract_memory", {"facts": [{"fact": LONG}]}, LONG)],
        memory_shown=LONG,
        model=LONG[:60],
        outcome=LONG[:60],
    )
    # Another word, in another turn: with a fact that is forgotten, the episodes go that tell it.
    word = LONG[::-1]
    told = add_turn(services, person.id, word, word)
    add_episode(services, told, word, narrative=word, topics=(word[:40], word[:40]), key_facts=(word,))
    origin = Origin(actor="assistant", source="explicit", message_id=1, quote=LONG)
    memory.remember(services, person.id, [NewFact(LONG, LONG[:40]), NewFact(f"Likes {LONG}")], origin)
    memory.revise(services, person.id, 1, origin, fact=f"Works at {LONG}")
    memory.forget(services, person.id, [2], origin)
    ruled = RuleWords("phrase", LONG[:100], f"Say {LONG}")
    memory.set_rule(services, person.id, ruled, origin, proposed=True)
    memory.set_rule(services, person.id, RuleWords("always", None, word), origin)
    memory.forget_rules(services, person.id, [2], origin)
    new = NewRoutine("remind", LONG, Schedule("daily", times=(time(23, 0),)))
    routine = set_routine(services, person.id, new, origin, "phone")
    revise_routine(services, person.id, 1, origin, words=f"{LONG}{LONG[:40]}")
    now = services.clock.now()
    with services.transaction() as db:
        held = Occurrence(routine_id=routine.id, person_id=person.id, due_at=now, run_at=now, state="held", reason=LONG)
        db.add_all([held, Spending(day=now.date(), person_id=person.id, cents=1.0, at=now)])
