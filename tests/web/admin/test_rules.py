"""A person's rules: listed, added, corrected, paused, forgotten and restored."""

import pytest

from app.memory import Origin, RuleWords, forget_rules, rules, set_rule
from app.services import Services
from tests.web.admin.conftest import Browser, listed
from tests.web.admin.scenes import TOLD, Someone

QUICK = RuleWords("phrase", "quick update", "Bullets only")
PEANUTS = RuleWords("always", None, "Never suggest peanuts")


def known(alex: Someone) -> dict[int, tuple[str, str]]:
    with alex.services.reading() as db:
        return {rule.number: (rule.procedure, rule.state) for rule in rules.live(db, alex.id)}


def test_rules_are_listed_with_where_they_came_from_how_they_stand_and_in_the_turns_that_had_them(
    operator: Browser, services: Services, alex: Someone
) -> None:
    text = alex.text("when I say quick update, bullets only")
    set_rule(services, alex.id, QUICK, Origin("assistant", "explicit", message_id=text.id, quote=text.body))
    set_rule(services, alex.id, PEANUTS, Origin("assistant", "forwarded"), proposed=True)
    page = operator.get(f"{alex.path}/rules")
    assert listed(page) == ['On "quick update": Bullets only', "Never suggest peanuts"]
    for words in ("“when I say quick update, bullets only”", ">waits for their yes</span>", ">forwarded or quoted<"):
        assert words in page
    assert f"around={text.id}" in operator.get(f"{alex.path}/rules/1")
    alex.turn("Hi", "Hello", recalled=[{"kind": "rule", "id": 1, "score": 0.5}])
    thread = operator.get(alex.path)
    assert f'href="/admin{alex.path}/rules/1">rule 1</a>' in thread
    assert '<td class="figure">0.50</td>' in thread


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"trigger_kind": "always", "procedure": "a" * 301}, "at most 300"),
        ({"trigger_kind": "phrase", "procedure": "Sing"}, "needs its trigger"),
        ({"trigger_kind": "always", "trigger": "now", "procedure": "Sing"}, "has no trigger"),
        ({"procedure": " "}, "this one is empty"),
    ],
)
def test_a_rule_that_will_not_do_is_given_back_with_the_reason(
    operator: Browser, services: Services, alex: Someone, fields: dict[str, str], why: str
) -> None:
    set_rule(services, alex.id, PEANUTS, TOLD)
    for path in (f"{alex.path}/rules", f"{alex.path}/rules/1"):
        response = operator.post(path, **fields)
        assert response.status_code == 403
        assert why in response.text
        assert f'value="{fields["procedure"]}"' in response.text
    assert known(alex) == {1: ("Never suggest peanuts", "active")}


def test_the_operator_cannot_say_yes_for_the_person(operator: Browser, services: Services, alex: Someone) -> None:
    set_rule(services, alex.id, PEANUTS, Origin("assistant", "file"), proposed=True)
    page = operator.get(f"{alex.path}/rules")
    for verb in ("pause", "resume"):
        assert f"/{verb}" not in page
        assert operator.post(f"{alex.path}/rules/1/{verb}").status_code == 403
    assert known(alex) == {1: ("Never suggest peanuts", "proposed")}


def test_beyond_fifty_forgotten_rules_or_changes_the_others_are_on_the_next_page(
    operator: Browser, services: Services, alex: Someone
) -> None:
    for number in range(1, 52):
        alex.rule(f"Be brief about {number}")
        forget_rules(services, alex.id, [number], TOLD)
    assert [len(listed(page)) for page in operator.pages(f"{alex.path}/rules")] == [50, 1]
    assert [page.count('data-label="Did"') for page in operator.pages(f"{alex.path}/changes")] == [50, 50, 2]
