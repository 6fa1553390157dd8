"""Pages of sentence templates, each line made a regular expression: `(i|we) live [now ]in {place} => …`.

(a|b) is one of these, [a ] may be there, {slot} stands for words of the list of that name, and {slot:a|b} for one of
these. A list is a regular expression, `name = …`, which may use those above it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_PART = re.compile(r"\{(?P<slot>\w+)(?::(?P<choices>[^}]*))?\}|(?P<sign>[][()|?])|(?P<letter>.)")
_SIGNS = {"[": "(?:", "]": ")?", "(": "(?:", ")": ")", "|": "|", "?": "?"}
_LIST = re.compile(r"\{([a-z]+)\}")


@dataclass(frozen=True)
class Form:
    template: str
    sentence: re.Pattern[str]
    means: list[str]
    """What stands behind the arrow, between its bars."""


@dataclass(frozen=True)
class Page:
    forms: tuple[Form, ...]
    lists: Mapping[str, str]

    def slots(self, template: str) -> dict[str, str]:
        """The regular expression of each slot of a template."""
        found = [part for part in _PART.finditer(template) if part["slot"]]
        return {one["slot"]: self.lists[one["slot"]] if one["choices"] is None else one["choices"] for one in found}


def read_page(name: str, free: Mapping[str, str] | None = None) -> Page:
    """The page of that name beside this module; `free` are lists that it may use without having them."""
    text = Path(__file__).with_name(name).read_text("utf-8")
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    lists = dict(free or {})
    for line in lines:
        if "=>" not in line:
            name, _, expression = line.partition(" = ")
            lists[name] = _LIST.sub(lambda found: f"(?:{lists[found[1]]})", expression)
    page = Page((), lists)
    sides = [line.partition("=>") for line in lines if "=>" in line]
    forms = [Form(left.strip(), _compiled(left.strip(), page), _split(means)) for left, _, means in sides]
    return Page(tuple(forms), lists)


def _split(means: str) -> list[str]:
    return [part.strip() for part in means.split("|")]


def _compiled(template: str, page: Page) -> re.Pattern[str]:
    slots = page.slots(template)
    expression = ""
    for part in _PART.finditer(template):
        if part["slot"]:
            expression += f"(?P<{part['slot']}>{slots[part['slot']]})"
        else:
            expression += _SIGNS[part["sign"]] if part["sign"] else re.escape(part["letter"])
    return re.compile(expression, re.IGNORECASE)
