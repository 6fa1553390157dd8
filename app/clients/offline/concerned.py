"""Which facts a person means: "forget about my dog", "what did I say about Ana"."""

import re
from collections.abc import Sequence
from datetime import date

from app.clients.offline.listing import parts
from app.clients.offline.matching import denies, same, taste, tells_of
from app.clients.offline.patterns import A_PET, any_of
from app.clients.offline.sentences import content, stem
from app.clients.offline.statements import statement
from app.clients.offline.topics import OWN_ALLERGY
from app.clients.offline.words import (
    DIETS,
    FAMILY_KIN,
    KIN_OF_ALL_KINDS,
    OCCUPATIONS,
    PET_KINDS,
    PETS,
    RELATIONS,
    STANDINGS,
)

PARTS_MAX = 5  # "forget about my dog, my cat and my job"; a longer list is asked about in several texts.
_NAMED = re.compile(r"\b(?:named|called) (?P<names>[^,;]+?(?:, [^,;]+?)*)(?: who .+)?$")
_KIND_OF = re.compile(rf"(?:Has|No longer has|Does not have) an? (?:[\w-]+ )*?(?P<kind>{any_of(PETS | RELATIONS)})\b")

# "My exam", "Ana", "my sister's wedding"; not "I like tea", "where I live" or "my likes".
_SUBJECT = re.compile(
    r"(?:(?:my|our|the|that|this) )?(?!(?:i|where|what|when|who|how|everything|anything|all|whatever)\b)"
    r"(?!(?:likes|dislikes|preferences|tastes|favou?rites?)$)"
    r"[^\W\d][\w'’-]*(?: (?!(?:i|is|are|am|was|were|has|have|had|likes?|loves?)\b)[^\W\d][\w'’-]*){0,3}",
    re.IGNORECASE,
)

_NUMBER = r"(?:(?:my |the )?(?:facts?|memor(?:y|ies)|numbers?|nos?\.?) ){0,2}#?\d{1,9}"
_NUMBERS = re.compile(rf"{_NUMBER}(?:(?:, ?| and |, and | ){_NUMBER})*", re.IGNORECASE)

_ALL_THAT = r"(?:what(?:ever)?|everything|anything|all(?: the)?(?: things)?|the things)(?: that)?"
_TOPICS: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (re.compile(query, re.IGNORECASE), re.compile(fact, re.IGNORECASE))
    for query, fact in (
        (
            r"where i live|(?:my )?(?:home|city|home town|location|place of living)|where i am (?:living|based)",
            r"Lives|Is based|No longer lives|Address|Home address",
        ),
        (
            (
                r"(?:my )?(?:job|work|employer|profession|occupation|career|workplace)|where i work|"
                r"what i do(?: for (?:work|a living))?"
            ),
            (
                rf"Works|Is an? (?:[\w-]+ )*{any_of(OCCUPATIONS)}|Is {any_of(STANDINGS)}|No longer works|Runs|"
                r"Teaches|Freelances|Job"
            ),
        ),
        (r"(?:my )?pets?", rf"(?:Has|Does not have) .*\b{A_PET}"),
        (r"(?:my )?(?:family|relatives)", rf"(?:Has|Does not have) .*\b{any_of(RELATIONS)}\b|Is married"),
        (r"(?:my )?(?:birthday|birth ?date|date of birth)|when i was born", r"Birthday|Was born (?:on|in \d)"),
        (r"(?:my )?age|how old i am", r"(?:Is|Was) \d+ years old"),
        (
            r"(?:my )?(?:diet|eating habits)",
            rf"Is (?:an? )?(?:\w+ )?{any_of(DIETS)}|Eats |Does not eat|Cannot eat|Keeps (?:kosher|halal)",
        ),
        (r"(?:my )?(?:allergies|allergy)", OWN_ALLERGY),
        (r"(?:my )?languages?", r"Speaks|Is learning|Native language"),
        (r"(?:my )?(?:car|vehicle)", r"Drives|Has .*\bcar\b|Car "),
        (
            r"(?:my )?(?:school|studies|university|college|education)",
            r"Studies|Goes to|Graduated|Majors|Is an? .*student",
        ),
        (r"(?:my )?(?:hobby|hobbies)", r"Enjoys|Plays|Collects|.* in their free time"),
        (
            rf"(?:my )?(?:likes|preferences|tastes)|{_ALL_THAT} i (?:like|love|enjoy)",
            r"Likes|Loves|Enjoys|Prefers|Is (?:\w+ )?(?:into|fond of)",
        ),
        (rf"(?:my )?dislikes|{_ALL_THAT} i (?:dislike|hate|do not like)", r"Dislikes|Hates|Does not like"),
        (
            r"(?:my )?(?:health|medication|medicine|meds)",
            r"Takes|Has .*(?:asthma|diabetes)|Is allergic|Is diabetic|Was diagnosed",
        ),
        (r"(?:my )?(?:favou?rites?)", r".*favou?rite"),
        (r"(?:my )?(?:origin|hometown|nationality)|where i am from", r"Is from|Was born in [A-Z]|Grew up"),
    )
)


def named_by_number(query: str) -> list[int]:
    """The numbers of facts, where the query is nothing else: `number 2`, `1 and 3`."""
    return [int(number) for number in re.findall(r"\d+", query)] if _NUMBERS.fullmatch(query.strip()) else []


def is_subject(query: str) -> bool:
    """Whether the query names a thing or somebody, of which there may be more than facts tell."""
    return _SUBJECT.fullmatch(query.strip()) is not None and not _LIGHT.issuperset(content(query))


def concerned(facts: Sequence[str], query: str, today: date | None = None) -> list[int]:
    """The indexes of all facts that the query speaks of, in order."""
    return sorted(concerned_parts(facts, query, today))


def concerned_parts(facts: Sequence[str], query: str, today: date | None = None) -> dict[int, list[str]]:
    """By the index of a fact, the statements in it that the query speaks of."""
    whole = [(index, part) for index, fact in enumerate(facts) for part in parts(fact)]
    found = _concerned([part for _, part in whole], query, today)
    return {
        index: [whole[place][1] for place in found if whole[place][0] == index]
        for index, _ in (whole[place] for place in found)
    }


def _concerned(facts: Sequence[str], query: str, today: date | None) -> list[int]:
    claim = statement(query, today) if re.match(r"(?:I|we|my|our)\b", query, re.IGNORECASE) else None
    claims = parts(claim.sentence) if claim else []
    found = [index for index, fact in enumerate(facts) if any(_claimed(one, fact) for one in claims)]
    found = found or [index for index, fact in enumerate(facts) if _on_topic(query, fact)]
    found = found or _by_words(facts, query)
    found = found or [
        index for one in re.split(r",? and (?:about )?|, ", query)[:PARTS_MAX] for index in _by_words(facts, one)
    ]
    return sorted(set(found) | _of_the_named(facts, found))


def _claimed(claim: str, fact: str) -> bool:
    return same(claim, fact) or (not denies(fact) and tells_of(claim, fact))


def _on_topic(query: str, fact: str) -> bool:
    return any(topic.fullmatch(query.strip()) and about.match(fact) for topic, about in _TOPICS)


# These say how somebody stands to a thing, not which thing it is: alone they find no fact.
_LIGHT = frozenset(content("like love enjoy hate dislike prefer want need think feel get got go make use fact"))


def _by_words(facts: Sequence[str], query: str) -> list[int]:
    wanted = [_alternatives(word) for word in content(query) if word not in _LIGHT]
    owned = bool(re.match(r"(?:my|our) ", query, re.IGNORECASE)) and any(len(words) > 1 for words in wanted)
    if not wanted:
        return []
    return [
        index
        for index, fact in enumerate(facts)
        if all(words & set(content(fact)) for words in wanted)
        and not (owned and (taste(fact) or re.search(r"\ballergic\b", fact)))
    ]


def _alternatives(word: str) -> set[str]:
    """The stems that may stand for a stem: `dog` for `puppy`, `kid` for `son`."""
    groups = [*PET_KINDS.values(), *FAMILY_KIN]
    same_kind = {other for group in groups if word in map(stem, group) for other in group}
    narrower = {other for kind, group in KIN_OF_ALL_KINDS.items() if kind in {word, *same_kind} for other in group}
    return {word, *map(stem, same_kind | narrower)}


def _of_the_named(facts: Sequence[str], found: Sequence[int]) -> set[int]:
    """Facts that name who was found (`Max is afraid of thunder`), or their kind where there is only one of it."""
    more: set[int] = set()
    for index in found:
        named = _NAMED.search(facts[index])
        for name in re.split(r", | and ", named["names"]) if named else ():
            more |= {other for other, fact in enumerate(facts) if re.search(rf"\b{re.escape(name)}\b", fact)}
        kind = _KIND_OF.match(facts[index])
        if kind and sum(kind["kind"].lower() in content(fact) and fact.startswith("Has ") for fact in facts) == 1:
            start = f"{kind['kind']} ".lower()
            more |= {
                other for other, fact in enumerate(facts) if fact.lower().startswith((start, start.strip() + "'s "))
            }
    return more
