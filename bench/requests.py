"""Tokens sent to Claude and tokens read from its cache, by kind of turn, at the stand-in's four letters a token.

`weighted` is the cost of the input in tokens of fresh input: a cache write counts 1.25, a read 0.05, then as now.
Source of the factors: Anthropic's pricing page for Sonnet 5.5, November 2026.

`python -m bench.requests` holds a conversation with 36 facts and 20 texts behind it, and counts its turns and each
captured kind of request (`tests/data/claude_requests/`), the latter with an empty cache; `BEFORE` is commit 8547bbc.
"""

import json
import tempfile
from collections.abc import Iterable
from contextlib import chdir, closing
from dataclasses import astuple, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from app.conversation.turn import answer
from app.delivery.inbox import IncomingText, take_in
from app.memory import NewFact, Origin, remember
from app.people import by_address
from app.services import Services
from app.settings import Settings
from app.wiring import build_services
from tests.claude_server import CHARS_PER_TOKEN, ClaudeServer, PromptCache, call, model_at, say
from tests.fakes import InlineBackground

CAPTURED = Path(__file__).parent.parent / "tests" / "data" / "claude_requests"
ALEX = "+12065550100"
CACHE_MIN_TOKENS = 512
WRITTEN, READ = 1.25, 0.05
FACTS = 36
HISTORY = 20
STORY = "I went out with the dog before work, it rained and we met nobody at all. " * 5
ANSWER = "That sounds lovely, and the rain will have done the garden good. Well done! " * 4
LIKES = {"facts": [{"fact": "Likes black coffee"}]}
THREE_CALLS = "three calls, memory changed"


@dataclass(frozen=True)
class Cost:
    """Size of a turn's requests: `tools` of the last one, `marks` the most in any one, tokens sent over all."""

    requests: int
    tools: int
    """Tools offered in the last request."""
    tools_tokens: int
    marks: int
    """Cache marks, the most in any one request."""
    sent: int
    read: int
    weighted: int


BEFORE = {
    "the first of all": Cost(1, 18, 5060, 1, 6714, 0, 8375),
    "one call": Cost(1, 18, 5060, 1, 10_746, 6645, 4433),
    THREE_CALLS: Cost(3, 18, 5060, 1, 32_508, 19_935, 13_570),
    "one call after it": Cost(1, 18, 5060, 1, 10_793, 6645, 4480),
    "paused turn": Cost(2, 19, 5076, 1, 13_561, 0, 16_892),
    "picture turn": Cost(2, 18, 5060, 1, 13_787, 6645, 9136),
    "plain turn": Cost(2, 18, 5060, 1, 13_450, 6645, 8798),
    "resumed turn": Cost(2, 18, 5060, 1, 13_521, 6645, 8870),
    "routine turn": Cost(2, 5, 1062, 1, 9435, 0, 11_726),
    "second model": Cost(5, 18, 5060, 1, 33_930, 19_935, 18_314),
    "servers tools": Cost(2, 24, 5297, 1, 13_988, 6899, 9159),
    "summary": Cost(1, 1, 318, 1, 1066, 0, 1322),
    "the small question": Cost(1, 0, 0, 0, 14, 0, 14),
    "thoughts alone": Cost(2, 18, 5060, 1, 13_479, 6645, 8828),
    "too long": Cost(2, 18, 5060, 1, 13_494, 6645, 8842),
    "tool loop": Cost(3, 18, 5060, 1, 20_562, 13_290, 9598),
    "untrue claim": Cost(2, 18, 5060, 1, 13_512, 6645, 8860),
    "web search": Cost(2, 19, 5076, 1, 13_657, 0, 16_988),
}
"""Costs of commit 8547bbc in the same scenes; it did not send thinking blocks back."""


def main() -> None:
    heads = ("requests", "tools", "their tokens", "marks", "sent", "read from the cache", "weighted")
    print(f"| kind | {' | '.join(heads)} |")
    print(f"|---|{'---|' * len(heads)}")
    for kind, cost in (in_a_conversation() | as_captured()).items():
        pairs = zip(astuple(BEFORE[kind]) if kind in BEFORE else ("-",) * len(heads), astuple(cost), strict=True)
        print(f"| {kind} | {' | '.join(_change(before, now) for before, now in pairs)} |")


def _change(before: int | str, now: int) -> str:
    return f"{now:,}" if before == now else f"{before:,} → {now:,}" if isinstance(before, int) else f"- → {now:,}"


def as_captured() -> dict[str, Cost]:
    """Cost of each captured kind of request by itself."""
    kinds = {path.stem.replace("_", " "): json.loads(path.read_text()) for path in sorted(CAPTURED.glob("*.json"))}
    return {kind: cost_of(requests, PromptCache(CACHE_MIN_TOKENS)) for kind, requests in kinds.items()}


def in_a_conversation() -> dict[str, Cost]:
    """Cost of the turns of one conversation, with the cache that earlier turns have filled."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder), ClaudeServer() as server:
        services = build_services(Settings(embeddings="none"))
        background = InlineBackground()
        with closing(model_at(server, services.clock)) as model, closing(services):
            services = replace(services, model=model, background=background)
            background.start(partial(answer, services))
            return _held(services, background, server)


def _held(services: Services, background: InlineBackground, server: ClaudeServer) -> dict[str, Cost]:
    cache = PromptCache(CACHE_MIN_TOKENS)
    sids = iter(range(1, 1000))

    def turn(words: str, *replies: Any) -> Cost:
        before = len(server.requests)
        server.queue(*replies)
        take_in(services, IncomingText(f"SM{next(sids):032x}", ALEX, "keepsake", words, "phone"))
        background.run()
        return cost_of(server.requests[before:], cache)

    costs = {"the first of all": turn("Hello", say("Hi!"))}
    _learn(services)
    for number in range(HISTORY):
        turn(f"Walk {number}. {STORY}", say(f"{ANSWER} {number}."))
    costs["one call"] = turn("And today I rest", say("Enjoy it."))
    costs[THREE_CALLS] = turn(
        "I like black coffee. What do you know of me?",
        call("extract_memory", LIKES),
        call("list_memories", {"category": "food"}),
        say("I'll remember that you like black coffee."),
    )
    costs["one call after it"] = turn("Thanks", say("Any time."))
    return costs


def _learn(services: Services) -> None:
    with services.reading() as db:
        person = by_address(db, ALEX)
    assert person is not None
    for start in range(0, FACTS, 18):
        told = [NewFact(f"Thinks number {one} is worth a walk in the rain") for one in range(start, start + 18)]
        remember(services, person.id, told, Origin("assistant", "explicit"))


def cost_of(requests: Iterable[dict[str, Any]], cache: PromptCache) -> Cost:
    """Cost of the requests, which are added to the cache for later ones."""
    requests = list(requests)
    usages = [cache.usage(request, []) for request in requests]
    fresh, written, read = (
        sum(usage[f"{name}input_tokens"] for usage in usages) for name in ("", "cache_creation_", "cache_read_")
    )
    tools = requests[-1].get("tools", [])
    return Cost(
        requests=len(requests),
        tools=len(tools),
        tools_tokens=len(json.dumps(tools, separators=(",", ":"))) // CHARS_PER_TOKEN,
        marks=max(json.dumps(request).count('"cache_control"') for request in requests),
        sent=fresh + written + read,
        read=read,
        weighted=round(fresh + WRITTEN * written + READ * read),
    )


if __name__ == "__main__":
    main()
