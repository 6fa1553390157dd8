"""What is a secret in a text: passwords, one-time codes, card numbers and keys. They are kept out of memory."""

import re

from app.sentences import sentences

_SECRET_NAMED = re.compile(
    r"\b(?:password|passwd|passcode|passphrase|pass code|pin(?: (?:code|number))?|cvv|cvc|"
    r"security code|verification code|one[- ]time (?:code|password)|otp|2fa(?: code)?|login code|"
    r"confirmation code|auth(?:entication|enticator)? code|access code|alarm code|"
    r"(?:door|gate|garage|lock|locker|padlock|entry|keypad|building|house|safe) (?:code|combination)|"
    r"api key|secret key|private key|access token|seed phrase|recovery (?:phrase|code))\b"
    r"(?=.*(?:\bis\b|\bare\b|=|:|\d{3}))",
    re.IGNORECASE,
)
# Of these the number alone is one: that a card is maxed out, or an account overdrawn, is what matters to people.
_NUMBER_NAMED = re.compile(
    r"\b(?:credit card|debit card|card number|bank account|account number|routing number|sort code|iban|ssn|"
    r"social security(?: number)?|passport number|national insurance number|tax id)\b(?=.*\d(?:[ -]?\d){5})",
    re.IGNORECASE,
)
_BARE_CODE = re.compile(
    r"(?:\b(?:my|your|the|this) (?:\w+ )?(?<!area )(?<!zip )(?<!post )(?<!postal )(?<!dress )(?<!promo )"
    r"(?<!country )(?<!discount )code(?: is|:)? ?\d{4,8}\b|"
    r"^(?:\w+[- ])?\d{6}$|^code:? \d{4,8}$|\b\d{4,8} is (?:my|your|the) (?:\w+ )*code\b)",
    re.IGNORECASE,
)
_SSN = re.compile(r"\b\d{3}-\d{2}-\d{4}\b")
_LONG_NUMBER = re.compile(r"(?<![\d+])\d(?:[ -]?\d){12,18}(?!\d)")
_DATE = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
_TOKEN = re.compile(r"\b(?:sk|pk|ghp|gho|xox[bp]|AKIA)[-_A-Za-z0-9]{12,}|-----BEGIN", re.IGNORECASE)


DENIED = {
    "A password, code or key that is called so": _SECRET_NAMED,
    "The number of a card, an account or a document that is called so": _NUMBER_NAMED,
    "A code by itself": _BARE_CODE,
    "A US social security number": _SSN,
    "A key of a program": _TOKEN,
}
"""What no sentence may hold that is kept, each with what tells it."""
CARD_NUMBER = ("The number of a payment card, whose digits pass its check (ISO/IEC 7812-1)", _LONG_NUMBER)


def is_secret(sentence: str) -> bool:
    """Whether the sentence gives away a password, a one-time code, a card number or a key."""
    if any(pattern.search(sentence) for pattern in DENIED.values()):
        return True
    undated = _DATE.sub(" / ", sentence)  # Two dates in a row would be long enough for a card.
    return any(_luhn(re.sub(r"\D", "", found[0])) for found in _LONG_NUMBER.finditer(undated))


def without_secrets(words: str) -> str:
    """The words without the sentences that give one away; as they are where none does."""
    told = sentences(words)
    kept = [sentence for sentence in told if not is_secret(sentence.strip())]
    return words if len(kept) == len(told) else "\n".join(kept)


def _luhn(digits: str) -> bool:
    """Whether the digits pass the check that card numbers pass. Source: ISO/IEC 7812-1, annex B."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + place % 2)
        total += value - 9 if value > 9 else value  # noqa: PLR2004
    return total % 10 == 0
