"""Addresses of calendars in what people write: who has one reads all of the calendar, so it is shown to nobody."""

import re

SHOWN = "[calendar address]"

_ADDRESS = re.compile(r"(?:webcals?|https?)://[^\s<>\"'“”«»]+", re.IGNORECASE)
_OF_A_CALENDAR = re.compile(r"^webcals?:|\.ics\b|/ical/|/public-calendars/|/caldav", re.IGNORECASE)
_BEHIND = ".,;:!?)]}’"


def in_words(words: str) -> list[str]:
    """The addresses in these words that may be a calendar's; those that look like one, where any does."""
    found = list(dict.fromkeys(one.rstrip(_BEHIND) for one in _ADDRESS.findall(words)))
    return [one for one in found if _OF_A_CALENDAR.search(one)] or found


def hidden(words: str) -> str:
    """The words with a sign in the place of each address that looks like a calendar's."""

    def sign(found: re.Match[str]) -> str:
        address = found[0].rstrip(_BEHIND)
        return SHOWN + found[0][len(address) :] if _OF_A_CALENDAR.search(address) else found[0]

    return _ADDRESS.sub(sign, words)
