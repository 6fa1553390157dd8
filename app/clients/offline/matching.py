"""Which facts speak of the same thing: what a correction replaces, and what "forget about my dog" means."""

import re
from collections.abc import Sequence
from datetime import date

from app.clients.offline.patterns import A_PET, any_of
from app.clients.offline.sentences import content, stem
from app.clients.offline.statements import Said, statement
from app.clients.offline.tables.work import ANY_JOB, JOB_LOST, JOB_QUIT
from app.clients.offline.topics import OWN_ALLERGY
from app.clients.offline.voice import uncapital
from app.clients.offline.words import (
    DIETS,
    FAMILY_KIN,
    KIN_OF_ALL_KINDS,
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
        ("age", r"Is \d+ years old"),
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
_AGE_OF = re.compile(r"(?P<of>[\w' -]{2,40}) is \w+ years old", re.IGNORECASE)
_NOUN_IS = re.compile(r"(?P<of>[\w' /-]{2,60}?) (?:is|are) ", re.IGNORECASE)
_LEADING_VERB = re.compile(r"(?:Is|Was|Has|Does|Likes|Loves|Lives|Works|Goes|Wants|Uses|No|Used|Can|Gets|Got)\b")
# Several of each may be true at once, so these replace only when the person says that something was wrong.
_SEVERAL = re.compile(
    r"(?P<slot>Drives|Plays|Studies|Is allergic to|Takes|Supports|Owns|Wears|Speaks|Works in|Works on|Goes to) "
)
_EVENT = re.compile(
    r"Has .*\b(?P<slot>appointment|meeting|interview|exam|flight|surgery|trip|party|wedding)\b", re.IGNORECASE
)
_A_JOB = re.compile(r"Works (?:as|at|for) ")
_NAMED = re.compile(r"\b(?:named|called) (?P<names>[^,;]+(?:, [^,;]+)*)$")


def normal(sentence: str) -> str:
    """The sentence for comparing: without case, blanks and punctuation."""
    return " ".join(re.findall(r"[^\W_]+", sentence.casefold()))


def same(first: str, second: str) -> bool:
    return normal(first) == normal(second)


def replaced(said: Said, facts: Sequence[str]) -> int | None:
    """The index of the fact that `said` puts in the past, or None where it adds to what is known."""
    for test in (_ended, _opposite, _same_slot, _refined, _corrected):
        for index, fact in enumerate(facts):
            if not same(said.sentence, fact) and test(said, fact):
                return index
    return None


def _ended(said: Said, fact: str) -> bool:
    if said.ends == ANY_JOB:
        return _A_JOB.match(fact) is not None
    return said.ends is not None and _NOT.match(fact) is None and _tells_of(said.ends, fact)


def _tells_of(sentence: str, fact: str) -> bool:
    """Whether the fact says at least what the sentence does: `Likes black coffee` tells of `Likes coffee`."""
    liking, liked = _LIKING.match(sentence), _LIKING.match(fact)
    if liking and liked:
        # "I like you" names no thing, and nothing is part of everything.
        return _holds(liked["thing"], liking["thing"])
    kinds = {kind for kind in (_kind(_PET_OF, sentence), _kind(_KIN_OF, sentence)) if kind}
    if kinds and kinds & {_kind(_PET_OF, fact), _kind(_KIN_OF, fact)}:
        return True
    first, _, rest = sentence.partition(" ")
    return fact.lower().startswith(first.lower()) and _holds(fact, rest)


def _holds(fact: str, words: str) -> bool:
    """Whether the fact speaks of all that the words name; words that name nothing are held by none."""
    named = set(content(words))
    return bool(named) and named <= set(content(fact))


def _opposite(said: Said, fact: str) -> bool:
    mine, theirs = _taste(said.sentence), _taste(fact)
    if mine and theirs:
        if mine[0] != theirs[0]:
            return bool(mine[1]) and mine[1] <= theirs[1]
        return mine[1] == theirs[1]
    negated, plain = bool(_NOT.match(said.sentence)), bool(_NOT.match(fact))
    return negated != plain and _bare(said.sentence) == _bare(fact)


def _taste(sentence: str) -> tuple[bool, set[str]] | None:
    for liked, expression in ((True, _LIKING), (False, _DISLIKING)):
        found = expression.fullmatch(sentence)
        if found:
            return liked, set(content(found["thing"]))
    return None


def _bare(sentence: str) -> list[str]:
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
    noun = _NOUN_IS.match(sentence)
    if noun and not found and not _LEADING_VERB.match(sentence) and noun["of"].lower() not in PETS | RELATIONS:
        found.add(f"noun {' '.join(content(noun['of'])) or noun['of'].lower()}")
    return found


def _kin_group(kind: str) -> str:
    group = next((group for group in FAMILY_KIN if kind.lower() in group), None)
    return min(group) if group else kind.lower()


def _same_slot(said: Said, fact: str) -> bool:
    return bool(slots(said.sentence) & slots(fact))


def _refined(said: Said, fact: str) -> bool:
    """`Has a dog` is said better by `Has a dog named Rex`."""
    return said.sentence.lower().startswith(fact.lower().rstrip(".") + " named ")


def _corrected(said: Said, fact: str) -> bool:
    if not said.corrects:
        return False
    for expression in (_PET_OF, _KIN_OF):
        mine, theirs = _kind(expression, said.sentence), _kind(expression, fact)
        if mine and mine == theirs:
            return True
    for several in (_SEVERAL, _EVENT):
        first, second = several.match(said.sentence), several.match(fact)
        if first and second and first["slot"].lower() == second["slot"].lower():
            return True
    return said.sentence.split()[0] == fact.split(maxsplit=1)[0] and bool(
        set(content(said.sentence)[1:]) & set(content(fact)[1:])
    )


def _kind(expression: re.Pattern[str], sentence: str) -> str | None:
    found = expression.match(sentence)
    if found is None:
        return None
    word = found["kind"].lower()
    return next((kind for kind, words in PET_KINDS.items() if word in words and kind != "other"), _kin_group(word))


def same_kind(first: str, second: str) -> bool:
    """Whether both tell of one pet or relative of the same kind, of whom there may be two."""
    return any(
        _kind(expression, first) is not None and _kind(expression, first) == _kind(expression, second)
        for expression in (_PET_OF, _KIN_OF)
    )


def merged(sentence: str, fact: str) -> str:
    """A new employer keeps the job that the old fact names: `Works as a cook at Roma` → `Works as a cook at Luna`.

    A job that was quit is the one that the old fact names: `No longer works as a cook at Roma`.
    """
    if sentence in {JOB_QUIT, JOB_LOST} and _A_JOB.match(fact):
        return f"No longer {uncapital(fact)}"
    place = re.match(r"Works (?:at|for) (?P<place>.+)", sentence)
    job = re.match(r"(?P<job>Works as .+?) (?P<word>at|for) .+", fact)
    return f"{job['job']} {job['word']} {place['place']}" if place and job else sentence


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
        (r"(?:my )?age|how old i am", r"Is \d+ years old"),
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
        (r"(?:my )?(?:likes|preferences|tastes)|what i like", r"Likes|Loves|Enjoys|Prefers"),
        (r"(?:my )?dislikes|what i (?:dislike|hate|do not like)", r"Dislikes|Hates|Does not like"),
        (
            r"(?:my )?(?:health|medication|medicine|meds)",
            r"Takes|Has .*(?:asthma|diabetes)|Is allergic|Is diabetic|Was diagnosed",
        ),
        (r"(?:my )?(?:favou?rites?)", r".*favou?rite"),
        (r"(?:my )?(?:origin|hometown|nationality)|where i am from", r"Is from|Was born in [A-Z]|Grew up"),
    )
)


def concerned(facts: Sequence[str], query: str, today: date | None = None) -> list[int]:
    """The indexes of all facts that the query speaks of, in order."""
    claim = statement(query, today) if re.match(r"(?:I|we|my|our)\b", query, re.IGNORECASE) else None
    found = [index for index, fact in enumerate(facts) if claim and _claimed(claim, fact)]
    found = found or [index for index, fact in enumerate(facts) if _on_topic(query, fact)]
    found = found or _by_words(facts, query)
    return sorted(set(found) | _of_the_named(facts, found))


def _claimed(claim: Said, fact: str) -> bool:
    return same(claim.sentence, fact) or (_NOT.match(fact) is None and _tells_of(claim.sentence, fact))


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
        and not (owned and (_taste(fact) or re.search(r"\ballergic\b", fact)))
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
        kind = _PET_OF.match(facts[index]) or _KIN_OF.match(facts[index])
        if kind is None:
            continue
        for name in re.split(r", | and ", named["names"]) if named else ():
            more |= {other for other, fact in enumerate(facts) if re.search(rf"\b{re.escape(name)}\b", fact)}
        only = sum(kind["kind"].lower() in content(fact) and fact.startswith("Has ") for fact in facts) == 1
        if only:
            start = f"{kind['kind']} ".lower()
            more |= {
                other for other, fact in enumerate(facts) if fact.lower().startswith((start, start.strip() + "'s "))
            }
    return more
