import re

import pytest

from app.memory import Origin, RuleWords, forget_rules, revise_rule, rules, set_rule
from app.models import Person
from app.services import Services
from tests.web.admin.conftest import Browser, listed
from tests.web.admin.scenes import TOLD, add_text, add_turn

QUICK = RuleWords("phrase", "quick update", "Bullets only")
PEANUTS = RuleWords("always", None, "Never suggest peanuts")


def known(services: Services, person_id: int) -> dict[int, tuple[str, str]]:
    with services.reading() as db:
        return {rule.number: (rule.procedure, rule.state) for rule in rules.live(db, person_id)}


def test_rules_are_listed_with_where_they_came_from_and_how_they_stand(
    operator: Browser, services: Services, alex: Person
) -> None:
    text = add_text(services, alex.id, "when I say quick update, bullets only")
    origin = Origin("assistant", "explicit", message_id=text.id, quote=text.body)
    set_rule(services, alex.id, QUICK, origin)
    set_rule(services, alex.id, PEANUTS, Origin("assistant", "forwarded"), proposed=True)

    page = operator.get(f"/people/{alex.id}/rules")

    assert listed(page) == ['On "quick update": Bullets only', "Never suggest peanuts"]
    assert "“when I say quick update, bullets only”" in page
    assert ">waits for their yes</span>" in page
    assert ">forwarded or quoted<" in page
    assert f"around={text.id}" in operator.get(f"/people/{alex.id}/rules/1")


def test_the_operator_adds_corrects_and_pauses_a_rule(operator: Browser, services: Services, alex: Person) -> None:
    path = f"/people/{alex.id}/rules"
    added = operator.act(path, trigger_kind="phrase", trigger="quick update", procedure="Bullets only")
    assert "Added as rule 1." in added
    assert "says that already" in operator.act(
        path, trigger_kind="phrase", trigger="QUICK update", procedure="bullets only"
    )

    corrected = operator.act(f"{path}/1", trigger_kind="always", trigger="", procedure="One line")
    assert "Rule 1 is corrected." in corrected
    versions = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", corrected[corrected.rindex("<tbody>") :]))
    assert versions.index("2 One line active operator") < versions.index("1 On &#34;quick update&#34;: Bullets only")

    assert ">paused</span>" in operator.act(f"{path}/1/pause")
    assert known(services, alex.id) == {1: ("One line", "paused")}
    assert ">paused</span>" not in operator.act(f"{path}/1/resume")


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
    operator: Browser, services: Services, alex: Person, fields: dict[str, str], why: str
) -> None:
    set_rule(services, alex.id, PEANUTS, TOLD)

    for path in (f"/people/{alex.id}/rules", f"/people/{alex.id}/rules/1"):
        response = operator.post(path, **fields)
        assert response.status_code == 403
        assert why in response.text
        assert f'value="{fields["procedure"]}"' in response.text
    assert known(services, alex.id) == {1: ("Never suggest peanuts", "active")}


def test_a_forgotten_rule_is_listed_apart_and_can_be_restored(
    operator: Browser, services: Services, alex: Person
) -> None:
    set_rule(services, alex.id, PEANUTS, TOLD)
    set_rule(services, alex.id, QUICK, TOLD)
    path = f"/people/{alex.id}/rules"

    page = operator.act(f"{path}/1/forget")
    assert "Forgot rule 1." in page
    assert page.index("quick update") < page.index("<h2>Forgotten</h2>") < page.rindex("Never suggest peanuts")
    assert ">forgotten</span>" in operator.get(f"{path}/1")
    assert "is not there to forget" in operator.act(f"{path}/1/forget")

    assert "Rule 1 is back." in operator.act(f"{path}/1/restore")
    assert set(known(services, alex.id)) == {1, 2}
    assert "cannot come back" in operator.act(f"{path}/1/restore")


def test_the_operator_cannot_say_yes_for_the_person(operator: Browser, services: Services, alex: Person) -> None:
    set_rule(services, alex.id, PEANUTS, Origin("assistant", "file"), proposed=True)

    page = operator.get(f"/people/{alex.id}/rules")
    assert "/pause" not in page
    assert "/resume" not in page
    for verb in ("pause", "resume"):
        assert operator.post(f"/people/{alex.id}/rules/1/{verb}").status_code == 403
    assert known(services, alex.id) == {1: ("Never suggest peanuts", "proposed")}


def test_changes_of_rules_are_written_down_and_can_be_taken_back(
    operator: Browser, services: Services, alex: Person
) -> None:
    set_rule(services, alex.id, QUICK, TOLD)
    revise_rule(services, alex.id, 1, TOLD, paused=True)
    forget_rules(services, alex.id, [1], TOLD)

    page = operator.get(f"/people/{alex.id}/changes")
    assert re.findall(r'data-label="Did"><span class="mark \w+">(\w+)<', page) == ["forget", "revise", "remember"]
    words = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))
    assert "Bullets only → On &#34;quick update&#34;: Bullets only (paused)" in words

    operator.undo_newest(alex.id)
    operator.undo_newest(alex.id)
    assert known(services, alex.id) == {1: ("Bullets only", "active")}


def test_a_turn_that_brought_a_rule_back_links_to_it(operator: Browser, services: Services, alex: Person) -> None:
    set_rule(services, alex.id, QUICK, TOLD)
    add_turn(services, alex.id, "Hi", "Hello", recalled=[{"kind": "rule", "id": 1, "score": 0.5}])

    page = operator.get(f"/people/{alex.id}")
    assert f'href="/admin/people/{alex.id}/rules/1">rule 1</a>' in page
    assert '<td class="figure">0.50</td>' in page
