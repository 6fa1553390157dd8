"""What people write is shown as they wrote it, and does nothing else."""

from collections.abc import Iterator
from datetime import time
from html.parser import HTMLParser
from typing import Any

import pytest
from flask import Flask

from app import memory
from app.jobs import count_hours
from app.memory import NewFact, Origin, RuleWords
from app.models import Occurrence, Spending
from app.routines.schedule import Schedule
from app.routines.setting import NewRoutine, revise_routine, set_routine
from app.services import Services
from tests.web.admin.conftest import Browser
from tests.web.admin.scenes import add_episode, add_person, add_text, add_turn
from tests.web.admin.test_guard import admin_rules, path_of

ATTACKS = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' autofocus onfocus='alert(1)",
    "</textarea><svg onload=alert(1)>",
    "javascript:alert(1)",
    "{{ 7 * 7 }}{% raw %}",
    "[click](javascript:alert(1))",
]

OURS = {
    "/static/tokens.css",
    "/static/admin.css",
    "/static/admin.js",
    "/static/review.js",
    "/static/numbers.js",
    "/static/vendor/uPlot.min.css",
    "/static/vendor/uPlot.iife.min.js",
}
NOBODYS_WORDS = {
    "admin.login",
    "admin.password",
    "admin.security",
    "admin.authenticator_app",
    "admin.operators",
    "admin.one_operator",
}
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
def test_r90_nothing_that_people_write_becomes_part_of_any_page(
    app: Flask, operator: Browser, services: Services, attack: str
) -> None:
    person = add_person(services, name=attack)
    waiting = add_person(services, attack, name=attack, access="waiting")
    add_text(services, waiting.id, attack, state="held", note=attack)
    turn = add_turn(
        services,
        person.id,
        attack,
        attack,
        tools=[(attack, {attack: attack}, attack), ("extract_memory", {}, f'{{"a": "{attack[:3]}"}}')],
        outcome=attack,
        model=attack,
        memory_shown=attack,
    )
    text = add_text(services, person.id, attack, delivery=attack, direction="out", state="refused", note=attack)
    origin = Origin(actor="assistant", source="explicit", turn_id=turn.id, message_id=text.id, quote=attack)
    memory.remember(services, person.id, [NewFact(f"Says {attack}", attack[:40]), NewFact(f"Said {attack}")], origin)
    memory.revise(services, person.id, 1, origin, fact=f"Said once {attack}")
    memory.forget(services, person.id, [2], origin)
    ruled = RuleWords("phrase", f"a {attack}", f"Say {attack}")
    memory.set_rule(services, person.id, ruled, origin)
    memory.revise_rule(services, person.id, 1, origin, words=RuleWords("situation", attack, f"Sing {attack}"))
    memory.set_rule(services, person.id, ruled, origin)
    memory.forget_rules(services, person.id, [2], origin)
    add_episode(services, turn, attack, narrative=attack, topics=(attack,), key_facts=(attack,))
    add_routine(services, person.id, attack, origin)

    count_hours.run(services)
    operator.get("/")  # All is revealed from here on.
    operator.post(f"/people/{person.id}/reveal", reason=attack)
    memory.set_rule(services, person.id, RuleWords("phrase", f"b {attack}", f"Hum {attack}"), origin)
    for path in (*pages_with_words(app), f"/admin/people/{waiting.id}", *CHOSEN):
        answer = operator.client.get(path)
        assert answer.status_code == 200, path
        danger = Danger()
        danger.feed(" ".join(written(answer.json)) if answer.is_json else answer.text)
        assert danger.found == [], path
        assert attack in danger.words, path


CHOSEN = (
    "/admin/memory?kind=episodes",
    "/admin/memory?kind=rules",
    "/admin/people/1/merge?numbers=1,3",
    "/admin/people/1/facts/2",
    "/admin/people/1/rules/2",
    "/admin/people?access=waiting",
)
"""Pages that hold other words for what is asked of them."""


def pages_with_words(app: Flask) -> list[str]:
    """Every page on which stands what somebody wrote, whatever is added later, and what is written anew on those."""
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


def add_routine(services: Services, person_id: int, words: str, origin: Origin) -> None:
    """One that has come, and was changed."""
    now = services.clock.now()
    new = NewRoutine("remind", f"Say {words}", Schedule("daily", times=(time(23, 0),)))
    routine = set_routine(services, person_id, new, origin, "phone")
    revise_routine(services, person_id, 1, origin, words=words)
    with services.transaction() as db:
        gone = Occurrence(routine_id=routine.id, person_id=person_id, due_at=now, run_at=now, state="missed")
        gone.reason = words
        db.add_all([gone, Spending(day=now.date(), person_id=person_id, cents=1.0, at=now)])


@pytest.mark.parametrize("attack", ATTACKS)
def test_r90_nothing_in_an_address_or_a_refused_form_becomes_part_of_a_page(
    operator: Browser, services: Services, attack: str
) -> None:
    person = add_person(services)
    memory.remember(services, person.id, [NewFact("Likes tea")], Origin(actor="person", source="explicit"))
    client = operator.client
    pages = [
        client.get("/admin/people", query_string={"words": attack, "access": attack, "after": attack}),
        client.get(f"/admin/people/{person.id}/facts", query_string={"words": attack, "category": attack}),
        client.get(f"/admin/people/{person.id}", query_string={"around": attack}),
        client.get("/admin/memory", query_string={"words": attack, "category": attack, "kind": attack, "by": attack}),
        client.get("/admin/review", query_string={"person": attack}),
        operator.post(f"/people/{person.id}/facts/1/move/ask", to=attack),
        operator.post(f"/people/{person.id}/facts/1/move", to_id=attack),
        operator.post(f"/people/{person.id}/merge", numbers="1,2", fact=attack),
        operator.post("/review/correct", item="fact-1", fact=attack * 100),
        client.get("/admin/routines", query_string={"day": attack, "after": attack, "person": attack}),
        client.get("/admin/routines/history", query_string={"state": attack, "before": attack}),
        client.get("/admin/settings/prompt", query_string={"words": attack}),
        operator.post(f"/people/{person.id}/facts", fact=attack * 100, category=attack),
        operator.post(f"/people/{person.id}/facts/1", fact=attack * 100, category=attack),
        operator.post(f"/people/{person.id}/rules", trigger_kind=attack, trigger=attack, procedure=attack * 100),
    ]
    operator.post("/logout")
    pages += [
        client.get("/admin/login", query_string={"next": attack}),
        operator.post("/login", name=attack, password=attack, next=attack),
    ]

    for page in pages:
        danger = Danger()
        danger.feed(page.text)
        assert danger.found == []
