"""The product is a memory with four verbs; every door leads to them."""

from app.memory.forget import Forgotten, forget, restore
from app.memory.origin import Origin
from app.memory.recall import FoundFact, Recalled, recall
from app.memory.remember import Conflicting, NewFact, Remembered, remember
from app.memory.revise import revise
from app.memory.undo import Undone, undo

__all__ = [
    "Conflicting",
    "Forgotten",
    "FoundFact",
    "NewFact",
    "Origin",
    "Recalled",
    "Remembered",
    "Undone",
    "forget",
    "recall",
    "remember",
    "restore",
    "revise",
    "undo",
]
