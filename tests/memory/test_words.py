"""The words of a text as the index counts them."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.memory.index.words import MAX_TERMS, MAX_WORD, Term, terms, tokens
from tests.tables import rows

JAPANESE = st.text(alphabet="東京都内で猫とコーヒーを飲む日本語", min_size=1, max_size=12)


def words(text: str) -> list[str]:
    return tokens([text])[0]


def finds(asked: str, said: str) -> bool:
    """True if all search terms of one text occur in the other."""
    held = words(said)
    return all(_is_in(term, held) for term in terms(asked))


def _is_in(term: Term, held: Sequence[str]) -> bool:
    return any(word.startswith(term.word) if term.begins else word == term.word for word in held)


COUNTED = rows("words_found.jsonl")


@pytest.mark.parametrize(("text", "counted"), COUNTED)
def test_words_of_any_language_are_counted(text: str, counted: list[str]) -> None:
    assert words(text) == counted


def test_texts_are_parted_as_each_by_itself_and_neither_a_word_nor_a_question_is_without_end() -> None:
    said = ["I like tea", "", "東京", "Max's dog"] * 50
    assert tokens(said) == [words(text) for text in said]
    assert words("a" * 5000) == ["a" * MAX_WORD]
    assert finds("a" * 5000, "a" * 5000)
    assert words("tea \ud83d cake") == ["tea", "cake"]
    assert terms("tea, Tea and teas") == [Term("tea")]
    assert len(terms(" ".join(f"word{number}" for number in range(1000)))) == MAX_TERMS


@given(st.text())
def test_no_text_is_too_strange(text: str) -> None:
    assert all(word.strip() and word == word.casefold() and len(word) <= MAX_WORD for word in words(text))
    assert finds(text, text)
    if text.isascii():
        assert words(text.upper()) == words(text.lower())


@given(JAPANESE, JAPANESE, JAPANESE)
def test_what_is_written_without_spaces_is_found_by_any_piece_of_it(before: str, piece: str, after: str) -> None:
    assert finds(piece, before + piece + after)


def test_what_is_written_without_spaces_is_found_by_the_words_that_it_shares() -> None:
    held = words("姐姐找到了新工作")

    assert [term.word for term in terms("我姐姐的工作") if _is_in(term, held)] == ["姐姐", "工作"]
    assert not finds("妹妹", "姐姐找到了新工作")
