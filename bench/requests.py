"""What Claude is sent and what of it the cache has, by kind of turn, as the stand-in counts: four letters a token.

Weighted is what a turn's input costs, in tokens of fresh input: written to the cache 1.25, read from it 0.05.
Source of the factors: Anthropic's pricing page for Sonnet 5.5, November 2026. `python -m bench.requests`
"""

import json
import tempfile
from contextlib import chdir, closing
from dataclasses import replace
from functools import partial
from typing import Any

from sqlalchemy import select

from app.assistant.inbox import IncomingText, take_in
from app.assistant.turn import answer
from app.memory import NewFact, Origin, remember
from app.models import Turn
from app.people import by_address
from app.services import Services
from app.settings import Settings
from app.wiring import build_services
from tests.claude_server import ClaudeServer, call, model_at, say
from tests.fakes import InlineBackground

ALEX = "+12065550100"
CACHE_MIN_TOKENS = 512
WRITTEN, READ = 1.25, 0.05
FACTS = 36
HISTORY = 20
STORY = "I went out with the dog before work, it rained and we met nobody at all. " * 5
ANSWER = "That sounds lovely, and the rain will have done the garden good. Well done! " * 4
LIKES = {"facts": [{"fact": "Likes black coffee"}]}


def main() -> None:
    print(f"{'turn':<34} | calls | tools | tools' tokens | marks |  fresh | written |   read | weighted")
    with (
        tempfile.TemporaryDirectory() as folder,
        chdir(folder),
        ClaudeServer(cache_min_tokens=CACHE_MIN_TOKENS) as server,
    ):
        services = build_services(Settings(embeddings="none"))
        background = InlineBackground()
        with closing(model_at(server, services.clock)) as model:
            services = replace(services, model=model, background=background)
            background.start(partial(answer, services))
            _run(services, background, server)


def _run(services: Services, background: InlineBackground, server: ClaudeServer) -> None:
    place = 0

    def turn(kind: str, words: str, *replies: Any) -> None:
        nonlocal place
        place += 1
        before = len(server.requests)
        server.queue(*replies)
        take_in(services, IncomingText(f"SM{place:032x}", ALEX, "keepsake", words, "phone"))
        background.run()
        if kind:
            _show(kind, services, server.requests[before:])

    turn("the first of all", "Hello", say("Hi!"))
    with services.reading() as db:
        person = by_address(db, ALEX)
    assert person is not None
    for start in range(0, FACTS, 18):
        told = [NewFact(f"Thinks number {one} is worth a walk in the rain") for one in range(start, start + 18)]
        remember(services, person.id, told, Origin("assistant", "explicit"))
    for number in range(HISTORY):
        turn("", f"Walk {number}. {STORY}", say(f"{ANSWER} {number}."))
    turn("one call", "And today I rest", say("Enjoy it."))
    turn(
        "three calls, memory changed",
        "I like black coffee. What do you know of me?",
        call("extract_memory", LIKES),
        call("list_memories", {"category": "food"}),
        say("I'll remember that you like black coffee."),
    )
    turn("one call after it", "Thanks", say("Any time."))


def _show(kind: str, services: Services, requests: list[dict[str, Any]]) -> None:
    with services.reading() as db:
        turn = db.scalars(select(Turn).order_by(Turn.id.desc()).limit(1)).one()
    first = requests[0]
    marks = json.dumps(first).count('"cache_control"')
    tools = json.dumps(first["tools"], separators=(",", ":"))
    weighted = turn.input_tokens + WRITTEN * turn.cache_write_tokens + READ * turn.cache_read_tokens
    print(
        f"{kind:<34} | {len(requests):>5} | {len(first['tools']):>5} | {len(tools) // 4:>13,} | {marks:>5} |"
        f" {turn.input_tokens:>6,} | {turn.cache_write_tokens:>7,} | {turn.cache_read_tokens:>6,} | {weighted:>8,.0f}"
    )


if __name__ == "__main__":
    main()
