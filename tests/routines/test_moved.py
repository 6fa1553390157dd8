"""A person in another zone: routines that travel with them and routines that do not."""

import pytest

from tests.routines.routine_line import Coming
from tests.tools.test_routines import when


@pytest.mark.parametrize("text", ["I live in Tokyo", "Actually, we live in Tokyo"])
def test_whoever_tells_where_they_live_has_the_clocks_of_that_place(coming: Coming, text: str) -> None:
    coming.remind("stretch", repeat="daily", times=["10:00"])
    [said] = coming.phone.text(text)
    assert "I'll remember that you live in Tokyo. Your time zone is Asia/Tokyo now." in said
    assert coming.phone.facts()[0].startswith("Lives in Tokyo")
    assert coming.pass_time(hours=7, minutes=59) == []
    assert coming.pass_time(minutes=1) == ["Reminder: stretch"]  # 17:00 in Los Angeles.


ELSEWHERE = [
    "We're moving to Berlin next week", "I'll be in Berlin until Friday", "My sister lives in Berlin",
    "I used to live in Berlin", "I live in Jersey", "I'm in Nice now",
]  # fmt: skip


@pytest.mark.parametrize("text", ELSEWHERE)
def test_where_the_person_is_not_or_what_may_be_no_place_moves_no_clock(coming: Coming, text: str) -> None:
    assert not any("time zone" in said for said in coming.phone.text(text))
    assert coming.phone.person().timezone == "America/Los_Angeles"


@pytest.mark.parametrize("text", ["I live in Los Angeles", "my timezone is Pacific time"])
def test_a_zone_that_was_guessed_is_told_once_it_is_told_though_it_is_the_same(coming: Coming, text: str) -> None:
    assert "Going by your number, your time zone is America/Los_Angeles." in coming.phone.text("/memory")[0]
    assert "Your time zone is" not in coming.phone.text(text)[0]
    assert "Your time zone is America/Los_Angeles." in coming.phone.text("/memory")[0]


@pytest.mark.parametrize("zone", ["Europe/London", ""])
def test_r74_an_hour_by_the_clock_of_another_zone_is_kept_at_night_and_it_is_said_when(
    coming: Coming, zone: str
) -> None:
    schedule = when(repeat="weekly", weekdays=["monday"], times=["08:00"])
    coming.call("set_routine", does="remind", words="Read the news", schedule=schedule, stays_in=zone)
    made = coming.change("change", stays_in="Europe/London")
    said = "That is 00:00 in America/Los_Angeles, within the quiet hours (22:00-07:00). It comes all the same"
    assert said in made["routine"]["note"]
    assert coming.pass_time(days=1, hours=15) == ["Reminder: Read the news"]


def test_r74_an_hour_that_is_at_night_there_and_not_here_wakes_nobody_who_travels(coming: Coming) -> None:
    daily = when(repeat="daily", times=["05:00"])
    made = coming.call("set_routine", does="remind", words="Stretch", schedule=daily, stays_in="Europe/London")
    assert "quiet hours" not in made["routine"].get("note", "")
    coming.call("update_profile", timezone="Europe/London")
    assert coming.pass_time(hours=12) == []
    assert coming.states() == ["skipped"]


def test_after_the_last_day_of_a_stay_the_clocks_of_home_hold_again_by_themselves(coming: Coming) -> None:
    stay = coming.call("update_profile", timezone="Asia/Tokyo", until="2026-11-27")
    assert stay["then"] == {"from": "Saturday 28 November 2026", "timezone": "America/Los_Angeles"}
    coming.pass_time(hours=141)
    assert coming.phone.person().timezone == "Asia/Tokyo"
    coming.pass_time(hours=1)
    assert (coming.phone.person().timezone, coming.phone.person().timezone_source) == ("America/Los_Angeles", "guessed")


def test_an_undo_after_a_stay_keeps_its_clocks_and_the_next_takes_back_what_was_before(coming: Coming) -> None:
    coming.phone.text("I live in Lisbon")
    coming.phone.text("I have a dog called Rex")
    coming.call("update_profile", timezone="Asia/Tokyo", until="2026-11-23")
    coming.pass_time(hours=72)
    assert coming.phone.person().timezone == "Europe/Lisbon"
    assert coming.phone.text("/undo") == ["Undone: your time zone is again Asia/Tokyo."]
    coming.pass_time(hours=1)
    assert coming.phone.person().timezone == "Asia/Tokyo"
    assert coming.phone.text("/undo") == ["Undone: your time zone is again Europe/Lisbon."]
    assert "Rex" in coming.phone.text("/undo")[0]


@pytest.mark.parametrize("zone", ["Europe/Lisbon", "Asia/Tokyo"])
def test_a_longer_stay_taken_back_after_its_former_end_leads_home(coming: Coming, zone: str) -> None:
    coming.call("update_profile", timezone="Europe/Lisbon", until="2026-11-22")
    coming.call("update_profile", timezone=zone, until="2026-11-27")
    coming.pass_time(hours=72)
    assert coming.phone.text("/undo")[0].endswith("your stay lasts again until 22 Nov 2026.")
    coming.pass_time(seconds=1)
    assert (coming.phone.person().timezone, coming.phone.person().away_until) == ("America/Los_Angeles", None)


def test_a_stay_ends_sooner_for_who_is_back_and_an_undo_takes_each_step_back(coming: Coming) -> None:
    for last in ("2026-11-27", "2026-11-29"):
        coming.call("update_profile", timezone="Asia/Tokyo", until=last)
    assert coming.phone.text("/undo") == ["Undone: your stay lasts again until 27 Nov 2026."]
    assert coming.call("update_profile", timezone="home")["timezone"] == "America/Los_Angeles"
    assert coming.phone.text("/undo")[0].startswith("Undone: your time zone is again Asia/Tokyo")
    coming.phone.text("I live in Chicago")
    coming.pass_time(days=8)
    assert coming.phone.person().timezone == "America/Chicago"
