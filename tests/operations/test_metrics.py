"""What an order of memories comes to, against numbers worked out by hand."""

from math import log2

import pytest

from app.operations.evaluation import averages, by_category, score


def test_recall_is_the_share_of_the_evidence_among_the_first() -> None:
    one = score("1", [4, 7, 2, 9, 3, 8], {7, 8})
    assert one.recall == (0.0, 0.5, 1.0, 1.0)
    assert one.reciprocal_rank == 0.5


def test_the_gain_is_discounted_by_rank_and_a_share_of_the_best_there_could_be() -> None:
    one = score("1", [4, 7, 2, 9, 3, 8], {7, 8})
    assert one.gain == pytest.approx((1 / log2(3) + 1 / log2(7)) / (1 / log2(2) + 1 / log2(3)))
    assert score("1", [7, 8], {7, 8}).gain == 1.0
    assert score("1", range(1, 12), {11}).gain == 0.0


def test_what_was_not_found_counts_as_nothing() -> None:
    assert score("1", [], {1}) == score("1", [2, 3], {1})
    assert averages([score("1", [], {1})]) == dict.fromkeys(averages([]), 0.0)


def test_averages_are_percent_over_all_questions_and_over_each_category() -> None:
    scores = [score("4", [1], {1}), score("4", [2], {1}), score("1", [1], {1})]
    assert list(averages(scores)) == ["recall@1", "recall@5", "recall@10", "recall@25", "mrr", "ndcg@10"]
    assert averages(scores)["recall@1"] == 66.67
    assert {name: one["mrr"] for name, one in by_category(scores).items()} == {"1": 100.0, "4": 50.0}
