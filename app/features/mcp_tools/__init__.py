"""Tools of servers that the operator connects by the Model Context Protocol."""

from app.features.mcp_tools import check_servers
from app.features.mcp_tools.tools import server_tools
from app.services.feature import Feature

MCP_TOOLS = Feature("mcp_tools", tools_found=server_tools, jobs=(check_servers,))
