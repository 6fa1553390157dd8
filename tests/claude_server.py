"""A stand-in for `POST /v1/messages` and `GET /v1/models/{name}`, on a real socket of this machine.

    with ClaudeServer(call("extract_memory", {"facts": []}), say("Noted.")) as server:
        model_at(server, clock).complete(…)

It answers from a script and refuses what the real API refuses (`tests/claude_rules.py`). It thinks before it calls a
tool, and accepts its thoughts back only in their original place (`tests/claude_thoughts.py`). It counts four characters
as a token, and has a prompt cache. A request without an answer in the script fails the test when the `with` block
ends.
"""

import itertools
import json
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from app.clients.claude import ClaudeModel
from app.services import Clock
from tests.claude_rules import BODY_MAX_BYTES, PREFILLED, cacheable, refusal
from tests.claude_thoughts import Thoughts, thinks
from tests.loopback import Handler, Http, StandIn

CHARS_PER_TOKEN = 4
LOOKBACK_BLOCKS = 20  # Source: platform.claude.com, prompt caching.
DRIP_SECONDS = 0.02  # The pause between two bytes of a dripping reply.

Block = dict[str, Any]


@dataclass(frozen=True)
class Reply:
    """The answer to one request."""

    content: list[Block] = field(default_factory=list)
    stop_reason: str | None = "end_turn"
    raw: bytes | None = None  # A body to send instead of a message.
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    without: tuple[str, ...] = ()  # Fields to leave out of the message, as weak servers do.
    pace: Literal["at once", "drip headers", "drip body", "cut body", "cut", "hang"] = "at once"
    until: threading.Event | None = None  # The reply is held back until this is set.


Script = Reply | Callable[[dict[str, Any]], Reply]


def text(words: str) -> Block:
    return {"type": "text", "text": words}


def tool(name: str, arguments: Mapping[str, Any]) -> Block:
    """A tool call; the server adds an id."""
    return {"type": "tool_use", "name": name, "input": dict(arguments)}


def several(blocks: list[Block], stop_reason: str | None = None) -> Reply:
    calls = any(block["type"] == "tool_use" for block in blocks)
    return Reply(content=blocks, stop_reason=stop_reason or ("tool_use" if calls else "end_turn"))


def say(words: str, stop_reason: str | None = "end_turn") -> Reply:
    return Reply(content=[text(words)], stop_reason=stop_reason)


def call(name: str, arguments: Mapping[str, Any], words: str | None = None) -> Reply:
    return several([*([text(words)] if words else []), tool(name, arguments)])


def raw(status: int, body: bytes, headers: Mapping[str, str] | None = None) -> Reply:
    return Reply(raw=body, status=status, headers=headers or {"content-type": "application/json"})


def html(status: int = 200) -> Reply:
    """The page of a captive portal or a proxy."""
    return raw(status, b"<!doctype html><title>Sign in to the Wi-Fi</title>", {"content-type": "text/html"})


def truncated() -> Reply:
    """Half of a message's JSON, with a matching content length."""
    return raw(200, b'{"id": "msg_1", "type": "message", "role": "assistant", "content": [{"type": "te')


def error(
    status: int, kind: str, message: str = "…", *, code: str | None = None, headers: Mapping[str, str] | None = None
) -> Reply:
    """An error in the API's own shape; `code` is `error.details.error_code`."""
    problem: dict[str, Any] = {"type": kind, "message": message}
    if code:
        problem["details"] = {"error_code": code}
    body = {"type": "error", "error": problem, "request_id": "req_011CLoopback"}
    return raw(status, json.dumps(body).encode(), {"content-type": "application/json", **(headers or {})})


def rate_limited(*, retry_after: str | None = None, code: str | None = None) -> Reply:
    headers = {} if retry_after is None else {"retry-after": retry_after}
    return error(429, "rate_limit_error", code=code, headers=headers)


def overloaded() -> Reply:
    return error(529, "overloaded_error", "Overloaded")


def drip(part: Literal["headers", "body"]) -> Reply:
    """A message that arrives byte by byte and takes far longer than any test waits."""
    return replace(say("drip " * 200), pace="drip headers" if part == "headers" else "drip body")


def hang() -> Reply:
    """No answer until either side closes the connection."""
    return Reply(pace="hang")


def cut(part: Literal["all", "body"] = "all") -> Reply:
    """A connection that is closed without an answer, or in the middle of one."""
    return replace(say("cut"), pace="cut" if part == "all" else "cut body")


@dataclass(frozen=True)
class Asked:
    """One request as received."""

    json: dict[str, Any]
    headers: dict[str, str]  # With names in lower case.


class PromptCache:
    """A prompt cache: everything before a cache mark is written once, and read from then on."""

    def __init__(self, min_tokens: int = 0) -> None:
        self._min_tokens = min_tokens
        self._cached: set[str] = set()

    def usage(self, request: dict[str, Any], content: list[dict[str, Any]]) -> dict[str, Any]:
        """Token counts in the form of the API.

        Before a new mark, the cache is searched for prefixes that ended up to 20 blocks earlier.
        """
        marked: list[tuple[str, int]] = []
        read, before = 0, request["model"]
        ends: list[tuple[str, int]] = []
        for part in cacheable(request):
            before += json.dumps({name: value for name, value in part.items() if name != "cache_control"})
            ends.append((before, len(before) // CHARS_PER_TOKEN))
            if part.get("cache_control") and ends[-1][1] >= self._min_tokens:
                marked.append(ends[-1])
                looked = ends[-LOOKBACK_BLOCKS - 1 :]
                read = max(read, *(tokens if prefix in self._cached else 0 for prefix, tokens in looked))
        kept = max((tokens for _, tokens in marked), default=0)
        self._cached.update(prefix for prefix, _ in marked)
        return {
            "input_tokens": max(len(before) // CHARS_PER_TOKEN - kept, 0),
            "cache_creation_input_tokens": kept - read,
            "cache_read_input_tokens": read,
            "cache_creation": {"ephemeral_5m_input_tokens": kept - read, "ephemeral_1h_input_tokens": 0},
            "output_tokens": max(len(json.dumps(content)) // CHARS_PER_TOKEN, 1),
        }


class ClaudeServer(StandIn):
    """Listens while the `with` block runs. It uses `replies` in turn; then every request gets `otherwise`."""

    def __init__(
        self,
        *replies: Script,
        otherwise: Script | None = None,
        models: frozenset[str] = frozenset({"claude-sonnet-5-5", "claude-haiku-5-5"}),
        cache_min_tokens: int = 0,
    ) -> None:
        self.key = "sk-ant-loopback-0123456789"
        self.otherwise = otherwise
        self.models = models
        self.fates: dict[str, dict[str, Any]] = {}
        """Further fields of a model in the list of models: `lifecycle`, `retires_at`."""
        self.has_list = True
        """True if there is a list of models; local servers have none."""
        self._cache = PromptCache(cache_min_tokens)
        self._thoughts = Thoughts()
        self.asked: list[Asked] = []
        self.refused: list[str] = []
        """The messages of refusals, in order; empty if all requests were good."""
        self.hung_up = threading.Event()
        """Set when the client closes the connection before it has the whole reply."""
        self._replies = deque(replies)
        self._unscripted = 0
        self._paused: list[list[Block]] = []
        self._numbers = itertools.count(1)
        self._changed = threading.Condition()
        super().__init__(_Handler)

    @property
    def requests(self) -> list[dict[str, Any]]:
        """The JSON of every request, in order."""
        return [asked.json for asked in self.asked]

    def queue(self, *replies: Script) -> None:
        with self._changed:
            self._replies.extend(replies)

    def wait_for(self, count: int, seconds: float = 10.0) -> bool:
        """Wait up to `seconds` for `count` requests; True if they came."""
        with self._changed:
            return self._changed.wait_for(lambda: len(self.asked) >= count, seconds)

    def __exit__(self, *raised: object) -> None:
        super().__exit__(*raised)
        if not any(raised):
            assert not self._unscripted, f"{self._unscripted} requests came for which the script has no reply."

    def wait_until(self, event: threading.Event) -> None:
        """Return when the event is set or the server closes."""
        while not event.wait(DRIP_SECONDS) and not self.closing.is_set():
            pass

    def reply_to(self, body: bytes, headers: dict[str, str]) -> Reply:
        """The reply to one request: a refusal if it breaks a rule, otherwise the next reply of the script."""
        try:
            request = json.loads(body)
        except ValueError:
            return self._refuse(400, "invalid_request_error", "The request body is not valid JSON")
        with self._changed:
            self.asked.append(Asked(request, headers))
            self._changed.notify_all()
        if headers.get("authorization") != f"Bearer {self.key}":
            return self._refuse(401, "authentication_error", "invalid bearer token")
        if len(body) > BODY_MAX_BYTES:
            return self._refuse(413, "request_too_large", "Request exceeds the maximum size")
        if problem := self._problem(request, headers):
            return self._refuse(400, "invalid_request_error", problem)
        if request["model"] not in self.models:
            return self._refuse(404, "not_found_error", f"model: {request['model']}")
        return self._scripted(request)

    def model_info(self, name: str, headers: dict[str, str]) -> Reply:
        """The reply to `GET /v1/models/{name}`."""
        if not self.has_list:
            return raw(404, b"404 page not found", {"content-type": "text/plain"})
        if headers.get("authorization") != f"Bearer {self.key}":
            return error(401, "authentication_error", "invalid bearer token")
        if name not in self.models | self.fates.keys():
            return error(404, "not_found_error", f"model: {name}")
        info = {"id": name, "type": "model", "display_name": name, "created_at": "2026-01-01T00:00:00Z"}
        fate = {"lifecycle": "active", "retires_at": None, **self.fates.get(name, {})}
        return raw(200, json.dumps({**info, **fate}).encode())

    def _problem(self, request: dict[str, Any], headers: dict[str, str]) -> str | None:
        if "anthropic-version" not in headers:
            return "anthropic-version: header is required"
        problem = refusal(request) or self._thoughts.refusal(request)
        return problem or (None if self._goes_on(request) else PREFILLED)

    def _goes_on(self, request: dict[str, Any]) -> bool:
        """True if the last message is the person's, or a paused turn sent back unchanged."""
        last = request["messages"][-1]
        content = last["content"]
        return last["role"] == "user" or any(content[-len(paused) :] == paused for paused in self._paused)

    def _refuse(self, status: int, kind: str, message: str) -> Reply:
        self.refused.append(message)
        return error(status, kind, message)

    def _scripted(self, request: dict[str, Any]) -> Reply:
        with self._changed:
            script = self._replies.popleft() if self._replies else self.otherwise
            if script is None:
                self._unscripted += 1
                return error(500, "api_error", "The script of the test has no reply left.")
        reply = script if isinstance(script, Reply) else script(request)
        if reply.raw is not None:
            return reply
        return replace(reply, raw=json.dumps(self._message(reply, request)).encode())

    def _message(self, reply: Reply, request: dict[str, Any]) -> dict[str, Any]:
        with self._changed:
            content = [
                {"id": f"toolu_{next(self._numbers):04}", **block} if block.get("type") == "tool_use" else block
                for block in reply.content
            ]
            answer = self._thoughts.thought if thinks(request["model"]) else self._thoughts.signed
            content = answer(request, content)
            if reply.stop_reason == "pause_turn":
                self._paused.append(content)
            usage = self._cache.usage(request, content)
            searches = sum(1 for block in content if block.get("type") == "server_tool_use")
            if searches:
                usage["server_tool_use"] = {"web_search_requests": searches, "web_fetch_requests": 0}
            number = next(self._numbers)
        message = {
            "id": f"msg_{number:04}",
            "type": "message",
            "role": "assistant",
            "model": request["model"],
            "content": content,
            "stop_reason": reply.stop_reason,
            "stop_sequence": None,
            "usage": usage,
        }
        return {name: value for name, value in message.items() if name not in reply.without}


class _Handler(Handler):
    """Sends a reply at once, byte by byte, or cut off."""

    server: Http[ClaudeServer]

    def get(self) -> None:
        self._send(self.server.stand_in.model_info(self.path.removeprefix("/v1/models/"), self.lowered))

    def post(self) -> None:
        claude, body = self.server.stand_in, self.body()
        if self.path == "/v1/messages":
            reply = claude.reply_to(body, self.lowered)
        else:
            reply = error(404, "not_found_error", f"no such path: {self.path}")
        if reply.until is not None:
            claude.wait_until(reply.until)
        try:
            self._send(reply)
        except OSError:
            claude.hung_up.set()
            self.close_connection = True

    def _send(self, reply: Reply) -> None:
        body = reply.raw or b""
        fields = {"content-type": "application/json", "request-id": "req_011CLoopback", **reply.headers}
        lines = [f"HTTP/1.1 {reply.status} Reply", *(f"{name}: {value}" for name, value in fields.items())]
        head = "\r\n".join([*lines, f"content-length: {len(body)}", "", ""]).encode()
        self.close_connection = reply.pace != "at once"
        match reply.pace:
            case "at once":
                self.wfile.write(head + body)
            case "cut body":
                self.wfile.write(head + body[: len(body) // 2])
            case "drip headers":
                self._drip(head + body)
            case "drip body":
                self.wfile.write(head)
                self._drip(body)
            case "hang":
                self._wait_for_the_other_side()

    def _drip(self, data: bytes) -> None:
        for byte in data:
            self.wfile.write(bytes([byte]))
            if self.server.stand_in.closing.wait(DRIP_SECONDS):
                return

    def _wait_for_the_other_side(self) -> None:
        # The client has sent its whole request, so the next read returns when it closes the connection.
        if not self.connection.recv(1) and not self.server.stand_in.closing.is_set():
            self.server.stand_in.hung_up.set()


def model_at(server: ClaudeServer, clock: Clock, name: str = "claude-sonnet-5-5") -> ClaudeModel:
    """Claude's real client, connected to the stand-in; the caller closes it."""
    return ClaudeModel(api_key=server.key, model=name, base_url=server.url, clock=clock)
