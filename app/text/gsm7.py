"""The alphabet of plain texts, and what stands in for letters that are not in it. Pure.

A text in this alphabet holds 160 letters, one with a single letter outside of it 70.
"""

import re

# Source: 3GPP TS 23.038, 6.2.1 (basic character set; the escape at 0x1B is no character).
BASIC = frozenset(
    "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?"
    "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
)
EXTENDED = frozenset("\f^{}\\[~]|€")
"""Each takes two places. Source: 3GPP TS 23.038, 6.2.1.1."""

STAND_INS = {
    **dict.fromkeys("‘’‚‛′ʼ`´", "'"),
    **dict.fromkeys("“”„‟″«»", '"'),
    **dict.fromkeys("‹", "<"),
    **dict.fromkeys("›", ">"),
    **dict.fromkeys("‐‑‒–—―−⁃", "-"),
    **dict.fromkeys("•‣◦▪●", "-"),
    "…": "...",
    "→": "->",
    "←": "<-",
    "⇒": "=>",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "≈": "~",
    "×": "x",
    "÷": "/",
    "⁄": "/",
    "½": "1/2",
    "¼": "1/4",
    "¾": "3/4",
    **dict.fromkeys(
        "\t\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " "
    ),
}
_TABLE = str.maketrans(STAND_INS)


def with_stand_ins(text: str) -> str:
    """The text with plain letters where the alphabet has an equivalent; other scripts, accents and emoji stay."""
    text = re.sub(r"(?<=\w)—(?=\w)", " - ", text)
    text = re.sub(r"(?<=\d)\s?°\s?(?=[CF]\b)", " ", text)
    text = re.sub(r"(?<=\d)\s?°", " degrees", text)
    return text.translate(_TABLE)


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
