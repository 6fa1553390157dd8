"""A fact that says several things, as the single statements that it is made of."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from app.clients.offline.voice import third_person
from app.clients.offline.words import MONTHS, VERBS, WEEKDAYS

_OF_THINGS = re.compile(
    r"(?P<head>(?:Likes|Loves|Enjoys|Adores|Dislikes|Hates|No longer (?:likes|loves|enjoys|eats|drinks)|"
    r"Does not (?:like|love|enjoy|eat|drink|speak)|Cannot (?:eat|drink|have|tolerate|digest)|"
    r"Can (?:eat|drink|have|tolerate|digest)|Is (?:not |no longer )?allergic to|"
    r"Is (?:\w+ )?(?:into|fond of|obsessed with|crazy about|keen on|passionate about|afraid of)|Speaks|Plays|Collects|"
    r"Eats|Drinks|Supports|Takes|Owns|Studies|Teaches|Is learning|Favou?rite [\w' -]+ are)) (?P<things>.+)",
    re.IGNORECASE,
)
_OF_NAMES = re.compile(
    r"(?P<head>Has (?:an? |\w+ )?[\w -]+?) named (?P<things>[A-Z][\w'-]*(?:(?:,? and |, )[A-Z][\w'-]*)+)"
)
_OF_SOMEBODY = re.compile(r"(?P<head>Has .+ named (?P<name>[A-Z][\w'-]*)) who (?P<said>.+)")
# One thing, though it has an "and" in it.
_PAIRS = re.compile(
    r"\b(fish|mac|rock|salt|arts|drum|rhythm|bed|peanut butter|gin|rum|ham|bread|hide|country|black|research) and "
    r"(?=(?:chips|cheese|roll|pepper|crafts|bass|blues|breakfast|jelly|jam|tonic|coke|eggs|butter|seek|western|white|"
    r"development)\b)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r",? (?P<word>and|or) |, ")
# What begins so goes on with what is before it: "tennis on Sundays and Mondays", "tea with milk and sugar".
_GOES_ON = re.compile(
    r"(?:at|in|on|with|to|from|for|by|than|when|if|how|who|that|which|because|so|then|\d)\b|"
    rf"(?:{'|'.join(sorted(WEEKDAYS | MONTHS))})s?\b|(?:{'|'.join(sorted(third_person(verb) for verb in VERBS))})\b",
    re.IGNORECASE,
)
_ONE_OF_SEVERAL = re.compile(r"\b(?:with|between|both|mixed with)\b", re.IGNORECASE)
_COUNTS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


@dataclass(frozen=True)
class _Listing:
    head: str
    things: Sequence[str]
    word: str = "and"
    counted: bool = False
    """Whether it names the members of a counted group: `Has two kids named Leo and Mia`."""

    def sentence(self, things: Sequence[str]) -> str:
        some = f", {_COUNTS[len(things)]} named" if self.counted else ""
        return f"{self.head}{some} {joined(things, self.word)}"


def parts(fact: str) -> list[str]:
    """The statements that the fact is made of: `Likes tea and chess` is `Likes tea` and `Likes chess`."""
    of_somebody = _OF_SOMEBODY.fullmatch(fact)
    if of_somebody:
        return [of_somebody["head"], f"{of_somebody['name']} {of_somebody['said']}"]
    listing = _listing(fact)
    return [listing.sentence([thing]) for thing in listing.things] if listing else [fact]


def without(fact: str, gone: Collection[str]) -> str | None:
    """The fact without some of its `parts`; None when nothing of it is left."""
    kept = [part for part in parts(fact) if part not in gone]
    if len(kept) == len(parts(fact)):
        return fact
    if not kept or _OF_SOMEBODY.fullmatch(fact):
        # Without whom it speaks of, nothing is left to say; without what is said of them, there is still who they are.
        return kept[0] if kept and kept[0] == parts(fact)[0] else None
    listing = _listing(fact)
    return (
        listing.sentence([thing for thing in listing.things if listing.sentence([thing]) in kept]) if listing else None
    )


def _listing(fact: str) -> _Listing | None:
    return _names(fact) or _things(fact)


def _names(fact: str) -> _Listing | None:
    found = _OF_NAMES.fullmatch(fact)
    names = re.split(r",? and |, ", found["things"]) if found else []
    return _Listing(found["head"], names, counted=True) if found and len(names) < len(_COUNTS) else None


def _things(fact: str) -> _Listing | None:
    found = _OF_THINGS.fullmatch(fact)
    if found is None:
        return None
    words = _PAIRS.sub(r"\1_and_", found["things"])
    separators = [match["word"] for match in _BETWEEN.finditer(words)]
    things = [thing.replace("_and_", " and ") for thing in re.split(r",? (?:and|or) |, ", words)]
    one = len(things) == 2 and _ONE_OF_SEVERAL.search(things[0])  # noqa: PLR2004 ("tea with milk and sugar")
    if len(things) == 1 or one or not all(things) or any(map(_GOES_ON.match, things[1:])):
        return None
    return _Listing(found["head"], things, next((word for word in separators if word), "and"))


def joined(things: Sequence[str], word: str = "and") -> str:
    """`tea`, `coffee` and `chess` as `tea, coffee and chess`."""
    return things[0] if len(things) == 1 else f"{', '.join(things[:-1])} {word} {things[-1]}"
