"""What a turn comes to: the words that are sent, and what it took to find them."""

from dataclasses import dataclass, field
from typing import Any

from app.services.tool import CallMade

_NO_ACCOUNTS = frozenset({"text", "tool_calls", "facts_used", "episodes_used"})  # Kept in rows of their own.


@dataclass
class Reply:
    """The answer of one turn and its accounts."""

    text: str = ""
    outcome: str = "replied"
    """`replied`, or why the kind sentence was sent instead."""
    model: str | None = None
    model_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cost_cents: float = 0.0
    model_seconds: float = 0.0
    memory_shown: str | None = None
    memory_tokens: int = 0
    tool_calls: list[CallMade] = field(default_factory=list)
    recall_gate: str | None = None
    recalled: list[dict[str, Any]] | None = None
    recall_ms: float | None = None
    """As on the turn."""
    episodes_used: frozenset[int] = frozenset()
    """Numbers of the episodes that were shown, or that a search brought back."""
    facts_used: frozenset[int] = frozenset()
    """Numbers of the facts that the reply draws on, or that a search brought back."""

    def accounts(self) -> dict[str, Any]:
        """The columns of the turn that this fills."""
        kind = {"kind": "command"} if self.outcome == "command" else {}
        return {name: value for name, value in vars(self).items() if name not in _NO_ACCOUNTS} | kind
