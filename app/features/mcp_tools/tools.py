"""Tools of servers that the operator has connected, offered beside our own and called under the same laws."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from app.errors import Refused
from app.services import Services
from app.services.tool import ANYTHING, Tool
from app.text.own_words import says_yes
from app.tools.context import ToolContext

if TYPE_CHECKING:
    from app.features.mcp_tools.servers import McpServers, ServerTool

MAX_RESULT_CHARS = 8000  # Four pages: what is read is paid for.
MOST_SECONDS = 25.0
WEB_SEARCH = "web_search"  # Claude's own; two tools of one name are refused.


def connected_servers(services: Services) -> "McpServers | None":
    """Those of the settings; None where there are none."""
    if not services.settings.tool_servers:
        return None
    from app.features.mcp_tools.servers import McpServers  # noqa: PLC0415  (its libraries take a while to load)

    return McpServers(services.clock, services.settings.tool_servers)


def server_tools(services: Services) -> Sequence[Tool]:
    """The tools of all servers, always in the same order."""
    servers = services.once(connected_servers)
    return [_as_tool(servers, one) for one in servers.server_tools() if one.name != WEB_SEARCH] if servers else []


def _as_tool(servers: "McpServers", theirs: "ServerTool") -> Tool:
    def call(ctx: ToolContext, given: object) -> dict[str, Any]:
        if not isinstance(given, dict):
            raise Refused(f"The input of {theirs.name} has to be an object. Call it again, corrected.")
        if theirs.writes:
            _check_may_write(ctx)
        with ctx.services.background.away():
            words = servers.call_tool(theirs.name, given, ctx.seconds_left(MOST_SECONDS))
        left_out = len(words) - MAX_RESULT_CHARS
        # Data, which looks like no markup of ours.
        return {"data": escape(words[:MAX_RESULT_CHARS]), **({"characters_left_out": left_out} if left_out > 0 else {})}

    return Tool(
        function=call,
        proves=ANYTHING,
        writes=theirs.writes,
        needs_memory=False,
        brings_others_words=True,
        name=theirs.name,
        description=theirs.description,
        input_schema=theirs.input_schema,
    )


def _check_may_write(ctx: ToolContext) -> None:
    if ctx.is_again:
        raise Refused(
            "Nothing was done now: this turn was interrupted before, and it may have been done then. Say so, and let "
            "them ask again if it was not."
        )
    if ctx.others_say("") and not says_yes(ctx.own):
        raise Refused(
            "Nothing was done: this turn holds words of others, and the person has not said yes to it. Tell them what "
            "you would do, and do it when their next text says yes."
        )
