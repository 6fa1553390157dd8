"""Where the person says they are, with the offline model: their clocks, what travels with them and what does not."""

import pytest

from tests.routines.routine_line import Coming


@pytest.mark.parametrize("text", ["I live in Tokyo", "i moved to tokyo last month", "Actually, we live in Tokyo"])
def test_whoever_tells_where_they_live_has_the_clocks_of_that_place(coming: Coming, text: str) -> None:
    coming.remind("stretch", repeat="daily", times=["10:00"])
    [said] = coming.phone.text(text)
    assert "I'll remember that you live in Tokyo. Your time zone is Asia/Tokyo now." in said
    assert coming.phone.facts()[0].startswith("Lives in Tokyo")
    assert coming.pass_time(hours=7, minutes=59) == []
    assert coming.pass_time(minutes=1) == ["Reminder: stretch"]  # 17:00 in Los Angeles.


@pytest.mark.parametrize(
    "text",
    [
        "We're moving to Berlin next week",
        "I'll be in Berlin until Friday",
        "My sister lives in Berlin",
        "I used to live in Berlin",
        "I live in Jersey",
        "I'm in Nice now",
    ],
)
def test_where_the_person_is_not_or_what_may_be_no_place_moves_no_clock(coming: Coming, text: str) -> None:
    assert not any("time zone" in said for said in coming.phone.text(text))
    assert coming.phone.person().timezone == "America/Los_Angeles"


@pytest.mark.parametrize("text", ["I live in Los Angeles", "I'm in LA now", "my timezone is Pacific time"])
def test_a_zone_that_was_guessed_is_told_once_it_is_told_though_it_is_the_same(coming: Coming, text: str) -> None:
    assert "Going by your number, your time zone is America/Los_Angeles." in coming.phone.text("/memory")[0]
    assert "Your time zone is" not in coming.phone.text(text)[0]
    assert "Your time zone is America/Los_Angeles." in coming.phone.text("/memory")[0]


def test_of_a_stay_it_is_said_that_it_lasts_and_back_at_home_it_is_over(coming: Coming) -> None:
    coming.phone.text("I live in Chicago")
    assert coming.phone.text("I'm in Tokyo right now") == ["Your time zone is Asia/Tokyo now."]
    assert "Your time zone is America/Chicago now." in coming.phone.text("I'm back home")[0]
    assert coming.phone.person().timezone == "America/Chicago"


def test_r74_an_hour_named_by_the_clock_of_another_zone_is_kept_at_night_and_it_is_said_when_that_is(
    coming: Coming,
) -> None:
    [said] = coming.phone.text("Every Monday at 8am London time text me the news")
    assert said.startswith("OK, every Monday at 8 AM (London time): text me the news.")
    assert "That is 00:00 in America/Los_Angeles, within the quiet hours (22:00-07:00). It comes all the same" in said
    assert coming.pass_time(days=1, hours=15) == ["It's time: the news"]


def test_r74_an_hour_that_is_at_night_there_and_not_here_wakes_nobody_who_travels(coming: Coming) -> None:
    [said] = coming.phone.text("Every day at 5am London time remind me to stretch")
    assert "quiet hours" not in said
    coming.phone.text("I'm in London now")
    assert coming.pass_time(hours=12) == []
    assert coming.states() == ["skipped"]


@pytest.mark.parametrize(
    ("text", "zone", "hours", "back"),
    [
        ("I'm in Tokyo until Friday", "Asia/Tokyo", 142, "Saturday 28 November 2026"),
        ("In Berlin for two weeks", "Europe/Berlin", 342, "Sunday 6 December 2026"),
    ],
)
def test_after_the_last_day_of_a_stay_the_clocks_of_home_hold_again_by_themselves(
    coming: Coming, text: str, zone: str, hours: int, back: str
) -> None:
    [said] = coming.phone.text(text)
    assert said.startswith(
        f"Your time zone is {zone} now. From {back} on it is America/Los_Angeles again; "
        "if you are back sooner, tell me."
    )
    coming.pass_time(hours=hours - 1)
    assert coming.phone.person().timezone == zone
    coming.pass_time(hours=1)
    assert (coming.phone.person().timezone, coming.phone.person().timezone_source) == ("America/Los_Angeles", "guessed")
    coming.remind("stretch", repeat="daily", times=["10:00"])
    assert "10 AM" in coming.phone.text("when is stretch?")[0]


def test_an_undo_after_a_stay_has_ended_keeps_its_clocks_and_the_next_takes_back_what_was_before(
    coming: Coming,
) -> None:
    for text in ("I live in Lisbon", "I have a dog called Rex", "I'm in Tokyo until Monday"):
        coming.phone.text(text)
    coming.pass_time(hours=72)
    assert coming.phone.person().timezone == "Europe/Lisbon"
    assert coming.phone.text("/undo") == ["Undone: your time zone is again Asia/Tokyo."]
    coming.pass_time(hours=1)
    assert coming.phone.person().timezone == "Asia/Tokyo"
    assert coming.phone.text("/undo") == ["Undone: your time zone is again Europe/Lisbon."]
    assert "Rex" in coming.phone.text("/undo")[0]


def test_a_stay_ends_sooner_for_who_is_back_and_an_undo_takes_each_step_back(coming: Coming) -> None:
    coming.remind("stretch", repeat="daily", times=["10:00"])
    coming.phone.text("We're in Tokyo until Friday")
    assert "From Monday 30 November 2026 on" in coming.phone.text("I'm in Tokyo until 29 November")[0]
    assert coming.phone.text("/undo") == ["Undone: your stay lasts again until 27 Nov 2026."]
    assert coming.phone.text("I'm back home")[0].endswith("Your time zone is America/Los_Angeles now.")
    assert coming.phone.text("/undo")[0].startswith("Undone: your time zone is again Asia/Tokyo")
    coming.phone.text("I live in Chicago")
    coming.pass_time(days=8)
    assert coming.phone.person().timezone == "America/Chicago"
