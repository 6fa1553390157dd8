"""Questions about what is known and what was said. Pure.

A fact answers where it holds all that the question names; of what was said the same is asked, and its day is told.
Anything else is not known, and that is said.
"""

import re
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from app.features.offline.english import asks, capital, shortened, stems, tidy
from app.features.offline.facts import MEMORY_OFF, listed
from app.features.offline.reading import Reading
from app.features.offline.scene import Call, Scene
from app.features.offline.templates import spoken
from app.text.secrets import is_despair, is_secret

QUOTED_MAX_CHARS = 160
SAID_MOST = 3  # Texts that are quoted.
FACTS_MOST = 6  # That answer one question.
LISTED_MAX_CHARS = 1200
DONT_KNOW = "I don't know that."
KNOWS_NOTHING = "I don't know anything about you yet. Tell me where you live, or what you like."
NO_ANSWER = "I can't answer that: without a model I only know what you tell me."

_EVERYTHING = re.compile(
    r"(?:so |and )?(?:what (?:do|else do) you (?:know|remember)(?: about me)?|what have i told you(?: about me)?|"
    r"tell me (?:what you know about me|about me|about myself|everything you know.*)|what is in your memory|"
    r"what are (?:my|the) facts|(?:list|show(?: me)?) (?:my facts|what you know.*|everything.*))\??",
    re.IGNORECASE,
)
_OWN_NAME = re.compile(
    r"(?:what is my name|who am i|do you (?:know|remember) my name|what do you call me)\??", re.IGNORECASE
)
_OWN_ZONE = re.compile(r"(?:what|which)(?: is my)? time ?zone(?: am i in| do i have)?\??", re.IGNORECASE)
_OF_THE_PERSON = re.compile(r"\b(?:i|my|we|our|mine)\b|(?<!tell )(?<!show )(?<!give )\bme\b", re.IGNORECASE)
_SAID_BEFORE = re.compile(
    r"\b(?:did|have|had) (?:i|we)\b|\bwhat was (?:my|the|that)\b|\bremember (?:when|the|that|what)\b|\bsaid about\b",
    re.IGNORECASE,
)
_ALSO = (
    (re.compile(r"\bwhat (?:do i do|is my (?:job|occupation|profession|work))\b"), re.compile(r"Works |Job is ")),
    (re.compile(r"\bwhere do i work\b"), re.compile(r"Works (?:at|for|in|as .* (?:at|for|in)) ")),
    (re.compile(r"\bhow old am i\b|\bwhat is my age\b"), re.compile(r"Is \d+ years old")),
    (re.compile(r"\bwhere (?:am i from|do i come from)\b"), re.compile(r"Is from |Grew up in |Was born in ")),
    (re.compile(r"\bwhere (?:do|am) i (?:live|living|based)\b"), re.compile(r"Lives (?:in|near|at|outside|on) ")),
    (re.compile(r"\bmy allerg|\bam i allergic|\bany allerg"), re.compile(r"Is (?:\w+ )?allergic|Has .* allergy")),
    (re.compile(r"\bwhat do i (?:like|love|enjoy)\??$"), re.compile(r"Likes |Loves |Enjoys |Favou?rite ")),
    (re.compile(r"\bwhat do i (?:hate|dislike|not like)\??$"), re.compile(r"Hates |Dislikes ")),
)
"""Questions whose words are not those of the facts that answer them."""
_BIDS = re.compile(r"(?:(?:please|can you|could you) )*(?:remind|forget|delete|cancel|tell|show)\b", re.IGNORECASE)
_WHETHER_DONE = re.compile(r"(?:did|have|had) (?:i|we)\b(?! (?:say|tell|mention|write))", re.IGNORECASE)
_MEANT = re.compile(
    r"\b(?:re?mi?nd|have to|has to|had to|need|needs|must|should|ought|going to|will|want|wants|plan|supposed to|"
    r"do not forget)\b",
    re.IGNORECASE,
)
"""What says of something that it is to be done, and so is no proof that it was."""
_FORGOTTEN = "[forgotten]"
"""What the history has in the place of forgotten words."""
_WHO = re.compile(r"who(?: is|'s|s) my (?P<who>[\w -]+?)\??", re.IGNORECASE)
_HOW_OLD, _OF_AGE = re.compile(r"\bhow old\b", re.IGNORECASE), re.compile(r"\d|\bborn\b", re.IGNORECASE)
_NOW = re.compile(r"\b(?:now|currently|these days)\??$", re.IGNORECASE)
"""What was said before is no answer to it: only a fact is, which is taken back when it is over."""
_FORMER = re.compile(r"\b(?:before|used to|previously|earlier)\b", re.IGNORECASE)
_LIGHT = frozenset(
    stems("before used previously earlier old do you go get for years time did when remember told much many often")
)


def calls(reading: Reading, scene: Scene) -> list[Call]:
    """What has to be looked up before the questions can be answered."""
    if scene.memory_off:
        return []
    wanted = []
    for question in reading.questions:
        if _EVERYTHING.fullmatch(question):
            wanted.append(Call("list_memories", {}))
        elif _is_searched(question, scene):
            wanted.append(Call("recall_memory", {"query": question}))
    return scene.to_make(wanted)


def said(reading: Reading, scene: Scene) -> list[str]:
    """The answers, each once."""
    return list(dict.fromkeys(_answer(question, scene) for question in reading.questions))


def _is_searched(question: str, scene: Scene) -> bool:
    if _OWN_NAME.fullmatch(question) or _OWN_ZONE.fullmatch(question) or not _is_about_the_person(question, scene):
        return False
    return bool(_SAID_BEFORE.search(question)) or not _facts_for(question, scene.facts)


def _is_about_the_person(question: str, scene: Scene) -> bool:
    """Whether it asks of the person, or of somebody or something that they told of."""
    known = {stem for fact in scene.facts for stem in stems(fact)}
    return bool(_OF_THE_PERSON.search(question)) or bool(known.intersection(_named(question)))


def _answer(question: str, scene: Scene) -> str:
    if scene.memory_off or _EVERYTHING.fullmatch(question):
        return MEMORY_OFF if scene.memory_off else _all(scene)
    if _OWN_NAME.fullmatch(question):
        return f"You're {scene.name}." if scene.name else "I don't know your name. Tell me: my name is Alex."
    if _OWN_ZONE.fullmatch(question):
        return f"Your time zone is {scene.timezone}."
    if not _is_about_the_person(question, scene):
        return _of_this_conversation(question, scene.earlier) or NO_ANSWER
    if not _SAID_BEFORE.search(question) and (facts := _facts_for(question, scene.facts)):
        return " ".join(f"{capital(spoken(fact))}." for fact in facts[:FACTS_MOST])
    found = [step.result for step in scene.done("recall_memory") if step.input.get("query") == question]
    recalled = _found(question, found[0], scene.today) if found else ""
    return recalled or _of_this_conversation(question, scene.earlier) or DONT_KNOW


def _of_this_conversation(question: str, texts: Sequence[str]) -> str:
    """What no search has found yet, as it was said just now."""
    named = _named(question)
    texts = [words.replace(_FORGOTTEN, "").strip() for words in texts]
    shared = {words: len(named & set(stems(words))) for words in texts if _may_be_quoted(words, question)}
    most = max(shared.values(), default=0)
    if 2 * most < len(named) or not most:
        return ""
    best = [words for words, many in shared.items() if many == most]
    return f"You wrote: {'; '.join(_quoted(words) for words in best[:SAID_MOST])}."


def _may_be_quoted(words: str, question: str) -> bool:
    """Whether it tells something, and nothing that is never said back."""
    plain = tidy(words)
    asks_or_bids = words.startswith("/") or asks(plain) or _BIDS.match(plain)
    is_withheld = is_secret(words) or is_despair(words)
    if asks_or_bids or is_withheld or _NOW.search(question) or not _may_answer(question, words):
        return False
    return not (_WHETHER_DONE.match(question) and _MEANT.search(plain))


def _quoted(words: str) -> str:
    return f'"{shortened(words, QUOTED_MAX_CHARS)}"'


def _all(scene: Scene) -> str:
    facts = list((listed(scene) or {}).values()) or list(scene.facts)
    shown: list[str] = []
    for fact in facts:
        if sum(map(len, shown)) < LISTED_MAX_CHARS:
            shown.append(f"{capital(spoken(fact))}.")
    name = [f"Your name is {scene.name}."] if scene.name else []
    left = len(facts) - len(shown)
    more = [f"And {left} more: text /memory."] if left else []
    return " ".join([*name, *shown, *more]) or KNOWS_NOTHING


def _named(question: str) -> set[str]:
    return set(stems(question)) - _LIGHT


def _facts_for(question: str, facts: Sequence[str]) -> list[str]:
    """The facts that hold all that the question names."""
    heads = next((heads for asks, heads in _ALSO if asks.search(question.lower())), None)
    if who := _WHO.fullmatch(question):
        heads = heads or re.compile(rf"(?:Has an? (?:\w+ )?)?{re.escape(who['who'])}\b(?!')", re.IGNORECASE)
    if heads:
        return [fact for fact in facts if heads.match(fact)]
    named = _named(question)
    return [fact for fact in facts if named and named <= set(stems(fact)) and _may_answer(question, fact)]


def _may_answer(question: str, words: str) -> bool:
    """Whether they say a number where an age is asked for, and name the one as theirs where it is asked who that is."""
    if who := _WHO.fullmatch(question):
        return re.search(rf"\bmy (?:\w+ )?{re.escape(who['who'])}\b", words, re.IGNORECASE) is not None
    return not _HOW_OLD.search(question) or _OF_AGE.search(words) is not None


def _found(question: str, result: dict[str, Any], today: date | None) -> str:
    """What a search has brought that answers the question: facts, else what was said, with its day."""
    facts = [one for one in result.get("facts") or [] if _facts_for(question, [str(one["fact"])])]
    if _FORMER.search(question):
        facts = [one for one in facts if not one.get("current", True)]
    if facts:
        told = ((spoken(str(one["fact"])), one.get("current", True)) for one in facts[:FACTS_MOST])
        return " ".join(f"{capital(fact)}." if current else f"It was so before: {fact}." for fact, current in told)
    named = _named(question)
    texts = [(one["said_at"], one["text"]) for one in result.get("messages") or [] if one["said_by"] == "person"]
    texts += [(one["began"], one["summary"]) for one in result.get("episodes") or []]
    fitting = [(at, words) for at, words in texts if named <= set(stems(words)) and _may_be_quoted(words, question)]
    once = {words: at for at, words in fitting if named}
    quoted = [f"{_day(at, today)} you wrote: {_quoted(words)}" for words, at in once.items()]
    return f"{'; '.join(quoted[:SAID_MOST])}." if quoted else ""


def _day(at: str, today: date | None) -> str:
    day = datetime.fromisoformat(at).date()
    ago = (today - day).days if today else -1
    return {0: "Today", 1: "Yesterday"}.get(ago, f"On {day.day} {day:%B %Y}")
