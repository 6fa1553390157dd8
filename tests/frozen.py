"""Behaviour that stays as it is while the house is rebuilt, kept as data. `KEEPSAKE_FREEZE=1` writes it anew."""

import os
from pathlib import Path

DATA = Path(__file__).parent / "data" / "frozen"


def assert_frozen(name: str, now: str) -> None:
    """What there is now is what was frozen under that name."""
    path = DATA / name
    if os.environ.get("KEEPSAKE_FREEZE"):
        path.write_text(now, "utf-8")
    assert now == path.read_text("utf-8")
