"""A week of one person with the offline model, from the first wish to the last text: what they wrote, and what came.

It is the week in which the clocks of Los Angeles are set back, and it reads like a diary.
"""

from datetime import UTC, datetime, timedelta

import pytest

from app.clock import local
from tests.fakes import FrozenClock
from tests.routines.routine_line import Coming

FRIDAY_AT_NINE = datetime(2026, 10, 30, 16, 0, tzinfo=UTC)
ZONE = "America/Los_Angeles"
LOOKS = timedelta(minutes=5)


class Diary:
    """What Alex texts, and what comes by itself while the hours pass."""

    def __init__(self, coming: Coming) -> None:
        self.coming = coming

    def text(self, words: str) -> str:
        return "\n".join(self.coming.phone.text(words))

    def until(self, day: int, clock: str) -> list[str]:
        """What comes until that day of the month and that time, each with the time at which it came."""
        came = []
        while f"{self._here():%d %H:%M}" != f"{day:02} {clock}":
            came += [f"{self._here():%a %H:%M} {text}" for text in self.coming.pass_time(seconds=LOOKS.total_seconds())]
        return came

    def _here(self) -> datetime:
        return local(self.coming.services.clock.now(), ZONE)


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock(FRIDAY_AT_NINE)


@pytest.fixture
def alex(coming: Coming) -> Diary:
    return Diary(coming)


def test_a_week(alex: Diary) -> None:
    # Friday: four wishes. What is to come is said back with its day and its time, and the zone that was guessed once.
    told = alex.text("Every day at 8am remind me to take my pill")
    assert told == (
        "OK, every day at 8 AM (Los Angeles time): Take your pill. Is your clock another one? Text me, such as: my "
        "time zone is London."
    )
    told = alex.text("On weekdays at 7 in the morning text me my day")
    assert told == "OK, every weekday at 7 AM: Text me my day."
    assert alex.text("Remind me on Tuesday at 6pm to call Ana") == "OK, 6 PM on Tuesday: Call Ana."
    assert alex.text("Remind me in 2 hours to take the bread out") == "OK, 11 AM today: Take the bread out."
    assert alex.until(30, "12:00") == ["Fri 11:00 Reminder: Take the bread out"]
    assert alex.text("Done, thanks") == "Well done!"

    # Saturday: not now. In the evening a wish for the night, in which the clocks are set back.
    assert alex.until(31, "08:10") == ["Sat 08:00 Reminder: Take your pill"]
    assert alex.text("snooze 1 hour") == "OK, again at 9:10 AM today: Take your pill."
    assert alex.until(31, "22:30") == ["Sat 09:10 Reminder: Take your pill"]
    assert alex.text("Remind me at 1:30am to check the oven") == "OK, 1:30 AM tomorrow: Check the oven."

    # Sunday: half past one comes twice, and the oven once. Eight o'clock is still eight o'clock.
    assert alex.until(1, "21:00") == ["Sun 01:30 Reminder: Check the oven", "Sun 08:00 Reminder: Take your pill"]
    assert alex.text("Skip tomorrow's pill") == (
        "OK, left out Monday 2 November: Take your pill. Next: 8 AM on Tuesday and 8 AM on Wednesday."
    )

    # Monday: no pill, and the first day of work; the morning text is too early for now.
    assert alex.until(2, "12:00") == ["Mon 07:00 It's time: your day"]
    assert alex.text("/pause 2") == "Paused: Text me my day. /resume 2 brings it back."

    # Tuesday: what is asked for once comes once.
    assert alex.until(3, "12:00") == ["Tue 08:00 Reminder: Take your pill"]
    assert "3. Call Ana, 6 PM tonight." in alex.text("What's scheduled?")
    assert alex.until(3, "21:00") == ["Tue 18:00 Reminder: Call Ana"]

    # Wednesday: the morning text comes again.
    assert alex.until(4, "12:00") == ["Wed 08:00 Reminder: Take your pill"]
    assert alex.text("Resume my day") == "OK, every weekday at 7 AM: Text me my day."
    assert alex.text("Remind me every minute to breathe").startswith("I'm not sure when.")

    # Thursday: no more pills, or yes.
    assert alex.until(5, "09:00") == ["Thu 07:00 It's time: your day", "Thu 08:00 Reminder: Take your pill"]
    assert alex.text("Stop the pill reminder") == "OK, cancelled: Take your pill."
    assert "Take your pill" in alex.text("/undo")

    # Friday: away. What comes travels with them, and the day is over already.
    assert alex.until(6, "09:00") == ["Fri 07:00 It's time: your day", "Fri 08:00 Reminder: Take your pill"]
    assert "Europe/Berlin" in alex.text("My time zone is Europe/Berlin")
    assert alex.until(7, "12:00") == ["Fri 23:00 Reminder: Take your pill"]  # Eight in the morning, in Berlin.
    assert "Nothing is scheduled" not in alex.text("/routines")
