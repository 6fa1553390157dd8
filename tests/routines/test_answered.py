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
    assert said == "OK, again at 10:10 AM today: stretch."
    assert coming.pass_time(minutes=10) == ["Reminder: stretch"]


def test_later_is_asked_for_how_long_right_after_a_reminder_and_not_understood_else(coming: Coming) -> None:
    coming.remind("stretch", repeat="daily", times=["10:00"])
    assert coming.phone.text("later")[0].startswith("I didn't get that")
    coming.pass_time(hours=1)
    assert coming.phone.text("Later")[0].startswith("For how long?")
    assert coming.phone.text("20") == ["OK, again at 10:20 AM today: stretch."]


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


def test_which_comes_next_is_told_by_its_time_and_of_one_that_is_named(coming: Coming) -> None:
    assert "Nothing is scheduled." in coming.phone.text("When is my next reminder?")[0]
    coming.remind("stretch", repeat="daily", times=["10:00"])
    coming.remind("Call Ana", repeat="once", times=["09:30"])
    assert coming.phone.text("What's my next reminder?")[0] == "Next: Call Ana, 9:30 AM today."
    assert coming.phone.text("when is my stretch reminder")[0].startswith("Next: stretch, 10 AM today and ")


@pytest.mark.parametrize(
    "text", ["change stretch to 11am", "Move my 10am reminder to 11", "make the stretch one 11:00"]
)
def test_another_hour_keeps_the_days(coming: Coming, text: str) -> None:
    coming.remind("stretch", repeat="weekly", weekdays=["saturday", "monday"], times=["10:00"])
    [said] = coming.phone.text(text)
    assert said.startswith("OK, every Monday and Saturday at 11 AM")
    assert coming.pass_time(hours=1) == []
    assert coming.pass_time(hours=1) == ["Reminder: stretch"]


def test_another_hour_of_what_comes_after_a_span_is_on_the_same_day(coming: Coming) -> None:
    coming.phone.text("Remind me in 20 minutes to call Ana")
    assert "10:30 AM today" in coming.phone.text("Change call Ana to 10:30")[0]
    assert coming.pass_time(minutes=89) == []
    assert coming.pass_time(minutes=1) == ["Reminder: Call Ana"]


@pytest.mark.parametrize("text", ["pause until Monday", "Pause stretch till monday"])
def test_paused_until_a_day_it_comes_again_on_it(coming: Coming, text: str) -> None:
    coming.remind("stretch", repeat="daily", times=["10:00"])
    [said] = coming.phone.text(text)
    assert said.startswith("OK, paused: stretch. Next: 10 AM on Monday")
    assert coming.pass_time(hours=48) == []
    assert coming.pass_time(hours=1) == ["Reminder: stretch"]


def test_every_second_day_paused_until_a_day_is_counted_as_before(coming: Coming) -> None:
    coming.remind("stretch", repeat="daily", every=2, times=["10:00"])
    assert "Next: 10 AM on Wednesday" in coming.phone.text("pause stretch until tuesday")[0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("when is stretch?", "Next: stretch, 10 AM today and 10 AM tomorrow."),
        ("what time is my yoga", "Next: Go to yoga, 6 PM on Monday and 6 PM on Monday, 30 November."),
        ("When does my pill reminder come?", "Next: Take the blue pill, 8 PM tonight and 8 PM tomorrow."),
        ("when will you remind me about the pill?", "Next: Take the blue pill, 8 PM tonight and 8 PM tomorrow."),
    ],
)
def test_when_one_comes_is_answered_where_the_question_names_it_plainly(coming: Coming, text: str, said: str) -> None:
    coming.remind("stretch", repeat="daily", times=["10:00"])
    coming.remind("Go to yoga", repeat="weekly", weekdays=["monday"], times=["18:00"])
    coming.remind("Take the blue pill", repeat="daily", times=["20:00"])
    assert coming.phone.text(text)[0] == said


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
    assert "9 AM tomorrow (Los Angeles time): call Ana." in said
    assert coming.phone.facts() == ["Has a dog named Rex"]


@pytest.fixture
def vitamins(coming: Coming) -> Coming:
    """Daily at ten; it is half past ten, and today's has come."""
    coming.remind("Take vitamins", repeat="daily", times=["10:00"])
    assert coming.pass_time(hours=1) == ["Reminder: Take vitamins"]
    coming.pass_time(minutes=30)
    return coming


@pytest.mark.parametrize("text", ["skip", "skip the vitamins", "not today", "Skip today's", "/routines skip 1"])
def test_what_has_come_is_skipped_without_leaving_out_the_next(vitamins: Coming, text: str) -> None:
    [said] = vitamins.phone.text(text)
    assert "ot today: Take vitamins." in said.replace("take", "Take")
    assert "Next: tomorrow, Sunday 22 November 2026, 10:00" in said or "Next: 10 AM tomorrow" in said
    assert "ot today: Take vitamins." in vitamins.phone.text("skip the vitamins")[0]
    assert vitamins.occurrences()[0].reason == "The person skipped it."
    assert vitamins.pass_time(hours=23, minutes=30) == ["Reminder: Take vitamins"]


@pytest.mark.parametrize("text", ["skip the next one", "skip tomorrow", "Skip Sunday's"])
def test_the_one_that_is_named_is_left_out(vitamins: Coming, text: str) -> None:
    assert "left out Sunday 22 November: Take vitamins. Next: 10 AM on Monday" in vitamins.phone.text(text)[0]
    assert vitamins.pass_time(hours=24) == []
    assert vitamins.pass_time(hours=23, minutes=30) == ["Reminder: Take vitamins"]


def test_before_its_time_todays_is_left_out_and_said_twice_only_that(coming: Coming) -> None:
    coming.remind("Take vitamins", repeat="daily", times=["10:00"])
    for _ in range(2):
        assert "left out Saturday 21 November: Take vitamins. Next: 10 AM tomorrow" in coming.phone.text("skip")[0]
    assert coming.pass_time(hours=2) == []
    assert "Next: 10 AM tomorrow" in coming.phone.text("skip")[0]
    assert coming.pass_time(hours=23) == ["Reminder: Take vitamins"]


def test_of_two_a_day_a_skip_means_the_nearer_one(coming: Coming) -> None:
    coming.remind("Take the pill", repeat="daily", times=["10:00", "20:00"])
    coming.pass_time(hours=1, minutes=30)
    assert "Next: 8 PM tonight" in coming.phone.text("skip")[0]
    coming.pass_time(hours=9)
    assert "Next: 10 AM tomorrow" in coming.phone.text("skip")[0]
    assert coming.pass_time(hours=1) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("skip tomorrow", "OK, left out Sunday 22 November (10 AM and 8 PM): Take the pill."),
        ("/routines skip 1", "Left out on Saturday 21 November (10:00 and 20:00): Take the pill."),
    ],
)
def test_a_day_that_is_left_out_is_named_with_all_its_times(coming: Coming, text: str, said: str) -> None:
    coming.remind("Take the pill", repeat="daily", times=["10:00", "20:00"])
    assert coming.phone.text(text)[0].startswith(said)


def test_what_came_before_midnight_is_skipped_shortly_after_it(coming: Coming) -> None:
    coming.remind("Go to bed", repeat="daily", times=["23:50"])
    coming.pass_time(hours=14, minutes=50)
    coming.pass_time(minutes=20)
    assert coming.phone.text("skip")[0].startswith("OK, not today: Go to bed. Next: 11:50 PM tonight")


def test_what_came_once_is_skipped_and_no_other_for_it(vitamins: Coming) -> None:
    vitamins.remind("Call Ana", repeat="once", times=["11:00"])
    assert vitamins.pass_time(minutes=30) == ["Reminder: Call Ana"]
    assert vitamins.phone.text("skip") == ["OK, not today: Call Ana. It does not come again."]
    assert vitamins.pass_time(hours=23) == ["Reminder: Take vitamins"]


def test_what_was_put_off_and_is_skipped_then_does_not_come_again_today(vitamins: Coming) -> None:
    vitamins.phone.text("snooze 20 minutes")
    assert "not today: Take vitamins. Next: 10 AM tomorrow" in vitamins.phone.text("skip")[0]
    assert vitamins.pass_time(minutes=40) == []


def test_a_bare_hour_is_the_one_nearest_to_when_it_comes_now(coming: Coming) -> None:
    coming.remind("Go to the gym", repeat="once", times=["19:00"])
    coming.remind("stretch", repeat="daily", times=["10:00"])
    assert "6 PM tonight" in coming.phone.text("move gym to 6")[0]
    assert "every day at 8:30 AM" in coming.phone.text("move stretch to 8:30")[0]
    assert "OK" not in coming.phone.text("move gym to 6am")[0]


def test_what_is_done_and_what_is_asked_beside_it_are_both_answered(vitamins: Coming) -> None:
    vitamins.phone.text("My birthday is May 3", "snooze 20 minutes")
    [said] = vitamins.phone.text("done, picked it up. and when is my birthday?")
    assert "Well done!" in said
    assert "3 May" in said or "May 3" in said
    assert vitamins.pass_time(minutes=30) == []


def test_days_left_out_that_are_past_are_told_no_more(vitamins: Coming) -> None:
    vitamins.phone.text("skip tomorrow")
    for text in ("/routines", "what's scheduled?"):
        assert "except on 22 November" in vitamins.phone.text(text)[0]
    vitamins.pass_time(hours=48)
    for text in ("/routines", "what's scheduled?"):
        assert "except" not in vitamins.phone.text(text)[0]


@pytest.mark.parametrize("text", ["resume", "resume all", "yes", "Yes please"])
def test_where_all_waits_for_a_yes_after_stop_and_start_it_is_said_how_it_comes_again(
    vitamins: Coming, text: str
) -> None:
    vitamins.phone.text("STOP")
    vitamins.phone.text("START")
    [said] = vitamins.phone.text(text)
    assert "1. Take vitamins, every day at 10 AM. Text /resume and the number, or /resume for all." in said
    vitamins.phone.text("/resume")
    assert vitamins.routine().state == "active"
