"""People's texts as a terminal may show them. JSON has them letter by letter."""

import unicodedata

TURNS_AROUND = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""What has the rest of a line read from the other end (UAX #9, explicit formatting characters)."""


def one_line(words: str) -> str:
    """The words in one line, with a mark for each character that the terminal would obey.

    Whoever texts a number chooses them: a line of theirs must not look like one of ours, and none may drive the screen.
    """
    line = " ".join(words.split())
    return "".join("\ufffd" if one in TURNS_AROUND or unicodedata.category(one) == "Cc" else one for one in line)
