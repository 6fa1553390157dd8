"""Time to embed texts with the provider that the settings name.

It embeds one text as short as a question, one as long as the local model reads, and 32 together, of 3 to 40 words. It
reports wall time, and processor time, which tells more if the machine has other work.
`python -m bench.embedding [--rounds N]`
"""

import argparse
import resource
import sys
import time
from collections.abc import Sequence

from app.services import Embedder
from app.settings import load_settings
from app.wiring import embedder_alone
from bench.load import percentile

QUESTION = "What did I say about my sister and her move to Portland?"
TOLD = (
    "I told you last week that my sister is moving to Portland in spring, because she found a job at the hospital "
    "there, and that I am going to help her carry all of her books up to the third floor of the new house."
).split()
TEXTS = [" ".join(TOLD[: 3 + number * 37 // 31]) for number in range(32)]
LONG = " ".join(TOLD * 8)
WARM_UP = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=200, help="how often each is measured")
    rounds = parser.parse_args().rounds
    embedder = embedder_alone(load_settings())
    if embedder is None:
        sys.exit("There is no embedder: EMBEDDINGS is none, or its weights are missing. Run make setup.")
    before, began = _peak_megabytes(), time.perf_counter()
    embedder.embed([QUESTION])
    print(f"{embedder.name}: the first text after {(time.perf_counter() - began) * 1000:.0f} ms, ", end="")
    print(f"{_peak_megabytes() - before:.0f} MB more at the peak")
    print(f"{'':>26} | {'p50':>6} {'p95 ms':>7} | {'p50 of the processor':>20}")
    _measure("a question, 12 words", embedder, [QUESTION], rounds)
    _measure("256 tokens", embedder, [LONG], max(1, rounds // 4))
    _measure("32 texts, 3 to 40 words", embedder, TEXTS, max(1, rounds // 4))


def _measure(what: str, embedder: Embedder, texts: Sequence[str], rounds: int) -> None:
    wall, processor = [], []
    for number in range(rounds + WARM_UP):
        began, worked = time.perf_counter(), time.process_time()
        embedder.embed(texts, is_query=True)
        if number >= WARM_UP:
            wall.append((time.perf_counter() - began) * 1000)
            processor.append((time.process_time() - worked) * 1000)
    wall.sort()
    processor.sort()
    print(f"{what:>26} | {percentile(wall, 0.5):>6.1f} {percentile(wall, 0.95):>7.1f} | ", end="")
    print(f"{percentile(processor, 0.5):>20.1f}")


def _peak_megabytes() -> float:
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return size / (1024 * 1024 if sys.platform == "darwin" else 1024)


if __name__ == "__main__":
    main()
