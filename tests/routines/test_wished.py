"""Wishes in a person's own words, with the offline model: the day, the hour and the routine that they mean.

It is Saturday 21 November 2026, nine in the morning.
"""

from pathlib import Path

import pytest

from tests.routines.routine_line import Coming

DATA = Path(__file__).parents[1] / "data"
HALF = "In the morning or in the evening?"


def said(coming: Coming, *texts: str) -> str:
    """The answer to the last of the texts."""
    for text in texts:
        answers = coming.phone.text(text)
    return " ".join(answers)


def scheduled(coming: Coming) -> str:
    return coming.phone.text("/routines")[0]


HALVES = [
    ("remind me tomorrow at 3 to renew it", f"{HALF} Say 3am or 3pm."),
    ("remind me on Friday at 6:30 to renew it", f"{HALF} Say 6:30am or 6:30pm."),
    ("every day at 3 remind me to renew it", HALF),
]
UNSURE = (DATA / "wished_unsure.txt").read_text("utf-8").splitlines()


@pytest.mark.parametrize(("text", "question"), [*HALVES, *((text, "I'm not sure when.") for text in UNSURE)])
def test_what_is_not_plain_is_asked_about_and_not_scheduled(coming: Coming, text: str, question: str) -> None:
    assert said(coming, text).startswith(question)
    assert scheduled(coming).startswith("Nothing is scheduled.")


@pytest.mark.parametrize(
    ("texts", "when"),
    [
        (("remind me tomorrow to buy milk", "9am"), "22 November 2026 at 09:00"),
        (("remind me tomorrow to buy milk", "at 3", "pm"), "22 November 2026 at 15:00"),
    ],
)
def test_the_answer_to_a_question_completes_the_wish(coming: Coming, texts: tuple[str, ...], when: str) -> None:
    said(coming, *texts)
    assert coming.listed() == [f"Buy milk, on {when}"]


def test_a_time_put_right_takes_the_place_of_the_first(coming: Coming) -> None:
    said(coming, "remind me tomorrow at 9am to buy milk", "thanks")
    said(coming, "actually make that 10")
    assert coming.listed() == ["Buy milk, on 22 November 2026 at 10:00"]


def test_what_was_just_set_or_just_came_is_cancelled_by_it(coming: Coming) -> None:
    coming.remind("stretch", repeat="daily", times=["10:00"])
    said(coming, "remind me tomorrow at 9am to buy milk")
    assert said(coming, "cancel it") == "OK, cancelled: Buy milk."
    assert coming.pass_time(hours=1) == ["Reminder: stretch"]
    assert said(coming, "Hello there, how are you today?", "cancel it") == "OK, cancelled: stretch."


def test_while_all_is_paused_nothing_sounds_certain(coming: Coming) -> None:
    said(coming, "/pause")
    assert "until you text /resume" in scheduled(coming)
    assert "Buy milk" in said(coming, "remind me tomorrow at 9am to buy milk")
    assert "/resume" in said(coming, "remind me on Friday at 9am to buy bread")
    assert "/resume" in said(coming, "my reminders")


def test_more_texts_than_a_day_allows_are_told_of(coming: Coming) -> None:
    assert "At most 5 texts" in said(coming, "remind me every hour to drink")


def test_a_refusal_speaks_to_people(coming: Coming) -> None:
    wish = "remind me tomorrow at 9am to buy milk"
    assert said(coming, wish, wish) == (
        "That did not work. There is one like it already, number 1: Buy milk, on 22 November 2026 at 9 AM."
    )
    assert said(coming, "/routines skip 1") == "Buy milk: that comes once. Text /routines forget 1 to drop it."
    past = said(coming, "remind me today at 8am to buy milk")
    assert past.startswith("That did not work. 2026-11-21 at 8 AM has passed")
    assert "Send" not in past


@pytest.mark.parametrize("text", ["I'll be done at 9", "I stopped smoking", "My train leaves at 9am", "9am"])
def test_ordinary_talk_sets_and_ends_nothing(coming: Coming, text: str) -> None:
    coming.remind("smoking", repeat="daily", times=["10:00"])
    said(coming, text)
    assert scheduled(coming).splitlines()[1].startswith("1. smoking, daily at 10:00")
    assert len(scheduled(coming).splitlines()) == 3


@pytest.mark.parametrize("row", (DATA / "wished.tsv").read_text("utf-8").splitlines()[1:])
def test_what_is_set_is_what_was_meant(coming: Coming, row: str) -> None:
    text, set_up = row.split("\t")
    said(coming, text)
    assert coming.listed() == [set_up]


def test_one_is_called_off_by_what_it_says(coming: Coming) -> None:
    coming.remind("Water the plants", repeat="daily", times=["10:00"])
    assert said(coming, "cancel my gym membership").startswith("I can't tell which one that is.")
    assert said(coming, "cancel the plants") == "OK, cancelled: Water the plants."
    assert coming.phone.text("/routines")[0].startswith("Nothing is scheduled.")
