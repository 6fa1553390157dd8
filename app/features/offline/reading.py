"""Reads a text sentence by sentence by the page `said.txt`; unknown sentences are named as missed, never guessed."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache

from app.features.offline import english
from app.features.offline.english import asks, capital, clauses, neutral, sentences, third_person, tidy, without_opening
from app.features.offline.pages import Form, read_page, said_in
from app.text.secrets import is_secret
from app.text.zones import zone_of_place

FACTS_MAX = 20  # Keeps one call of extract_memory readable; a burst rarely has more.
VERBATIM_MAX_WORDS = 20

_REMEMBER = english.named_pattern("remember")
_SAYS = english.named_pattern("says")
"""The words are more than a thing: "remember the milk" does not say what to keep."""
_ASKED_TO = re.compile(r"(?:can|could|will|would) you (?:please )?(?:remember|note)(?: down)? that ", re.IGNORECASE)
_FORGET = english.named_pattern("forget")
_NAMES_NOTHING = english.named_pattern("names_nothing")
"""A pronoun says not of whom: all that is called by the words behind it would go."""
_JUST_TOLD = english.named_pattern("just_told")
_JOKES = re.compile(r"\b(?:just kidding|only kidding|just joking|i was joking|jk)\b", re.IGNORECASE)
_OF_ONESELF = re.compile(r"^(?:(?:my|our) |i (do not|am not|\w+)\b)", re.IGNORECASE)
_RIGHT = english.named_pattern("right")
_BUT = re.compile(r"\b(?:but|used to|no longer|not anymore)\b", re.IGNORECASE)
_REASON = english.named_pattern("reason")
"""The rest of the sentence after the thing to forget."""
_OF_THEMSELVES = re.compile(r"(?:,| -|;) (?=(?:i|we) (?!was\b|were\b))", re.IGNORECASE)
_LAST_WORDS = re.compile(r"(.*\b(?:is|are|named|in|at|to|as an?) )(.+?)")
NAME = "name"
MOST_WORDS = 8

_IN_FACT = re.compile(r"\[([^][]*)\]|\{(\w+)(\.s)?\}")
_UNCAPITAL = re.compile(r"\b(?!(?:of|the|and|on|at|next|this|today|tomorrow|tonight|st|nd|rd|th)\b)[a-z]{3,}")


@dataclass(frozen=True)
class Told:
    """One thing that a sentence tells."""

    fact: str  # In the third person without a subject; for NAME it is the name itself.
    category: str
    only_one: str = ""
    """The kind of which there is only one, such as `home` or `name of dog`; empty if there may be several."""
    instead_of: str | None = None  # The fact it corrects; empty if that is unclear, None if it corrects nothing.


@dataclass
class Reading:
    """The understood parts of a text, and the missed ones."""

    told: list[Told] = field(default_factory=list)
    name: str = ""
    forget: list[str] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    talk: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    secret: bool = False
    takes_back: bool = False  # True if its last words withdraw what it asked or told before.
    last: list[Told] = field(default_factory=list)  # The last thing told in the text before, or its name.


def read(text: str, before: str = "") -> Reading:
    """Everything that the text says; `before` is the person's text before it, which a few words may correct."""
    reading = Reading()
    if before:
        earlier = read(before)
        reading.last = [Told(earlier.name, NAME)] if earlier.name else earlier.told[-1:]
    for sentence in sentences(tidy(text)):
        if is_secret(sentence):
            reading.secret = True
        elif not _understood(reading, sentence):
            parts, told = clauses(sentence), len(reading.told)
            missed = [part for part in parts if len(parts) == 1 or not _understood(reading, part)]
            if missed and _BUT.search(sentence):  # A missed part may say that it is no longer so.
                del reading.told[told:]
                missed = [sentence]
            reading.missed += missed
    if _JOKES.search(text):
        reading.told, reading.name = [], ""
    reading.told = list(dict.fromkeys(reading.told))[:FACTS_MAX]
    return reading


def _understood(reading: Reading, sentence: str) -> bool:
    bare, corrects = (sentence, False) if talk_of(sentence) else without_opening(sentence)
    if not bare:
        return bool(sentence)
    if kind := talk_of(bare):
        reading.talk.append(kind)
        if kind == "back" and (reading.told or reading.name or reading.forget):
            reading.told, reading.name, reading.forget, reading.takes_back = [], "", [], True
    elif forget := _FORGET.fullmatch(bare):
        what, *rest = _OF_THEMSELVES.split(forget["what"], maxsplit=1)
        what = _REASON.sub("", what).strip(" ?")
        if (reading.told or reading.name) and _JUST_TOLD.fullmatch(what):
            reading.told, reading.name, reading.takes_back = [], "", True
        else:
            reading.forget.append("" if _NAMES_NOTHING.fullmatch(what) else what)
        reading.missed += [one for one in rest if not _understood(reading, one)]
    elif told := _read_told(bare) or _read_told(sentence) or (_put_right(bare, reading) if corrects else None):
        if told.category == NAME:
            reading.name = told.fact
        else:
            reading.told = [one for one in reading.told if one.fact != told.instead_of]  # Put right in the same text.
            reading.told.append(replace(told, instead_of=told.instead_of or "") if corrects else told)
    elif asks(bare):
        reading.questions.append(bare)
    else:
        return False
    return True


def talk_of(sentence: str) -> str:
    """The kind of small talk if the whole sentence is that; empty for any other."""
    return read_page("talk.txt").meant(sentence.rstrip("?"))[0][0]


def answers() -> dict[str, str]:
    """Replies by kind of small talk, for the kinds that have one."""
    return {form.means[0]: form.means[1] for form in read_page("talk.txt").forms if form.means[1:]}


def _read_told(sentence: str) -> Told | None:
    if sentence.endswith("?") and not _ASKED_TO.match(sentence):
        return None
    sentence = sentence.rstrip("?")
    asked = _REMEMBER.fullmatch(sentence)
    what = asked["what"] if asked else sentence
    if told := told_by(what):
        return told
    _, *others = clauses(sentence)
    is_one = not (others and all(map(told_by, others)))  # Else each part is a fact, to be changed and forgotten alone.
    if asked and is_one and _SAYS.search(sentence) and len(what.split()) <= VERBATIM_MAX_WORDS:
        without_self = _OF_ONESELF.sub(lambda found: third_person(found[1]) if found[1] else "", what)
        return Told(capital(neutral(without_self)), "other")
    return None


def _put_right(said: str, reading: Reading) -> Told | None:
    """The last thing told, with other words at its end: `no, it's May 4`."""
    right = _RIGHT.fullmatch(said)
    last = [*reading.last, *reading.told][-1:]
    if right is None or not last or not _fits("words", right["words"]):
        return None
    if last[0].category == NAME and _fits("name", right["words"]):
        return Told(_titled(right["words"]), NAME)
    ends = _LAST_WORDS.fullmatch(last[0].fact)
    if ends is None or _kinds(ends[2]) != _kinds(right["words"]):
        return None
    words = right["words"].removeprefix(f"{ends[1].split()[-1]} ")  # "No, at 4" after "on Friday at 3".
    return replace(last[0], fact=f"{ends[1]}{words}", instead_of=last[0].fact)


def _kinds(words: str) -> tuple[bool, bool]:
    """True for a day or month in the words, and for a number: a day puts right no hour."""
    return _listed("day").search(words) is not None, any(map(str.isdigit, words))


def told_by(sentence: str) -> Told | None:
    """The thing that the sentence tells; None if no line fits all of it."""
    for form in read_page("said.txt").forms:
        found = form.sentence.fullmatch(sentence)
        slots = said_in(found) if found else {}
        if found and all(_fits(slot, words) for slot, words in slots.items()):
            fact, category, only_one = [*form.means, "", ""][:3]
            if fact == NAME:
                return Told(_titled(slots.get("name") or slots["Name"]), NAME)
            return Told(_fill(fact, slots), category, _fill(only_one, slots).lower())
    return None


def only_one_of(fact: str) -> str:
    """The `Told.only_one` of a stored fact."""
    for form in read_page("said.txt").forms:
        if form.means[2:] and (found := _as_kept(form).fullmatch(fact)):
            return _fill(form.means[2], said_in(found)).lower()
    return ""


def spoken(fact: str) -> str:
    """`Has a dog named Max` → `you have a dog named Max`; `Birthday is May 3` → `your birthday is May 3`."""
    return english.spoken(fact, _listed("owned"))


@cache
def _listed(name: str) -> re.Pattern[str]:
    """A pattern for each word of the list, standing alone."""
    return re.compile(rf"(?<![\w-])(?:{read_page('said.txt').lists[name]})(?![\w-])", re.IGNORECASE)


def _fits(slot: str, words: str) -> bool:
    """True if the words may fill the slot: not half a sentence, and not a word that only looks like a name."""
    if _listed("joins").search(words.replace(",", " and")) or words.count("(") != words.count(")"):
        return False
    if slot in {"name", "Name"}:
        is_written_so = slot == "name" or all(one[0].isupper() for one in words.split())
        return is_written_so and not _listed("noname").search(words)
    if slot not in {"words", "place", "Place", "taste", "anything"}:
        return True
    if slot == "taste" and re.search(r", (?!.*\b(?:and|or)\b)(?:[^\s,]+ ){2,}[^\s,]+$", words):
        return False  # "Bass, sing in a choir": no list, but another statement.
    if slot != "anything" and _listed("nothing").search(words):
        return False
    return len(words.split()) <= MOST_WORDS and (slot != "Place" or _is_place(words))


def _is_place(words: str) -> bool:
    """True if it is written as a name, or known as a place: nobody moves to `marketing` or `Wednesdays`."""
    if _listed("day").fullmatch(words):
        return False
    return words != words.lower() or words.startswith(("the ", "a ", "an ")) or zone_of_place(words) is not None


def _fill(fact: str, slots: Mapping[str, str]) -> str:
    def fill(found: re.Match[str]) -> str:
        if found[1] is not None:
            names = re.findall(r"\{(\w+)", found[1])
            return _IN_FACT.sub(fill, found[1]) if all(slots.get(name) for name in names) else ""
        words = slots.get(found[2], "")
        if found[2] in {"name", "Name", "names"}:
            return _titled(words)
        if found[2].lower() == "place" and words == words.lower() and zone_of_place(words):
            return _titled(words)
        if found[2] in {"date", "month", "languages", "when"}:
            return _UNCAPITAL.sub(lambda word: capital(word[0]), words)
        return third_person(words) if found[3] else neutral(words.strip())

    return capital(" ".join(_IN_FACT.sub(fill, fact).split()))


def _titled(name: str) -> str:
    return " ".join(part if part != part.lower() or part == "and" else part.capitalize() for part in name.split())


@cache
def _as_kept(form: Form) -> re.Pattern[str]:
    """A pattern for stored facts made from this form."""
    return read_page("said.txt").compiled(form.means[0], slots_of=form.template)
