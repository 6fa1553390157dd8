"""The stand-in for Claude must refuse what the real API refuses, or tests that pass against it mean nothing."""

import base64
from typing import Any

import httpx2
import pytest

from tests.claude_rules import BODY_MAX_BYTES, IMAGE_MAX_BYTES, RULES, refusal
from tests.claude_server import ClaudeServer
from tests.file_servers import picture
from tests.tables import rows
from tests.web_searches import searched

TOOL = {"name": "look", "input_schema": {"type": "object", "properties": {}, "additionalProperties": False}}
HELLO: dict[str, Any] = {"role": "user", "content": "Hello."}
CALL: dict[str, Any] = {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "look", "input": {}}]}
SEARCH = {"type": "web_search_20250305", "name": "web_search", "max_uses": 3}
SEARCHED: dict[str, Any] = {"role": "assistant", "content": searched("opening hours")}
RESULT = {"type": "tool_result", "tool_use_id": "t1", "content": "done"}
MARK = {"type": "ephemeral"}
BIG = base64.b64encode(picture("JPEG", (2001, 8))).decode()
JPEG = base64.b64encode(picture("JPEG")).decode()


def with_schema(schema: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"name": "look", "input_schema": {"type": "object", **schema}, **more}


def image(data: str = JPEG, media_type: str = "image/jpeg", kind: str = "base64") -> dict[str, Any]:
    return {"type": "image", "source": {"type": kind, "media_type": media_type, "data": data}}


def request(*messages: dict[str, Any], **changes: Any) -> dict[str, Any]:
    base = {"model": "claude-sonnet-5-5", "max_tokens": 10, "messages": list(messages or [HELLO]), "tools": [TOOL]}
    return {**base, **changes}


def user(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


def without(name: str) -> dict[str, Any]:
    return {field: value for field, value in request().items() if field != name}


@pytest.mark.parametrize(
    "good",
    [
        request(),
        request(HELLO, CALL, user(RESULT)),
        request(HELLO, CALL, user(RESULT, {"type": "text", "text": "And now?"})),
        request(HELLO, HELLO, {"role": "assistant", "content": "Hi."}, HELLO),
        request(tool_choice={"type": "none"}),
        request(system=[{"type": "text", "text": "Be kind.", "cache_control": MARK}]),
        request(user(image(), {"type": "text", "text": "What is this?"})),
        request(tools=[TOOL, SEARCH]),
        request(HELLO, SEARCHED, HELLO, tools=[TOOL, SEARCH]),
        request(tools=[with_schema({"properties": {"properties": {"$ref": "#/$defs/a b"}}})]),
        request(output_config={"effort": "low"}, thinking={"type": "between_tools"}),
        request(model="claude-haiku-5-5", tool_choice={"type": "any"}, thinking={"type": "disabled"}),
        request(user(*[image(BIG) for _ in range(20)])),
        request(user(image(base64.b64encode(picture("JPEG", (8000, 8))).decode()))),
        request(metadata={"user_id": "p" * 256}),
        request(HELLO, {"role": "assistant", "content": "I"}, model="claude-haiku-4-5"),
        request(system=[{"type": "text", "text": "Be kind.", "cache_control": {**MARK, "ttl": "1h"}}] * 4),
    ],
    ids=range(17),
)
def test_a_good_request_is_accepted(good: dict[str, Any]) -> None:
    assert refusal(good) is None


def searched_as(search_id: str) -> dict[str, Any]:
    asked, found = searched("opening hours")
    return {"role": "assistant", "content": [{**asked, "id": search_id}, {**found, "tool_use_id": search_id}]}


FOUND_NOTHING = {
    "role": "assistant",
    "content": [SEARCHED["content"][0], {**SEARCHED["content"][1], "content": [{"type": "web_search_result"}]}],
}
BROKEN: list[tuple[dict[str, Any], str]] = [
    *((request(**changes), said) for changes, said in rows("refused_requests.jsonl")),
    (without("max_tokens"), "max_tokens: Field required"),
    (request(tools=[{**TOOL, "name": "look up"}]), "String should match pattern"),
    (request(tools=[{**TOOL, "strict": True}]), "strict: this stand-in takes none"),
    (request(system=[{"type": "text", "text": str(n), "cache_control": MARK} for n in range(5)]), "maximum of 4"),
    (request(user(image(media_type="image/png"))), "another media type"),
    (request(user(image(media_type="image/svg+xml"))), "media_type"),
    (request(user(image(kind="url"))), "base64 only"),
    (request(HELLO, {"role": "assistant", "content": [image()]}, HELLO), "can not be used in assistant messages"),
    (request(tools=[{**TOOL, "colour": "red"}]), "tools.0.custom.colour: Extra inputs are not permitted"),
    (request(user(*[image(BIG) for _ in range(21)])), "many-image requests: 2000 pixels"),
    (request(HELLO, searched_as("toolu_1"), HELLO, tools=[SEARCH]), "'^srvtoolu_[a-zA-Z0-9_]+$'"),
    (request(HELLO, FOUND_NOTHING, HELLO, tools=[SEARCH]), "messages.1.content.1.content: Field required"),
    (request(user(image(base64.b64encode(bytes(IMAGE_MAX_BYTES + 1)).decode()))), "image exceeds 5 MB maximum"),
    (request(user(image(base64.b64encode(picture("JPEG", (8, 8001))).decode()))), "max allowed size: 8000 pixels"),
    (request(tools=[SEARCH | {"name": "search"}]), "Input should be 'web_search'"),
    (request(tools=[SEARCH | {"allowed_domains": ["a.org"], "blocked_domains": ["b.org"]}]), "only one of"),
    (request(user({"type": "text", "text": "Hi.", "cache_control": {"type": "kept"}})), "{'type': 'ephemeral'}"),
    (request(user({"type": "text", "text": "Hi.", "cache_control": {**MARK, "ttl": "2h"}})), "a ttl of '5m' or '1h'"),
]


@pytest.mark.parametrize(("bad", "said"), BROKEN, ids=range(len(BROKEN)))
def test_what_the_api_refuses_is_refused_with_its_words(bad: dict[str, Any], said: str) -> None:
    assert said in (refusal(bad) or "accepted")


def test_a_request_over_32_mb_is_refused_as_too_large() -> None:
    body = request(HELLO, system="x" * BODY_MAX_BYTES)
    with ClaudeServer() as server:
        headers = {"authorization": f"Bearer {server.key}", "anthropic-version": "2026-10-21"}
        with httpx2.Client(trust_env=False) as client:
            answer = client.post(f"{server.url}/v1/messages", json=body, headers=headers)
    assert (answer.status_code, answer.json()["error"]["type"]) == (413, "request_too_large")


def test_each_rule_has_a_source() -> None:
    assert [rule.__name__ for rule in RULES if "Source: " not in (rule.__doc__ or "")] == []
