"""Secrets and other words that are never kept or read back: passwords, codes, keys, calendars' addresses, despair.

A sentence of despair says that somebody wants to die, or sees no way to go on. It is a call for help at that moment,
and no fact about anybody. A doubtful sentence counts as despair. The words are data: secrets.toml and
despair.toml.
"""

import re

from app.text.word_files import expressions, read_words
from app.text.wording import sentences

_WORDS = expressions(read_words(__file__, "secrets.toml"))
_SECRET_NAMED, _NUMBER_NAMED, _BARE_CODE = (
    re.compile(_WORDS[name], re.IGNORECASE) for name in ("secret_named", "number_named", "bare_code")
)
_SSN = re.compile(r"(?<!\d)\d{3}-\d{2}-\d{4}(?!\d)")
_LONG_NUMBER, _NO_CARD = re.compile(_WORDS["long_number"]), re.compile(_WORDS["no_card"])
_CARD_NUMBERS = [re.compile(rf"(?<!\d)(?=([2-9](?:{_WORDS['between']}\d){{{more}}})(?!\d))") for more in range(12, 19)]
"""One pattern per length, as an expiry date or another number may follow."""
_TOKEN = re.compile(r"\b(?:sk|pk|ghp|gho|xox[bp]|AKIA)[-_A-Za-z0-9]{12,}|-----BEGIN", re.IGNORECASE)

DENIED = {
    "A password, code or key that is called so": _SECRET_NAMED,
    "The number of a card, an account or a document that is called so": _NUMBER_NAMED,
    "A code by itself": _BARE_CODE,
    "A US social security number": _SSN,
    "A key of a program": _TOKEN,
}
"""Kinds of words that no stored sentence may hold, each with its pattern."""
CARD_NUMBER = ("The number of a payment card, whose digits pass its check (ISO/IEC 7812-1)", _LONG_NUMBER)

LEFT_OUT = "[left out: a secret]."

CALENDAR_SIGN = "[calendar address]"
"""Shown in place of a calendar's address, as anyone with the address can read the calendar."""
_ADDRESS = re.compile(r"(?:webcals?|https?)://[^\s<>\"'“”«»]+", re.IGNORECASE)
_OF_A_CALENDAR = re.compile(r"^webcals?:|\.ics\b|/ical/|/public-calendars/|/caldav", re.IGNORECASE)
_BEHIND_AN_ADDRESS = ".,;:!?)]}’"


def any_of_lines(*blocks: str) -> str:
    """A pattern for whole words, with one alternative per line of the blocks."""
    lines = [line for block in blocks for line in block.replace("\n    ", "").strip().splitlines()]
    return rf"(?<!\w)(?:{'|'.join(f'(?:{line})' for line in lines)})(?!\w)"


_READ = read_words(__file__, "despair.toml")
_WRITTEN_OUT = [(re.compile(pattern, re.IGNORECASE), full) for pattern, full in _READ["written_out"]]
_NOT_HERE, _PLACE = (re.compile(_READ[name].replace("\n", ""), re.IGNORECASE) for name in ("not_here", "place"))
_LINES = (_READ[block].replace("{ends}", _READ["ends"]) for block in ("wishes", "wishes_abroad"))
_DESPAIR = re.compile(f"{any_of_lines(*_LINES)}|{_READ['unspaced']}", re.IGNORECASE | re.MULTILINE)


def is_secret(sentence: str) -> bool:
    """True if the sentence gives away a password, a one-time code, a card number or a key."""
    has_digits = any(map(str.isdigit, sentence))  # Without digits, only these two patterns can match.
    denied = DENIED.values() if has_digits else (_SECRET_NAMED, _TOKEN)
    if any(pattern.search(sentence) for pattern in denied):
        return True
    if not has_digits:
        return False
    rest = _NO_CARD.sub(" # ", sentence)
    found = (number for pattern in _CARD_NUMBERS for number in pattern.findall(rest))
    return any(_luhn(re.sub(r"\D", "", number)) for number in found)


def without_secrets(words: str) -> str:
    """The words without sentences that give a secret away; unchanged if there are none."""
    told = sentences(words)
    kept = [sentence for sentence in told if not is_secret(sentence.strip())]
    left = words if len(kept) == len(told) else "\n".join(kept)
    return "" if is_secret(left) else left  # A secret may span two sentences.


def hide_secrets(words: str) -> str:
    """The words with `LEFT_OUT` in place of each sentence that gives a secret away."""
    for sentence in sentences(words):
        if is_secret(sentence.strip()):
            words = words.replace(sentence, LEFT_OUT)
    return LEFT_OUT if is_secret(words) else words


def _luhn(digits: str) -> bool:
    """True if the digits pass the check of card numbers. Source: ISO/IEC 7812-1, annex B."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + place % 2)
        total += value - 9 if value > 9 else value  # noqa: PLR2004
    return total % 10 == 0


def is_despair(text: str) -> bool:
    """True if the text says that somebody wants to die, or cannot go on."""
    words = text
    for pattern, full in _WRITTEN_OUT:
        words = pattern.sub(full, words)
    return bool(_DESPAIR.search(words) or (_NOT_HERE.search(words) and not _PLACE.search(words)))


def without_despair(words: str) -> str:
    """The words without sentences of despair; unchanged if there are none."""
    told = sentences(words)
    kept = [sentence for sentence in told if not is_despair(sentence)]
    return words if len(kept) == len(told) else " ".join(kept)


def calendar_addresses(words: str) -> list[str]:
    """URLs in these words that look like a calendar's address; all URLs if none does."""
    found = list(dict.fromkeys(one.rstrip(_BEHIND_AN_ADDRESS) for one in _ADDRESS.findall(words)))
    return [one for one in found if _OF_A_CALENDAR.search(one)] or found


def hide_addresses(words: str) -> str:
    """The words with `CALENDAR_SIGN` in place of each URL that looks like a calendar's address."""

    def sign(found: re.Match[str]) -> str:
        address = found[0].rstrip(_BEHIND_AN_ADDRESS)
        return CALENDAR_SIGN + found[0][len(address) :] if _OF_A_CALENDAR.search(address) else found[0]

    return _ADDRESS.sub(sign, words)
