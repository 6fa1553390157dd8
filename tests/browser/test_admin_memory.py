"""All memory and its review in a real browser: by mouse without a script, and by keys."""

from collections.abc import Callable

from playwright.sync_api import Browser, Page, expect

from app import memory, operators
from app.memory import NewFact, Origin
from app.memory import facts as fact_rows
from app.services import Services
from tests.browser.reveal import reveal
from tests.web.admin.scenes import add_person, add_text

PASSWORD = "violet harbour lamp"


def log_in(page: Page) -> None:
    page.goto("/admin/login")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()


def learn(services: Services, *sentences: str) -> int:
    """The id of a person who told this."""
    operators.ensure_first(services, PASSWORD)
    alex = add_person(services, name="Alex")
    text = add_text(services, alex.id, "Let me tell you about myself")
    origin = Origin("assistant", "explicit", message_id=text.id)
    memory.remember(services, alex.id, [NewFact(sentence) for sentence in sentences], origin)
    return alex.id


def live(services: Services, person_id: int) -> list[str]:
    with services.reading() as db:
        return [fact.sentence for fact in fact_rows.live(db, person_id, services.clock.now())]


def test_ticked_facts_are_merged_and_the_merging_is_undone_without_a_script(
    browser: Browser, served_app: str, services: Services
) -> None:
    alex = learn(services, "Has a dog named Max", "Likes tea", "Max is a poodle")
    context = browser.new_context(base_url=served_app, java_script_enabled=False)
    page = context.new_page()
    log_in(page)
    page.goto(f"/admin/people/{alex}")
    reveal(page)

    page.get_by_role("link", name="Memory", exact=True).click()
    page.get_by_label(f"Fact 1 of person {alex}").check()
    page.get_by_label(f"Fact 3 of person {alex}").check()
    page.get_by_role("button", name="Merge…").click()
    page.get_by_role("textbox", name="Sentence").fill("Has a poodle named Max")
    page.get_by_role("button", name="Merge 2 facts").click()

    expect(page.get_by_role("heading", name="Has a poodle named Max")).to_be_visible()
    assert live(services, alex) == ["Has a poodle named Max", "Likes tea"]
    page.get_by_role("status").get_by_role("button", name="Undo").click()
    expect(page.get_by_role("status")).to_contain_text("The last change is taken back.")
    assert live(services, alex) == ["Has a dog named Max", "Likes tea", "Max is a poodle"]
    context.close()


def test_the_review_is_done_by_keys_alone(open_page: Callable[..., Page], served_app: str, services: Services) -> None:
    alex = learn(services, "Has a dog", "Likes tea", "Sings", "Lives in Lima")
    page = open_page(base_url=served_app)
    log_in(page)
    page.goto(f"/admin/people/{alex}")
    reveal(page)
    page.goto("/admin/review")
    waiting = page.locator("[data-review] > li")
    expect(waiting).to_have_count(4)

    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(waiting.nth(1)).to_be_focused()
    page.keyboard.press("k")
    expect(waiting.nth(0)).to_be_focused()

    page.keyboard.press("y")
    expect(page.get_by_role("status")).to_have_text("Kept 1.")
    expect(waiting.nth(0)).to_be_focused()
    page.keyboard.press("c")
    expect(page.get_by_label("Sentence").first).to_be_focused()
    page.keyboard.type(" at 5 from my cup")  # Letters that are keys are written, in a field.
    page.keyboard.press("Enter")
    expect(waiting).to_have_count(2)
    expect(waiting.nth(0)).to_be_focused()
    page.keyboard.press("f")
    expect(waiting).to_have_count(1)
    expect(waiting.nth(0)).to_be_focused()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Keys")).to_be_hidden()
    page.keyboard.press("o")
    expect(page.locator(".sought")).to_contain_text("Let me tell you about myself")

    assert live(services, alex) == ["Has a dog", "Likes tea at 5 from my cup", "Lives in Lima"]


def test_a_fact_is_moved_and_its_receipt_is_read_without_a_script(
    browser: Browser, served_app: str, services: Services
) -> None:
    alex = learn(services, "Likes tea", "Sings")
    ben = add_person(services, "+12065550111", name="Ben")
    context = browser.new_context(base_url=served_app, java_script_enabled=False)
    page = context.new_page()
    log_in(page)
    page.goto(f"/admin/people/{alex}/facts/2")

    page.get_by_text("Move to another person").click()
    page.get_by_label("Number or name of the person").fill("Ben")
    page.get_by_role("button", name="Move").click()

    expect(page.get_by_role("status")).to_contain_text(f"Moved to person {ben.id}: fact 1 there.")
    expect(page.get_by_role("heading", name="What was removed")).to_be_visible()
    assert (live(services, alex), live(services, ben.id)) == (["Likes tea"], ["Sings"])
    context.close()
