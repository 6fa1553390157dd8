"""Wishes of a text for what comes by itself: a reminder, the list, hours of quiet, an answer to what came. Pure.

A reminder may be asked for in two texts, as one that answers what was asked, and be put right by the next. Whatever
`wished.txt` does not have as a plain form has its command, and the page names it.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache
from typing import Any

from app.clock import WEEKDAYS
from app.features.offline import times
from app.features.offline.english import capital, opened, sentences, tidy, to_you
from app.features.offline.reading import Page, read_page
from app.features.offline.times import When, pattern, read_when

TEXT_ME = "Text me "
"""How an instruction begins, in the person's own words."""
ACTIONS = frozenset({"cancel", "done", "snooze", "skip", "pause", "resume"})
"""Of the tool that changes what there is."""
EARLIER_READ = 6  # Texts: a question is answered soon.
_FEW_WORDS = 3  # What is said in so few between a question and its answer does not end it.

_MOST_OFTEN = "Every hour is the most often that I can text you. Say it so, and I will."
_OF_WHAT = "What shall I remind you of? Say it as: to call Ana."
_WHICH_HOURS = "In the morning or in the evening? Say it as: quiet hours 10pm to 7am."
_LEFT = "OK, I've left that."

_KINDLY = re.compile(
    r"^(?:(?:hey|hi|ok|okay|yes|and|so|oh|great|please|can you|could you|would you|will you)\b[ ,]+)+|"
    r"(?:,? (?:again|please|thanks|thank you|then|instead))+$",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"(?:(?:hey|hi|ok|okay|and|also)[ ,]+)*(?:(?:can|could|would|"
    r"will) you )?(?:please )?(?:(?P<remind>remind me(?: again)?|(?:set )?(?:me )?an? (?:reminder|alarm|timer)|"
    r"wake me(?: up)?|(?:text|tell|message) me(?= to\b))|(?P<text>(?:text|send|tell|"
    r"message) me))\b[ ,:]*(?:please )?(?P<link>(?:to|about|that|of|for)\b)?[ ,:]*(?P<what>.*?)[ ,.!]*",
    re.IGNORECASE,
)
_OF_ITSELF = {"wake": "Wake up", "alarm": "Your alarm", "timer": "Time is up"}
"""What is said where nothing else was asked for."""
_TO_DO = re.compile(r"\b(?:remind me(?: again)?|reminder|alarm|timer|wake me(?: up)?)(?: to\b|$)", re.IGNORECASE)
_AND_THEN = re.compile(r",? (?:and|then)(?: then| also)? (?:please )?(?:remind me )?", re.IGNORECASE)
_CALLS_OFF = re.compile(
    r"(?:cancel|scratch) (?:it|that|this|this one|that one|the last one)(?: again| then)*|never ?mind(?: that| it)?|"
    r"nvm|forget it|leave it",
    re.IGNORECASE,
)
_MAKE_IT = re.compile(r"(?:make|change|move|set) (?:it|that)(?: to| for)? ", re.IGNORECASE)
_ANSWERS = re.compile(r"(?:(?:well|um|let us say|say|make it|maybe|how about)[, ]+)+", re.IGNORECASE)
_BARE_TIME = ((r"\d{1,2}(?:[:.]\d\d)?(?: o'?clock)?", "at"), (r"\w+ (?:minute|min|hour|hr)s?", "in"))


_MORE_MINUTES = r"(?:(?P<half2> and a half)|,?(?: and)? ?(?P<minutes>\d{1,2})(?: ?(?:minutes?|mins?|m))?)?\b"


def _half_past(found: re.Match[str]) -> str:
    hour, before = times.number(found["hour"]), found["side"].lower() == "to"
    minute = 30 if found["part"].lower() == "half" else 45 if before else 15
    hour = (hour - 2) % times.NOON + 1 if before and hour <= times.NOON else hour
    return f"{hour}:{minute:02}"


def _long_span(found: re.Match[str]) -> str:
    half = times.HOUR_MINUTES // 2 if found["half"] or found["half2"] else 0
    minutes = half + int(found["minutes"] or 0)
    return f"in {times.number(found['hours']) * times.HOUR_MINUTES + minutes} minutes"


_AS_READ: Sequence[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]] = [
    (pattern(expression), meant)
    for expression, meant in (
        (r"\b(\d\d?\.\d\d?\.)(?= )", r"\1,"),  # So that `24.12. at 9` and `Dec. 24` are not taken for two sentences.
        (r"\b([A-Za-z]{3,4})\.(?= \d)", r"\1"),
        (r"\b(alarm) for (?=\d\d?(?:[.!?\n]|$))", r"\1 at "),
        (r"\b(?:tmrw|tmr|tmw|tmrow|2moro|2morrow|tomm?or+ow|tomm?or+w|tomm?or+o)\b", "tomorrow"),
        (r"\btonite\b", "tonight"),
        (r"\b(?:rmind|remid|remnd|remimd|reming) me\b", "remind me"),
        (r"\bremind me 2 (?=[a-z])", "remind me to "),
        (r"\bdo not let me forget\b|\bI need (?:a reminder|to be reminded|reminding)\b", "remind me"),
        (
            r"((?:^|[.!?\n] ?)(?:(?:can|could|would|will) (?:you|u) )?(?:please )?)(?:ping|nudge|alert|buzz) me\b",
            r"\1remind me",
        ),
        (r"\bset (?:me )?a timer for\b", "set a timer in"),
        (r" ?@ ?(?=\d)", " at "),
        (rf"\b(?P<part>half|quarter) (?P<side>past|to) (?P<hour>\d{{1,2}}|{times.HOURS})\b", _half_past),
        (r"\bat ([01]\d|2[0-3])([0-5]\d)\b(?! ?[ap]\.?m)", r"at \1:\2"),
        (r"(?<=\d)ish\b", ""),
        (
            rf"\b(?:at|around) (?P<hour>{times.HOURS})(?P<half> thirty)?\b(?! ?(?:minute|hour|of))",
            lambda found: f"at {times.number(found['hour'])}{':30' if found['half'] else ''}",
        ),
        (
            rf"\bin (?!half)(?P<hours>{times.COUNT})(?P<half> and a half|[.,]5)? ?(?:hours?|hrs?|h){_MORE_MINUTES}",
            _long_span,
        ),
        (
            r"\b(mon|tues?|weds?|thur?s?|fri)\b\.?",
            lambda found: next(day for day in WEEKDAYS if day.startswith(found[1].lower()[:3])),
        ),
        (rf"(?<=day)(?: ?/ ?| ?, ?and | )(?={times.DAY}\b)", ", "),
    )
]
"""Times as people write them, and as `read_when` reads them."""


@dataclass(frozen=True)
class Wish:
    """One thing that the person wants of what comes by itself."""

    kind: str
    """`set`, `unclear` where something has to be asked first, or a kind of `wished.txt`."""
    does: str = "remind"
    words: str = ""
    """What to remind of or to do; which one is meant, empty for the one that spoke last; the hours of quiet."""
    of_all: bool = False
    minutes: int = 0
    """How long it is put off."""
    day: str = ""
    """The day that is left out."""
    schedule: dict[str, Any] = field(default_factory=dict)
    question: str = ""
    when: When = field(default_factory=When)
    """What was said of the time so far, of one that is to be set."""
    sentence: str = ""
    """The sentence that asks for it, where it does not say what for."""
    is_waking: bool = False
    of_last: bool = False
    """Whether the one that was set last is meant, which `words` tell."""


_CAME = Wish("came")
"""In the place of the last wish, where a routine has spoken since."""


def wishes(text: str, today: date, earlier: Sequence[str] = ()) -> tuple[list[Wish], str]:
    """What the text wants, and what else it says; `earlier` are the person's texts before it, the newest first."""
    last: Wish | None = None
    for before in reversed(earlier[:EARLIER_READ]):
        last = _read(before, today, last)[2] if before else _CAME
    found, rest, _ = _read(text, today, last)
    return (found, " ".join(rest)) if found else ([], text)


def _read(text: str, today: date, last: Wish | None) -> tuple[list[Wish], list[str], Wish | None]:
    """The wishes of a text, what else it says, and the wish that a later text may answer or put right."""
    text = tidy(text)
    for written, meant in _AS_READ:
        text = written.sub(meant, text)
    found: list[Wish] = []
    rest = []
    for sentence in sentences(text):
        words = sentence.strip(" .!?")
        wish = (_of_the_last(words, last, today) if last else None) or _wish(words, today, has_come=last is _CAME)
        if wish is None:
            rest.append(sentence)
            last = last if len(words.split()) <= _FEW_WORDS else None
            continue
        if found and found[-1] is last and last.kind == "unclear" and wish.kind in {"set", "unclear"}:
            found.pop()  # The same text answers what would have been asked.
        found.append(wish)
        last = last if last is _CAME and wish.kind == "unclear" else wish  # What came may still be answered.
    return found, rest, last


def _wish(sentence: str, today: date, *, has_come: bool = False) -> Wish | None:
    """The wish that the sentence is by one of the forms, or the reminder that it asks for."""
    kindly = _KINDLY.sub("", sentence) or sentence
    for words in dict.fromkeys((kindly, opened(kindly)[0])):
        for form in _page().forms:
            found = form.sentence.fullmatch(words) if has_come or form.means[1:] != ["came"] else None
            if found:
                return _made(form.means[0], {slot: said for slot, said in found.groupdict().items() if said})
    return _to_set(sentence, today)


@cache
def _page() -> Page:
    return read_page("wished.txt")


def _made(kind: str, slots: dict[str, str]) -> Wish:
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
    """HH:MM on the clock of 24; empty where the half of the day is not plain."""
    _, when = read_when(f"at {said}", date.min)
    schedule, asked = replace(when, days={}).schedule(waking=False)
    return "" if asked else str(schedule["times"][0])


def _of_the_last(sentence: str, last: Wish, today: date) -> Wish | None:
    """What is said of the wish before: the answer to what was asked, a time put right, that it is not wanted."""
    bare, corrects = opened(sentence)
    if last.kind in {"set", "unclear"} and _CALLS_OFF.fullmatch(bare):
        return Wish("cancel", words=last.words, of_last=True) if last.kind == "set" else Wish("unclear", question=_LEFT)
    if last.kind == "unclear" and last.sentence:
        is_answer = re.match("to |about ", sentence, re.IGNORECASE)
        return _to_set(f"{last.sentence} {sentence}", today) if is_answer else None
    made = _MAKE_IT.match(bare)
    if last.kind == "set" and (corrects or made):
        return _at_another_time(bare[made.end() :] if made else bare, last, today)
    if last.kind == "unclear" and last.words:
        return _at_another_time(_ANSWERS.sub("", bare), last, today)
    return None


def _at_another_time(said: str, last: Wish, today: date) -> Wish | None:
    said = _KINDLY.sub("", said).strip(" ,")
    for form, preposition in _BARE_TIME:
        said = f"{preposition} {said}" if re.fullmatch(form, said) else said
    rest, when = read_when(said, today)
    if not when or rest.strip(" ,.") not in {"", "for", "on", "at", "the", "in"}:
        return None
    return _settled(replace(last, when=last.when.then(when), of_last=last.of_last or last.kind == "set"))


def _to_set(sentence: str, today: date) -> Wish | None:
    asked, told = _told_apart(times.TOO_OFTEN.sub("", sentence), today)
    rest, when = read_when(asked, today)
    asks = _ASKS.fullmatch(rest.strip(" ,"))
    if asks is None:
        return None
    what, once = asks["what"].strip(), when.days.get("repeat", "once") == "once"
    named = when.minutes is not None or (bool(when.days) and not (once and "weekdays" in when.days))
    what, question = times.unread(what, named=named, lead=(asks["link"] or "for").lower() == "for")
    what = told or what
    if _asks_for_two(sentence, today):
        question = times.SEVERAL
    if times.TOO_OFTEN.search(sentence):
        question = _MOST_OFTEN
    if not (when or question == _MOST_OFTEN or (asks["remind"] and (question or _TO_DO.search(sentence)))):
        return None  # "Remind me what my job is" asks for what is known.
    by_itself = next((one for one in _OF_ITSELF if one in (asks["remind"] or "").lower()), "")
    does = "remind" if asks["remind"] else "run"
    words = capital(to_you(what)) if does == "remind" else f"{TEXT_ME}{what}" if what else ""
    words = words or _OF_ITSELF.get(by_itself, "")
    if question in times.OF_THE_DAY_ALONE:
        when = replace(when, trouble=when.trouble or question)
    elif question:  # What was read beside it may mean something else.
        return Wish("unclear", does, "" if question in {times.SEVERAL, times.UNSURE} else words, question=question)
    if not words:
        return Wish("unclear", does, question=_OF_WHAT, sentence=sentence)
    return _settled(Wish("set", does, words, when=when, is_waking=by_itself in {"wake", "alarm"}))


def _asks_for_two(sentence: str, today: date) -> bool:
    """Whether a second thing to do follows with a time of its own: "and at 9pm to lock the door"."""
    seconds = (read_when(sentence[link.end() :], today) for link in _AND_THEN.finditer(sentence))
    return any(when and re.match(r"(?:to|about) ", rest, re.IGNORECASE) for rest, when in seconds)


def _told_apart(sentence: str, today: date) -> tuple[str, str]:
    """Where the time is said before "that", what is behind it in its own words: "at 9:25 that it is in 5 minutes"."""
    asked, that, told = sentence.partition(" that ")
    rest, when = read_when(asked, today)
    asks = _ASKS.fullmatch(rest.strip(" ,"))
    return (asked, told) if that and when and asks and not asks["what"].strip() else (sentence, "")


def _settled(wish: Wish) -> Wish:
    """The wish with its schedule, or with what to ask first."""
    schedule, question = wish.when.schedule(waking=wish.is_waking)
    return replace(wish, kind="unclear" if question else "set", schedule=schedule, question=question)
