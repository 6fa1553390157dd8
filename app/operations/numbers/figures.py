"""The figures, each with the sentence shown beside it on the page, and the histograms in which values are kept.

A histogram counts values by bucket, so that those of hours can be added to that of a day. Each bucket is a twentieth
larger than the one before, and its middle stands for all its values: a percentile differs from the true one by at most
`ERROR`, however many were added. An average of percentiles has no such bound.

Source: C. Masson, J. Rim and H. Lee, DDSketch: a fast and fully-mergeable quantile sketch with relative-error
guarantees, 2019.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

Form = Literal["spread", "counts", "share", "money"]
"""`spread`: values, shown as percentiles. `counts`: events, by label. `share`: part of a whole. `money`: US cents,
by label."""


@dataclass(frozen=True)
class Figure:
    key: str
    title: str
    means: str  # Its definition, in one sentence.
    form: Form
    unit: Literal["seconds", "milliseconds", "tokens", "", "cents"] = ""
    lines: tuple[str, ...] = ()  # Lines of the chart, if not one for each label; labels begin with one of them.
    parts: tuple[str, ...] = ("of",)  # A monitor's names for the label, and for its parts around a colon.


REPLY = Figure(
    "reply_seconds",
    "Reply time",
    "From a person's last text to the first part of the answer on its way, by the hour in which it was answered.",
    "spread",
    "seconds",
)
MODEL = Figure(
    "model_seconds",
    "Model time",
    "How long a turn that asked the model waited for it, all its calls together.",
    "spread",
    "seconds",
)
RECALL_TIME = Figure(
    "recall_ms",
    "Recall time",
    "How long it took to decide whether to look into memory, and to look, before the model was asked.",
    "spread",
    "milliseconds",
)
RECALL = Figure(
    "recall",
    "Recall",
    "Turns by what came of the look into memory: a hit brought something back, a miss looked in vain, a skip did not "
    "look; the reason is the gate's.",
    "counts",
    lines=("hit", "miss", "skip"),
    parts=("came", "gate"),
)
MEMORY_TOKENS = Figure(
    "memory_tokens",
    "Tokens that memory adds",
    "What remembered facts, rules and episodes take of the last request of a turn, estimated at three bytes a token.",
    "spread",
    "tokens",
)
WRITES = Figure("writes", "Memory writes", "Facts and rules that were stored as new, whoever told them.", "counts")
DUPLICATES = Figure(
    "duplicates",
    "Duplicates refused",
    "Facts and rules that the model sent to be kept and that were known already, so that nothing was stored.",
    "counts",
)
CORRECTIONS = Figure(
    "corrections", "Corrections", "Facts and rules whose words were changed, whoever changed them.", "counts"
)
FORGETS = Figure("forgets", "Forgets", "Facts, rules and episodes that were forgotten.", "counts")
REPEATED = Figure(
    "repeated",
    "Repeated instructions",
    "Of all that was told to be kept or corrected, the share that was known already or corrected what had been "
    "corrected before.",
    "share",
)
DELIVERIES = Figure(
    "deliveries",
    "Deliveries",
    "Texts that went out, by how far they came, with the carrier's error code where it gave one; of those that are "
    "only sent there is no delivery report yet, or no delivery reports asked for, as on the phone page.",
    "counts",
    lines=("delivered", "sent", "to be sent", "in doubt", "refused", "undelivered"),
    parts=("how", "carrier_code"),
)
ROUTINES = Figure(
    "routines",
    "Routines",
    "What was due, by what became of it: on time is within three minutes of when it was due or snoozed to.",
    "counts",
    lines=("on time", "late", "missed", "skipped"),
    parts=("how",),
)
SPEND = Figure(
    "spend",
    "Spend by model",
    "The cost of calls to the model, by the model that answered, with background work apart. A call whose end nobody "
    "saw counts as the most it may have cost.",
    "money",
    "cents",
    parts=("model",),
)
CACHE = Figure(
    "cache_read",
    "Cache-read share",
    "Of all input tokens of the model, the share that was read from its cache at a fraction of the price.",
    "share",
    "tokens",
)

FIGURES = (
    REPLY,
    MODEL,
    RECALL_TIME,
    RECALL,
    MEMORY_TOKENS,
    CACHE,
    SPEND,
    DELIVERIES,
    ROUTINES,
    WRITES,
    DUPLICATES,
    CORRECTIONS,
    FORGETS,
    REPEATED,
)

PEOPLE_TITLE = "Spend by person"
PEOPLE_MEANS = (
    "What calls of the model for each person cost, those who cost most first; of hours, on the days in which they lie, "
    "and of months, in the last of them."
)


def figure(key: str) -> Figure | None:
    return next((one for one in FIGURES if one.key == key), None)


GROWTH = 1.05
ERROR = math.sqrt(GROWTH) - 1  # 0.0247: the largest relative error of a percentile.
LEAST = 1e-4  # Smaller values, and zero, count as this: a tenth of a millisecond for seconds.

Shape = dict[str, int]  # Number of values by bucket number; the keys are text, as in JSON.


def shape_of(values: Iterable[float]) -> Shape:
    return dict(Counter(str(math.ceil(math.log(max(value, LEAST), GROWTH))) for value in values))


@dataclass(frozen=True)
class Cell:
    """The value of one figure under one label, for an hour, a day, a month or a whole stretch."""

    times: int = 0
    total: float = 0.0
    shape: Mapping[str, int] = field(default_factory=dict)

    def quantile(self, share: float) -> float | None:
        """The value that `share` of the values do not exceed, within `ERROR` of it; None without values."""
        count = sum(self.shape.values())
        place = min(int(count * share), count - 1)
        for bucket in sorted(map(int, self.shape)):
            place -= self.shape[str(bucket)]
            if place < 0:
                return float(GROWTH ** (bucket - 0.5))
        return None

    @property
    def share(self) -> float | None:
        return self.total / self.times if self.times else None


def added(cells: Iterable[Cell]) -> Cell:
    some, shape = list(cells), Counter[str]()
    for cell in some:
        shape.update(cell.shape)
    return Cell(sum(cell.times for cell in some), math.fsum(cell.total for cell in some), dict(shape))
