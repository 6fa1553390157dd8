"""Numbers, keys and tokens made unreadable, wherever in a text they stand."""

import re
from collections.abc import Collection

SHORTEST_SECRET = 4  # Anything shorter is found in ordinary words, and protects nothing.

_ENDS = 4, 2
"""How many digits of a number stay at its beginning and its end: enough to tell two people apart, too few to call."""

_NUMBERS = re.compile(
    r"(?P<plus>\+|%2B)\d(?:[ ().-]{0,2}\d){6,14}"  # +12065550100, +1 (206) 555-0100, as in an address %2B1206…
    r"|(?<![\w.])\(?\d{3}\)?[ .-]{1,2}\d{3}[ .-]\d{4}(?!\w|[.:]\d)"  # 206-555-0100
    r"|(?<!\w)(?<!\d[.:])\d{10,15}(?!\w|[.:]\d)",
    re.IGNORECASE,
)
_KEYS = re.compile(
    r"\b(?P<kind>AC|SK)[0-9a-zA-Z]{32}\b"  # Twilio's accounts and API keys
    r"|\b(?P<claude>sk-ant-)[\w-]+"
    r"|\b[0-9a-fA-F]{32,}\b"  # auth tokens, keys of status callbacks, hashes
)
_CREDENTIALS = re.compile(
    r"(?P<name>\b(?:Authorization|X-Twilio-Signature|Cookie|Set-Cookie)\b['\"]?\s*[:=]\s*).*", re.IGNORECASE
)
_SCHEMES = re.compile(r"\b(?P<scheme>Bearer|Basic) [\w.~+/=-]{8,}", re.IGNORECASE)
_ADDRESSES = re.compile(r"(?P<scheme>\bhttps?://)(?:[^\s/@]+@)?(?P<place>[^\s?#'\"]*)(?P<query>\?[^\s'\"]*)?")
_QUERIES = re.compile(r"(?P<path>(?<=[\s'\"])/[^\s?'\"]*)\?[^\s'\"]+")


class Mask:
    """`mask(text)` is the text without what nobody may read: the secrets it was made with, and all that looks so."""

    def __init__(self, secrets: Collection[str] = ()) -> None:
        hidden = sorted((re.escape(one) for one in secrets if len(one) >= SHORTEST_SECRET), key=len, reverse=True)
        self._secrets = re.compile("|".join(hidden)) if hidden else None

    def __call__(self, text: str) -> str:
        if self._secrets is not None:
            text = self._secrets.sub("…", text)
        text = _CREDENTIALS.sub(r"\g<name>…", text)
        text = _SCHEMES.sub(r"\g<scheme> …", text)
        text = _ADDRESSES.sub(_without_query, text)
        text = _QUERIES.sub(r"\g<path>?…", text)
        text = _KEYS.sub(lambda found: f"{found['kind'] or found['claude'] or ''}…", text)
        return _NUMBERS.sub(_shortened, text)


def _without_query(found: re.Match[str]) -> str:
    return f"{found['scheme']}{found['place']}{'?…' if found['query'] else ''}"


def _shortened(found: re.Match[str]) -> str:
    digits = re.sub(r"\D", "", found[0].removeprefix(found["plus"] or ""))
    first, last = _ENDS if len(digits) > 9 else (2, 2)  # noqa: PLR2004  (of a short number two ends of two are enough)
    return f"{found['plus'] or ''}{digits[:first]}…{digits[-last:]}"
