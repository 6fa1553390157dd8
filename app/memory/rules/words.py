"""The words of a rule: checked, told in one line, compared. Pure."""

import re
from dataclasses import dataclass
from typing import Protocol

from app.errors import Refused
from app.text.secrets import is_secret
from app.text.wording import clean, folded, normalise, one_line

MAX_PROCEDURE_CHARS = 300  # One short sentence, as a fact has.
MAX_TRIGGER_CHARS = 100  # A phrase that somebody remembers to say, or a situation in a few words.

TRIGGER_KINDS = ("phrase", "situation", "always")

_QUOTED = re.compile(r"""^["'“”„«»‘’]+|["'“”„«»‘’]+$""")
_WHEN = re.compile(r"^(?:when(?:ever)?|if|in case|as soon as)\s+", re.IGNORECASE)


class Ruled(Protocol):
    """Whatever has a rule's words: a row, or as much of one as a turn needs."""

    @property
    def trigger_kind(self) -> str: ...
    @property
    def trigger(self) -> str | None: ...
    @property
    def procedure(self) -> str: ...


@dataclass(frozen=True)
class RuleWords:
    """When a rule holds, and what is to be done then."""

    trigger_kind: str
    """`phrase`, `situation` or `always`."""
    trigger: str | None
    procedure: str


def checked(trigger_kind: str, trigger: str | None, procedure: str) -> RuleWords:
    """The words as they are kept.

    Raises:
        Refused: they are empty, too long, or give a secret away.
    """
    does = clean(procedure)
    if not normalise(does):
        raise Refused("A rule says in one sentence what is to be done; this one is empty.")
    if len(does) > MAX_PROCEDURE_CHARS:
        raise Refused(
            f"The procedure has {len(does):,} characters; at most {MAX_PROCEDURE_CHARS} are kept. "
            "Say it in one short sentence, or make two rules of it."
        )
    words = RuleWords(trigger_kind, _checked_trigger(trigger_kind, trigger), does)
    if is_secret(does) or is_secret(words.trigger or ""):
        raise Refused("That looks like a password, a code, a card number or a key; those are never kept in a rule.")
    return words


def normalised(rule: Ruled) -> str:
    """The rule without case, spacing and punctuation: what makes two rules the same rule."""
    trigger = folded(rule.trigger or "") if rule.trigger_kind == "phrase" else normalise(rule.trigger or "")
    return f"{rule.trigger_kind}\n{trigger}\n{normalise(rule.procedure)}"


def spoken(rule: Ruled) -> str:
    """The rule in one line, for whoever reads it."""
    if rule.trigger_kind == "phrase":
        return f'On "{rule.trigger}": {rule.procedure}'
    return f"When {rule.trigger}: {rule.procedure}" if rule.trigger_kind == "situation" else rule.procedure


def _checked_trigger(kind: str, trigger: str | None) -> str | None:
    words = one_line(trigger or "")
    if kind == "always":
        if words:
            raise Refused(f"A rule that always holds has no trigger; '{words[:40]}' was given. Leave one of them out.")
        return None
    words = (_QUOTED if kind == "phrase" else _WHEN).sub("", words).strip(" .,;:!?")
    if not folded(words):
        asked = "the words that the person will say" if kind == "phrase" else "the situation in a few words"
        raise Refused(f"A rule for a {kind} needs its trigger: {asked}.")
    if len(words) > MAX_TRIGGER_CHARS:
        raise Refused(f"The trigger has {len(words):,} characters; at most {MAX_TRIGGER_CHARS} are kept. Shorten it.")
    return words
