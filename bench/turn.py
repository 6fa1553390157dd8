"""Milliseconds that a turn takes besides the model, from the text taken in to the reply handed to the carrier.

The model answers at once, so that only our own time is left: rows, memory, context, reply, outbox. The answer's time
includes recall (one turn in five recalls, mostly embedding the text); it is also shown without it.
`python -m bench.turn [--turns N]`; after `python -m tests.postgres` on PostgreSQL too, beside SQLite.
"""

import argparse
import tempfile
import time
from collections.abc import Sequence
from contextlib import chdir
from dataclasses import replace
from functools import partial
from itertools import product

from anthropic.types import Message as ModelMessage
from anthropic.types import TextBlock, Usage
from sqlalchemy import func, select

from app.cli.serve import freeze_loaded_objects
from app.conversation.turn import answer
from app.delivery.inbox import IncomingText, take_in
from app.memory import NewFact, Origin, remember
from app.models import Turn
from app.people import by_address
from app.services import Services
from app.services.model import ModelRequest
from app.settings import Settings
from app.wiring import build_services
from bench.load import percentile
from tests import postgres
from tests.fakes import InlineBackground

FACTS = (10, 100, 1000)
WARM_UP = 20
TOPICS = (
    "coffee",
    "running",
    "her sister Ana",
    "old maps",
    "the garden",
    "jazz",
    "Lisbon",
    "chess",
    "sourdough",
    "rain",
)


class Instant:
    """A model that answers at once."""

    name = "instant"

    def complete(self, request: ModelRequest) -> ModelMessage:
        return ModelMessage(
            id="msg",
            content=[TextBlock(type="text", text=f"A short answer to {len(request.messages)} messages.")],
            model=self.name,
            role="assistant",
            stop_reason="end_turn",
            type="message",
            usage=Usage(input_tokens=0, output_tokens=0),
        )

    def troubles(self) -> None:
        return None

    def cost_cents(self, message: ModelMessage) -> float:
        return 0.0 * message.usage.input_tokens

    def reserve_cents(self, request: ModelRequest) -> float:
        return 0.0 * request.max_tokens


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=300, help="turns measured for each number of facts")
    given = parser.parse_args()
    print(
        f"{'database':>10} | {'facts':>6} | {'take in p50':>11} {'p95 ms':>7} | {'answer p50':>10} {'p95 ms':>7}"
        f" | {'without recall p50':>18} {'p95 ms':>7}"
    )
    for facts, store in product(FACTS, ["SQLite", "PostgreSQL"] if postgres.SERVER else ["SQLite"]):
        with tempfile.TemporaryDirectory() as folder, chdir(folder):
            services = _services(_made(facts) if store == "PostgreSQL" else "sqlite:///bench.db")
            number = "+12065550100"
            _tell(services, number, facts)
            freeze_loaded_objects()
            taken, answered = _measure(services, number, given.turns)
            others = [took - recall for took, recall in zip(answered, _recall(services), strict=True)]
            taken, answered, others = map(sorted, (taken, answered, others))
            print(
                f"{store:>10} | {facts:>6} | {percentile(taken, 0.5):>11.2f} {percentile(taken, 0.95):>7.2f}"
                f" | {percentile(answered, 0.5):>10.2f} {percentile(answered, 0.95):>7.2f}"
                f" | {percentile(others, 0.5):>18.2f} {percentile(others, 0.95):>7.2f}"
            )


def _made(facts: int) -> str:
    """URL of a new database on the tests' PostgreSQL server."""
    name = f"bench_turn_{facts}"
    postgres.run(f"DROP DATABASE IF EXISTS {name}", f"CREATE DATABASE {name}")
    return postgres.address_of(name)


def _services(database_url: str) -> Services:
    background = InlineBackground()
    settings = Settings(database_url=database_url)
    services = replace(build_services(settings), model=Instant(), background=background)
    background.start(partial(answer, services))
    return services


def _tell(services: Services, number: str, facts: int) -> None:
    _text(services, number, 0)
    with services.reading() as db:
        person = by_address(db, number)
        assert person is not None
    for start in range(0, facts, 20):
        some = range(start, min(start + 20, facts))
        sentences = [f"Thinks number {place} about {TOPICS[place % len(TOPICS)]} is worth a walk" for place in some]
        remember(services, person.id, [NewFact(one) for one in sentences], Origin("assistant", "explicit"))


def _measure(services: Services, number: str, turns: int) -> tuple[list[float], list[float]]:
    taken, answered = [], []
    for place in range(1, turns + WARM_UP + 1):
        began = time.perf_counter()
        _text(services, number, place)
        kept = time.perf_counter()
        services.background.run()  # type: ignore[attr-defined]
        done = time.perf_counter()
        if place > WARM_UP:
            taken.append((kept - began) * 1000)
            answered.append((done - kept) * 1000)
    return taken, answered


def _recall(services: Services) -> Sequence[float]:
    """Milliseconds of recall in each measured turn, in order."""
    with services.reading() as db:
        return db.scalars(select(func.coalesce(Turn.recall_ms, 0.0)).order_by(Turn.id).offset(WARM_UP)).all()


def _text(services: Services, number: str, place: int) -> None:
    body = f"Text number {place}: I had a quiet day and a good walk by the lake."
    take_in(services, IncomingText(f"SM{place:032x}", number, "keepsake", body, "phone"))


if __name__ == "__main__":
    main()
