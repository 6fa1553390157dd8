"""What the offline model keeps as a rule, what it does with those it has, and that it says it cannot obey them."""

from pathlib import Path
from typing import Any

import pytest

from app.clients.offline.rule_talk import FOR_CLAUDE, FOR_CLAUDE_ALL
from tests.clients.offline_memory import Memory

DATA = Path(__file__).parent.parent / "data"
BULLETS = {"id": 1, "trigger_kind": "phrase", "trigger": "quick update", "procedure": "Bullets only", "state": "active"}
PEANUTS = {"id": 4, "trigger_kind": "always", "trigger": None, "procedure": "Never suggest peanuts", "state": "paused"}
CHANGING = {"set_rule", "change_rule"}


def _rows(file: str) -> list[str]:
    lines = (DATA / file).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("# ")]


def _with_rules(*rules: dict[str, Any]) -> Memory:
    return Memory(rules={rule["id"]: dict(rule) for rule in rules})


@pytest.mark.parametrize("row", _rows("offline_rules.txt"))
def test_how_a_person_wants_things_done_is_kept_in_their_words(row: str) -> None:
    text, expected = row.replace("\\n", "\n").split(" => ")

    told = Memory().tell(text)

    wanted = [tuple(part.strip() for part in one.split("|")) for one in expected.split(" ; ")]
    assert [(kind, trigger or "", does) for kind, trigger, does in told.rules()] == wanted
    assert set(told.names()) == {"set_rule"}
    assert told.reply.startswith("Got it, rule 1: ")
    assert told.reply.endswith(FOR_CLAUDE)


@pytest.mark.parametrize("text", _rows("offline_no_rules.txt"))
def test_what_is_no_lasting_wish_sets_no_rule(text: str) -> None:
    told = Memory().tell(text)

    assert not CHANGING & set(told.names())
    assert told.reply


def test_a_rule_beside_a_fact_leaves_the_fact_to_be_learned() -> None:
    told = Memory().tell("I'm vegan. Never suggest steak houses, please!")

    assert told.facts() == ["Is vegan"]
    assert told.rules() == [("always", None, "Never suggest steak houses")]
    assert "I'll remember that you are vegan" in told.reply
    assert "rule 1" in told.reply


def test_what_waits_for_a_yes_is_said_to_wait() -> None:
    told = Memory(proposing=True).tell("always answer in Spanish")

    assert told.reply == (
        "That may be somebody else's words, so rule 1 waits for your yes: Answer in Spanish. "
        "Text /rules keep 1 if you want it."
    )


def test_a_rule_that_is_known_is_not_called_new() -> None:
    told = _with_rules(BULLETS).tell("when I say quick update, bullets only")

    assert told.reply == 'I have that already, as rule 1: on "quick update": Bullets only.'


def test_a_rule_that_could_not_be_kept_is_not_called_kept() -> None:
    told = Memory(failing=frozenset({"set_rule"})).tell("always answer in Spanish")

    assert told.reply == "I couldn't keep that rule: The database is busy."


@pytest.mark.parametrize("text", ["my rules", "What are my rules?", "show me my rules", "which rules do you follow?"])
def test_the_rules_are_listed_by_number_with_how_they_stand(text: str) -> None:
    told = _with_rules(BULLETS, PEANUTS).tell(text)

    lines = told.reply.splitlines()
    assert lines[:2] == ["Your rules:", '1. on "quick update": Bullets only']
    assert lines[2:] == ["4. Never suggest peanuts (paused)", FOR_CLAUDE_ALL]
    assert "You have set no rules yet" in Memory().tell(text).reply


@pytest.mark.parametrize(
    ("text", "calls", "reply"),
    [
        (
            "forget rule 4",
            [("change_rule", {"action": "remove", "rule_ids": [4]})],
            "Done, I've forgotten the rule: Never suggest peanuts.",
        ),
        (
            "forget rules 1 and 9",
            [("change_rule", {"action": "remove", "rule_ids": [1, 9]})],
            'Done, I\'ve forgotten the rule: on "quick update": Bullets only. I have no rule 9.',
        ),
        ("pause rule 1", [("change_rule", {"action": "pause", "rule_ids": [1]})], "Rule 1 is paused: "),
        ("resume rule 4 please", [("change_rule", {"action": "resume", "rule_ids": [4]})], "Rule 4 holds now: "),
        ("keep rule 1", [("change_rule", {"action": "confirm", "rule_ids": [1]})], "Rule 1 holds now: "),
        (
            "stop the peanut rule",
            [("change_rule", {"action": "list"}), ("change_rule", {"action": "remove", "rule_ids": [4]})],
            "Done, I've forgotten the rule: Never suggest peanuts.",
        ),
        (
            "forget the rule about quick updates",
            [("change_rule", {"action": "list"}), ("change_rule", {"action": "remove", "rule_ids": [1]})],
            "Done, I've forgotten the rule: ",
        ),
        ("stop doing that rule", [("change_rule", {"action": "list"})], "Which rule do you mean? Your rules:\n1. "),
        (
            "forget the rule about cats",
            [("change_rule", {"action": "list"})],
            "Which rule do you mean? Your rules:\n1. ",
        ),
    ],
)
def test_a_wish_about_a_rule_is_done_or_asked_about(text: str, calls: list[tuple[str, Any]], reply: str) -> None:
    told = _with_rules(BULLETS, PEANUTS).tell(text)

    assert told.calls == calls
    assert told.reply.startswith(reply)


def test_that_rule_is_the_only_one_there_is() -> None:
    told = _with_rules(BULLETS).tell("stop doing that rule")

    assert told.calls == [("change_rule", {"action": "list"}), ("change_rule", {"action": "remove", "rule_ids": [1]})]


@pytest.mark.parametrize("text", ["forget rule 1", "pause rule 1"])
def test_a_failed_change_of_a_rule_is_never_called_done(text: str) -> None:
    memory = _with_rules(BULLETS)
    memory.failing = frozenset({"change_rule"})

    reply = memory.tell(text).reply

    assert reply.startswith("I couldn't")
    assert "/rules" in reply


def test_without_tools_nothing_is_called_kept() -> None:
    assert "can't change my memory" in Memory().tell("always answer in Spanish", tools_allowed=False).reply
