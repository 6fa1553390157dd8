"""Texts that tell something: the made-up sentences of tests/data/asked.txt, and the signs that the index keeps."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.text.telling import Sign, signs, tells_something
from tests.tables import rows

LINES = rows("asked.txt")


@pytest.mark.parametrize("words", [line[2:] for line in LINES if line.startswith("? ")])
def test_what_is_asked_of_the_assistant_tells_nothing(words: str) -> None:
    assert not tells_something(words)


@pytest.mark.parametrize("words", [line[2:] for line in LINES if line.startswith(". ")])
def test_what_happened_tells_something_whatever_its_form(words: str) -> None:
    assert tells_something(words)


def test_r66_a_text_of_a_hundred_thousand_characters_is_read() -> None:
    for words in ("word " * 20_000, "so, " * 25_000, "ne " * 30_000, "记得" * 50_000, "what " * 20_000, "?" * 100_000):
        assert tells_something(words)
        assert isinstance(tells_something(words[:400]), bool)


SHOWN = [
    ("Wow, that's great!", Sign(0)), ("How was it?", Sign.ASKS), ("¿Cómo fue? 😀", Sign.ASKS),
    ("好きですか？", Sign.ASKS), ("is it? It is.", Sign(0)), ("my sister sings", Sign.ONESELF),
    ("i went home", Sign.ONESELF | Sign.HAPPENED), ("I’ve adopted a puppy", Sign.ONESELF | Sign.HAPPENED),
    ("It took 3 hours", Sign.TIMED), ("see you on Friday", Sign.TIMED | Sign.NAMES),
    ("The cat is called Miso.", Sign.NAMES), ("Yes. Great. Lovely", Sign(0)), ("", Sign(0)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "shown"), SHOWN)
def test_a_text_shows_by_its_words_whether_it_tells_something(text: str, shown: Sign) -> None:
    assert Sign(signs(text)) == shown


def test_the_names_of_those_who_talk_say_nothing() -> None:
    assert signs("thank you Maria", names=["Maria"]) == 0
    assert signs("thank you Maria") == Sign.NAMES


@given(st.text(max_size=400), st.lists(st.text(max_size=5), max_size=2))
def test_the_signs_fit_one_byte_beside_another_flag(text: str, names: list[str]) -> None:
    assert 0 <= signs(text, names) < 64
    assert signs(text, names) & 1 == 0
