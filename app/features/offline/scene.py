"""The scene of a request: the person's words, their memory, the hour, and the tools' answers so far."""

import html
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from app.services import ModelRequest
from app.text.sentences import sentences as parted

_MEMORY = re.compile(r"<user_memory>(.*?)</user_memory>", re.DOTALL)
_NAME = re.compile(r"<name>(.*?)</name>", re.DOTALL)
_TIMEZONE = re.compile(r"<timezone>(.*?)</timezone>", re.DOTALL)
_FACTS = re.compile(r"<facts>(.*?)</facts>", re.DOTALL)
_NOW = re.compile(r"<now>([^<]*)</now>")
_NOW_PARTS = re.compile(r"(\d{1,2}) ([A-Z][a-z]+) (\d{4}),? (\d{1,2}):(\d{2})")
_ROUTINE_MARK = re.compile(r"<routine .*?</routine>\n?", re.DOTALL)
_TEXT = re.compile(r'<text at="[^"]*">(.*?)</text>', re.DOTALL)
_AFTER_S = re.compile(r"(?<=['’]s\.) (?=[A-Z])")  # "St Mary's. Has a dog": two facts.
_CONTEXT = ("<now>", "<relevant_episodes>", "<procedures>", "<conversation_so_far>")


@dataclass(frozen=True)
class Call:
    """A call of a tool that is to be made."""

    tool: str
    input: dict[str, Any]


@dataclass(frozen=True)
class Step:
    """One tool call of this turn and what came of it."""

    tool: str
    input: dict[str, Any]
    result: dict[str, Any]
    failed: bool
    message: str
    """The text of the result, for a failed call."""


@dataclass(frozen=True)
class Scene:
    words: str
    """What the person wrote, a burst joined by newlines."""
    name: str | None = None
    timezone: str | None = None
    facts: list[str] = field(default_factory=list)
    now_text: str | None = None
    """The local time as it was given: `Saturday 21 November 2026, 09:00 (America/New_York)`."""
    steps: list[Step] = field(default_factory=list)
    tools: frozenset[str] = frozenset()
    """The tools that may be called now; none when words alone are asked for."""
    memory_off: bool = False
    """Whether the person turned memory off for this conversation."""
    unseen: bool = False
    """Whether something came with the words that is no words."""
    first_of_day: bool = False
    is_routine: bool = False
    """Whether nobody wrote, and the words are what a routine is to do."""
    waits: bool = False
    """Whether a routine waits for the person's yes."""
    earlier: list[str] = field(default_factory=list)
    """The person's texts of earlier turns that the request shows, the newest first; empty where a routine spoke."""
    replies: list[str] = field(default_factory=list)
    """What was said to the person in these turns, the newest first."""

    @property
    def now(self) -> datetime | None:
        """The person's local time, without a zone."""
        parts = _NOW_PARTS.search(self.now_text or "")
        if parts is None:
            return None
        try:
            return datetime.strptime(" ".join(parts.groups()), "%d %B %Y %H %M")  # noqa: DTZ007 (wall time of the person)
        except ValueError:
            return None

    @property
    def today(self) -> date | None:
        return self.now.date() if self.now else None

    @property
    def all_paused(self) -> bool:
        """True where a list of this turn says so."""
        return any(step.result.get("paused") for step in self.steps_of("change_routine", "list") if not step.failed)

    def steps_of(self, tool: str, action: str | None = None) -> list[Step]:
        return [step for step in self.steps if step.tool == tool and action in {None, step.input.get("action")}]


def scene_of(request: ModelRequest) -> Scene:
    """The scene of a request. About memory only the system blocks are believed, whatever the person's text holds."""
    memory = _memory(request.system)
    place = _newest(request.messages)
    turn, rest = _blocks(request.messages[place].get("content")) if place >= 0 else [], request.messages[place + 1 :]
    context, words = _context_and_words(turn)
    now = _NOW.search(context)
    memory_off = "<memory>off" in context
    return Scene(
        words=words,
        name=_value(_NAME, memory),
        timezone=_value(_TIMEZONE, memory),
        facts=_stored(_value(_FACTS, memory) or ""),
        now_text=now[1].strip() if now else None,
        steps=_steps(rest),
        tools=frozenset(str(tool.get("name")) for tool in request.tools if request.tools_allowed),
        memory_off=memory_off,
        unseen="<files>" in context,
        first_of_day=request.first_of_day,
        earlier=_earlier(request.messages[: max(place, 0)]),
        replies=_replies(request.messages[: max(place, 0)]),
        is_routine="<routine " in context,
        waits="<proposed_routines>" in context,
    )


def _memory(system: Iterable[Any]) -> str:
    text = "\n".join(_text_of(block) for block in system)
    found = _MEMORY.findall(text)
    return found[-1] if found else ""


def _stored(facts: str) -> list[str]:
    """The facts of a memory, which stand one after another as plain sentences, without their full stops."""
    pieces = [piece for fact in parted(" ".join(facts.split())) for piece in _AFTER_S.split(fact)]
    return [fact.rstrip(". ") for fact in pieces if fact.strip(". ")]


def _value(pattern: re.Pattern[str], memory: str) -> str | None:
    found = pattern.search(memory)
    return (html.unescape(found[1]).strip() if found else "") or None


def _blocks(content: Any) -> list[dict[str, Any]]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [_mapping(block) for block in content or []]


def _mapping(block: Any) -> dict[str, Any]:
    if isinstance(block, str):
        return {"type": "text", "text": block}
    if isinstance(block, Mapping):
        return dict(block)
    return dict(block.model_dump())


def _text_of(block: Any) -> str:
    return str(_mapping(block).get("text") or "")


def _newest(messages: list[dict[str, Any]]) -> int:
    """The place of the person's newest message; -1 where there is none."""
    return max((index for index, message in enumerate(messages) if _is_the_persons(message)), default=-1)


def _is_the_persons(message: dict[str, Any]) -> bool:
    blocks = _blocks(message.get("content"))
    return message.get("role") == "user" and not any(block.get("type") == "tool_result" for block in blocks)


def _earlier(messages: list[dict[str, Any]]) -> list[str]:
    texts = [_raw_context_and_words(_blocks(one.get("content")))[1] for one in messages if _is_the_persons(one)]
    found: list[str] = []
    for text in texts[::-1]:
        words = _ROUTINE_MARK.sub("", text)
        found += ([""] if words != text else []) + ([_said(words)] if words else [])
    return found


def _replies(messages: list[dict[str, Any]]) -> list[str]:
    ours = [_blocks(one.get("content")) for one in messages[::-1] if one.get("role") == "assistant"]
    return [_said("\n".join(map(_text_of, blocks))) for blocks in ours]


def _said(text: str) -> str:
    """What the tags around texts hold, each text on a line; without tags it is what was said."""
    return html.unescape("\n".join(_TEXT.findall(text)) or text)


def _context_and_words(blocks: list[dict[str, Any]]) -> tuple[str, str]:
    context, words = _raw_context_and_words(blocks)
    return context, _said(words)


def _raw_context_and_words(blocks: list[dict[str, Any]]) -> tuple[str, str]:
    texts = [str(block.get("text") or "") for block in blocks if block.get("type") == "text"]
    if texts and texts[0].lstrip().startswith(_CONTEXT):
        if len(texts) > 1:
            return texts[0], "\n".join(texts[1:])
        head, _, words = texts[0].rpartition("</now>")
        return head + "</now>", words
    return "", "\n".join(texts)


def _steps(messages: list[dict[str, Any]]) -> list[Step]:
    blocks = [block for message in messages for block in _blocks(message.get("content"))]
    results = {str(block.get("tool_use_id")): block for block in blocks if block.get("type") == "tool_result"}
    return [
        _step(block, results[str(block.get("id"))])
        for block in blocks
        if block.get("type") == "tool_use" and str(block.get("id")) in results
    ]


def _step(call: dict[str, Any], result: dict[str, Any]) -> Step:
    text = next((_text_of(block) for block in _blocks(result.get("content"))), "")  # Memory may stand behind it.
    try:
        data = json.loads(text)
    except ValueError:
        data = None
    failed = bool(result.get("is_error")) or not isinstance(data, dict)
    given = call.get("input")
    return Step(
        tool=str(call.get("name")),
        input=dict(given) if isinstance(given, Mapping) else {},
        result=data if isinstance(data, dict) else {},
        failed=failed,
        message=text,
    )
