"""The shapes of summarisers, which make episodes of conversations."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol


@dataclass(frozen=True)
class DatedPhrase:
    """A day word in a text, such as `tomorrow`, and what it means there."""

    start: int
    end: int
    means: str
    """`22 Nov 2026`."""


@dataclass(frozen=True)
class SaidText:
    """One text of a conversation, as a summariser is shown it."""

    at: datetime
    """On the person's own clock."""
    by_person: bool
    words: str
    dates: tuple[DatedPhrase, ...] = ()
    """Its day words, in order."""


@dataclass(frozen=True)
class ToSummarise:
    """A conversation, or a part of one, that is to become an episode."""

    texts: tuple[SaidText, ...]
    person_key: str
    """Opaque and stable for one person: never a number or a name."""
    person_name: str | None
    importance: float
    """0 to 1: what the person's words weigh by themselves."""
    deadline: float
    """The instant of `Clock.monotonic`, in seconds, after which a draft is of no use."""
    before: str = ""
    """What the part before this one came to, where there is one."""
    problem: str = ""
    """What was wrong with the draft before; empty at first."""
    may_ask_again: Callable[[], bool] = lambda: True
    """As `ModelRequest.may_ask_again`."""


@dataclass(frozen=True)
class Draft:
    """What a summariser wrote: as it came, and not yet checked."""

    fields: Mapping[str, Any]
    """`summary`, `narrative`, `topics`, `key_facts`, `importance`, and `facts`: `fact`, `category`, `quote` of each."""
    written_by: str
    cents: float = 0.0
    """What it cost, in US cents."""
    problem: str = ""
    """Why there is nothing in it that could be used."""
    is_final: bool = False
    """Whether asking again would come to the same, as after a refusal."""


class Summariser(Protocol):
    """What makes an episode of a conversation."""

    name: str
    otherwise: "Summariser | None"
    """Who writes when this one cannot, however often it is asked."""

    def summarise(self, conversation: ToSummarise) -> Draft:
        """A draft of the episode.

        Raises:
            ModelError: no answer came before the deadline.
            ModelDown: nobody would be answered now.

        """
        ...

    def reserve_cents(self, conversation: ToSummarise) -> float:
        """The most that one attempt may cost, in US cents; 0.0 where nothing is charged."""
        ...
