"""A question's vector, or none: whoever searches goes on by words alone where it cannot be had in time."""

import logging
import math
import threading
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from app.errors import EmbeddingError
from app.services import Embedder, Services

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from app.memory.index.vectors import Vector

logger = logging.getLogger(__name__)

MOST_KEPT = 48  # Of the questions of all people at one time; each takes 1.5 kB.
KEPT_SECONDS = 180.0  # So long a question that is asked again is the same question; and what was asked is not hoarded.
REST_SECONDS = 30.0  # After a failure: an embedder that is down shall not keep every turn waiting for it.


@dataclass(frozen=True)
class Meaning:
    """What a question means, as far as that is known."""

    vector: "Vector | None"
    """float32, shape (dim,), unit length."""
    model: str | None
    """The name of the embedder that made it."""
    reason: str
    """`embedded`, `kept` from a moment ago, or why there is none: `no embedder`, `no time`, `resting`, `failed`."""

    @property
    def is_known(self) -> bool:
        return self.vector is not None


def meaning(services: Services, text: str, *, seconds: float, until: float | None = None) -> Meaning:
    """The vector of a question, within so many seconds and, where `until` is given, before that instant of the clock.

    Never raises because of the embedder: without a vector, words alone decide.
    """
    embedder, clock = services.embedder, services.clock
    if embedder is None:
        return Meaning(None, None, "no embedder")
    kept, now = _kept_of(embedder), clock.monotonic()
    known = kept.get(text, now)
    if known is not None:
        return Meaning(known, embedder.name, "kept")
    deadline = now + seconds if until is None else min(now + seconds, until)
    if deadline <= now or kept.rests(now):
        return Meaning(None, None, "no time" if deadline <= now else "resting")
    try:
        vector = embedded(services, embedder, [text], is_query=True, deadline=deadline)[0]
    except EmbeddingError as error:
        logger.warning("A question is searched by its words alone: %s", error)
    except Exception:  # What makes vectors is others' code: whatever breaks in it, the person gets an answer.
        logger.exception("The embedder broke: a question is searched by its words alone")
    else:
        kept.put(text, vector, clock.monotonic())
        return Meaning(vector, embedder.name, "embedded")
    kept.rest(clock.monotonic())
    return Meaning(None, None, "failed")


def embedded(
    services: Services,
    embedder: Embedder,
    texts: Sequence[str],
    *,
    is_query: bool = False,
    deadline: float | None = None,
) -> "NDArray[np.float32]":
    """As `Embedder.embed`; whoever waits for one that is outside leaves their desk to another meanwhile.

    Raises:
        EmbeddingError: there is no vector for them now.
    """
    with services.background.away() if embedder.is_outside else nullcontext():
        return embedder.embed(texts, is_query=is_query, deadline=deadline)


class _Kept:
    """The last questions of one embedder, with their vectors, and whether it is given a rest."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._vectors: OrderedDict[str, tuple[float, Vector]] = OrderedDict()
        self._rests_until = -math.inf

    def get(self, text: str, now: float) -> "Vector | None":
        with self._lock:
            self._drop_old(now)
            held = self._vectors.get(text)
            return held[1] if held is not None else None

    def put(self, text: str, vector: "Vector", now: float) -> None:
        with self._lock:
            self._drop_old(now)
            self._vectors.pop(text, None)  # So that the oldest stands first.
            self._vectors[text] = (now, vector)
            while len(self._vectors) > MOST_KEPT:
                self._vectors.popitem(last=False)

    def rests(self, now: float) -> bool:
        return now < self._rests_until

    def rest(self, now: float) -> None:
        self._rests_until = now + REST_SECONDS

    def _drop_old(self, now: float) -> None:
        while self._vectors:
            at, _ = next(iter(self._vectors.values()))
            if now - at < KEPT_SECONDS:
                return
            self._vectors.popitem(last=False)


_KEPT: WeakKeyDictionary[Embedder, _Kept] = WeakKeyDictionary()
_LOCK = threading.Lock()


def _kept_of(embedder: Embedder) -> _Kept:
    with _LOCK:
        return _KEPT.setdefault(embedder, _Kept())
