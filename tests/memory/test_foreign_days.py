"""Relative dates in languages beside English."""

from datetime import date, datetime

import pytest

from app.memory.asked_days import asked_days
from app.memory.dates import absolute, relative_dates

THURSDAY = datetime.fromisoformat("2026-11-19T09:30-08:00")


def dated(words: str) -> str:
    return absolute(words, relative_dates(words, THURSDAY))


@pytest.mark.parametrize(
    ("said", "means"),
    [
        ("Tengo un examen mañana", "Tengo un examen el 20 de noviembre de 2026"),
        ("mañana por la mañana tengo médico", "El 20 de noviembre de 2026 por la mañana tengo médico"),
        ("El próximo viernes tengo un examen", "El viernes 20 de noviembre de 2026 tengo un examen"),
        ("El viernes que viene viajo a Lima", "El viernes 20 de noviembre de 2026 viajo a Lima"),
        ("El viernes pasado fui al médico", "El viernes 13 de noviembre de 2026 fui al médico"),
        ("El viernes fui al médico con mi madre", "El viernes 13 de noviembre de 2026 fui al médico con mi madre"),
        ("El viernes tengo un examen", "El viernes 20 de noviembre de 2026 tengo un examen"),
        ("me dijo que me llamaría el domingo", "me dijo que me llamaría el domingo 22 de noviembre de 2026"),
        ("La semana que viene viajo", "En la semana del 23 de noviembre de 2026 viajo"),
        ("el mes pasado me mudé", "En octubre de 2026 me mudé"),
        ("el año que viene me caso", "En 2027 me caso"),
        ("dentro de dos semanas me opero", "El 3 de diciembre de 2026 me opero"),
        ("hace tres días me caí", "El 16 de noviembre de 2026 me caí"),
        ("Pasado mañana voy al médico", "El 21 de noviembre de 2026 voy al médico"),
        ("anteayer murió mi perro", "El 17 de noviembre de 2026 murió mi perro"),
        (
            "hasta mañana, me voy a la cama con mi gato",
            "hasta el 20 de noviembre de 2026, me voy a la cama con mi gato",
        ),
        ("J'ai un examen vendredi prochain", "J'ai un examen le vendredi 20 novembre 2026"),
        ("Vendredi dernier j'ai vu ma mère", "Le vendredi 13 novembre 2026 j'ai vu ma mère"),
        ("je l'ai vue dimanche", "je l'ai vue le dimanche 15 novembre 2026"),
        ("elle a dit qu'elle m'appellerait dimanche", "elle a dit qu'elle m'appellerait le dimanche 22 novembre 2026"),
        ("la semaine prochaine je pars", "La semaine du 23 novembre 2026 je pars"),
        ("le mois dernier j'ai déménagé", "En octobre 2026 j'ai déménagé"),
        ("l'année prochaine je me marie", "En 2027 je me marie"),
        ("dans deux semaines je pars en vacances", "Le 3 décembre 2026 je pars en vacances"),
        ("il y a trois jours je suis tombé", "Le 16 novembre 2026 je suis tombé"),
        ("jusqu'à demain je suis chez mes parents", "jusqu'au 20 novembre 2026 je suis chez mes parents"),
        ("Le dîner d'hier était bon et je suis fatigué", "Le dîner du 18 novembre 2026 était bon et je suis fatigué"),
        ("aujourd'hui c'est mon anniversaire", "Le 19 novembre 2026 c'est mon anniversaire"),
        ("après-demain je pars", "Le 21 novembre 2026 je pars"),
        ("Nächsten Freitag habe ich eine Prüfung", "Am Freitag, 20. November 2026 habe ich eine Prüfung"),
        ("Am Freitag habe ich eine Prüfung", "Am Freitag, 20. November 2026 habe ich eine Prüfung"),
        ("Ich habe sie am Sonntag gesehen", "Ich habe sie am Sonntag, 15. November 2026 gesehen"),
        (
            "sie sagte, sie würde mich am Sonntag anrufen",
            "sie sagte, sie würde mich am Sonntag, 22. November 2026 anrufen",
        ),
        ("Letzten Freitag war ich beim Arzt", "Am Freitag, 13. November 2026 war ich beim Arzt"),
        ("nächste Woche fliege ich nach Rom", "In der Woche vom 23. November 2026 fliege ich nach Rom"),
        ("letzten Monat bin ich umgezogen", "Im Oktober 2026 bin ich umgezogen"),
        ("nächstes Jahr heirate ich", "2027 heirate ich"),
        ("in zwei Wochen ziehe ich um", "Am 3. Dezember 2026 ziehe ich um"),
        ("vor drei Tagen bin ich gefallen", "Am 16. November 2026 bin ich gefallen"),
        ("übermorgen habe ich frei", "Am 21. November 2026 habe ich frei"),
        ("Vorgestern war ich krank", "Am 17. November 2026 war ich krank"),
        ("bis morgen bin ich in der Stadt", "bis 20. November 2026 bin ich in der Stadt"),
        ("gestern war ich müde", "Am 18. November 2026 war ich müde"),
        ("Yarın sınavım var", "20 Kasım 2026 günü sınavım var"),
        ("yarınki sınav beni korkutuyor", "20 Kasım 2026 günündeki sınav beni korkutuyor"),
        ("Yarına kadar bitirmem lazım", "20 Kasım 2026 gününe kadar bitirmem lazım"),
        ("Dün annemi gördüm", "18 Kasım 2026 günü annemi gördüm"),
        ("Gelecek cuma sınavım var", "20 Kasım 2026 Cuma günü sınavım var"),
        ("Geçen cuma doktora gittim", "13 Kasım 2026 Cuma günü doktora gittim"),
        ("Pazar günü beni arayacağını söyledi", "22 Kasım 2026 Pazar günü beni arayacağını söyledi"),
        ("Pazar günü onu gördüm", "15 Kasım 2026 Pazar günü onu gördüm"),
        ("Gelecek hafta tatile çıkıyorum", "23 Kasım 2026 haftasında tatile çıkıyorum"),
        ("gelecek ay taşınıyorum", "2026 Aralık ayında taşınıyorum"),
        ("geçen yıl evlendim", "2025 yılında evlendim"),
        ("iki hafta sonra ameliyatım var", "3 Aralık 2026 günü ameliyatım var"),
        ("3 gün önce düştüm", "16 Kasım 2026 günü düştüm"),
        ("bugün doğum günüm", "19 Kasım 2026 günü doğum günüm"),
        ("Öbür gün gidiyorum", "21 Kasım 2026 günü gidiyorum"),
        ("haftaya cuma görüşürüz", "27 Kasım 2026 Cuma günü görüşürüz"),
        ("我明天有考试", "我2026年11月20日有考试"),
        ("我下周五上午10点有考试", "我2026年11月27日星期五上午10点有考试"),
        ("上周五我去看了医生", "2026年11月13日星期五我去看了医生"),
        ("她说周日给我打电话", "她说2026年11月22日星期日给我打电话"),
        ("我周日见了她", "我2026年11月15日星期日见了她"),
        ("后天我要出差", "2026年11月21日我要出差"),
        ("前天我生病了", "2026年11月17日我生病了"),
        ("三天后我去北京", "2026年11月22日我去北京"),
        ("两周前我搬家了", "2026年11月5日我搬家了"),
        ("下个月我结婚", "2026年12月我结婚"),
        ("去年我搬到上海", "2025年我搬到上海"),
        ("明年我要去日本", "2027年我要去日本"),
        ("今晚吃火锅", "2026年11月19日晚上吃火锅"),
        ("Ho un esame domani e sono nervoso", "Ho un esame il 20 novembre 2026 e sono nervoso"),
        ("Tenho um exame amanhã e estou nervoso", "Tenho um exame em 20 de novembro de 2026 e estou nervoso"),
        ("Ik heb morgen een examen", "Ik heb op 20 november 2026 een examen"),
    ],
)
def test_a_relative_date_is_written_in_the_language_of_the_text(said: str, means: str) -> None:
    assert dated(said) == means
    assert dated(means) == means, "what is absolute stays"


@pytest.mark.parametrize(
    "words",
    [
        "Los viernes voy al gimnasio",
        "Cada viernes nado en la piscina",
        "le vendredi je nage",
        "jeden Freitag schwimme ich",
        "her cuma günü yüzüyorum",
        "cuma günleri yüzüyorum",
        "每周五我游泳",
        "周一到周五上班",
        "这周末去爬山",
        "明日は試験です",
        "guten Morgen",
        "por la mañana corro con mi madre",
        "hier ist das Buch und es ist gut",
        "I like the word mañana and the band Gestern",
    ],
)
def test_a_habit_a_greeting_and_another_language_stay_as_they_are(words: str) -> None:
    assert dated(words) == words


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
