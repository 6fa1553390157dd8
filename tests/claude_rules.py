"""The rules of `POST /v1/messages`: for a bad request, the message with which Anthropic's API refuses it.

The stand-in applies them. Each names its source; "issue" is a thread of the named repository.
"""

import base64
import binascii
import io
import re
from collections.abc import Callable, Iterator
from typing import Any

from PIL import Image, UnidentifiedImageError

from app.clients.claude import takes_effort
from app.clients.claude_live import NO_PREFILL, THINKS_ALWAYS
from app.clients.claude_tool_rules import of_tool

FIELDS = {
    "model", "max_tokens", "messages", "system", "tools", "tool_choice", "metadata", "stop_sequences", "stream",
    "thinking", "output_config",
}  # fmt: skip
BLOCKS = {
    "user": {"text", "image", "document", "tool_result"},
    "assistant": {"text", "tool_use", "thinking", "redacted_thinking", "server_tool_use", "web_search_tool_result"},
}
TOOL_FIELDS = {
    "name", "description", "input_schema", "type", "strict", "cache_control", "input_examples", "defer_loading",
    "allowed_callers", "eager_input_streaming",
}  # fmt: skip
"""Source: anthropic.types.ToolParam."""
WEB_SEARCH_TOOLS = {"web_search_20250305", "web_search_20260209", "web_search_20260318"}
"""Source: anthropic.types.WebSearchTool20250305Param and its newer versions."""
WEB_SEARCH_FIELDS = {
    "name", "type", "allowed_callers", "allowed_domains", "blocked_domains", "cache_control", "defer_loading",
    "max_uses", "strict", "user_location",
}  # fmt: skip
BOUND = (
    "Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set "
    '`thinking.block_binding.prefix_mismatch_behavior` to "drop_block".'
)
"""The message about a thought if anything before it was changed. Source: platform.claude.com, "Prefix checks"."""
BODY_MAX_BYTES = 32 * 1024 * 1024
"""A longer body gets 413 `request_too_large`. Source: platform.claude.com, API reference, "Errors"."""
CACHE_MARKS_MAX = 4
IMAGE_TYPES = {"image/jpeg", "image/png", "image/gif", "image/webp"}
IMAGE_MAX_BYTES = 5 * 1024 * 1024
IMAGE_MAX_PIXELS = 8000
IMAGES_FEW = 20
IMAGE_MAX_PIXELS_OF_MANY = 2000
USER_ID_MAX_CHARS = 256
EFFORTS = {"low", "medium", "high", "xhigh", "max"}
BETWEEN_TOOLS = re.compile(r"claude-sonnet-5-5")
"""The only model with the option to think only between tools. Source: the same as for `THINKS_ALWAYS`."""
NO_BUDGETS = re.compile(r"claude-(?:opus-4-[78]|(?:haiku|sonnet|opus|fable|mythos)-[5-9])")
"""Models that do not accept `enabled` with a budget: from 4.7 on. Source: the same."""
PREFILLED = "This model does not support assistant message prefill. The conversation must end with a user message."


def refusal(request: dict[str, Any]) -> str | None:
    """The message of the `invalid_request_error` for the request; None if it is good."""
    return next((found for rule in RULES for found in rule(request)), None)


def _surrogates(value: Any) -> Iterator[str]:
    """Source: RFC 8259, 8.2, and the API's sentence in anthropics/claude-code issues."""
    match value:
        case str():
            if re.search("[\ud800-\udfff]", value):
                yield "The request body is not valid JSON: no low surrogate in string"
        case dict():
            for key, item in value.items():
                yield from _surrogates(key)
                yield from _surrogates(item)
        case list():
            for item in value:
                yield from _surrogates(item)


def _fields(request: dict[str, Any]) -> Iterator[str]:
    """Source: API reference, "Create a Message"; for temperature, top_p and top_k API version 2026-10-21."""
    for name in request.keys() - FIELDS:
        yield f"{name}: Extra inputs are not permitted"
    for name in ("model", "max_tokens", "messages"):
        if name not in request:
            yield f"{name}: Field required"
    max_tokens = request["max_tokens"]
    if not isinstance(max_tokens, int) or max_tokens < 1:
        yield "max_tokens: Input should be greater than or equal to 1"
    if request.get("stream"):
        yield "stream: this stand-in sends whole messages only"
    user_id = request.get("metadata", {}).get("user_id")
    if user_id is not None and not (isinstance(user_id, str) and len(user_id) <= USER_ID_MAX_CHARS):
        yield "metadata.user_id: String should have at most 256 characters"
    system = request.get("system", [])
    for at, block in enumerate([{"type": "text", "text": system}] if isinstance(system, str) else system):
        yield from _text(block, f"system.{at}")


def _thinking(request: dict[str, Any]) -> Iterator[str]:
    """Source: platform.claude.com, Sonnet 5.5 migration guide, "Effort" and "Preserved thinking"."""
    model, kind = str(request["model"]), request.get("thinking", {}).get("type")
    always = THINKS_ALWAYS.match(model)
    if (
        (kind == "disabled" and always)
        or (kind == "between_tools" and not BETWEEN_TOOLS.match(model))
        or (kind == "enabled" and NO_BUDGETS.match(model))
    ):
        yield f'"thinking.type.{kind}" is not supported for this model.'
    effort = request.get("output_config", {}).get("effort")
    if effort is not None and effort not in EFFORTS:
        yield "output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'"
    if effort is not None and not takes_effort(model):
        yield "output_config.effort: Extra inputs are not permitted"
    if request.get("tool_choice", {}).get("type") in {"any", "tool"} and always:
        yield 'tool_choice: type "tool" and "any" are not supported for this model.'


def _text(block: dict[str, Any], where: str) -> Iterator[str]:
    """Source: API reference, "Create a Message"; for cache marks vercel/eve issue 2753, hermes-agent pull 1216."""
    text = block.get("text")
    if not isinstance(text, str):
        yield f"{where}.text: Input should be a valid string"
    elif not text and block.get("cache_control"):
        yield f"{where}.text: cache_control cannot be set for empty text blocks"
    elif not text:
        yield f"{where}: text content blocks must be non-empty"
    elif not text.strip():
        yield f"{where}: text content blocks must contain non-whitespace text"


def _tools(request: dict[str, Any]) -> Iterator[str]:
    """Source: API reference, "Create a Message", `tools` and `tool_choice`."""
    tools = request.get("tools", [])
    names = [tool.get("name") for tool in tools]
    for at, tool in enumerate(tools):
        if tool.get("type") in WEB_SEARCH_TOOLS:
            yield from _web_search(tool, f"tools.{at}")
            continue
        for name in tool.keys() - TOOL_FIELDS:
            yield f"tools.{at}.custom.{name}: Extra inputs are not permitted"
        if tool.get("strict"):
            yield f"tools.{at}.custom.strict: this stand-in takes none; see docs/decisions/0030-claude-by-its-rules.md"
        yield from of_tool(tool, f"tools.{at}")
    if len(set(names)) != len(names):
        yield "tools: Tool names must be unique."
    choice = request.get("tool_choice")
    if choice is not None and not tools:
        yield "tool_choice: may only be specified while providing tools"
    if choice is not None and choice.get("type") not in {"auto", "none", "any", "tool"}:
        yield "tool_choice.type: Input should be 'auto', 'any', 'tool' or 'none'"
    kinds = {block["type"] for message in _dialogue(request) for block in _blocks(message)}
    if not tools and kinds & {"tool_use", "tool_result"}:
        yield "Requests which include `tool_use` or `tool_result` blocks must define tools"


def _web_search(tool: dict[str, Any], where: str) -> Iterator[str]:
    """Source: platform.claude.com, web search tool; anthropic.types.WebSearchTool20250305Param."""
    if tool.get("name") != "web_search":
        yield f"{where}.name: Input should be 'web_search'"
    for name in tool.keys() - WEB_SEARCH_FIELDS:
        yield f"{where}.{name}: Extra inputs are not permitted"
    uses = tool.get("max_uses", 1)
    if not isinstance(uses, int) or uses < 1:
        yield f"{where}.max_uses: Input should be greater than 0"
    if tool.get("allowed_domains") and tool.get("blocked_domains"):
        yield f"{where}: only one of allowed_domains and blocked_domains may be given"


def _images(request: dict[str, Any]) -> Iterator[str]:
    """Source: platform.claude.com, vision: with more than 20 pictures, each has at most 2,000 pixels a side."""
    blocks = [block for message in request["messages"] for block in _blocks(message) if block["type"] == "image"]
    for block in blocks if len(blocks) > IMAGES_FEW else ():
        with Image.open(io.BytesIO(base64.b64decode(block["source"]["data"]))) as image:
            if max(image.size) > IMAGE_MAX_PIXELS_OF_MANY:
                yield (
                    "At least one of the image dimensions exceed max allowed size for many-image requests: "
                    f"{IMAGE_MAX_PIXELS_OF_MANY} pixels"
                )


def _searches(request: dict[str, Any]) -> Iterator[str]:
    """The model's own searches stand in its own message, each before its result.

    Source: platform.claude.com, web search tool; anthropic.types.ServerToolUseBlockParam and WebSearchResultBlockParam.
    """
    for at, message in enumerate(_dialogue(request)):
        asked: set[str] = set()
        for place, block in enumerate(_blocks(message)):
            where = f"messages.{at}.content.{place}"
            if block["type"] == "server_tool_use":
                if not re.fullmatch(r"srvtoolu_[a-zA-Z0-9_]+", str(block.get("id", ""))):
                    yield f"{where}.id: String should match pattern '^srvtoolu_[a-zA-Z0-9_]+$'"
                asked.add(block["id"])
            if block["type"] == "web_search_tool_result":
                if block.get("tool_use_id") not in asked:
                    yield f"{where}: `web_search_tool_result` needs the `server_tool_use` that it is of before it"
                found = block.get("content")
                for one in found if isinstance(found, list) else []:
                    if {"encrypted_content", "title", "type", "url"} - one.keys():
                        yield f"{where}.content: Field required"


def _messages(request: dict[str, Any]) -> Iterator[str]:
    """Source: API reference, "Create a Message", `messages`; for prefill the Sonnet 5.5 migration guide."""
    messages = request["messages"]
    if not isinstance(messages, list) or not messages:
        yield "messages: at least one message is required"
    for at, message in enumerate(messages):
        for name in message.keys() - {"role", "content"}:
            yield f"messages.{at}.{name}: Extra inputs are not permitted"
        role = message.get("role")
        if role not in BLOCKS:
            yield f"messages.{at}.role: Input should be 'user' or 'assistant'"
        if not message.get("content"):
            yield f"messages.{at}: all messages must have non-empty content"
        for place, block in enumerate(_blocks(message)):
            yield from _block(block, role, f"messages.{at}.content.{place}")
    if messages[0]["role"] != "user":
        yield 'messages: first message must use the "user" role'
    begun = messages[-1]["role"] != "user" and not _is_paused(messages[-1])
    if begun and NO_PREFILL.match(str(request["model"])):
        yield PREFILLED


def _is_paused(message: dict[str, Any]) -> bool:
    """True if it may be an answer that paused during a web search, which is sent back as the last message.

    Source: platform.claude.com, "Handling stop reasons", `pause_turn`.
    """
    return any(block.get("type") == "server_tool_use" for block in _blocks(message))


def _block(block: dict[str, Any], role: str, where: str) -> Iterator[str]:
    """Source: API reference, "Create a Message", `messages.content`; for documents API version 2026-10-21."""
    kind = block.get("type")
    if kind not in BLOCKS[role]:
        yield f"{where}: {kind} blocks can not be used in {role} messages"
    if kind == "text":
        yield from _text(block, where)
    if kind == "image":
        yield from _image(block.get("source", {}), f"{where}.image.source")
    if kind == "tool_use":
        if not re.fullmatch(r"[a-zA-Z0-9_-]+", str(block.get("id", ""))):
            yield f"{where}.id: String should match pattern '^[a-zA-Z0-9_-]+$'"
        if not isinstance(block.get("input"), dict):
            yield f"{where}.input: Input should be a valid dictionary"
    if kind == "tool_result":
        content = block.get("content", "")
        if block.get("is_error") and not content:
            yield f"{where}: content cannot be empty if `is_error` is true"
        for place, part in enumerate(content if isinstance(content, list) else []):
            yield from _text(part, f"{where}.content.{place}")


def _image(source: dict[str, Any], where: str) -> Iterator[str]:
    """Source: https://platform.claude.com/docs/en/build-with-claude/vision."""
    if source.get("type") != "base64":
        yield f"{where}: this stand-in takes base64 only"
    if source.get("media_type") not in IMAGE_TYPES:
        yield f"{where}.base64.media_type: Input should be {', '.join(sorted(IMAGE_TYPES))}"
    try:
        content = base64.b64decode(str(source.get("data", "")), validate=True)
    except (binascii.Error, ValueError):
        yield f"{where}.base64.data: Invalid base64 data"
        return
    if len(content) > IMAGE_MAX_BYTES:
        yield f"{where}.base64: image exceeds 5 MB maximum: {len(content)} bytes > {IMAGE_MAX_BYTES} bytes"
    try:
        with Image.open(io.BytesIO(content)) as image:
            if Image.MIME.get(image.format or "") != source.get("media_type"):
                yield f"{where}: The image was specified using another media type than it appears to be"
            if max(image.size) > IMAGE_MAX_PIXELS:
                yield f"{where}: At least one of the image dimensions exceed max allowed size: 8000 pixels"
    except UnidentifiedImageError:
        yield f"{where}: Could not process image"


def _tool_results(request: dict[str, Any]) -> Iterator[str]:
    """Source: platform.claude.com, "Handle tool calls"."""
    asked: list[str] = []
    seen: set[str] = set()
    for at, message in enumerate(_dialogue(request)):
        blocks = _blocks(message)
        answered = [block.get("tool_use_id") for block in blocks if block["type"] == "tool_result"]
        for tool_use_id in answered:
            if tool_use_id not in asked:
                yield (
                    f"messages.{at}: unexpected `tool_use_id` found in `tool_result` blocks: {tool_use_id}. Each"
                    " `tool_result` block must have a corresponding `tool_use` block in the previous message."
                )
        if len(set(answered)) != len(answered):
            yield f"messages.{at}: each tool_use must have a single result"
        for tool_use_id in asked:
            if tool_use_id not in answered:
                yield (
                    f"messages.{at - 1}: `tool_use` ids were found without `tool_result` blocks immediately"
                    f" after: {tool_use_id}."
                )
        if any(block["type"] != "tool_result" for block in blocks[: len(answered)]):
            yield f"messages.{at}: `tool_result` blocks must come first in the content"
        asked = [block["id"] for block in blocks if block["type"] == "tool_use"]
        if len(set(asked)) != len(asked) or seen & set(asked):
            yield f"messages.{at}: `tool_use` ids must be unique"
        seen.update(asked)


def _cache_marks(request: dict[str, Any]) -> Iterator[str]:
    """Source: platform.claude.com, prompt caching; anthropic.types.CacheControlEphemeralParam."""
    marks = [part["cache_control"] for part in cacheable(request) if part.get("cache_control")]
    if len(marks) > CACHE_MARKS_MAX:
        yield f"A maximum of {CACHE_MARKS_MAX} blocks with cache_control may be provided. Found {len(marks)}."
    for part in cacheable(request):
        if part.get("cache_control") and part.get("type") in {"thinking", "redacted_thinking"}:
            yield "cache_control cannot be set on thinking blocks"
    for mark in marks:
        if mark.get("type") != "ephemeral" or mark.get("ttl", "5m") not in {"5m", "1h"}:
            yield "cache_control: Input should be {'type': 'ephemeral'} with a ttl of '5m' or '1h'"


def cacheable(request: dict[str, Any]) -> list[dict[str, Any]]:
    """Every part that can carry a cache mark, in the cache's order."""
    system = request.get("system", [])
    return [
        *request.get("tools", []),
        *([{"type": "text", "text": system}] if isinstance(system, str) else system),
        *(block for message in _dialogue(request) for block in _blocks(message)),
    ]


def _dialogue(request: dict[str, Any]) -> list[dict[str, Any]]:
    """The messages, with consecutive ones of one role joined as the API does."""
    joined: list[dict[str, Any]] = []
    for message in request["messages"]:
        if joined and joined[-1]["role"] == message.get("role"):
            joined[-1] = {"role": message["role"], "content": [*_blocks(joined[-1]), *_blocks(message)]}
        else:
            joined.append({"role": message.get("role"), "content": _blocks(message)})
    return joined


def _blocks(message: dict[str, Any]) -> list[dict[str, Any]]:
    content = message.get("content") or []
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


RULES: tuple[Callable[[dict[str, Any]], Iterator[str]], ...] = (
    _surrogates, _fields, _thinking, _messages, _tools, _tool_results, _searches, _cache_marks, _images,
)  # fmt: skip
