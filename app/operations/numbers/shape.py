"""Values kept as how many fell into which bucket, so that percentiles of hours come together to those of a day: pure.

Buckets grow by a twentieth each, and the middle of one stands for all in it: what is told of a percentile is at most
`ERROR` from the value itself, whatever was brought together. An average of percentiles has no such bound.

Source: C. Masson, J. Rim and H. Lee, DDSketch: a fast and fully-mergeable quantile sketch with relative-error
guarantees, 2019.
"""

import math
from collections.abc import Iterable, Mapping

GROWTH = 1.05
ERROR = math.sqrt(GROWTH) - 1
"""0.0247: the most that a percentile may be off, as a share of it."""
LEAST = 1e-4
"""What is smaller, and zero, counts as this: a tenth of a millisecond, where seconds are measured."""

Shape = dict[str, int]
"""How many values, by the number of their bucket; its keys are text, as JSON has them."""


def shape_of(values: Iterable[float]) -> Shape:
    shape: Shape = {}
    for value in values:
        key = str(math.ceil(math.log(max(value, LEAST), GROWTH)))
        shape[key] = shape.get(key, 0) + 1
    return shape


def merged(shapes: Iterable[Mapping[str, int] | None], less: Mapping[str, int] | None = None) -> Shape:
    """All of them together, less what one of them was before; empty buckets are left out."""
    together: Shape = {}
    for shape in shapes:
        for key, times in (shape or {}).items():
            together[key] = together.get(key, 0) + times
    for key, times in (less or {}).items():
        together[key] = together.get(key, 0) - times
    return {key: times for key, times in together.items() if times > 0}


def quantile(shape: Mapping[str, int], share: float) -> float | None:
    """The value that `share` of the values do not exceed, within `ERROR` of it; None of none."""
    count = sum(shape.values())
    place = min(int(count * share), count - 1)
    for bucket in sorted(map(int, shape)):
        place -= shape[str(bucket)]
        if place < 0:
            return float(GROWTH ** (bucket - 0.5))
    return None
