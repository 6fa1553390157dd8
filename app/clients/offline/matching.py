"""Whether two facts speak of the same thing, in the same words or in others."""

import re

from app.clients.offline.patterns import any_of
from app.clients.offline.sentences import content, stem
from app.clients.offline.voice import uncapital
from app.clients.offline.words import (
    DIETS,
    FAMILY_KIN,
    MARITAL,
    OCCUPATIONS,
    ONE_AT_A_TIME,
    PET_KINDS,
    PETS,
    RELATIONS,
    STANDINGS,
)

_LIKING = re.compile(
    r"(?P<verb>Likes|Loves|Enjoys|Adores|Is (?:really |very )?(?:into|fond of)) (?P<thing>.+)", re.IGNORECASE
)
_DISLIKING = re.compile(
    r"(?P<verb>Dislikes|Hates|Does not (?:like|love|enjoy|want)|No longer (?:likes|loves|enjoys)|"
    r"Used to (?:like|love|enjoy)|Is not (?:into|fond of)) (?P<thing>.+)",
    re.IGNORECASE,
)
_NOT = re.compile(r"^(?:Is not|Does not|No longer|Is no longer|Cannot) ", re.IGNORECASE)

# A person has one of each, so that a new one replaces the old one without being called a correction.
_ONE: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (slot, re.compile(expression, re.IGNORECASE))
    for slot, expression in (
        ("home", r"(?:No longer lives|Lives|Resides|Is living|Is based) (?:in|at|near|on|outside|by) (?!their\b)"),
        (
            "job",
            (
                rf"(?:Works|No longer works) as |Job is |Is an? (?:[\w-]+ ){{0,3}}{any_of(OCCUPATIONS)}(?: (?:at|"
                rf"for|in) .*)?$|Is {any_of(STANDINGS)}\b"
            ),
        ),
        ("employer", r"(?:Works|No longer works) (?:as .+ )?(?:at|for) "),
        ("birthday", r"Birthday is |Was born on "),
        ("age", r"(?:Is|Was) \d+ years old"),
        ("pronouns", r"Uses .+ pronouns|Pronouns are "),
        ("diet", rf"Is (?:not )?(?:an? )?(?:strict |lifelong )?{any_of(DIETS)}\b"),
        ("marriage", rf"Is {any_of(MARITAL)}\b"),
        ("origin", r"Is from "),
        ("waking", r"Wakes up (?:at|around|by) "),
        ("bedtime", r"Goes to bed (?:at|around|by) "),
        ("length of replies", r"Prefers (?:short|brief|long|simple|concise|detailed) replies"),
        ("language of replies", r"Prefers replies in "),
        ("height", r"Is .+ tall$"),
    )
)
_PET_OF = re.compile(
    rf"(?:Has|No longer has|Does not have) (?:an? )(?:[\w-]+ )*?(?P<kind>{any_of(PETS)})\b", re.IGNORECASE
)
_KIN_OF = re.compile(rf"(?:Has|No longer has) an? (?:[\w-]+ )*?(?P<kind>{any_of(RELATIONS)})\b", re.IGNORECASE)
_COUNT_OF = re.compile(
    rf"(?:Has|Does not have) (?:two|three|four|five|six|seven|eight|nine|ten|several|no|any|\d+) (?:[\w-]+ )*?"
    rf"(?P<kind>{any_of(PETS | RELATIONS)})\b",
    re.IGNORECASE,
)
_AGE_OF = re.compile(r"(?P<of>[\w' -]{2,40}) (?:is|was|were) [\w, ]+ (?:year|month|week)s? old\b.*", re.IGNORECASE)
_HOME_OF = re.compile(r"(?P<of>[A-Z][\w'-]*(?<!s)) lives (?:in|at|near) ")
_NOUN_IS = re.compile(r"(?P<of>[\w' /-]{2,60}?) (?:is|are) ", re.IGNORECASE)
_LEADING_VERB = re.compile(r"(?:Is|Was|Has|Does|Likes|Loves|Lives|Works|Goes|Wants|Uses|No|Used|Can|Gets|Got)\b")
# Several of each may be true at once, so these replace only when the person says that something was wrong.
_SEVERAL = re.compile(
    r"(?P<slot>Drives|Plays|Studies|Is allergic to|Takes|Supports|Owns|Wears|Speaks|Works in|Works on|Goes to) "
)
_EVENT = re.compile(
    r"Has .*\b(?P<slot>appointment|meeting|interview|exam|flight|surgery|trip|party|wedding)\b", re.IGNORECASE
)


def normal(sentence: str) -> str:
    """The sentence for comparing: without case, blanks and punctuation."""
    return " ".join(re.findall(r"[^\W_]+", sentence.casefold()))


def same(first: str, second: str) -> bool:
    return normal(first) == normal(second)


def tells_of(sentence: str, fact: str) -> bool:
    """Whether the fact says at least what the sentence does: `Likes black coffee` tells of `Likes coffee`."""
    liking, liked = _LIKING.match(sentence), _LIKING.match(fact)
    if liking and liked:
        # "I like you" names no thing, and nothing is part of everything.
        return holds(liked["thing"], liking["thing"])
    if same_kind(sentence, fact):
        return True
    first, _, rest = sentence.partition(" ")
    return fact.lower().startswith(first.lower()) and holds(fact, rest)


def holds(fact: str, words: str) -> bool:
    """Whether the fact speaks of all that the words name; words that name nothing are held by none."""
    named = set(content(words))
    return bool(named) and named <= set(content(fact))


def taste(sentence: str) -> tuple[bool, set[str]] | None:
    """Whether it tells of a liking or of a dislike, and of what; None where it tells of neither."""
    for liked, expression in ((True, _LIKING), (False, _DISLIKING)):
        found = expression.fullmatch(sentence)
        if found:
            return liked, set(content(found["thing"]))
    return None


def denies(sentence: str) -> bool:
    return _NOT.match(sentence) is not None


def bare(sentence: str) -> list[str]:
    """What the sentence speaks of, whether it says so or denies it."""
    return content(_NOT.sub("", sentence))


def slots(sentence: str) -> set[str]:
    """What a fact settles that can have only one answer at a time."""
    found = {slot for slot, expression in _ONE if expression.match(sentence)}
    kin = _KIN_OF.match(sentence)
    if kin and kin["kind"].lower() in ONE_AT_A_TIME:
        found.add(f"kin {_kin_group(kin['kind'])}")
    count = _COUNT_OF.match(sentence)
    if count:
        found.add(f"number of {stem(count['kind'])}")
    age = _AGE_OF.fullmatch(sentence)
    if age and not found:
        found.add(f"age of {' '.join(content(age['of']))}")
    home = _HOME_OF.match(sentence)
    if home:
        found.add(f"home of {home['of'].lower()}")
    noun = _NOUN_IS.match(sentence)
    if noun and not found and not _LEADING_VERB.match(sentence) and noun["of"].lower() not in PETS | RELATIONS:
        found.add(f"noun {' '.join(content(noun['of'])) or noun['of'].lower()}")
    return found


def _kin_group(kind: str) -> str:
    group = next((group for group in FAMILY_KIN if kind.lower() in group), None)
    return min(group) if group else kind.lower()


def shares_words(first: str, second: str) -> bool:
    """Whether both begin with the same word and have more than that in common."""
    return first.split(maxsplit=1)[0] == second.split(maxsplit=1)[0] and bool(
        set(content(first)[1:]) & set(content(second)[1:])
    )


def same_several(first: str, second: str) -> bool:
    """Whether both tell of something of which there may be several: two cars, two appointments."""
    found = [(several.match(first), several.match(second)) for several in (_SEVERAL, _EVENT)]
    return any(one and other and one["slot"].lower() == other["slot"].lower() for one, other in found)


def _kind(expression: re.Pattern[str], sentence: str) -> str | None:
    found = expression.match(sentence)
    if found is None:
        return None
    word = found["kind"].lower()
    return next((kind for kind, words in PET_KINDS.items() if word in words and kind != "other"), _kin_group(word))


def kinds_of(sentence: str) -> set[str]:
    """The kind of pet and of relative that the sentence tells of."""
    return {kind for kind in (_kind(_PET_OF, sentence), _kind(_KIN_OF, sentence)) if kind}


def same_kind(first: str, second: str) -> bool:
    """Whether both tell of one pet or relative of the same kind, of whom there may be two."""
    return bool(kinds_of(first) & kinds_of(second))


def over(fact: str) -> str:
    """The fact that says that a fact is over: `Works as a cook` → `No longer works as a cook`."""
    if re.match(r"(?:Cannot|Does not) (?:eat|drink|have|tolerate|digest)\b", fact):
        return re.sub(r"^(?:Cannot|Does not)", "Can", fact)
    return re.sub(r"^Is ", "Is no longer ", fact) if fact.startswith("Is ") else f"No longer {uncapital(fact)}"
