"""The subject that a person means by "my sister", and the sentences that name it: pure.

Somebody is spoken of by a word ("my sister") and by a name ("Anna"); what ties the two is said somewhere: "my sister
Anna", "has a sister named Anna". Who forgets the one forgets the other.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from app.clock import MONTHS, WEEKDAYS
from app.errors import Refused
from app.text.wording import MEASURES, normalise, one_line, stems

MAX_SUBJECT_CHARS = 100  # Longer than anything is called; what says more is a story and not a subject.

# Words for somebody close of whom there is mostly one: a name that is tied to such a word stands for it. All words of a
# group are one word here, in whatever language: "meine Schwester" is who the fact calls "sister".
_KIN = tuple(
    frozenset(group.split())
    for group in (
        "mother mom mum mama mommy mummy madre mutter mère mãe moeder",
        "father dad papa daddy padre vater père pai vader",
        "grandmother grandma granny nana abuela oma grossmutter großmutter nonna avó",
        "grandfather grandpa granddad abuelo opa grossvater großvater nonno avô",
        "sister sis hermana schwester soeur sœur sorella irmã zus",
        "brother bro hermano bruder frère fratello irmão broer",
        "wife esposa ehefrau moglie",
        "husband esposo marido ehemann marito",
        "fiance fiancee fiancé fiancée",
        "aunt auntie",
        "dog puppy doggy doggie perro perra hund hündin chien chienne cachorro cadela hond",
        "cat kitten kitty gato gata katze gatto gatta",
        "son hijo sohn filho figlio zoon",
        "daughter hija tochter filha figlia dochter",
        "rabbit bunny",
        "horse pony",
        "roommate flatmate",
        *"spouse partner girlfriend boyfriend uncle cousin niece nephew stepmother stepfather parrot "
        "hamster boss baby".split(),
    )
)
KIN_WORDS = frozenset().union(*_KIN)
_OF_WOMEN = frozenset("mother grandmother sister wife daughter aunt girlfriend niece stepmother".split())
_OF_MEN = frozenset("father grandfather brother husband son uncle boyfriend nephew stepfather".split())
WOMEN = frozenset().union(*(kin for kin in _KIN if kin & _OF_WOMEN))
MEN = frozenset().union(*(kin for kin in _KIN if kin & _OF_MEN))
CALENDAR = frozenset((*WEEKDAYS, *MONTHS))
# What is said of any day and of anything: all that was told on a day would go with it.
_NAMES_NOTHING = MEASURES | stems(
    f"{' '.join(CALENDAR)} last next past coming this today yesterday tomorrow tonight ago earlier later recently "
    "thing stuff something somebody someone everybody everyone other"
)
_EVERYTHING = re.compile(r"(?:everything|anything|nothing|all|all of it|it all|that|this|it|me|myself)", re.IGNORECASE)
OWNED = re.compile(
    r"(?:my|our|mis?|nuestr[oa]s?|mein(?:e[nmrs]?)?|unser(?:e[nmrs]?)?|mon|ma|mes|notre|mi[oa]|nostr[oa]|meus?|minhas?|"
    r"noss[oa]s?|mijn) +(?=\S)",
    re.IGNORECASE,
)
"""How words begin that name something of the person's own."""
_POSSESSIVE = re.compile(r"['’]s\b")
_LEAD = re.compile(
    r"^(?:(?:everything|all|anything|whatever|what)\b(?: (?:that|of|i|you|we|know|knew|said|told|have|remember|me)\b)*"
    r" )?(?:about|on|of)\s+",
    re.IGNORECASE,
)
_CALLED = r"(?:named|called|llamad[oa]|que se llama|namens|appelée?|nommée?|chiamat[oa]|chamad[oa]|genaamd) "
_NAME = r"[^\W\d_][\w'’-]+"
_LISTED = rf"{_NAME}(?:(?:, | and |, and ){_NAME})*"


@dataclass(frozen=True)
class Subject:
    """Something that a sentence may name."""

    said: str
    """As the person put it: `my sister`."""
    words: tuple[frozenset[str], ...] = ()
    """Stems, as `wording.stems` makes them: a sentence names it that has one of each of these groups."""
    names: frozenset[str] = frozenset()
    """In lower case: one of them is enough."""
    others: frozenset[str] = frozenset()
    """Names of others who bear the same words: a sentence that names one of them is about that one."""

    def is_named_in(self, sentence: str) -> bool:
        bare = _POSSESSIVE.sub("", sentence)
        named = frozenset(normalise(bare).split()) if self.names or self.others else frozenset()
        if named & self.names:
            return True
        if not self.words or named & self.others:
            return False
        said = stems(bare)
        return all(group & said for group in self.words)

    @property
    def kin(self) -> frozenset[str]:
        """The words for somebody close that it goes by, as stems; none for a thing ("my sister's flat")."""
        return self.words[0] & _KIN_STEMS if len(self.words) == 1 else frozenset()

    @property
    def searched(self) -> str:
        """All words by which a sentence that names it may be found."""
        return " ".join(sorted({*self.names, *(word for group in self.words for word in group), *self.said.split()}))

    def as_text(self) -> str:
        """As it is kept with the change that forgot it."""
        return json.dumps(
            {
                "said": self.said,
                "words": [sorted(group) for group in self.words],
                "names": sorted(self.names),
                "others": sorted(self.others),
            },
            ensure_ascii=False,
        )

    @classmethod
    def of_text(cls, text: str) -> "Subject":
        kept = json.loads(text)
        return cls(
            kept["said"],
            tuple(frozenset(group) for group in kept["words"]),
            frozenset(kept["names"]),
            frozenset(kept["others"]),
        )


def subject(said: str) -> Subject:
    """The subject of such words, by them alone.

    Raises:
        Refused: they name nothing, or say too much to be one subject.
    """
    bare = _LEAD.sub("", one_line(said).strip(" .,;:!?'\"")).strip()
    if len(bare) > MAX_SUBJECT_CHARS:
        raise Refused(
            f"What is to be forgotten has {len(bare)} characters; at most {MAX_SUBJECT_CHARS} can be given. Name it in "
            "a few words, such as 'my exam'."
        )
    plain = OWNED.sub("", _POSSESSIVE.sub("", bare), count=1) if OWNED.match(bare) else _POSSESSIVE.sub("", bare)
    written = [word for word in re.findall(r"[^\W_]+(?:[-'’][^\W_]+)*", plain) if stems(word)]
    telling = [word for word in written if not stems(word) <= MEASURES] or written
    if telling and all(stems(word) <= _NAMES_NOTHING or word.isdigit() for word in telling):
        raise Refused(
            f"'{bare[:60]}' is said of too much: whatever was told with it would go. Name what is to be forgotten in a "
            "few words, such as 'my exam'."
        )
    if not telling or _EVERYTHING.fullmatch(bare):
        raise Refused(
            f"'{bare[:60]}' names nothing that could be forgotten. Name it in a few words, such as 'my exam'."
        )
    kin = [word for word in telling if word.casefold() in KIN_WORDS]
    names = [word for word in telling if word[0].isupper() and word.casefold() not in KIN_WORDS | CALENDAR]
    if len(names) == 1 and len(telling) == 1 + len(kin[:1]):
        return Subject(bare, _groups(kin), frozenset({normalise(names[0])}))
    return Subject(bare, _groups(telling))


def with_names(one: Subject, texts: Sequence[str]) -> Subject:
    """The subject as these texts know it: with the names that are tied to its word, or the word tied to its name."""
    if not one.names and len(one.words) == 1:
        [group] = one.words
        if not group & _KIN_STEMS and (bearers := _kin_of(group, texts)):
            tied = frozenset().union(*(_named(kin, texts) for kin in bearers))
            own = frozenset({normalise(one.said)})
            return Subject(one.said, (frozenset().union(*map(_stems_of, bearers)),), own, tied - own)
        nouns = next((kin for kin in _KIN if group <= _stems_of(kin)), frozenset({one.said.split()[-1].casefold()}))
        return replace(one, names=_named(nouns, texts))
    if one.names:
        bearers = [kin for kin in _KIN if one.words and one.words[0] <= _stems_of(kin)] or _kin_of(one.names, texts)
        tied = frozenset().union(*(_named(kin, texts) for kin in bearers))
        words = (frozenset().union(*map(_stems_of, bearers)),) if bearers else ()
        return replace(one, words=words, others=tied - one.names)
    return one


def joined_subjects(said: Sequence[str]) -> str:
    """Subjects as they are put to the person: `your sister and your exam`."""
    yours = [re.sub(r"\b(?:my|our)\b", "your", one, flags=re.IGNORECASE) for one in said]
    return " and ".join(filter(None, (", ".join(yours[:-1]), *yours[-1:])))


def times(count: int) -> str:
    """`once`, `2 times`."""
    return "once" if count == 1 else f"{count} times"


def _groups(words: Iterable[str]) -> tuple[frozenset[str], ...]:
    return tuple(
        next((_stems_of(kin) for kin in _KIN if word.casefold() in kin), frozenset(stems(word))) for word in words
    )


def _stems_of(words: Iterable[str]) -> frozenset[str]:
    return frozenset().union(*map(stems, words))


_KIN_STEMS = _stems_of(KIN_WORDS)


def _named(nouns: frozenset[str], texts: Sequence[str]) -> frozenset[str]:
    """The names that the texts give to whom they call by one of these words."""
    noun = "|".join(map(re.escape, sorted(nouns)))
    said_of = rf"(?:['’]s name)? (?:is |was |are |were )?(?P<called>{_CALLED}){'?' if nouns & KIN_WORDS else ''}"
    patterns = [rf"\b(?i:{noun})(?i:s)?{said_of}(?P<names>{_LISTED})"]
    if nouns & KIN_WORDS:  # "The exam, Anna said": of a thing only what it is called is its name.
        patterns += [
            rf"\b(?i:{noun}), (?P<names>{_NAME})(?=,|\.|$)",
            rf"(?P<names>{_NAME}),? (?:(?:is|was) )?(?:my|our|their|his|her) (?:[a-z]+ )?(?i:{noun})\b",
        ]
    found = set()
    for text in texts:
        for match in (match for pattern in patterns for match in re.finditer(pattern, text)):
            called = match.groupdict().get("called")
            for place, name in enumerate(re.split(r", and | and |, ", match["names"])):
                bare = _POSSESSIVE.sub("", name)
                if (bare[0].isupper() or (called and place == 0)) and _is_a_name(bare):
                    found.add(normalise(bare))
    return frozenset(found)


def _is_a_name(word: str) -> bool:
    plain = normalise(word)
    return bool(stems(plain)) and plain not in CALENDAR and plain not in KIN_WORDS


def _kin_of(names: frozenset[str], texts: Sequence[str]) -> list[frozenset[str]]:
    """By which words for somebody close the texts call who bears one of these names."""
    held = [text for text in texts if names & frozenset(normalise(_POSSESSIVE.sub("", text)).split())]
    return [kin for kin in _KIN if _named(kin, held) & names]
