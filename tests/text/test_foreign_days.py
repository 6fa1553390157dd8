"""Relative dates in languages beside English."""

from datetime import date, datetime

import pytest

from app.memory.index.asked_days import asked_days
from app.text.day_meanings import dated

THURSDAY = datetime.fromisoformat("2026-11-19T09:30-08:00")


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Tiene un examen mañana", "Tiene un examen mañana [20 Nov 2026]"),
        ("Hoy es el cumpleaños de su madre", "Hoy [19 Nov 2026] es el cumpleaños de su madre"),
        ("Ayer fue al médico con su madre", "Ayer [18 Nov 2026] fue al médico con su madre"),
        ("Il a un examen demain avec Luc", "Il a un examen demain [20 Nov 2026] avec Luc"),
        ("Le dîner d'hier était bon et il est content", "Le dîner d'hier [18 Nov 2026] était bon et il est content"),
        ("Aujourd'hui c'est la fête de Luc", "Aujourd'hui [19 Nov 2026] c'est la fête de Luc"),
        ("Hat morgen eine Prüfung und ist nervös", "Hat morgen [20 Nov 2026] eine Prüfung und ist nervös"),
        ("War gestern mit der Mutter im Zoo", "War gestern [18 Nov 2026] mit der Mutter im Zoo"),
        ("Ist heute krank und zu Hause", "Ist heute [19 Nov 2026] krank und zu Hause"),
        ("Ho un esame domani e sono nervoso", "Ho un esame domani [20 Nov 2026] e sono nervoso"),
        ("Tenho um exame amanhã e estou nervoso", "Tenho um exame amanhã [20 Nov 2026] e estou nervoso"),
        ("Ik heb morgen een examen", "Ik heb morgen [20 Nov 2026] een examen"),
        ("Yarın sınavım var", "Yarın [20 Nov 2026] sınavım var"),
        ("我明天有考试", "我明天 [20 Nov 2026]有考试"),
    ],
)
def test_today_tomorrow_and_yesterday_are_known_in_these_languages(said: str, kept: str) -> None:
    assert dated(said, THURSDAY) == kept
    assert dated(kept, THURSDAY) == kept


@pytest.mark.parametrize(
    "words",
    [
        "El próximo viernes tiene un examen",
        "Dentro de dos semanas se opera de la rodilla",
        "Pasado mañana va al médico con su madre",
        "J'ai un examen vendredi prochain",
        "Nächsten Freitag hat er eine Prüfung",
        "In zwei Jahren zieht er nach Rom und ist froh",
        "Gelecek cuma sınavım var",
        "我下周五上午10点有考试",
        "Los viernes voy al gimnasio",
        "明日は試験です",
        "guten Morgen",
        "por la mañana corro con mi madre",
        "hier ist das Buch und es ist gut",
        "I like the word mañana and the band Gestern",
    ],
)
def test_other_times_greetings_and_other_languages_stay_as_they_are(words: str) -> None:
    assert dated(words, THURSDAY) == words


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
def test_a_question_names_its_days_in_these_languages_too(
    question: str, first: tuple[int, int, int], last: tuple[int, int, int]
) -> None:
    assert asked_days(question, THURSDAY) == (date(*first).toordinal(), date(*last).toordinal())
