"""Tools with several actions: those that a routine may use, and refusals that name the next step."""

from dataclasses import replace

import pytest

from app.memory import rules
from app.routines import rows
from app.services import Services
from app.tools.context import ToolContext
from tests import tables
from tests.memory.remembering import known, tell
from tests.tools.calling import call, context, refusal, texted

DAILY = {"repeat": "daily", "times": ["10:00"]}


@pytest.fixture
def ctx(services: Services, person_id: int) -> ToolContext:
    """A turn of a person with two rules and two reminders who asks to change them."""
    words = "always answer in Spanish, never suggest steak; remind me daily at 10 to stretch and to breathe"
    told = context(services, person_id, texted(services, person_id, words))
    call(told, "set_rule", trigger_kind="always", procedure="Answer in Spanish")
    call(told, "set_rule", trigger_kind="always", procedure="Never suggest steak")
    for words in ("Stretch", "Breathe"):
        call(told, "set_routine", does="remind", words=words, schedule=DAILY)
    return replace(told, texts=texted(services, person_id, "pause, change, cancel and remove them, please"))


def states(ctx: ToolContext) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Words and state of the rules and of the routines."""
    with ctx.services.reading() as db:
        return (
            [(rule.procedure, rule.state) for rule in rules.live(db, ctx.person_id)],
            [(one.words, one.state) for one in rows.standing(db, ctx.person_id)],
        )


BOTH = pytest.mark.parametrize(
    ("tool", "ids", "noun", "end", "actions"),
    [
        ("change_rule", "rule_ids", "rule", "remove", "change pause resume confirm"),
        ("change_routine", "routine_ids", "routine", "cancel", "change pause resume accept skip snooze done"),
    ],
)


@BOTH
def test_which_one_has_to_be_said(ctx: ToolContext, tool: str, ids: str, noun: str, end: str, actions: str) -> None:
    before = states(ctx)
    for action in [*actions.split(), end]:
        for given in ({}, {ids: list[int]()}, {ids: None}):
            said = refusal(ctx, tool, {"action": action, **given})
            assert said.startswith(f"{ids} is missing: which")
            assert said.endswith(f"List the {noun}s to see the ids.")
    assert states(ctx) == before


@BOTH
def test_several_are_ended_at_once(ctx: ToolContext, tool: str, ids: str, noun: str, end: str, actions: str) -> None:
    before = states(ctx)
    for action in actions.split():
        said = f"2 {noun}s at once: {action} takes one. Call it for each."
        assert refusal(ctx, tool, {"action": action, ids: [1, 2]}) == said
    assert states(ctx) == before
    gone = call(ctx, tool, action=end, **{ids: [1, 2, 9]})
    assert ([one["id"] for one in gone.get("removed", gone.get("cancelled"))], gone["unknown"]) == ([1, 2], [9])


def test_a_change_says_what_is_to_change(ctx: ToolContext) -> None:
    assert refusal(ctx, "change_rule", {"action": "change", "rule_ids": [1]}) == (
        "Nothing to change was given. Give procedure, trigger_kind or trigger."
    )
    assert refusal(ctx, "change_rule", {"action": "pause", "rule_ids": [9]}) == (
        "No rule with id 9. List the rules to see the ids."
    )
    assert refusal(ctx, "change_routine", {"action": "change", "routine_ids": [1]}).startswith(
        "Nothing to change was given. Give words, times, not_on_holidays or stays_in;"
    )
    assert refusal(ctx, "change_routine", {"action": "snooze", "routine_ids": [1]}) == (
        "minutes is missing: for how long to snooze. Ask, if they did not say."
    )


def test_zero_means_all_routines_which_are_paused_and_resumed_and_nothing_else(ctx: ToolContext) -> None:
    assert call(ctx, "change_routine", action="pause", routine_ids=[0])["paused"] is True
    assert call(ctx, "change_routine", action="list")["paused"] is True
    assert call(ctx, "change_routine", action="resume", routine_ids=[0])["paused"] is False
    before = states(ctx)
    for action in ("change", "accept", "skip", "snooze", "done"):
        given = {"action": action, "routine_ids": [0], "words": "Sing", "minutes": 5}
        assert f"can be paused and resumed, and not {action}" in refusal(ctx, "change_routine", given)
    assert call(ctx, "change_routine", action="cancel", routine_ids=[0]) == {"cancelled": [], "unknown": [0]}
    assert states(ctx) == before


WRITES = tables.rows("writing_calls.jsonl")


def test_r77_in_a_routine_no_call_changes_anything(ctx: ToolContext) -> None:
    tell(ctx.services, ctx.person_id, "Likes tea")
    before = states(ctx)
    for name, given in WRITES:
        assert refusal(replace(ctx, is_routine=True), name, given) == (
            "Nobody has texted: this is a routine, in which nothing can be changed. Write the text that the person "
            "gets."
        )
    assert states(ctx) == before
    assert known(ctx.services, ctx.person_id) == {1: "Likes tea"}
