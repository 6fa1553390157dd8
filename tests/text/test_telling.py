import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.text.telling import HEAD_CHARS, Sign, signs


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Wow, that's great!", Sign(0)),
        ("How was it?", Sign.ASKS),
        ("¿Cómo fue? 😀", Sign.ASKS),
        ("好きですか？", Sign.ASKS),
        ("is it? It is.", Sign(0)),
        ("my sister sings", Sign.ONESELF),
        ("i went home", Sign.ONESELF | Sign.HAPPENED),
        ("I’ve adopted a puppy", Sign.ONESELF | Sign.HAPPENED),
        ("It took 3 hours", Sign.TIMED),
        ("see you on Friday", Sign.TIMED | Sign.NAMES),
        ("The cat is called Miso.", Sign.NAMES),
        ("Yes. Great. Lovely", Sign(0)),
        ("", Sign(0)),
    ],
)
def test_a_text_shows_by_its_words_whether_it_tells_something(text: str, shown: Sign) -> None:
    assert Sign(signs(text)) == shown


def test_the_names_of_those_who_talk_say_nothing() -> None:
    assert signs("thank you Maria", names=["Maria"]) == 0
    assert signs("thank you Maria") == Sign.NAMES


def test_of_a_long_text_the_beginning_counts_and_its_end_tells_whether_it_asks() -> None:
    reply = "Here is some advice. " * 20
    assert len(reply) > HEAD_CHARS

    assert signs(reply + "I went to Rome in 2020.") == 0
    assert signs(reply + "Shall we begin?") == Sign.ASKS


@given(st.text(max_size=400), st.lists(st.text(max_size=5), max_size=2))
def test_the_signs_fit_one_byte_beside_another_flag(text: str, names: list[str]) -> None:
    assert 0 <= signs(text, names) < 64
    assert signs(text, names) & 1 == 0
