"""Tools of servers that the operator has connected: offered beside our own, and called under what holds for others."""

from typing import Any
from xml.sax.saxutils import escape

from app.errors import Refused
from app.services import Services
from app.services.sources import ServerTool
from app.text.own_words import says_yes
from app.tools.context import ToolContext

MAX_RESULT_CHARS = 8000  # Four pages: what is read is paid for.
MOST_SECONDS = 25.0
WEB_SEARCH = "web_search"  # Claude's own; two tools of one name are refused.


def connected(services: Services) -> dict[str, ServerTool]:
    """By name, always in the same order."""
    theirs = () if services.tool_servers is None else services.tool_servers.server_tools()
    return {tool.name: tool for tool in theirs if tool.name != WEB_SEARCH}


def definition(tool: ServerTool) -> dict[str, Any]:
    """The tool as the Messages API takes it."""
    return {"name": tool.name, "description": tool.description, "input_schema": tool.input_schema}


def call(ctx: ToolContext, tool: ServerTool, given: object) -> dict[str, Any]:
    """What it answers: data, which looks like no markup of ours.

    Raises:
        Refused: it would change something where that may not be.
        SourceError: it gave no answer.
    """
    if not isinstance(given, dict):
        raise Refused(f"The input of {tool.name} has to be an object. Call it again, corrected.")
    if tool.writes:
        _check_may_write(ctx)
    assert ctx.services.tool_servers is not None  # noqa: S101  (for the type checker: else there is no such tool)
    with ctx.services.background.away():
        words = ctx.services.tool_servers.call_tool(tool.name, given, ctx.seconds_left(MOST_SECONDS))
    left_out = len(words) - MAX_RESULT_CHARS
    return {"data": escape(words[:MAX_RESULT_CHARS]), **({"characters_left_out": left_out} if left_out > 0 else {})}


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
