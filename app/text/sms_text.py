"""A reply as the texts that carry it, and how many segments of the GSM alphabet each takes."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate

from app.text.kind_words import NOTHING_TO_SAY
from app.text.plain_text import is_blank, plain_text

# Source: 3GPP TS 23.038, 6.2.1 (basic character set; the escape at 0x1B is no character).
BASIC = frozenset(
    "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?"
    "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
)
EXTENDED = frozenset("\f^{}\\[~]|€")  # Each takes two places. Source: 3GPP TS 23.038, 6.2.1.1.

PART_MAX_UNITS = 1600  # UTF-16 units, as Twilio counts; a longer Body is error 21617.
MAX_PARTS = 4  # 40 segments of a plain text: a long number sends about one each second.
THE_REST = "That was longer than I can text; ask me for the rest."

_URL = re.compile(r"(?:https?://|www\.)\S+")
# From the kindest place to cut to the least kind. A word that would begin its text like a list, a heading or a
# quotation is not cut off before: on a line of its own it would mean that.
_PARAGRAPH = re.compile(r"\n\n")
_SENTENCE = re.compile(r"\n|(?<=[.!?])[\"')]*[ ](?![-*+#>|=~_])|(?<=[。！？])")
_WORD = re.compile(r"\n|[ ](?![-*+#>|=~_])")
_ANY_SPACE = re.compile(r"\s")
# What belongs to the letter before it: combining marks, joiners and what they join, skin tones, tags.
_JOINED = re.compile(r"[\u0300-\u036f\u200d\u20d0-\u20ff\ufe00-\ufe0f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")
_JOINER = "\u200d"


def split(reply: str) -> list[str]:
    """The reply as 1 to `MAX_PARTS` texts in the order to be sent, each plain and within `PART_MAX_UNITS`.

    Never empty: silence is said in a word, for Twilio refuses an empty text. A reply that would take more
    texts ends with a sentence that says so.
    """
    rest = plain_text(reply)
    if is_blank(rest):
        return [NOTHING_TO_SAY]
    parts: list[str] = []
    while _units(rest) > PART_MAX_UNITS:
        if len(parts) == MAX_PARTS - 1:
            end = _end_of_part(rest, PART_MAX_UNITS - len(THE_REST) - 2)
            return [*parts, f"{rest[:end].rstrip()}\n\n{THE_REST}"]
        end = _end_of_part(rest, PART_MAX_UNITS)
        parts.append(rest[:end].rstrip())
        rest = rest[end:].lstrip()
    return [*parts, rest]


def _units(text: str) -> int:
    return len(text) + sum(letter > "\uffff" for letter in text)


def _end_of_part(text: str, limit: int) -> int:
    """Where to cut, so that what is before holds at most `limit` units."""
    last = bisect_right(list(accumulate(1 + (letter > "\uffff") for letter in text)), limit)
    for place, least in ((_PARAGRAPH, last // 2), (_SENTENCE, last // 2), (_WORD, 1), (_ANY_SPACE, 1)):
        if ends := [end for end in _ends(place, text, last) if end >= least]:
            return ends[-1]
    return _inside_a_word(text, last)


def _ends(place: re.Pattern[str], text: str, last: int) -> Iterator[int]:
    """The ends of the parts that a cut at each such place would make; the space cut at may stand beyond `last`."""
    for found in place.finditer(text, 0, last + 2):
        end = found.end() - len(found[0]) + len(found[0].rstrip())
        if 0 < end <= last:
            yield end


def _inside_a_word(text: str, last: int) -> int:
    """A cut where there is no space: before an address that fits into one text, and never inside one drawn sign."""
    for url in _URL.finditer(text):
        if 0 < url.start() < last < url.end() and _units(url[0]) <= PART_MAX_UNITS:
            return url.start()
    end = last
    while end > 1 and (_JOINED.match(text, end) or text[end - 1] == _JOINER):
        end -= 1
    return end if end > 1 else last


def segments(body: str) -> int:
    """How many segments Twilio counts and charges for the text.

    Source: 160 or, joined, 153 places of seven bits; else 70 or 67 UTF-16 units (3GPP TS 23.040, 9.2.3.24.1).
    """
    plain = all(letter in BASIC or letter in EXTENDED for letter in body)
    widths = [1 + (letter in EXTENDED) for letter in body] if plain else [1 + (letter > "\uffff") for letter in body]
    alone, joined = (160, 153) if plain else (70, 67)
    if sum(widths) <= alone:
        return 1 if body else 0
    count, room = 1, joined
    for width in widths:
        if width > room:  # Neither an escape nor a surrogate pair is split between two segments.
            count, room = count + 1, joined
        room -= width
    return count
