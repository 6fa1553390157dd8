"""Passkeys in a real browser, by its own virtual authenticator."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from app import operators
from app.features.passkeys.keys import NOT_TAKEN
from app.services import Services
from tests.browser.conftest import ServedApp
from tests.browser.forms_of_logins import log_in
from tests.operators.logins import PASSWORD


def with_authenticator(page: Page) -> Any:
    """A device with passkeys that always finds its owner's finger; `enabled=False` in it is one left at home."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    device = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    session.send("WebAuthn.addVirtualAuthenticator", {"options": device})
    return session


def test_a_passkey_logs_in_with_one_or_alone(
    open_page: Callable[..., Page], served: ServedApp, services: Services
) -> None:
    operators.ensure_first(services, PASSWORD)
    page = open_page(base_url=served.url.replace("127.0.0.1", "localhost"))
    with_authenticator(page)
    log_in(page)

    page.goto("/admin/security")
    page.get_by_label("Name of the new passkey").fill("Desk")
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Add a passkey").click()
    page.get_by_role("button", name="Make the passkey").click()
    expect(page.locator(".codes li")).to_have_count(10)
    page.get_by_role("link", name="I have kept them").click()
    expect(page.locator(".name", has_text="Desk")).to_be_visible()

    page.get_by_role("button", name="Log out").click()
    log_in(page)
    expect(page.get_by_role("heading", name="One step more")).to_be_visible()
    page.get_by_role("button", name="Use a passkey", exact=True).click()
    expect(page.get_by_role("button", name="Log out")).to_be_visible()

    page.get_by_role("button", name="Log out").click()
    page.get_by_role("button", name="Use a passkey instead").click()
    page.get_by_role("button", name="Use a passkey", exact=True).click()
    expect(page.get_by_role("button", name="Log out")).to_be_visible()

    page.goto("/admin/security")
    page.get_by_text("Remove Desk").click()
    page.get_by_role("listitem").filter(has_text="Desk").get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Remove the passkey").click()
    expect(page.get_by_text("password alone")).to_be_visible()
    page.get_by_role("button", name="Log out").click()
    page.get_by_role("button", name="Use a passkey instead").click()
    page.get_by_role("button", name="Use a passkey", exact=True).click()
    expect(page.get_by_role("alert")).to_have_text(NOT_TAKEN)
