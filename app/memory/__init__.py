"""The memory and its four verbs: remember, recall, revise, forget. Every door calls one of them."""

from app.memory.changes import Origin
from app.memory.forget import forget, forget_episodes, receipt, restore
from app.memory.recall import recall
from app.memory.remember import NewFact, remember
from app.memory.revise import archive_facts, merge, move, pin_facts, revise
from app.memory.rules import MAX_RULES, RuleWords, forget_rules, restore_rule, revise_rule, set_rule
from app.memory.undo import restore_episodes, undo

__all__ = ["Origin"]
__all__ += ["forget", "forget_episodes", "receipt", "restore"]
__all__ += ["recall"]
__all__ += ["NewFact", "remember"]
__all__ += ["archive_facts", "merge", "move", "pin_facts", "revise"]
__all__ += ["MAX_RULES", "RuleWords", "forget_rules", "restore_rule", "revise_rule", "set_rule"]
__all__ += ["restore_episodes", "undo"]
