"""Memory without a model: the tools to call for what is told, to be forgotten or asked, and what is said of it. Pure.

A fact answers where it holds all that the question names; of what was said the same is asked, and its day is told.
Anything else is not known, and that is said.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Any

from app.features.offline.english import asks, capital, joined, shortened, stems, tidy, to_you
from app.features.offline.reading import Reading, Told, only_one_of, spoken, told_by
from app.features.offline.scene import Call, Scene
from app.text.secrets import is_despair, is_secret
from app.text.zones import zone_named, zone_of_home

SUBJECTS_MAX = 5  # More cannot be forgotten in one call.
SUBJECT_MAX_CHARS = 60
EVERYTHING = re.compile(
    r"(?:everything|all|it all|all of it|me)(?: (?:about me|(?:that )?(?:you know|i told you)).*)?", re.IGNORECASE
)
FORGET_ALL = "To have everything forgotten, text /forget everything."
MEMORY_OFF = "Memory is off for this conversation: I keep nothing of it. Text /memory on to turn it on again."
CANNOT = "I'm sorry, I can't change anything just now. Please tell me again a little later."
FAILED = "I'm sorry, that could not be kept just now. Please try again a little later."
NOT_THEIRS = "I kept nothing of that, as somebody else wrote it. If it is true of you, tell me so in your own words."
_OF_OTHERS = "is not what the person wrote"
_CHANGING = ("extract_memory", "update_memory", "remove_memory", "update_profile")
_ZONE_TOLD = re.compile(r"(?:my |set my |change my )?time ?zone(?: is| to)? (?P<zone>.+)", re.IGNORECASE)

QUOTED_MAX_CHARS = 160
SAID_MOST = 3  # Texts that are quoted.
FACTS_MOST = 6  # That answer one question.
LISTED_MAX_CHARS = 1200
DONT_KNOW = "I don't know that."
KNOWS_NOTHING = "I don't know anything about you yet. Tell me where you live, or what you like."
NO_ANSWER = "I can't answer that: without a model I only know what you tell me."

_EVERYTHING = re.compile(
    r"(?:so |and )?(?:what (?:do|else do) you (?:know|remember)(?: about me)?|what have i told you(?: about me)?|"
    r"what (?:have|do) you (?:got|have) (?:on|about) me|"
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
    """The calls to make now for what is told, to be forgotten and asked; none when all is done."""
    if scene.memory_off:
        return []
    wanted = []
    if any(_is_name(what) for what in reading.forget) and scene.name:
        wanted.append(Call("update_profile", {"name": ""}))
    elif reading.name and reading.name != scene.name:
        wanted.append(Call("update_profile", {"name": reading.name}))
    rivals = {one.fact: _rival(one, reading, scene.facts) for one in reading.told}
    subjects = _subjects(reading)
    sought = dict.fromkeys([*filter(None, rivals.values()), *subjects])
    wanted += [Call("list_memories", {"query": words}) for words in sought]
    new = [one for one in reading.told if rivals[one.fact] is None and not _is_known(one.fact, scene.facts)]
    if new:
        wanted.append(Call("extract_memory", {"facts": [{"fact": one.fact, "category": one.category} for one in new]}))
    if (found := listed(scene)) is not None:
        numbers = {sentence: number for number, sentence in found.items()}
        for fact, rival in rivals.items():
            if rival in numbers:
                wanted.append(Call("update_memory", {"fact_id": numbers[rival], "fact": fact}))
        if subjects:
            ids = [number for number, fact in found.items() if any(_speaks_of(fact, what) for what in subjects)]
            wanted.append(Call("remove_memory", {"fact_ids": ids, "about": subjects}))
    for question in reading.questions:
        wanted += _looking_up(question, scene)
    return scene.to_make(wanted)


def zone_calls(reading: Reading, scene: Scene) -> list[Call]:
    """The call that sets their clocks: to a zone that they named, or to that of their home, once that is kept."""
    kept = {str(item["fact"]) for step in scene.steps_of("extract_memory") for item in step.result.get("stored") or []}
    kept |= {str(step.input["fact"]) for step in scene.done("update_memory")}
    zones = [zone_of_home(one.fact) for one in reading.told if one.fact in kept]
    wanted = [Call("update_profile", {"timezone": zone}) for zone in (*zones, *map(zone_told, reading.missed)) if zone]
    return scene.to_make(wanted[-1:])


def zone_told(sentence: str) -> str | None:
    """The zone that the sentence says is theirs."""
    named = _ZONE_TOLD.fullmatch(sentence)
    return zone_named(named["zone"]) if named else None


def listed(scene: Scene) -> dict[int, str] | None:
    """What `list_memories` brought in this turn: sentences by their ids; None where it was not asked."""
    good = scene.done("list_memories")
    found = [item for step in good for item in step.result.get("facts") or [] if not item.get("archived")]
    return {item["id"]: str(item["fact"]) for item in found} if good else None


def said(reading: Reading, scene: Scene) -> list[str]:
    """What came of it, a sentence or two each, and the answers, each once."""
    parts = [*_greeted(scene), *_kept(reading, scene)]
    updated = [str((step.result.get("fact") or step.input)["fact"]) for step in scene.done("update_memory")]
    parts += [f"Thanks, I've updated that: {_spoken(updated)}."] if updated else []
    parts += _forgotten(reading, scene)
    failed = [step for step in scene.steps if step.failed and step.tool in (*_CHANGING, "list_memories")]
    if failed:
        parts.append(NOT_THEIRS if any(_OF_OTHERS in step.message for step in failed) else FAILED)
    elif reading.told or reading.name or reading.forget:
        may = "extract_memory" in scene.tools or scene.steps
        parts += [MEMORY_OFF] if scene.memory_off else [] if may else [CANNOT]
    zones = [step.result.get("timezone") for step in scene.steps_of("update_profile") if "timezone" in step.input]
    parts += [f"Your time zone is {zone} now." for zone in zones if zone and zone != scene.timezone]
    return [*parts, *dict.fromkeys(_answer(question, scene) for question in reading.questions)]


def _is_same(one: str, other: str) -> bool:
    return one.casefold().strip(". ") == other.casefold().strip(". ")


def _is_known(fact: str, facts: Iterable[str]) -> bool:
    return any(_is_same(fact, one) for one in facts)


def _rival(told: Told, reading: Reading, facts: Iterable[str]) -> str | None:
    """The known fact that the new one takes the place of: of what there is one, or what was said to be wrong."""
    if wrong := reading.corrected.get(told.fact):
        return next((one for one in facts if one.casefold().startswith(wrong.casefold())), None)
    may_be_two = told.only_one.startswith("?")
    if not told.only_one or (may_be_two and told.fact not in reading.corrected):
        return None
    same = [one for one in facts if only_one_of(one) == told.only_one and not _is_same(one, told.fact)]
    return same[0] if len(same) == 1 else None


def _is_name(what: str) -> bool:
    return what.lower() in {"my name", "what i am called", "name"}


def _subjects(reading: Reading) -> list[str]:
    return [one for one in reading.forget if one and not EVERYTHING.fullmatch(one) and not _is_name(one)][:SUBJECTS_MAX]


def _speaks_of(fact: str, what: str) -> bool:
    """Whether the fact holds all that the words name."""
    told = told_by(what)
    named = set(stems(told.fact if told else what))
    return bool(named) and named <= set(stems(fact))


def _greeted(scene: Scene) -> list[str]:
    names = [step.input["name"] for step in scene.done("update_profile") if "name" in step.input]
    return [f"Nice to meet you, {name}!" if name else "Done, I've forgotten your name." for name in names[:1]]


def _kept(reading: Reading, scene: Scene) -> list[str]:
    results = [step.result for step in scene.done("extract_memory")]
    stored, known = (
        [str(item["fact"]) for one in results for item in one.get(key) or []] for key in ("stored", "duplicates")
    )
    known += [one.fact for one in reading.told if _is_known(one.fact, scene.facts)]
    parts = [f"Got it. I'll remember that {_spoken(stored)}."] if stored else []
    parts += [f"I already know that {_spoken(dict.fromkeys(known))}."] if known else []
    # The known facts of which the new one may be the successor: only the person can tell.
    both = [(one["fact"], known["fact"]) for result in results for one in result["conflicts"] for known in one["known"]]
    rivals = [old for new, old in both if (only := only_one_of(new)) and only == only_one_of(old)]
    if rivals:
        parts.append(f"I also know that {_spoken(rivals)}. If that is over, tell me to forget it.")
    return parts


def _spoken(facts: Iterable[str]) -> str:
    return joined([spoken(fact) for fact in facts])


def _forgotten(reading: Reading, scene: Scene) -> list[str]:
    parts = [FORGET_ALL] if any(EVERYTHING.fullmatch(one) for one in reading.forget) else []
    if any(not one for one in reading.forget):
        parts.append('What shall I forget? Say it as: forget about my dog. "/undo" takes back the last change.')
    for result in (step.result for step in scene.done("remove_memory")):
        gone, found = result.get("removed"), result.get("about")
        if gone:
            parts.append(f"Done, I've forgotten that {_spoken(str(one['fact']) for one in gone)}.")
        elif found:
            parts.append(f"Done, I've forgotten what you said about {joined([to_you(str(one)) for one in found])}.")
        else:
            subjects = [to_you(shortened(one, SUBJECT_MAX_CHARS)) for one in _subjects(reading)]
            parts.append(f"I don't know anything about {joined(subjects)}.")
        parts += [
            f"Still to come: {one['words']}, {one['when']}. /routines forget {one['id']} stops it."
            for one in result.get("still_coming") or []
        ]
        parts += [
            f"A rule still names it: {one['rule']}. /rules forget {one['id']} ends it."
            for one in result.get("still_ruling") or []
        ]
    return parts


def _looking_up(question: str, scene: Scene) -> list[Call]:
    if _EVERYTHING.fullmatch(question):
        return [Call("list_memories", {})]
    return [Call("recall_memory", {"query": question})] if _is_searched(question, scene) else []


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
