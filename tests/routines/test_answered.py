"""Answers to a routine's text, in words, by commands and by the tool. It is 9:00 on Saturday 21 November 2026."""

from datetime import timedelta

import pytest

from app.conversation.coming import blocking_reason
from app.routines import setting
from app.services import Services
from tests.memory.remembering import add_person
from tests.routines.routine_line import Coming
from tests.tables import rows
from tests.tools.calling import call, context, refusal, texted
from tests.tools.test_routines import when

SUNDAY = "tomorrow, Sunday 22 November 2026, 10:00 (America/Los_Angeles)"


@pytest.fixture
def vitamins(coming: Coming) -> Coming:
    """A daily reminder at ten; it is half past ten, and today's has come."""
    coming.remind("Take vitamins", repeat="daily", times=["10:00"])
    assert coming.pass_time(hours=1) == ["Reminder: Take vitamins"]
    coming.pass_time(minutes=30)
    return coming


@pytest.mark.parametrize("line", rows("answered_reminders.txt")[1:])
def test_what_has_come_is_answered_in_plain_words_offline(vitamins: Coming, line: str) -> None:
    steps, _, reply = line.partition(" => ")
    said = [vitamins.step(step) for step in steps.split(" || ")]
    assert " | ".join(said[-1]).replace("\n", " / ") == reply


def test_in_words_what_was_put_off_comes_again_and_what_is_left_out_does_not(vitamins: Coming) -> None:
    vitamins.phone.text("snooze 20 minutes")
    assert vitamins.pass_time(minutes=20) == ["Reminder: Take vitamins"]
    vitamins.phone.text("snooze 20 minutes", "done")
    assert vitamins.pass_time(minutes=20) == []
    vitamins.phone.text("skip tomorrow")
    assert vitamins.pass_time(hours=24) == []
    assert vitamins.pass_time(hours=22, minutes=50) == ["Reminder: Take vitamins"]
    vitamins.remind("Call Ana", repeat="once", in_minutes=5)
    assert vitamins.pass_time(minutes=5) == ["Reminder: Call Ana"]
    assert vitamins.phone.text("skip") == ["OK, not today: Call Ana. It does not come again."]


def test_what_came_more_than_a_day_ago_is_not_put_off(coming: Coming) -> None:
    coming.remind("Call Ana", repeat="once", in_minutes=5)
    assert coming.pass_time(minutes=5) == ["Reminder: Call Ana"]
    assert coming.pass_time(hours=25) == []
    assert coming.phone.text("snooze 20 minutes") == ["Nothing has come lately that I could put off."]


def test_snoozed_it_comes_once_more_and_is_still_one_occurrence(vitamins: Coming) -> None:
    for minute in (40, 50):
        snoozed = f"today, Saturday 21 November 2026, 10:{minute} (America/Los_Angeles)"
        assert vitamins.change("snooze", minutes=10)["snoozed_to"] == snoozed
        assert f"Next: {snoozed}." in vitamins.phone.text("/routines")[0]
        assert vitamins.pass_time(minutes=9) == []
        assert vitamins.pass_time(minutes=1) == ["Reminder: Take vitamins"]
    assert vitamins.states() == ["sent"]
    vitamins.change("snooze", minutes=10)
    vitamins.change("done")
    assert vitamins.pass_time(minutes=30) == []


def test_another_hour_of_what_comes_after_a_span_is_on_the_same_day(coming: Coming) -> None:
    coming.remind("Call Ana", repeat="once", in_minutes=20)
    coming.change("change", times=["10:30"])
    assert coming.pass_time(minutes=89) == []
    assert coming.pass_time(minutes=1) == ["Reminder: Call Ana"]


@pytest.mark.parametrize("every", [1, 2])
def test_paused_until_a_day_it_comes_again_on_it_and_is_counted_as_before(coming: Coming, every: int) -> None:
    coming.remind("stretch", repeat="daily", every=every, times=["10:00"])
    days = {1: 3, 2: 4}[every]
    assert coming.change("pause", day="2026-11-24")["routine"]["state"] == "active"
    assert coming.pass_time(hours=24 * days) == []
    assert coming.pass_time(hours=1) == ["Reminder: stretch"]


def test_what_has_come_is_skipped_without_leaving_out_the_next(vitamins: Coming) -> None:
    skipped = vitamins.change("skip")
    assert (skipped["had_come"], skipped["routine"]["next"][0]) == (True, SUNDAY)
    assert vitamins.phone.text("/routines skip 1") == [
        f"Not today: Take vitamins. Nothing that is to come is left out. Next: {SUNDAY}."
    ]
    assert vitamins.occurrences()[0].reason == "The person skipped it."
    assert vitamins.pass_time(hours=23, minutes=30) == ["Reminder: Take vitamins"]


def test_the_day_that_is_named_is_left_out_and_once_past_told_no_more(vitamins: Coming) -> None:
    assert vitamins.change("skip", day="2026-11-22")["left_out"] == "Sunday 22 November"
    assert "except on 22 November" in vitamins.phone.text("/routines")[0]
    assert vitamins.pass_time(hours=24) == []
    assert vitamins.pass_time(hours=23, minutes=30) == ["Reminder: Take vitamins"]
    assert "except" not in vitamins.phone.text("/routines")[0]


def test_before_its_time_todays_is_left_out_and_said_twice_only_that(coming: Coming) -> None:
    coming.remind("Take vitamins", repeat="daily", times=["10:00"])
    said = f"Left out on Saturday 21 November: Take vitamins. Next: {SUNDAY}. /undo takes that back."
    assert coming.phone.text("/routines skip 1", "/routines skip 1") == [said, said]
    assert coming.pass_time(hours=2) == []
    assert SUNDAY in coming.phone.text("/routines skip 1")[0]
    assert coming.pass_time(hours=23) == ["Reminder: Take vitamins"]


def test_of_two_a_day_a_skip_means_the_nearer_one(coming: Coming) -> None:
    coming.remind("Take the pill", repeat="daily", times=["10:00", "20:00"])
    coming.pass_time(hours=1, minutes=30)
    assert "20:00" in coming.change("skip")["routine"]["next"][0]
    coming.pass_time(hours=9)
    assert coming.change("skip")["routine"]["next"][0] == SUNDAY
    assert coming.pass_time(hours=1) == []
    assert coming.change("skip", day="2026-11-22")["left_out"] == "Sunday 22 November (10:00 and 20:00)"


def test_what_came_before_midnight_is_skipped_shortly_after_it(coming: Coming) -> None:
    coming.remind("Go to bed", repeat="daily", times=["23:50"])
    coming.pass_time(hours=14, minutes=50)
    coming.pass_time(minutes=20)
    skipped = coming.change("skip")
    assert skipped["had_come"]
    assert skipped["routine"]["next"][0].startswith("today, Sunday 22 November 2026, 23:50")


def test_what_came_once_or_was_put_off_is_skipped_and_no_other_for_it(vitamins: Coming) -> None:
    vitamins.remind("Call Ana", repeat="once", times=["11:00"])
    vitamins.change("snooze", minutes=40)
    assert vitamins.pass_time(minutes=30) == ["Reminder: Call Ana"]
    assert vitamins.change("skip", 2)["routine"]["next"] == []
    assert vitamins.change("skip", 1)["routine"]["next"][0] == SUNDAY
    assert vitamins.pass_time(minutes=40) == []
    assert vitamins.pass_time(hours=22, minutes=20) == ["Reminder: Take vitamins"]


def test_all_is_paused_until_a_day_and_comes_again_on_it(coming: Coming) -> None:
    coming.remind("stretch", repeat="daily", times=["10:00"])
    assert coming.change("pause", 0, day="2026-11-23")["paused_until"] == "Monday 23 November 2026"
    assert coming.phone.text("/routines")[0].startswith(
        "All paused until Monday 23 November 2026, or until you text /resume:"
    )
    person, routine, now = coming.phone.person(), coming.routine(), coming.services.clock.now()
    paused = "All routines of the person are paused."
    assert blocking_reason(coming.services, routine, person, now + timedelta(days=1)) == paused
    assert blocking_reason(coming.services, routine, person, now + timedelta(days=2, hours=1)) is None
    assert coming.pass_time(hours=48) == []
    assert coming.pass_time(hours=1) == ["Reminder: stretch"]
    assert "paused" not in coming.phone.text("/routines")[0]


def test_what_comes_once_in_a_pause_is_named_since_it_will_not_come(coming: Coming) -> None:
    coming.remind("Call Ana", repeat="once", in_days=1, times=["09:00"])
    coming.remind("Call Bo", repeat="once", in_days=3, times=["09:00"])
    [lost] = coming.change("pause", 0, day="2026-11-23")["will_not_come"]
    assert (lost["words"], lost["when"][:8]) == ("Call Ana", "tomorrow")
    milk = {"does": "remind", "words": "Buy milk", "schedule": when(in_days=1, times=["09:00"])}
    assert "nothing comes before that" in coming.call("set_routine", **milk)["routine"]["note"]
    bread = {"does": "remind", "words": "Buy bread", "schedule": when(in_days=2, times=["09:00"])}
    assert "note" not in coming.call("set_routine", **bread)["routine"]
    assert [coming.pass_time(hours=24) for _ in range(3)] == [[], ["Reminder: Buy bread"], ["Reminder: Call Bo"]]


def test_what_was_put_off_comes_after_the_pause_or_is_named_where_it_will_not(coming: Coming) -> None:
    coming.remind("Call Ana", repeat="once", in_days=0, times=["10:00"])
    assert coming.pass_time(hours=1) == ["Reminder: Call Ana"]
    coming.change("snooze", minutes=180)
    assert coming.change("pause", 0, minutes=120)["will_not_come"] == []
    assert "Next: today, Saturday 21 November 2026, 13:00" in coming.phone.text("/routines")[0]
    assert coming.pass_time(hours=3) == ["Reminder: Call Ana"]
    coming.change("snooze", minutes=60)
    [lost] = coming.change("pause", 0, minutes=120)["will_not_come"]
    assert lost["words"] == "Call Ana"
    assert coming.phone.text("/undo") == ["Undone: what is scheduled comes again."]
    assert coming.change("pause", 0, minutes=120)["will_not_come"] == [lost]
    assert coming.pass_time(hours=3) == []
    assert coming.routine().state == "ended"


PUT_OFF = ["/routines forget 1|/undo", "/pause|/undo", "/pause|/resume", "/pause 1|/undo", "/pause 1|/resume 1"]


@pytest.mark.parametrize("texts", [*PUT_OFF, "STOP|START|/resume 1", "/pause 1|/resume"])
def test_what_was_put_off_comes_once_what_stopped_it_is_taken_back(coming: Coming, texts: str) -> None:
    coming.remind("Call Ana", repeat="once", times=["10:00"])
    assert coming.pass_time(hours=1) == ["Reminder: Call Ana"]
    coming.change("snooze", minutes=60)
    for text in texts.split("|"):
        coming.phone.text(text)
    assert coming.pass_time(minutes=30) == []
    assert coming.pass_time(minutes=30) == ["Reminder: Call Ana"]
    assert coming.phone.text("/routines")[0].startswith("Nothing is scheduled.")


@pytest.mark.parametrize("text", ["/routines forget 1", "/pause", "/pause 1", "STOP"])
def test_what_was_put_off_does_not_come_while_it_is_stopped(coming: Coming, text: str) -> None:
    coming.remind("Call Ana", repeat="once", times=["10:00"])
    coming.pass_time(hours=1)
    coming.change("snooze", minutes=60)
    coming.phone.text(text)
    assert [coming.pass_time(minutes=30) for _ in range(4)] == [[]] * 4
    if text == "STOP":
        passed = "Welcome back. This passed while you wanted no texts: Call Ana (due at 11:00)."
        assert coming.phone.text("START") == [passed]


def test_what_was_put_off_beyond_the_next_time_does_not_hide_that(vitamins: Coming) -> None:
    vitamins.change("snooze", minutes=30 * 60)
    assert f"Next: {SUNDAY}" in vitamins.phone.text("/routines")[0]


def test_a_pause_of_all_and_its_end_are_each_one_change_to_undo(coming: Coming) -> None:
    coming.remind("stretch", repeat="daily", times=["10:00"])
    coming.change("pause", 0, day="2026-11-23")
    coming.change("resume", 0)
    again = "Undone: all that is scheduled is paused again until Monday 23 November 2026."
    assert coming.phone.text("/undo") == [again]
    assert coming.pass_time(hours=2) == []
    assert coming.phone.text("/undo") == ["Undone: what is scheduled comes again."]
    assert coming.pass_time(hours=23) == ["Reminder: stretch"]


def test_a_pause_that_would_be_over_does_not_begin_anew_by_an_undo(coming: Coming) -> None:
    coming.remind("stretch", repeat="daily", times=["10:00"])
    coming.change("pause", 0, minutes=120)
    coming.change("resume", 0)
    coming.pass_time(hours=3)
    assert coming.phone.text("/undo") == ["Undone: what is scheduled comes again."]
    assert coming.phone.person().paused_at is None


def test_by_the_tool_all_are_paused_and_resumed_but_what_waits_for_a_yes(services: Services) -> None:
    person_id, schedule = add_person(services), when(repeat="daily", times=["10:00"])
    ctx = context(services, person_id, texted(services, person_id, "remind me daily at 10 to stretch"))
    call(ctx, "set_routine", does="remind", words="Stretch", schedule=schedule)
    call(context(services, person_id), "set_routine", does="remind", words="Buy shares", schedule=schedule)

    held = call(ctx, "change_routine", routine_ids=[0], action="pause", day="2026-11-23")
    assert [one["words"] for one in held["routines"]] == ["Stretch"]
    assert call(ctx, "change_routine", action="list")["paused_until"] == held["paused_until"]
    again = call(ctx, "change_routine", routine_ids=[0], action="resume")
    assert (again["paused"], [one["words"] for one in again["routines"]]) == (False, ["Stretch"])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"action": "pause", "day": "2026-11-20"}, setting.PAUSED_NEVER),
        ({"action": "pause", "day": "2028-01-01"}, setting.PAUSED_NEVER),
        ({"action": "pause", "minutes": 10**12}, "minutes"),
        ({"action": "pause", "minutes": 5, "day": "2026-11-23"}, "Give one of them."),
        ({"action": "skip"}, "Give one's id."),
    ],
)
def test_what_is_no_pause_of_all_is_refused(services: Services, given: dict[str, object], said: str) -> None:
    person_id = add_person(services)
    ctx = context(services, person_id, texted(services, person_id, "pause everything"))
    assert said in refusal(ctx, "change_routine", {"routine_ids": [0], **given})
