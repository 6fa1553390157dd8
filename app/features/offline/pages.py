"""Files beside this module with sentences that people say and their meanings; each line is a regular expression.

In `(i|we) live [now ]in {place} => …`, (a|b) is a choice, [a ] is optional, {slot} stands for words of the list with
that name, and {slot:a|b} for a choice. A list is a regular expression, `name = …`, and may use earlier lists.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_PART = re.compile(r"\{(?P<slot>\w+)(?::(?P<choices>[^}]*))?\}|(?P<sign>[][()|?])|(?P<letter>.)")
_SIGNS = {"[": "(?:", "]": ")?", "(": "(?:", ")": ")", "|": "|", "?": "?"}
_LIST = re.compile(r"\{([a-z]+)\}")
_NAME = r"[^\W\d_][\w'-]*(?: [^\W\d_][\w'.-]*){0,2}"
_PLACE = r"[^\W\d_][^,.!?;:]*?(?:, (?!no[tw]\b)[^\W\d_][\w ]*)?"
_FREE = {
    "words": r"[^\s,.!?;:][^,.!?;:]*?",
    "taste": r"[^\s,.!?;:][^.!?;:]*?",
    "anything": r"\S.*?",
    "place": _PLACE,
    "Place": _PLACE,
    "name": _NAME,
    "Name": _NAME,
}
"""Lists of arbitrary words, available on each page."""


@dataclass(frozen=True)
class Form:
    """One line of a page."""

    template: str
    sentence: re.Pattern[str]
    means: tuple[str, ...]  # The parts after the arrow, separated by bars.


@dataclass(frozen=True)
class Page:
    forms: tuple[Form, ...]
    lists: Mapping[str, str]

    def compiled(self, template: str, slots_of: str = "") -> re.Pattern[str]:
        """The template as a regular expression, with its slots defined as in `slots_of`, or as in itself."""
        found = [part for part in _PART.finditer(slots_of or template) if part["slot"]]
        slots = {one["slot"]: self.lists[one["slot"]] if one["choices"] is None else one["choices"] for one in found}
        expression = ""
        for part in _PART.finditer(template):
            if part["slot"]:
                expression += f"(?P<{part['slot']}>{slots[part['slot']]})"
            else:
                expression += _SIGNS[part["sign"]] if part["sign"] else re.escape(part["letter"])
        return re.compile(expression, re.IGNORECASE)

    def meant(self, words: str) -> tuple[tuple[str, ...], dict[str, str]]:
        """Meaning and slots of the first line that matches all the words; `("",)` and no slots if no line does."""
        found = next(((form, fits) for form in self.forms if (fits := form.sentence.fullmatch(words))), None)
        return (found[0].means, said_in(found[1])) if found else (("",), {})


def said_in(found: re.Match[str]) -> dict[str, str]:
    """The slots that are not empty."""
    return {slot: words for slot, words in found.groupdict().items() if words}


@cache
def read_page(name: str) -> Page:
    text = Path(__file__).with_name(name).read_text("utf-8")
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    lists = dict(_FREE)
    for line in lines:
        if "=>" not in line:
            listed, _, expression = line.partition(" = ")
            lists[listed] = _LIST.sub(lambda found: f"(?:{lists[found[1]]})", expression)
    page = Page((), lists)
    parted = [re.split(r"\s*=>\s*", line, maxsplit=1) for line in lines if "=>" in line]
    forms = [Form(form, page.compiled(form), tuple(map(str.strip, means.split("|")))) for form, means in parted]
    return Page(tuple(forms), lists)
