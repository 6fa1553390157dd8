"""The instants at which a schedule is due in a zone. Always strictly later than the one before."""

from collections.abc import Iterator
from datetime import date, datetime
from itertools import takewhile

from app.clock import local, zone_named
from app.routines.days import days_from
from app.routines.schedule import Schedule
from app.routines.wall_time import day_exists, instant_of


def due_after(schedule: Schedule, zone: str, after: datetime) -> datetime | None:
    """The next due instant, in UTC, strictly after `after`; None when it comes no more.

    Raises:
        Refused: there is no such zone.
    """
    return next((instant for _, instant in due_days(schedule, zone, after)), None)


def due_between(schedule: Schedule, zone: str, after: datetime, until: datetime) -> Iterator[datetime]:
    """All due instants that are strictly after `after` and not after `until`.

    Raises:
        Refused: there is no such zone.
    """
    return takewhile(lambda one: one <= until, (instant for _, instant in due_days(schedule, zone, after)))


def due_days(schedule: Schedule, zone: str, after: datetime) -> Iterator[tuple[date, datetime]]:
    """Every due instant after `after`, each with the local day that it belongs to."""
    where = zone_named(zone)
    if schedule.instant is not None:
        if schedule.instant > after:
            yield local(schedule.instant, zone).date(), schedule.instant
        return
    last = after
    for day in days_from(schedule, local(after, zone).date()):
        for at in schedule.times:
            instant = instant_of(datetime.combine(day, at), where)
            if instant > last and (schedule.repeat == "once" or day_exists(day, where)):
                last = instant
                yield day, instant
