"""Every change of memory on the operator's pages, by forms alone; each step checks the page after it."""

from playwright.sync_api import Page, expect

from app.jobs import pair_facts
from app.services import Services
from app.web.admin.review import AT_ONCE
from tests.browser.operator_page import go_to, press, reveal, said, turn_to, undo
from tests.web.admin.scenes import Someone, add_person


def add_nora(services: Services) -> Someone:
    """Add Nora, a person with three facts and an episode."""
    nora = add_person(services, "+12065550177", name="Nora")
    nora.episode("Nora passed the exam.", nora.turn("I passed the exam!", "Congratulations!"))
    nora.learn("Has a dog named Max", "Likes tea", "Max is a poodle")
    return nora


def live(person: Someone) -> list[str]:
    return list(person.live().values())


def reveal_by_keyboard_and_hide(page: Page) -> None:
    """Reveal by keyboard alone: Enter opens the folded form, and the field submits it."""
    go_to(page, "People")
    page.get_by_role("link", name="Nora", exact=True).click()
    turn_to(page, "Facts")
    fact = page.get_by_role("rowheader").filter(has_text="poodle")
    expect(page.get_by_role("rowheader").first).to_contain_text("▇▇▇ Fact")
    page.get_by_text("What they wrote is hidden. Reveal it").press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_label("Why you look")).to_be_focused()
    page.keyboard.type("A memory is wrong")
    page.keyboard.press("Enter")
    expect(fact).to_contain_text("Max is a poodle")
    expect(page.get_by_text("for 30 more minutes.")).to_be_visible()
    page.get_by_role("button", name="Hide again").press("Enter")
    expect(page.get_by_role("rowheader").first).to_contain_text("▇▇▇ Fact")


def change_facts(page: Page, nora: Someone) -> None:
    page.goto(f"/admin/people/{nora.id}/facts")
    page.get_by_role("button", name="Forget fact 2").click()
    undo(page)
    turn_to(page, "Facts")
    expect(page.get_by_role("rowheader").nth(1)).to_contain_text("▇▇▇ Fact")
    reveal(page)
    expect(page.get_by_role("rowheader").nth(1)).to_contain_text("Likes tea")

    page.get_by_text("Add a fact").click()
    page.get_by_label("Sentence").fill("Lives in Portland")
    page.get_by_role("button", name="Add", exact=True).click()
    said(page, "Added as fact 4.")
    page.get_by_role("button", name="Pin fact 4", exact=True).click()
    said(page, "Pinned fact 4")
    press(page, "Unpin fact 4", "Fact 4 is no longer pinned.")

    page.get_by_role("link", name="Correct fact 4").click()
    page.get_by_label("Sentence").fill("Lives in Seattle")
    page.get_by_role("button", name="Correct").click()
    expect(page.get_by_role("heading", name="Lives in Seattle")).to_be_visible()
    expect(page.get_by_role("table")).to_contain_text("Lives in Portland")
    press(page, "Archive", "Archived fact 4.")
    turn_to(page, "Archived")
    page.get_by_role("button", name="Bring back fact 4").click()
    page.get_by_role("link", name="Lives in Seattle").click()

    page.get_by_role("button", name="Forget").click()
    expect(page.get_by_role("heading", name="Removed", exact=True)).to_be_visible()
    turn_to(page, "Forgotten")
    page.get_by_role("button", name="Restore fact 4").click()
    expect(page.get_by_role("rowheader").first).to_contain_text("Lives in Seattle")


def tick_and_merge(page: Page, nora: Someone) -> None:
    before = live(nora)
    go_to(page, "Memory")
    page.get_by_label("Fact 1 of Nora").check()
    page.get_by_label("Fact 2 of Nora").check()
    page.get_by_role("button", name="Pin", exact=True).click()
    said(page, "Pinned: facts 1, 2 of Nora.")

    page.get_by_label("Fact 1 of Nora").check()
    page.get_by_label("Fact 3 of Nora").check()
    page.get_by_role("button", name="Merge…").click()
    page.get_by_role("textbox", name="Sentence").fill("Has a poodle named Max")
    page.get_by_role("button", name="Merge 2 facts").click()
    expect(page.get_by_role("heading", name="Has a poodle named Max")).to_be_visible()
    assert live(nora) == ["Has a poodle named Max", "Likes tea", "Lives in Seattle"]
    undo(page)
    assert live(nora) == before == ["Has a dog named Max", "Likes tea", "Max is a poodle", "Lives in Seattle"]


def keep_apart_and_move(page: Page, services: Services, nora: Someone) -> None:
    for colour in ("black", "green"):
        nora.learn(f"Drinks {colour} coffee")
    *_, black, green = nora.live()
    pair_facts.run(services)
    page.goto(f"/admin/people/{nora.id}/facts/{green}")
    page.get_by_role("button", name="Keep both").filter(has_text=f"fact {black}").click()
    said(page, "stand side by side")

    ben = add_person(services, "+12065550111", name="Ben")
    page.goto(f"/admin/people/{nora.id}/facts/{green}/move/ask")  # The address of a form, entered again.
    page.get_by_text("Move to another person").click()
    page.get_by_label("Number or name of the person").fill("Ben")
    page.get_by_role("button", name="Move…").click()
    press(page, "Move it", "Moved to Ben: fact 1 there.")
    expect(page.get_by_role("heading", name="Removed", exact=True)).to_be_visible()
    assert live(ben) == ["Drinks green coffee"]
    assert live(nora) == ["Has a dog named Max", "Likes tea at 5", "Lives in Seattle", "Drinks black coffee"]


def change_rules(page: Page) -> None:
    turn_to(page, "Rules")
    page.get_by_label("Holds").select_option("phrase")
    page.get_by_label("Phrase or situation").fill("quick update")
    page.get_by_label("What to do").fill("Bullets only")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("rowheader")).to_contain_text('On "quick update": Bullets only')
    page.get_by_role("link", name="Correct rule 1").click()
    page.get_by_label("What to do").fill("Three bullets")
    press(page, "Correct", "Rule 1 is corrected.")
    expect(page.get_by_role("heading", name="Three bullets")).to_be_visible()

    turn_to(page, "Rules")
    page.get_by_role("button", name="Pause rule 1").click()
    expect(page.get_by_role("rowheader")).to_contain_text("paused")
    press(page, "Forget rule 1", "Forgot rule 1.")
    page.get_by_role("button", name="Restore rule 1").click()
    press(page, "Resume rule 1", "Rule 1 holds again.")
    expect(page.get_by_role("rowheader")).not_to_contain_text("paused")


def forget_an_episode(page: Page) -> None:
    turn_to(page, "Episodes")
    page.get_by_role("link", name="Nora passed the exam.").click()
    expect(page.get_by_role("region", name="Texts")).to_contain_text("I passed the exam!")
    expect(page.get_by_role("button", name="Forget episode 1")).to_be_hidden()
    page.get_by_text("Forget this episode").click()
    press(page, "Forget episode 1", "Forgot episode 1. It is kept under Forgotten, and its texts stay.")
    expect(page.get_by_role("heading", name="Nothing has happened yet")).to_be_visible()
    turn_to(page, "Forgotten")
    press(page, "Restore episode 1", "Remembered again: episode 1.")
    turn_to(page, "Changes")
    expect(page.get_by_role("button", name="Undo the change").first).to_be_visible()


def review(page: Page, services: Services, nora: Someone) -> None:
    """Review one person's facts one by one, and the rest, which is more than a page, all at once."""
    otto = add_person(services, "+12065550188", name="Otto")
    for word in range(0, AT_ONCE + 10, 10):
        otto.learn(*(f"Knows the word w{number}" for number in range(word, word + 10)))
    go_to(page, "Memory")
    page.get_by_role("link", name="Review what is new").click()
    page.get_by_role("navigation", name="People").get_by_role("link", name="Nora").click()
    waiting = page.locator("[data-review] > li")
    before = waiting.count()
    press(page, "Keep fact 1", "Kept 1.")
    page.get_by_text("Correct fact 2 of Nora").click()
    page.get_by_role("listitem").filter(has_text="Likes tea").get_by_label("Sentence").fill("Likes tea at 5")
    page.get_by_role("button", name="Correct", exact=True).locator("visible=true").click()
    said(page, "Corrected fact 2 of Nora.")
    press(page, "Forget fact 3", "Forgot fact 3 of Nora.")
    expect(waiting).to_have_count(before - 3)
    assert "Likes tea at 5" in live(nora)
    assert "Max is a poodle" not in live(nora)

    page.get_by_role("link", name="Everyone").click()
    learned = page.get_by_role("listitem").filter(has_text="Otto").first
    learned.get_by_text("Reveal what Otto wrote").click()
    learned.get_by_label("Why you look").fill("I review what is new")
    learned.get_by_role("button", name="Reveal for 30 minutes").click()
    expect(page.get_by_text("Knows the word w0")).to_be_visible()
    press(page, "Keep everything until now", "All that was learned until now counts as reviewed by you.")
    expect(page.get_by_role("heading", name="All is reviewed")).to_be_visible()
