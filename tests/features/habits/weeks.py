"""Weeks of one person's texts, by their own clock, and the assistant's suggestions."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import select

from app.features.habits import suggest_habits
from app.jobs import begin_routines, index_texts
from app.memory import rules
from app.models import Routine, Suggestion
from app.routines import rows
from app.services import Services
from tests.phoning import Phone


class Weeks:
    """One person's phone over several weeks."""

    def __init__(self, phone: Phone) -> None:
        self.phone = phone
        self.services: Services = phone.services

    @property
    def now(self) -> datetime:
        """The time on the person's own clock."""
        zone = ZoneInfo(self.phone.person().timezone)
        return self.services.clock.now().astimezone(zone)

    def go_to(self, at: str) -> None:
        """Advance the clock to the next `HH:MM`."""
        hour, minute = map(int, at.split(":"))
        there = self.now.replace(hour=hour, minute=minute, second=0, microsecond=0)
        if there <= self.now:
            there += timedelta(days=1)
        span = there.timestamp() - self.now.timestamp()
        self.services.clock.advance(seconds=span)  # type: ignore[attr-defined]

    def text(self, at: str, *bodies: str) -> list[str]:
        """The answers to texts that are sent at the next `HH:MM`."""
        self.go_to(at)
        return self.phone.text(*bodies)

    def look(self) -> list[str]:
        """Run the jobs, and return the texts that come unasked."""
        before = len(self.phone.received())
        index_texts.run(self.services)
        begin_routines.run(self.services)
        suggest_habits.run(self.services)
        self.phone.background.run(within_seconds=0)
        return self.phone.received()[before:]

    def look_at(self, *times: str) -> list[str]:
        """Run the jobs at each next `HH:MM`, and return the texts that come unasked."""
        found = []
        for at in times:
            self.go_to(at)
            found += self.look()
        return found

    def days(self, count: int, at: str, *bodies: str, then: str = "12:00") -> list[str]:
        """Send the texts at the same time on several days; returns the unasked texts of then and of `then` each day."""
        found = []
        for _ in range(count):
            self.text(at, *bodies)
            found += self.look()
            found += self.look_at(then)
        return found

    def suggestions(self) -> list[Suggestion]:
        with self.services.reading() as db:
            return list(db.scalars(select(Suggestion).order_by(Suggestion.id)))

    def states(self) -> list[str]:
        return [one.state for one in self.suggestions()]

    def routines(self) -> list[Routine]:
        with self.services.reading() as db:
            return rows.standing(db, self.phone.person_id)

    def rules(self) -> list[tuple[str, str]]:
        with self.services.reading() as db:
            return [(one.procedure, one.state) for one in rules.live(db, self.phone.person_id)]
