"""Cost of everyday operations with a million texts of ten thousand people, beside a thousand texts of ten.

Each has its own SQLite file, and operations alternate between them. `python -m bench.large [--texts N] [--rounds N]`
"""

import argparse
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import chdir
from datetime import timedelta
from pathlib import Path
from typing import TypeVar

from app.conversation import claim, finish, waiting
from app.conversation.context import Files, Prompt, build
from app.conversation.finish import Reply
from app.conversation.memory_shown import Preferred, load_memory
from app.conversation.recall import Recalled
from app.delivery import outbox
from app.delivery.inbox import IncomingText, take_in
from app.web import health, metrics
from bench.filled import BODY, NOW, TEXTS_OF_A_PERSON, Installation, address
from bench.filled import texts as texts_of
from bench.load import percentile
from tests.fakes import FrozenClock

T = TypeVar("T")

SMALL_TEXTS = 1_000
BETWEEN_ROUNDS = timedelta(minutes=3)  # Far enough apart that nobody is taken for a machine.
WARM_UP = 10


class World(Installation):
    """An installation with `texts` texts, and the milliseconds of each operation on it."""

    def __init__(self, path: Path, clock: FrozenClock, texts: int) -> None:
        self.people = texts // TEXTS_OF_A_PERSON
        name = f"{texts:>9,} texts of {self.people:,} people"
        super().__init__(path, clock, name, texts_of(self.people, clock.now()))
        self.took: dict[str, list[float]] = {}
        self.browser = self.open_pages()

    def look(self, place: int, person_id: int) -> None:
        """Time every operation once, for one person who texts and is answered."""
        services, now = self.services, self.services.clock.now()
        text = IncomingText(f"SM{place:032x}", address(person_id), "keepsake", BODY.format(place), "phone")
        self._timed("webhook: keep a text", lambda: take_in(services, text))
        with services.reading() as db:
            self._timed("who waits for an answer", lambda: waiting.people_to_answer(db, now))
        turn = self._timed("claim the turn", lambda: claim.claim(services, person_id))
        assert turn is not None
        memory = load_memory(services, person_id, Preferred(), memory_on=True)
        self._timed("history and context", lambda: build(services, turn, memory, Files(), Prompt(Recalled(""))))
        self._timed("keep the reply", lambda: finish.finish(services, turn, Reply("I am glad.", "replied")))
        self._timed("send it", lambda: outbox.send_queued(services, person_id))
        self._timed("page: one person", lambda: self.browser.get(f"/people/{person_id}"))
        self._timed("page: all people", lambda: self.browser.get("/people"))
        with services.reading() as db:
            self._timed("/ready", lambda: health.measure_health(db, now))
            self._timed("/metrics", lambda: [*metrics.of_texts(db, now), *metrics.of_turns(db, now, 0.0)])

    def _timed(self, name: str, work: Callable[[], T]) -> T:
        began = time.perf_counter()
        result = work()
        self.took.setdefault(name, []).append((time.perf_counter() - began) * 1000)
        return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=1_000_000, help="texts in the large file")
    parser.add_argument("--rounds", type=int, default=200, help="how often each look is measured")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        clock = FrozenClock(NOW)
        worlds = [World(Path(folder) / f"{texts}.db", clock, texts) for texts in (SMALL_TEXTS, given.texts)]
        chance = random.Random(0)
        for place in range(given.rounds + WARM_UP):
            clock.advance(seconds=BETWEEN_ROUNDS.total_seconds())
            for world in worlds:
                world.look(place, chance.randint(1, world.people))
        _show(*worlds)
        for world in worlds:
            world.services.store.close()


def _show(small: World, large: World) -> None:
    print(f"\n{'':>24} | {'few: p50':>8} {'p95 ms':>7} | {'many: p50':>9} {'p95 ms':>7} | ratio of p50")
    for name in small.took:
        few, many = (_kept(world.took[name]) for world in (small, large))
        print(f"{name:>24} | {percentile(few, 0.5):>8.2f} {percentile(few, 0.95):>7.2f} | ", end="")
        print(f"{percentile(many, 0.5):>9.2f} {percentile(many, 0.95):>7.2f} | ", end="")
        print(f"{percentile(many, 0.5) / percentile(few, 0.5):.2f}")


def _kept(took: Sequence[float]) -> list[float]:
    return sorted(took[WARM_UP:])


if __name__ == "__main__":
    main()
