"""Subjects to be forgotten ("my sister"), sentences that name one, and sentences that go on about it: pure.

A sentence names somebody by a word ("my sister"), a name ("Anna") or a pronoun. "My sister Anna", said anywhere, ties
word and name: to forget one is to forget the other. A doubtful sentence counts as going on about the subject.
The words are data: kin.toml, subjects.toml.
"""

import json
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from app.clock import MONTHS, WEEKDAYS
from app.errors import Refused
from app.text.word_files import expressions, read_words
from app.text.wording import MEASURES, normalise, one_line, stems

MAX_SUBJECT_CHARS = 100  # Longer than any name; more is a story and not a subject.

_READ = read_words(__file__, "kin.toml")
_WOMEN, _MEN, _OTHERS = (tuple(frozenset(group.split()) for group in _READ[of]) for of in ("women", "men", "others"))
_KIN = (*_WOMEN, *_MEN, *_OTHERS)
_ONE_WORD = (*_KIN, frozenset(("birthday", "bday")))
_KIN_WORDS = frozenset().union(*_KIN)
CALENDAR = frozenset((*WEEKDAYS, *MONTHS))
_FOUND_BY = read_words(__file__, "subjects.toml")
_SAYS = expressions(_FOUND_BY["expressions"])
_NAMES_NOTHING = MEASURES | stems(f"{' '.join(CALENDAR)} {_FOUND_BY['names_nothing']}")
_EVERYTHING = re.compile(r"(?:everything|anything|nothing|all|all of it|it all|that|this|it|me|myself)", re.IGNORECASE)
OWNED, _LEAD, _PRONOUN, _AS_OBJECT, _SOMETHING, _SOMEBODY = (
    re.compile(_SAYS[name], re.IGNORECASE)
    for name in ("owned", "lead", "pronoun", "as_object", "something", "somebody")
)
_POSSESSIVE = re.compile(r"['’]s\b")
_ASKING = re.compile(r"^(?:where|when|why|how(?: much| many| old)?) (?=\w)", re.IGNORECASE)  # "where my keys hang"
_NAME = _SAYS["name"]


@dataclass(frozen=True)
class Subject:
    """A person or thing that a sentence can name."""

    said: str  # As the person put it: `my sister`.
    words: tuple[frozenset[str], ...] = ()
    """Groups of stems, see `wording.stems`; a sentence with a stem of every group names the subject."""
    names: frozenset[str] = frozenset()  # Lower case; a sentence with one of them names it.
    others: frozenset[str] = frozenset()
    """Names of others called by the same words; a sentence with such a name is about that other."""

    def is_named_in(self, sentence: str) -> bool:
        if holds_one_of(self.names, sentence):
            return True
        if not self.words or holds_one_of(self.others, sentence):
            return False
        said = stems(_POSSESSIVE.sub("", sentence))
        return all(group & said for group in self.words)

    @property
    def kin(self) -> frozenset[str]:
        """Stems of its words for somebody close; empty for a thing ("my sister's flat")."""
        return self.words[0] & _KIN_STEMS if len(self.words) == 1 else frozenset()

    @property
    def searched(self) -> str:
        """All words for finding sentences that name it."""
        return " ".join(sorted({*self.names, *(word for group in self.words for word in group), *self.said.split()}))

    def as_text(self) -> str:
        """JSON kept with the change that forgot it; `of_text` reads it."""
        return json.dumps(vars(self), default=sorted, ensure_ascii=False)

    @classmethod
    def of_text(cls, text: str) -> "Subject":
        kept = json.loads(text)
        words = tuple(map(frozenset, kept["words"]))
        return cls(kept["said"], words, frozenset(kept["names"]), frozenset(kept["others"]))


def subject(said: str) -> Subject:
    """Parse the words for a subject, without looking at any text.

    Raises:
        Refused: they name nothing, name too much, or are too long for a subject.
    """
    bare = _LEAD.sub("", one_line(said).strip(" .,;:!?'\"")).strip()
    if len(bare) > MAX_SUBJECT_CHARS:
        raise Refused(
            f"What is to be forgotten has {len(bare)} characters; at most {MAX_SUBJECT_CHARS} can be given. Name it in "
            "a few words, such as 'my exam'."
        )
    plain = _ASKING.sub("", _POSSESSIVE.sub("", bare))
    plain = OWNED.sub("", plain, count=1) if OWNED.match(plain) else plain
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
    kin = [word for word in telling if word.casefold() in _KIN_WORDS]
    names = [word for word in telling if word[0].isupper() and word.casefold() not in _KIN_WORDS | CALENDAR]
    if len(names) == 1 and len(telling) == 1 + len(kin[:1]):
        return Subject(bare, _groups(kin), frozenset({normalise(names[0])}))
    return Subject(bare, _groups(telling))


def with_names(one: Subject, texts: Sequence[str]) -> Subject:
    """The subject with the names that these texts tie to its word, or with the words that they tie to its name."""
    own, said = one.names, frozenset({normalise(one.said)})
    if not own and len(one.words) == 1 and not one.kin and _kin_of(said, texts):
        own, one = said, replace(one, words=())  # A name in lower case.
    if own:
        bearers = [kin for kin in _KIN if one.words and one.words[0] <= _stems_of(kin)] or _kin_of(own, texts)
        words = (frozenset().union(*map(_stems_of, bearers)),) if bearers else ()
        tied = frozenset().union(*(_named(kin, texts) for kin in bearers))
        return replace(one, words=words, names=own, others=tied - own)
    if len(one.words) == 1:
        last = frozenset({one.said.split()[-1].casefold()})
        nouns = next((kin for kin in _KIN if one.words[0] <= _stems_of(kin)), last)
        return replace(one, names=_named(nouns, texts))
    return one


def joined_subjects(said: Sequence[str]) -> str:
    """Subjects as shown to the person: `your sister and your exam`."""
    yours = [re.sub(r"\b(?:my|our)\b", "your", one, flags=re.IGNORECASE) for one in said]
    return " and ".join(filter(None, (", ".join(yours[:-1]), *yours[-1:])))


def times(count: int) -> str:
    """`once`, `2 times`."""
    return "once" if count == 1 else f"{count} times"


def _groups(words: Iterable[str]) -> tuple[frozenset[str], ...]:
    return tuple(
        next((_stems_of(same) for same in _ONE_WORD if word.casefold() in same), frozenset(stems(word)))
        for word in words
    )


def _stems_of(words: Iterable[str]) -> frozenset[str]:
    return frozenset().union(*map(stems, words))


_KIN_STEMS = _stems_of(_KIN_WORDS)
_WOMEN_WORDS, _MEN_WORDS = frozenset().union(*_WOMEN), frozenset().union(*_MEN)


def _named(nouns: frozenset[str], texts: Sequence[str]) -> frozenset[str]:
    """Names in the texts of somebody called by one of these words, in lower case."""
    noun = "|".join(map(re.escape, sorted(nouns)))
    said_of = _SAYS["called"] + ("?" if nouns & _KIN_WORDS else "")
    patterns = [rf"\b(?i:{noun})(?i:s)?{said_of}(?P<names>{_SAYS['listed']})"]
    if nouns & _KIN_WORDS:  # A thing needs a "called": "the exam, Anna said" names no exam.
        patterns += [
            rf"\b(?i:{noun}){_SAYS['apart']}(?P<names>{_NAME}){_SAYS['alone']}",
            rf"{_SAYS['no_pronoun']}(?P<names>{_NAME}){_SAYS['being']}{_SAYS['somebodys']}(?i:{noun}){_SAYS['closed']}",
            rf"{_SAYS['first']}(?P<names>{_NAME}),\s?{_SAYS['somebodys']}(?i:{noun})\b(?!['’]s)",
            rf"{_SAYS['opening']}(?P<names>{_NAME}) {_SAYS['somebodys']}(?i:{noun}){_SAYS['does']}",
            rf"{_SAYS['before']}(?P<names>{_NAME}){_SAYS['beside']}{_SAYS['somebodys']}(?i:{noun}){_SAYS['behind']}",
        ]
    found = set()
    held = [text for text in texts if re.search(rf"\b(?i:{noun})", text)]  # The patterns take far longer.
    for match in (match for text in held for pattern in patterns for match in re.finditer(pattern, text)):
        for place, name in enumerate(re.split(r", and | and |, ", match["names"])):
            bare = _POSSESSIVE.sub("", name)
            plain = normalise(bare)
            is_name = bare[0].isupper() or (match.groupdict().get("called") and place == 0)
            if is_name and stems(plain) and plain not in _NO_NAMES | _KIN_WORDS:
                found.add(plain)
    return frozenset(found)


def holds_one_of(names: Collection[str], sentence: str) -> bool:
    """True if the sentence holds one of these names of a `Subject`."""
    said = f" {normalise(_POSSESSIVE.sub('', sentence))} " if names else ""  # "Anna-Lena" is two words of it.
    return any(f" {name} " in said for name in names)


def _kin_of(names: frozenset[str], texts: Sequence[str]) -> list[frozenset[str]]:
    """Groups of words for somebody close by which the texts call a bearer of one of these names."""
    held = [text for text in texts if holds_one_of(names, text)]
    return [kin for kin in _KIN if _named(kin, held) & names]


_STARTS_WITH = re.compile(r"^\W*(?:(?:and|but|so|then|now|today|yesterday) )*(?P<who>she|he)\b", re.IGNORECASE)
_KIN_NAMED = re.compile(rf"\b(?P<kin>(?i:{'|'.join(sorted(_KIN_WORDS, key=len, reverse=True))}))\b(?: [A-Z][\w-]+)?")
_CAPITAL = re.compile(_SAYS["capital"])
_AT_A_PLACE = re.compile(r"\b(?:in|near|into|at|around|to|from) $", re.IGNORECASE)
_NO_NAMES = CALENDAR.union(_FOUND_BY["no_names"].split())


def pronoun_of(words: frozenset[str]) -> str | None:
    """*she* or *he* if the stems name a woman or a man of the family; None for neither or both."""
    she, he = (bool(_stems_of(kin) & words) for kin in (_WOMEN_WORDS, _MEN_WORDS))
    return None if she == he else ("she" if she else "he")


def continues_subject(sentence: str, pronoun: str | None, *, aside: bool) -> bool:
    """True if a pronoun in the sentence may stand for the thing spoken of: nothing else it may mean stands before it.

    `pronoun` is *she* or *he* for that thing, None if unknown. `aside` means that something else was named since, for
    which other pronouns may stand, but not that one.
    """
    for found in _PRONOUN.finditer(sentence):
        named = pronouns_for(sentence[: found.start()])
        if pronoun is None or found[pronoun] is None:
            if not aside and not named:
                return True
        # "Our mother is with her": subject and object are two different people.
        elif _AS_OBJECT.match(sentence, found.start()) or not named & {pronoun, "any"}:
            return True
    return False


def pronoun_at_start(sentence: str) -> str | None:
    """The pronoun that begins the sentence, as *she* in "She moved"; None if none does."""
    begun = _STARTS_WITH.match(sentence)
    return begun["who"].lower() if begun is not None else None


def pronouns_for(words: str) -> set[str]:
    """Pronouns for the people and things the words name: `she`, `he`, `thing`, or `any` if it is not known which."""
    named = set()
    for found in _KIN_NAMED.finditer(words):
        kin = found["kin"].casefold()
        named.add("she" if kin in _WOMEN_WORDS else "he" if kin in _MEN_WORDS else "any")
    rest = _KIN_NAMED.sub("", words)
    for found in _SOMETHING.finditer(rest):
        named.add("any" if _SOMEBODY.search(found[0]) else "thing")
    for found in _CAPITAL.finditer(rest):
        if found[0].casefold() not in _NO_NAMES and not found[0].endswith("ing"):
            named.add("thing" if _AT_A_PLACE.search(rest[: found.start()]) else "any")
    return named
