"""The forms in which people text their wishes, with the offline model: what is set is what was meant, or it is asked.

It is Saturday 21 November 2026, nine in the morning.
"""

import pytest

from tests.routines.routine_line import Coming


def said(coming: Coming, *texts: str) -> str:
    """The answer to the last of the texts."""
    for text in texts:
        answers = coming.phone.text(text)
    return " ".join(answers)


@pytest.mark.parametrize(
    ("text", "set_up"),
    [
        # Several times of one day.
        ("remind me to rest at 9 am and 9 pm every day", "Rest, daily at 09:00 and 21:00"),
        ("remind me to rest at 8am, 2pm and 9pm daily", "Rest, daily at 08:00, 14:00 and 21:00"),
        (
            "remind me at 6:30 every morning to rest, and again at 9 in the evening",
            "Rest, daily at 06:30 and 21:00",
        ),
        # Spans and hours as they are written.
        ("remind me in an hour and a half to rest", "Rest, on 21 November 2026 at 10:30"),
        ("remind me in 2.5 hours to rest", "Rest, on 21 November 2026 at 11:30"),
        ("remind me in 1 hour 20 minutes to rest", "Rest, on 21 November 2026 at 10:20"),
        ("remind me in half an hour to rest", "Rest, on 21 November 2026 at 09:30"),
        ("remind me at half past 7 tonight to rest", "Rest, on 21 November 2026 at 19:30"),
        ("remind me at quarter to 1 pm to rest", "Rest, on 21 November 2026 at 12:45"),
        ("remind me at 1730 to rest", "Rest, on 21 November 2026 at 17:30"),
        ("remind me at 9 in the evening to rest", "Rest, on 21 November 2026 at 21:00"),
        ("remind me at seven thirty tonight to rest", "Rest, on 21 November 2026 at 19:30"),
        ("set a timer for 10 minutes", "Time is up, on 21 November 2026 at 09:10"),
        ("set an alarm for 7", "Your alarm, on 22 November 2026 at 07:00"),
        ("set an alarm for 6:30", "Your alarm, on 22 November 2026 at 06:30"),
        # Slips of the thumb, and other words for it.
        ("rmind me tmrw at 3pm to rest", "Rest, on 22 November 2026 at 15:00"),
        ("can u remind me 2 rest tommorow @ 3pm", "Rest, on 22 November 2026 at 15:00"),
        ("don't let me forget to rest at 5pm", "Rest, on 21 November 2026 at 17:00"),
        ("could you nudge me on tues at 9 to rest", "Rest, on 24 November 2026 at 09:00"),
        # Every what.
        ("remind me every second tuesday at 8am to rest", "Rest, every second Tuesday at 08:00 from 24 November 2026"),
        ("remind me biweekly on friday at 4pm to rest", "Rest, every second Friday at 16:00 from 27 November 2026"),
        ("remind me every sunday night at 9 to rest", "Rest, every Sunday at 21:00"),
        ("remind me monthly on the 3rd at 9am to rest", "Rest, on the 3rd of each month at 09:00"),
        (
            "remind me to rest on the 1st and 15th of every month at 9am",
            "Rest, on the 1st and 15th of each month at 09:00",
        ),
        ("remind me every first of the month at 9am to rest", "Rest, on the 1st of each month at 09:00"),
        (
            "remind me on the last friday of every month at 9am to rest",
            "Rest, on the last Friday of each month at 09:00",
        ),
        ("remind me every hour from 9am to 1pm to rest", "Rest, daily, every hour from 09:00 to 13:00"),
        # From when, until when, and when not.
        ("remind me every day at 8am until december 5 to rest", "Rest, daily at 08:00, until 5 December 2026"),
        ("remind me every day at 8am for the next 5 days to rest", "Rest, daily at 08:00, until 26 November 2026"),
        ("remind me for 5 days at 8am to rest", "Rest, daily at 08:00, until 26 November 2026"),
        ("remind me every day at 8am starting monday to rest", "Rest, daily at 08:00 from 23 November 2026"),
        ("remind me daily at 9pm to rest, not on weekends", "Rest, every weekday at 21:00"),
        (
            "remind me every weekday at 9am to rest, but not on holidays in US",
            "Rest, every weekday at 09:00, not on public holidays in the United States",
        ),
        # In the hours of another place.
        ("remind me at 2pm New York time to rest", "Rest, on 21 November 2026 at 14:00"),
        # What belongs to the thing, not to the time.
        ("remind me at 11am about my 3pm rest", "Your 3pm rest, on 21 November 2026 at 11:00"),
        ("remind me to dress for the 3pm party at noon", "Dress for the 3pm party, on 21 November 2026 at 12:00"),
        ("remind me every friday at 9 to book 2 days", "Book 2 days, every Friday at 09:00"),
    ],
)
def test_what_is_set_is_what_was_meant(coming: Coming, text: str, set_up: str) -> None:
    said(coming, text)
    assert coming.listed() == [set_up]


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("remind me tomoz at 9am to rest", 'I don\'t understand when "tomoz" is.'),
        ("remind me 15 minutes before 3pm to rest", 'I don\'t understand when "15 minutes before" is.'),
        ("remind me 5 minutes before my 3pm meeting", 'I don\'t understand when "5 minutes before" is.'),
        ("remind me weeknights at 8pm to rest", 'I don\'t understand when "weeknights" is.'),
        ("remind me at 10am to not eat until friday", "I'm not sure when you mean."),
        ("remind me mon wed fri at 7am to rest", "Every week?"),
        ("remind me at 8pm about trash and recycling tomorrow at 8", "That may be more than one reminder."),
        ("remind me every weekday at 8am to rest, not on holidays", "Whose holidays?"),
    ],
)
def test_what_may_be_meant_otherwise_is_asked_about_and_not_scheduled(coming: Coming, text: str, question: str) -> None:
    assert said(coming, text).startswith(question)
    assert coming.phone.text("/routines")[0].startswith("Nothing is scheduled.")


@pytest.mark.parametrize(
    ("texts", "set_up"),
    [
        (("remind me mon wed fri at 7am to rest", "every week"), "Rest, every Monday, Wednesday and Friday at 07:00"),
        (("remind me at 8 and 6 every day to rest", "8am and 6pm"), "Rest, daily at 08:00 and 18:00"),
        (("remind me tomoz at 9am to rest", "tomorrow at 10"), "Rest, on 22 November 2026 at 10:00"),
    ],
)
def test_the_answer_completes_the_wish_and_loses_nothing_of_it(
    coming: Coming, texts: tuple[str, ...], set_up: str
) -> None:
    said(coming, *texts)
    assert coming.listed() == [set_up]


def test_one_is_called_off_by_what_it_says(coming: Coming) -> None:
    coming.remind("Water the plants", repeat="daily", times=["10:00"])
    assert said(coming, "cancel my gym membership").startswith("Nothing like that is scheduled.")
    assert said(coming, "cancel the plants") == "OK, cancelled: Water the plants."
    assert coming.phone.text("/routines")[0].startswith("Nothing is scheduled.")


@pytest.mark.parametrize(
    ("text", "zone"),
    [("remind me at 2pm New York time to rest", "America/New_York"), ("remind me at 2pm to rest", None)],
)
def test_the_hours_of_a_place_that_was_named_stay_there(coming: Coming, text: str, zone: str | None) -> None:
    said(coming, text)
    assert coming.routine().zone == zone
