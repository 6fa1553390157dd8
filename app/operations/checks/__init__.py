"""Checks of the set-up; each yields findings: the state of one thing, and the remedy if there is one."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    check: str
    level: str  # `ok`; `warn`: works, and could be better or safer; `bad`: does not work, or is not safe.
    says: str


def ok(check: str, says: str) -> Finding:
    return Finding(check, "ok", says)


def warn(check: str, says: str) -> Finding:
    return Finding(check, "warn", says)


def bad(check: str, says: str) -> Finding:
    return Finding(check, "bad", says)
