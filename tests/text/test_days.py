"""The relative days that a text names, and what they mean from the moment at which it was said."""

import re
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.memory.index.query import asked_days
from app.text.day_meanings import dated, dated_if_certain, day_words

SEATTLE = ZoneInfo("America/Los_Angeles")
THURSDAY, SATURDAY = (datetime(2026, 11, day, 9, 30, tzinfo=SEATTLE) for day in (19, 21))


SAID_ON_SATURDAY = [
    "Has an exam tomorrow [22 Nov 2026]", "Tomorrow's [22 Nov 2026] job interview scares them",
    "Today [21 Nov 2026] is Max's birthday", "The sink broke yesterday morning [20 Nov 2026]",
    "Has dinner with Ana tonight [21 Nov 2026]", "Needs it by tomorrow [22 Nov 2026]",
    "Is off from today [21 Nov 2026] on", "Has an exam next Friday [27 Nov 2026] at 10",
    "Met Ana last Saturday [14 Nov 2026]", "Flies this Tuesday morning [24 Nov 2026]",
    "Sees them 2morrow [22 Nov 2026]", "Exam is TOMORROW [22 Nov 2026]",
    "Was ill yesterday [20 Nov 2026] and is fine today [21 Nov 2026]",
    "Max's exam is tomorrow [22 Nov 2026] and Ana's too",
]  # fmt: skip
SAID_ON_THURSDAY = [
    "Tiene un examen mañana [20 Nov 2026]", "Hoy [19 Nov 2026] es el cumpleaños de su madre",
    "Ayer [18 Nov 2026] fue al médico con su madre", "Il a un examen demain [20 Nov 2026] avec Luc",
    "Le dîner d'hier [18 Nov 2026] était bon et il est content", "Aujourd'hui [19 Nov 2026] c'est la fête de Luc",
    "Hat morgen [20 Nov 2026] eine Prüfung und ist nervös", "War gestern [18 Nov 2026] mit der Mutter im Zoo",
    "Ist heute [19 Nov 2026] krank und zu Hause", "Ho un esame domani [20 Nov 2026] e sono nervoso",
    "Tenho um exame amanhã [20 Nov 2026] e estou nervoso", "Ik heb morgen [20 Nov 2026] een examen",
    "Yarın [20 Nov 2026] sınavım var", "我明天 [20 Nov 2026]有考试",
]  # fmt: skip
OTHER_DAYS_OR_NONE = [
    "Moves the day after tomorrow", "Fell the day before yesterday", "Goes there a week from today",
    "Sings the day-after tomorrow", "Meets Ana on the last Friday of each month",
    "Meets the choir every last Friday", "Was in Rome this Tuesday", "Has an exam tomorrow (22 November 2026)",
    "Has an exam tomorrow, 22 November 2026", "22 November 2026, tomorrow",
    "Favourite song is Yesterday by the Beatles", "Works for USA Today", "Lives as if there were no tomorrow",
    "Favourite film is The Day After Tomorrow", 'Motto is "live today"', "Sister texted “see you tomorrow”",
    "Likes the song 'Tomorrow never knows'", "Runs 10 km in an hour", "Favourite band is Friday",
    "Can return it in 30 days", "Worried about making the Friday deadline", "First holiday in two years", "",
]  # fmt: skip
OTHER_TIMES_AND_LANGUAGES = [
    "El próximo viernes tiene un examen", "Dentro de dos semanas se opera de la rodilla",
    "Pasado mañana va al médico con su madre", "J'ai un examen vendredi prochain",
    "Nächsten Freitag hat er eine Prüfung", "In zwei Jahren zieht er nach Rom und ist froh",
    "Gelecek cuma sınavım var", "我下周五上午10点有考试", "Los viernes voy al gimnasio", "明日は試験です",
    "guten Morgen", "por la mañana corro con mi madre", "hier ist das Buch und es ist gut",
    "I like the word mañana and the band Gestern",
]  # fmt: skip


@pytest.mark.parametrize(
    ("at", "kept"), [*((SATURDAY, one) for one in SAID_ON_SATURDAY), *((THURSDAY, one) for one in SAID_ON_THURSDAY)]
)
def test_the_date_of_a_day_word_stands_behind_it(at: datetime, kept: str) -> None:
    assert dated(re.sub(r" \[.*?\]", "", kept), at) == kept
    assert dated(kept, at + timedelta(days=3)) == kept, "read again later it means what it meant"


@pytest.mark.parametrize("words", [*OTHER_DAYS_OR_NONE, *OTHER_TIMES_AND_LANGUAGES])
def test_what_may_mean_another_day_or_none_stays_as_it_is(words: str) -> None:
    assert dated(words, SATURDAY if words in OTHER_DAYS_OR_NONE else THURSDAY) == words


def test_the_day_is_that_of_the_persons_own_clock() -> None:
    before_midnight = datetime(2026, 11, 22, 7, 30, tzinfo=ZoneInfo("UTC"))
    assert dated("tomorrow", before_midnight.astimezone(SEATTLE)) == "tomorrow [22 Nov 2026]"
    assert dated("tomorrow", before_midnight.astimezone(ZoneInfo("Asia/Tokyo"))) == "tomorrow [23 Nov 2026]"
    of_25_hours = datetime(2026, 10, 31, 23, 30, tzinfo=SEATTLE)
    assert dated("tomorrow", of_25_hours) == "tomorrow [1 Nov 2026]"


@pytest.mark.parametrize("days", range(7))
def test_a_weekday_with_this_next_or_last_is_of_the_calendars_weeks(days: int) -> None:
    monday = datetime(2026, 11, 23, 9, 30, tzinfo=SEATTLE)
    at = monday + timedelta(days=days)
    assert dated("Is off next Friday", at) == "Is off next Friday [4 Dec 2026]"
    last = "27 Nov 2026" if days > 4 else "20 Nov 2026"
    assert dated("Was off last Friday", at) == f"Was off last Friday [{last}]"
    coming = "4 Dec 2026" if days > 4 else "27 Nov 2026"
    assert dated("Is off this Friday", at) == f"Is off this Friday [{coming}]"


def test_a_sentence_about_texts_is_read_by_their_day_or_by_the_text_that_says_it() -> None:
    said = [("my exam is soon", SATURDAY), ("wish me luck", SATURDAY + timedelta(minutes=5))]
    assert dated_if_certain("Alex has an exam tomorrow.", said) == "Alex has an exam tomorrow [22 Nov 2026]."
    said = [("my exam is tomorrow", SATURDAY), ("it went well", SATURDAY + timedelta(days=1))]
    assert dated_if_certain("Alex had an exam tomorrow.", said) == "Alex had an exam tomorrow [22 Nov 2026]."


def test_a_day_word_that_may_mean_two_days_is_not_guessed() -> None:
    said = [("tomorrow is hard", SATURDAY), ("tomorrow too", SATURDAY + timedelta(days=1))]
    assert dated_if_certain("Tomorrow is hard for Alex.", said) is None
    assert dated_if_certain("Yesterday was hard for Alex.", said) is None
    assert dated_if_certain("Both days were hard for Alex.", said) == "Both days were hard for Alex."


@pytest.mark.parametrize("typed", ["thıs week", "on FRİDAY", "last sprıng", "thıs year"])
def test_a_turkish_keyboard_types_the_same_days(typed: str) -> None:
    plain = typed.replace("ı", "i").replace("İ", "I")
    assert (
        asked_days(f"what did I do {typed}?", SATURDAY) == asked_days(f"what did I do {plain}?", SATURDAY) is not None
    )


@given(st.text(alphabet="thiısweknd lastprgFRİDAYmoun", max_size=40))
def test_no_text_breaks_the_reading_of_its_days(words: str) -> None:
    day_words(words, SATURDAY)
    asked_days(words, SATURDAY)


@given(st.text(alphabet="abcdehilmnoprstuwy ,.'é中国的我IT0123456789", max_size=120))
def test_the_words_themselves_are_never_changed(words: str) -> None:
    kept = dated(words, SATURDAY)
    for one in day_words(words, SATURDAY):
        kept = kept.replace(f" [{one.means}]", "")
    assert kept == words


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("¿Qué te dije ayer de mi madre?", (2026, 11, 18), (2026, 11, 18)),
        ("qu'est-ce que j'ai dit la semaine dernière?", (2026, 11, 9), (2026, 11, 15)),
        ("was habe ich letzten Monat gesagt?", (2026, 10, 1), (2026, 10, 31)),
        ("geçen yıl ne dedim?", (2025, 1, 1), (2025, 12, 31)),
        ("我上周五说了什么？", (2026, 11, 13), (2026, 11, 13)),
    ],
)
def test_foreign_days_are_found(question: str, first: tuple[int, int, int], last: tuple[int, int, int]) -> None:
    assert asked_days(question, THURSDAY) == (date(*first).toordinal(), date(*last).toordinal())
