"""The rules of `POST /v1/messages` for tools: every request that offers a tool which breaks one is refused."""

import re
from collections.abc import Iterator
from typing import Any

KEY = re.compile(r"[a-zA-Z0-9_.-]{1,64}")


def of_tool(tool: dict[str, Any], where: str) -> Iterator[str]:
    """The API's error sentences for one tool. Source: its reference, and its sentences in public issues."""
    if not re.fullmatch(r"[a-zA-Z0-9_-]{1,128}", str(tool.get("name", ""))):
        yield f"{where}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'"
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


def _schemas(schema: Any) -> Iterator[dict[str, Any]]:
    """The schema and all schemas within it."""
    if isinstance(schema, list):
        for item in schema:
            yield from _schemas(item)
    if not isinstance(schema, dict):
        return
    yield schema
    for key, part in schema.items():
        # Below these two, keys are names and not keywords of the schema.
        yield from _schemas(list(part.values()) if key in {"properties", "$defs"} and isinstance(part, dict) else part)
