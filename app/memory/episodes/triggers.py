"""The moments at which a conversation, or its oldest part, becomes an episode: pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from app.clock import local
from app.settings import Settings

HISTORY_MESSAGES = 50
"""As many texts of the past as the model is shown at most."""
CONVERSATION_GAP = timedelta(minutes=30)
"""A longer silence begins a new conversation."""

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
class Rules:
    """What the operator has set."""

    triggers: frozenset[str]
    """Of `quiet`, `ended`, `count` and `compaction`; with none of them nothing becomes an episode."""
    quiet: timedelta
    messages: int
    history_tokens: int
    budget_timezone: str

    @classmethod
    def of(cls, settings: Settings) -> "Rules":
        return cls(
            frozenset(word.strip() for word in settings.episode_triggers.split(",")) - {"none"},
            timedelta(minutes=settings.episode_quiet_minutes),
            settings.episode_messages,
            settings.history_max_tokens,
            settings.budget_timezone,
        )

    def day(self, now: datetime) -> date:
        """The day of the budget."""
        return local(now, self.budget_timezone).date()


@dataclass(frozen=True)
class TurnSize:
    """How much one turn holds."""

    turn_id: int
    messages: int
    tokens: int


@dataclass(frozen=True)
class Standing:
    """How a conversation stands, as far as it is not in an episode that is closed."""

    turns: tuple[TurnSize, ...]
    """Those that an episode may be made of, in order."""
    last_words: str
    """What the person wrote last."""
    silent: timedelta
    """Below zero after a clock was set back."""
    is_over: bool
    """Whether a later conversation has begun."""
    is_busy: bool = False
    """Whether a text of the person is being answered."""


@dataclass(frozen=True)
class Due:
    """Which turns become an episode now, and why."""

    trigger: str
    turns: tuple[TurnSize, ...]
    is_cut: bool
    """Whether what is said later begins an episode of its own; else it reopens this one."""
    is_all: bool
    """Whether nothing is left over."""


def due(standing: Standing, rules: Rules) -> Due | None:
    """What of the conversation becomes an episode now; None while nothing does."""
    trigger = _trigger(standing, rules)
    if trigger is None:
        return None
    if trigger == "compaction":
        return _part(trigger, standing, _oldest(standing.turns, rules), is_cut=True)
    return _part(trigger, standing, len(standing.turns), is_cut=trigger == "count")


def is_left_for_good(standing: Standing, rules: Rules) -> bool:
    """Whether none of the triggers that are set will ever come for what is left of the conversation.

    After so long a silence nothing more is said in it, also where nothing was said since.
    """
    is_over = standing.is_over or is_quiet(standing.silent, CONVERSATION_GAP)
    return is_over and not standing.is_busy and "quiet" not in rules.triggers


def says_goodbye(words: str) -> bool:
    """Whether somebody ends a conversation with these words: a farewell, and nothing else."""
    return bool(_FAREWELL.fullmatch(" ".join(words.split())))


def is_quiet(silent: timedelta, quiet: timedelta) -> bool:
    """Whether nothing was said for so long; what seems to lie far ahead was noted before a clock was set back."""
    return not -quiet < silent < quiet


def _trigger(standing: Standing, rules: Rules) -> str | None:
    """The first of the triggers that are set, and whose moment has come."""
    if not standing.turns:
        return None
    ended = says_goodbye(standing.last_words)
    enough = sum(turn.messages for turn in standing.turns) >= rules.messages
    has_come = {
        "quiet": standing.is_over or is_quiet(standing.silent, rules.quiet),
        "ended": ended and not standing.is_busy and (standing.is_over or is_quiet(standing.silent, SETTLED)),
        "count": enough and not standing.is_busy,
        "compaction": not standing.is_busy and _outgrows(standing.turns, rules) and _oldest(standing.turns, rules) > 0,
    }
    return next((trigger for trigger, has in has_come.items() if has and trigger in rules.triggers), None)


def _outgrows(turns: Sequence[TurnSize], rules: Rules) -> bool:
    tokens, messages = sum(turn.tokens for turn in turns), sum(turn.messages for turn in turns)
    return tokens > rules.history_tokens * COMPACT_AT or messages > HISTORY_MESSAGES * COMPACT_AT


def _oldest(turns: Sequence[TurnSize], rules: Rules) -> int:
    """How many of the turns are the oldest part: all but the newest that stay as texts."""
    tokens = messages = kept = 0
    for turn in reversed(turns):
        tokens, messages = tokens + turn.tokens, messages + turn.messages
        if tokens > rules.history_tokens * KEPT_AS_TEXTS or messages > HISTORY_MESSAGES * KEPT_AS_TEXTS:
            break
        kept += 1
    return len(turns) - max(kept, 1)


def _part(trigger: str, standing: Standing, count: int, *, is_cut: bool) -> Due:
    """The first `count` turns, or fewer where they are more than one episode can hold."""
    room, fits = LONGEST_PART_TOKENS, 0
    for turn in standing.turns[:count]:
        room -= turn.tokens
        if room < 0:
            break
        fits += 1
    taken = max(fits, 1)
    return Due(trigger, standing.turns[:taken], is_cut or taken < count, taken == len(standing.turns))
