"""The model for those without a key: rules for English, no network, the same tool calls as Claude would make."""

from app.clients.offline.model import OfflineModel

__all__ = ["OfflineModel"]
