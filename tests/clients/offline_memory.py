"""A person's memory as a dictionary, and the tool loop that the assistant plays with the model."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from xml.sax.saxutils import escape

from app import prompts
from app.clients.offline import OfflineModel
from app.services import ModelRequest
from app.tools.facts import MAX_LISTED
from tests.fakes import FrozenClock

TOOLS = (
    "extract_memory update_memory remove_memory list_memories update_profile recall_memory set_rule change_rule"
).split()
NOW = "<now>Saturday 21 November 2026, 09:00 (America/New_York)</now>"
AT = "Sat 21 Nov 09:00"
MODEL = OfflineModel(FrozenClock())


@dataclass
class Told:
    """One turn: the calls in order, and the reply."""

    calls: list[tuple[str, dict[str, Any]]]
    reply: str

    def facts(self) -> list[str]:
        return [one["fact"] for name, given in self.calls if name == "extract_memory" for one in given["facts"]]

    def profile(self) -> dict[str, str]:
        return {key: value for name, given in self.calls if name == "update_profile" for key, value in given.items()}

    def rules(self) -> list[tuple[str, str | None, str]]:
        set_rules = [given for name, given in self.calls if name == "set_rule"]
        return [(one["trigger_kind"], one.get("trigger"), one["procedure"]) for one in set_rules]

    def names(self) -> list[str]:
        return [name for name, _ in self.calls]


@dataclass
class Memory:
    """The tools' side of the loop, with ids that are never used again."""

    facts: list[str] = field(default_factory=list)
    name: str | None = None
    timezone: str = "America/New_York"
    failing: frozenset[str] = frozenset()
    rows: dict[int, str] = field(init=False)
    former: list[tuple[int, str]] = field(default_factory=list)
    rules: dict[int, dict[str, Any]] = field(default_factory=dict)
    proposing: bool = False
    """Whether rules wait for a yes, as those do that are not in the person's own words."""
    history: list[dict[str, Any]] = field(default_factory=list)
    """What was said in earlier turns, as a request shows it."""

    def __post_init__(self) -> None:
        self.rows = dict(enumerate(self.facts, 1))
        self.last = len(self.rows)

    def block(self) -> str:
        name = f"<name>{escape(self.name)}</name>" if self.name else ""
        facts = " ".join(f"{escape(fact)}." for fact in self.rows.values())
        return (
            f"<user_memory>\n  <profile>\n    {name}\n    <timezone>{self.timezone}</timezone>\n  </profile>\n"
            f"  <facts>{facts}</facts>\n</user_memory>"
        )

    def tell(self, text: str, *, first_of_day: bool = False, tools_allowed: bool = True) -> Told:
        """Play one turn to its end."""
        messages = [*self.history, {"role": "user", "content": [_text(NOW), _text(prompts.text(text, AT))]}]
        calls: list[tuple[str, dict[str, Any]]] = []
        while True:
            answer = MODEL.complete(self.request(messages, first_of_day=first_of_day, tools_allowed=tools_allowed))
            if answer.stop_reason == "end_turn":
                (block,) = answer.content
                assert block.type == "text"
                self.history += [_said("user", text), _said("assistant", block.text)]
                return Told(calls, block.text)
            uses = [block for block in answer.content if block.type == "tool_use"]
            results = []
            for use in uses:
                calls.append((use.name, dict(use.input)))
                results.append(
                    {"type": "tool_result", "tool_use_id": use.id, **self._result(use.name, dict(use.input))}
                )
            messages.append({"role": "assistant", "content": [use.to_dict(mode="json") for use in uses]})
            messages.append({"role": "user", "content": results})
            assert len(calls) <= 8, "A turn makes at most eight calls."

    def request(
        self,
        messages: Sequence[dict[str, Any]],
        *,
        first_of_day: bool = False,
        tools_allowed: bool = True,
        tools: Sequence[str] = TOOLS,
    ) -> ModelRequest:
        return ModelRequest(
            system=[_text("Be kind and brief."), _text(self.block())],
            messages=list(messages),
            tools=[{"name": name} for name in tools],
            max_tokens=1024,
            deadline=60.0,
            person_key="p",
            tools_allowed=tools_allowed,
            first_of_day=first_of_day,
        )

    def _result(self, tool: str, given: dict[str, Any]) -> dict[str, Any]:
        if tool in self.failing:
            return {"content": "The database is busy. Try again later.", "is_error": True}
        return {"content": json.dumps(getattr(self, f"_{tool}")(**given))}

    def _extract_memory(self, facts: list[dict[str, str]]) -> dict[str, Any]:
        stored, duplicates = [], []
        for one in facts:
            known = next((n for n, fact in self.rows.items() if fact.casefold() == one["fact"].casefold()), None)
            if known is None:
                self.last += 1
                self.rows[self.last] = one["fact"]
                stored.append(self._named(self.last))
            else:
                duplicates.append(self._named(known))
        return {"memory_updated": True, "stored": stored, "duplicates": duplicates, "conflicts": []}

    def _update_memory(self, fact_id: int, fact: str) -> dict[str, Any]:
        self.former.append((fact_id, self.rows[fact_id]))
        self.rows[fact_id] = fact
        return {"memory_updated": True, "fact": self._named(fact_id)}

    def _remove_memory(self, fact_ids: list[int], about: list[str] | None = None) -> dict[str, Any]:
        removed = [self._named(number) for number in fact_ids]
        for number in fact_ids:
            del self.rows[number]
        nothing = {"about": [], "episodes": 0, "nothing_about": about} if about and not removed else {}
        return {"memory_updated": bool(removed), "removed": removed, "unknown": [], **nothing}

    def _list_memories(self, category: str | None = None, query: str | None = None) -> dict[str, Any]:
        wanted = set((query or "").casefold().split())
        found = [number for number, fact in self.rows.items() if wanted <= set(fact.casefold().split())]
        shown = [self._named(number) for number in found[:MAX_LISTED]]
        return {"facts": shown, "shown": len(shown), "of": len(found)}

    def _update_profile(
        self, name: str | None = None, timezone: str | None = None, until: str | None = None
    ) -> dict[str, Any]:
        timezone = self.timezone if timezone == "home" else timezone
        then = {"then": {"from": until, "timezone": self.timezone}} if until else {}
        known = {"known_already": ["timezone"]} if timezone == self.timezone else {}
        self.name = self.name if name is None else name or None
        self.timezone = timezone or self.timezone
        return {"memory_updated": True, "name": self.name, "timezone": self.timezone, **known, **then}

    def _recall_memory(self, query: str, **_bounds: Any) -> dict[str, Any]:
        former = [{"id": number, "fact": fact, "current": False} for number, fact in self.former]
        return {"episodes": [], "facts": former + [self._named(n) | {"current": True} for n in self.rows]}

    def _set_rule(self, trigger_kind: str, procedure: str, trigger: str | None = None) -> dict[str, Any]:
        words = {"trigger_kind": trigger_kind, "trigger": trigger, "procedure": procedure}
        known = next((rule for rule in self.rules.values() if words.items() <= rule.items()), None)
        if known is not None:
            return {"memory_updated": True, "rule": known, "conflicts": [], "note": "It was known already and holds."}
        number = max(self.rules, default=0) + 1
        self.rules[number] = {"id": number, "state": "proposed" if self.proposing else "active", **words}
        return {"memory_updated": True, "rule": self.rules[number], "conflicts": []}

    def _change_rule(self, action: str, rule_ids: Sequence[int] = ()) -> dict[str, Any]:
        if action == "list":
            return {"rules": list(self.rules.values())}
        if action == "remove":
            return self._remove_rules(rule_ids)
        [number] = rule_ids
        rule = self.rules[number]
        rule["state"] = {"pause": "paused", "resume": "active", "confirm": "active"}[action]
        return {"memory_updated": True, "rule": rule}

    def _remove_rules(self, rule_ids: Sequence[int]) -> dict[str, Any]:
        removed = [self.rules.pop(number) for number in rule_ids if number in self.rules]
        unknown = [number for number in rule_ids if number not in {one["id"] for one in removed}]
        return {"memory_updated": bool(removed), "removed": removed, "unknown": unknown}

    def _named(self, number: int) -> dict[str, Any]:
        return {"id": number, "fact": self.rows[number]}


def _said(role: str, words: str) -> dict[str, Any]:
    return {"role": role, "content": [_text(prompts.text(words, AT))]}


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}
