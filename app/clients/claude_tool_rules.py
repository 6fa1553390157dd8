"""The rules of `POST /v1/messages` for tools: one bad tool has the whole request refused."""

import re
from collections.abc import Iterator
from functools import reduce
from typing import Any

TOOL_FIELDS = {
    "name", "description", "input_schema", "type", "strict", "cache_control", "input_examples", "defer_loading",
    "allowed_callers", "eager_input_streaming",
}  # fmt: skip
"""Source: anthropic.types.ToolParam."""
WEB_SEARCH_TOOLS = {"web_search_20250305", "web_search_20260209", "web_search_20260318"}
"""Source: anthropic.types.WebSearchTool20250305Param and its like."""
WEB_SEARCH_FIELDS = {
    "name", "type", "allowed_callers", "allowed_domains", "blocked_domains", "cache_control", "defer_loading",
    "max_uses", "strict", "user_location",
}  # fmt: skip
STRICT_TOOLS_MAX = 20
STRICT_OPTIONALS_MAX = 24
STRICT_UNIONS_MAX = 16
"""Source: platform.claude.com, structured outputs; genkit-ai/genkit issue 5230, elizaOS/eliza issue 16499,
elie222/inbox-zero issue 2323."""
KEY = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
NOT_IN_STRICT = {
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "maxItems",
    "uniqueItems", "minProperties", "maxProperties",
}  # fmt: skip
"""Words of JSON Schema that a `strict` tool may not use."""


def tool_refusal(tool: dict[str, Any]) -> str | None:
    """The API's sentence against one tool: with it every request that offers the tool would be refused."""
    return next(of_tool(tool, "tools.0"), None)


def of_tool(tool: dict[str, Any], where: str) -> Iterator[str]:
    """Source: the API's reference, and its sentences in public issues."""
    if not re.fullmatch(r"[a-zA-Z0-9_-]{1,128}", str(tool.get("name", ""))):
        yield f"{where}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'"
    if tool.get("type") in WEB_SEARCH_TOOLS:
        yield from _web_search(tool, where)
        return
    for name in tool.keys() - TOOL_FIELDS:
        yield f"{where}.custom.{name}: Extra inputs are not permitted"
    schema = tool.get("input_schema")
    if not isinstance(schema, dict) or schema.get("type") != "object":
        yield f"{where}.custom.input_schema.type: Field required"
        return
    if {"oneOf", "allOf", "anyOf"} & schema.keys():
        said = "input_schema does not support oneOf, allOf, or anyOf at the top level"
        yield f"{where}.custom.input_schema: {said}"
    for part in _schemas(schema):
        keys = part.get("properties")
        if isinstance(keys, dict) and not all(KEY.fullmatch(str(key)) for key in keys):
            pattern = f"Property keys should match pattern '^{KEY.pattern}$'"
            yield f"{where}.custom.input_schema.properties: {pattern}"
    if tool.get("strict"):
        yield from _strict_schema(schema, where)


def _schemas(schema: Any) -> Iterator[dict[str, Any]]:
    """A schema and those within it."""
    if isinstance(schema, list):
        for item in schema:
            yield from _schemas(item)
    if not isinstance(schema, dict):
        return
    yield schema
    for key, part in schema.items():
        # Below these the keys are names, not words of the schema.
        yield from _schemas(list(part.values()) if key in {"properties", "$defs"} and isinstance(part, dict) else part)


def of_strict_tools(tools: list[dict[str, Any]]) -> Iterator[str]:
    """The limits of all strict tools together, and those of each that its words alone do not break.

    The grammar of them has one more, which nobody publishes: seven strict tools were refused once, thirteen another
    time (anthropic-sdk-typescript issue 885, anthropic-sdk-python issue 1185). Keepsake has no strict tool.
    Source: platform.claude.com, structured outputs, "Complexity limits" and "JSON Schema limitations".
    """
    strict = {at: tool["input_schema"] for at, tool in enumerate(tools) if tool.get("strict")}
    if len(strict) > STRICT_TOOLS_MAX:
        yield (
            f"Too many strict tools ({len(strict)}). The maximum number of strict tools supported is "
            f"{STRICT_TOOLS_MAX}."
        )
    optional = {at: sum(map(_optionals, _schemas(schema))) for at, schema in strict.items()}
    if sum(optional.values()) > STRICT_OPTIONALS_MAX:
        yield (
            f"Schemas contains too many optional parameters ({sum(optional.values())}), which would make grammar "
            "compilation inefficient. Reduce the number of optional parameters in your tool schemas (limit: "
            f"{STRICT_OPTIONALS_MAX})."
        )
    parts = [part for schema in strict.values() for part in _schemas(schema)]
    unions = sum(1 for part in parts if "anyOf" in part or isinstance(part.get("type"), list))
    if unions > STRICT_UNIONS_MAX:
        yield (
            f"Schemas contains too many parameters with union types ({unions}). Reduce the number of them (limit: "
            f"{STRICT_UNIONS_MAX})."
        )
    for at, schema in strict.items():
        if _recurs(schema):
            yield f"tools.{at}.custom.input_schema: '$ref' may not be recursive"
        if optional[at] >= STRICT_OPTIONALS_MAX:
            yield "Schema is too complex for compilation. Try reducing the number of tools or simplifying tool schemas."


def _optionals(schema: dict[str, Any]) -> int:
    return len(set(schema.get("properties", {})) - set(schema.get("required", [])))


def _recurs(schema: dict[str, Any], ref: str = "#", behind: tuple[str, ...] = ()) -> bool:
    """Whether a reference leads back to one that it stands behind."""
    target = reduce(lambda part, key: part.get(key, {}), ref.removeprefix("#").split("/")[1:], schema)
    return ref in behind or any(
        _recurs(schema, part["$ref"], (*behind, ref)) for part in _schemas(target) if "$ref" in part
    )


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


def _strict_schema(schema: dict[str, Any], where: str) -> Iterator[str]:
    """Source: platform.claude.com, structured outputs, "JSON Schema limitations"."""
    for part in _schemas(schema):
        if part.get("type") == "object" and part.get("additionalProperties") is not False:
            yield f"{where}: For 'object' type, 'additionalProperties' must be explicitly set to false"
        for word in NOT_IN_STRICT & part.keys():
            yield f"{where}: For '{part.get('type')}' type, property '{word}' is not supported"
