"""The files that one text passes, from the webhook to the carrier, with one memory tool on the way."""

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest

from tests.claude_server import ClaudeServer, call, say
from tests.line import Line

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "the-way.md"
MOST_FILES = 35  # The goal is 25; until then the number may only fall.
SHAPES = tuple(f"app/{part}" for part in "models/ settings/ services/ store/ errors.py clock.py prompts.py".split())
"""Tables, data types and base modules, which a reader need not open."""


@contextmanager
def recorded() -> Iterator[list[str]]:
    """Files of the app whose functions are called during the block, each once, in the order of the first call."""
    entered: dict[str, None] = {}
    app = f"{ROOT / 'app'}{os.sep}"

    def look(frame: FrameType, event: str, _: object) -> None:
        name = frame.f_code.co_filename
        if event == "call" and name.startswith(app) and frame.f_code.co_name != "<module>":
            entered.setdefault(Path(name).relative_to(ROOT).as_posix())

    files: list[str] = []
    threading.setprofile(look)
    sys.setprofile(look)
    try:
        yield files
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
        files += entered


def drawing(files: list[str]) -> str:
    """The path by package, in the order of the first call, with the files of each."""
    steps: dict[str, list[str]] = {}
    for file in files:
        if not file.startswith(SHAPES):
            folder, _, name = file.rpartition("/")
            steps.setdefault(folder, []).append(name)
    width = max(map(len, steps))
    lines = [f"{folder:<{width}}  {' '.join(names)}" for folder, names in steps.items()]
    return "\n".join(lines)


def page(files: list[str]) -> str:
    counted = [file for file in files if not file.startswith(SHAPES)]
    listed = "\n".join(f"1. `{file}`" for file in counted)
    return (
        "# The way of one text\n\n"
        "Made by `tests/test_way.py` (`KEEPSAKE_FREEZE=1` writes it anew): a text comes by Twilio's webhook, Claude\n"
        "keeps a fact with one tool, and the reply goes out. Tables, shapes and the ground (`models`, `services`,\n"
        f"`settings`, `store`, `errors.py`, `clock.py`, `prompts.py`) are left out of the {len(counted)} files. "
        "The aim is 25.\n\n"
        f"```\n{drawing(files)}\n```\n\n## The files, in the order in which they are entered\n\n{listed}\n"
    )


@pytest.mark.sqlite
def test_the_way_of_a_text_is_as_drawn(line_to_claude: Line, claude: ClaudeServer) -> None:
    keep = call("extract_memory", {"facts": [{"fact": "Likes black coffee"}]})
    other = call("extract_memory", {"facts": [{"fact": "Likes green tea"}]})
    claude.queue(keep, say("I'll remember that."), other, say("I'll remember that."))
    line_to_claude.text("I like black coffee")  # This fills all caches before the recording.
    line_to_claude.clock.advance(minutes=1)  # The sender is idle again, so the reply goes at once.

    with recorded() as files:
        line_to_claude.text("I like green tea")

    assert line_to_claude.twilio.bodies[-1] == "I'll remember that."
    assert len([file for file in files if not file.startswith(SHAPES)]) <= MOST_FILES
    if os.environ.get("KEEPSAKE_FREEZE"):
        PAGE.write_text(page(files), "utf-8")
    assert PAGE.read_text("utf-8") == page(files)
