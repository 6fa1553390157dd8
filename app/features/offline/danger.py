"""Words that call for help now: of whoever wants to die, of a body in danger, of what was swallowed.

Of a wish to die any doubt counts as one. What a body does counts when it does it now: what was years ago, what is in a
film, and what somebody asks to be found again is told like anything else. The words are data: danger.toml.
"""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Literal

from app.features.offline.english import sentences, tidy
from app.text.secrets import any_of_lines, is_despair

Kind = Literal["life", "poison", "body"]

_MENTIONED = re.compile(r"\bsuicid\w+(?! squad)|\btook (?:his|her) own life\b", re.IGNORECASE)


def danger(text: str) -> Kind | None:
    """What the text calls for help against, as the person wrote it; None for what is no danger."""
    words = tidy(text)
    if is_despair(words) or _MENTIONED.search(words):
        return "life"
    swallowing, body, not_now = _read()
    now = [sentence for sentence in sentences(words) if not not_now.search(sentence)]
    if any(map(swallowing.search, now)):
        return "poison"
    return "body" if any(map(body.search, now)) else None


@cache
def _read() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """What says that something was swallowed, that a body is in danger, and that neither is so now."""
    read = tomllib.loads(Path(__file__).with_name("danger.toml").read_text(encoding="utf-8"))
    lists = {f"{{{name}}}": words.replace("\n", "") for name, words in read["lists"].items()}
    named = re.compile("|".join(map(re.escape, lists)))
    swallowed = named.sub(lambda found: lists[found[0]], read["swallowed"])
    in_danger = named.sub(lambda found: lists[found[0]], read["in_danger"])
    return (
        re.compile(any_of_lines(swallowed), re.IGNORECASE | re.MULTILINE),
        re.compile(any_of_lines(in_danger, read["in_danger_abroad"]), re.IGNORECASE | re.MULTILINE),
        re.compile("|".join(read["not_now"].strip().splitlines()), re.IGNORECASE),
    )
