"""A question that any model answers within seconds: whether it is the model that fails, or what it was asked."""

from app.conversation import budget, outage, waiting
from app.conversation.lane import OpenTurn
from app.errors import ModelError, OverBudget
from app.services import ModelRequest, Services

SECONDS = 20.0  # A server that has to load its model first takes about as long.
MAX_TOKENS = 4096  # It thinks before it says a word.


def is_answered(services: Services, turn: OpenTurn) -> bool:
    """Whether the model answers; then the outage is over, if there was one."""
    question = ModelRequest(
        system=[],
        messages=[{"role": "user", "content": "Are you there?"}],
        tools=[],
        max_tokens=MAX_TOKENS,
        deadline=services.clock.monotonic() + SECONDS,
        person_key="keepsake",
    )
    try:
        answered = budget.ask(services, turn, question)
    except (ModelError, OverBudget):
        return False
    with services.transaction() as db:
        answered.settle(db)
        was_down = outage.end(db, services.clock.now())
    if was_down:
        waiting.wake_after_outage(services)
    return True
