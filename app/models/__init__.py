"""The tables: columns and constraints, no queries and no logic."""

from app.models.alert import Alert
from app.models.change import Change, ChangeItem
from app.models.consent import Consent
from app.models.conversation import Conversation
from app.models.fact import Fact
from app.models.fact_vector import FactVector
from app.models.mark import Mark
from app.models.media import Media
from app.models.message import Message
from app.models.model_answer import ModelAnswer
from app.models.notice import Notice
from app.models.operator import Operator, OperatorSession
from app.models.person import Person
from app.models.spending import Spending
from app.models.tool_call import ToolCall
from app.models.turn import Turn

__all__ = [
    "Alert",
    "Change",
    "ChangeItem",
    "Consent",
    "Conversation",
    "Fact",
    "FactVector",
    "Mark",
    "Media",
    "Message",
    "ModelAnswer",
    "Notice",
    "Operator",
    "OperatorSession",
    "Person",
    "Spending",
    "ToolCall",
    "Turn",
]
