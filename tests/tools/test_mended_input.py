"""Inputs as weaker models send them: nulls for what they leave out, and lists, objects and numbers written as text."""

import json
from typing import Any

import pytest

from app.memory import rules
from app.services import Services
from tests.memory.remembering import known, tell
from tests.tools.calling import call, context, refusal, texted


@pytest.mark.parametrize(
    "facts",
    [[{"fact": "Likes tea", "category": None}], '[{"fact": "Likes tea"}]', '[{"fact": "Likes tea", "category": null}]'],
)
def test_facts_are_kept_however_the_list_is_written(services: Services, person_id: int, facts: object) -> None:
    ctx = context(services, person_id, texted(services, person_id, "I like tea"))

    assert call(ctx, "extract_memory", facts=facts)["stored"] == [{"id": 1, "fact": "Likes tea"}]


def test_a_null_leaves_out_and_changes_nothing(services: Services, person_id: int) -> None:
    tell(services, person_id, "Likes tea")
    ctx = context(services, person_id)

    assert call(ctx, "update_memory", fact_id=1, fact=None, category="drinks")["fact"]["fact"] == "Likes tea"
    assert call(ctx, "list_memories", category=None, query=None)["shown"] == 1
    assert call(ctx, "change_rule", action="list", rule_ids=None, procedure=None, trigger=None)["rules"] == []
    call(ctx, "update_profile", name="Alex", timezone=None, until=None, quiet_hours=None)
    assert call(ctx, "update_profile", name=None, timezone="Europe/Lisbon")["name"] == "Alex"


@pytest.mark.parametrize(("fact_id", "fact_ids"), [("1", "[1]"), (1.0, ["1"])])
def test_a_number_may_stand_as_text(services: Services, person_id: int, fact_id: object, fact_ids: object) -> None:
    tell(services, person_id, "Likes tea")
    ctx = context(services, person_id, texted(services, person_id, "tea is my favourite drink now. Forget that"))

    assert call(ctx, "update_memory", fact_id=fact_id, category="drinks")["fact"]["id"] == 1
    assert call(ctx, "remove_memory", fact_ids=fact_ids)["removed"] == [{"id": 1, "fact": "Likes tea"}]


def test_a_truth_value_is_no_id(services: Services, person_id: int) -> None:
    tell(services, person_id, "Likes tea")
    ctx = context(services, person_id, texted(services, person_id, "forget that I like tea"))

    assert "fact_ids.0: input should be a valid integer" in refusal(ctx, "remove_memory", {"fact_ids": [True]})
    assert "fact_id: input should be a valid integer" in refusal(ctx, "update_memory", {"fact_id": True})
    assert known(services, person_id) == {1: "Likes tea"}


@pytest.mark.parametrize("as_text", [False, True])
def test_a_schedule_may_name_every_field_it_leaves_out(services: Services, person_id: int, as_text: bool) -> None:
    ctx = context(services, person_id, texted(services, person_id, "remind me daily at 10 to stretch"))
    schedule: dict[str, Any] = {"repeat": "daily", "times": ["10:00"], "date": None, "every": None, "weekdays": None}

    given = json.dumps(schedule) if as_text else schedule
    set_ = call(ctx, "set_routine", does="remind", words="Stretch", schedule=given, stays_in=None, replaces=None)

    assert set_["routine"]["when"] == "daily at 10:00"


def test_the_whole_input_may_be_json_text(services: Services, person_id: int) -> None:
    ctx = context(services, person_id, texted(services, person_id, "always answer in Spanish"))

    refused = refusal(ctx, "set_rule", '{"trigger_kind": "always"}')
    assert refused.startswith("The input does not fit set_rule: procedure: field required")
    with services.reading() as db:
        assert rules.live(db, person_id) == []


def test_one_message_names_all_that_is_wrong(services: Services, person_id: int) -> None:
    facts = [{"category": "food"}, {"fact": 7, "id": 1}]
    said = refusal(context(services, person_id), "extract_memory", {"facts": facts, "person_id": 2})

    assert said == (
        "The input does not fit extract_memory: facts.0.fact: field required; facts.1.fact: input should be a valid "
        "string; facts.1.id: extra inputs are not permitted; person_id: extra inputs are not permitted. Call it again, "
        "corrected."
    )
    assert known(services, person_id) == {}


@pytest.mark.parametrize("broken", ["[", "{", "[1, 2", '{"fact": "Likes tea"', "[" * 100_000])
def test_text_that_only_begins_like_json_is_answered_as_it_stands(
    services: Services, person_id: int, broken: str
) -> None:
    said = refusal(context(services, person_id), "extract_memory", {"facts": broken})

    assert said.startswith("The input does not fit extract_memory: facts: input should be a valid list")
    assert known(services, person_id) == {}


def test_what_the_person_said_in_brackets_is_kept_as_they_said_it(services: Services, person_id: int) -> None:
    ctx = context(services, person_id, texted(services, person_id, "my motto is [work] hard"))

    call(ctx, "extract_memory", facts=[{"fact": "[work] hard is the motto"}])

    assert known(services, person_id) == {1: "[work] hard is the motto"}
