from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from app.clients.fallback import AWAY_SECONDS, FallbackModel
from app.clock import SystemClock
from app.errors import ContextTooLong, ModelDown
from app.services import Clock
from tests.claude_server import ClaudeServer, Reply, error, hang, overloaded, rate_limited, say
from tests.clients.asking_claude import ask
from tests.clients.asking_claude import claude as client_at
from tests.fakes import FrozenClock

FIRST, SECOND = "claude-sonnet-5-5", "claude-haiku-5-5"


@contextmanager
def both_at(server: ClaudeServer, clock: Clock) -> Iterator[FallbackModel]:
    with client_at(server, clock) as first, client_at(server, clock, model=SECOND) as second:
        yield FallbackModel(first, second, clock)


def asked(server: ClaudeServer) -> list[str]:
    return [request["model"] for request in server.requests]


def test_a_first_that_is_down_is_left_alone_for_a_minute_and_then_asked_again(
    claude: ClaudeServer, clock: FrozenClock
) -> None:
    claude.queue(error(401, "authentication_error"), say("Second."), say("Second."), say("First."), say("First."))
    with both_at(claude, clock) as model:
        for pause in (AWAY_SECONDS - 1, 1, 0, 0):
            model.complete(ask(clock))
            clock.advance(seconds=pause)
    assert asked(claude) == [FIRST, SECOND, SECOND, FIRST, FIRST]


def test_a_first_that_hangs_leaves_time_for_the_second(claude: ClaudeServer) -> None:
    clock = SystemClock()
    claude.queue(hang(), say("Second."))
    with both_at(claude, clock) as model:
        assert model.complete(ask(clock, seconds=1.0)).model == SECOND


def test_a_question_that_is_too_long_for_the_first_is_not_put_to_the_second(
    claude: ClaudeServer, clock: FrozenClock
) -> None:
    claude.queue(error(413, "request_too_large"))
    with both_at(claude, clock) as model, pytest.raises(ContextTooLong):
        model.complete(ask(clock))
    assert asked(claude) == [FIRST]


NOT_FOUND = error(404, "not_found_error")


@pytest.mark.parametrize(
    ("answers", "is_lasting", "seconds"),
    [
        ([NOT_FOUND, NOT_FOUND], True, None),
        ([NOT_FOUND, *[overloaded()] * 3], False, None),
        ([rate_limited(retry_after="600"), rate_limited(retry_after="90")], False, 90),
    ],
)
def test_both_down_lasts_only_if_both_need_the_operator_and_the_sooner_is_waited_for(
    claude: ClaudeServer, clock: FrozenClock, answers: list[Reply], *, is_lasting: bool, seconds: float | None
) -> None:
    claude.queue(*answers)
    with both_at(claude, clock) as model, pytest.raises(ModelDown, match="And the second model:") as caught:
        model.complete(ask(clock))
    assert (caught.value.is_lasting, caught.value.retry_after_seconds) == (is_lasting, seconds)


def test_the_second_is_not_asked_when_the_budget_has_no_room_beside_the_first(claude: ClaudeServer) -> None:
    clock = SystemClock()
    claude.queue(hang())
    with both_at(claude, clock) as model, pytest.raises(ModelDown):
        model.complete(ask(clock, seconds=0.5, may_ask_again=lambda: False))
    assert asked(claude) == [FIRST]


def test_each_is_priced_as_itself_and_the_dearer_is_reserved(claude: ClaudeServer, clock: FrozenClock) -> None:
    claude.queue(say("First."), error(401, "authentication_error"), say("Second."))
    with both_at(claude, clock) as model:
        dear, cheap = model.complete(ask(clock)), model.complete(ask(clock))
        assert model.cost_cents(dear) > model.cost_cents(cheap) > 0
        assert model.reserve_cents(ask(clock)) > model.cost_cents(dear)
