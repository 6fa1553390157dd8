"""Tool servers that the operator connects, by the Model Context Protocol over HTTP; they follow our own laws.

Each question is a connection of its own: whatever hangs or breaks there ends with it.
Reasons: docs/decisions/0027-sources.md.
"""

import json
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, TypeVar
from xml.sax.saxutils import escape

import anyio
import httpx2
import mcp_types
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from app.clients.claude_tool_rules import of_tool
from app.clients.fetching import addresses_of, origin_of
from app.errors import Refused, SourceError
from app.services import Clock
from app.services.tool import ANYTHING, Tool
from app.settings.validators import ToolServer
from app.text.own_words import says_yes
from app.tools.context import ToolContext

logger = logging.getLogger(__name__)

LISTED_SECONDS = 600.0  # A list of tools is used for this long.
MISSED_SECONDS = 120.0  # A server that gave no list is not asked again for this long.
LIST_SECONDS = 3.0  # Now and then a person waits for it.
CALL_SECONDS = 20.0  # Or what is left of the turn, if that is less.
MAX_BYTES = 1024 * 1024  # All answers to one question.
MAX_TOOLS = 30  # Of one server: each tool is paid for in every request.
MAX_NAME_CHARS = 64  # The lowest limit among models.
MAX_DESCRIPTION_CHARS = 500
MAX_SCHEMA_CHARS = 6000
MAX_ERROR_CHARS = 500
MAX_RESULT_CHARS = 8000  # Four pages, which are paid for as input.
WEB_SEARCH = "web_search"  # Claude's own; two tools of the same name are refused.
_REFUSED = "It refused the token (HTTP 401). Compare its entry in MCP_SERVERS with the server's own."
_TOO_LARGE = "Its answer is compressed, or longer than a megabyte."

T = TypeVar("T")


@dataclass
class _Known:
    """The tools of one server, as last listed."""

    server: ToolServer
    tools: list[Tool] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)  # Its tools that cannot be offered, each with the reason.
    ask_again_at: float = 0.0


class McpServers:
    """The servers of the settings."""

    def __init__(self, clock: Clock, servers: Sequence[ToolServer]) -> None:
        self._clock = clock
        self._known = [_Known(server) for server in servers]

    def tools(self) -> Sequence[Tool]:
        """Their tools, always in the same order; for a server that is down, its last known ones, or none."""
        for known in self._known:
            now = self._clock.monotonic()
            if now >= known.ask_again_at:
                known.ask_again_at = now + MISSED_SECONDS  # Set before asking, so that nobody else asks meanwhile.
                self._list(known)
        return [tool for known in self._known for tool in known.tools]

    def left_out(self) -> Sequence[str]:
        """Known tools that cannot be offered: server, tool and reason."""
        return [why for known in self._known for why in known.left_out]

    def _list(self, known: _Known) -> None:
        try:
            tools = _ask(known.server, _listed, LIST_SECONDS)
        except Exception as error:  # noqa: BLE001  (a server may fail in any way; the assistant goes on without it)
            logger.warning("The tool server %s cannot be asked for its tools: %s", known.server.name, _kinds(error))
            return
        known.tools, known.left_out = _offered(known.server, tools)
        known.ask_again_at = self._clock.monotonic() + LISTED_SECONDS


async def _listed(client: Client) -> list[mcp_types.Tool]:
    """Its tools, of which it may give a page at a time; of very many at least `MAX_TOOLS`."""
    page = await client.list_tools()
    tools = [*page.tools]
    while page.next_cursor is not None and len(tools) < MAX_TOOLS:
        page = await client.list_tools(cursor=page.next_cursor)
        tools += page.tools
    return tools


def _offered(server: ToolServer, tools: Sequence[mcp_types.Tool]) -> tuple[list[Tool], list[str]]:
    """The tools that can be offered, and those that cannot, each with its reason."""
    found: dict[str, Tool] = {}
    left_out: list[str] = []
    for tool in sorted(tools, key=lambda tool: tool.name)[:MAX_TOOLS]:
        name = f"{server.name}_{re.sub(r'[^a-zA-Z0-9_-]', '_', tool.name)}"
        schema = tool.input_schema
        why_not = "another of its tools has that name too" if name in found else _why_not(name, schema)
        if why_not:
            left_out.append(f"{server.name} {tool.name[:MAX_NAME_CHARS]}: {why_not}")
            logger.warning("A tool of the server %s is not offered: %s", server.name, why_not)
            continue
        found[name] = _as_tool(server, tool, name)
    return list(found.values()), left_out


def _as_tool(server: ToolServer, theirs: mcp_types.Tool, name: str) -> Tool:
    """Their tool as the model sees it, with the server's name in front: `home_lights`."""
    hints = theirs.annotations
    # A server may declare that a tool writes; only the operator can declare that it does not.
    says_so = hints is not None and (hints.read_only_hint is False or bool(hints.destructive_hint))
    writes = theirs.name in server.writing or says_so

    def call(ctx: ToolContext, given: object) -> dict[str, Any]:
        if not isinstance(given, dict):
            raise Refused(f"The input of {name} has to be an object. Call it again, corrected.")
        if writes:
            _check_may_write(ctx)
        with ctx.services.background.leave_desk():
            words = _call_tool(server, theirs.name, given, ctx.seconds_left(CALL_SECONDS))
        left_out = len(words) - MAX_RESULT_CHARS
        # Escaped as data, so that it cannot look like our own markup.
        return {"data": escape(words[:MAX_RESULT_CHARS]), **({"characters_left_out": left_out} if left_out > 0 else {})}

    return Tool(
        function=call,
        proves=ANYTHING,
        writes=writes,
        needs_memory=False,
        brings_others_words=True,
        name=name,
        description=" ".join((theirs.description or theirs.name).split())[:MAX_DESCRIPTION_CHARS],
        input_schema=theirs.input_schema,
    )


def _check_may_write(ctx: ToolContext) -> None:
    if ctx.is_again:
        raise Refused(
            "Nothing was done now: this turn was interrupted before, and it may have been done then. Say so, and let "
            "them ask again if it was not."
        )
    if ctx.may_come_from_others("") and not says_yes(ctx.own_words):
        raise Refused(
            "Nothing was done: this turn holds words of others, and the person has not said yes to it. Tell them what "
            "you would do, and do it when their next text says yes."
        )


def _call_tool(server: ToolServer, name: str, given: dict[str, Any], seconds: float) -> str:
    """The answer of one of its tools, within `seconds`.

    Raises:
        SourceError: it gave no answer, or refused.
    """
    try:
        result = _ask(server, lambda client: client.call_tool(name, given), seconds)
    except Exception as error:  # noqa: BLE001  (a server may fail in any way; the model is told in a sentence)
        logger.warning("The tool server %s did not answer a call: %s", server.name, _kinds(error))
        raise SourceError(
            f"The server '{server.name}' gave no answer. It may work again in a little while; whether anything was "
            "done there is not known."
        ) from None
    words = [block.text if block.type == "text" else f"[{block.type}]" for block in result.content]
    if not words and result.structured_content is not None:
        words = [json.dumps(result.structured_content, ensure_ascii=False)]
    said = "\n".join(words).replace("\0", "\ufffd")  # PostgreSQL cannot store NUL.
    if result.is_error:
        raise SourceError(f"The server '{server.name}' refused it: {escape(said[:MAX_ERROR_CHARS])}")
    return said


def _why_not(name: str, schema: dict[str, Any]) -> str | None:
    """The reason not to offer a tool: one that the API refuses would have every request refused."""
    if len(name) > MAX_NAME_CHARS or len(json.dumps(schema)) > MAX_SCHEMA_CHARS:
        return "its name or its input is too long"
    if name == WEB_SEARCH:
        return "Claude has a tool of that name"
    return next(of_tool({"name": name, "input_schema": schema}, "tools.0"), None)


def _ask(server: ToolServer, ask: Callable[[Client], Awaitable[T]], seconds: float) -> T:
    url = httpx2.URL(server.url)  # A lookup that hangs would outlive `fail_after`: the loop waits for its thread.
    if not addresses_of(url.host, origin_of(url)[2] or 443, seconds):
        raise SourceError("Its name could not be looked up.")

    async def talk() -> T:
        headers = {"User-Agent": "keepsake", "Accept-Encoding": "identity"}
        if server.token:
            headers["Authorization"] = f"Bearer {server.token}"
        with anyio.fail_after(seconds):
            async with (
                httpx2.AsyncClient(
                    headers=headers, timeout=seconds, trust_env=False, follow_redirects=False, transport=_Bounded()
                ) as http,
                Client(streamable_http_client(server.url, http_client=http), cache=None) as client,
            ):
                return await ask(client)

    # On a thread of its own: the caller's thread may already run an event loop, which would refuse another.
    with ThreadPoolExecutor(1, "mcp") as thread:
        return thread.submit(anyio.run, talk).result()


def _kinds(error: BaseException) -> str:
    """The classes of an error, or our own words: others' may hold a person's question, or a token."""
    if isinstance(error, BaseExceptionGroup):
        return ", ".join(dict.fromkeys(_kinds(one) for one in error.exceptions))
    return str(error) if isinstance(error, SourceError) else type(error).__name__


class _Bounded(httpx2.AsyncHTTPTransport):
    """Lets through at most `MAX_BYTES` over all answers together, and nothing compressed."""

    bytes_left = MAX_BYTES

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        answer = await super().handle_async_request(request)
        is_refused = answer.status_code == HTTPStatus.UNAUTHORIZED
        if is_refused or answer.headers.get("content-encoding", "identity").strip().lower() != "identity":
            await answer.aclose()
            raise SourceError(_REFUSED if is_refused else _TOO_LARGE)
        assert isinstance(answer.stream, httpx2.AsyncByteStream)  # noqa: S101  (for the type checker: it came over a socket)
        answer.stream = _Counted(answer.stream, self)
        return answer


class _Counted(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream, bounds: _Bounded) -> None:
        self._stream = stream
        self._bounds = bounds

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._stream:
            self._bounds.bytes_left -= len(chunk)
            if self._bounds.bytes_left < 0:
                raise SourceError(_TOO_LARGE)
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()
