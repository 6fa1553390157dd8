"""Secrets and other words that are never kept or read back: passwords, codes, keys, calendars' addresses, despair.

A sentence of despair says that somebody wants to die, or sees no way to go on. It is a call for help at that moment,
and no fact about anybody. A doubtful sentence counts as despair. The words are data: despair.toml.
"""

import re
import tomllib
from pathlib import Path

from app.text.wording import sentences

_BETWEEN = r"[ .\u00a0\u2010-\u2015_/*-]{0,3}"  # Characters that people write between the digits of a code.
_DIGITS = rf"\d(?:{_BETWEEN}\d)"

_SECRET_NAMED = re.compile(
    r"(?:\b(?:password|passwd|passcode|passphrase|pass code|pin(?: (?:code|number))?|cvv|cvc|security code|"
    r"verification code|one[- ]time (?:code|password)|otp|2fa(?: code)?|login code|confirmation code|auth(?:entication|"
    r"enticator)? code|access code|alarm code|(?:door|gate|garage|lock|locker|padlock|entry|keypad|building|house|"
    r"safe) (?:code|combination|combo)|api key|secret key|private key|access token|seed phrase|recovery (?:phrase|"
    r"code)|contraseña|clave de acceso|mot de passe|passwor[td]|kennwort|zugangscode|senha|wachtwoord|"
    r"parola d['’]ordine|şifre(?:m|si)?|пароль)(?!\w)|密码|暗証番号|パスワード)"
    rf"(?=.*(?:\b(?:is|are|es|est|ist|lautet|é|è)\b|=|:|是|は|{_DIGITS}{{2}})|"
    r"(?:[^\S\n]+|\s+(?=\S+$))(?!\d[\d.]*(?:[ap]m|[cm]m)\b)(?=\S*\d)\S{4,})|"  # On the next line only if it ends there.
    r"\b(?:pw|pwd)\b[ :=/-]+(?=\S*\d)\S{4,}",
    re.IGNORECASE,
)
# Only with their number are these secret: a maxed-out card or an overdrawn account is an ordinary fact.
_NUMBER_NAMED = re.compile(
    r"\b(?:credit card|debit card|card number|bank account|account number|routing number|sort code|iban|ssn|"
    r"social security(?: number)?|passport number|national insurance number|tax id)\b"
    rf"(?=.*{_DIGITS}{{5}})",
    re.IGNORECASE,
)
_NO_SECRET_CODE = "".join(
    f"(?<!{kind} )" for kind in "area zip post postal dress promo country discount dialling dialing bar qr".split()
)
_CODE = rf"{_NO_SECRET_CODE}(?:code|c[óo]digo|codice|kode)"
_BARE_CODE = re.compile(
    r"\b(?:my|your|the|this|their|his|her|our|mi|tu|su|mein|dein|ihr|mon|ton|votre|le|el|der|il|tuo|meu|seu|o|je|uw) "
    rf"(?:\w+ )?{_CODE}(?: is| es| est| ist| lautet| è| é|:)*:? ?{_DIGITS}{{3,7}}(?![\w%]|[.,:]\d)|"
    rf"^(?:\w+[- ])?\d{{6}}$|^\d{{3}}[ -]\d{{3}}$|^\d(?: ?[ -] ?\d){{3,7}}$|^code:? {_DIGITS}{{3,7}}$|"
    rf"(?<!\d){_DIGITS}{{3,7}} is (?:my|your|the|their) (?:\w+ )*{_CODE}\b|"
    rf"(?<!\d){_DIGITS}{{3,7}},? (?:(?:which |that )?is )?(?:my|your|the) (?:\w+ )?(?:{_CODE}|pin|password)"
    r"\s*(?:$|[.,!])",
    re.IGNORECASE,
)
_SSN = re.compile(r"(?<!\d)\d{3}-\d{2}-\d{4}(?!\d)")
_LONG_NUMBER = re.compile(rf"(?<!\d)[2-9](?:{_BETWEEN}\d){{12,18}}(?!\d)")
# Other numbers: two of them in a row would be as long as a card number.
_NO_CARD = re.compile(
    r"\b\d{4}[-/.]\d{1,2}[-/.]\d{1,2}\b|\b\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}\b|\b\d{1,2}:\d\d(?::\d\d)?\b|"
    r"\b(?:19|20)\d\d(?:[ ,/–-]+(?:19|20)\d\d)+\b|(?:\+|(?<![\d.-])(?<!\d )00)[1-9][\d ().-]{6,18}\d\b|"
    r"(?<!\d)(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}(?![ .-]?\d)|[$€£¥] ?\d[\d.,]*"
)
_CARD_NUMBERS = [re.compile(rf"(?<!\d)(?=([2-9](?:{_BETWEEN}\d){{{more}}})(?!\d))") for more in range(12, 19)]
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


_NOT_HERE = re.compile(
    r"\bnot (?:think (?:that )?I )?want to be here\b(?! (?:when|if|for|at|tomorrow|today|tonight)\b)", re.IGNORECASE
)
_PLACE = re.compile(  # Places that somebody may simply want to leave.
    r"\b(?:this|the|at|at (?:the|this|a|my)|in (?:the|this|a|my)) (?:[\w-]+ )?(?:party|meeting|class|lecture|work|"
    r"office|school|gym|queue|line|traffic|airport|bar|club|pub|dinner|wedding|concert|gig|event|hotel|date|"
    r"conference|museum|shop|store|mall)\b|\b(?:boring|bored)\b",
    re.IGNORECASE,
)
_WRITTEN_OUT: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), full)
    for pattern, full in (
        (r"[’‘ʼ´`]", "'"),
        (r"\s+", " "),
        (r"\b(?:can'?t|can not)\b", "cannot"),
        (r"\bwon'?t\b", "will not"),
        (r"\b(do|does|did|is|are|was|were|would|could|should)n'?t\b", r"\1 not"),
        (r"\bi'?m\b", "I am"),
        (r"\bi'd\b", "I would"),
        (r"\b(they|you|we)'re\b", r"\1 are"),
        (r"\b(life|it|that|what|there)'?s\b", r"\1 is"),
        (r"\bwanna\b", "want to"),
        (r"\bgonna\b", "going to"),
    )
)


def any_of_lines(*blocks: str) -> str:
    """A pattern for whole words, with one alternative per line of the blocks."""
    lines = [line for block in blocks for line in block.replace("\n    ", "").strip().splitlines()]
    return rf"(?<!\w)(?:{'|'.join(f'(?:{line})' for line in lines)})(?!\w)"


_READ = tomllib.loads(Path(__file__).with_name("despair.toml").read_text(encoding="utf-8"))
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
