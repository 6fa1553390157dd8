"""Each feature can be deleted: without its folder and its lines, what is left still works.

Of the core's tests those of whole turns and of the tools run in the copy; with `make test-all` those of the tree and of
the webhook do too.
"""

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from app.features import FEATURES

ROOT = Path(__file__).resolve().parent.parent
COPIED = ("app", "migrations", "prompts", "tests", "bench", "docs", "pyproject.toml", "wsgi.py")
FEW = ("tests/conversation/test_turn.py", "tests/tools/test_registry.py")
MORE = ("tests/test_architecture.py", "tests/web/test_sms.py") if os.environ.get("KEEPSAKE_WHOLE") else ()


def without(feature: str, folder: Path) -> Path:
    """A copy of the tree without the feature, its tests, and all tests that need it."""
    for name in COPIED:
        source, target = ROOT / name, folder / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "data", "images"))
        else:
            shutil.copyfile(source, target)
    (folder / "tests" / "data").symlink_to(ROOT / "tests" / "data")
    shutil.rmtree(folder / "app" / "features" / feature)
    joined = folder / "app" / "features" / "__init__.py"
    joined.write_text(re.sub(rf"(?m)^.*\b{feature.upper()}\b.*\n", "", joined.read_text()))
    for path in sorted((folder / "tests").rglob("*.py")):
        name = ".".join(path.relative_to(folder).with_suffix("").parts)
        if any(one.startswith(f"app.features.{feature}") for one in needed(name)):
            path.unlink()
    return folder


@cache
def needed(name: str) -> frozenset[str]:
    """The modules that a module of the tests imports, by itself and by others of the tests; of the app those named."""
    found = {name}
    waiting = [name]
    while waiting:
        for one in imports(waiting.pop()) - found:
            found.add(one)
            waiting += [one] if one.startswith("tests.") else []
    return frozenset(found)


def imports(name: str) -> set[str]:
    path = ROOT.joinpath(*name.split(".")).with_suffix(".py")
    return set(_named(ast.parse(path.read_text()))) if path.exists() else set()


def _named(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder), "PYTEST_ADDOPTS": "", "EMBEDDINGS": "none"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("feature", [feature.name for feature in FEATURES])
def test_without_a_feature_the_rest_works(feature: str, tmp_path: Path) -> None:
    folder = without(feature, tmp_path)

    checked = run(folder, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", *FEW, *MORE)
    assert checked.returncode == 0, checked.stdout[-3000:] + checked.stderr[-3000:]


def test_each_feature_is_named_for_its_folder_and_each_folder_is_a_feature() -> None:
    folders = {path.parent.name for path in (ROOT / "app" / "features").glob("*/__init__.py")}

    assert sorted(feature.name for feature in FEATURES) == sorted(folders)
