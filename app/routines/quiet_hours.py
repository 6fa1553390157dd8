"""Quiet hours: a person is not to be disturbed, by the clock where they are. Pure."""

import re
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from app.clock import local
from app.errors import Refused
from app.routines.schedule import instant_of
from app.routines.values import local_time, shown

USUAL = "22:00-07:00"  # Of everybody who has not said otherwise.
NEVER = "none"


@dataclass(frozen=True)
class QuietHours:
    begin: time
    end: time  # Equal to `begin`: there are none.

    @classmethod
    def said(cls, hours: str | None) -> "QuietHours":
        """As a person's row has them; None for the usual ones.

        Raises:
            Refused: they are neither `none` nor from one time to another.
        """
        hours = (USUAL if hours is None else hours).strip().lower()
        if hours == NEVER:
            return cls(time(0), time(0))
        begin, dash, end = re.sub(r"\s+", "", hours).partition("-")
        if not dash:
            raise Refused(f"quiet_hours: {shown(hours)} is no span. Send it as 22:00-07:00, or none.")
        return cls(local_time("quiet_hours", begin), local_time("quiet_hours", end))

    def __str__(self) -> str:
        return NEVER if self.begin == self.end else f"{self.begin:%H:%M}-{self.end:%H:%M}"

    def hold(self, at: time) -> bool:
        """Whether that time of day lies within them; their end does not."""
        if self.begin <= self.end:
            return self.begin <= at < self.end
        return at >= self.begin or at < self.end

    def hold_at(self, instant: datetime, zone: str) -> bool:
        return self.hold(local(instant, zone).time())

    def over_at(self, instant: datetime, zone: str) -> datetime:
        """When those end, in UTC, in which the instant lies; the instant itself where it lies in none."""
        there = local(instant, zone)
        if not self.hold(there.time()):
            return instant
        day = there.date() + timedelta(days=there.time() >= self.end)
        return instant_of(datetime.combine(day, self.end), ZoneInfo(zone))
