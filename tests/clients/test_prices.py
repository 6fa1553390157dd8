"""The size of requests before anybody has counted them, and the price of answers."""

from contextlib import closing
from typing import Any

import pytest
from anthropic.types import Message, Usage

from app.clients.prices import PICTURE_TOKENS, PRICES, cost_cents, tokens_about, tokens_at_most
from tests.claude_server import ClaudeServer, model_at
from tests.fakes import FrozenClock

MILLION = 1_000_000
CACHE_READ_CENTS = {
    "claude-haiku-5-5": 0.1,
    "claude-sonnet-5-5": 1.0,
    "claude-opus-5-5": 2.0,
    "claude-fable-5-1": 2.5,
    "claude-haiku-4-5": 1.0,
}
"""The cost of 100,000 tokens read from the cache: the most before a prompt counts as long."""


def usage(**tokens: Any) -> Usage:
    return Usage.construct(**{"input_tokens": 0, "output_tokens": 0, **tokens})


@pytest.mark.parametrize(
    ("tokens", "cents"),
    [
        ({"input_tokens": MILLION}, 200.0),
        ({"output_tokens": MILLION}, 1000.0),
        ({"cache_read_input_tokens": MILLION}, 10.0),
        ({"cache_creation_input_tokens": MILLION}, 250.0),
        ({"input_tokens": 1000, "output_tokens": 100, "cache_read_input_tokens": 5000}, 0.35),
    ],
)
def test_every_kind_of_token_of_sonnet_is_charged_at_its_published_price(tokens: dict[str, Any], cents: float) -> None:
    for name in ("claude-sonnet-5-5", "claude-sonnet-5-5-20261001"):
        assert cost_cents(name, usage(**tokens)) == pytest.approx(cents)


@pytest.mark.parametrize(("model", "cents"), CACHE_READ_CENTS.items())
def test_what_is_read_from_the_cache_costs_each_models_own_share_of_its_price(model: str, cents: float) -> None:
    assert cost_cents(model, usage(cache_read_input_tokens=MILLION // 10)) == pytest.approx(cents)
    assert CACHE_READ_CENTS.keys() == PRICES.keys()


def test_a_long_prompt_of_haiku_costs_more_from_its_first_token_and_cached_tokens_count_as_prompt() -> None:
    assert cost_cents("claude-haiku-5-5", usage(input_tokens=100_000)) == pytest.approx(1.0)
    assert cost_cents("claude-haiku-5-5", usage(input_tokens=100_001)) == pytest.approx(5.0, rel=1e-4)
    assert cost_cents("claude-haiku-5-5", usage(input_tokens=1, cache_read_input_tokens=100_000)) == pytest.approx(
        0.5, rel=1e-4
    )


@pytest.mark.parametrize("name", ["claude-next-9", "claude-sonnet-5-50"])
def test_a_claude_without_a_price_is_counted_as_the_dearest(name: str) -> None:
    one = usage(input_tokens=MILLION, output_tokens=MILLION)

    assert cost_cents(name, one) == max(cost_cents(known, one) for known in PRICES)


@pytest.mark.parametrize(
    "odd",
    [
        None,
        Usage.construct(),
        usage(input_tokens=None, output_tokens=None),
        usage(input_tokens="12", output_tokens=-5, cache_read_input_tokens=[1], cache_creation="much"),
    ],
)
def test_numbers_that_a_weak_server_leaves_out_or_garbles_cost_nothing_and_crash_nothing(odd: Usage | None) -> None:
    assert cost_cents("claude-sonnet-5-5", odd) == 0.0


def asked(words: object) -> dict[str, object]:
    return {"messages": [{"role": "user", "content": words}]}


EMPTY = tokens_at_most(asked(""))


@pytest.mark.parametrize(
    ("words", "tokens"),
    [
        ("a quiet afternoon in the garden", 7),  # As OpenAI's and Anthropic's tokenisers count them, or above.
        ("\U0001f600" * 100, 300),
        ("1234567890" * 10, 100),
        ("我喜欢喝咖啡", 12),
        ("#$%&*" * 20, 100),
    ],
)
def test_no_words_are_taken_for_fewer_tokens_than_they_have(words: str, tokens: int) -> None:
    assert tokens_at_most(asked(words)) - EMPTY >= tokens


def test_a_picture_counts_by_what_the_api_makes_of_it_and_not_by_its_bytes() -> None:
    source = {"type": "base64", "media_type": "image/jpeg", "data": "A" * 4_000_000}
    picture = asked([{"type": "image", "source": source}, {"type": "text", "text": "What is this?"}])
    for count in (tokens_at_most, tokens_about):
        assert PICTURE_TOKENS < count(picture) < PICTURE_TOKENS + 200


def test_a_gateway_may_name_a_claude_in_another_way_and_charges_too(claude: ClaudeServer, clock: FrozenClock) -> None:
    answer = Message.construct(model="us.anthropic.claude-sonnet-5-5-v1:0", usage=usage(input_tokens=MILLION))
    with closing(model_at(claude, clock)) as model:
        assert model.cost_cents(answer) == pytest.approx(200.0)
