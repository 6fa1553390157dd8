"""Tables of test data, in `tests/data`."""

import json
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"


def rows(name: str) -> list[Any]:
    """The rows of a table: of a `.jsonl` file its values, of others their lines, parted by tabs in a `.tsv` file."""
    lines = (DATA / name).read_text("utf-8").splitlines()
    if name.endswith(".jsonl"):
        return [json.loads(line) for line in lines]
    return [line.split("\t") if name.endswith(".tsv") else line for line in lines]
