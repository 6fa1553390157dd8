"""The tables: columns and constraints, no queries and no logic."""

from app.models.change import Change, ChangeItem
from app.models.conversation import Conversation
from app.models.fact import Fact
from app.models.fact_vector import FactVector
from app.models.message import Message
from app.models.operator import Operator, OperatorSession
from app.models.person import Person
from app.models.tool_call import ToolCall
from app.models.turn import Turn

__all__ = [
    "Change",
    "ChangeItem",
    "Conversation",
    "Fact",
    "FactVector",
    "Message",
    "Operator",
    "OperatorSession",
    "Person",
    "ToolCall",
    "Turn",
]
