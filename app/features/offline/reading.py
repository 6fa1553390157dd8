"""A text read sentence by sentence by the page `said.txt`; what no line of it understands is named, and never guessed.

A line of a page is made a regular expression: `(i|we) live [now ]in {place} => …`. (a|b) is one of these, [a ] may be
there, {slot} stands for words of the list of that name, and {slot:a|b} for one of these. A list is a regular
expression, `name = …`, which may use those above it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from app.features.offline import english
from app.features.offline.english import asks, capital, clauses, neutral, opened, sentences, third_person, tidy
from app.text.secrets import is_secret
from app.text.zones import zone_of_place

FACTS_MAX = 20  # One call of extract_memory stays readable, and a burst rarely says more.
VERBATIM_MAX_WORDS = 20

_REMEMBER = re.compile(
    r"(?:can you |could you |please |always )*(?:remember|note|note down|keep in mind|save|write down|do not forget)"
    r"(?! (?:to|me|him|her|them|us|when|how|what|it|this|if|about)\b)(?: that)?[:,]? (?P<what>.+)",
    re.IGNORECASE,
)
_ASKED_TO = re.compile(r"(?:can|could|will|would) you (?:please )?(?:remember|note)(?: down)? that ", re.IGNORECASE)
_FORGET = re.compile(
    r"(?:can you |could you |please |i want you to )*(?:forget|delete|remove|erase|do not (?:remember|keep|save))\b"
    r"(?: (?:that|about|what (?:i (?:said|told you)|you (?:have|know|saved|kept)) about|"
    r"(?:everything|all)(?: you (?:know|have))? about|the fact that))*"
    r"(?P<what>(?: .+)?)",
    re.IGNORECASE,
)
_NAMES_NOTHING = re.compile(
    r"(?:it|that|this|them|these|those)(?: again| now| please| all)*|what i (?:said|told you|wrote)(?: .+)?",
    re.IGNORECASE,
)
_JOKES = re.compile(r"\b(?:just kidding|only kidding|just joking|i was joking|jk)\b", re.IGNORECASE)
_OF_ONESELF = re.compile(r"^(?:(?:my|our) |i (do not|am not|\w+)\b)", re.IGNORECASE)
_RIGHT = re.compile(
    r"(?:(?:it|that|he|she)(?: is| was)|its|i meant|not \S+ but)?:? ?"
    r"(?P<words>(?!not\b|(?:the )?\d+(?:st|nd|rd|th)$)[\w'-]+(?: [\w'-]+){0,2})"
    r"(?:,? (?:not|as in|like) .*)?",
    re.IGNORECASE,
)
_BUT = re.compile(r"\bbut\b", re.IGNORECASE)
_REASON = re.compile(r"(?:,| -|;) (?:i|we|he|she|it|they|you)\b.*|,? because\b.*", re.IGNORECASE)
"""Behind what is to be forgotten."""
_LAST_WORDS = re.compile(r"(.*\b(?:is|are|named|in|at|to|as an?) )(.+?)")
NAME = "name"
MOST_WORDS = 8

_IN_FACT = re.compile(r"\[([^][]*)\]|\{(\w+)(\.s)?\}")
_KEPT_PART = re.compile(r"\{(?P<slot>\w+)(?P<verb>\.s)?\}|.")
_FREE = {
    "words": r"[^\s,.!?;:][^,.!?;:]*?",
    "place": r"[^\W\d_][^,.!?;:]*?(?:, (?!not\b)[^\W\d_][\w ]*)?",
    "taste": r"[^\s,.!?;:][^.!?;:]*?",
    "anything": r"\S.*?",
    "name": r"[^\W\d_][\w'-]*(?: [^\W\d_][\w'.-]*){0,2}",
}
_FREE |= {"Name": _FREE["name"], "Place": _FREE["place"]}
_JOINS = re.compile(
    r"\b(?:and|but|because|so|if) (?:i|my|we|our|you|he|she|they|it|like|love|hate|live|work|have|am|do not|cannot)\b|"
    r"^not\b|^(?:fear|hope|denial|peace|hell|pain)$|\b(?:another|anymore|right now|just kidding)\b",
    re.IGNORECASE,
)
_UNCAPITAL = re.compile(r"\b(?!(?:of|the|and|on|at|next|this|today|tomorrow|tonight|st|nd|rd|th)\b)[a-z]{3,}")
# Words that make of a few words a sentence, or point at something that is not said.
_NO_WORDS_OF_A_THING = frozenset(
    "if when because but that who which would could should will i you he she we they is are was were am do does did "
    "not it this your what how why where there here than as so until while after before me myself himself herself "
    "themselves ourselves life living everything everyone everybody nothing being body".split()
)
_NO_NAMES = frozenset(
    "a an the i you it not no my your his her our their tired busy sick fine good well ok okay back home here late "
    "sorry ready bored hungry sad happy glad sure done lost stuck cold hot awake asleep alone afraid scared mad angry "
    "from in on at to so too very just now new old ill better great worried stressed excited nervous lonely broke "
    "single married vegan vegetarian right wrong serious kidding joking drunk free off out up down away there "
    "he she they we her him this that there what who everything something nothing "
    "later tomorrow today tonight crazy soon asap again please anytime names everybody everyone nobody mom dad "
    "allergic retired pregnant divorced diabetic when if what who and or but maybe still also always never".split()
)

_PART = re.compile(r"\{(?P<slot>\w+)(?::(?P<choices>[^}]*))?\}|(?P<sign>[][()|?])|(?P<letter>.)")
_SIGNS = {"[": "(?:", "]": ")?", "(": "(?:", ")": ")", "|": "|", "?": "?"}
_LIST = re.compile(r"\{([a-z]+)\}")
_OTHERS_OWNED = "birthday|anniversary|address|job|blood type|native language|favou?rite"
_LISTS_OWNED = ("kin", "pet", "beings", "belonging", "event")


@dataclass(frozen=True)
class Form:
    """One line of a page."""

    template: str
    sentence: re.Pattern[str]
    means: list[str]  # What stands behind the arrow, between its bars.


@dataclass(frozen=True)
class Page:
    forms: tuple[Form, ...]
    lists: Mapping[str, str]

    def slots(self, template: str) -> dict[str, str]:
        """The regular expression of each slot of a template."""
        found = [part for part in _PART.finditer(template) if part["slot"]]
        return {one["slot"]: self.lists[one["slot"]] if one["choices"] is None else one["choices"] for one in found}


@dataclass(frozen=True)
class Told:
    """What a sentence tells."""

    fact: str  # In the third person without a subject; of NAME it is the name itself.
    category: str
    only_one: str = ""
    """Of what there is one at a time, such as `home` or `name of dog`; empty where there may be several."""


@dataclass(frozen=True)
class _Template:
    sentence: re.Pattern[str]
    fact: str
    category: str
    only_one: str
    as_kept: re.Pattern[str]  # What a fact of it looks like once it is kept.


@dataclass
class Reading:
    """What was understood of a text, and what was not."""

    told: list[Told] = field(default_factory=list)
    corrected: dict[str, str] = field(default_factory=dict)
    """Those facts of `told` that put something right, each with the fact that was wrong where that is plain."""
    name: str = ""
    forget: list[str] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    talk: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    secret: bool = False
    takes_back: bool = False  # Whether its last words take back what it asked for or told before.
    last: list[Told] = field(default_factory=list)  # What was told last, in the text before; a name is one of these.


def read(text: str, before: str = "") -> Reading:
    """Everything that the text says; `before` is the person's text before it, which a few words may put right."""
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
            if missed and _BUT.search(sentence):  # What follows may say that it is so no more.
                del reading.told[told:]
                missed = [sentence]
            reading.missed += missed
    if _JOKES.search(text):
        reading.told, reading.name = [], ""
    reading.told = list(dict.fromkeys(reading.told))[:FACTS_MAX]
    return reading


def _understood(reading: Reading, sentence: str) -> bool:
    bare, corrects = (sentence, False) if talk_of(sentence) else opened(sentence)
    if not bare:
        return bool(sentence)
    if kind := talk_of(bare):
        reading.talk.append(kind)
        if kind == "back" and (reading.told or reading.name or reading.forget):
            reading.told, reading.name, reading.forget, reading.takes_back = [], "", [], True
    elif forget := _FORGET.fullmatch(bare):
        what = _REASON.sub("", forget["what"]).strip(" ?")
        reading.forget.append("" if _NAMES_NOTHING.fullmatch(what) else what)
    elif told := _told(bare) or _told(sentence):
        _keep(reading, told, corrects=corrects)
    elif corrects and (right := _put_right(bare, (reading.last + reading.told)[-1:])):
        _keep(reading, right[0], corrects=True)
        reading.corrected[right[0].fact] = right[1]
    elif asks(bare):
        reading.questions.append(bare)
    else:
        return False
    return True


def talk_of(sentence: str) -> str:
    """The kind of small talk that the whole sentence is; empty for any other."""
    words = sentence.rstrip("?")
    return next((form.means[0] for form in _talk().forms if form.sentence.fullmatch(words)), "")


def answers() -> dict[str, str]:
    """What is said to each kind of small talk that has an answer of its own."""
    return {form.means[0]: form.means[1] for form in _talk().forms if form.means[1:]}


@cache
def _talk() -> Page:
    return read_page("talk.txt")


def _told(sentence: str) -> Told | None:
    if sentence.endswith("?") and not _ASKED_TO.match(sentence):
        return None
    sentence = sentence.rstrip("?")
    asked = _REMEMBER.fullmatch(sentence)
    what = asked["what"] if asked else sentence
    if told := told_by(what):
        return told
    if asked and len(what.split()) <= VERBATIM_MAX_WORDS:
        without_self = _OF_ONESELF.sub(lambda found: third_person(found[1]) if found[1] else "", what)
        return Told(capital(neutral(without_self)), "other")
    return None


def _keep(reading: Reading, told: Told, *, corrects: bool) -> None:
    if told.category == NAME:
        reading.name = told.fact
        return
    reading.told.append(told)
    if corrects:
        reading.corrected[told.fact] = ""


def _put_right(words: str, last: list[Told]) -> tuple[Told, str] | None:
    """What was told last with other words at its end, and how it stood: `no, it's May 4`."""
    right = _RIGHT.fullmatch(words)
    if right and last and last[0].category == NAME and _fits("name", right["words"]):
        return Told(_titled(right["words"]), NAME), last[0].fact
    ends = _LAST_WORDS.fullmatch(last[0].fact) if last else None
    if right is None or ends is None:
        return None
    return replace(last[0], fact=f"{ends[1]}{right['words']}"), last[0].fact


def read_page(name: str, free: Mapping[str, str] | None = None) -> Page:
    """The page of that name beside this module; `free` are lists that it may use without having them."""
    text = Path(__file__).with_name(name).read_text("utf-8")
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    lists = dict(free or {})
    for line in lines:
        if "=>" not in line:
            name, _, expression = line.partition(" = ")
            lists[name] = _LIST.sub(lambda found: f"(?:{lists[found[1]]})", expression)
    page = Page((), lists)
    forms = []
    for line in lines:
        if "=>" in line:
            template, _, means = line.partition("=>")
            sentence = compiled(template.strip(), page)
            forms.append(Form(template.strip(), sentence, [part.strip() for part in means.split("|")]))
    return Page(tuple(forms), lists)


def compiled(template: str, page: Page) -> re.Pattern[str]:
    """The template as a regular expression, with the lists of its page."""
    slots = page.slots(template)
    expression = ""
    for part in _PART.finditer(template):
        if part["slot"]:
            expression += f"(?P<{part['slot']}>{slots[part['slot']]})"
        else:
            expression += _SIGNS[part["sign"]] if part["sign"] else re.escape(part["letter"])
    return re.compile(expression, re.IGNORECASE)


def told_by(sentence: str) -> Told | None:
    """What the sentence tells; None where no template fits all of it."""
    for template in _templates():
        found = template.sentence.fullmatch(sentence)
        if found and all(_fits(slot, words) for slot, words in found.groupdict().items() if words):
            slots = {slot: words or "" for slot, words in found.groupdict().items()}
            if template.fact == NAME:
                return Told(_titled(slots.get("name") or slots.get("Name") or ""), NAME)
            return Told(_filled(template.fact, slots), template.category, _filled(template.only_one, slots).lower())
    return None


def only_one_of(fact: str) -> str:
    """Of what the kept fact tells the only one, as `Told.only_one`."""
    for template in _templates():
        found = template.as_kept.fullmatch(fact) if template.only_one else None
        if found:
            return _filled(template.only_one, {slot: words or "" for slot, words in found.groupdict().items()}).lower()
    return ""


def spoken(fact: str) -> str:
    """`Has a dog named Max` → `you have a dog named Max`; `Birthday is May 3` → `your birthday is May 3`."""
    return english.spoken(fact, _owned())


@cache
def _owned() -> re.Pattern[str]:
    nouns = "|".join(_page().lists[name] for name in _LISTS_OWNED)
    return re.compile(rf"(?:{nouns}|{_OTHERS_OWNED})(?:'s)?\b", re.IGNORECASE)


def _fits(slot: str, words: str) -> bool:
    """Whether the words may stand in the slot: no half a sentence, and no word that only looks like a name."""
    parts = words.lower().replace("'", " ").split()
    if slot in {"name", "Name"}:
        is_name = not any(part in _NO_NAMES or part.endswith(("ing", "ed")) for part in parts)
        return is_name and (slot == "name" or all(part[0].isupper() for part in words.split()))
    if slot not in {"words", "place", "Place", "taste", "anything"}:
        return True
    if slot != "anything" and _NO_WORDS_OF_A_THING.intersection(parts):
        return False
    return len(parts) <= MOST_WORDS and not _JOINS.search(words) and (slot != "Place" or _is_place(words))


def _is_place(words: str) -> bool:
    """Whether it is written as a name, or known as one: nobody moves to `marketing`."""
    return words != words.lower() or words.startswith(("the ", "a ", "an ")) or zone_of_place(words) is not None


def _filled(fact: str, slots: Mapping[str, str]) -> str:
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
def _page() -> Page:
    return read_page("said.txt", _FREE)


@cache
def _templates() -> tuple[_Template, ...]:
    found = []
    for form in _page().forms:
        fact, category, only_one = [*form.means, "", ""][:3]
        found.append(_Template(form.sentence, fact, category, only_one, _as_kept(fact, form.template)))
    return tuple(found)


def _as_kept(fact: str, template: str) -> re.Pattern[str]:
    """The fact with what may stand in its slots."""
    slots = _page().slots(template)
    expression = ""
    for part in _KEPT_PART.finditer(fact):
        if part["slot"]:
            expression += f"(?P<{part['slot']}>{'.+?' if part['verb'] else slots[part['slot']]})"
        else:
            expression += {"[": "(?:", "]": ")?"}.get(part[0]) or re.escape(part[0])
    return re.compile(expression, re.IGNORECASE)
