"""The real Claude, watched: whether it takes each request that is made of it, which none of its rules refuses."""

from dataclasses import replace
from typing import Any

from anthropic.types import Message

from app.clients.claude import ClaudeModel
from app.clients.claude_faults import Fault
from app.clients.prices import most_cents, tokens_at_most
from app.errors import ModelDown, OverBudget, RequestRefused, ThinkingRefused
from app.services import Clock
from app.services.model import ModelRequest

LEAST_TOKENS = 512  # With less room an answer may be all thought, and none is asked for.
COUNT_MARGIN = 1.1  # A request may take so many more tokens than those before it did, as its length goes.


class LiveClaude(ClaudeModel):
    """A Claude that tells where it does not do what the rules say, and that costs at most `most_cents`.

    Each call is bounded before it is made: by what its prompt costs when nothing of it is cached, as Claude counted
    the requests before it, and by the tokens that its answer may have.
    """

    def __init__(self, *, api_key: str, model: str, clock: Clock, base_url: str | None, most_cents: float) -> None:
        super().__init__(api_key=api_key, model=model, clock=clock, base_url=base_url)
        self.most_cents = most_cents
        self.cents = 0.0
        """What the calls have cost so far; one whose answer was lost counts at the most that it may have cost."""
        self.answers = 0
        self.ended = ""
        """Why nothing more is asked, in a sentence: too little money is left, or nobody answers."""
        self.tokens_share = 0.0
        """What Claude counted of its tokens, at most, for each that `tokens_at_most` makes of a request."""
        self.is_away = False
        self._differences: list[str] = []

    def complete(self, request: ModelRequest) -> Message:
        """As any Claude does, with as much room for the answer as can be paid.

        Raises:
            OverBudget: too little is left for any answer.
        """
        uncounted = self.reserve_cents(replace(request, max_tokens=0))
        answer = self.reserve_cents(request) - uncounted
        left = self.most_cents - self.cents - uncounted * (self.tokens_share or 1.0)
        tokens = request.max_tokens if left >= answer else int(request.max_tokens * left / answer)
        if tokens < LEAST_TOKENS:
            self.ended = f"The rest might have cost more than {self.most_cents:.1f} cents."
            raise OverBudget(self.ended, is_spent=True)
        try:
            return super().complete(replace(request, max_tokens=tokens, may_ask_again=lambda: False))
        except ModelDown as error:
            self.is_away, self.ended = True, str(error)
            raise

    def differences(self) -> list[str]:
        """What differed since it was asked last."""
        told, self._differences = self._differences, []
        return told

    def _attempt(self, params: dict[str, Any], seconds: float) -> Message | Fault:
        outcome = super()._attempt(params, seconds)
        if isinstance(outcome, Fault):
            if outcome.may_be_charged:
                self.cents += most_cents(self.name, tokens_at_most(params), params["max_tokens"])
            # About the request or the answer as they are made, and not about who can be reached.
            if outcome.unusable or outcome.kind in {RequestRefused, ThinkingRefused}:
                self._differences.append(f"A request that the rules allow got: {outcome.sentence}")
            return outcome
        self.answers += 1
        self.cents += self.cost_cents(outcome)
        used = outcome.usage
        counted = used.input_tokens + (used.cache_read_input_tokens or 0) + (used.cache_creation_input_tokens or 0)
        self.tokens_share = max(self.tokens_share, COUNT_MARGIN * counted / tokens_at_most(params))
        return outcome
