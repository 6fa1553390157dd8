"""The operator's pages as whoever runs it sees them: their parts by the names that they have."""

from playwright.sync_api import Page, expect


def go_to(page: Page, name: str) -> None:
    """Follow a link of the bar that stands on every page."""
    page.get_by_role("navigation", name="Pages", exact=True).get_by_role("link", name=name, exact=True).click()


def turn_to(page: Page, name: str) -> None:
    """Follow a tab of the person, or of the settings."""
    page.get_by_role("navigation", name="Pages of").get_by_role("link", name=name, exact=True).click()


def said(page: Page, sentence: str) -> None:
    """Wait until the page says what was done."""
    expect(page.get_by_role("status")).to_contain_text(sentence)


def press(page: Page, button: str, sentence: str) -> None:
    """Press the button, and wait until the page says what was done."""
    page.get_by_role("button", name=button).click()
    said(page, sentence)


def undo(page: Page) -> None:
    page.get_by_role("status").get_by_role("button", name="Undo").click()
    said(page, "The change is taken back.")


def reveal(page: Page) -> None:
    """Have the words shown of whose page it is."""
    page.get_by_text("What they wrote is hidden. Reveal it").click()
    page.get_by_label("Why you look").fill("A reply was wrong")
    page.get_by_role("button", name="Reveal for 30 minutes").click()
    expect(page.get_by_role("button", name="Hide again")).to_be_visible()
