"""Answers questions from memory. Pure.

A fact is an answer if it has all that the question names. Otherwise the person's own text about it is quoted with its
day. Both come with later texts that may correct them: one text too many is better than something that is no longer
true. Anything else is unknown, and the reply says so.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import Any

from app.features.offline.english import asks, capital, joined, sentences, shortened, stems, tidy
from app.features.offline.pages import read_page
from app.features.offline.reading import Reading, read, spoken
from app.features.offline.scene import Call, Scene
from app.text.secrets import is_despair, is_secret

QUOTED_MAX_CHARS = 160
AT_ONCE = timedelta(minutes=10)  # A correction that names nothing follows at once what it puts right.
SINCE_MOST = 3  # Later texts quoted besides, as they may say otherwise.
_BEGINS_CHARS = 40  # Enough to recognise a text in a search result, where it may be cut.
FACTS_MOST = 6  # In the answer to one question.
LEAST_NAMED, NEAR_MOST = 2, 2  # Fewest things in common with a question, and most facts told if none answers it.
LISTED_MAX_CHARS = 1200
MEMORY_OFF = "Memory is off for this conversation: I keep nothing of it. Text /memory on to turn it on again."
DONT_KNOW = "I can't find that by my few rules, even if you told me. /memory lists what I know, /routines what comes."
KNOWS_NOTHING = "I keep no facts about you yet, only your texts. Tell me where you live, or what you like."
HELD_BESIDES = "Reminders stand under /routines, rules under /rules. All that you texted is kept as well."
REMINDERS_STAND = "Which reminders come stands under /routines."
NOTHING_SET = (
    "No reminder was set or changed. Say it as: remind me tomorrow at 9am to pay the rent. /routines lists what comes, "
    "and how to end one."
)
NO_ANSWER = "I can't answer that without a model. /help lists what I can do."

_DATED = re.compile(r" \[[^]]*\]")
_FORGOTTEN = "[forgotten]"  # The history has this in place of forgotten words.
_WHO = re.compile(r"who(?: is|'s|s) my (?P<who>[\w -]+?)\??", re.IGNORECASE)
_LIGHT = frozenset(
    stems(
        "before used previously earlier old do you go get for years time did when remember told much many often still "
        "again long ago"
    )
)
_DOES = re.compile(r"\w+[^s]s\W*")
_SAYS_LITTLE = frozenset(stems("like love hate want need good day today think know")) | _LIGHT


@dataclass(frozen=True)
class _Said:
    """A text of theirs; `at` is when it was said, empty within this conversation; `reading` is what it tells."""

    words: str
    at: str
    reading: Reading
    may_be_quoted: bool

    @cached_property
    def plain(self) -> str:
        return tidy(self.words)

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(stems(self.plain))


def holds(listed: str, words: str) -> re.Match[str] | None:
    """The first part of the words that fits this list of `asked.txt`."""
    return re.search(read_page("asked.txt").lists[listed], words)


def _measured(words: str) -> set[str]:
    return set(re.findall(read_page("asked.txt").lists["measured"], words))


def _kind(question: str) -> tuple[str, str]:
    """The kind of a question in `asked.txt`, and the rest of its line; both empty if no line fits."""
    kind, *rest = read_page("asked.txt").meant(question.rstrip("?"))[0]
    return kind, "|".join(rest)


def lookup_calls(question: str, scene: Scene) -> list[Call]:
    """The calls to make before the question is answered."""
    kind, _ = _kind(question)
    if kind in {"everything", "held"}:
        return [Call("list_memories", {})]
    is_known = not holds("past", question) and _facts_for(question, scene.facts)
    return [] if is_known or kind in {"name", "zone", "service"} else [Call("recall_memory", {"query": question})]


def listed(scene: Scene) -> dict[int, str] | None:
    """The sentences by id that `list_memories` returned in this turn; None if it was not called."""
    good = scene.done("list_memories")
    found = [item for step in good for item in step.result.get("facts") or [] if not item.get("archived")]
    return {item["id"]: str(item["fact"]) for item in found} if good else None


def answer(question: str, scene: Scene) -> str:
    kind, _ = _kind(question)
    if scene.memory_off:
        return MEMORY_OFF
    if kind in {"everything", "held"}:
        return f"{_all(scene)} {HELD_BESIDES if kind == 'held' else ''}".strip()
    if kind == "name":
        told = f"You're {scene.name}. {_since_told([scene.name], '', scene)}".strip()
        return told if scene.name else "I don't know your name. Tell me: my name is Alex."
    if kind == "zone":
        return f"Your time zone is {scene.timezone}."
    if kind == "service":
        return NOTHING_SET if holds("unset", question) else NO_ANSWER
    is_about = _is_about_the_person(question, scene)
    found = [step.result for step in scene.done("recall_memory") if step.input.get("query") == question]
    facts = [] if holds("past", question) or not is_about else _facts_for(question, scene.facts)
    told = _say_facts(facts, question, scene) if facts else _say_found(question, found[0], scene) if found else ""
    if not told and not holds("whether", question):
        told = _quotes(question, found, scene) or _near(question, scene)
    return told or (DONT_KNOW if is_about else NO_ANSWER)


def may_be_coming(question: str, scene: Scene) -> bool:
    """True if it asks for a time in the future and no known fact answers it."""
    of_a_time = _kind(question) == ("holds", "time") or holds("time", question)
    return bool(of_a_time) and answer(question, scene) == DONT_KNOW and not holds("past", question)


def _is_about_the_person(question: str, scene: Scene) -> bool:
    """True if it asks about the person, or about somebody or something that they mentioned."""
    known = {stem for fact in scene.facts for stem in stems(fact)}
    return bool(holds("person", question)) or bool(known.intersection(_named(question)))


def _named(question: str) -> set[str]:
    named = set(stems(question)) - _LIGHT
    # The question has to name whose birthday it is; the day may be told in other words.
    return named - {"birthday"} or named if _kind(question) == ("holds", "birth") else named


def _all(scene: Scene) -> str:
    facts = list((listed(scene) or {}).values()) or list(scene.facts)
    shown: list[str] = []
    for fact in facts:
        if sum(map(len, shown)) < LISTED_MAX_CHARS:
            shown.append(f"{capital(spoken(fact))}.")
    told = [step.input["name"] for step in scene.done("update_profile") if "name" in step.input]
    name = [f"Your name is {one}." for one in (told or [scene.name])[-1:] if one]
    left = len(facts) - len(shown)
    more = [f"And {left} more: text /memory."] if left else []
    return " ".join([*name, *shown, *more, *filter(None, [_since_told(facts, "", scene)])]) or KNOWS_NOTHING


def _facts_for(question: str, facts: Sequence[str]) -> list[str]:
    """The facts with all that the question names; for some questions, facts of the form of the answer instead."""
    kind, answers = _kind(question)
    if who := _WHO.fullmatch(question):
        begins = re.compile(rf"(?:Has an? (?:\w+ )?)?{re.escape(who['who'])}\b(?!').*", re.IGNORECASE)
    elif kind == "facts":
        begins = read_page("asked.txt").compiled(answers)
    else:
        named = _named(question)
        return [fact for fact in facts if named and named <= set(stems(fact)) and _may_answer(question, fact)]
    return [fact for fact in facts if begins.fullmatch(fact)]


def _may_answer(question: str, words: str) -> bool:
    """True if the words have the kind of thing the question asks for; for `who is my …` they must name that one."""
    if who := _WHO.fullmatch(question):
        return re.search(rf"\bmy (?:\w+ )?{re.escape(who['who'])}\b", words, re.IGNORECASE) is not None
    return _is_of_kind(question, words) and not _is_of_another(question, words)


def _is_of_kind(question: str, words: str) -> bool:
    """True if the words hold a time, a number or the like, where the question asks for one."""
    kind, held = _kind(question)
    return kind != "holds" or holds(held, words) is not None


def _is_of_another(question: str, words: str) -> bool:
    """True if it asks for the person's own thing or doing, and the words hold only that of somebody else."""
    mine = holds("mine", question)
    asked = mine or holds("doing", question)
    meant = stems(asked[1]) if asked else []
    said = words.split()
    told = [
        (" ".join(said[max(0, at - 2) : at]), word) for at, word in enumerate(said) if meant and stems(word) == meant
    ]
    if not mine and holds("anothers", words) and not holds("self", words):
        return bool(told)
    is_theirs = [holds("owner", before) if mine else before and _DOES.fullmatch(word) for before, word in told]
    return bool(told) and all(is_theirs)


def _say_facts(facts: Sequence[str], question: str, scene: Scene) -> str:
    told = " ".join(f"{capital(spoken(fact))}." for fact in facts[:FACTS_MOST])
    return f"{told} {_since_told(facts, question, scene)}".strip()


def _since_told(facts: Sequence[str], question: str, scene: Scene) -> str:
    """Quotes later texts that were not understood and may correct the facts."""
    if holds("whether", question):
        return ""
    said = _texts((), scene)
    since: set[int] = set()
    for fact in facts:
        bare = _DATED.sub("", fact)
        tell = [
            at for at, one in enumerate(said) if bare in (one.reading.name, *(told.fact for told in one.reading.told))
        ]
        since.update(at for at in _since(max(tell, default=-1), fact, said, question) if at not in tell)
    unread = [said[at].words for at in sorted(since) if said[at].reading.missed]
    quoted = [_quoted(words, _named(question)) for words in _calm(unread, scene)]
    return f"Later you wrote, and I didn't get: {joined(quoted)}." if quoted else ""


def _since(place: int, of: str, said: Sequence[_Said], question: str) -> list[int]:
    """Places of later texts that may correct the one at `place`: they name what it or the question does, or go on."""
    kind, _ = _kind(question)
    about, measured = set(stems(of)) - _SAYS_LITTLE, _measured(of)
    named = about if kind == "facts" else _named(question) - _SAYS_LITTLE or about
    names = about.intersection(stems(" ".join(word for word in re.findall(r"[^\W\d_]+", of) if word.istitle())))
    names = names & named or names
    found: list[int] = []
    asks_for_kind = kind == "holds"
    for at, one in enumerate(said[place + 1 :], place + 1):
        before, last = said[at - 1], [place, *found][-1]
        goes_on = at - last <= (1 if before.may_be_quoted else 2) or 2 * len(named & before.stems) >= len(named)
        is_named = 2 * len(named & one.stems) >= len(named)
        shares_name = bool(names & one.stems)
        corrects = (
            (place >= 0 and goes_on and _at_once(before, one) and one.reading.missed and holds("right", one.plain))
            or (is_named and (asks_for_kind or named <= one.stems))
            or ((is_named or shares_name) and holds("newer", one.plain))
            or (len(about & one.stems) >= LEAST_NAMED and (shares_name or holds("newer", one.plain)))
        )
        switches = asks_for_kind and holds("doing", question) and holds("switched", one.plain)
        measures = (measured & _measured(one.plain) or switches) and _is_of_kind(question, one.plain)
        if one.may_be_quoted and (corrects or measures) and not _is_of_another(question, one.plain):
            found.append(at)
    return found


def _at_once(before: _Said, after: _Said) -> bool:
    """True if little time went by between two texts of which one is the next in their list."""
    if not (before.at and after.at):
        return before.at == after.at
    return datetime.fromisoformat(after.at) - datetime.fromisoformat(before.at) <= AT_ONCE


def _say_found(question: str, result: dict[str, Any], scene: Scene) -> str:
    """The found facts that answer the question: current ones, and for the past also those that are over."""
    facts = [one for one in result.get("facts") or [] if _facts_for(question, [str(one["fact"])])]
    current = [str(one["fact"]) for one in facts if one.get("current", True)]
    over = [f"It was so before: {spoken(str(one['fact']))}." for one in facts if not one.get("current", True)]
    told = [_say_facts(current, question, scene)] if current and not holds("former", question) else []
    return " ".join([*told, *over[:FACTS_MOST]])


def _quotes(question: str, found: Sequence[dict[str, Any]], scene: Scene) -> str:
    """Quotes the first text with all that the question names, and later corrections of it.

    A call for help is quoted only to somebody who asks what was said or was.
    """
    named, said = _named(question), _texts(found, scene)
    fitting = (
        one.may_be_quoted and bool(named) and named <= one.stems and _may_answer(question, one.plain) for one in said
    )
    may_alarm = bool(holds("past", question))
    answers = (fits and (may_alarm or scene.alarm(one.words) <= 0) for fits, one in zip(fitting, said, strict=True))
    if (first := next((at for at, fits in enumerate(answers) if fits), None)) is None:
        return ""
    since = {said[at].words: said[at].at for at in _since(first, said[first].words, said, question)}
    told = [f"{_day(said[first].at, scene.today)} wrote: {_quoted(said[first].words, named)}."]
    told += [REMINDERS_STAND] if holds("unset", said[first].plain) else []
    told += [
        f"{_day(since[one], scene.today) if since[one] else 'Later you'} wrote: {_quoted(one)}."
        for one in _calm([*since], scene)
    ]
    return " ".join(told)


def _calm(later: Sequence[str], scene: Scene) -> list[str]:
    """The latest of these texts that may be quoted beside an answer: a call for help is not said back unasked."""
    return [words for words in later[-SINCE_MOST:] if scene.alarm(words) <= 0]


def _texts(found: Sequence[dict[str, Any]], scene: Scene) -> list[_Said]:
    """Their texts, the oldest first."""
    texts_here = [words.replace(_FORGOTTEN, "").strip() for words in scene.earlier]
    said = {words[:_BEGINS_CHARS]: (words, "") for words in texts_here}
    for result in found:
        texts = [(one["said_at"], one["text"]) for one in result.get("messages") or [] if one["said_by"] == "person"]
        summaries = [(one["began"], one["summary"]) for one in result.get("episodes") or []]  # Of the same texts.
        said |= {words[:_BEGINS_CHARS]: (words, at) for at, words in sorted(texts or summaries, reverse=True)}
    told: list[_Said] = []
    before = ""
    for words, at in [*said.values()][::-1]:
        told.append(_Said(words, at, read(words, before), _may_be_quoted(words)))
        before = words if told[-1].may_be_quoted else ""
    return told


def _may_be_quoted(words: str) -> bool:
    """True if it tells something, and nothing that must never be said back."""
    plain = tidy(words)
    if holds("right", plain):  # It may ask for something after it has put right what was said.
        plain = sentences(plain)[0]
    return not (words.startswith("/") or asks(plain) or holds("bids", plain) or is_secret(words) or is_despair(words))


def _near(question: str, scene: Scene) -> str:
    """The facts that have half of what the question names, two things at least, told as related, not as the answer."""
    named = _named(question)
    shared = ((len(named.intersection(stems(fact))), fact) for fact in scene.facts)
    near = [fact for count, fact in shared if count >= LEAST_NAMED and 2 * count >= len(named)][:NEAR_MOST]
    if not near:
        return ""
    known = f"What I know of it: {joined([spoken(one) for one in near])}. {_since_told(near, question, scene)}".strip()
    return f"I can't answer that by my few rules. {known}"


def _quoted(words: str, named: Collection[str] = ()) -> str:
    """The words without a last full stop, or the part of a long text that names most of what is asked for."""
    starts = [word.start() for word in re.finditer(r"\S+", words)] if len(words) > QUOTED_MAX_CHARS else [0]
    names = [len(set(named).intersection(stems(words[at : at + QUOTED_MAX_CHARS]))) for at in starts]
    best = [at for at, count in zip(starts, names, strict=True) if count == max(names)]
    at = best[len(best) // 2] if names[0] < max(names) else 0
    shown = shortened(words[at:], QUOTED_MAX_CHARS)
    return f'"{"..." if at else ""}{shown if shown.endswith("..") else shown.removesuffix(".")}"'


def _day(at: str, today: date | None) -> str:
    """`On 3 May 2026 you`; `You` if the text is part of this conversation."""
    if not at:
        return "You"
    day = datetime.fromisoformat(at).date()
    ago = (today - day).days if today else -1
    return {0: "Today you", 1: "Yesterday you"}.get(ago, f"On {day.day} {day:%B %Y} you")
