"""Which of many sentences answer a query: scores to order, pure."""

import math
from collections import Counter
from collections.abc import Sequence

from app.memory.wording import subjects


def by_words(query: str, sentences: Sequence[str]) -> list[float]:
    """How well each sentence answers the query by the words they share, 0 to 1, higher is nearer.

    Each shared word weighs by its rarity among these sentences, so that *Max* counts for more than *likes*.
    Source: inverse document frequency, Spärck Jones 1972, in the smoothed form log(1 + N / df).
    """
    wanted = subjects(query)
    said = [subjects(sentence) for sentence in sentences]
    frequency = Counter(word for words in said for word in words)
    weight = {word: math.log(1 + len(sentences) / frequency[word]) if frequency[word] else 0.0 for word in wanted}
    total = sum(weight.values())
    if not total:
        return [0.0] * len(sentences)
    return [sum(weight[word] for word in wanted & words) / total for words in said]
