"""A person who sets rules by text through the webhook, and the requests that Claude then gets."""

import json
from html import unescape
from typing import Any

from app.memory import RuleWords, rules, set_rule
from app.models import Rule, ToolCall, Turn
from tests.asked_of_claude import head, memory_shown
from tests.claude_server import ClaudeServer, Reply, call, say
from tests.line import Line
from tests.memory.remembering import TOLD, rules_known
from tests.twilio_server import PERSON

QUICK = {"trigger_kind": "phrase", "trigger": "quick update", "procedure": "Bullets only"}
PEANUTS = {"trigger_kind": "always", "procedure": "Never suggest places with peanuts"}


class Ruler:
    """One person, seen from their phone and from the model."""

    def __init__(self, line: Line, claude: ClaudeServer, number: str = PERSON) -> None:
        self.line = line
        self.claude = claude
        self.number = number

    def text(self, body: str, *answers: Reply, **form: str) -> str:
        """The reply to a text, to which the model gives these answers."""
        self.claude.queue(*answers)
        self.line.clock.advance(minutes=1)
        self.line.text(body, sender=self.number, **form)
        return self.line.twilio.bodies[-1]

    def calls(self, body: str, tool: str, given: dict[str, Any], **form: str) -> dict[str, Any]:
        """Send a text to which the model calls a tool, and return the tool's answer as `last_result` does."""
        self.text(body, call(tool, given), say("Okay."), **form)
        return self.last_result()

    def sets(self, body: str, rule: dict[str, str], **form: str) -> dict[str, Any]:
        return self.calls(body, "set_rule", rule, **form)

    def learns(self, body: str, *facts: str, **form: str) -> dict[str, Any]:
        return self.calls(body, "extract_memory", {"facts": [{"fact": one} for one in facts]}, **form)

    def given(self, *procedures: str, kind: str = "always", trigger: str | None = None) -> None:
        """Add rules that the person set before."""
        for procedure in procedures:
            set_rule(self.line.services, self.person_id, RuleWords(kind, trigger, procedure), TOLD)

    @property
    def person_id(self) -> int:
        return self.line.person(self.number).id

    def known(self) -> dict[int, tuple[str, str]]:
        return rules_known(self.line.services, self.person_id)

    def live(self) -> list[Rule]:
        with self.line.services.reading() as db:
            return rules.live(db, self.person_id)

    def last_result(self) -> dict[str, Any]:
        """The last tool's answer, or its refusal under `refused`."""
        with self.line.services.reading() as db:
            called = db.query(ToolCall).join(Turn).where(Turn.person_id == self.person_id)
            last = called.order_by(ToolCall.id.desc()).first()
        assert last is not None
        if last.is_error:
            return {"refused": last.result}
        answer: dict[str, Any] = json.loads(last.result)
        return answer

    def shown(self, request: int = -1) -> str:
        """The person's own block of a request: their memory and their rules."""
        return memory_shown(self.claude.requests[request])

    def facts_shown(self) -> str:
        """Send a text, and return the facts in its request, without escapes."""
        self.text("hello again", say("Hi."))
        return unescape(self.shown().partition("<facts>")[2].partition("</facts>")[0].strip())

    def head(self, request: int = -1) -> str:
        """The block before the person's words in a request."""
        return head(self.claude.requests[request])
