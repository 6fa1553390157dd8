"""Questions about the person, answered from the facts that are known."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from app.clients.offline import days, told
from app.clients.offline.beings import beings, mentioned
from app.clients.offline.birthdays import is_asked
from app.clients.offline.concerned import concerned
from app.clients.offline.past import past
from app.clients.offline.sentences import content
from app.clients.offline.topics import DISLIKING, LIKING, is_topic, on_topic
from app.clients.offline.voice import capital, joined, spoken, third_person
from app.clients.offline.words import VERBS

LISTED_MAX_CHARS = 1200  # Below Twilio's 1,600, with room for what else the reply says.
DONT_KNOW = "I don't know that yet."
QUERY_MAX_CHARS = 200
ALL_DAY = 20  # Of each kind, as many as one search gives: what was told on a day is not known by its words.
_EVER = "2000-01-01"  # Before anything was told.
# How a question points at talk says nothing of what was talked about.
_NOT_SEARCHED = frozenset("before used we talked talk spoke discussed happened happen remind did does".split())


@dataclass(frozen=True)
class Known:
    name: str | None
    timezone: str | None
    facts: Sequence[str]


_EVERYTHING = re.compile(
    r"(?:(?:so )?(?:what|tell me (?:everything|what|all)|list (?:everything|all|what)|show me (?:everything|what)|"
    r"everything)(?: all)?(?: that)? (?:do )?(?:you|have you) (?:know|remember|remembered|learned|"
    r"learnt|got|have|have on|know of)(?: so far)?(?: about me| of me| on me)?(?: so far)?|"
    r"what (?:facts|memories|things|information|info) (?:do you have|"
    r"have you (?:got|stored|saved|kept)|do you know)(?: about me| on me)?|"
    r"(?:show|list|tell)(?: me)? (?:all )?(?:of )?(?:my|your|the) (?:facts|memory|memories|"
    r"notes)(?: about me)?|tell me about (?:myself|me)|what have i (?:told|said to|"
    r"shared with) you(?: so far| about me| about myself)*|who am i(?: to you)?|do you know me|"
    r"do you (?:know|remember) (?:anything|something|things)(?: about me)?|what is in your memory|"
    r"do you remember me|what do you know|what did i (?:tell|teach) you(?: so far| about me|"
    r" about myself)*|describe me|do you "
    r"remember(?: what i (?:told|said)(?: to)?(?: you)?)?)",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"(?:what is my (?:first )?name|do you (?:know|remember) (?:my name|who i am|what my name is|"
    r"what i am called)|who am i|what am i called|what (?:do|should|will|can) you call me|"
    r"tell me my name|say my name|my name|is my name .+|am i called .+)",
    re.IGNORECASE,
)
_ZONE = re.compile(
    r"(?:what|which|what is|tell me) (?:is )?(?:my )?timezone(?: (?:am i in|do i have|do you have|is it))?",
    re.IGNORECASE,
)
_FORMER = re.compile(
    r"\b(?:before|previously|formerly|earlier|in the past|used? to|last year|"
    r"was my (?:old|last|previous|former|first)|my (?:old|previous|former))\b",
    re.IGNORECASE,
)
_WAS_ONCE = re.compile(
    r"(?:where|what|who) (?:did|was|were) (?:i|my)\b(?!.*\b(?:say|tell|mention|born|grow|named)\b)", re.IGNORECASE
)
_ABOUT = re.compile(
    r"(?:what (?:did|have) i (?:say|said|tell you|told you|mention|mentioned|told)|"
    r"what do you (?:know|remember|have)|tell me(?: more)?|"
    r"tell me (?:what|everything) you (?:know|remember)|do you (?:know|remember)(?: anything|"
    r" something)?|(?:do you have|have you got|is there|what) (?:any |some )?(?:info|information|"
    r"notes?|facts?|anything|something)(?: do you have| have you)?|"
    r"have i (?:told you|mentioned)(?: anything)?|did i (?:tell you|mention|say)(?: anything)?|"
    r"show me)(?: about| regarding| on| of)? (?P<what>(?:my|our|the|where|what|when|how|which|that|"
    r"i) .+|[A-Z][\w'-]+|[\w'-]+)",
    re.IGNORECASE,
)
_DO_I_LIKE = re.compile(
    r"do i (?:really |still |even )?(?P<verb>like|love|enjoy|hate|dislike|prefer) (?P<thing>.+)", re.IGNORECASE
)
_DO_I = re.compile(r"(?:do|did|can) i (?:still |have to )?(?P<verb>[a-z]+)(?: (?P<rest>.+))?", re.IGNORECASE)
_AM_I = re.compile(r"am i (?:still |really |an? )*(?P<what>.+)", re.IGNORECASE)
_WHO_IS = re.compile(r"(?:who|what) (?:is|are|was) (?P<what>[A-Z][\w'-]+(?: [A-Z][\w'-]+)?)")
_OWN = re.compile(
    r"(?:what|who|where|when|which|how old|how many)(?: kind of| sort of| type of)?(?: is| are|"
    r" was)? (?:the names? of )?(?P<what>(?:my|our) .+)",
    re.IGNORECASE,
)
_HOW_MANY = re.compile(r"(?:how many|what|which) (?P<what>[\w-]+) (?:do|have) i (?:have|got|own)", re.IGNORECASE)
_OF_NAME = re.compile(r"(?:'s|s')? (?:names?|called|named)(?: again)?$", re.IGNORECASE)
_MINE = re.compile(r"\b(?:i|my|me|mine|myself|our|we)\b", re.IGNORECASE)
_TO_ME = re.compile(
    r"\b(?:tell|show|give|help|let|for|teach|send|sing|write|with|to) me\b|"
    r"\b(?:do|can|could|should) i (?=(?:fix|install|cook|use|make|get|set)\b)",
    re.IGNORECASE,
)
_AGAIN = re.compile(r"(?: again| now| please| these days| at the moment| currently| though| today)+$", re.IGNORECASE)


def wants_everything(question: str) -> bool:
    return bool(_EVERYTHING.fullmatch(_asked(question)))


def asks_own_name(question: str) -> bool:
    return bool(_NAME.fullmatch(_asked(question)))


def wants_the_past(question: str) -> bool:
    asked = _asked(question)
    return bool(_FORMER.search(asked) or _WAS_ONCE.match(asked)) and bool(_MINE.search(question))


def wants_the_former(question: str) -> bool:
    """Whether it asks in so many words for what is so no more."""
    return bool(_FORMER.search(_asked(question)) and _MINE.search(question))


def is_about_person(question: str) -> bool:
    return bool(
        _MINE.search(_TO_ME.sub("", question))
        or _ABOUT.fullmatch(_asked(question))
        or _WHO_IS.fullmatch(_asked(question))
        or is_asked(question)
    )


def search(question: str, today: date | None) -> dict[str, Any]:
    """What to give to `recall_memory`; a question of days alone is bounded by them.

    Verbs are also given in the form that facts have (`live before` → `live lives`), and days whole.
    """
    named = days.phrase(question)
    rest = question.replace(named, " ") if named else question
    words = [word for word in re.findall(r"[\w'-]+", rest) if content(word) and word.lower() not in _NOT_SEARCHED]
    forms = [third_person(word) for word in words if word.lower() in VERBS]
    query = " ".join([*words, *forms, *([named] if named else [])])[:QUERY_MAX_CHARS] or question[:QUERY_MAX_CHARS]
    if wants_everything(question):
        return {"query": "what happened", "limit": ALL_DAY, "since": _EVER, "until": (today or date.max).isoformat()}
    between = told.of_days_alone(question, today)
    if between is None:
        return {"query": query}
    return {"query": query, "limit": ALL_DAY, "since": between[0].isoformat(), "until": between[1].isoformat()}


def looks_back(question: str) -> bool:
    """Whether the answer may stand in what the person told in earlier talk."""
    return is_about_person(question) or told.points_back(question, asked=True)


_OF_SOMEBODY = re.compile(
    r"(?:who|whom|whose)\b (?!are you|am i).+|"
    r"(?:what|where|when|why|how|which)\b.{0,40}? (?:did|was|were|had|has) (?!you\b).+|"
    r"(?:what|which) (?:\w+ )?(?:happened|broke|came|went)\b.*|(?:did|was|were|had) (?!you\b).+",
    re.IGNORECASE,
)


def may_have_been_told(question: str) -> bool:
    """Whether it asks for somebody or for what was, of which the person may have told as well as a book."""
    return bool(_OF_SOMEBODY.fullmatch(question.strip(" ?!.,")))


_TOLD = re.compile(
    r"^(?:(?:remind me|tell me|do you (?:know|remember)|let me know|any idea|I forgot|"
    r"do you happen to know)(?: again)? )(?=(?:what|where|when|who|how|which)\b)",
    re.IGNORECASE,
)
_TURNED: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(expression, re.IGNORECASE), direct)
    for expression, direct in (
        (r"^(what|where|when|who|which|how old) (my .+?) (is|are|was|were)$", r"\1 \3 \2"),
        (r"^(what|where|when|who|how old|which .+?) I (am|was)\b(.*)$", r"\1 \2 I\3"),
        (
            r"^(what|where|when|who|which .+?|what .+?) I (?!am|was|do\b|did\b|have\b|said\b|told\b)([a-z]+)\b(.*)$",
            r"\1 do I \2\3",
        ),
    )
)


def _asked(question: str) -> str:
    """The question put straight: `do you know where I live` → `where do I live`."""
    asked = _AGAIN.sub("", question.strip(" ?!.,"))
    straight = _TOLD.sub("", asked)
    if straight != asked:
        for expression, direct in _TURNED:
            straight = expression.sub(direct, straight)
    return straight


def answer(question: str, known: Known) -> str | None:
    """The answer in the second person, or None where the facts do not hold it."""
    asked = _asked(question)
    if _NAME.fullmatch(asked) and known.name:
        return f"Your name is {known.name}."
    if _ZONE.fullmatch(asked) and known.timezone:
        return f"Your time zone is {known.timezone}."
    if wants_everything(asked):
        return everything(known)
    if _NAME.fullmatch(asked) or _ZONE.fullmatch(asked):
        return None
    if is_topic(asked):
        return said_back(on_topic(asked, known.facts))
    return (
        _yes_or_no(asked, known)
        or said_back(_matching(asked, known.facts))
        or _of_the_named(asked, known.facts)
        or said_back(_of_things(asked, known.facts))
    )


def _of_the_named(asked: str, facts: Sequence[str]) -> str | None:
    """What is known of somebody whom the question calls by name: what is asked, or all, and that it is not that."""
    known = beings(facts)
    called = {being for being in mentioned(asked, known) if being.name in {one.name for one in known if one.name}}
    names = {being.name for being in called if being.name}
    about = [fact for fact in facts if any(re.search(rf"\b{re.escape(name)}\b", fact) for name in names)]
    wanted = set(content(asked)) - {stem for being in called for stem in content(f"{being.name} {being.kind}")}
    told_of = [fact for fact in about if wanted & set(content(fact))]
    if told_of or not wanted or not about:
        return said_back(told_of or about)
    return f"{DONT_KNOW} I do know that {joined([spoken(fact) for fact in about])}."


def _of_things(asked: str, facts: Sequence[str]) -> list[str]:
    """Facts that are not about the person and speak of all that is asked: `where is the spare key`."""
    wanted = set(content(asked))
    return [fact for fact in facts if wanted and wanted <= set(content(fact)) and not spoken(fact).startswith("you")]


def everything(known: Known) -> str | None:
    named = [f"Your name is {known.name}."] if known.name else []
    lines = [capital(spoken(fact)) + "." for fact in known.facts]
    kept: list[str] = named
    for index, line in enumerate(lines):
        if sum(map(len, kept)) + len(line) > LISTED_MAX_CHARS:
            return " ".join([*kept, f"And {len(lines) - index} more: text /memory to see them all."])
        kept.append(line)
    return " ".join(kept) or None


def said_back(facts: Sequence[str]) -> str | None:
    if not facts:
        return None
    return everything(Known(None, None, facts))


def _yes_or_no(asked: str, known: Known) -> str | None:
    liking = _DO_I_LIKE.fullmatch(asked)
    if liking:
        return _taste(liking["verb"].lower(), liking["thing"], known.facts)
    being = _AM_I.fullmatch(asked)
    doing = _DO_I.fullmatch(asked)
    if being:
        return _confirmed(re.compile(r"Is\b|Works as"), being["what"], known.facts)
    if doing and doing["verb"].lower() == "have":
        return _confirmed(re.compile(r"Has\b|Does not have|No longer has"), doing["rest"] or "", known.facts)
    if doing and doing["rest"]:
        verb = doing["verb"].lower()
        forms = rf"(?:\w+ )?{third_person(verb)}\b|Does not {re.escape(verb)}\b|No longer {third_person(verb)}\b"
        return _confirmed(re.compile(forms, re.IGNORECASE), doing["rest"], known.facts)
    return None


def _taste(verb: str, thing: str, facts: Sequence[str]) -> str | None:
    wanted = set(content(thing))
    found = [
        fact
        for fact in facts
        if re.match(f"{LIKING}|{DISLIKING}|Prefers", fact) and wanted and wanted <= set(content(fact))
    ]
    if not found:
        return None
    liked = not re.match(DISLIKING, found[0])
    yes = liked == (verb not in {"hate", "dislike"})
    return f"{'Yes' if yes else 'No'}, {spoken(found[0])}."


_NEGATIVE = re.compile(r"(?:Is not|Does not|No longer|Is no longer|Has no)\b")


def _confirmed(start: re.Pattern[str], what: str, facts: Sequence[str]) -> str | None:
    found = [facts[index] for index in concerned(facts, what) if start.match(facts[index])]
    if not found:
        return None
    return f"{'No' if _NEGATIVE.match(found[0]) else 'Yes'}, {spoken(found[0])}."


def _matching(asked: str, facts: Sequence[str]) -> list[str]:
    """Facts that speak of what was asked, however it was put."""
    if any(expression.fullmatch(asked) for expression in (_DO_I_LIKE, _AM_I, _DO_I)):
        return []  # Yes or no: what is merely near is no answer.
    about = _ABOUT.fullmatch(asked) or _WHO_IS.fullmatch(asked) or _OWN.fullmatch(asked) or _HOW_MANY.fullmatch(asked)
    what = _OF_NAME.sub("", about["what"]) if about else asked
    found = [facts[index] for index in concerned(facts, what)]
    if found or about is None or not _MINE.search(asked):
        return found if about else _overlapping(asked, facts)
    return _overlapping(what, facts)


def _overlapping(asked: str, facts: Sequence[str]) -> list[str]:
    wanted = set(content(asked)) - _LIGHT
    if not wanted or not _MINE.search(asked):
        return []
    shared = [(len(wanted & set(content(fact))), fact) for fact in facts]
    best = max((count for count, _ in shared), default=0)
    enough = -(-2 * len(wanted) // 3)  # Two thirds of what was asked, rounded up.
    return [fact for count, fact in shared if count == best and count >= enough]


_LIGHT = frozenset(content("number time date day kind type sort use get go do take make want need"))


def answer_from_recall(question: str, found: Sequence[Mapping[str, Any]]) -> str | None:
    """The answer from what `recall_memory` found: what was true before, or what is known about the matter asked for."""
    current = [str(item.get("fact") or "") for item in found if item.get("current", True)]
    former = [str(item.get("fact") or "") for item in found if not item.get("current", True)]
    if wants_the_past(question):
        matching = _formerly(_asked(question), former)
        return " ".join(capital(past(fact)) + "." for fact in matching[:3]) or None
    asked = _asked(question)
    return said_back(on_topic(asked, current) if is_topic(asked) else _matching(asked, current))


_DID = re.compile(
    r"^(where|what|who|when) (?:did i (?:use to |used to )?|was my (?:old |previous |former |last |first )?|were my )",
    re.IGNORECASE,
)


def _formerly(asked: str, former: Sequence[str]) -> list[str]:
    now = re.sub(r"(?: before| previously| in the past| earlier| formerly)+$", "", asked, flags=re.IGNORECASE)
    own = re.sub(r"\b(?:was|is) my (?:old|previous|former|last|first) ", "is my ", now, flags=re.IGNORECASE)
    plain = _DID.sub(lambda match: f"{match[1]} " + ("is my " if " my " in match[0].lower() else "do I "), own)
    found = on_topic(plain, former) if is_topic(plain) else _matching(plain, former)
    return found or _overlapping(plain, former)
