"""Fits the weights by which the offline model hears danger in words that no rule knows, and measures them.

They are a ridge regression over the texts in `alarm.tsv` and `danger.txt` and ordinary talk. Its kernel is one of the
second degree over the local embedder's vectors, plus the cosine of the words. `alarm_unseen.tsv` was written by others
and only measures.
`python -m bench.alarm [--write]`
"""

import argparse
import math
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.clock import SystemClock
from app.embeddings.local import local_embedder
from app.features.offline import alarm
from app.features.offline.alarm import WEIGHTS, parts, terms, word_rows

TESTS = Path(__file__).resolve().parent.parent / "tests"
OFFLINE = TESTS / "features" / "offline"
TALK = ("small_talk.txt", "small_talk_unseen.txt", "asked.txt")
RIDGE, OFFSET, RANK = 1.0, 0.5, 64  # On held-out texts 0.3 to 3 and 0.25 to 1 are alike, and rank 32 is worse.
FEWEST_TEXTS = 3  # Texts in which a term occurs, of those that are weighed.
FOLDS = 5
FALSE_ALARMS = 0.05  # Share of held-out calm texts above the threshold; many of them were chosen to resemble alarms.

Rows = NDArray[np.float64]
Flags = NDArray[np.bool_]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the weights for the offline model")
    is_written = parser.parse_args().write
    embedder = local_embedder(SystemClock())
    if embedder is None:
        sys.exit("The local embedder's weights are missing. Run make setup.")
    texts, alarms = known_texts()
    texts = [parts(text)[0] for text in texts]
    rarity = rarities(texts)
    rows = np.asarray(embedder.embed(texts), np.float64)
    words = np.asarray(word_rows(texts, rarity), np.float64)
    held_out, fold = np.empty(len(rows)), np.arange(len(rows)) % FOLDS
    for one in range(FOLDS):
        seen, new = fold != one, fold == one
        held_out[new] = score(rows[new], words[new], fit(rows[seen], words[seen], alarms[seen]))
    least = float(np.quantile(held_out[~alarms], 1 - FALSE_ALARMS))
    print(shares("held out", held_out > least, alarms))
    if is_written:
        fitted = fit(rows, words, alarms) | {"rarity": np.array(list(rarity.values()))}
        fitted["bias"] -= least
        halves: dict[str, Any] = {name: values.astype(np.float16) for name, values in fitted.items()}
        np.savez_compressed(WEIGHTS, **halves, terms=np.array("\n".join(rarity)))
    unseen, are = labelled("alarm_unseen.tsv")
    heard = np.array([alarm.score(embedder, float("inf"), text) > 0 for text in unseen])
    print(shares("unseen, by the weights as written", heard, are))
    for text, is_heard in zip(unseen, heard, strict=True):
        if is_heard != are[unseen.index(text)]:
            print(f"  {'false alarm' if is_heard else 'not heard'}: {text}")


def known_texts() -> tuple[list[str], Flags]:
    """The texts that the weights are fitted to, and whether each is an alarm."""
    texts, alarms = labelled("alarm.tsv")
    ruled = [line.split(" => ") for line in _lines(OFFLINE / "danger.txt")]
    talk = [line[2:] for name in TALK for line in _lines(TESTS / "data" / name) if line[0] in ">?."]
    despair = _lines(TESTS / "data" / "despair.txt")
    is_alarm = [*alarms, *(met != "none" for _, met in ruled), *(False for _ in talk), *(True for _ in despair)]
    return [*texts, *(text for text, _ in ruled), *talk, *despair], np.array(is_alarm)


def labelled(name: str) -> tuple[list[str], Flags]:
    """The texts of a file of lines `alarm` or `calm`, tab, text, and whether each is an alarm."""
    lines = [line.split("\t") for line in _lines(OFFLINE / name)]
    return [text for _, text in lines], np.array([label == "alarm" for label, _ in lines])


def _lines(path: Path) -> list[str]:
    return [line for line in path.read_text("utf-8").splitlines() if line and not line.startswith("#")]


def rarities(texts: Sequence[str]) -> dict[str, float]:
    """The logarithm of all texts by those that have the term, for each term that is not too rare.

    Source: K. Spärck Jones, A statistical interpretation of term specificity, 1972.
    """
    having = Counter(term for text in texts for term in terms(text))
    return {term: math.log(len(texts) / count) for term, count in sorted(having.items()) if count >= FEWEST_TEXTS}


def fit(rows: Rows, words: Rows, alarms: Flags) -> dict[str, Rows]:
    """The numbers of `alarm.npz`; alarms and calm texts weigh the same in sum.

    Source: C. Saunders, A. Gammerman and V. Vovk, Ridge Regression Learning Algorithm in Dual Variables, 1998.
    """
    share = np.where(alarms, alarms.mean(), (~alarms).mean())
    kernel = (OFFSET + rows @ rows.T) ** 2 + words @ words.T
    dual = np.linalg.solve(kernel + 2 * RIDGE * np.diag(share), np.where(alarms, 1.0, -1.0))
    scales, directions = np.linalg.eigh((rows.T * dual) @ rows)
    largest = np.argsort(-np.abs(scales))[:RANK]
    return {
        "bias": OFFSET**2 * dual.sum(keepdims=True),
        "linear": 2 * OFFSET * rows.T @ dual,
        "directions": directions.T[largest],
        "scales": scales[largest],
        "weights": words.T @ dual,
    }


def score(rows: Rows, words: Rows, fitted: dict[str, Rows]) -> Rows:
    """Shape (len(rows),); higher is more alarming."""
    meant = fitted["bias"] + rows @ fitted["linear"] + (rows @ fitted["directions"].T) ** 2 @ fitted["scales"]
    return meant + words @ fitted["weights"]


def shares(name: str, heard: Flags, alarms: Flags) -> str:
    """A line with the shares of alarms heard and of calm texts taken for one."""
    return (
        f"{name}: {heard[alarms].mean():.1%} of {alarms.sum()} alarms heard, "
        f"{heard[~alarms].mean():.1%} of {(~alarms).sum()} calm texts taken for one"
    )


if __name__ == "__main__":
    main()
