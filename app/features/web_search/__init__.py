"""Search of the web: Claude's own tool, which its server runs within an answer (`WEB_SEARCH=claude`)."""

from app.clients.prices import SEARCH_CENTS
from app.services.feature import Feature
from app.services.model import ModelTrouble, ServerTool
from app.settings import Settings

# The oldest version: later ones filter their results by running code, which only answers about programs need.
TYPE = "web_search_20250305"
SEARCH_TOKENS = 15_000
"""Tokens that one search adds to the prompt, rounded up: ten results with a page's first part. No published limit."""
OFF = ModelTrouble(
    "web_search_off",
    "Claude's server refuses the tool that searches the web, and replies come without it. Switch web search on in the "
    "Anthropic Console, or set WEB_SEARCH=none; then restart.",
)


def _searching(settings: Settings) -> ServerTool | None:
    if settings.web_search == "none":
        return None
    definition = {"type": TYPE, "name": "web_search", "max_uses": settings.web_searches_per_turn}
    return ServerTool(definition, cents=SEARCH_CENTS, tokens=SEARCH_TOKENS, refused=OFF)


WEB_SEARCH = Feature("web_search", server_tool=_searching)
