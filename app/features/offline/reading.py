"""A text read sentence by sentence; a sentence that no rule understands is named, and never guessed."""

import re
from dataclasses import dataclass, field, replace

from app.features.offline import templates
from app.features.offline.english import asks, capital, clauses, neutral, opened, sentences, third_person, tidy
from app.features.offline.templates import NAME, Told
from app.text.secrets import is_secret

FACTS_MAX = 20  # One call of extract_memory stays readable, and a burst rarely says more.
VERBATIM_MAX_WORDS = 20

_REMEMBER = re.compile(
    r"(?:can you |could you |please |always )*(?:remember|note|note down|keep in mind|save|write down|do not forget)"
    r"(?! (?:to|me|when|how|what|it|this|if|about)\b)(?: that)?[:,]? (?P<what>.+)",
    re.IGNORECASE,
)
_ASKED_TO = re.compile(r"(?:can|could|will|would) you (?:please )?(?:remember|note)(?: down)? that ", re.IGNORECASE)
_FORGET = re.compile(
    r"(?:can you |could you |please |i want you to )*(?:forget|delete|remove|erase|do not remember)\b"
    r"(?: (?:that|about|what i (?:said|told you) about|everything about|all about|the fact that))*(?P<what>(?: .+)?)",
    re.IGNORECASE,
)
_JOKES = re.compile(r"\b(?:just kidding|only kidding|just joking|i was joking|jk)\b", re.IGNORECASE)
_OF_ONESELF = re.compile(r"^(?:(?:my|our) |i (do not|am not|\w+)\b)", re.IGNORECASE)
_RIGHT = re.compile(
    r"(?:(?:it|that|he|she)(?: is| was)|i meant|not \S+ but)?:? ?(?P<words>(?!not\b)[\w'-]+(?: [\w'-]+){0,2})"
    r"(?:,? not .*)?",
    re.IGNORECASE,
)
_LAST_WORDS = re.compile(r"(.*\b(?:is|are|named|in|at|to|as an?) )(.+?)")
_TALK = {
    "hello": r"(?:hi+|hello|hey+|hiya|howdy|yo|good (?:morning|afternoon|evening)|morning)(?: there| again| keepsake)?",
    "thanks": r"(?:ok |okay |great |perfect |cool )?,? ?(?:many )?(?:thanks|thank you|thx|ty|cheers)"
    r"(?: (?:so much|a lot|a million|very much|again|keepsake|you|for \w+(?: \w+)?))*",
    "bye": r"(?:ok(?:ay)?,? )?(?:bye(?: bye)?|goodbye|good ?night|see you(?: later| soon| tomorrow)?)",
    "fine": r"ok|okay|k|cool|great|nice|good|perfect|alright|all right|got it|lol|haha+|"
    r"(?:yes|yep|yeah|no|nope|sure|sorry)(?: please)?|(?:never ?mind|forget it)",
    "wrong": r"(?:no,? )?(?:that is|it is|you are|you got (?:that|it)) (?:wrong|not right|not true|incorrect)",
    "how": r"how are you(?: (?:doing|today))*\??|how is it going\??|are you (?:ok|okay|there)\??",
    "who": r"(?:who|what) (?:are you|is this)\??|what is your name\??|"
    r"are you (?:a |an )?(?:bot|robot|human|ai|real|real person|claude|person|chatgpt)\??",
    "help": r"help(?: me)?\??|\?|what can you do(?: for me)?\??|how do(?:es)? (?:you|this|it) work\??|commands|menu",
    "undo": r"(?:please )?(?:undo|undo (?:that|it)|take (?:that|it) back)",
    "rules": r"(?:what are |show (?:me )?|list )?(?:all )?my rules\??",
    "rule": r"(?:please )?(?:from now on|always|never|when(?:ever)? i (?:say|ask|text|write))\b.*",
    "why": r"(?:why|how) (?:do|did|would) you (?:think|say|know|believe|remember)\b.*|how do you know.*|who told you.*",
}
_KINDS = {kind: re.compile(expression, re.IGNORECASE) for kind, expression in _TALK.items()}


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
    last: list[Told] = field(default_factory=list)
    """What was told last, in the text before."""


def read(text: str, before: str = "") -> Reading:
    """Everything that the text says; `before` is the person's text before it, which a few words may put right."""
    reading = Reading()
    reading.last = read(before).told[-1:] if before else []
    for sentence in sentences(tidy(text)):
        if is_secret(sentence):
            reading.secret = True
        elif not _understood(reading, sentence):
            parts = clauses(sentence)
            reading.missed += [part for part in parts if len(parts) == 1 or not _understood(reading, part)]
    if _JOKES.search(text):
        reading.told, reading.name = [], ""
    reading.told = list(dict.fromkeys(reading.told))[:FACTS_MAX]
    return reading


def _understood(reading: Reading, sentence: str) -> bool:
    if kind := talk_of(sentence):
        reading.talk.append(kind)
        return True
    bare, corrects = opened(sentence)
    if not bare:
        return bool(sentence)
    if kind := talk_of(bare):
        reading.talk.append(kind)
    elif forget := _FORGET.fullmatch(bare):
        reading.forget.append(forget["what"].strip(" ?"))
    elif told := _told(bare) or _told(sentence):
        _keep(reading, told, corrects=corrects)
    elif corrects and (right := _put_right(bare, (reading.last + reading.told)[-1:])):
        reading.told.append(right[0])
        reading.corrected[right[0].fact] = right[1]
    elif asks(bare):
        reading.questions.append(bare)
    else:
        return False
    return True


def talk_of(sentence: str) -> str:
    """The kind of small talk that the whole sentence is; empty for any other."""
    return next((kind for kind, words in _KINDS.items() if words.fullmatch(sentence)), "")


def _told(sentence: str) -> Told | None:
    if sentence.endswith("?") and not _ASKED_TO.match(sentence):
        return None
    sentence = sentence.rstrip("?")
    asked = _REMEMBER.fullmatch(sentence)
    what = asked["what"] if asked else sentence
    if told := templates.told(what):
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
    ends = _LAST_WORDS.fullmatch(last[0].fact) if last else None
    if right is None or ends is None:
        return None
    return replace(last[0], fact=f"{ends[1]}{right['words']}"), last[0].fact
