"""Separate sentences that tell something from those that only ask or request; and the signs of it for the index.

"What did I say about my sister?", "forget the dog" and "/memory" tell nothing: a search for the same question would
find them instead of the answer. A doubtful sentence counts as telling, as it would be lost otherwise: a question is
excluded only if it asks for something known, *when was my exam?*, and not *how do I tell her?*
"""

import re
from collections.abc import Iterable
from enum import IntFlag

from app.text.word_files import read_words

LONGEST = 400  # Characters; nobody writes more without telling something.

_READ = read_words(__file__, "telling.toml")
_LINES = {name: block.replace("\n    ", "").strip("\n").splitlines() for name, block in _READ.items()}


def _begins(name: str) -> re.Pattern[str]:
    """A pattern for the beginning of a sentence, by the lines of that name."""
    lines = "|".join(_LINES[name])
    for part in ("theirs", "advice", "wished"):
        lines = lines.replace(f"{{{part}}}", _LINES[part][0])
    return re.compile(rf"{_LINES['before'][0]}(?:{lines})", re.IGNORECASE)


_COMMAND = re.compile(r"/[a-z]+\b(?!/)", re.IGNORECASE)
_ASKS_WHETHER_KNOWN, _ASKS_FOR, _PUT_AS_ONE, _REQUEST = map(
    _begins, ("asks_whether_known", "asks_for", "put_as_one", "request")
)
_MARK = re.compile(r"[?？؟]\W*$")


def tells_something(sentence: str) -> bool:
    """True if a sentence says what is or happened; False if it only asks what is known or makes a request."""
    words = sentence.strip()
    if len(words) > LONGEST:
        return True
    if _COMMAND.match(words) or _REQUEST.match(words) or _ASKS_WHETHER_KNOWN.match(words):
        return False
    is_question = bool(_MARK.search(words) or _PUT_AS_ONE.match(words))
    return not (is_question and _ASKS_FOR.match(words))


HEAD_CHARS = 300  # Characters looked at: a long reply would show every sign somewhere.


class Sign(IntFlag):
    """One bit per sign; bit 0 stays free, and all fit one byte."""

    ASKS = 2  # The text ends with a question: the only sign against it.
    ONESELF = 4  # The speaker speaks of themselves.
    HAPPENED = 8  # The speaker says what they did, or how something was.
    TIMED = 16  # The text has a time or a number.
    NAMES = 32  # The text has a name: a word within a sentence begins with a capital.


_ASKS = re.compile(r"[?？؟՞]\W*$")  # Smileys and quotes may follow.
_ONESELF = re.compile(r"\b(?:i|i'm|im|i've|ive|i'd|i'll|we|we're|we've|we'll|me|my|our|us|mine)\b", re.IGNORECASE)
_HAPPENED, _TIMED = (re.compile(_LINES[name][0], re.IGNORECASE) for name in ("happened", "timed"))
_NAME = re.compile(r"(?<=[^.!?\s]) +[\"'(]?[A-Z][a-z]\w+")

_SHOWN_BY = ((Sign.ONESELF, _ONESELF), (Sign.HAPPENED, _HAPPENED), (Sign.TIMED, _TIMED), (Sign.NAMES, _NAME))


def signs(text: str, names: Iterable[str] = ()) -> int:
    """The `Sign` bits of a text; `names` of the people taking part do not count as names."""
    head = text[:HEAD_CHARS]
    if len(text) > HEAD_CHARS:
        head = head.rpartition(" ")[0]  # Half a word may look like another one: *i* of *is*.
    head = head.replace("’", "'")
    for name in names:
        head = re.sub(rf"\b{re.escape(name)}\b", "x", head)
    found = Sign(0)
    if _ASKS.search(text[-HEAD_CHARS:]):
        found |= Sign.ASKS
    for sign, pattern in _SHOWN_BY:
        if pattern.search(head):
            found |= sign
    return int(found)
