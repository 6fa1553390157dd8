"""The product is a memory with four verbs; every door leads to them."""

from app.memory.changes import Origin
from app.memory.forget import Forgotten, Receipt, forget, forget_episodes, receipt, restore
from app.memory.recall import FoundEpisode, FoundFact, FoundMessage, Recalled, recall
from app.memory.remember import Conflicting, NewFact, Remembered, remember
from app.memory.revise import MAX_MERGED, Moved, Set, archive_facts, merge, move, pin_facts, revise
from app.memory.rules import MAX_RULES, RuleWords, SetRule, forget_rules, restore_rule, revise_rule, set_rule
from app.memory.undo import RestoredEpisodes, restore_episodes, undo

__all__ = [
    "MAX_MERGED",
    "MAX_RULES",
    "Conflicting",
    "Forgotten",
    "FoundEpisode",
    "FoundFact",
    "FoundMessage",
    "Moved",
    "NewFact",
    "Origin",
    "Recalled",
    "Receipt",
    "Remembered",
    "RestoredEpisodes",
    "RuleWords",
    "Set",
    "SetRule",
    "archive_facts",
    "forget",
    "forget_episodes",
    "forget_rules",
    "merge",
    "move",
    "pin_facts",
    "recall",
    "receipt",
    "remember",
    "restore",
    "restore_episodes",
    "restore_rule",
    "revise",
    "revise_rule",
    "set_rule",
    "undo",
]
