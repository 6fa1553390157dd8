"""The name and the time zone that a clause tells."""

import re

from app.clients.offline.patterns import plausible_name, said_name, trimmed
from app.clients.offline.zones import zone_named

_NAME_GIVEN = re.compile(
    r"(?:my (?:first |real |actual |preferred |legal )?name is(?: spel(?:led|t))?|"
    r"it is (?:actually )?spel(?:led|t)|the name is|name:|(?:you can |you may |please )*call me|"
    r"(?:just |please )*call me|I go by|I am called|(?:people|everyone|everybody|my \w+|friends|they|"
    r"most people) calls? me|I (?:prefer|like|want) (?:to be called|being called)|you may call me|"
    r"I (?:changed|have changed) my name to|address me as|refer to me as) (?P<name>.+)",
    re.IGNORECASE,
)


_NAME_MAYBE = re.compile(r"(?:I am|this is|it is) (?P<name>.+?)(?: here| speaking)?", re.IGNORECASE)


_NAME_HERE = re.compile(r"(?P<name>[A-Z][\w'-]+) here", re.IGNORECASE)


_NAME_NOT = re.compile(
    r"(?:my name is not|I am not|do not call me) [\w'-]+[,.]? (?:but|it is|I am|my name is|call me) (?P<name>.+)",
    re.IGNORECASE,
)


_ZONE = re.compile(
    r"(?:(?:please )?(?:set|change|update|switch) )?my timezone(?: is| to| should be| as|"
    r":)? (?P<zone>.+)|I (?:am|live|work) (?:in|on) (?:the )?(?P<zone2>.+? (?:time|timezone)|"
    r"utc ?[+-] ?\d+|gmt ?[+-] ?\d+|[ECMP][SD]T|CEST|CET|UTC|GMT)|"
    r"(?:use|switch to) (?:the )?(?P<zone3>.+? (?:time|timezone)|\w+/\w+)(?: please)?|"
    r"timezone:? (?P<zone4>.+)|(?P<zone5>[\w/ ]+) is my timezone",
    re.IGNORECASE,
)


def name_in(clause: str) -> str | None:
    """The name that the clause tells, where what it tells can be a name."""
    given = name_not(clause) or _NAME_GIVEN.fullmatch(clause)
    if given:
        only_if_plausible = re.match(r"(?:.* )?call me |I go by |I am called ", clause, re.IGNORECASE)
        words = re.sub(r",? not [\w' -]+$", "", given["name"])
        name = said_name(words)
        return name if name and (not only_if_plausible or _callable(name)) else None
    maybe = _NAME_HERE.fullmatch(clause) or _NAME_MAYBE.fullmatch(clause)
    return plausible_name(maybe["name"]) if maybe else None


def _callable(name: str) -> bool:
    """Whether `call me X` can mean a name: not `call me later` and not `call me Crazy`."""
    return plausible_name(name) is not None and "/" not in name


def name_not(clause: str) -> re.Match[str] | None:
    """The match of `my name is not Alex, it is Alec`."""
    return _NAME_NOT.fullmatch(clause)


def zone_in(clause: str) -> str | None:
    """The IANA name of the time zone that the clause says the person is in."""
    zone = _ZONE.fullmatch(clause)
    words = next((words for words in zone.groupdict().values() if words), None) if zone else None
    return zone_named(trimmed(words)) if words else None
