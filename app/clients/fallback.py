"""Two models as one: the second answers while the first is down."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from app.errors import ModelDown
from app.services import Clock
from app.services.model import Model, ModelRequest, ModelTrouble

if TYPE_CHECKING:
    from anthropic.types import Message

logger = logging.getLogger(__name__)

AWAY_SECONDS = 60.0  # The first model is not asked again for this long, since every turn would wait for it.
FIRST_SHARE = 0.6  # The first model's share of the time left; if it hangs, the second needs the rest.


class FallbackModel:
    """`first`, and `second` while the first is down; the `model` of an answer names the one that wrote it."""

    def __init__(self, first: Model, second: Model, clock: Clock) -> None:
        self.name = first.name
        self.host = getattr(first, "host", "")
        self._first = first
        self._second = second
        self._clock = clock
        self._away_until = 0.0  # Instant from which the first is asked again; 0 while it answers.

    def complete(self, request: ModelRequest) -> "Message":
        """As `Model.complete`, from the first model, or from the second while the first is down."""
        down, now = None, self._clock.monotonic()
        if now >= self._away_until:
            if self._away_until:  # After a failure one turn a minute tries the first; the others do not wait for it.
                self._away_until = now + AWAY_SECONDS
            share = now + (request.deadline - now) * FIRST_SHARE
            try:
                answer = self._first.complete(replace(request, deadline=share))
            except ModelDown as error:
                down = error
                self._away_until = self._clock.monotonic() + AWAY_SECONDS
                if error.may_be_charged and not request.may_ask_again():
                    raise
                logger.warning("%s is down, and %s is asked: %s", self._first.name, self._second.name, error)
            else:
                self._away_until = 0.0
                return answer
        try:
            return self._second.complete(request)
        except ModelDown as error:
            self._away_until = 0.0  # With both down, the first is worth asking next time.
            raise _both_down(down, error) from None

    def reserve_cents(self, request: ModelRequest) -> float:
        """Highest possible cost of one attempt by either model, in US cents."""
        return max(self._first.reserve_cents(request), self._second.reserve_cents(request))

    def cost_cents(self, message: "Message") -> float:
        """Cost of the call in US cents, at the price of the model that answered."""
        answered = self._second if message.model == self._second.name else self._first
        return answered.cost_cents(message)

    def troubles(self) -> Sequence[ModelTrouble] | None:
        """Troubles of both models; None if neither can tell."""
        known = [found for found in (self._first.troubles(), self._second.troubles()) if found is not None]
        return [trouble for found in known for trouble in found] if known else None

    def close(self) -> None:
        """Close the connections of both models."""
        for model in (self._first, self._second):
            getattr(model, "close", lambda: None)()


def _both_down(first: ModelDown | None, second: ModelDown) -> ModelDown:
    """The error when both are down: with the shorter of the two waits, and lasting only if both are."""
    if first is None:
        return second
    waits = (first.retry_after_seconds, second.retry_after_seconds)
    return ModelDown(
        f"{first} And the second model: {second}",
        retry_after_seconds=None if None in waits else min(filter(None, waits), default=0.0),
        is_lasting=first.is_lasting and second.is_lasting,
        timed_out=first.timed_out and second.timed_out,
        may_be_charged=second.may_be_charged,
    )
