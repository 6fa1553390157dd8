"""The distance between the times of a schedule."""

from datetime import date, time
from itertools import islice, pairwise

from app.errors import Refused
from app.routines.days import rule_days
from app.routines.schedule import Schedule

HOUR_MINUTES = 60
DAY_MINUTES = 24 * HOUR_MINUTES
DAYS_LOOKED_AT = (
    40  # Enough to meet two that follow each other, the end of a month and the first of the next among them.
)


def check_apart(schedule: Schedule, least_minutes: int, today: date) -> None:
    """Over midnight too, where it comes on days that follow each other.

    Raises:
        Refused: two times are nearer than `least_minutes`.
    """
    gaps = [(minutes_of(later) - minutes_of(earlier), earlier, later) for earlier, later in pairwise(schedule.times)]
    if len(schedule.times) > 1 and _comes_on_days_that_follow(schedule, today):
        last, first = schedule.times[-1], schedule.times[0]
        gaps.append((minutes_of(first) + DAY_MINUTES - minutes_of(last), last, first))
    for gap, earlier, later in gaps:
        if gap < least_minutes:
            minutes = "1 minute" if gap == 1 else f"{gap} minutes"
            raise Refused(
                f"times: {earlier:%H:%M} and {later:%H:%M} are {minutes} apart, at least {least_minutes} are "
                "needed. Send fewer times, or others."
            )


def minutes_of(at: time) -> int:
    """Since midnight."""
    return at.hour * HOUR_MINUTES + at.minute


def _comes_on_days_that_follow(schedule: Schedule, today: date) -> bool:
    days = islice(rule_days(schedule, today), DAYS_LOOKED_AT)
    return any((later - earlier).days == 1 for earlier, later in pairwise(days))
