"""The tables: columns and constraints, the legal steps of every row with a state, and the marks by name; no logic."""

from app.models.changes import Change, ChangeItem, Reviewed, ReviewedAhead
from app.models.episodes import Batch, Episode, EpisodeFact, EpisodeMessage
from app.models.facts import Fact, FactPair, Rule
from app.models.index import Shelf, StoredVector, VectorBits, VectorModel, WordDocuments, WordPostings
from app.models.installation import Alert, Count, CountedHour, PersonSpend
from app.models.marks import Mark
from app.models.messages import Conversation, Media, Message
from app.models.operators import (
    AuditEntry,
    LoginStep,
    Operator,
    OperatorBrowser,
    OperatorSession,
    Passkey,
    RecoveryCode,
    Reveal,
)
from app.models.people import Calendar, Consent, Notice, Person
from app.models.routines import Occurrence, Routine, Suggestion
from app.models.states import move
from app.models.turns import ModelAnswer, Spending, ToolCall, Turn

__all__ = ["Change", "ChangeItem", "Reviewed", "ReviewedAhead"]
__all__ += ["Batch", "Episode", "EpisodeFact", "EpisodeMessage"]
__all__ += ["Fact", "FactPair", "Rule"]
__all__ += ["Shelf", "StoredVector", "VectorBits", "VectorModel", "WordDocuments", "WordPostings"]
__all__ += ["Alert", "Count", "CountedHour", "Mark", "PersonSpend"]
__all__ += ["Conversation", "Media", "Message"]
__all__ += ["AuditEntry", "Operator", "OperatorBrowser", "OperatorSession", "Reveal"]
__all__ += ["LoginStep", "Passkey", "RecoveryCode"]
__all__ += ["Calendar", "Consent", "Notice", "Person"]
__all__ += ["Occurrence", "Routine", "Suggestion"]
__all__ += ["move"]
__all__ += ["ModelAnswer", "Spending", "ToolCall", "Turn"]
