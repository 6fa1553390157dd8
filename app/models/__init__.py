"""The tables: columns and constraints, no queries and no logic."""

from app.models.alert import Alert
from app.models.audit import AuditEntry, Reveal
from app.models.calendar import Calendar
from app.models.change import Change, ChangeItem
from app.models.consent import Consent
from app.models.conversation import Conversation
from app.models.count import Count, CountedHour, PersonSpend
from app.models.episode import Batch, Episode, EpisodeFact, EpisodeMessage
from app.models.fact import Fact, FactPair
from app.models.mark import Mark
from app.models.media import Media
from app.models.message import Message
from app.models.model_answer import ModelAnswer
from app.models.notice import Notice
from app.models.operator import LoginStep, Operator, OperatorBrowser, OperatorSession
from app.models.person import Person
from app.models.reviewed import Reviewed, ReviewedAhead
from app.models.routine import Occurrence, Routine
from app.models.rule import Rule
from app.models.second_factor import Passkey, RecoveryCode
from app.models.spending import Spending
from app.models.suggestion import Suggestion
from app.models.tool_call import ToolCall
from app.models.turn import Turn
from app.models.vector_index import StoredVector, VectorBits, VectorModel
from app.models.word_index import Shelf, WordDocuments, WordPostings

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
]
