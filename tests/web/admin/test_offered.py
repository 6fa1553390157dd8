"""No page offers an operator a form that their role is refused, and owners find a form for each of their actions."""

import re
from html.parser import HTMLParser
from urllib.parse import urlsplit

import pytest
from flask import Flask

from app import memory, operators
from app.memory import NewFact, Origin
from app.memory.facts import pairs
from app.models import Person
from app.services import Services
from app.web.auth import OPEN_ENDPOINTS
from tests.fakes import FrozenClock
from tests.web.admin.conftest import Browser
from tests.web.admin.made_up import fill
from tests.web.admin.test_guard import admin_rules, declared_for

BY_OPERATOR, TOLD = Origin("operator", "operator"), Origin("assistant", "explicit")
NUMBERS = ("1", "2", "3", "5")
"""Of facts that differ by what can be done (the third is forgotten, the fifth has one much like it) and of others."""
STEPS = ("reveal/end", "rules/1/pause", "rules/2/forget", "episodes/1/forget", "routines/1/pause", "routines/pause")
"""What turns buttons of the person's pages into their opposites."""


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
def everything(browser: Browser, services: Services, clock: FrozenClock) -> Person:
    """Somebody of whom there is something in each state that has buttons of its own."""
    alex = fill(services, clock)
    for start in (0, 20):  # More than the review shows at once.
        told = ["Likes green tea", "Likes green tea a lot", *(f"Knows the word w{start + at}" for at in range(18))]
        memory.remember(services, alex.id, [NewFact(words) for words in told], TOLD)
    memory.pin_facts(services, alex.id, [7], BY_OPERATOR)
    memory.archive_facts(services, alex.id, [8], BY_OPERATOR)
    while pairs.pair_some(services):
        pass
    operators.add(services, "ben", "support")
    return alex


def offered(app: Flask, browser: Browser, person_id: int) -> dict[str, str]:
    """The actions that stand on pages, each with a page on which it does; of forms on every page there is."""
    urls = app.url_map.bind("localhost")
    paths = {
        re.sub(r"<[^>]+>", number, re.sub(r"<int:person_id>", str(person_id), rule.rule))
        for rule, method in admin_rules(app)
        if method == "GET" and not rule.endpoint.endswith(("_events", "_snapshot"))
        for number in NUMBERS
    }
    found: dict[str, str] = {}
    for path in [*sorted(paths), f"/admin/people/{person_id}/merge?numbers=5,6"]:
        forms = Forms(browser.client.get(path).text)
        assert not forms.dead_ends, path
        for target in forms.targets:
            endpoint, _ = urls.match(urlsplit(target or path).path, method="POST")
            found.setdefault(endpoint, path)
    return found


def test_support_finds_no_form_that_their_role_is_refused(app: Flask, support: Browser, everything: Person) -> None:
    found = offered(app, support, everything.id)

    assert {"admin.block", "admin.let_in", "admin.logout"} <= set(found)
    assert {endpoint: page for endpoint, page in found.items() if endpoint not in declared_for(app, "support")} == {}


def test_owners_find_a_form_for_each_action_that_is_theirs_alone(
    app: Flask, operator: Browser, everything: Person
) -> None:
    operator.get("/")
    found = set(offered(app, operator, everything.id))
    operator.looks_at_all = None
    for step in STEPS:
        operator.act(f"/people/{everything.id}/{step}")
    found |= set(offered(app, operator, everything.id))

    theirs = {rule.endpoint for rule, method in admin_rules(app) if method == "POST"}
    assert theirs - declared_for(app, "support") - OPEN_ENDPOINTS - found == {"admin.move"}, (
        "it stands on what asks before it"
    )
