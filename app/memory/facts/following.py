"""Sentences that go on about what was spoken of before, and how far they do: pure.

"She is moving to Berlin" goes on about a sister until somebody is named whom *she* may stand for: a father is not, nor
is the bread that she burned. Where it is in doubt whom a sentence means, it goes on.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from app.memory.facts.subject_names import KIN_WORDS, MEN, WOMEN
from app.text.wording import stems

_Kind = Literal["she", "he", "thing", "any"]

_PRONOUN = re.compile(
    r"\b(?:(?P<she>she|her|hers|herself)|(?P<he>he|him|his|himself)|they|them|their|theirs|themselves|it|its|itself)\b|"
    r"^\W*(?:and |but |so )?(?:this|that)(?:['’]s| is| was| will| makes| made| means| has| had)\b",
    re.IGNORECASE,
)
# "Our mother is with her": who does something and to whom it is done are two, unless it says "herself".
_OBJECT = re.compile(
    r"him\b|her(?=\W*$|\s*[,;:.!?)]| (?:in|on|at|to|for|from|with|and|or|but|because|when|while|since|until|till|after|"
    r"before|again|today|tonight|tomorrow|yesterday|now|there|here|every|all|as|an?|the|this|that|last|next|by|about|"
    r"up|out|off|home|back|very|so|too|more|often|always|daily|through|over|if|whenever|then)\b)",
    re.IGNORECASE,
)
_TOGETHER = re.compile(
    r"\b(?:we|us)\b.*\btogether\b|\b(?:the two|both) of us\b|\bwe (?:both|two)\b|\beach other\b|\bone another\b",
    re.IGNORECASE,
)
_STARTS_WITH = re.compile(r"^\W*(?:(?:and|but|so|then|now|today|yesterday) )*(?P<who>she|he)\b", re.IGNORECASE)
_END = re.compile(r"[.!?…]+(?=[\"”’')]*$)")
_BEGINS = r"(?=(?:she|he|it|they|we|I|you|this|that|my|our|her|his)\b)"
_CLAUSE = re.compile(
    r"\s*(?:;|,|\s[-–—])\s*(?:and|but|so|yet|while|because|although|though|which|as)\s+|\s*;\s+|"
    rf"(?:,\s*|\s*\(|\s+[-–—]+\s+|\s+(?:and|but|so|because|although|though|while)\s+){_BEGINS}",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    rf"^\W*(?:(?:my|our|your|his|her|their)\s+)?(?:\w+\s+)?(?:{'|'.join(sorted(KIN_WORDS))})\b", re.IGNORECASE
)
_SUBJECT_ALONE = re.compile(
    rf"{_SUBJECT.pattern}(?:\s+(?-i:[A-Z])[\w-]*)?\W*$", re.IGNORECASE
)  # "My brother Jim" and I.
_ANOTHER_SUBJECT = re.compile(r"\b(?:I|we|you|he|she|they|that)\b", re.IGNORECASE)

_TIMES = (
    r"(?:time|day|days|week|weeks|weekend|month|months|year|years|moment|minute|hour|hours|morning|evening|night|while|"
    r"bit|lot|little|way|other|same|first|last|next|whole|god|opinion|best|most|few|couple|kind|sort)\b"
)
_SOMETHING = re.compile(
    rf"\b(?:my|our|your|an?|the|these|those|another|some|his|her|their)\s+(?!{_TIMES}|very\b|so\b)"
    r"(?P<noun>[^\W\d_]{2,}(?:[ -][^\W\d_]+){0,2})",
    re.IGNORECASE,
)
# Whom a pronoun may stand for: broad on purpose where a word may be a person's, for else it is a thing.
_PEOPLE = re.compile(
    r"\b(?!(?:after|later|never|over|ever|together|under|either|other|another|rather|whether|dinner|supper|summer|winter|"
    r"water|weather|river|flowers?|letters?|papers?|numbers?|computer|soccer|burger|beer|butter|shower|door|floor|"
    r"mirror|color|odor|tractor|coffee|degree|committee|list|mist|dress|business|illness|stress|mess|access|success)\b)"
    r"(?:\w{2,}(?:er|or|ist|ess|ian|ee|man|woman|lady|mate|friend|body)s?|friends?|exe?s?|crush|nurses?|docs?|"
    r"coach|chef|cook|guide|clients?|patients?|students?|date|girls?|boys?|kids?|child|children|guys?|lady|ladies|"
    r"man|men|woman|women|people|persons?|colleagues?|neighbou?rs?|landlord|twins?|host|guests?|chief|interns?|"
    r"assistants?|vet|priest|judge|pal|buddy|bride|groom|parents|family|relatives?|pets?|bird|mare|one)\b",
    re.IGNORECASE,
)
_WITHIN = re.compile(r"(?<=[\w,;:'’)] )(?!I\b)[A-Z][\w'’-]+")
_AT_THE_START = re.compile(
    r"^\W*(?P<name>[A-Z][\w-]+)(?:['’]s\b| (?:is|was|has|had|will|can|and|does|did|just|never|always|\w{3,}(?:s|ed))\b)"
)
_AT_A_PLACE = re.compile(
    r"\b(?:in|near|into|at|around|(?:mov|fl[yei]|travel|go|went|com|came|drov|driv|return|trip|flight|train)\w*"
    r"(?: back)? (?:to|from)) $",
    re.IGNORECASE,
)
_KIN = re.compile(
    rf"\b(?P<kin>(?i:{'|'.join(sorted(KIN_WORDS, key=len, reverse=True))}))\b(?:,? (?P<name>[A-Z][\w-]+))?",
)
_NO_NAMES = frozenset(
    "i it its that this there what who how when where why which here everything nothing something someone everyone "
    "nobody today tomorrow yesterday monday tuesday wednesday thursday friday saturday sunday january february march "
    "april may june july august september october november december then now also maybe we you they he she".split()
)
_WOMEN, _MEN = (frozenset().union(*map(stems, words)) for words in (WOMEN, MEN))


def pronoun_of(words: Collection[str]) -> str | None:
    """*she* or *he* where the stems tell of a woman or of a man of the family, and not of both."""
    she, he = not _WOMEN.isdisjoint(words), not _MEN.isdisjoint(words)
    return None if she == he else ("she" if she else "he")


@dataclass(frozen=True)
class Follow:
    """What was spoken of, as far as it matters for what goes on about it."""

    pronoun: str | None = None
    """*she* or *he*; None where neither is known."""
    aside: bool = False
    """Whether something else was named since, for which that pronoun cannot stand: the others may."""

    def resumed(self) -> "Follow":
        """Spoken of once more."""
        return replace(self, aside=False)

    def heard(self, sentence: str) -> tuple[str, "Follow | None"]:
        """What of the sentence speaks of something else, and what is followed after it: None for nothing any more."""
        clauses = list(_clauses(sentence))
        goes_on = [self._goes_on(sentence, start, end) for start, end in clauses]
        if not any(goes_on):
            return sentence, self._after(sentence)
        begun = _STARTS_WITH.match(sentence)
        learned = replace(self, pronoun=self.pronoun or (begun["who"].lower() if begun and not self.aside else None))
        first = sentence[slice(*clauses[0])]
        if goes_on[0] or not _named(first):
            return "", learned
        kept = "".join(
            sentence[(clauses[place - 1][1] if place else start) : end]
            for place, (start, end) in enumerate(clauses)
            if not goes_on[place]
        )
        marks = _END.search(sentence)
        kept = kept.rstrip(" .!?…" if kept.count("(") == kept.count(")") else " .!?…)")
        return kept + (marks[0] if marks else ""), replace(learned, aside=True)

    def _goes_on(self, sentence: str, start: int, end: int) -> bool:
        """Whether the clause between these places goes on about it."""
        of_others = False
        for found in _PRONOUN.finditer(sentence, start, end):
            own = self.pronoun is not None and found[self.pronoun] is not None
            of_another = _OBJECT.match(sentence, found.start()) and _does_it(sentence[start : found.start()])
            named = _named(sentence[: start if own and of_another else found.start()])
            if not (named & {self.pronoun, "any"} if own else named or self.aside):
                return True
            of_others |= bool(found["she"] or found["he"])
        together = _TOGETHER.search(sentence, start, end) is not None
        return together and not of_others and _named(sentence) <= {"thing"}

    def _after(self, sentence: str) -> "Follow | None":
        named = _named(sentence)
        if not named:
            return self
        return None if self.pronoun is None or named & {self.pronoun, "any"} else replace(self, aside=True)


def _does_it(clause: str) -> bool:
    """Whether somebody of the family, with whom the clause begins, is still who does what it says."""
    subject = _SUBJECT.match(clause)
    return subject is not None and _ANOTHER_SUBJECT.search(clause, subject.end()) is None


def _clauses(sentence: str) -> Iterator[tuple[int, int]]:
    start = 0
    for found in _CLAUSE.finditer(sentence):
        if _SUBJECT_ALONE.match(sentence[start : found.start()]) is None:
            yield start, found.start()
            start = found.end()
    yield start, len(sentence)


def _named(words: str) -> set[_Kind]:
    """What is named that a pronoun may stand for, by the pronoun; `any` where that is not known."""
    named: set[_Kind] = set()
    of_kin = set()
    for found in _KIN.finditer(words):
        of_kin.add(found.start("name"))
        kin = found["kin"].casefold()
        named.add("she" if kin in WOMEN else "he" if kin in MEN else "any")
    for found in _SOMETHING.finditer(words):
        if not KIN_WORDS & frozenset(found["noun"].casefold().split()):
            named.add("any" if _PEOPLE.search(found["noun"]) else "thing")
    first = _AT_THE_START.match(words)
    if first is not None and first["name"].casefold() not in _NO_NAMES and not first["name"].endswith("ing"):
        named |= set() if first["name"].casefold() in KIN_WORDS else {"any"}
    for found in _WITHIN.finditer(words):
        if found.start() not in of_kin and found[0].casefold() not in _NO_NAMES | KIN_WORDS:
            named.add("thing" if _AT_A_PLACE.search(words[: found.start()]) else "any")
    return named
