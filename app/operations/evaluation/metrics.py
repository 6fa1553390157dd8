"""Measures of how well an order of memories answers a question, and many questions on the average: pure."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

DEPTHS = (1, 5, 10, 25)
GAIN_DEPTH = 10


@dataclass(frozen=True)
class Score:
    """What one question came to; every number 0 to 1, higher is better."""

    category: str
    recall: tuple[float, ...]
    """The share of its evidence among the first 1, 5, 10 and 25."""
    reciprocal_rank: float
    """1 / the rank of the first piece of evidence; 0 where none was found."""
    gain: float
    """The discounted gain of the first 10, as a share of the best there could be (nDCG, each piece counting 1)."""


def score(category: str, order: Sequence[int], evidence: Collection[int]) -> Score:
    """`order`: what was found, best first, each once; `evidence`: what answers the question, at least one."""
    ranks = [rank for rank, item in enumerate(order, 1) if item in evidence]
    best = sum(_discounted(rank) for rank in range(1, min(len(evidence), GAIN_DEPTH) + 1))
    return Score(
        category,
        tuple(sum(rank <= depth for rank in ranks) / len(evidence) for depth in DEPTHS),
        1 / ranks[0] if ranks else 0.0,
        sum(_discounted(rank) for rank in ranks if rank <= GAIN_DEPTH) / best,
    )


def averages(scores: Sequence[Score]) -> dict[str, float]:
    """Percent, over all questions alike: `recall@1` … `recall@25`, `mrr`, `ndcg@10`; 0 where there are none."""
    columns = {f"recall@{depth}": [one.recall[place] for one in scores] for place, depth in enumerate(DEPTHS)}
    columns["mrr"] = [one.reciprocal_rank for one in scores]
    columns[f"ndcg@{GAIN_DEPTH}"] = [one.gain for one in scores]
    return {name: round(100 * math.fsum(column) / max(len(column), 1), 2) for name, column in columns.items()}


def by_category(scores: Sequence[Score]) -> dict[str, dict[str, float]]:
    """The averages of each category, by its name."""
    names = sorted({one.category for one in scores})
    return {name: averages([one for one in scores if one.category == name]) for name in names}


def _discounted(rank: int) -> float:
    return 1 / math.log2(rank + 1)
