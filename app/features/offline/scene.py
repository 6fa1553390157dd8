"""The scene of a request: the person's words, their memory, the time, and the tools' answers so far."""

import html
import json
import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from itertools import takewhile
from typing import Any

from app.services.model import ModelRequest
from app.text.wording import sentences as parted

_MEMORY = re.compile(r"<user_memory>(.*?)</user_memory>", re.DOTALL)
_TODAY = re.compile(r"<now>[^<]*?(\d{1,2} [A-Z][a-z]+ \d{4})[^<]*</now>")
_ROUTINE_MARK = re.compile(r"<routine .*?</routine>\n?", re.DOTALL)
_TEXT = re.compile(r'<text at="[^"]*">(.*?)</text>', re.DOTALL)
_SENT_ON = re.compile(r'<text at="(\w+ \d+ \w+)')
_ENDS_A_FACT = re.compile(r"(?:(?<=['’]s\.)|(?<=\bCo\.)|(?<=\bInc\.)|(?<=\bLtd\.)) (?=[A-Z])")
"""After these abbreviations, as in `St Mary's. Has a dog` or `Bread & Co. Has a dog`, a new fact begins."""
_CONTEXT = ("<now>", "<relevant_episodes>", "<procedures>", "<conversation_so_far>")


@dataclass(frozen=True)
class Call:
    """A tool call to make."""

    tool: str
    input: dict[str, Any]


@dataclass(frozen=True)
class Step:
    """One tool call of this turn and its result."""

    tool: str
    input: dict[str, Any]
    result: dict[str, Any]
    failed: bool
    message: str  # Text of the result, for a failed call.


@dataclass(frozen=True)
class Scene:
    words: str  # The person's words; several texts are joined by newlines.
    name: str = ""
    timezone: str = ""
    facts: list[str] = field(default_factory=list)
    today: date | None = None  # The day on the person's clock.
    steps: list[Step] = field(default_factory=list)
    tools: frozenset[str] = frozenset()  # The tools that may be called now; none if only words are asked for.
    memory_off: bool = False  # True if the person turned memory off for this conversation.
    unseen: bool = False  # True if something other than words came with the text.
    first_of_day: bool = False
    is_routine: bool = False  # True if nobody wrote, and the words are the task of a routine.
    waits: bool = False  # True if a routine waits for the person's yes.
    earlier: list[str] = field(default_factory=list)
    """The person's earlier texts that the request shows, the newest first; an empty one stands for a routine's."""
    replies: list[str] = field(default_factory=list)  # The replies in these turns, the newest first.
    turns_lately: int = 0  # Earlier turns of the same day and the day before, to which the newest replies belong.
    alarm: Callable[[str], float] = lambda _: -math.inf  # How much words sound like danger; above 0 they do.

    @property
    def all_paused(self) -> bool:
        """True if a list of this turn says so."""
        return any(step.result.get("paused") for step in self.done("change_routine", "list"))

    def steps_of(self, tool: str, action: str | None = None) -> list[Step]:
        return [step for step in self.steps if step.tool == tool and action in {None, step.input.get("action")}]

    def done(self, tool: str, action: str | None = None) -> list[Step]:
        """The steps of `steps_of` that did not fail."""
        return [step for step in self.steps_of(tool, action) if not step.failed]

    def to_make(self, calls: Iterable[Call]) -> list[Call]:
        """The calls that may be made now and have not been made."""
        made = [(step.tool, step.input) for step in self.steps]
        return [call for call in calls if call.tool in self.tools and (call.tool, call.input) not in made]


def scene_of(request: ModelRequest) -> Scene:
    """The scene of a request. Memory is read only from the system blocks, whatever the person's text holds."""
    found = _MEMORY.findall("\n".join(map(_text_of, request.system)))
    memory = found[-1] if found else ""
    messages = request.messages
    place = max((index for index, message in enumerate(messages) if _is_the_persons(message)), default=-1)
    context, words = _context_and_words(messages[place]) if place >= 0 else ("", "")
    before = messages[: max(place, 0)][::-1]
    return Scene(
        words=_words(words),
        name=_value("name", memory),
        timezone=_value("timezone", memory),
        facts=_stored(_value("facts", memory)),
        today=_day(context),
        steps=_steps(messages[place + 1 :]),
        tools=frozenset(str(tool.get("name")) for tool in request.tools if request.tools_allowed),
        memory_off="<memory>off" in context,
        unseen="<files>" in context,
        first_of_day=request.first_of_day,
        earlier=[text for one in before if _is_the_persons(one) for text in _earlier(_context_and_words(one)[1])],
        replies=[_words("\n".join(map(_text_of, _blocks(one["content"])))) for one in before if one["role"] != "user"],
        turns_lately=_turns_lately(_day(context), before),
        is_routine="<routine " in context,
        waits="<proposed_routines>" in context,
    )


def _turns_lately(today: date | None, before: Iterable[dict[str, Any]]) -> int:
    """The number of the newest turns whose texts were sent today or the day before."""
    days = [today, today - timedelta(days=1)] if today else []
    lately = [f"{day:%a} {day.day} {day:%b}" for day in days]
    sent_on = [_SENT_ON.findall(_context_and_words(one)[1]) for one in before if _is_the_persons(one)]
    return len(list(takewhile(lambda days: days and days[-1] in lately, sent_on)))


def _day(context: str) -> date | None:
    found = _TODAY.search(context)
    try:
        return datetime.strptime(found[1], "%d %B %Y").date() if found else None  # noqa: DTZ007 (a date)
    except ValueError:
        return None


def _stored(facts: str) -> list[str]:
    """The facts of a memory, which follow one another as plain sentences, without their full stops."""
    pieces = [piece for fact in parted(" ".join(facts.split())) for piece in _ENDS_A_FACT.split(fact)]
    return [fact.rstrip(". ") for fact in pieces if fact.strip(". ")]


def _value(tag: str, memory: str) -> str:
    found = re.search(f"<{tag}>(.*?)</{tag}>", memory, re.DOTALL)
    return html.unescape(found[1]).strip() if found else ""


def _blocks(content: Any) -> list[dict[str, Any]]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content or [])


def _text_of(block: dict[str, Any]) -> str:
    return str(block.get("text") or "")


def _is_the_persons(message: dict[str, Any]) -> bool:
    blocks = _blocks(message["content"])
    return message["role"] == "user" and all(block.get("type") != "tool_result" for block in blocks)


def _earlier(text: str) -> list[str]:
    """The texts of one earlier turn; an empty one for a routine's."""
    words = _ROUTINE_MARK.sub("", text)
    return ([""] if words != text else []) + ([_words(words)] if words else [])


def _words(text: str) -> str:
    """The content of the tags around texts, one text a line; without tags, the text itself."""
    return html.unescape("\n".join(_TEXT.findall(text)) or text)


def _context_and_words(message: dict[str, Any]) -> tuple[str, str]:
    blocks = _blocks(message["content"])
    texts = [_text_of(block) for block in blocks if block.get("type") == "text"]
    if texts and texts[0].lstrip().startswith(_CONTEXT):
        if len(texts) > 1:
            return texts[0], "\n".join(texts[1:])
        head, _, words = texts[0].rpartition("</now>")
        return head + "</now>", words
    return "", "\n".join(texts)


def _steps(messages: list[dict[str, Any]]) -> list[Step]:
    blocks = [block for message in messages for block in _blocks(message.get("content"))]
    results = {str(block.get("tool_use_id")): block for block in blocks if block.get("type") == "tool_result"}
    calls = [block for block in blocks if block.get("type") == "tool_use" and str(block.get("id")) in results]
    return [_step(call, results[str(call["id"])]) for call in calls]


def _step(call: dict[str, Any], result: dict[str, Any]) -> Step:
    text = next((_text_of(block) for block in _blocks(result.get("content"))), "")  # Memory may follow it.
    try:
        data = json.loads(text)
    except ValueError:
        data = None
    is_told = isinstance(data, dict)
    failed = bool(result.get("is_error")) or not is_told
    return Step(str(call.get("name")), dict(call.get("input") or {}), data if is_told else {}, failed, message=text)
