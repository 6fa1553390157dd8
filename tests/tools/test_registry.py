import json
import logging
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.memory import NewFact, remember
from app.services import Services
from app.services.feature import Feature
from app.services.tool import KEPT, tool
from app.tools import registry
from app.tools.context import ToolContext
from app.tools.registry import TOOLS, definition
from tests.every_tool import EVERY_TOOL
from tests.memory.archiving import put_away
from tests.memory.remembering import fact, known, tell
from tests.tables import rows
from tests.tools.calling import call, context, refusal, run, texted

BAD_INPUTS = [(tool, json.loads(given), said) for tool, given, said in rows("bad_calls.tsv")]


def nodes(schema: Any) -> Iterator[dict[str, Any]]:
    """Every schema within a schema, starting with itself."""
    yield schema
    for one in schema.get("properties", {}).values():
        yield from nodes(one)
    if "items" in schema:
        yield from nodes(schema["items"])


@pytest.mark.parametrize("name", EVERY_TOOL)
def test_a_tool_is_described_in_plain_schema_and_none_is_strict(name: str) -> None:
    made = definition(EVERY_TOOL[name])

    assert set(made) == {"name", "description", "input_schema"}
    assert len(made["description"]) > 70
    assert made["input_schema"]["type"] == "object"
    for node in nodes(made["input_schema"]):
        assert set(node) <= {"type", "enum", "properties", "required", "items", "description", "examples"}
        assert node["type"] in {"object", "array", "string", "integer", "boolean"}
    undescribed = {key for key, one in made["input_schema"]["properties"].items() if "description" not in one}
    assert undescribed <= {"category", "kind", "span"}  # Their names or values are clear enough.


NEEDS_AND_MAY_HAVE = dict(rows("inputs_of_tools.jsonl"))


def test_the_contracts_tools_are_offered_in_their_order_with_what_they_need_and_may_have() -> None:
    schemas = {name: definition(tool)["input_schema"] for name, tool in TOOLS.items()}

    assert list(schemas) == list(NEEDS_AND_MAY_HAVE)
    for name, (required, optional) in NEEDS_AND_MAY_HAVE.items():
        assert schemas[name].get("required", []) == required.split()
        assert list(schemas[name]["properties"]) == required.split() + optional.split()


@pytest.mark.parametrize("name", ["forget_everything", "", "__class__", "run", "EXTRACT_MEMORY"])
def test_an_unknown_tool_is_answered_with_the_tools_there_are(services: Services, person_id: int, name: str) -> None:
    said = refusal(context(services, person_id), name, {})

    assert said.startswith(f"There is no tool named '{name}'. The tools are: extract_memory,")


@pytest.mark.parametrize(("name", "given", "fault"), BAD_INPUTS)
def test_an_input_that_does_not_fit_is_answered_with_what_to_correct(
    services: Services, person_id: int, name: str, given: object, fault: str
) -> None:
    said = refusal(context(services, person_id), name, given)

    assert said.startswith(f"The input does not fit {name}: {fault}")
    assert said.endswith("Call it again, corrected.")
    assert known(services, person_id) == {}


HUGE: list[tuple[str, dict[str, object]]] = [
    ("n" * 100_000, {}), ("extract_memory", {"facts": [{"fact": "a", "z" * 100_000: 1}]}),
    ("extract_memory", {"facts": [{str(number): 1} for number in range(1000)]}),
    ("extract_memory", {"facts": [{"fact": "a" * 100_000}]}), ("extract_memory", {"facts": [{"fact": "a"}] * 10_000}),
    ("extract_memory", {"facts": {"deep": [[[[[[]]]]]]}}), ("remove_memory", {"fact_ids": list(range(100_000))}),
    ("update_memory", {"fact_id": 10**1000, "fact": "Likes tea"}), ("update_profile", {"name": "a" * 100_000}),
    ("update_profile", {"timezone": "a" * 100_000}),
    ("set_rule", {"trigger_kind": "phrase", "trigger": "a" * 100_000, "procedure": "Sing"}),
    ("set_rule", {"trigger_kind": "always", "procedure": "Sing " * 20_000}),
    ("change_rule", {"action": "change", "rule_ids": [10**1000], "procedure": "Sing"}),
    ("change_rule", {"action": "remove", "rule_ids": list(range(100_000))}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "given"), HUGE)
def test_huge_input_is_refused_briefly(services: Services, person_id: int, name: str, given: dict[str, object]) -> None:
    assert len(refusal(context(services, person_id), name, given)) < 1500
    assert known(services, person_id) == {}


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("remove_memory", {"fact_ids": [10**30, -1, 0]}),
        ("recall_memory", {"query": '\ud800 \x00 " OR 1 NEAR( *', "limit": -(10**30)}),
        ("extract_memory", {"facts": [{"fact": "Likes \ud800\x00cake", "category": "\ud800\x00"}]}),
        ("update_profile", {"name": "\ud800Al\x00ex\n"}),
        ("set_rule", {"trigger_kind": "phrase", "trigger": "\ud800go\x00", "procedure": "Sing \ud800\x00"}),
        ("change_rule", {"action": "remove", "rule_ids": [10**30, -1, 0]}),
    ],
)
def test_odd_words_count_for_what_they_say(
    services: Services, person_id: int, name: str, given: dict[str, Any]
) -> None:
    tell(services, person_id, "Likes tea")

    result = run(context(services, person_id), name, given)

    assert not result.is_error
    result.result.encode("utf-8")


@pytest.mark.parametrize(("name", "given", "table"), rows("tools_that_break.jsonl"))
def test_a_tool_that_breaks_says_nothing_of_how(
    services: Services, person_id: int, name: str, given: dict[str, Any], table: str, caplog: pytest.LogCaptureFixture
) -> None:
    ctx = replace(context(services, person_id), is_again=True)
    tell(services, person_id, "Hides a key")
    with services.transaction() as db:  # Broken under the running program, as by a wrong restore.
        db.connection().exec_driver_sql(f"ALTER TABLE {table} RENAME TO elsewhere")

    with caplog.at_level(logging.ERROR):
        said = refusal(ctx, name, given)

    assert said == (
        "This did not work and nothing was changed. Tell the person so kindly; do not say that it was done."
    )
    assert "Traceback" in caplog.text
    assert f"Tool {name} failed" in caplog.text
    assert "violet" not in caplog.text.lower()


@pytest.mark.parametrize("name", [name for name in TOOLS if "routine" not in name])
def test_with_memory_off_no_tool_reads_or_changes_anything(services: Services, person_id: int, name: str) -> None:
    tell(services, person_id, "Likes tea")
    given = {
        "extract_memory": {"facts": [{"fact": "Has a cat"}]},
        "update_memory": {"fact_id": 1, "fact": "Likes green tea"},
        "remove_memory": {"fact_ids": [1]},
        "recall_memory": {"query": "tea"},
        "update_profile": {"name": "Alex"},
        "set_rule": {"trigger_kind": "always", "procedure": "Sing"},
        "change_rule": {"action": "list"},
    }.get(name, {})

    said = refusal(context(services, person_id, memory_on=False), name, given)

    assert said.startswith("The person turned memory off for this conversation: nothing was read or changed.")
    assert "tea" not in said
    assert known(services, person_id) == {1: "Likes tea"}


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=6,
)
FIELDS = (
    "facts fact fact_id fact_ids category query limit name timezone "
    "trigger_kind trigger procedure rule_ids routine_ids action words times schedule about quiet_hours day at"
).split()
INPUTS = JSON_VALUES | st.dictionaries(st.sampled_from(FIELDS), JSON_VALUES, max_size=3)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.sampled_from(list(EVERY_TOOL)), given_input=INPUTS)
def test_whatever_is_sent_is_answered_in_words(
    services: Services, person_id: int, name: str, given_input: object
) -> None:
    result = run(context(services, person_id), name, given_input)

    result.result.encode("utf-8")
    assert "This did not work" not in result.result
    assert result.is_error or isinstance(json.loads(result.result), dict)


# Inputs as weaker models send them: nulls for omitted fields; lists, objects and numbers written as text.


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


CALLS: list[tuple[str, dict[str, Any]]] = [
    ("extract_memory", {"facts": [{"fact": "plays the theremin"}, {"fact": "Has a cat"}]}),
    ("update_memory", {"fact_id": 2, "fact": "Has a black cat"}), ("remove_memory", {"fact_ids": [2]}),
    ("update_profile", {"name": "Alex"}), ("update_profile", {"name": ""}),
    ("set_rule", {"trigger_kind": "always", "procedure": "Bullets only"}),
    ("change_rule", {"action": "change", "rule_ids": [1], "procedure": "Short bullets only"}),
    ("change_rule", {"action": "pause", "rule_ids": [1]}), ("change_rule", {"action": "resume", "rule_ids": [1]}),
    ("change_rule", {"action": "remove", "rule_ids": [1]}),
    ("set_routine", {"does": "remind", "words": "Stretch", "schedule": {"repeat": "daily", "times": ["10:00"]}}),
    *(("change_routine", {"action": action, "routine_ids": [0]}) for action in ("pause", "resume")),
    *(("change_routine", {"action": action, "routine_ids": [1]}) for action in ("skip", "pause", "resume", "cancel")),
]  # fmt: skip


def test_r44_a_call_that_an_earlier_attempt_has_made_is_answered_as_it_was(services: Services, person_id: int) -> None:
    tell(services, person_id, "Plays the theremin")
    put_away(services, person_id, 1)
    said = "I'm Alex, play the theremin, have a black cat. Short bullets only. Remind me to stretch. Forget that"
    texts = texted(services, person_id, said)
    for ordinal, made in enumerate(CALLS):
        ctx = replace(context(services, person_id, texts), call=f"{ordinal}")
        assert registry.run(ctx, *made) == registry.run(replace(ctx, is_again=True), *made)
    assert fact(services, person_id, 1).times_told == 2


@tool(proves=KEPT, writes=True)
def keep_and_fail(ctx: ToolContext) -> dict[str, Any]:
    """Keep a fact, then lose the database."""
    remember(ctx.services, ctx.person_id, [NewFact("Likes tea")], ctx.correction(""))
    raise ConnectionError


def test_a_tool_that_breaks_after_its_change_does_not_say_that_nothing_was_changed(
    services: Services, person_id: int
) -> None:
    broken = replace(services, features=(Feature("broken", tools_found=lambda _: (keep_and_fail,)),))
    assert refusal(context(broken, person_id), "keep_and_fail", {}).startswith("It was done, but")
