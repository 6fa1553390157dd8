"""Rules, as the tools and the reply know them: which calls to make, and what to say of what came back."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from app.clients.offline.rules import RuleSaid, RuleWish
from app.clients.offline.scene import Scene, Step
from app.clients.offline.sentences import content
from app.clients.offline.understood import Reading

FOR_CLAUDE = "I can't follow rules myself (I'm only the offline model), so I keep it for Claude."
FOR_CLAUDE_ALL = "I keep them for Claude: I can't follow rules myself (I'm only the offline model)."
CHANGING = ("set_rule", "change_rule")
_STATES = {"paused": " (paused)", "proposed": " (waits for your yes)"}


class RuleCall(NamedTuple):
    tool: str
    input: dict[str, Any]


def rule_calls(reading: Reading, scene: Scene) -> list[RuleCall]:
    """What is to be called for the rules of a text now, given what the tools have said so far."""
    calls = [RuleCall("set_rule", _given(rule)) for rule in reading.rules]
    listed = _listed(scene)
    for wish in reading.rule_wishes:
        if wish.verb == "list" or not (wish.numbers or listed is not None):
            calls.append(RuleCall("change_rule", {"action": "list"}))
            continue
        numbers = list(wish.numbers) or [rule["id"] for rule in meant(wish, listed or [])]
        if wish.verb == "forget" and numbers:
            calls.append(RuleCall("change_rule", {"action": "remove", "rule_ids": numbers}))
        elif wish.verb == "keep":
            calls += [_to_one("confirm", number) for number in numbers]
        elif wish.verb in {"pause", "resume"}:
            calls += [_to_one(wish.verb, number) for number in numbers]
    return calls


def _to_one(action: str, number: int) -> RuleCall:
    return RuleCall("change_rule", {"action": action, "rule_ids": [number]})


def meant(wish: RuleWish, listed: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The rules that a wish without numbers means: all, the only one, or those that hold its words."""
    if wish.about is None:
        return list(listed)
    sought = set(content(wish.about))
    if not sought:
        return list(listed) if len(listed) == 1 else []
    return [rule for rule in listed if sought <= set(content(f"{rule.get('trigger') or ''} {rule.get('procedure')}"))]


def rule_replies(reading: Reading, scene: Scene) -> list[str]:
    """What is said of the rules that this turn set, changed or listed."""
    parts = [_of_set(step) for step in scene.steps_of("set_rule")]
    changed = [step for step in scene.steps_of("change_rule") if step.input.get("action") != "list"]
    parts += [_of_removed(one) if one.input.get("action") == "remove" else _of_revised(one) for one in changed]
    listed = _listed(scene)
    if listed is not None:
        if any(wish.verb == "list" for wish in reading.rule_wishes):
            parts.append(_list(listed))
        unclear = [wish for wish in reading.rule_wishes if _is_unclear(wish, listed)]
        parts += [f"Which rule do you mean? {_list(listed)}" for _ in unclear[:1]]
    kept = any(part.startswith("Got it") for part in parts)
    return [*parts, FOR_CLAUDE] if kept else parts


def spoken_rule(rule: Mapping[str, Any]) -> str:
    does, trigger = str(rule.get("procedure") or ""), str(rule.get("trigger") or "")
    if rule.get("trigger_kind") == "phrase":
        return f'on "{trigger}": {does}'
    return f"when {trigger}: {does}" if rule.get("trigger_kind") == "situation" else does


def _given(rule: RuleSaid) -> dict[str, Any]:
    given = {"trigger_kind": rule.trigger_kind, "procedure": rule.procedure}
    return given | ({"trigger": rule.trigger} if rule.trigger else {})


def _listed(scene: Scene) -> list[Mapping[str, Any]] | None:
    good = [step for step in scene.steps_of("change_rule", "list") if not step.failed]
    if not good:
        return None
    rules = good[0].result.get("rules") or []
    return [rule for rule in rules if isinstance(rule, Mapping) and isinstance(rule.get("id"), int)]


def _is_unclear(wish: RuleWish, listed: Sequence[Mapping[str, Any]]) -> bool:
    return wish.verb != "list" and not wish.numbers and not meant(wish, listed)


def _list(listed: Sequence[Mapping[str, Any]]) -> str:
    if not listed:
        return 'You have set no rules yet. Say one, such as "when I say quick update, bullets only".'
    lines = [f"{rule['id']}. {spoken_rule(rule)}{_STATES.get(str(rule.get('state')), '')}" for rule in listed]
    return "\n".join(["Your rules:", *lines, FOR_CLAUDE_ALL])


def _rule_of(step: Step) -> Mapping[str, Any]:
    rule = step.result.get("rule")
    return rule if isinstance(rule, Mapping) else {}


def _of_set(step: Step) -> str:
    rule = _rule_of(step)
    if step.failed:
        return f"I couldn't keep that rule: {_first_sentence(step.message)}"
    if rule.get("state") == "proposed":
        return (
            f"That may be somebody else's words, so rule {rule.get('id')} waits for your yes: {spoken_rule(rule)}. "
            f"Text /rules keep {rule.get('id')} if you want it."
        )
    if step.result.get("note"):
        return f"I have that already, as rule {rule.get('id')}: {spoken_rule(rule)}."
    return f"Got it, rule {rule.get('id')}: {spoken_rule(rule)}."


def _of_revised(step: Step) -> str:
    rule = _rule_of(step)
    if step.failed:
        number = step.input.get("rule_ids", ["?"])[0]
        return f"I couldn't change rule {number}: text /rules to see how your rules stand."
    state = {"active": "holds now", "paused": "is paused", "proposed": "still waits for your yes"}
    return f"Rule {rule.get('id')} {state.get(str(rule.get('state')), 'is changed')}: {spoken_rule(rule)}."


def _of_removed(step: Step) -> str:
    if step.failed:
        return "I couldn't forget that rule just now. Text /rules to see your rules."
    gone = [rule for rule in step.result.get("removed") or [] if isinstance(rule, Mapping)]
    unknown = step.result.get("unknown") or []
    parts = [f"Done, I've forgotten the rule: {'; '.join(map(spoken_rule, gone))}."] if gone else []
    parts += [f"I have no rule {', '.join(map(str, unknown))}."] if unknown else []
    return " ".join(parts)


def _first_sentence(message: str) -> str:
    return re.split(r"(?<=[.!?;])\s", message, maxsplit=1)[0]
