"""Cases E, of suggestions: one is said once and a yes makes one thing, wherever the process dies."""

from typing import NoReturn

import pytest

from app.conversation.turn import answer
from app.conversation.waiting import wake_waiting
from app.features.habits import suggest_habits
from tests.conftest import MakeServices
from tests.fakes import InlineBackground
from tests.features.habits.weeks import Weeks
from tests.phoning import Killed
from tests.stores import Meanwhile

WEATHER = "Weather today?"


@pytest.fixture
def weeks(weeks: Weeks) -> Weeks:
    """Alex, who has asked for the weather at 7 on three days; nobody has looked yet, and it is noon."""
    for _ in range(3):
        weeks.text("07:00", WEATHER)
    weeks.go_to("12:00")
    return weeks


def die() -> NoReturn:
    raise Killed


def made(weeks: Weeks) -> list[str]:
    """All texts that were made, also one whose process died with it in its hand: it is looked up, not sent again."""
    return [one.body for one in weeks.phone.messages("out")]


def suggested(weeks: Weeks) -> list[str]:
    return [body for body in made(weeks) if body.startswith("You often ask me this")]


@pytest.mark.parametrize("steps", range(8))
def test_r69_wherever_its_process_dies_a_suggestion_is_said_once(
    steps: int, weeks: Weeks, make_services: MakeServices, background: InlineBackground
) -> None:
    mortal = make_services(store=Meanwhile(weeks.services.store, die, after=steps))
    try:
        suggest_habits.run(mortal)
        background.run(within_seconds=0)
    except Killed:
        background.woken.clear()
    make_services(store=weeks.services.store)
    wake_waiting(weeks.services, quiet_seconds=0)
    for at in ("12:05", "12:45", "13:30", "18:00"):
        weeks.look_at(at)
    assert len(suggested(weeks)) == 1
    assert weeks.states() == ["said"]


@pytest.mark.parametrize("steps", range(6))
def test_r69_wherever_its_process_dies_a_yes_makes_one_routine_and_is_answered_once(
    steps: int, weeks: Weeks, make_services: MakeServices, background: InlineBackground
) -> None:
    assert len(weeks.look()) == 1
    before = len(made(weeks))
    weeks.phone.send("yes")
    make_services(store=Meanwhile(weeks.services.store, die, after=steps))
    try:
        background.run(within_seconds=0)
    except Killed:
        background.woken.clear()
    make_services(store=weeks.services.store)
    wake_waiting(weeks.services, quiet_seconds=0)
    background.run(within_seconds=0)
    weeks.look_at("12:05", "13:30")
    assert [one.words for one in weeks.routines()] == [WEATHER]
    [said] = made(weeks)[before:]
    assert said.startswith('Done: "Weather today?", daily at 07:00.')
    assert weeks.states() == ["accepted"]


def test_r69_two_processes_suggest_one_thing(
    weeks: Weeks, make_services: MakeServices, background: InlineBackground
) -> None:
    other = make_services()
    for _ in range(10):
        suggest_habits.run(weeks.services)
        suggest_habits.run(other)
        answer(other, weeks.phone.person_id)
        answer(weeks.services, weeks.phone.person_id)
        weeks.services.clock.advance(minutes=5)  # type: ignore[attr-defined]
    assert len(suggested(weeks)) == 1
