"""Triggers that turn a conversation, or its oldest part, into an episode: pure. Words: triggers.toml."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import accumulate

from app.settings import Settings
from app.text.word_files import expressions, read_words

HISTORY_MESSAGES = 50  # The most past texts that the model is shown.
CONVERSATION_GAP = timedelta(minutes=30)  # A longer silence begins a new conversation.

COMPACT_AT = 0.8  # Share of the history's limits: summarise before the oldest text would be dropped.
KEPT_AS_TEXTS = 0.4  # Share of the history's limits: the current talk stays word for word.
SETTLED = timedelta(minutes=1)  # After a goodbye: "oh, and one more thing" is part of the same talk.
LONGEST_PART_TOKENS = 12_000  # More becomes several episodes: a summary of a whole day says little about each hour.
LONGEST_SIDE_TOKENS = 1500  # The most that one side of a turn counts; a long forwarded page is shown by its ends.

_FAREWELL = re.compile(expressions(read_words(__file__, "triggers.toml"))["farewell"], re.IGNORECASE)


@dataclass(frozen=True)
class TurnSize:
    turn_id: int
    messages: int
    tokens: int


@dataclass(frozen=True)
class ConversationState:
    """The state of a conversation, apart from turns in closed episodes."""

    turns: tuple[TurnSize, ...]  # Turns that an episode may cover, in order.
    last_words: str
    silent: timedelta  # Below zero after a clock was set back.
    is_over: bool
    is_busy: bool = False  # True while a text of the person is being answered.


@dataclass(frozen=True)
class Due:
    """The turns that become an episode now, and the trigger."""

    trigger: str
    turns: tuple[TurnSize, ...]
    is_cut: bool  # True if later texts begin an episode of their own; else they reopen this one.
    is_all: bool


def due(state: ConversationState, settings: Settings) -> Due | None:
    """The part that becomes an episode now, by the first enabled trigger that applies; None if none does."""
    turns, is_over, is_busy = state.turns, state.is_over, state.is_busy
    if not turns:
        return None
    outgrows = _fitting(turns, settings, COMPACT_AT) < len(turns)
    # The oldest part is every turn but the newest ones, which stay as texts.
    oldest = len(turns) - max(_fitting(turns[::-1], settings, KEPT_AS_TEXTS), 1)
    has_ended = says_goodbye(state.last_words) and (is_over or is_quiet(state.silent, SETTLED))
    has_come = {
        "quiet": is_over or is_quiet(state.silent, timedelta(minutes=settings.episode_quiet_minutes)),
        "ended": has_ended and not is_busy,
        "count": sum(turn.messages for turn in turns) >= settings.episode_messages and not is_busy,
        "compaction": outgrows and oldest > 0 and not is_busy,
    }
    trigger = next((trigger for trigger, has in has_come.items() if has and trigger in _enabled(settings)), None)
    if trigger is None:
        return None
    wanted = oldest if trigger == "compaction" else len(turns)
    # Take fewer turns if there are more than one episode can hold.
    tokens = accumulate(turn.tokens for turn in turns[:wanted])
    taken = max(sum(one <= LONGEST_PART_TOKENS for one in tokens), 1)
    is_cut = trigger in {"compaction", "count"} or taken < wanted
    return Due(trigger, turns[:taken], is_cut, taken == len(turns))


def can_never_be_due(state: ConversationState, settings: Settings) -> bool:
    """True if, after this silence, no enabled trigger will ever apply to the turns that are left."""
    is_over = state.is_over or is_quiet(state.silent, CONVERSATION_GAP)
    return is_over and not state.is_busy and "quiet" not in _enabled(settings)


def says_goodbye(words: str) -> bool:
    """True if the words are a farewell and nothing else."""
    return bool(_FAREWELL.fullmatch(" ".join(words.split())))


def is_quiet(silent: timedelta, quiet: timedelta) -> bool:
    """True if the silence is long enough, or so negative that a clock must have been set back."""
    return not -quiet < silent < quiet


def _enabled(settings: Settings) -> set[str]:
    """Enabled triggers of `quiet`, `ended`, `count` and `compaction`; without any there are no episodes."""
    return {word.strip() for word in settings.episode_triggers.split(",")}


def _fitting(turns: Sequence[TurnSize], settings: Settings, share: float) -> int:
    """Number of the first turns that fit together into that share of the history's limits."""
    tokens, messages = accumulate(turn.tokens for turn in turns), accumulate(turn.messages for turn in turns)
    return sum(
        held <= settings.history_max_tokens * share and count <= HISTORY_MESSAGES * share
        for held, count in zip(tokens, messages, strict=True)
    )
