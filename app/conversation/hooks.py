"""The places where code joins a turn: before the prompt, on a tool's result, after the reply. In order, each by itself.

Memory's own come first: recall before the prompt, episodes after the reply. Those of features follow, then those that
the operator names in `HOOKS`, module after module: each has any of the three functions below, under their names. One
that fails, or gives back something else, is logged and passed over: nobody's answer depends on it. docs/hooks.md says
how to write one.

What hangs on a hook is lost with its process. So ours only say where to look soon; that nothing
is passed over is left to jobs that read what is stored.
"""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from app.conversation.claim import OpenTurn
from app.conversation.finish import Reply
from app.conversation.recall import NOTHING, Recalled, recall
from app.memory.facts.selection import estimate_tokens
from app.services import Services
from app.services.tool import CallMade

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

BeforePrompt = Callable[[Services, OpenTurn, Prompt], Prompt]
OnToolResult = Callable[[Services, OpenTurn, CallMade], CallMade]
AfterReply = Callable[[Services, OpenTurn, Reply], None]


def _recall(services: Services, turn: OpenTurn, prompt: Prompt) -> Prompt:
    with services.span("recall") as span:
        past = recall(services, turn)
        span.note(gate=past.gate, episodes=len(past.episodes), facts=len(past.facts), rules=len(past.rules))
    return replace(prompt, past=past)


def _to_episodes(services: Services, turn: OpenTurn, _reply: Reply) -> None:
    services.just_answered.conversations.note(turn.conversation_id)


def before_prompt(services: Services, turn: OpenTurn) -> Prompt:
    """What hooks bring to the turn before the model is asked."""
    prompt = Prompt()
    for hook in (_recall, *_of(services, "before_prompt")):
        prompt = _given(partial(hook, services, turn), prompt, hook)
    return replace(prompt, notes=tuple(_with_room(prompt.notes)))


def on_tool_result(services: Services, turn: OpenTurn, call: CallMade) -> CallMade:
    """A call as the model is told of it, and as it is kept, once hooks have seen it."""
    for hook in _of(services, "on_tool_result"):
        call = _given(partial(hook, services, turn), call, hook)
    return call


def after_reply(services: Services, turn: OpenTurn, reply: Reply) -> None:
    """Tell hooks of a reply that is queued: once at most, and not at all where the process dies just then."""
    of_features = (feature.after_reply for feature in services.features if feature.after_reply is not None)
    for hook in (_to_episodes, *of_features, *_of(services, "after_reply")):
        try:
            hook(services, turn, reply)
        except Exception:  # The reply is on its way: what watches it must not stop the lane.
            logger.exception("Hook %s failed after turn %s", _name(hook), turn.id)


def _of(services: Services, name: str) -> Iterator[Callable[..., object]]:
    return (getattr(module, name) for module in services.hooks if hasattr(module, name))


def _given(hook: Callable[[_T], object], before: _T, named: Callable[..., object]) -> _T:
    """What the hook makes of it, or what it was."""
    try:
        after = hook(before)
    except Exception:  # The person gets an answer, whatever an operator's code does.
        logger.exception("Hook %s failed and was passed over", _name(named))
        return before
    if isinstance(after, type(before)):
        return after
    logger.error("Hook %s gave back %s, and was passed over", _name(named), type(after).__name__)
    return before


def _with_room(notes: tuple[str, ...]) -> Iterator[str]:
    room = NOTES_MAX_TOKENS
    for note in notes:
        room -= estimate_tokens(note)
        if room < 0:
            logger.warning("Hooks added more notes than %d tokens: the rest was left out", NOTES_MAX_TOKENS)
            return
        yield note


def _name(hook: Callable[..., object]) -> str:
    return f"{hook.__module__}.{getattr(hook, '__name__', '')}"
