from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from app.memory.index import Found
from app.memory.index.ranking import BEST, RANKINGS, Ranked, Ranking, by_words, rank, standing_factor
from app.text.telling import Sign, signs

TELLS = int(Sign.ONESELF | Sign.HAPPENED | Sign.TIMED | Sign.NAMES)


def measured(bm25: list[float], cosine: list[float] | None = None, **others: list[Any]) -> Found:
    """The findings of a search, by default each memory from a conversation of its own."""
    count = len(bm25)
    return Found(
        items=np.array(others.get("items", range(1, count + 1)), np.intp),
        place=np.array(others.get("place", range(count)), np.intp),
        within=np.ones(count, np.bool_),
        bm25=np.array(bm25, np.float64),
        cosine=np.full(count, np.nan) if cosine is None else np.array(cosine, np.float64),
        own=np.array(others.get("own", [False] * count), np.bool_),
        signs=np.array(others.get("signs", [0] * count), np.uint8),
        conversation=np.array(others.get("conversation", range(count)), np.intp),
        day=np.array(others.get("day", [738_000] * count), np.intp),
        unembedded=0,
    )


def items(found: Found, ranked: Ranked) -> list[int]:
    return [int(item) for item in found.items[ranked.order]]


def score_of(found: Found, item: int, ranked: Ranked) -> float:
    return float(ranked.scores[items(found, ranked).index(item)])


@st.composite
def anything_measured(draw: st.DrawFn) -> Found:
    count = draw(st.integers(0, 12))
    shape = (count,)
    chosen = draw(st.permutations(range(3 * count)))
    cosine = draw(arrays.arrays(np.float64, shape, elements=st.floats(-1, 1)))
    found = measured(
        draw(arrays.arrays(np.float64, shape, elements=st.sampled_from([0.0, 0.0, 0.5, 1.0, 3.0, 9.5]))).tolist(),
        np.where(draw(arrays.arrays(np.bool_, shape)), np.nan, cosine).tolist(),
        items=chosen[:count],
        place=chosen[count : 2 * count],
    )
    return replace(
        found,
        conversation=draw(arrays.arrays(np.intp, shape, elements=st.integers(1, 3))),
        day=draw(arrays.arrays(np.intp, shape, elements=st.integers(738_000, 738_020))),
        own=draw(arrays.arrays(np.bool_, shape)),
        signs=draw(arrays.arrays(np.uint8, shape, elements=st.integers(0, 63))),
    )


ORDERS: dict[str, tuple[Found, list[int]]] = {
    "in words and in meaning before in one": (measured([0.0, 8.0, 8.0, 1.0], [0.7, 0.1, 0.7, 0.1]), [3, 1, 2, 4]),
    "equals by their ids": (measured([2.0] * 3, [0.5] * 3, items=[30, 10, 20]), [10, 20, 30]),
    "without vectors by words": (measured([1.0, 0.0, 4.0]), [3, 1]),
    "without shared words by meaning": (measured([0.0] * 3, [0.2, 0.9, 0.5]), [2, 3, 1]),
    "what waits for its vector by its words": (measured([9.0, 3.0, 0.0], [np.nan, 0.2, 0.6]), [1, 3, 2]),
    "their own words": (measured([5.0, 5.0], [0.5, 0.5], own=[False, True]), [2, 1]),
    "said beside it": (measured([9.0, 0.0, 0.0], conversation=[1, 1, 2]), [1, 2]),
    "too far from it": (measured([9.0, 0.0, 5.0], place=[0, 4, 90], conversation=[1] * 3), [1, 3]),
}


@pytest.mark.parametrize(("found", "order"), ORDERS.values(), ids=ORDERS)
def test_what_answers_best_comes_first(found: Found, order: list[int]) -> None:
    assert items(found, rank(found)) == order


def test_words_alone_and_a_fusion_that_adds_up_places_may_be_measured_against() -> None:
    words, both = measured([1.0, 0.0, 4.0]), measured([9.0, 1.0, 0.0], [-0.1, 0.1, 0.6])
    assert items(words, RANKINGS["words"](words, None)) == [3, 1]
    assert items(both, RANKINGS["fusion"](both, None)) == [2, 1, 3]


@pytest.mark.parametrize("ranking", RANKINGS.values(), ids=RANKINGS)
def test_what_shares_nothing_with_the_question_is_left_out(ranking: Ranking) -> None:
    for found in (measured([]), measured([0.0, 0.0], [-0.2, 0.0], own=[True, True], signs=[TELLS, TELLS])):
        assert (items(found, ranking(found, None)), len(ranking(found, None).scores)) == ([], 0)


def test_what_stands_near_an_answer_is_lifted_and_less_so_farther_away() -> None:
    found = measured([9.0, 1.0, 1.0, 1.0, 1.0, 1.0], conversation=[1] * 5 + [2])
    best = rank(found)
    assert [score_of(found, item, best) for item in (2, 3, 4)] == sorted(best.scores[1:4], reverse=True)
    alone = score_of(found, 6, best)
    assert score_of(found, 4, best) > score_of(found, 5, best) == pytest.approx(alone + alone * BEST.around)


def test_the_place_of_a_forgotten_memory_keeps_its_neighbours_apart() -> None:
    beside = measured([9.0, 0.0, 5.0], place=[0, 1, 90], conversation=[1, 1, 1])
    apart = measured([9.0, 0.0, 5.0], place=[0, 3, 90], conversation=[1, 1, 1])
    assert score_of(beside, 2, rank(beside)) > score_of(apart, 2, rank(apart)) > 0


def test_what_follows_a_question_is_taken_for_its_answer() -> None:
    found = measured([0.0, 5.0, 0.0], conversation=[1] * 3, signs=[0, Sign.ASKS, 0])
    ranked = rank(found)
    assert score_of(found, 3, ranked) - score_of(found, 1, ranked) > BEST.answer * 0.9


def test_what_tells_something_comes_before_a_kind_word_that_is_as_near() -> None:
    tells = signs("I went to the vet with Max last Friday.")
    cheers = signs("That's wonderful! How nice for you, what a good idea?")
    found = measured([5.0, 5.0], [0.5, 0.5], signs=[cheers, tells])
    assert items(found, rank(found)) == [2, 1]
    assert score_of(found, 2, rank(found)) == pytest.approx(score_of(found, 1, rank(found)) * (1 + BEST.telling))


def test_what_was_said_in_the_days_asked_for_is_lifted_and_shortly_after_too() -> None:
    found = measured([5.0] * 4, day=[738_000, 738_010, 738_013, 738_014])
    assert items(found, rank(found, (738_005, 738_010))) == [2, 3, 1, 4]


def test_of_equals_the_one_that_matters_comes_first_and_what_answers_comes_before_what_matters() -> None:
    found = measured([5.0, 5.0, 9.0], [0.5, 0.5, 0.9])
    rows = [(0.2, 1.0, False, 0.0), (0.9, 1.0, True, 0.0), (0.1, 1.0, False, 400.0)]
    matters = [standing_factor(*row) for row in rows]
    assert items(found, rank(found, standing=np.array(matters))) == [3, 2, 1]


def test_standing_rises_with_importance_confidence_and_pin_and_falls_with_disuse() -> None:
    of = standing_factor(0.5, 0.9, False, 10)
    more = [(0.6, 0.9, False, 10), (0.5, 1.0, False, 10), (0.5, 0.9, True, 10)]
    assert of < min(standing_factor(0.5, 0.9, False, 1), *(standing_factor(*one) for one in more))
    assert standing_factor(0.5, 0.9, False, 0) == standing_factor(0.5, 0.9, False, -5)
    assert 0.75 < standing_factor(0.0, 0.0, False, 1e6) < standing_factor(1.0, 1.0, True, 0) < 1.2


@given(anything_measured(), st.sampled_from(sorted(RANKINGS)))
def test_every_ranking_gives_each_once_best_first_and_the_same_in_any_order(found: Found, name: str) -> None:
    ranked = RANKINGS[name](found, (738_000, 738_005))
    turned = replace(found, **{key: values[::-1] for key, values in vars(found).items() if key != "unembedded"})
    assert len(set(ranked.order.tolist())) == len(ranked.order)
    assert np.all(np.isfinite(ranked.scores))
    assert np.all(ranked.scores > 0)
    assert np.all(np.diff(ranked.scores) <= 0)
    assert items(turned, RANKINGS[name](turned, (738_000, 738_005))) == items(found, ranked)


def test_of_sentences_a_rare_word_counts_for_more_and_all_of_the_words_for_one() -> None:
    assert by_words("green tea", ["Likes green tea", "Likes tea", "Has a cat"])[0] == 1.0
    likes, max_ = by_words("does Max like it?", ["Likes tea", "Max is a poodle", "Likes cake", "Likes chess"])[:2]
    assert 0 < likes < max_ < 1
    assert by_words("car", ["Likes tea", "Has a cat"]) == [0.0, 0.0]
    assert by_words("", ["Likes tea"]) == by_words("the and of", ["The and of"]) == [0.0]
    assert by_words("tea", []) == []
