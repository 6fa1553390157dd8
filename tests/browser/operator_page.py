"""The operator's pages, with their parts found by their visible names."""

from playwright.sync_api import Page, expect


def go_to(page: Page, name: str) -> None:
    """Follow a link of the navigation bar."""
    page.get_by_role("navigation", name="Pages", exact=True).get_by_role("link", name=name, exact=True).click()


def turn_to(page: Page, name: str) -> None:
    """Follow a tab of a person or of the settings."""
    page.get_by_role("navigation", name="Pages of").get_by_role("link", name=name, exact=True).click()


def said(page: Page, sentence: str) -> None:
    """Wait until the page's status contains the sentence."""
    expect(page.get_by_role("status")).to_contain_text(sentence)


def press(page: Page, button: str, sentence: str) -> None:
    """Press the button, and wait until the page's status contains the sentence."""
    page.get_by_role("button", name=button).click()
    said(page, sentence)


def undo(page: Page) -> None:
    page.get_by_role("status").get_by_role("button", name="Undo").click()
    said(page, "The change is taken back.")


def reveal(page: Page) -> None:
    """Reveal the words of the person on the page."""
    page.get_by_text("What they wrote is hidden. Reveal it").click()
    page.get_by_label("Why you look").fill("A reply was wrong")
    page.get_by_role("button", name="Reveal for 30 minutes").click()
    expect(page.get_by_role("button", name="Hide again")).to_be_visible()
