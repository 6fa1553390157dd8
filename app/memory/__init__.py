"""The product is a memory with four verbs; every door leads to them."""

from app.memory.forget import Forgotten, ForgottenEpisodes, forget, forget_episodes, restore
from app.memory.forgotten_episodes import RestoredEpisodes, restore_episodes
from app.memory.origin import Origin
from app.memory.recall import FoundEpisode, FoundFact, FoundMessage, Recalled, recall
from app.memory.remember import Conflicting, NewFact, Remembered, remember
from app.memory.revise import revise
from app.memory.undo import Undone, undo

__all__ = [
    "Conflicting",
    "Forgotten",
    "ForgottenEpisodes",
    "FoundEpisode",
    "FoundFact",
    "FoundMessage",
    "NewFact",
    "Origin",
    "Recalled",
    "Remembered",
    "RestoredEpisodes",
    "Undone",
    "forget",
    "forget_episodes",
    "recall",
    "remember",
    "restore",
    "restore_episodes",
    "revise",
    "undo",
]
