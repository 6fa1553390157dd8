"""Second factors in a real browser: passkeys by its own virtual authenticator, and codes without any script."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, Page, expect

from app import operators
from app.services import Services
from tests.browser.test_admin import PASSWORD, log_in
from tests.fakes import FrozenClock
from tests.operators.logins import row, shown_by_app


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


def test_a_passkey_is_kept_and_logs_in_as_second_factor_and_alone(
    open_page: Callable[..., Page], served_app: str, services: Services
) -> None:
    operators.ensure_first(services, PASSWORD)
    page = open_page(base_url=served_app.replace("127.0.0.1", "localhost"))
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
    expect(page.get_by_role("alert")).to_contain_text("was not accepted")


def test_an_app_is_turned_on_and_logs_in_without_a_script(
    browser: Browser, served_app: str, services: Services, clock: FrozenClock
) -> None:
    operators.ensure_first(services, PASSWORD)
    context = browser.new_context(base_url=served_app, java_script_enabled=False)
    page = context.new_page()
    log_in(page)
    page.goto("/admin/security/app")
    expect(page.get_by_role("img", name="QR code")).to_be_visible()
    shown = page.locator("code.secret").inner_text()
    secret = re.sub(r"\s", "", shown)

    page.get_by_label("Code that the app shows now").fill(shown_by_app(secret, services))
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Turn it on").click()
    recovery = page.locator(".codes code").first.inner_text()
    page.get_by_role("link", name="I have kept them").click()
    page.get_by_role("button", name="Log out").click()
    clock.advance(minutes=1)

    log_in(page)
    page.get_by_label("Code").fill(shown_by_app(secret, services))
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("button", name="Log out").click()
    log_in(page)
    page.get_by_label("Code").fill(recovery)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("button", name="Log out")).to_be_visible()

    page.goto("/admin/operators")
    page.get_by_label("Name").fill("sam")
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator("code.secret")).to_have_text(re.compile(r"^[2-9a-z]{5}(-[2-9a-z]{5}){3}$"))
    context.close()
    assert row(services, "sam").role == "support"
