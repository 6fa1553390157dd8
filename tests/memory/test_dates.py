"""What a relative date means, from the moment at which it was said."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.memory.asked_days import asked_days
from app.memory.dates import absolute, mended, relative_dates

SEATTLE = ZoneInfo("America/Los_Angeles")
SATURDAY = datetime(2026, 11, 21, 9, 30, tzinfo=SEATTLE)


def dated(words: str, at: datetime = SATURDAY) -> str:
    return absolute(words, relative_dates(words, at))


@pytest.mark.parametrize(
    ("said", "means"),
    [
        ("I have an exam tomorrow", "I have an exam on 22 November 2026"),
        ("Tomorrow's job interview scares me", "The 22 November 2026 job interview scares me"),
        ("today is Max's birthday", "21 November 2026 is Max's birthday"),
        ("see you the day after tomorrow", "see you on 23 November 2026"),
        ("It broke yesterday morning", "It broke on the morning of 20 November 2026"),
        ("dinner tonight?", "dinner on the evening of 21 November 2026?"),
        ("I slept badly last night", "I slept badly on the night of 20 November 2026"),
        ("this morning I ran", "this morning I ran".replace("this morning", "On the morning of 21 November 2026")),
        ("I'll do it by tomorrow", "I'll do it by 22 November 2026"),
        ("until next week", "until the week of 23 November 2026"),
        ("the end of next month", "the end of December 2026"),
        ("we moved here last year", "we moved here in 2025"),
        ("this weekend we paint", "On the weekend of 21 November 2026 we paint"),
        ("my flight is on Tuesday morning", "my flight is on the morning of Tuesday 24 November 2026"),
        ("I saw her on Tuesday", "I saw her on Tuesday 17 November 2026"),
        ("next Friday", "On Friday 27 November 2026"),
        ("we met last Saturday", "we met on Saturday 14 November 2026"),
        ("the wedding is next summer", "the wedding is in the summer of 2027"),
        ("before we moved last spring", "before we moved in the spring of 2026"),
        ("he arrives in 3 days", "he arrives on 24 November 2026"),
        ("it starts in two weeks", "it starts around 5 December 2026"),
        ("she left 2 months ago", "she left in September 2026"),
        ("he died three years ago", "he died in 2023"),
        ("a few weeks ago", "A few weeks before 21 November 2026"),
        ("I leave in 20 minutes", "I leave around 09:50 on 21 November 2026"),
        ("Friday at 8 works", "On Friday 27 November 2026 at 8 works"),
        (
            "Tengo un examen mañana y estoy nervioso con mi madre",
            "Tengo un examen 2026-11-22 y estoy nervioso con mi madre",
        ),
        ("Ich habe morgen eine Prüfung und bin nervös", "Ich habe 2026-11-22 eine Prüfung und bin nervös"),
        ("J'ai un rendez-vous demain avec le médecin", "J'ai un rendez-vous 2026-11-22 avec le médecin"),
    ],
)
def test_a_relative_date_becomes_the_date_that_it_means(said: str, means: str) -> None:
    assert dated(said) == means
    assert dated(means) == means, "what is absolute stays"


@pytest.mark.parametrize(
    "words",
    [
        "every Friday I swim",
        "Friday 27 November is fine; Monday, November 30 too",
        "I lost 3 kilos in two weeks",
        "I was listening to Yesterday by the Beatles",
        "Black Friday is not for me",
        "over the past week I slept well",
        "guten Morgen",
        "por la mañana corro con mi madre en el parque",
        "hier ist das Buch und es ist gut",
        "Le livre est ici",
        "",
        "12 November 2026, in May 2027 and in 2025",
    ],
)
def test_what_is_no_relative_date_stays_as_it_is(words: str) -> None:
    assert dated(words) == words


def test_the_day_is_that_of_the_persons_own_clock() -> None:
    before_midnight = datetime(2026, 11, 22, 7, 30, tzinfo=ZoneInfo("UTC"))
    assert dated("tomorrow", before_midnight.astimezone(SEATTLE)) == "On 22 November 2026"
    assert dated("tomorrow", before_midnight.astimezone(ZoneInfo("Asia/Tokyo"))) == "On 23 November 2026"


def test_a_day_of_25_hours_is_one_day() -> None:
    eve_of_the_change = datetime(2026, 10, 31, 23, 30, tzinfo=SEATTLE)
    assert dated("tomorrow", eve_of_the_change) == "On 1 November 2026"
    assert dated("in 2 days", eve_of_the_change) == "On 2 November 2026"


def test_a_sentence_about_texts_of_one_day_is_mended_by_that_day() -> None:
    said = [("my exam is soon", SATURDAY), ("wish me luck", SATURDAY + timedelta(minutes=5))]
    assert mended("Alex has an exam tomorrow.", said) == "Alex has an exam on 22 November 2026."


def test_a_sentence_about_texts_of_two_days_is_mended_by_the_text_that_says_it() -> None:
    said = [("my exam is tomorrow", SATURDAY), ("it went well", SATURDAY + timedelta(days=1))]
    assert mended("Alex had an exam tomorrow.", said) == "Alex had an exam on 22 November 2026."


def test_a_date_that_may_mean_two_days_is_not_guessed() -> None:
    said = [("tomorrow is hard", SATURDAY), ("tomorrow too", SATURDAY + timedelta(days=1))]
    assert mended("Tomorrow is hard for Alex.", said) is None
    assert mended("Yesterday was hard for Alex.", said) is None
    assert mended("Both days were hard for Alex.", said) == "Both days were hard for Alex."


def test_a_mended_date_keeps_the_grammar_of_its_new_place() -> None:
    said = [("I leave on Friday", SATURDAY), ("no news", SATURDAY + timedelta(days=1))]
    assert mended("Friday is when they leave. They pack until Friday.", said) == (
        "Friday 27 November 2026 is when they leave. They pack until Friday 27 November 2026."
    )


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("thıs week", "this week"),
        ("on FRİDAY", "on FRIDAY"),
        ("last sprıng", "last spring"),
        ("thıs year", "this year"),
    ],
)
def test_a_turkish_keyboard_types_the_same_dates(typed: str, plain: str) -> None:
    assert [one.means for one in relative_dates(typed, SATURDAY)] == [
        one.means for one in relative_dates(plain, SATURDAY)
    ]


@given(st.text(alphabet="thiısweknd lastprgFRİDAYmoun", max_size=40))
def test_no_text_breaks_the_reading_of_its_dates(words: str) -> None:
    relative_dates(words, SATURDAY)
    asked_days(words, SATURDAY)
