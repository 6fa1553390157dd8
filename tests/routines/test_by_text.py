"""Texts about reminders and routines, with the offline model and without any."""

import pytest

from tests.people.test_strangers import bring
from tests.routines.routine_line import Coming


def test_quiet_hours_are_set_in_ones_own_words(coming: Coming) -> None:
    assert coming.phone.text("Don't text me between 9pm and 8:30am") == [
        "OK, I text nothing by myself from 9 PM to 8:30 AM, but at an hour that you name."
    ]
    assert coming.phone.person().quiet_hours == "21:00-08:30"
    [asked] = coming.phone.text("my quiet hours are 9 to 7")
    assert asked.startswith("In the morning or in the evening?")
    assert coming.phone.text("/undo") == ["Undone: your quiet hours are again 22:00-07:00."]


def test_what_a_routine_said_is_in_the_conversation_and_not_the_persons_words(coming: Coming) -> None:
    coming.phone.text("Hello")
    coming.remind("I am a nurse in Lima", repeat="once", in_minutes=5)
    coming.pass_time(minutes=5)
    coming.phone.text("Thanks")
    assert coming.phone.facts() == []


def test_r27_after_stop_and_start_routines_wait_for_a_yes(coming: Coming) -> None:
    coming.remind("stretch", repeat="daily", times=["10:00"])
    coming.phone.text("STOP")
    assert coming.pass_time(hours=2) == []
    assert coming.phone.text("START") == [
        "Welcome back. I text nothing of this again before you say so: 1. stretch. Text /resume and the number."
    ]
    assert coming.pass_time(hours=24) == []
    assert "waits for your yes: /resume 1" in coming.phone.text("/routines")[0]
    coming.phone.text("/resume 1")
    assert coming.pass_time(hours=23) == ["Reminder: stretch"]


def test_r27_a_welcome_that_another_stop_held_back_is_told_after_the_next_start(coming: Coming) -> None:
    coming.remind("stretch", repeat="daily", times=["10:00"])
    for body in ("STOP", "START", "STOP"):
        bring(coming.services, coming.phone.number, body)
    assert [text.partition(".")[0] for text in coming.phone.text("START")] == ["Welcome back"]


def test_r27_who_comes_back_with_start_reads_what_waits_and_once_what_had_passed(coming: Coming) -> None:
    coming.remind("Call Ana", repeat="once", times=["10:00"])
    coming.remind("Call Bo", repeat="once", times=["18:00"])
    coming.remind("stretch", repeat="daily", times=["10:00"])
    coming.phone.text("STOP")
    assert coming.pass_time(hours=2) == []
    waits = "I text nothing of this again before you say so: 2. Call Bo; 3. stretch. Text /resume and the number."
    assert coming.phone.text("START") == [
        f"Welcome back. This passed while you wanted no texts: Call Ana (due at 10:00). {waits}"
    ]
    assert [coming.routine(number).state for number in (1, 2, 3)] == ["ended", "proposed", "proposed"]
    coming.phone.text("STOP")
    assert coming.phone.text("START") == [f"Welcome back. {waits}"]
    coming.phone.text("/routines forget 2 3")
    coming.phone.text("STOP")
    assert coming.phone.text("START") == []


@pytest.mark.parametrize(
    ("what", "is_told"), [("text me a joke", True), ("text me the weather", False), ("remind me of the news", False)]
)
def test_of_what_is_to_be_made_it_is_said_at_once_that_the_words_alone_come(
    coming: Coming, what: str, *, is_told: bool
) -> None:
    [said] = coming.phone.text(f"every day at 8am {what}")
    assert ("Without a model only these words come then" in said) == is_told


@pytest.mark.parametrize("text", ["when is Easter?", "When is my birthday?", "what time is it?", "when is my dentist?"])
def test_a_question_of_something_else_is_answered_as_ever(coming: Coming, text: str) -> None:
    coming.phone.text("My birthday is May 3", "I have a dentist appointment on Friday at 3pm")
    before = coming.phone.text(text)
    coming.remind("Buy Easter eggs", repeat="once", in_days=2, times=["10:00"])
    coming.remind("Order a cake for my birthday", repeat="once", in_days=3, times=["10:00"])
    coming.remind("Dentist", repeat="once", in_days=4, times=["10:00"])
    assert coming.phone.text(text) == before


def test_what_is_told_beside_a_wish_is_kept(coming: Coming) -> None:
    [said] = coming.phone.text("Remind me tomorrow at 9am to call Ana. I have a dog named Rex.")
    assert "9 AM tomorrow (Los Angeles time): Call Ana." in said
    assert coming.phone.facts() == ["Has a dog named Rex"]
