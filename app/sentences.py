"""Where one sentence of a text ends and the next begins."""

import re

ENDS = re.compile(r"(?<=[.!?…])\s+|\n+")
"""What stands between two."""


def sentences(words: str) -> list[str]:
    return ENDS.split(words)
