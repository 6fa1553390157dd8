"""Wishes in a text about reminders and routines: set one, list them, quiet hours, answer one that came. Pure.

A reminder is set only if the text has exactly one clear time, before or after the task; the next text may correct it.
Wishes that `wished.txt` does not grant have a command, which the page names.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from app.features.offline import lookups
from app.features.offline.english import capital, sentences, tidy, to_you, without_opening, written_out
from app.features.offline.pages import read_page, said_in
from app.features.offline.times import HOUR_MINUTES, TIME_LIKE, UNSURE, When, pattern, read_when

TEXT_ME = "Text me "  # Beginning of an instruction, in the person's own words.
ACTIONS = frozenset({"cancel", "done", "snooze", "skip", "pause", "resume"})  # Of the tool for existing routines.
EARLIER_READ = 6  # Texts: a question is answered soon.
_FEW_WORDS = 3  # So few words between a question and its answer do not end it.

_OF_WHAT = "What shall I remind you of, and when? Say all of it in one text, such as: remind me at 6pm to call Ana."
_WHICH_HOURS = "In the morning or in the evening? Say it as: quiet hours 10pm to 7am."
_LEFT = "OK, I've left that."

_KINDLY = pattern(
    r"^(?:(?:hey|hi|ok|okay|yes|and|also|so|oh|great|please|kindly|(?:can|could|would|will) you|you can)\b[ ,]+)+|"
    r"(?:,? (?:and )?(?:again|please|thanks|thx|thank you|then|instead|as well|too|of course|abeg|lol)|"
    r", (?:bro|mate|man))+$"
)
_ASKS = pattern(
    r"\b(?:(?P<remind>(?:remind|bug|nudge|ping|nag) me(?! (?:what|who|whose|where|which|why)\b)(?: again)?|"
    r"(?:set )?(?:me )?an? (?:reminder|alarm|timer)|wake me(?: up)?|"
    r"(?:text|tell|message) me(?= to\b))|(?:text|send|tell|message) me)\b(?: of\b)?"
)
_TASK = pattern(r"(?:\b(to|about|that)\b|: )")
_FILLERS = pattern(r"\b(?:again|please|also|just|and|for|by|once|starting now)\b|[ ,.!-]")
_ENDS = pattern(r"^[ ,]*(?:for|by|and|of)\b|,? \b(?:for|on|at)[ ,]*$")
_OF_ITSELF = {"wake": "Wake up", "alarm": "Your alarm", "timer": "Time is up"}
"""Words of a reminder for which nothing else was asked."""
_CALLS_OFF = pattern(
    r"(?:cancel|stop|delete|remove|drop) (?:that|this|the|my)(?: last)? (?:reminder|alarm)|"
    r"(?:cancel|scratch|scrap) (?:it|that|this|this one|that one|the last one)(?: again| then)*|"
    r"never ?mind(?: that| it)?|nvm|forget it|leave it"
)
_MAKE_IT = pattern(r"(?:make|change|move|set) (?:it|that)(?: back)?(?: to| for)? ")
_ANSWERS = pattern(r"(?:(?:well|um|let us say|say|make it|maybe|how about)[, ]+)+")
_AROUND_A_TIME = frozenset("for on at the in make move change set my".split())
_BARE_TIME = (
    (r"\d{1,2}(?:[:.]\d\d)?(?: o'?clock)?(?: (?:in the|at) \w+)?", "at"),
    (r"\w+ (?:min(?:ute)?|hour|hr)s?", "in"),
)


@dataclass(frozen=True)
class Wish:
    """One thing that the person wants with reminders or routines."""

    kind: str  # `set`, `unclear` if a question comes first, or a kind of `wished.txt`.
    does: str = "remind"
    words: str = ""
    """The words of the reminder or task; the routine meant, empty for the one that spoke last; or the quiet hours."""
    of_all: bool = False
    minutes: int = 0  # For how long it is put off.
    day: str = ""  # The day to leave out.
    schedule: dict[str, Any] = field(default_factory=dict)
    question: str = ""
    when: When = field(default_factory=When)  # The time said so far, of one to set.
    is_waking: bool = False
    of_last: bool = False  # True if the one set last is meant, whose words are `words`.


_CAME = Wish("came")  # Stands for the last wish if a routine has spoken since.


def wishes(text: str, today: date, earlier: Sequence[str] = ()) -> tuple[list[Wish], str]:
    """The wishes in the text, and the rest of it; `earlier` are the person's texts before it, the newest first."""
    last: Wish | None = None
    for before in reversed(earlier[:EARLIER_READ]):
        last = _read(before, today, last)[2] if before else _CAME
    found, rest, _ = _read(text, today, last)
    return (found, "\n".join(rest)) if found else ([], text)


def _read(text: str, today: date, last: Wish | None) -> tuple[list[Wish], list[str], Wish | None]:
    """The wishes of a text, the rest of it, and the wish that a later text may answer or correct."""
    found: list[Wish] = []
    rest = []
    for sentence in [part for one in sentences(written_out(tidy(text), "time")) for part in _parts(one)]:
        words = sentence.strip(" .!?")
        wish = (_of_the_last(words, last, today) if last else None) or _wish(words, today, has_come=last is _CAME)
        if wish is None:
            rest.append(sentence)
            last = last if found or len(words.split()) <= _FEW_WORDS else None
            continue
        if (
            found
            and found[-1] is last
            and last.kind == "unclear"
            and wish.kind in {"set", "unclear"}
            and wish.words == last.words
        ):
            found.pop()  # The same text answers the question.
        found.append(wish)
        last = last if last is _CAME and wish.kind == "unclear" else wish  # A routine may still be answered.
    return found, rest, last


def _parts(sentence: str) -> list[str]:
    """A request and all that is said behind it, or the whole sentence."""
    asks = _ASKS.search(sentence) or _fits("stops", sentence) or _MAKE_IT.search(sentence)
    besides = _fits("besides", sentence, asks.end()) if asks else None
    return [sentence[: besides.start()], sentence[besides.end() :]] if besides else [sentence]


def _fits(listed: str, words: str, begins: int = 0) -> re.Match[str] | None:
    """The first part of the words from there on that fits this list of `wished.txt`."""
    return pattern(read_page("wished.txt").lists[listed]).search(words, begins)


def _wish(sentence: str, today: date, *, has_come: bool = False) -> Wish | None:
    """The wish that the sentence is by one of the forms, or the reminder that it asks for."""
    kindly = _KINDLY.sub("", sentence) or sentence
    for words in dict.fromkeys((kindly, without_opening(kindly)[0])):
        for form in read_page("wished.txt").forms:
            found = form.sentence.fullmatch(words) if has_come or form.means[1:] != ("came",) else None
            if found:
                return _wish_of_kind(form.means[0], said_in(found))
    return _to_set(without_opening(kindly)[0], today)


def _wish_of_kind(kind: str, slots: dict[str, str]) -> Wish:
    if kind == "quiet":
        hours = [_on_clock(slots["from"]), _on_clock(slots["to"])]
        return Wish(kind, words="-".join(hours)) if all(hours) else Wish("unclear", question=_WHICH_HOURS)
    if kind not in {"list", *ACTIONS}:
        return Wish("unclear", question=kind)
    called = slots.get("called") or slots.get("named") or ""
    _, span = read_when(f"in {slots.get('span', '').replace(' more', '')}", date.min)
    of_all = "all" in slots or (kind == "resume" and not slots)
    return Wish(kind, words=called, of_all=of_all, minutes=span.minutes or 0, day=slots.get("day", "").lower())


def _on_clock(said: str) -> str:
    """HH:MM on a 24-hour clock; empty if the half of the day is unclear."""
    _, when = read_when(f"at {said}", date.min)
    schedule, asked = replace(when, days={}).schedule(waking=False)
    return "" if asked else str(schedule["times"][0])


def _of_the_last(sentence: str, last: Wish, today: date) -> Wish | None:
    """The sentence as a follow-up to the last wish: an answer to a question, another time, or a withdrawal."""
    bare, corrects = without_opening(_KINDLY.sub("", sentence))
    if last.kind in {"set", "unclear"} and _CALLS_OFF.fullmatch(bare or sentence):
        return Wish("cancel", words=last.words, of_last=True) if last.kind == "set" else Wish("unclear", question=_LEFT)
    made = _MAKE_IT.match(bare)
    if last.kind == "set" and (corrects or made):
        return _at_another_time(bare[made.end() :] if made else bare, last, today)
    if last.kind == "unclear" and last.words:
        return _at_another_time(_ANSWERS.sub("", bare), last, today)
    return None


def _at_another_time(said: str, last: Wish, today: date) -> Wish | None:
    said = _KINDLY.sub("", said).strip(" ,")
    if said.isdecimal() and 0 < (last.when.minutes or 0) < HOUR_MINUTES:  # "Make that 20" after "in 30 minutes".
        said = f"{said} minutes"
    for form, preposition in _BARE_TIME:
        said = f"{preposition} {said}" if re.fullmatch(form, said) else said
    rest, when = read_when(said, today)
    named = re.findall(r"[\w'-]+", last.words.lower())
    if not when or not _AROUND_A_TIME.union(named).issuperset(re.findall(r"[\w'-]+", rest.lower())):
        return None
    return _with_schedule(replace(last, when=last.when.then(when), of_last=last.of_last or last.kind == "set"))


def _to_set(sentence: str, today: date) -> Wish | None:
    """The reminder that is asked for; `unclear` if a time may mean something else than was read."""
    asks = _ASKS.search(sentence)
    if asks is None:
        return None
    before, after = sentence[: asks.start()], sentence[asks.end() :]
    lead, *task = _TASK.split(f" {after.strip(' ,')} ", maxsplit=1)
    left, when = read_when(f"{before} {lead}" if task else before, today)
    if task[:1] in (["about"], ["that"]) and _FILLERS.sub("", left):  # "Call Ana about the rent".
        lead, task = after, []
        left, when = read_when(before, today)
    if _FILLERS.sub("", read_when(before, today)[0]):
        return None  # It begins with something else.
    what, is_unsure = (task or [lead])[-1].strip(), bool(_FILLERS.sub("", left))
    if not when.is_whole:
        states = task[:1] != ["to"] and _fits("states", what)
        what, more = read_when(what, today)
        is_unsure = is_unsure or when.disagrees(more) or bool(states and more)
        when = when.then(more)
    what = _ENDS.sub("", what).strip(" ,.!")
    is_unsure = is_unsure or TIME_LIKE.search(what) is not None
    is_question = not asks["remind"] and not when.times and when.minutes is None and when.days.get("repeat") == "once"
    if is_question or not (when or TIME_LIKE.search(left) or (asks["remind"] and (task or is_unsure or not what))):
        return None  # "Remind me what my job is" and "tell me the price of wheat today" are questions.
    if is_unsure:
        return Wish("unclear", question=UNSURE)
    by_itself = next((one for one in _OF_ITSELF if one in (asks["remind"] or "").lower()), "")
    does = "remind" if asks["remind"] or (task and not lookups.contains_lookup(what)) else "run"
    if by_itself and what.lower().startswith(("because ", "cuz ", "so ")):
        what = f"{_OF_ITSELF[by_itself]} {what}"
    words = capital(to_you(what)) if does == "remind" else f"{TEXT_ME}{what}" if what else ""
    if not (words := words or _OF_ITSELF.get(by_itself, "")) or re.search(r"\bi meant?\b", what, re.IGNORECASE):
        return Wish("unclear", question=_OF_WHAT)
    return _with_schedule(Wish("set", does, words, when=when, is_waking=by_itself in {"wake", "alarm"}))


def _with_schedule(wish: Wish) -> Wish:
    """The wish with its schedule, or with the question to ask first."""
    schedule, question = wish.when.schedule(waking=wish.is_waking)
    return replace(wish, kind="unclear" if question else "set", schedule=schedule, question=question)
