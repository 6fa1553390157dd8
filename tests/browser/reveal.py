"""The words of one person, shown."""

from playwright.sync_api import Page, expect


def reveal(page: Page) -> None:
    """Have the words shown of whose page it is."""
    page.get_by_text("What they wrote is hidden. Reveal it").click()
    page.get_by_label("Why you look").fill("A reply was wrong")
    page.get_by_role("button", name="Reveal for 30 minutes").click()
    expect(page.get_by_role("button", name="Hide again")).to_be_visible()
