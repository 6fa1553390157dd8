"""Retries of failed requests: three attempts in all, with pauses between them, while there is time."""

import math
import secrets
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from http import HTTPStatus

from app.services import Clock

# Statuses to retry, besides every 5xx: the same as in Anthropic's SDK.
AGAIN = frozenset({HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.CONFLICT, HTTPStatus.TOO_MANY_REQUESTS})
ATTEMPTS = 3
BACKOFF_SECONDS = 0.5  # As in that SDK: the pause before the second attempt; it doubles before each further one.
WAIT_MAX_SECONDS = 8.0  # A server may ask for a day, but other people need the thread that would wait.


def pause_after(attempt: int, asked_seconds: float | None, left_seconds: float) -> float | str:
    """Seconds to wait after that attempt, or a sentence that says why there is no further one."""
    if attempt == ATTEMPTS:
        return f"Asked {ATTEMPTS} times."
    backoff = BACKOFF_SECONDS * 2.0 ** (attempt - 1) * secrets.SystemRandom().uniform(0.75, 1.25)
    pause = max(asked_seconds or 0.0, backoff)
    if pause > WAIT_MAX_SECONDS:
        return f"It asks to wait {pause:,.0f} s; at most {WAIT_MAX_SECONDS:.0f} s are waited."
    if pause >= left_seconds:
        return f"{max(left_seconds, 0):.1f} s are left, too few to ask again."
    return pause


def asked_wait(headers: Mapping[str, str], clock: Clock) -> float | None:
    """Seconds that the server asks to wait, or None if it names no readable time. `headers` must ignore case."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) * unit
        except ValueError:
            continue
        return max(seconds, 0.0) if math.isfinite(seconds) else None
    try:
        moment = parsedate_to_datetime(headers.get("retry-after", ""))
        return max((moment - clock.now()).total_seconds(), 0.0)
    except (TypeError, ValueError):
        return None
