"""The moments at which a conversation, or its oldest part, becomes an episode: pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import accumulate

from app.settings import Settings

HISTORY_MESSAGES = 50  # As many texts of the past as the model is shown at most.
CONVERSATION_GAP = timedelta(minutes=30)  # A longer silence begins a new conversation.

COMPACT_AT = 0.8  # Of what the history holds: before its first text would be left out, and not after.
KEPT_AS_TEXTS = 0.4  # Of what the history holds: what is talked about now stays word for word.
SETTLED = timedelta(minutes=1)  # After a goodbye: "oh, and one more thing" is part of the same talk.
LONGEST_PART_TOKENS = 12_000  # More is made into several episodes: a summary of a whole day says little of each hour.
LONGEST_SIDE_TOKENS = 1500  # What one side of one turn counts at most; a page that was forwarded is shown by its ends.

_FAREWELL = re.compile(
    r"(?:(?:ok(?:ay)?|alright|right|well|thanks|thank you|cool|great|perfect|so|anyway|yes|and|gracias|merci|danke)"
    r"[ ,.!]*){0,3}"
    r"(?:(?:good ?)?bye(?: ?bye)?|good ?night|night(?: night)?|gn|see (?:you|ya)(?: (?:later|soon|tomorrow|then))?|cya|"
    r"ttyl|talk (?:to you )?(?:later|soon|tomorrow)|catch you later|later|gotta (?:go|run)|i(?:['’]?m| am) off|"
    r"(?:i )?(?:have|need|got) to (?:go|run)|off to (?:bed|sleep|work)|going to (?:bed|sleep)|"
    r"that(?:['’]?s| is| was) (?:all|it)(?: for (?:now|today|tonight))?|over and out|take care|"
    r"adi[oó]s|hasta (?:luego|mañana|pronto)|buenas noches|au revoir|bonne (?:nuit|soirée|journée)|à (?:demain|plus)|"
    r"tsch[uü]ss?|gute nacht|bis (?:bald|morgen|später|dann)|ciao|buona ?notte|a (?:domani|presto)|tchau|boa noite|"
    r"até (?:logo|amanhã)|doei|welterusten|tot (?:morgen|later|ziens))"
    r"(?:[ ,]+(?:then|for now|now|thanks|thank you|everyone|keepsake|you too|sleep well|and thanks|xx?))*\W*",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class TurnSize:
    turn_id: int
    messages: int
    tokens: int


@dataclass(frozen=True)
class Standing:
    """How a conversation stands, as far as it is not in an episode that is closed."""

    turns: tuple[TurnSize, ...]  # Those that an episode may be made of, in order.
    last_words: str
    silent: timedelta  # Below zero after a clock was set back.
    is_over: bool
    is_busy: bool = False  # Whether a text of the person is being answered.


@dataclass(frozen=True)
class Due:
    """Which turns become an episode now, and why."""

    trigger: str
    turns: tuple[TurnSize, ...]
    is_cut: bool  # Whether what is said later begins an episode of its own; else it reopens this one.
    is_all: bool


def due(standing: Standing, settings: Settings) -> Due | None:
    """What of the conversation becomes an episode now, by the first trigger that is set and whose moment has come."""
    turns, is_over, is_busy = standing.turns, standing.is_over, standing.is_busy
    if not turns:
        return None
    outgrows = _fitting(turns, settings, COMPACT_AT) < len(turns)
    # The oldest part is all but the newest that stay as texts.
    oldest = len(turns) - max(_fitting(turns[::-1], settings, KEPT_AS_TEXTS), 1)
    has_ended = says_goodbye(standing.last_words) and (is_over or is_quiet(standing.silent, SETTLED))
    has_come = {
        "quiet": is_over or is_quiet(standing.silent, timedelta(minutes=settings.episode_quiet_minutes)),
        "ended": has_ended and not is_busy,
        "count": sum(turn.messages for turn in turns) >= settings.episode_messages and not is_busy,
        "compaction": outgrows and oldest > 0 and not is_busy,
    }
    trigger = next((trigger for trigger, has in has_come.items() if has and trigger in _set(settings)), None)
    if trigger is None:
        return None
    wanted = oldest if trigger == "compaction" else len(turns)
    # Fewer where they are more than one episode can hold.
    tokens = accumulate(turn.tokens for turn in turns[:wanted])
    taken = max(sum(one <= LONGEST_PART_TOKENS for one in tokens), 1)
    is_cut = trigger in {"compaction", "count"} or taken < wanted
    return Due(trigger, turns[:taken], is_cut, taken == len(turns))


def is_left_for_good(standing: Standing, settings: Settings) -> bool:
    """Whether none of the triggers that are set will ever come for what is left, after so long a silence."""
    is_over = standing.is_over or is_quiet(standing.silent, CONVERSATION_GAP)
    return is_over and not standing.is_busy and "quiet" not in _set(settings)


def says_goodbye(words: str) -> bool:
    """Whether somebody ends a conversation with these words: a farewell, and nothing else."""
    return bool(_FAREWELL.fullmatch(" ".join(words.split())))


def is_quiet(silent: timedelta, quiet: timedelta) -> bool:
    """Whether nothing was said for so long; what seems to lie far ahead was noted before a clock was set back."""
    return not -quiet < silent < quiet


def _set(settings: Settings) -> set[str]:
    """The triggers that are set, of `quiet`, `ended`, `count` and `compaction`; with none there are no episodes."""
    return {word.strip() for word in settings.episode_triggers.split(",")}


def _fitting(turns: Sequence[TurnSize], settings: Settings, share: float) -> int:
    """How many of the first turns have room together in that share of what the history holds."""
    tokens, messages = accumulate(turn.tokens for turn in turns), accumulate(turn.messages for turn in turns)
    return sum(
        held <= settings.history_max_tokens * share and count <= HISTORY_MESSAGES * share
        for held, count in zip(tokens, messages, strict=True)
    )
