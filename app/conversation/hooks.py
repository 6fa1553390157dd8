"""The places where features and the operator's own modules join a turn: in order, each by itself.

Modules that the operator names in `HOOKS` may have any of `before_prompt`, `on_tool_result` and `after_reply`. One that
fails, or gives back something else, is logged and passed over: nobody's answer depends on it. docs/hooks.md says how
to write one.

What hangs on a hook is lost with its process. So ours only say where to look soon; that nothing
is passed over is left to jobs that read what is stored.
"""

import logging
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from app.conversation.claim import OpenTurn
from app.conversation.memory_shown import estimate_tokens
from app.conversation.recall import NOTHING, Recalled
from app.services import Services

NOTES_MAX_TOKENS = 300  # As much as rules get: what code adds never crowds out what the person said.

logger = logging.getLogger(__name__)

_T = TypeVar("_T")


@dataclass(frozen=True)
class Prompt:
    """What is put before the person's texts, as far as hooks have brought it together."""

    past: Recalled = NOTHING
    notes: tuple[str, ...] = ()
    """Sentences that the model is shown as data, `NOTES_MAX_TOKENS` in all; what has no room is left out."""

    def __post_init__(self) -> None:
        if not all(isinstance(note, str) for note in self.notes):  # Here, where it is its hook's fault and no turn's.
            raise TypeError("A note for the model is a str.")

    def noting(self, *notes: str) -> "Prompt":
        """The same with more notes."""
        return replace(self, notes=(*self.notes, *notes))


NOTHING_BROUGHT = Prompt()


def before_prompt(services: Services, turn: OpenTurn, past: Recalled) -> Prompt:
    """What is put before the turn's texts: what was recalled, and what hooks bring to it."""
    prompt = passed_on(services, turn, "before_prompt", Prompt(past))
    return replace(prompt, notes=tuple(_with_room(prompt.notes)))


def passed_on(services: Services, turn: OpenTurn, name: str, given: _T) -> _T:
    """What the hooks of that name make of it, one after the other.

    With `on_tool_result` it is a call, as the model is told of it and as it is kept; with `after_reply` a reply that is
    queued, of which they have nothing to give back: they are told once at most, and not where the process dies then.
    """
    for hook in (getattr(module, name) for module in services.hooks if hasattr(module, name)):
        called = f"{hook.__module__}.{getattr(hook, '__name__', '')}"
        try:
            after = hook(services, turn, given)
        except Exception:  # The person gets an answer, whatever an operator's code does.
            logger.exception("Hook %s failed in turn %s and was passed over", called, turn.id)
            continue
        if isinstance(after, type(given)):
            given = after
        elif name != "after_reply":
            logger.error("Hook %s gave back %s, and was passed over", called, type(after).__name__)
    return given


def _with_room(notes: tuple[str, ...]) -> Iterator[str]:
    room = NOTES_MAX_TOKENS
    for note in notes:
        room -= estimate_tokens(note)
        if room < 0:
            logger.warning("Hooks added more notes than %d tokens: the rest was left out", NOTES_MAX_TOKENS)
            return
        yield note
