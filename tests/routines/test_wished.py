"""Wishes in a person's own words, with the offline model: on which day and at which hour, and which one is meant.

It is Saturday 21 November 2026, nine in the morning.
"""

import pytest

from tests.routines.routine_line import Coming

HALF = "In the morning or in the evening?"


def said(coming: Coming, *texts: str) -> str:
    """The answer to the last of the texts."""
    for text in texts:
        answers = coming.phone.text(text)
    return " ".join(answers)


def scheduled(coming: Coming) -> str:
    return coming.phone.text("/routines")[0]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("remind me on 24 December at 9am to buy gifts", "24 December 2026 at 09:00"),
        ("Remind me December 24 at 9am to buy gifts", "24 December 2026 at 09:00"),
        ("remind me to buy gifts at 9am on Dec 24th", "24 December 2026 at 09:00"),
        ("remind me on the 24th at 9am to buy gifts", "24 November 2026 at 09:00"),
        ("remind me on the 3rd at 9am to buy gifts", "3 December 2026 at 09:00"),
        ("remind me 24.12. at 9am to buy gifts", "24 December 2026 at 09:00"),
        ("remind me on 2026-12-24 at 9am to buy gifts", "24 December 2026 at 09:00"),
        ("remind me on Thursday, 24 December at 9am to buy gifts", "24 December 2026 at 09:00"),
        ("remind me on 1 March at 9am to buy gifts", "1 March 2027 at 09:00"),
        ("remind me the day after tomorrow at 9am to buy gifts", "23 November 2026 at 09:00"),
    ],
)
def test_a_date_is_the_day_on_which_it_comes(coming: Coming, text: str, day: str) -> None:
    said(coming, text)
    assert coming.listed() == [f"Buy gifts, on {day}"]


def test_a_second_day_belongs_to_what_is_to_be_done(coming: Coming) -> None:
    said(coming, "remind me tomorrow at 9 to book for 24 December")
    assert coming.listed() == ["Book for 24 December, on 22 November 2026 at 09:00"]


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("remind me next month to renew it at 9am", "Which day do you mean?"),
        ("remind me to renew it next week at 9am", "Which day do you mean?"),
        ("remind me in the new year at 9am to renew it", "Which day do you mean?"),
        ("remind me in two months at 9am to renew it", "Which day do you mean?"),
        ("remind me on Friday next week at 9am to renew it", "Which day do you mean?"),
        ("remind me on the first Monday of December at 9am to renew it", "Which day do you mean?"),
        ("remind me on Christmas at 9am to renew it", "Which day do you mean?"),
        ("remind me on 31 February at 9am to renew it", "There is no 31 February."),
        ("remind me on Friday 24 December at 9am to renew it", "24 December 2026 is a Thursday."),
        ("remind me on 3/4 at 9am to renew it", "Which day is 3/4?"),
        ("remind me on 24 December 2025 at 9am to renew it", "The 24 December 2025 is over already."),
        ("remind me yesterday at 5 to renew it", "That is over already."),
        ("remind me tomorrow at 3 to renew it", f"{HALF} Say 3am or 3pm."),
        ("remind me on Friday at 6:30 to renew it", f"{HALF} Say 6:30am or 6:30pm."),
        ("every day at 3 remind me to renew it", HALF),
        ("remind me in 0 minutes to renew it", "In how many minutes?"),
        ("text me every minute to breathe", "Every hour is the most often"),
    ],
)
def test_what_is_not_plain_is_asked_about_and_not_scheduled(coming: Coming, text: str, question: str) -> None:
    assert said(coming, text).startswith(question)
    assert scheduled(coming).startswith("Nothing is scheduled.")


def test_whoever_wants_to_be_woken_means_the_morning(coming: Coming) -> None:
    said(coming, "wake me tomorrow at 7")
    assert coming.listed() == ["Wake up, on 22 November 2026 at 07:00"]


@pytest.mark.parametrize(
    ("texts", "when"),
    [
        (("remind me tomorrow to buy milk", "9am"), "22 November 2026 at 09:00"),
        (("remind me tomorrow to buy milk", "at 3", "pm"), "22 November 2026 at 15:00"),
        (("remind me to buy milk next month at 9am", "24 December"), "24 December 2026 at 09:00"),
        (("remind me tomorrow at 9am", "to buy milk"), "22 November 2026 at 09:00"),
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
    assert "buy milk" in said(coming, "remind me tomorrow at 9am to buy milk")
    assert "/resume" in said(coming, "remind me on Friday at 9am to buy bread")
    assert "/resume" in said(coming, "my reminders")


def test_more_texts_than_a_day_allows_are_told_of(coming: Coming) -> None:
    assert "At most 5 texts" in said(coming, "remind me every hour to drink")


def test_a_refusal_speaks_to_people(coming: Coming) -> None:
    wish = "remind me tomorrow at 9am to buy milk"
    assert said(coming, wish, wish) == (
        "That did not work. There is one like it already, number 1: Buy milk, on 22 November at 9 AM."
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
