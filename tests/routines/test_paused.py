"""All that comes by itself is paused until a day or an hour, in a person's own words or by the tool."""

from datetime import timedelta

import pytest

from app.conversation.coming import against
from app.routines import setting
from app.services import Services
from tests.memory.remembering import add_person
from tests.routines.routine_line import Coming
from tests.tools.calling import call, context, refusal, texted
from tests.tools.test_routines import when


@pytest.mark.parametrize(
    "text",
    [
        "pause everything until Monday",
        "Please pause all my reminders till Monday, thanks",
        "mute all of them over the weekend",
        "no reminders until monday please",
        "Don't text me until Monday",
        "leave me alone for 2 days",
        "Stop all my reminders until the end of the week",
    ],
)
def test_all_is_paused_until_a_day_in_one_sentence_and_comes_again_on_it(coming: Coming, text: str) -> None:
    coming.remind("stretch", repeat="daily", times=["10:00"])
    coming.remind("drink", repeat="daily", times=["11:00"])
    [said] = coming.phone.text(text)
    assert said == "OK, all is paused until Monday 23 November: stretch; drink. /resume brings it back sooner."
    assert coming.phone.text("/routines")[0].startswith(
        "All paused until Monday 23 November 2026, or until you text /resume:"
    )
    assert "All is paused: nothing comes until Monday 23 November, or" in coming.phone.text("my reminders")[0]
    assert coming.pass_time(hours=48) == []
    assert coming.pass_time(hours=1) == ["Reminder: stretch"]
    assert "paused" not in coming.phone.text("/routines")[0]


@pytest.mark.parametrize(
    ("text", "until"),
    [
        ("pause everything for 2 hours", "11 AM today:"),
        ("pause everything until 6pm", "6 PM tonight:"),
        ("mute everything until tomorrow at 9am", "9 AM tomorrow:"),
        ("pause all my reminders until December 1", "Tuesday 1 December:"),
    ],
)
def test_the_end_of_a_pause_may_be_an_hour_a_span_or_a_date(coming: Coming, text: str, until: str) -> None:
    coming.remind("stretch", repeat="daily", times=["10:00"])
    assert f"OK, all is paused until {until}" in coming.phone.text(text)[0]


def test_what_comes_once_in_that_time_is_named_since_it_will_not_come(coming: Coming) -> None:
    coming.remind("Call Ana", repeat="once", in_days=1, times=["09:00"])
    coming.remind("Call Bo", repeat="once", in_days=3, times=["09:00"])
    [said] = coming.phone.text("pause everything until Monday")
    assert said.endswith("will not come: Call Ana, 9 AM tomorrow.")
    assert "nothing comes before that" in coming.phone.text("remind me tomorrow at 9am to buy milk")[0]
    assert "paused" not in coming.phone.text("remind me on Monday at 9am to buy bread")[0]
    assert coming.pass_time(hours=24) == []
    assert coming.pass_time(hours=24) == ["Reminder: Buy bread"]
    assert coming.pass_time(hours=24) == ["Reminder: Call Bo"]


def test_what_was_put_off_comes_after_the_pause_or_is_named_where_it_will_not(coming: Coming) -> None:
    coming.remind("Call Ana", repeat="once", in_days=0, times=["10:00"])
    assert coming.pass_time(hours=1) == ["Reminder: Call Ana"]
    coming.phone.text("snooze 3 hours")
    assert "will not come" not in coming.phone.text("pause everything for 2 hours")[0]
    assert "Next: today, Saturday 21 November 2026, 13:00" in coming.phone.text("/routines")[0]
    assert coming.pass_time(hours=2) == []
    assert coming.pass_time(hours=1) == ["Reminder: Call Ana"]
    coming.phone.text("snooze 1 hour")
    [said] = coming.phone.text("pause everything for 2 hours")
    assert said.endswith("will not come: Call Ana, 2 PM today.")
    assert coming.pass_time(hours=3) == []


def test_what_comes_when_a_pause_is_over_is_shown_to_the_operator_as_coming(coming: Coming) -> None:
    coming.remind("stretch", repeat="daily", times=["10:00"])
    coming.phone.text("pause everything until Monday")
    person, routine, now = coming.phone.person(), coming.routine(), coming.services.clock.now()
    paused = "All routines of the person are paused."
    assert against(coming.services, routine, person, now + timedelta(days=1)) == paused
    assert against(coming.services, routine, person, now + timedelta(days=2, hours=1)) is None


def test_a_pause_of_all_and_its_end_are_each_one_change_to_undo(coming: Coming) -> None:
    coming.remind("stretch", repeat="daily", times=["10:00"])
    coming.remind("drink", repeat="daily", times=["11:00"])
    coming.phone.text("pause everything until Monday")
    assert coming.phone.text("resume everything") == ["OK, these come again: stretch; drink."]
    assert coming.phone.text("/undo") == [
        "Undone: all that is scheduled is paused again until Monday 23 November 2026."
    ]
    assert coming.pass_time(hours=2) == []
    assert coming.phone.text("/undo") == ["Undone: what is scheduled comes again."]
    assert coming.pass_time(hours=23) == ["Reminder: stretch"]


def test_a_pause_that_would_be_over_does_not_begin_anew_by_an_undo(coming: Coming) -> None:
    coming.remind("stretch", repeat="daily", times=["10:00"])
    coming.phone.text("pause everything for 2 hours")
    coming.phone.text("resume everything")
    coming.pass_time(hours=3)
    assert coming.phone.text("/undo") == ["Undone: what is scheduled comes again."]
    assert coming.phone.person().paused_at is None


def test_the_end_of_a_pause_is_said_where_all_that_is_scheduled_waits_for_a_yes(coming: Coming) -> None:
    coming.remind("stretch", repeat="daily", times=["10:00"])
    for text in ("pause everything until Monday", "STOP", "START"):
        coming.phone.text(text)
    [said] = coming.phone.text("resume everything")
    assert said.startswith("OK, the pause is over. This comes once you say so: 1. stretch, every day at 10 AM.")
    assert coming.phone.person().paused_at is None


def test_an_end_that_is_not_plain_is_asked_about_and_nothing_is_paused(coming: Coming) -> None:
    coming.remind("stretch", repeat="daily", times=["10:00"])
    assert coming.phone.text("pause everything until the party")[0].startswith("Until when?")
    assert coming.phone.text("pause everything until 6")[0].startswith("In the morning or in the evening?")
    assert coming.pass_time(hours=1) == ["Reminder: stretch"]


def test_by_the_tool_all_are_paused_and_resumed_but_what_waits_for_a_yes(services: Services) -> None:
    person_id, schedule = add_person(services), when(repeat="daily", times=["10:00"])
    ctx = context(services, person_id, texted(services, person_id, "remind me daily at 10 to stretch"))
    call(ctx, "set_routine", does="remind", words="Stretch", schedule=schedule)
    call(context(services, person_id), "set_routine", does="remind", words="Buy shares", schedule=schedule)

    held = call(ctx, "change_routine", routine_ids=[0], action="pause", day="2026-11-23")
    assert held["paused_until"] == "Monday 23 November 2026"
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
