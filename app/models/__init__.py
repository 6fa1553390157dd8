"""The tables: columns and constraints, no queries and no logic; and the legal steps of what has a state."""

from app.models.changes import Change, ChangeItem, Reviewed, ReviewedAhead
from app.models.episodes import Batch, Episode, EpisodeFact, EpisodeMessage
from app.models.facts import Fact, FactPair, Rule
from app.models.index import Shelf, StoredVector, VectorBits, VectorModel, WordDocuments, WordPostings
from app.models.installation import Alert, Count, CountedHour, Mark, PersonSpend
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

__all__ = [
    "Alert",
    "AuditEntry",
    "Batch",
    "Calendar",
    "Change",
    "ChangeItem",
    "Consent",
    "Conversation",
    "Count",
    "CountedHour",
    "Episode",
    "EpisodeFact",
    "EpisodeMessage",
    "Fact",
    "FactPair",
    "LoginStep",
    "Mark",
    "Media",
    "Message",
    "ModelAnswer",
    "Notice",
    "Occurrence",
    "Operator",
    "OperatorBrowser",
    "OperatorSession",
    "Passkey",
    "Person",
    "PersonSpend",
    "RecoveryCode",
    "Reveal",
    "Reviewed",
    "ReviewedAhead",
    "Routine",
    "Rule",
    "Shelf",
    "Spending",
    "StoredVector",
    "Suggestion",
    "ToolCall",
    "Turn",
    "VectorBits",
    "VectorModel",
    "WordDocuments",
    "WordPostings",
    "move",
]
