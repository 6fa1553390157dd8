"""The offline model: it keeps simple English sentences by rules, so that Keepsake can be tried without an account."""

from app.features.offline.extract import ExtractiveSummariser
from app.features.offline.model import OfflineModel
from app.services.feature import Feature

OFFLINE = Feature("offline", model=OfflineModel, summariser=ExtractiveSummariser)
