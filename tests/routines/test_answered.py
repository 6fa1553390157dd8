"""What a person answers in a few words to what has come, or to a question of which one they mean; the offline model."""

import pytest

from tests.routines.routine_line import Coming


@pytest.mark.parametrize(
    "text", ["in 10 min", "Not now, 10 minutes", "remind me in 10 minutes", "give me 10 more minutes"]
)
def test_right_after_a_reminder_a_span_alone_puts_it_off(coming: Coming, text: str) -> None:
    coming.remind("stretch", repeat="daily", times=["10:00"])
    coming.pass_time(hours=1)
    [said] = coming.phone.text(text)
    assert said.startswith("Okay, I'll remind you again: today, Saturday 21 November 2026, 10:10")
    assert coming.pass_time(minutes=10) == ["Reminder: stretch"]


def test_later_is_asked_for_how_long_right_after_a_reminder_and_is_a_goodbye_else(coming: Coming) -> None:
    coming.remind("stretch", repeat="daily", times=["10:00"])
    assert coming.phone.text("later")[0].startswith("Bye for now!")
    coming.pass_time(hours=1)
    assert coming.phone.text("Later")[0].startswith("For how long?")
    assert "10:20" in coming.phone.text("20")[0]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("the second", [1]),
        ("The last one, please", [1]),
        ("7", [1, 2]),
        ("2", [1]),
        ("the one about feeding", [1]),
        ("the 11am one", [1]),
        ("both", []),
        ("the dog", [1, 2]),
        ("I like the walk", [1, 2]),
    ],
)
def test_which_of_two_is_meant_can_be_said_in_words(coming: Coming, text: str, left: list[int]) -> None:
    coming.remind("Walk the dog", repeat="daily", times=["10:00"])
    coming.remind("Feed the dog", repeat="daily", times=["11:00"])
    assert coming.phone.text("cancel the dog reminder")[0].startswith("Which one do you mean? 1. Walk the dog")
    coming.phone.text(text)
    assert [number for number in (1, 2) if coming.routine(number).state == "active"] == left
