"""People's words are shown verbatim, and have no other effect."""

from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from flask import Flask

from app.jobs import count_hours
from app.services import Services
from tests.tables import rows
from tests.web.admin.conftest import Browser
from tests.web.admin.scenes import Someone, add_person, fill_with
from tests.web.admin.test_guard import admin_rules, path_of

ATTACKS = rows("hostile_words.jsonl")

STATIC = "tokens.css admin.css admin.js review.js numbers.js vendor/uPlot.min.css vendor/uPlot.iife.min.js"
OURS = {f"/static/{name}" for name in STATIC.split()}
NOBODYS_WORDS = {f"admin.{name}" for name in "login password security authenticator_app operators one_operator".split()}
"""Pages for operators and about them alone."""


class Danger(HTMLParser):
    """Collects what a page would run, load or lead to besides our own."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.words = ""
        self.is_in_script = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in {"script", "style", "img", "svg", "iframe", "object", "embed", "base"}:
            if tag != "script" or dict(attrs).get("src") not in OURS:
                self.found.append(f"<{tag}>")
            self.is_in_script = tag == "script"
        for name, value in attrs:
            loads = name in {"href", "src", "action", "formaction"} and not (value or "").startswith(("/admin", "#"))
            if name.startswith("on") or name == "style" or (loads and value not in {*OURS, "data:,", "/phone"}):
                self.found.append(f"<{tag} {name}={value}>")
            self.words += value or ""

    def handle_data(self, data: str) -> None:
        if self.is_in_script and data.strip():
            self.found.append(f"<script>{data}")
        self.words += data

    def handle_endtag(self, tag: str) -> None:
        self.is_in_script = False


@pytest.mark.parametrize("attack", ATTACKS)
def test_r90_no_words_become_markup(app: Flask, operator: Browser, services: Services, attack: str) -> None:
    person = add_person(services, name=attack)
    waiting = add_person(services, attack, name=attack, access="waiting")
    waiting.text(attack, state="held", note=attack)
    fill_with(person, attack, ours=attack)
    count_hours.run(services)
    operator.get("/")  # All is revealed from here on.
    operator.post(f"/people/{person.id}/reveal", reason=attack)
    person.rule(f"Hum {attack}", f"b {attack}")
    for path in (*pages_with_words(app), f"/admin{waiting.path}", *CHOSEN):
        answer = operator.client.get(path)
        assert answer.status_code == 200, path
        danger = Danger()
        danger.feed(" ".join(written(answer.json)) if answer.is_json else answer.text)
        assert danger.found == [], path
        assert attack in danger.words, path


CHOSEN = [
    f"/admin/{path}"
    for path in "memory?kind=episodes memory?kind=rules people?access=waiting people/1/merge?numbers=1,1".split()
] + ["/admin/people/1/facts/2", "/admin/people/1/rules/2"]
"""Pages that hold other words for what is asked of them."""


def pages_with_words(app: Flask) -> list[str]:
    """Paths of all pages with people's words, including pages added later."""
    no_page = ("_events", "_file", "_again")  # The last lead to a page that is among these.
    return [
        path_of(rule)
        for rule, method in admin_rules(app)
        if method == "GET" and rule.endpoint not in NOBODYS_WORDS and not rule.endpoint.endswith(no_page)
    ]


def written(found: Any) -> Iterator[str]:
    """All strings of a JSON answer."""
    if isinstance(found, str):
        yield found
    elif isinstance(found, (list, dict)):
        for one in found.values() if isinstance(found, dict) else found:
            yield from written(one)


@pytest.mark.parametrize("attack", ATTACKS)
def test_r90_no_address_or_refused_form_becomes_part_of_a_page(operator: Browser, alex: Someone, attack: str) -> None:
    alex.learn("Likes tea")
    pages = [
        operator.client.get(f"/admin{path}", query_string=dict.fromkeys(names.split(), attack))
        for path, names in {
            "/people": "words access after",
            f"{alex.path}/facts": "words category",
            alex.path: "around",
            "/memory": "words category kind by",
            "/review": "person",
            "/routines": "day after person",
            "/routines/history": "state before",
            "/settings/prompt": "words",
        }.items()
    ]
    long = attack * 100
    pages += [
        operator.post(f"{alex.path}/facts/1/move/ask", to=attack),
        operator.post(f"{alex.path}/facts/1/move", to_id=attack),
        operator.post(f"{alex.path}/merge", numbers="1,2", fact=attack),
        operator.post("/review/correct", item="fact-1", fact=long),
        operator.post(f"{alex.path}/facts", fact=long, category=attack),
        operator.post(f"{alex.path}/facts/1", fact=long, category=attack),
        operator.post(f"{alex.path}/rules", trigger_kind=attack, trigger=attack, procedure=long),
    ]
    operator.post("/logout")
    pages += [
        operator.client.get("/admin/login", query_string={"next": attack}),
        operator.post("/login", name=attack, password=attack, next=attack),
    ]
    for page in pages:
        danger = Danger()
        danger.feed(page.text)
        assert danger.found == []
