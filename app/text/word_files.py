"""Words that are data: TOML files of words and regular expressions, each beside the module that uses it."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def read_words(module: str, name: str) -> dict[str, Any]:
    """The tables of the TOML file with that name in the folder of a module, given by its `__file__`."""
    return tomllib.loads((Path(module).parent / name).read_text(encoding="utf-8"))


def expressions(table: Mapping[str, str], **parts: str) -> dict[str, str]:
    """Regular expressions by name: their lines are joined, and `{name}` stands for an earlier one or one of `parts`."""
    found: dict[str, str] = {}
    for name, expression in table.items():
        found[name] = expression.replace("\n", "")
        for part, meant in (parts | found).items():
            found[name] = found[name].replace(f"{{{part}}}", meant)
    return found
