"""The name and the time zone that a clause tells."""

import re
from datetime import date, timedelta

from app.clients.offline.ends import END, read_end
from app.clients.offline.patterns import plausible_name, said_name, trimmed
from app.clients.offline.zone_places import zone_of_place
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


# What takes the name back: all of it where no name is given.
_NAME_GONE = re.compile(
    r"(?:you|I) (?:do not|need not|should not|must not)(?: (?:need|have|want|like))*(?: you)?(?: to)? "
    r"(?:know|remember|keep|have|use|store|tell you) my (?:first |real )?name(?: anymore| at all)?|"
    r"(?:please )?(?:do not|never|stop) (?:use|using|keep|keeping|remember|remembering|store|storing|say|saying) "
    r"my (?:first |real )?name(?: anymore)?|my name is (?:none of your business|private|a secret|not your business)|"
    r"I would (?:rather|prefer)(?: that)? you did not (?:know|use|remember|keep|have) my name|"
    r"(?:please )?(?:stop calling|do not call) me (?P<name>[^\W\d_][\w'-]*)(?: anymore| again| please)*",
    re.IGNORECASE,
)
_OWN_NAME = re.compile(
    r"(?:(?:what )?my (?:first |last |full |real )?name(?: is(?: .+)?)?|what i am called|what to call me|who i am|"
    r"how to call me)(?: please)?",
    re.IGNORECASE,
)

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


# Where the person is: where they will be they are not yet.
_STAYS = re.compile(
    r"(?:I|we) (?:am|are|(?:have )?(?:just )?(?:arrived|landed|got))"
    r"(?: (?:back|staying|here|over here|away|travell?ing|on (?:holiday|vacation|a trip|business)))*"
    r" (?:in|to|visiting) (?P<place>[^\W\d_][\w ,.'’-]+?)"
    r"(?: (?:now|right now|at last|again|at the moment|for now|today|tonight|yesterday|last night|this morning|"
    r"(?:for )?(?:all |this |the (?:whole |rest of the )?)(?:week|month|weekend)|"
    r"for (?:\w+ ){1,3}(?:day|night|week|month)s?|for work|on (?:business|holiday|vacation)|un?till? .+))*",
    re.IGNORECASE,
)
_END_TOLD = re.compile(rf"\b(?P<end>{END})$", re.IGNORECASE)
_IN_FOR = re.compile(r"in .+ (?:un?till?|for (?=.*(?:day|week|month)s?$)) ?.+", re.IGNORECASE)
_HOME_AGAIN = re.compile(
    r"I (?:am|(?:have )?(?:just )?(?:arrived|got|came|come))(?: now)? (?:back(?: (?:at )?home)?|(?:at )?home)"
    r"(?: (?:again|now|safe|safely|already|from [\w ]+))*",
    re.IGNORECASE,
)


_DISLIKED = re.compile(r"(?:Dislikes|Hates|Does not (?:like|love)) (?P<thing>[^\W\d_]{3,})", re.IGNORECASE)


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


def name_taken_back(clause: str) -> str | None:
    """The name that is not to be used any more, empty for whichever is known; None where none is named so."""
    found = _NAME_GONE.fullmatch(clause)
    return (found["name"] or "") if found else None


def is_own_name(words: str) -> bool:
    """Whether `forget …` means the person's own name."""
    return _OWN_NAME.fullmatch(words) is not None


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


def zone_of_stay(clause: str) -> str | None:
    """The zone of the place in which the clause says the person is now."""
    stay = _STAYS.fullmatch(clause) or (_STAYS.fullmatch(f"I am {clause}") if _IN_FOR.fullmatch(clause) else None)
    return zone_of_place(stay["place"]) if stay else None


def last_day_of_stay(clause: str, today: date) -> date | None:
    """The last day for which the clause says that somebody stays; None where it tells none."""
    told = _END_TOLD.search(clause)
    end = read_end(told["end"], today) if told else None
    if told is None or end is None or end.day is None:
        return None
    is_over = re.match(r"(?:this|over|on|all|today|tonight)\b", told["end"], re.IGNORECASE)
    return end.day - timedelta(days=1) if is_over else end.day


def is_home_again(sentence: str) -> bool:
    """Whether the person says that they are back at home."""
    return _HOME_AGAIN.fullmatch(sentence) is not None


def dislikes_short_form(fact: str, name: str) -> bool:
    """Whether the fact is a dislike of what the name is shortened to: `Dislikes sam`, of a Samuel."""
    found = _DISLIKED.fullmatch(fact)
    return (
        found is not None and found["thing"].lower() != name.lower() and name.lower().startswith(found["thing"].lower())
    )
