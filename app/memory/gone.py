"""Words that were forgotten, and the part of what was said that may still be told: pure.

A sentence that speaks of it is left out, and so are those that go on about it ("She is moving to Berlin") until
something else is named: where it is in doubt what they speak of, they are left out. What asks to forget, and the
answer to it, are never told.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby

from app.memory.facts.following import Follow, pronoun_of
from app.memory.facts.subject_names import Subject
from app.text.sentences import sentences
from app.text.wording import MEASURES, normalise, stems, subjects, things

PERSON = "User"
"""What stands in the place of the person's own name, once it is forgotten."""


@dataclass(frozen=True)
class Gone:
    """Something that was forgotten: a version of a fact, a subject, or the person's own name."""

    at: datetime
    """When: what is told later is not forgotten."""
    fact: str = ""
    """The sentence of the fact."""
    subject: Subject | None = None
    name: str = ""
    source: int | None = None
    """The text that taught the fact: it is not told either, in whatever words it did."""

    def is_told_in(self, sentence: str) -> bool:
        """Whether the sentence speaks of it; a name is not spoken of, but left out of what is."""
        if self.subject is not None:
            return self.subject.is_named_in(sentence)
        return bool(self.about) and self.about <= subjects(sentence)

    @property
    def about(self) -> frozenset[str]:
        """The subjects that a sentence has to name to say the fact."""
        return things(self.fact) - MEASURES or subjects(self.fact)

    @property
    def pronoun(self) -> str | None:
        """*she* or *he*, where it is somebody of whom that is known."""
        return pronoun_of(self.subject.kin if self.subject is not None else stems(self.fact))

    @property
    def searched(self) -> str:
        """The words by which whatever tells of it may be found."""
        return self.subject.searched if self.subject is not None else self.fact or self.name


@dataclass(frozen=True)
class Said:
    """One text that was said."""

    message_id: int
    turn_id: int
    by_person: bool
    words: str
    at: datetime
    forwarded: bool = False
    """Whether its carrier calls it forwarded."""


class Fence:
    """All that was forgotten, made ready for many sentences."""

    def __init__(self, gone: Iterable[Gone]) -> None:
        self._facts: dict[str, list[tuple[frozenset[str], Gone]]] = defaultdict(list)
        self._subjects: list[Gone] = []
        self._names: list[tuple[re.Pattern[str], Gone]] = []
        for one in gone:
            if one.name:
                self._names.append((_own_name(one.name), one))
            elif one.subject is not None:
                self._subjects.append(one)
            elif about := one.about:
                self._facts[min(about)].append((about, one))  # Hundreds of them: nearly none shares its first word.

    def spoken_of_in(self, sentence: str, at: datetime) -> Gone | None:
        """What was forgotten since that time and the sentence speaks of."""
        if self._facts:
            said = subjects(sentence)
            for word in said:
                for about, one in self._facts.get(word, ()):
                    if one.at >= at and about <= said:
                        return one
        return next((one for one in self._subjects if one.at >= at and one.is_told_in(sentence)), None)

    def nameless(self, words: str, at: datetime) -> str:
        """The words without the person's own name, where that was forgotten since; nothing where they told it alone."""
        for pattern, one in self._names:
            if one.at >= at and pattern.search(words):
                words = pattern.sub(PERSON, words)
                words = "" if subjects(words) <= _TELLS_A_NAME else words
        return words


def tellable(texts: Sequence[Said], gone: Sequence[Gone], forgot_in: Collection[int] = ()) -> list[Said]:
    """What of the texts of one conversation, in their order, may still be told.

    A text of which nothing may be told is left out. `forgot_in` are the turns in which something was forgotten.
    """
    listener = _Listener(Fence(gone))
    taught = {one.source for one in gone if one.source is not None}
    found = []
    for turn_id, together in groupby(texts, key=lambda text: text.turn_id):
        whole = True
        for text in together:
            if not (whole or text.by_person):
                continue  # Whoever answers says again what was said, in other words, or that it was to be forgotten.
            pieces = sentences(text.words)
            left = [listener.left_of(one, text, forgot=turn_id in forgot_in) for one in pieces]
            if left == pieces and text.message_id in taught:
                left = []  # It said it in other words: which of them is not known.
            whole = whole and left == pieces
            kept = [listener.fence.nameless(one, text.at) for one in left if one]
            words = text.words if kept == pieces else "\n".join(filter(None, kept))
            if words.strip():
                found.append(replace(text, words=words))
    return found


class _Listener:
    """Whoever hears the sentences of one conversation in their order, and knows of what they go on."""

    def __init__(self, fence: Fence) -> None:
        self.fence = fence
        self._about: Gone | _Request | None = None
        self._follow = Follow()

    def left_of(self, sentence: str, text: Said, *, forgot: bool) -> str:
        """What of the sentence may be told; empty for nothing."""
        if text.by_person and _asks_to_forget(sentence, forgot=forgot):
            self._about, self._follow = _REQUEST, Follow()
            return ""
        spoken_of = self.fence.spoken_of_in(sentence, text.at)
        if spoken_of is not None:
            if spoken_of is not self._about:
                self._follow = Follow(spoken_of.pronoun)
            self._about, self._follow = spoken_of, self._follow.resumed()
            return ""
        if self._about is None or (self._about.at is not None and self._about.at < text.at):
            return sentence
        left, follow = self._follow.heard(sentence)
        if text.by_person:  # Whom our answers name is not whom they go on about.
            self._about, self._follow = (None, Follow()) if follow is None else (self._about, follow)
        return left


def says(words: str, fence: Fence, at: datetime) -> bool:
    """Whether any sentence of the words speaks of what was forgotten since that time, or holds the name that was."""
    return (
        any(fence.spoken_of_in(one, at) is not None for one in sentences(words)) or fence.nameless(words, at) != words
    )


def was_forgotten(sentence: str, at: datetime, gone: Sequence[Gone]) -> bool:
    """Whether a sentence that was told at that time says again what was forgotten since."""
    since = [one for one in gone if one.at >= at]
    return normalise(sentence) in {normalise(one.fact) for one in since} or says(sentence, Fence(since), at)


def nameless(words: str, name: str) -> str:
    """The words with `PERSON` in the place of the person's name; nothing where they are the name, as a topic may be."""
    if {*words.casefold().split()} <= {*name.casefold().split()}:
        return ""
    return _own_name(name).sub(PERSON, words)


@dataclass(frozen=True)
class _Request:
    """What a request to forget speaks of: whatever it is, nothing that goes on about it is told."""

    at: None = None


_REQUEST = _Request()

_LEAD = (
    r"^\W*(?:(?:please|pls|plz|ok(?:ay)?|hey|hi|keepsake|and|but|also|now|so|then|actually|just|kindly|well|oh|no|yes|"
    r"(?:can|could|would|will) you|(?:i|we) (?:want|need|would like) you to|i['’]d like you to|"
    r"you (?:can|should|may|must|have to))[\s,:;.!-]+)*"
)
_FORGET = re.compile(
    rf"{_LEAD}(?:forget\b(?! to\b)|stop remembering\b|(?:do not|don['’]?t) remember\b|unlearn\b|"
    r"(?:i )?(?:do not|don['’]?t) want you to (?:remember|know|keep)\b|"
    r"(?:delete|erase|remove|wipe|clear)\s+(?:what|everything|all|anything|that|the|my|our|it|this|them)\b)|"
    r"^\W*(?:por favor,? )?(?:olvida|borra|elimina|esque[cç]e|apaga|dimentica|cancella)\w*\b|"
    r"^\W*(?:bitte )?(?:vergiss|vergesst|l[oö]sche)\b|"
    r"^\W*(?:s['’]il (?:te|vous) pla[iî]t,? )?(?:oublie|efface|supprime)\w*\b|^\W*(?:vergeet|verwijder)\b",
    re.IGNORECASE,
)
# Said where something was forgotten, these speak of that and of nothing else.
_FORGETTING = re.compile(
    r"\b(?:forget(?!\w)|unremember|delet\w*|remov\w*|eras\w*|wipe\b|unlearn|no longer remember|stop remembering|"
    r"olvid\w*|borr\w*|elimin\w*|oubli\w*|supprim\w*|effac\w*|vergiss\w*|vergess\w*|l[oö]sch\w*|entfern\w*|esque[cç]\w*|apag\w*|"
    r"dimentic\w*|cancell\w*|vergeet\w*|verwijder\w*)",
    re.IGNORECASE,
)


def _asks_to_forget(sentence: str, *, forgot: bool) -> bool:
    return _FORGET.search(sentence) is not None or (forgot and _FORGETTING.search(sentence) is not None)


# Beside these a sentence that tells a name tells nothing.
_TELLS_A_NAME = subjects(f"{PERSON} name called call hi hello hey nice meet know here first full nick people everyone")


def _own_name(name: str) -> re.Pattern[str]:
    parts = "|".join(re.escape(part) for part in sorted(name.split(), key=len, reverse=True) if len(part) > 1)
    parts = parts or re.escape(name)
    either = f"(?:{parts})"
    # In any case where it is told as a name; "will" and "may" are words.
    told = "|".join(rf"(?<=\b(?i:{lead}) )" for lead in ("i'm", "i’m", "im", "i am", "name is", "name's", "call me"))
    return re.compile(rf"\b{either}(?:\s+{either})*\b|(?:{told})(?i:{either})\b")
