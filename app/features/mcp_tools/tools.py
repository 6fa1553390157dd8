"""Tools of servers that the operator has connected, offered beside our own."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.services import Services
from app.services.tool import Tool

if TYPE_CHECKING:
    from app.features.mcp_tools.servers import McpServers


def connected_servers(services: Services) -> "McpServers | None":
    """The servers of the settings; None if there are none."""
    if not services.settings.tool_servers:
        return None
    from app.features.mcp_tools.servers import McpServers  # noqa: PLC0415  (its libraries take a while to load)

    return McpServers(services.clock, services.settings.tool_servers)


def server_tools(services: Services) -> Sequence[Tool]:
    """The tools of all servers, always in the same order."""
    servers = services.once(connected_servers)
    return servers.tools() if servers else []
