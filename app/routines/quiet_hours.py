"""Quiet hours, in which a person is not disturbed, by the clock where they are. Pure."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from app.clock import local
from app.errors import Refused
from app.routines.schedule import instant_of
from app.routines.values import local_time, shown
from app.settings.defaults import QUIET_HOURS

NEVER = "none"


@dataclass(frozen=True)
class QuietHours:
    begin: time
    end: time  # If it equals `begin`, there are no quiet hours.

    @classmethod
    def parse(cls, hours: str | None) -> "QuietHours":
        """Parse the hours of a person's row; None stands for the usual ones.

        Raises:
            Refused: the text is neither `none` nor a span such as `22:00-07:00`.
        """
        hours = (QUIET_HOURS if hours is None else hours).strip().lower()
        if hours == NEVER:
            return cls(time(0), time(0))
        begin, dash, end = re.sub(r"\s+", "", hours).partition("-")
        if not dash:
            raise Refused(f"quiet_hours: {shown(hours)} is no span. Send it as 22:00-07:00, or none.")
        return cls(local_time("quiet_hours", begin), local_time("quiet_hours", end))

    def __str__(self) -> str:
        return NEVER if self.begin == self.end else f"{self.begin:%H:%M}-{self.end:%H:%M}"

    def contains(self, at: time) -> bool:
        """True if that time of day lies within them; the end does not."""
        if self.begin <= self.end:
            return self.begin <= at < self.end
        return at >= self.begin or at < self.end

    def covers(self, instant: datetime, zone: str) -> bool:
        return self.contains(local(instant, zone).time())

    def end_after(self, instant: datetime, zone: str) -> datetime:
        """The end, in UTC, of the quiet hours around the instant, its second time if it has two; else the instant."""
        there = local(instant, zone)
        if not self.contains(there.time()):
            return instant
        day = there.date() + timedelta(days=there.time() >= self.end)
        end = datetime.combine(day, self.end)
        return max(instant_of(end, ZoneInfo(zone)), end.replace(tzinfo=ZoneInfo(zone), fold=1).astimezone(UTC))
