"""Checks of the set-up; each yields findings: the state of one thing, and the remedy if there is one."""

from dataclasses import dataclass, field
from functools import partial


@dataclass(frozen=True)
class Finding:
    check: str
    level: str = field(kw_only=True)
    """`ok`; `warn`: works, and could be better or safer; `bad`: does not work, or is not safe."""
    says: str


ok = partial(Finding, level="ok")
warn = partial(Finding, level="warn")
bad = partial(Finding, level="bad")
