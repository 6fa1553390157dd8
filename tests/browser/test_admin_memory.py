"""The review of what was learned, in a real browser, by its keys."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

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
