"""Logging in, and managing one's own and others' logins, by forms alone; each step checks the page after it."""

import re

from playwright.sync_api import Page, expect

from app import operators
from app.features.passkeys import PASSKEYS
from app.models import Passkey
from app.services import Services
from tests.browser.operator_page import press, said, turn_to
from tests.fakes import FrozenClock
from tests.operators.logins import PASSWORD, row, shown_by_app
from tests.operators.logins import log_in as log_in_elsewhere


def log_in(page: Page, password: str = PASSWORD) -> None:
    page.goto("/admin/")
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()


def replace_one_time(page: Page, one_time: str) -> None:
    page.get_by_label("One-time password").fill(one_time)
    page.get_by_label("New password", exact=False).first.fill(PASSWORD)
    page.get_by_label("New password again").fill(PASSWORD)
    page.get_by_role("button", name="Change the password").click()


def turn_on_app(page: Page, services: Services) -> str:
    """The secret of the app whose codes are asked for from now on."""
    secret = re.sub(r"\s", "", page.locator("code.secret").inner_text())
    page.get_by_label("Code that the app shows now").fill(shown_by_app(secret, services))
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Turn it on").click()
    return secret


def choose_a_password(page: Page, services: Services) -> None:
    one_time = operators.ensure_first(services, None)
    assert one_time is not None
    log_in(page, "wrong")
    expect(page.get_by_role("alert")).to_have_text("The name or the password is not right.")
    page.get_by_role("button", name="Use a passkey instead").click()
    expect(page.get_by_role("heading", name="Log in with a passkey")).to_be_visible()
    expect(page.locator("noscript p")).to_be_visible()
    page.get_by_role("link", name="Begin again").click()
    log_in(page, one_time)

    expect(page.get_by_role("heading", name="Choose your password")).to_be_visible()
    replace_one_time(page, one_time)

    expect(page.get_by_role("heading", name="Today")).to_be_visible()
    press(page, "Log out", "You are logged out.")
    log_in(page)
    expect(page.get_by_role("heading", name="Today")).to_be_visible()


def have_an_app(page: Page, services: Services, clock: FrozenClock) -> None:
    page.get_by_role("link", name="operator", exact=True).click()
    page.get_by_role("link", name="Turn on").click()
    expect(page.get_by_role("img", name="QR code")).to_be_visible()
    secret = turn_on_app(page, services)
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

    page.goto("/admin/security")
    expect(page.get_by_text("9 left")).to_be_visible()
    page.get_by_text("Make new ones").click()
    _give_password(page, "Recovery codes", "Make new codes")
    expect(page.locator(".codes li")).to_have_count(10)
    page.get_by_role("link", name="I have kept them").click()
    page.get_by_text("Turn off", exact=True).click()
    _give_password(page, "Authenticator app", "Turn the app off")
    said(page, "The authenticator app is off, and every other session has ended.")
    expect(page.get_by_text("password alone")).to_be_visible()


def have_passkeys(page: Page, services: Services) -> None:
    """Check that no passkey can be made without a script, and that an existing one can be removed."""
    assert PASSKEYS in services.features
    page.get_by_label("Name of the new passkey").fill("Desk")
    _give_password(page, "Passkeys", "Add a passkey")
    expect(page.get_by_role("heading", name="New passkey")).to_be_visible()
    expect(page.locator("noscript p")).to_be_visible()
    expect(page.get_by_role("button", name="Make the passkey")).to_be_hidden()

    with services.transaction() as db:
        made = {"name": "Old phone", "host": "localhost", "credential_id": b"1", "public_key": b"1", "sign_count": 0}
        db.add(Passkey(operator_id=row(services).id, created_at=services.clock.now(), **made))
    page.get_by_role("link", name="Security", exact=True).click()
    page.get_by_text("Remove Old phone").click()
    removing = page.get_by_role("listitem").filter(has_text="Old phone")
    removing.get_by_label("Your password").fill(PASSWORD)
    removing.get_by_role("button", name="Remove the passkey").click()
    said(page, "The passkey is removed, and every other session has ended.")


def end_sessions(page: Page, services: Services) -> None:
    for _ in range(2):
        log_in_elsewhere(services)
    page.reload()
    expect(page.get_by_role("rowheader")).to_have_text(["This browser", "Another browser", "Another browser"])
    page.get_by_role("button", name="End the session begun").first.click()
    said(page, "That session has ended.")
    expect(page.get_by_role("rowheader")).to_have_count(2)
    log_in_elsewhere(services)
    page.reload()
    press(page, "End all others", "2 sessions ended. You are logged in here alone.")
    expect(page.get_by_role("rowheader")).to_have_text(["This browser"])


def have_colleagues(page: Page, services: Services) -> None:
    turn_to(page, "Operators")
    page.get_by_label("Name").fill("sam")
    _give_password(page, "Add an operator", "Add")
    shown_once = page.locator("code.secret")
    expect(shown_once).to_have_text(re.compile(r"^[2-9a-z]{5}(-[2-9a-z]{5}){3}$"))
    first = shown_once.inner_text()
    assert row(services, "sam").role == "support"

    page.get_by_role("link", name="Back to the operators").click()
    page.get_by_role("link", name="Change sam").click()
    page.get_by_role("combobox", name="Role").select_option("owner")
    _give_password(page, "Role", "Change the role")
    said(page, "That operator is owner now, and logs in again.")
    expect(page.get_by_role("row", name="sam")).to_contain_text("owner")
    page.get_by_role("link", name="Change sam").click()
    _give_password(page, "Let them back in", "Reset the login")
    expect(page.get_by_role("heading", name="The login is reset")).to_be_visible()
    expect(shown_once).not_to_have_text(first)
    page.get_by_role("link", name="Back to the operators").click()
    page.get_by_role("link", name="Change sam").click()
    _give_password(page, "Remove", "Remove sam")
    said(page, "Removed: they are logged out, and cannot log in any more.")
    expect(page.get_by_role("row", name="sam")).to_have_count(0)


def _give_password(page: Page, part: str, button: str) -> None:
    form = page.get_by_role("region", name=part)
    form.get_by_label("Your password").fill(PASSWORD)
    form.get_by_role("button", name=button, exact=True).click()
