"""What the person told in earlier talk: which of it a question means, and how it is said back with its day.

Searches by words and by meaning bring back what is nearest, whether or not it is what was asked for. So it is looked
at once more here: it has to share the words of the question, or to be near enough in meaning where somebody points
back at something without naming it. Else there is nothing, and that is said.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from app.clients.offline import days, small_talk
from app.clients.offline.concerned import is_subject
from app.clients.offline.matching import normal
from app.clients.offline.patterns import any_of
from app.clients.offline.sentences import asks, clauses, content, sentences, tidy
from app.clients.offline.voice import capital
from app.clients.offline.voice import told as to_person
from app.clients.offline.words import PETS, RELATIONS
from app.despair import is_despair
from app.redaction import is_secret

QUOTED_MAX_CHARS = 240  # Of one text that is said back: what a phone shows at a glance.
QUOTED_MOST = 3
OF_A_DAY_MOST = 5
NAMED_MAX_CHARS = 60  # Of what is said back as not found.
SHORTLY_AFTER = timedelta(days=3)  # In which one still speaks of a day.
NEAR = 0.33  # In meaning, from 0 to 1, where no word is shared: what memory itself takes for near in a search.

_SPOKE = (
    r"(?:talk(?:ed|ing)?|spoke|speaking|chatt?(?:ed|ing)?|discuss(?:ed)?|told|tell|mention(?:ed)?|said|say|asked|wrote|"
    r"texted)"
)
_THING = r"(?:thing|story|stuff|matter|bit|part|time|day|business|problem|issue|trouble|situation|conversation|talk)s?"
_QUESTION = re.compile(
    r"(?:do you |can you |you )?(?:still )?(?:remember|recall) "
    r"(?:when|how|where|who|(?:the|that) (?:time|day|night))\b.+|"
    r"(?:so )?what(?:ever)? happened\b(?! (?:was|is)\b).*|how did .{1,80}? go\b.*|"
    rf"(?:what|when|where|who|which|why|how)\b.{{0,60}}? (?:did|have|had) (?:I|we) (?:\w+ )?{_SPOKE}\b.*|"
    r"(?:what|when|where|who|why|how) (?:was|were|did|had) (?:I|we|my|our|the|that)\b.+|"
    rf"(?:did|have|had) (?:I|we) (?:\w+ )?{_SPOKE}\b.*",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    rf"(?:the|that|this|those|these|my|our) .{{1,80}}? (?:that |which )?(?:we|I) (?:\w+ )?{_SPOKE}"
    r"(?: you)?(?: about| of)?|"
    rf"(?:the|that|this|those|these) (?:\w+ )?{_THING} (?:about|with|from|I|we|when I|where I)\b"
    r"(?!.*\b(?:is|are|has|have|will|makes?)\b).+|"
    r"(?:anything|something) (?:about|on|from) (?:the|that|my|our) .+",
    re.IGNORECASE,
)
_ASKED_AFTER = re.compile(r"(?:,| -)? (?:what|who|when|where|which|how|do you|can you)\b.*", re.IGNORECASE)
_REMEMBER_IT = re.compile(r"(?:remember|recall) (?:the|that|my|our|what|those|these) .+", re.IGNORECASE)
_WHEN = re.compile(r"(?:when|what day|which day|what time|how long ago) (?:did|was|were|had|have)\b", re.IGNORECASE)
_SAYING = re.compile(rf"(?:so )?what (?:else )?(?:did|have|had) (?:I|we) (?:\w+ )?{_SPOKE}\b", re.IGNORECASE)
_WHETHER = re.compile(r"(?:did|have|had|do you (?:know|remember) (?:if|whether)) ?(?:I|we)\b", re.IGNORECASE)
_OF_ONESELF = re.compile(
    r"(?:(?:what|which|who|where|when|how) .{0,40}?\b)?(?:am|do|did|have|can|should) I\b", re.IGNORECASE
)
_OTHERS = re.compile(rf"\b(?:he|she|they|{any_of(RELATIONS | PETS)})(?:'s)?\b", re.IGNORECASE)
_FIRST_PERSON = re.compile(r"\b(?:I|me|we|us)\b", re.IGNORECASE)
_OF_NOW = re.compile(r"(?:so |and )?(?:where|how|what|who|which)(?: \w+)? (?:is|are|am|do|does)\b", re.IGNORECASE)
_WHETHER_DONE = re.compile(rf"(?:did|have|had) (?:I|we) (?!(?:\w+ )?{_SPOKE}\b)", re.IGNORECASE)
# What is only asked for or meant to be done says nothing of whether it was.
_TO_BE_DONE = re.compile(
    r"\b(?:re?mi?nd(?:er)?s?|rmd|alarm|timer|wake me|do not (?:let me )?forget to|"
    r"(?:need|have|want|ought|meant|got|going|supposed|plan|try|trying|forgot) to|must|should|will|might)\b",
    re.IGNORECASE,
)
_ABOUT = re.compile(r"\b(?:about|regarding|mention(?:ed)?) (?P<what>.+)$", re.IGNORECASE)
_OF_TALK = re.compile(rf"\b(?:{_SPOKE}|remember|recall|happened|{_THING} (?:about|with|from))\b", re.IGNORECASE)
_LIGHT = frozenset(
    stem
    for word in (
        "talk talked talking speak spoke speaking chat chatted discuss discussed mention mentioned ask asked wrote "
        "texted happen happened go went going get got do doing make made say recall thing story stuff matter bit part "
        "business situation conversation remind still when anything about have has had want"
    ).split()
    for stem in content(word)
) | {stem for word in days.TIME_WORDS for stem in content(word)}
_FORGET = re.compile(
    r"\b(?:forget|delete|erase|remove)\b (?:please )?(?:(?:all |everything |anything |what )?(?:I (?:said|told you) )?"
    r"(?:about|that|of|on) )?(?P<what>.+)",
    re.IGNORECASE,
)
_TAKES_BACK = re.compile(r"\s*(?:/(?:forget|undo|memory forget|new)\b|undo\b)", re.IGNORECASE)
_SAID_ON = re.compile(
    rf"^(?:(?:everything|anything|all|what(?:ever)?)(?: that)? (?:I|we) (?:have )?{_SPOKE}(?: you)?(?: about)? )?"
    r"(?:from )?",
    re.IGNORECASE,
)
_LATEST = re.compile(
    rf"(?:the last (?:thing|text|message|bit)s?|what) (?:that )?(?:I|we) (?:have |just |last )*{_SPOKE}(?: you)?"
    r"(?: about)?|"
    r"(?:the|our|this|that) (?:last )?(?:conversation|chat|talk)",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"(?:On (?P<day>\d{1,2} [A-Z][a-z]+ \d{4}) [^“”]{0,60}? wrote: )?“(?P<words>[^“”]+)”")


@dataclass(frozen=True)
class Told:
    """Something of earlier talk."""

    words: str
    day: date | None
    """On the person's calendar; None where only its place before this text is known."""
    at: str = ""
    """The instant as it was given, by which what was said on one day is in order."""
    relevance: float = 0.0
    """As the search put it, 0 to 1."""
    is_own: bool = True
    """Whether these are the person's own words; else it is an account of what they said."""
    is_dated: bool = False
    """Whether relative dates in it were made absolute."""


def points_back(text: str, *, asked: bool) -> bool:
    """Whether the text asks for something of earlier talk, be it as a question or as "that thing about my boss"."""
    bare = text.strip(" ?!.,")
    reference = _ASKED_AFTER.sub("", bare, count=1)
    return bool(
        _QUESTION.fullmatch(bare)
        or (reference and _REFERENCE.fullmatch(reference))
        or (asked and _REMEMBER_IT.fullmatch(bare))
    )


def is_talk_of_a_time(what: str) -> bool:
    """Whether it names what was said on a day or of late, and not what it was about: "what I told you yesterday"."""
    if _LATEST.fullmatch(what):
        return True
    rest = days.after(_SAID_ON.sub("", what))
    return rest is not None and re.fullmatch(r"(?: (?:about|on|of) .+)?", rest) is not None


def asks_whether(question: str) -> bool:
    return _WHETHER.match(question) is not None


def asks_what_was_said(question: str) -> bool:
    """Whether it asks for words: "what did I say about my sister?", which is more than what is known of her."""
    return _SAYING.match(question) is not None


def asks_when(question: str) -> bool:
    return _WHEN.match(question) is not None


def subject(question: str) -> list[str]:
    """The stems of what a question of earlier talk is about, without its days and without words for talking."""
    named = days.phrase(question)
    about = question.replace(named, " ") if named else question
    return [stem for stem in dict.fromkeys(content(about)) if stem not in _LIGHT and not stem.isdigit()]


def of_days_alone(question: str, today: date | None) -> tuple[date, date] | None:
    """The days of a question that asks for nothing else: "what happened on Thursday?"."""
    alone = today is not None and not subject(question) and points_back(question, asked=True)
    return days.span(question, today) if alone and today is not None else None


def of_results(results: Iterable[Mapping[str, Any]]) -> list[Told]:
    """What searches brought back of what was said and of what happened, as far as the person told it."""
    found: list[Told] = []
    for result in results:
        found += [
            Told(
                _said(one.get("text")),
                _day(one.get("said_at")),
                _said(one.get("said_at")),
                _number(one.get("relevance")),
            )
            for one in _mappings(result.get("messages"))
            if one.get("said_by") == "person"
        ]
        for one in _mappings(result.get("episodes")):
            found += of_episode(one, _number(one.get("relevance")))
    return found


def of_episode(episode: Mapping[str, Any], relevance: float = 0.0) -> list[Told]:
    """The person's own words in an episode, each with its day; where it quotes none, what it says."""
    narrative, day = _said(episode.get("narrative")), _day(episode.get("began"))
    own: list[Told] = []
    for quote in _QUOTED.finditer(narrative):
        day = _written_day(quote["day"]) or day
        own.append(Told(quote["words"], day, "", relevance, is_dated=True))
    words = _said(episode.get("summary")) or narrative
    return own or ([Told(words, day, "", relevance, is_own=False, is_dated=True)] if words else [])


def answer(question: str, found: Sequence[Told], today: date | None, earlier: Sequence[str] = ()) -> str | None:
    """What was told that answers the question, said back with its day; None where nothing was.

    What the `earlier` texts of this talk asked to forget is not said back, where memory could not be asked to forget
    it by name: what it forgot it does not find, and what is found was told again or brought back since.
    """
    asked = [wish for text in earlier if (wish := _forgets(text)) and not is_subject(wish)]
    wishes = [set(content(wish)) for wish in asked]
    telling = [one for one in found if _tells(one) and not _is_forgotten(one, wishes)]
    if _WHETHER_DONE.match(question):
        telling = [one for one in telling if not _TO_BE_DONE.search(tidy(one.words))]
    wanted = subject(question)
    is_pointing = points_back(question, asked=True)
    if _OF_ONESELF.match(question) and not is_pointing:
        telling = [one for one in telling if not one.is_own or _is_of_oneself(one.words, set(wanted))]
    between = of_days_alone(question, today)
    if between:
        return _of_days(telling, between, today)
    if not wanted:
        return None
    shared = [(len(set(wanted) & set(content(one.words))), one) for one in telling]
    most = max((count for count, _ in shared), default=0)
    enough = -(-len(wanted) // 2) if is_pointing else -(-2 * len(wanted) // 3)
    best = [one for count, one in shared if count == most]
    if most >= enough:
        return _of_asked_days(best, question, today)
    if is_pointing and not asks_whether(question):
        near = [one for one in best if one.relevance >= NEAR or most]
        nearest = max(near, key=lambda one: one.relevance, default=None)
        return f"Do you mean this? {_quoted(nearest, today)}" if nearest else None
    return None


def not_forgotten(earlier: Sequence[str]) -> list[str]:
    """Of earlier texts, the newest first, those that no later one may have asked to forget.

    A search finds nothing of what memory has forgotten; the conversation still shows it.
    """
    kept: list[str] = []
    for index, text in enumerate(earlier):
        if _TAKES_BACK.match(text):
            break
        wishes = [set(content(wish)) for newer in earlier[:index] if (wish := _forgets(newer)) is not None]
        if not any(not wish or wish & set(content(text)) for wish in wishes):
            kept.append(text)
    return kept


def latest(found: Sequence[Told], today: date | None) -> str | None:
    """A few of what the person told last, where nothing else is known of them; None where they told nothing."""
    telling = [one for one in found if _tells(one)]
    own = [one for one in telling if one.is_own and not one.is_dated] or telling
    chosen = _once(sorted(own, key=lambda one: (one.day or date.min, one.at)))[-QUOTED_MOST:]
    return f"I have no facts about you yet, but I remember this. {_listed(chosen, today)}" if chosen else None


def nothing(question: str) -> str | None:
    """That nothing was told of what a question points back at; None where it does not ask for what was told."""
    if not _OF_TALK.search(question):
        return None
    about = _ABOUT.search(question.strip(" ?!.,"))
    what = to_person(about["what"]) if about else ""
    named = bool(what) and len(what) <= NAMED_MAX_CHARS and not re.search(r"\b(?:we|you)\b", what)
    if asks_whether(question):
        return f"Not that I remember: I find nothing about {what}." if named else "Not that I remember."
    return (
        f"I find nothing about {what} in what you told me." if named else "I find nothing of that in what you told me."
    )


def _of_asked_days(best: Sequence[Told], question: str, today: date | None) -> str:
    """What was said in the days that the question names, or shortly after; else what was said on others, as such."""
    between = days.span(question, today) if today is not None else None
    if between is None:
        return _said_back(best, question, today)
    first, last = between
    there = [one for one in best if one.day is not None and first <= one.day <= last + SHORTLY_AFTER]
    told = _said_back(there or best, question, today)
    return told if there else f"I find nothing of that {days.phrase(question)}. But {told[:1].lower()}{told[1:]}"


def _of_days(telling: Sequence[Told], between: tuple[date, date], today: date | None) -> str | None:
    """What was told in these days, and what was told on others of what happened in them."""
    there = [one for one in telling if one.day is not None and between[0] <= one.day <= between[1]]
    own = [one for one in there if one.is_own and not one.is_dated] or there
    later = [one for one in telling if one not in there and days.names_one_of(one.words, between)]
    found = _once(sorted([*own, *later], key=lambda one: (one.day or between[0], one.at)))
    if not found:
        return None
    left = len(found) - OF_A_DAY_MOST
    which = "one of them" if between[0] == between[1] else "one of the days"
    return _listed(found[:OF_A_DAY_MOST], today) + (f" And {left} more: ask me about {which}." if left > 0 else "")


def _said_back(best: Sequence[Told], question: str, today: date | None) -> str:
    # When it was is best told by the words in which "yesterday" has become a date.
    of_dates = asks_when(question)
    preferred = sorted(best, key=lambda one: (one.is_dated != of_dates, -one.relevance))
    kept = [one for one in _once(preferred) if one.is_dated == preferred[0].is_dated]
    if _OF_NOW.match(question) and not points_back(question, asked=True):  # What was told last is so now.
        return _listed(sorted(kept, key=_told_at, reverse=True)[:QUOTED_MOST], today)
    kept = sorted(kept[:QUOTED_MOST], key=_told_at)
    yes = "Yes, " if asks_whether(question) else ""
    listed = _listed(kept, today)
    return f"{yes}{listed[:1].lower()}{listed[1:]}" if yes else listed


def _told_at(one: Told) -> tuple[bool, date, str]:
    return one.day is None, one.day or date.min, one.at


def _once(told: Sequence[Told]) -> list[Told]:
    return list({normal(one.words): one for one in reversed(told)}.values())[::-1]


def _listed(told: Sequence[Told], today: date | None) -> str:
    parts: list[str] = []
    day: date | None = date.min
    for one in told:
        if one.is_own and parts and one.day == day:
            parts.append(f"And: {_in_quotes(one.words)}")
        else:
            parts.append(_quoted(one, today))
        day = one.day
    return " ".join(parts)


def _quoted(one: Told, today: date | None) -> str:
    when = days.spoken(one.day, today) if one.day else "last"
    if one.is_own:
        return f"{capital(when)} you told me: {_in_quotes(one.words)}"
    return f"{capital(when)} we talked about this: {_shortened(one.words)}"


def _in_quotes(words: str) -> str:
    said = _shortened(words)
    return f'"{said}"' if said.endswith((".", "!", "?")) else f'"{said}".'


def _shortened(words: str) -> str:
    words = " ".join(words.split()).replace('"', "'")
    return words if len(words) <= QUOTED_MAX_CHARS else words[: QUOTED_MAX_CHARS - 3].rsplit(" ", 1)[0] + "..."


def _forgets(text: str) -> str | None:
    """What a text asks to be forgotten."""
    found = _FORGET.search(tidy(text))
    return found["what"] if found else None


def _is_forgotten(one: Told, wishes: Sequence[set[str]]) -> bool:
    said = set(content(one.words))
    return any(wish and wish <= said for wish in wishes)


def _is_of_oneself(words: str, wanted: set[str]) -> bool:
    """Whether something in it that speaks of what is wanted may be of the person, and not of somebody else alone."""
    said = [clause for sentence in sentences(tidy(words)) for clause in clauses(sentence.text)]
    about = [clause for clause in said if wanted & set(content(clause))]
    return any(_FIRST_PERSON.search(clause) or not _OTHERS.search(clause) for clause in about)


def _tells(one: Told) -> bool:
    """Whether it says something: no question, greeting, wish to forget or despair, and nothing that is to stay secret.

    What befell somebody is met with sympathy and told all the same.
    """
    read = sentences(tidy(one.words))
    return any(
        not (sentence.asks or asks(sentence.text) or points_back(sentence.text, asked=False))
        and small_talk.kind(sentence.text) in {None, *small_talk.TELLING}
        and not re.match(r"(?:no|nope|yes|wrong|sorry)\b", sentence.text, re.IGNORECASE)
        for sentence in read
    ) and not (_forgets(one.words) or is_despair(one.words) or any(is_secret(sentence.text) for sentence in read))


def _mappings(given: object) -> list[Mapping[str, Any]]:
    return [one for one in given if isinstance(one, Mapping)] if isinstance(given, list) else []


def _said(given: object) -> str:
    return given.strip() if isinstance(given, str) else ""


def _number(given: object) -> float:
    return float(given) if isinstance(given, (int, float)) else 0.0


def _day(given: object) -> date | None:
    try:
        return date.fromisoformat(str(given)[:10])
    except ValueError:
        return None


def _written_day(given: str | None) -> date | None:
    try:
        return datetime.strptime(given or "", "%d %B %Y").date()  # noqa: DTZ007 (a day of the person's calendar)
    except ValueError:
        return None
