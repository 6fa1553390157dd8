"""The permissions of support; nobody is offered a form that their role may not submit."""

import re
from html.parser import HTMLParser
from urllib.parse import urlsplit

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from app import memory, operators
from app.memory.facts import pairs
from app.models import Person
from app.operations import audit
from app.services import Services
from tests.fakes import FrozenClock
from tests.web.admin.conftest import PASSWORD, Browser, add_sam
from tests.web.admin.made_up import fill
from tests.web.admin.scenes import BY_OPERATOR, Someone
from tests.web.admin.test_guard import admin_rules, declared_for, path_of


def test_support_may_do_these_and_no_others_and_these_pages_are_owners_alone(app: Flask) -> None:
    own_login = (
        "logout change_password turn_on_app turn_off_app begin_passkey keep_passkey remove_passkey recovery_codes "
        "end_session end_other_sessions"
    )
    assert declared_for(app, "support") == {f"admin.{name}" for name in f"{own_login} let_in block".split()}
    assert declared_for(app, "owner") >= {"admin.operators", "admin.one_operator"}


def test_r94_support_is_refused_each_action_not_listed_and_each_page_that_is(app: Flask, support: Browser) -> None:
    refused: list[TestResponse] = []
    allowed: list[TestResponse] = []
    of_support, of_owners = declared_for(app, "support"), declared_for(app, "owner")
    of_login = {f"admin.{name}" for name in ("login", "check_login", "check_step", "begin_passkey_login")}
    for rule, method in admin_rules(app):
        endpoint = rule.endpoint
        if method == "POST" and endpoint not in of_support | of_login:
            refused.append(support.post(path_of(rule).removeprefix("/admin")))
        elif method == "GET" and not endpoint.endswith("_events") and endpoint not in of_login:
            page = support.client.get(path_of(rule))  # A stream shows what its page does, and has no end.
            (refused if endpoint in of_owners else allowed).append(page)

    assert len(refused) > 15
    assert {page.status_code for page in refused} == {403}
    assert all("Only an owner may do that." in page.text for page in refused)
    assert allowed
    assert not any("Only an owner" in page.text for page in allowed)


def test_support_may_block_a_number_but_neither_reveal_nor_change_what_is_remembered_and_a_try_is_in_the_log(
    support: Browser, services: Services, alex: Someone
) -> None:
    alex.learn("Likes tea")
    assert support.post(f"{alex.path}/block").status_code == 303
    page = support.post(f"{alex.path}/facts/1/forget")
    assert page.status_code == 403
    assert "You are logged in as support, so “forget” was refused and nothing was changed." in page.text
    assert "Who may: operator." in page.text
    refused = support.reveal(alex.id, "I am curious")
    assert refused.status_code == 403
    assert "tea" not in refused.text + support.get(f"{alex.path}/facts")
    assert alex.live() == {1: "Likes tea"}
    with services.reading() as db:
        assert db.get_one(Person, alex.id).access == "blocked"
        last, _ = audit.find(db, limit=1)[0]
        assert not audit.views_of_words(db, alex.id, 10)
    assert (last.who, last.did, last.person_id, last.reason) == ("sam", "reveal_refused", alex.id, "I am curious")
    assert "reveal refused" in support.get("/log?kind=reveals")


def test_r92_who_is_made_support_has_nothing_open_of_owners(app: Flask, operator: Browser, services: Services) -> None:
    sam = add_sam(app, services, "owner")
    assert "<h1>Operators</h1>" in sam.get("/operators")
    operator.act(f"/operators/{operators.named(services, 'sam').id}/role", role="support", password=PASSWORD)
    assert sam.client.get("/admin/operators").headers["Location"].startswith("/admin/login")
    sam.log_in(name="sam")
    assert sam.client.get("/admin/operators").status_code == 403


NUMBERS = ("1", "2", "3", "5")
"""Numbers of facts and other things that differ in their actions: fact 3 is forgotten, fact 5 has a similar one."""


class Forms(HTMLParser):
    """The addresses to which a page's forms and their buttons would post."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.targets: set[str] = set()
        self.dead_ends = 0
        """Forms in which no button is left to press."""
        self._action: str | None = None
        self._buttons = 0
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "form":
            self._action = given.get("action") or "" if given.get("method") == "post" else None
            self._buttons = 0
        elif tag == "button" and self._action is not None and given.get("type") != "button":
            self._buttons += 1
            self.targets.add(given.get("formaction") or self._action)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form" and self._action is not None:
            self.dead_ends += not self._buttons
            self._action = None


@pytest.fixture
def everything(browser: Browser, services: Services, clock: FrozenClock) -> Someone:
    """A person with something in each state that has buttons of its own."""
    alex = fill(services, clock)
    for start in (0, 20):  # More than the review shows at once.
        alex.learn("Likes green tea", "Likes green tea a lot", *(f"Knows the word w{start + at}" for at in range(18)))
    memory.pin_facts(services, alex.id, [7], BY_OPERATOR)
    memory.archive_facts(services, alex.id, [8], BY_OPERATOR)
    while pairs.pair_some(services):
        pass
    operators.add(services, "ben", "support")
    return alex


def offered(app: Flask, browser: Browser, person: Someone) -> dict[str, str]:
    """The actions that stand on pages, each with a page on which it does; of forms on every page there is."""
    urls = app.url_map.bind("localhost")
    paths = {
        re.sub(r"<[^>]+>", number, rule.rule.replace("<int:person_id>", str(person.id)))
        for rule, method in admin_rules(app)
        if method == "GET" and not rule.endpoint.endswith(("_events", "_snapshot"))
        for number in NUMBERS
    }
    found: dict[str, str] = {}
    for path in [*sorted(paths), f"/admin{person.path}/merge?numbers=5,6"]:
        forms = Forms(browser.client.get(path).text)
        assert not forms.dead_ends, path
        for target in forms.targets:
            endpoint, _ = urls.match(urlsplit(target or path).path, method="POST")
            found.setdefault(endpoint, path)
    return found


def test_support_finds_no_form_that_their_role_is_refused(app: Flask, support: Browser, everything: Someone) -> None:
    found = offered(app, support, everything)
    assert {"admin.block", "admin.let_in", "admin.logout"} <= set(found)
    assert {endpoint: page for endpoint, page in found.items() if endpoint not in declared_for(app, "support")} == {}
