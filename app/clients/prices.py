"""Token estimates of requests to Claude, and prices of answers, by one table."""

import json
import string
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # Loading the SDK takes most of a second and 40 MB, and an installation may have no key.
    from anthropic.types import Usage

CHARS_PER_TOKEN = 4  # English prose.

# A picture's tokens depend on its pixels, and the API shrinks a large one until it takes no more than this. Rounded up.
# Source: the vision page of Anthropic's documentation.
PICTURE_TOKENS = 5000

_LETTERS = (string.ascii_letters + " ").encode()

CACHE_READ_FACTOR = 0.1  # Of the input price, unless the table says otherwise. Source: the prompt caching page.
CACHE_WRITE_FACTOR = 1.25  # For the five-minute cache, the only one in use. Source: as above.

SEARCH_CENTS = 1.0  # $10 per thousand. Source: the pricing page of Anthropic's documentation, "Web search tool".

LONG_ABOVE_TOKENS = 100_000
TOKENS_PER_PRICE = 1_000_000
CENTS_PER_DOLLAR = 100


@dataclass(frozen=True)
class Price:
    """US dollars per million tokens."""

    input: float
    output: float
    cache_read_factor: float = CACHE_READ_FACTOR
    long_factor: float = 1.0  # On both prices, if the prompt, cached tokens included, exceeds `LONG_ABOVE_TOKENS`.


# Source: Anthropic's models overview page, read in November 2026.
PRICES = {
    "claude-haiku-5-5": Price(0.10, 0.50, long_factor=5.0),
    "claude-sonnet-5-5": Price(2.00, 10.00, cache_read_factor=0.05),
    "claude-opus-5-5": Price(4.00, 20.00, cache_read_factor=0.05),
    "claude-fable-5-1": Price(10.00, 50.00, cache_read_factor=0.025),
    "claude-haiku-4-5": Price(1.00, 5.00),
}

# A Claude missing from the table costs as much as the dearest in it: the day's budget may then end too early, and the
# operator sees why, but a model without a price can never overspend it. All other models run on the operator's own
# machines or are billed by others: they cost nothing here.
DEAREST = max(PRICES.values(), key=lambda price: price.output)
FREE = Price(0.0, 0.0)


def is_claude(model: str) -> bool:
    """True if the model is one of Anthropic's, wherever it is served."""
    return model.startswith("claude-")


def cost_cents(model: str, usage: "Usage | None") -> float:
    """Price of one answer in US cents; missing token counts are zero."""
    if usage is None:
        return 0.0
    fresh = _tokens(usage.input_tokens)
    read = _tokens(usage.cache_read_input_tokens)
    written = _tokens(usage.cache_creation_input_tokens)
    price = _price(model, prompt_tokens=fresh + read + written)
    weighed = fresh + read * price.cache_read_factor + written * CACHE_WRITE_FACTOR
    dollars = (weighed * price.input + _tokens(usage.output_tokens) * price.output) / TOKENS_PER_PRICE
    searches = _tokens(getattr(usage.server_tool_use, "web_search_requests", 0))
    return dollars * CENTS_PER_DOLLAR + SEARCH_CENTS * searches


def most_cents(model: str, input_tokens: int, output_tokens: int) -> float:
    """Highest possible price of a call, in US cents: the whole prompt is written to the cache, none read from it."""
    price = _price(model, prompt_tokens=input_tokens)
    dollars = (input_tokens * CACHE_WRITE_FACTOR * price.input + output_tokens * price.output) / TOKENS_PER_PRICE
    return dollars * CENTS_PER_DOLLAR


def _tokens(value: object) -> int:
    # The SDK does not check a server's answer: a field may be missing, or hold anything.
    return max(value, 0) if isinstance(value, int) else 0


def _price(model: str, prompt_tokens: int) -> Price:
    # Claude's answers carry the dated name of a version, such as claude-haiku-4-5-20251001.
    named = [name for name in PRICES if model == name or model.startswith(f"{name}-")]
    price = PRICES[max(named, key=len)] if named else DEAREST if is_claude(model) else FREE
    factor = price.long_factor if prompt_tokens > LONG_ABOVE_TOKENS else 1.0
    return replace(price, input=price.input * factor, output=price.output * factor)


def tokens_about(fields: dict[str, Any]) -> int:
    """Estimated number of tokens, good for English."""
    words, pictures = _words_of(fields)
    return len(words) // CHARS_PER_TOKEN + pictures * PICTURE_TOKENS


def tokens_at_most(fields: dict[str, Any]) -> int:
    """Upper bound of the tokens for any tokeniser: one for every two plain letters, and one for every other byte.

    European languages take about four letters a token. No token is shorter than a byte, and emoji, digits and scripts
    that tokenisers know badly come close to that.
    """
    words, pictures = _words_of(fields)
    everything = words.encode("utf-8", "surrogatepass")
    others = len(everything.translate(None, _LETTERS))
    return (len(everything) - others + 1) // 2 + others + pictures * PICTURE_TOKENS


def _words_of(fields: dict[str, Any]) -> tuple[str, int]:
    """The request as JSON without its pictures, whose bytes are no words, and the number of pictures."""
    pictures = 0

    def without(value: Any) -> Any:
        nonlocal pictures
        if isinstance(value, dict):
            if value.get("type") == "image":
                pictures += 1
                return "image"
            return {name: without(part) for name, part in value.items()}
        return [without(part) for part in value] if isinstance(value, list) else value

    # Tools are most of a request and hold no pictures, so only messages are searched for them.
    shown = {name: without(part) if name == "messages" else part for name, part in fields.items()}
    return json.dumps(shown, ensure_ascii=False, default=str), pictures
