"""What comes by itself about something that was forgotten is named to whoever forgets it."""

import pytest

from app.services import Services
from tests.memory.talking import Talk


@pytest.fixture
def alex(services: Services) -> Talk:
    return Talk(services)


def test_who_forgets_is_told_what_still_comes_about_it_and_how_to_stop_it(alex: Talk) -> None:
    alex.say("Remind me to feed Rex the cat every day at 8am")
    alex.say("Remind me of gym tomorrow at 7pm")
    alex.say("I have a cat named Rex")
    alex.say("My wife is called Rosa")

    [gym] = alex.text("actually forget gym")
    [cat] = alex.text("forget about Rex")
    [again] = alex.text("/memory forget Rex")
    [wife] = alex.text("forget about my wife")

    assert gym.endswith("Still to come: Gym, on 22 November 2026 at 19:00. /routines forget 2 stops it.")
    assert cat.endswith("Still to come: Feed Rex the cat, daily at 08:00. /routines forget 1 stops it.")
    assert again.endswith(
        "no word of it. Still to come: Feed Rex the cat, daily at 08:00. /routines forget 1 stops it."
    )
    assert "Still to come" not in wife
    assert alex.text("/routines forget 1") == ["No more: Feed Rex the cat. /undo brings it back."]
    [gone] = alex.text("/memory forget Rex")
    assert "Still to come" not in gone


def test_who_forgets_a_fact_by_its_number_is_told_what_comes_for_whom_it_names(alex: Talk) -> None:
    alex.say("I have a cat named Rex")
    alex.say("Remind me to feed Rex every day at 8am")

    [reply] = alex.text("/memory forget 1")

    assert reply.endswith("/undo brings it back. Still to come: Feed Rex, daily at 08:00. /routines forget 1 stops it.")
