"""Features: folders that can be deleted. Each joins the core by its line here, and nothing else imports it.

docs/decisions/0038-features.md explains how; `app/services/feature.py` lists everything that a feature may add.
"""

from app.features.calendars import CALENDARS
from app.features.habits import HABITS
from app.features.mcp_tools import MCP_TOOLS
from app.features.offline import OFFLINE
from app.features.passkeys import PASSKEYS
from app.features.pictures import PICTURES
from app.features.tracing import TRACING
from app.features.weather import WEATHER
from app.features.web_search import WEB_SEARCH

FEATURES = (
    OFFLINE,
    TRACING,
    WEATHER,
    CALENDARS,
    MCP_TOOLS,
    HABITS,
    PASSKEYS,
    PICTURES,
    WEB_SEARCH,
)
"""All features, in the order in which their tools are offered."""
