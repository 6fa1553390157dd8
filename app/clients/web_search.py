"""Claude's own search of the web: Anthropic searches, within one call of the model."""

from typing import Any

from app.clients.prices import SEARCH_CENTS
from app.services import ModelRequest

# The first of its kinds: the later ones filter what they find by running code, which answers about programs need.
WEB_SEARCH = {"type": "web_search_20250305", "name": "web_search"}

RESULT_TOKENS = 15_000
"""What one search adds to the prompt, rounded up. Ten results of a page's first part; Anthropic publishes no limit."""


def web_search(request: ModelRequest) -> list[dict[str, Any]]:
    """The tool, where the request has it; the same in all requests of a turn, since thoughts are bound to it."""
    return [] if request.web_searches is None else [{**WEB_SEARCH, "max_uses": request.web_searches}]


def most_tokens_of_searches(request: ModelRequest) -> int:
    """How much longer searches may make the prompt: each is read with all that was found before it."""
    searches = _most(request)
    return RESULT_TOKENS * searches * (searches + 1) // 2


def most_cents_of_searches(request: ModelRequest) -> float:
    """What the searches themselves may cost, in US cents."""
    return SEARCH_CENTS * _most(request)


def _most(request: ModelRequest) -> int:
    return request.web_searches or 0 if request.tools_allowed else 0
