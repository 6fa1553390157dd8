"""What the offline model can learn, as tables of patterns. The first pattern that holds makes the fact."""

from app.clients.offline.tables.health import HEALTH
from app.clients.offline.tables.life import LIFE
from app.clients.offline.tables.people import PEOPLE
from app.clients.offline.tables.places import PLACES
from app.clients.offline.tables.tastes import TASTES
from app.clients.offline.tables.work import WORK

PATTERNS = (*PEOPLE, *PLACES, *WORK, *HEALTH, *TASTES, *LIFE)

__all__ = ["PATTERNS"]
