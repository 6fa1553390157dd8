"""Each feature can be deleted: without its folder and its lines, the rest still works.

Without all features the core's tests of whole turns and of tools pass. Without a single one every module is imported,
and the app and its tools are built; `make test-all` also runs those tests, and those of the tree and the webhook.
"""

import importlib
import os
import pkgutil
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from app.features import FEATURES
from tests.forking import ROOT, Forked

NAMES = sorted(feature.name for feature in FEATURES)
RUN = ("app", "migrations", "prompts", "wsgi.py")
TESTED = (*RUN, "tests", "bench", "docs", "pyproject.toml")
FEW = ("tests/conversation/test_turn.py", "tests/tools/test_registry.py")
MORE = ("tests/test_architecture.py", "tests/web/test_sms.py")


def without(features: list[str], folder: Path, copied: tuple[str, ...]) -> Path:
    """Copy these parts of the tree without the features."""
    for name in copied:
        if name in {"app", "tests"}:  # The copy includes compiled files, because compiling took most of the time.
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("data", "images"))
        else:
            (folder / name).symlink_to(ROOT / name)
    joined = folder / "app" / "features" / "__init__.py"
    for feature in features:
        shutil.rmtree(folder / "app" / "features" / feature)
        joined.write_text(re.sub(rf"(?m)^.*\b{feature.upper()}\b.*\n", "", joined.read_text()))
    if "tests" in copied:
        (folder / "tests" / "data").symlink_to(ROOT / "tests" / "data")
    return folder


def run(folder: Path, does: Callable[..., None], *words: str) -> None:
    """Run a function in that folder, in a process that has the libraries imported; fails if it fails."""
    given = {"PATH": os.environ["PATH"], "PYTHONPATH": str(folder), "EMBEDDINGS": "none"}
    process = Forked(f"{__name__}:{does.__name__}", *words, folder=folder, environment=given)
    printed = process.printed()
    assert process.wait() == 0, printed[-6000:]


def forget_our_own() -> None:
    """Make later imports of our modules come from the current folder."""
    sys.path[:] = [str(Path.cwd()), *(path for path in sys.path if path not in {"", str(ROOT)})]
    for name in [name for name in sys.modules if name.partition(".")[0] in {"app", "tests"}]:
        del sys.modules[name]


def build(*left: str) -> None:
    """Import every module, and build the app and its tools with the features that are left."""
    forget_our_own()
    for module in pkgutil.walk_packages(importlib.import_module("app").__path__, "app."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    from app.features import FEATURES
    from app.settings import Settings
    from app.tools.registry import offered
    from app.web.application import create_app
    from app.wiring import build_services

    services = build_services(Settings(embeddings="none", anthropic_api_key="sk-ant-of-nobody"))
    create_app(services=services)
    assert offered(services)
    assert sorted(feature.name for feature in FEATURES) == list(left)


def run_tests(*paths: str) -> None:
    forget_our_own()
    again = "ignore:The GenericFunction"  # It is defined a second time in this process, by the other tree.
    assert pytest.main(["-qx", "--assert=plain", "-W", again, "-p", "no:cacheprovider", "-p", "no:xdist", *paths]) == 0


@pytest.mark.parametrize("feature", NAMES)
def test_without_a_feature_all_is_imported_and_built(feature: str, newest_schema: Path, tmp_path: Path) -> None:
    folder = without([feature], tmp_path, RUN)
    (folder / "instance").mkdir(mode=0o700)
    shutil.copyfile(newest_schema, folder / "instance" / "keepsake.db")
    run(folder, build, *(name for name in NAMES if name != feature))


def test_without_any_feature_turns_and_tools_work(tmp_path: Path) -> None:
    run(without(NAMES, tmp_path, TESTED), run_tests, *FEW)


@pytest.mark.whole
@pytest.mark.parametrize("feature", NAMES)
def test_without_a_feature_the_rest_works(feature: str, tmp_path: Path) -> None:
    run(without([feature], tmp_path, TESTED), run_tests, *FEW, *MORE)


def test_each_feature_is_named_for_its_folder_and_each_folder_is_a_feature() -> None:
    assert sorted(path.parent.name for path in (ROOT / "app" / "features").glob("*/__init__.py")) == NAMES
