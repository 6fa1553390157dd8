"""The tools of the core and of all features, without those of tool servers."""

from app.features import FEATURES
from app.tools.registry import TOOLS, definition

EVERY_TOOL = TOOLS | {tool.name: tool for feature in FEATURES for tool in feature.tools}
DEFINITIONS = [definition(tool) for tool in EVERY_TOOL.values()]
