from hypothesis import given
from hypothesis import strategies as st

from app.memory.ranking import by_words


def test_the_sentence_that_holds_all_of_the_words_scores_one() -> None:
    assert by_words("green tea", ["Likes green tea", "Likes tea", "Has a cat"])[0] == 1.0


def test_a_rare_word_counts_for_more_than_a_common_one() -> None:
    likes, max_ = by_words("does Max like it?", ["Likes tea", "Max is a poodle", "Likes cake", "Likes chess"])[:2]

    assert 0 < likes < max_ < 1


def test_nothing_shared_scores_nothing() -> None:
    assert by_words("car", ["Likes tea", "Has a cat"]) == [0.0, 0.0]
    assert by_words("", ["Likes tea"]) == [0.0]
    assert by_words("the and of", ["The and of"]) == [0.0]
    assert by_words("tea", []) == []


@given(st.text(), st.lists(st.text(max_size=60), max_size=8))
def test_every_score_lies_between_nothing_and_one(query: str, sentences: list[str]) -> None:
    scores = by_words(query, sentences)

    assert len(scores) == len(sentences)
    assert all(0.0 <= score <= 1.0 + 1e-9 for score in scores)
