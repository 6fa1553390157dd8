"""Every page and every action of the operator in a browser in which no script runs."""

from collections.abc import Callable

from flask import Flask, Response, request, request_finished
from playwright.sync_api import Page

from app.jobs import count_hours
from app.services import Services
from tests.browser import forms_of_logins as logins
from tests.browser import forms_of_memory as remembered
from tests.browser import forms_of_operation as operation
from tests.browser.conftest import ServedApp
from tests.fakes import FrozenClock, InlineBackground
from tests.web.admin.made_up import fill
from tests.web.admin.test_guard import admin_rules

ASKED_BY_SCRIPTS = ("_events", "_snapshot")
NEEDS_A_SCRIPT = {("POST", "admin.keep_passkey")}  # Browsers make passkeys for scripts alone.

Asked = tuple[str, str]


def answered(app: Flask) -> set[Asked]:
    """Requests that the server accepts from now on: each method with its endpoint."""
    found: set[Asked] = set()

    def note(_: Flask, response: Response) -> None:
        if response.status_code < 400:
            found.add((request.method, request.endpoint or ""))

    request_finished.connect(note, app, weak=False)
    return found


def all_there_is(app: Flask) -> set[Asked]:
    """Every page and action below /admin, whatever is added later; not what scripts ask for."""
    there_is = {(method, rule.endpoint) for rule, method in admin_rules(app) if method != "HEAD"}
    return {(method, endpoint) for method, endpoint in there_is if not endpoint.endswith(ASKED_BY_SCRIPTS)}


def test_every_page_is_read_and_every_action_done_without_a_script(
    open_page: Callable[..., Page],
    served: ServedApp,
    services: Services,
    clock: FrozenClock,
    background: InlineBackground,
) -> None:
    asked = answered(served.app)
    fill(services, clock)
    count_hours.run(services)
    nora = remembered.add_nora(services)
    address = served.url.replace("127.0.0.1", "localhost")  # Browsers know passkeys at a name alone.
    page = open_page(base_url=address, java_script_enabled=False, viewport={"width": 1280, "height": 800})

    logins.choose_a_password(page, services)
    operation.see_who_texts(page, services)
    operation.find_why_what_it_cost_and_how_it_is_forgotten(page)
    remembered.reveal_by_keyboard_and_hide(page)
    operation.read_the_log(page, services)
    remembered.change_facts(page, nora)
    remembered.tick_and_merge(page, nora)
    remembered.review(page, services, nora)
    remembered.keep_apart_and_move(page, services, nora)

    page.set_viewport_size({"width": 360, "height": 740})
    remembered.change_rules(page)
    remembered.forget_an_episode(page)
    operation.have_routines_come(page, services, background)
    operation.read_numbers(page)
    operation.read_settings(page)
    logins.have_an_app(page, services, clock)
    logins.have_passkeys(page, services)
    logins.end_sessions(page, services)
    logins.have_colleagues(page, services)

    assert all_there_is(served.app) - asked == NEEDS_A_SCRIPT
