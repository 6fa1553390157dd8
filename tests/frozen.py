"""Behaviour frozen as data while the code is rebuilt. `KEEPSAKE_FREEZE=1` writes the data anew."""

import os
from pathlib import Path

DATA = Path(__file__).parent / "data" / "frozen"


def assert_frozen(name: str, now: str) -> None:
    """Assert that `now` equals the data frozen under that name."""
    path = DATA / name
    if os.environ.get("KEEPSAKE_FREEZE"):
        path.write_text(now, "utf-8")
    assert now == path.read_text("utf-8")
