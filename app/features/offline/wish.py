"""A wish for what comes by itself, as it was read from a text."""

from dataclasses import dataclass, field
from typing import Any

from app.features.offline.ends import End
from app.routines.when import When

THIS = r"(?:it|that|this|this one|that one)"
"""How people mean the one that is spoken of."""

NEXT = "next"
"""In the place of a day: the next on which it comes."""


@dataclass(frozen=True)
class Wish:
    """One thing that the person wants of what comes by itself."""

    kind: str
    """`set`, `list`, `next`, `stop`; `when`: one that may be meant by what is asked for; `quiet`: hours in which
    nothing is to come; `done`, `skip`, `snooze`, `pause`, `resume`, `change` or `retime` one that is there; `pause all`
    or `resume all`; `waits`: a yes where routines wait for one; or `unclear`: a question has to be asked first."""
    does: str = "remind"
    words: str = ""
    """What to remind of or to do; which one is meant, empty for the one that spoke last."""
    schedule: dict[str, Any] = field(default_factory=dict)
    minutes: int = 0
    day: str = ""
    """`today`, `tomorrow`, a weekday or NEXT: which is to be left out."""
    end: End = field(default_factory=End)
    """When a pause is over; until they say so where nothing is said."""
    country: str = ""
    question: str = ""
    when: When = field(default_factory=When)
    """What was said of the time so far, of one that is to be set."""
    sentence: str = ""
    """The sentence that asks for it, where it does not say what for, or may ask for something else."""
    is_waking: bool = False
    of_last: bool = False
    """Whether the one that was set last is meant, which `words` tell."""
