"""What a relative date means, from the moment at which it was said."""

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.memory.asked_days import asked_days
from app.memory.dates import absolute, mended, relative_dates
from app.memory.dates import dated as kept

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
        ("I have to move out by the end of the month", "I have to move out by the end of November 2026"),
        ("I'll be paid at the beginning of the month", "I'll be paid at the beginning of December 2026"),
        ("I was paid at the end of the month", "I was paid at the end of October 2026"),
        ("at the end of next week I fly", "at the end of the week of 23 November 2026 I fly"),
        ("the week after next I fly", "In the week of 30 November 2026 I fly"),
        ("he left the year before last", "he left in 2024"),
        ("I fell half a year ago", "I fell in May 2026"),
        ("I fell two or three weeks ago", "I fell two or three weeks before 21 November 2026"),
        ("I fell 2-3 days ago", "I fell 2-3 days before 21 November 2026"),
        ("I leave in 2 or 3 days", "I leave 2 or 3 days after 21 November 2026"),
        ("I quit 1.5 years ago", "I quit 1.5 years before 21 November 2026"),
        ("Dentist on the 3rd at 5", "Dentist on 3 December 2026 at 5"),
        ("We get the keys on the 31st", "We get the keys on 31 December 2026"),
        ("The funeral was on the 12th.", "The funeral was on 12 November 2026."),
        ("I was paid on the 31st", "I was paid on 31 October 2026"),
        ("I need it by the 30th", "I need it by 30 November 2026"),
        ("My exam is on Friday the 27th", "My exam is on Friday 27 November 2026"),
        ("we met on Friday, the 6th, and talked", "we met on Friday 6 November 2026, and talked"),
        ("I fell a fortnight ago", "I fell around 7 November 2026"),
        ("a week on Friday we sing", "On Friday 4 December 2026 we sing"),
        ("we sing tomorrow week", "we sing on 29 November 2026"),
        ("a year ago today we met", "In 2025 we met"),
        ("due within two weeks", "due by 5 December 2026"),
        ("in Rome for the next two weeks", "in Rome for the two weeks after 21 November 2026"),
        ("I couldn't sleep the night before last", "I couldn't sleep on the night of 19 November 2026"),
        ("I went hiking at the weekend", "I went hiking on the weekend of 21 November 2026"),
        ("Flies to Rome on Friday", "Flies to Rome on Friday 27 November 2026"),
        ("Has surgery on Friday", "Has surgery on Friday 27 November 2026"),
        ("James comes on Friday", "James comes on Friday 27 November 2026"),
        ("Parents arrive on Friday", "Parents arrive on Friday 27 November 2026"),
        ("Likes tea and is away on Friday", "Likes tea and is away on Friday 27 November 2026"),
        ("I will work on Friday", "I will work on Friday 27 November 2026"),
        ("I worked on Friday", "I worked on Friday 20 November 2026"),
        ("see you 2morrow", "see you on 22 November 2026"),
        ("my exam is Friday 10am", "my exam is on Friday 27 November 2026 10am"),
        ("Tomorrow may work", "22 November 2026 may work"),
        (
            "I was in Rome from Monday to Wednesday",
            "I was in Rome from Monday 16 November 2026 to Wednesday 18 November 2026",
        ),
    ],
)
def test_a_relative_date_becomes_the_date_that_it_means(said: str, means: str) -> None:
    assert dated(said) == means
    assert dated(means) == means, "what is absolute stays"


@pytest.mark.parametrize(
    "words",
    [
        "every Friday I swim",
        "I swim on Fridays and on Friday evenings",
        "the trash goes out every other Friday",
        "she works Monday to Friday",
        "I usually swim on Friday",
        "my day off is Monday",
        "Works on Saturday",
        "Plays tennis on Tuesday and Thursday",
        "Sister Ana goes to church on Sunday",
        "Does not work on Friday",
        "Has therapy on Thursday",
        "Fasts on Monday and prefers meetings on Friday",
        "I used to swim on Sunday",
        "Likes Friday",
        "the shop is closed on Sunday",
        "we meet on the last Friday of each month",
        "rent is due at the end of the month",
        "we walk at the weekend",
        "rent is due on the 1st",
        "I get paid on the 15th",
        "I get paid on Friday",
        "I live on the 3rd floor",
        "my birthday is on the 3rd of May",
        "the 3rd and the 4th",
        "I watched Friday the 13th",
        "I quit a year and a half ago",
        "Friday 27 November is fine; Monday, November 30 too",
        "my exam is tomorrow (22 November 2026)",
        "22 November 2026, Sunday",
        "I have a cat named Friday",
        "I love Friday Night Lights",
        "my favourite film is The Day After Tomorrow",
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


def test_what_is_quoted_stays_in_a_fact() -> None:
    for sentence in (
        'Motto is "live today"',
        "Sister texted “see you on Friday”",
        "Likes the song 'Tomorrow never knows'",
    ):
        assert kept(sentence, SATURDAY) == sentence
    assert kept("Max's exam is tomorrow and Ana's too", SATURDAY) == "Max's exam is on 22 November 2026 and Ana's too"


ENGLISH = (
    "today, tomorrow, yesterday, tonight, last night, the day after tomorrow, on Friday, next Friday at 10, "
    "last Monday, this Tuesday, Wednesday morning, this weekend, next week, last month, this year, in two weeks, "
    "3 days ago, a fortnight ago, last spring, by the end of this month, a week on Sunday, "
    "the week after next, within a month, for the next two days, since Thursday"
).split(", ")
IN_ENGLISH = (
    "I saw her {}",
    "{} she went home",
    "she said she would call me {}",
    "I was told to come {} and I agreed",
    "Has an exam {}",
    "{} is fine",
    "I will be away {}, not {}",
    "The doctor I saw on Monday wants me back {}",
)
OTHERS = (
    "mañana, el próximo viernes, hace tres días, la semana que viene, demain, vendredi prochain, dans deux semaines, "
    "nächsten Freitag, übermorgen, letzten Monat, am Sonntag, yarın, geçen cuma, iki hafta önce, 明天, 下周五, "
    "三天前, 周五"
).split(", ")
IN_OTHERS = (
    "{}",
    "tengo un examen {} con mi madre",
    "ich habe {} eine Prüfung und bin nervös",
    "j'ai un examen {} avec ma mère",
    "{} sınavım var",
    "我{}有考试",
)
MOMENTS = st.datetimes(
    SATURDAY.replace(year=2020, tzinfo=None),
    SATURDAY.replace(year=2030, tzinfo=None),
    timezones=st.just(SEATTLE),
)
RELATIVE = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|ago|last|next|this|(?:mon|tues|wednes|thurs|fri|satur|sun)day(?! \d))\b",
    re.IGNORECASE,
)


@given(st.sampled_from(IN_ENGLISH), st.sampled_from(ENGLISH), st.sampled_from(ENGLISH), MOMENTS)
def test_nothing_relative_is_left_of_what_was_rewritten(frame: str, one: str, other: str, at: datetime) -> None:
    written = dated(frame.format(*[one, other][: frame.count("{}")]), at)
    assert RELATIVE.search(written) is None, written
    assert dated(written, at) == written


@given(st.sampled_from(IN_OTHERS), st.sampled_from(OTHERS), MOMENTS)
def test_what_was_rewritten_in_another_language_is_not_rewritten_again(frame: str, one: str, at: datetime) -> None:
    written = dated(frame.format(one), at)
    assert dated(written, at) == written


@given(st.text(alphabet="abcdehilmnoprstuw ,.'é中国的我IT0123456789", max_size=120))
def test_a_text_without_days_comes_back_as_it_is(words: str) -> None:
    if relative_dates(words, SATURDAY) == []:
        assert dated(words) == words == kept(words, SATURDAY)


def test_hundreds_of_days_in_a_text_are_read_by_what_stands_around_each() -> None:
    text = " ".join(["I saw her on Sunday and she will call me on Friday."] * 40)
    assert dated(text) == " ".join(
        ["I saw her on Sunday 15 November 2026 and she will call me on Friday 27 November 2026."] * 40
    )
