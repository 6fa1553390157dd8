"""A question made ready to be looked for: pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from app.memory.index.asked_days import asked_days


@dataclass(frozen=True)
class Query:
    """What is looked for, in the form that each part of the search takes."""

    words: str
    """For the words: the question as it was asked."""
    meaning: str
    """For the vector: the question as its answer's speaker would put it."""
    about: frozenset[str]
    """Those of the speakers that it names."""
    days: tuple[int, int] | None
    """The first and the last day that it names, proleptic Gregorian ordinals."""


def prepare(question: str, speakers: Sequence[str], at: datetime) -> Query:
    """The question, asked at the local time `at`, about talk among `speakers`, whose names may be empty.

    A name draws its vector towards greetings, which carry names and say nothing; what people tell of themselves they
    tell as *I*. So a speaker's name becomes *I*, in the vector's form alone.
    """
    names = [name for name in speakers if name.strip()]
    about = frozenset(name for name in names if _named(name).search(question))
    return Query(question, in_first_person(question, names), about, asked_days(question, at))


def in_first_person(question: str, names: Sequence[str]) -> str:
    """The question with each of the names replaced by *I* or *my*, or taken out where it only calls somebody."""
    text = question
    for name in sorted(names, key=len, reverse=True):
        whole = _named(name).pattern
        text = re.sub(rf"^\W*{whole}\s*,\s*|\s*,\s*{whole}(?=\W*$)", "", text, flags=re.IGNORECASE)
        text = re.sub(rf"{whole}['’]s\b", "my", text, flags=re.IGNORECASE)
        text = re.sub(whole, "I", text, flags=re.IGNORECASE)
    return " ".join(text.split()) or question


def _named(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name.strip())}(?!\w)", re.IGNORECASE)
