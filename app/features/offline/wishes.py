"""Wishes for what is to come by itself, read from a text: when, and what. Pure; dates are left to the tool."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache
from typing import Any

from app.features.offline.ends import END, End, read_end
from app.features.offline.english import capital, opened, sentences, tidy, to_you
from app.features.offline.forms import Page, read_page
from app.features.offline.misspelt import as_meant
from app.features.offline.named import WHICH_ONE, picked
from app.routines.when import OF_WHAT_IS_UNREAD, SEVERAL, TOO_OFTEN, UNSURE, When, minutes_of, read_when, unread
from app.text.clock_words import NOON, plainly
from app.text.dates import DAY

TEXT_ME = "Text me "
"""How an instruction begins, in the person's own words."""
NEXT = "next"
"""In the place of a day: the next on which it comes."""
EARLIER_READ = 6  # Texts: a question is answered soon.
SNOOZE_MOST_MINUTES = 7 * 24 * 60  # As `routines.answering` has it.
_FEW_WORDS = 3  # What is said in so few between a question and its answer does not end it.

_WHICH_COUNTRY = 'Whose holidays? Name the country by its two letters, such as "not on holidays in DE".'
_MOST_OFTEN = "Every hour is the most often that I can text you. Say it so, and I will."
_OF_WHAT = "What shall I remind you of? Say it as: to call Ana."
_WHICH_HOURS = "In the morning or in the evening? Say it as: quiet hours 10pm to 7am."
_UNTIL_WHEN = "Until when? Say it as: pause everything until Monday, or for two hours."
_WHOLE_DAYS = "One by itself I pause for whole days. Say it as: pause stretch until Monday."
_HOW_LONG = "For how long? Say it as: snooze 30 minutes. 7 days are the most."
_LEFT = "OK, I've left that."

_STOPS_IN_DATES = ((re.compile(r"\b(\d\d?\.\d\d?\.)(?= )"), r"\1,"), (re.compile(r"\b([A-Za-z]{3,4})\.(?= \d)"), r"\1"))
"""So that `24.12. at 9` and `Dec. 24` are not taken for two sentences."""
_KINDLY = re.compile(
    r"^(?:(?:hey|hi|ok|okay|yes|and|so|oh|great|please|can you|could you|would you|will you)\b[ ,]+)+|"
    r"(?:,? (?:again|please|thanks|thank you|then|instead))+$",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"(?:(?:hey|hi|ok|okay|and|also)[ ,]+)*(?:(?:can|could|would|will) you )?(?:please )?"
    r"(?:(?P<remind>remind me(?: again)?|(?:set )?(?:me )?an? (?:reminder|alarm|timer)|wake me(?: up)?|"
    r"(?:text|tell|message) me(?= to\b))|"
    r"(?P<text>(?:text|send|tell|message) me))\b[ ,:]*(?:please )?"
    r"(?P<link>(?:to|about|that|of|for)\b)?[ ,:]*(?P<what>.*?)[ ,.!]*",
    re.IGNORECASE,
)
_OF_ITSELF = {"wake": "Wake up", "alarm": "Your alarm", "timer": "Time is up"}
"""What is said where nothing else was asked for."""
_TO_DO = re.compile(r"\b(?:remind me(?: again)?|reminder|alarm|timer|wake me(?: up)?)(?: to\b|$)", re.IGNORECASE)
_AND_THEN = re.compile(r",? (?:and|then)(?: then| also)? (?:please )?(?:remind me )?", re.IGNORECASE)
_MAKE_IT = re.compile(r"(?:make|change|move|set) (?:it|that)(?: to| for)? ", re.IGNORECASE)
_ANSWERS = re.compile(r"(?:(?:well|um|let us say|say|make it|maybe|how about)[, ]+)+", re.IGNORECASE)
_BARE_TIME = ((r"\d{1,2}(?:[:.]\d\d)?(?: o'?clock)?", "at"), (r"\w+ (?:minute|min|hour|hr)s?", "in"))
_YES = re.compile(r"(?:yes|yeah|yep)(?:,? (?:please|all|both|to all|do))*", re.IGNORECASE)
_OF_ONE = frozenset({"stop", "skip", "pause", "resume", "snooze", "retime", "next"})
_AFTER_IT_CAME = frozenset({"put off"})


@dataclass(frozen=True)
class Wish:
    """One thing that the person wants of what comes by itself."""

    kind: str
    """`set`, `unclear` where something has to be asked first, `waits` for a yes where routines wait for one, `came`
    where a routine has spoken, or a kind of `wished.txt`."""
    does: str = "remind"
    words: str = ""
    """What to remind of or to do; which one is meant, empty for the one that spoke last."""
    schedule: dict[str, Any] = field(default_factory=dict)
    minutes: int = 0
    day: str = ""
    """`today`, `tomorrow`, a weekday or NEXT: which is to be left out."""
    end: End = field(default_factory=End)
    """When a pause is over; until they say so where nothing is said."""
    country: str = ""
    question: str = ""
    when: When = field(default_factory=When)
    """What was said of the time so far, of one that is to be set."""
    sentence: str = ""
    """The sentence that asks for it, where it does not say what for, or may ask for something else."""
    is_waking: bool = False
    of_last: bool = False
    """Whether the one that was set last is meant, which `words` tell."""


def wishes(
    text: str, today: date, earlier: Sequence[str] = (), asked: str = "", *, waits: bool = False
) -> tuple[list[Wish], str]:
    """What the text wants, and what else it says.

    `earlier` are the person's texts before it, the newest first, each empty where a routine spoke instead; `asked` is
    what was last said to them, and `waits` whether a routine waits for their yes.
    """
    last: Wish | None = None
    for before in reversed(earlier[:EARLIER_READ]):
        _, _, last = _read(before, today, last) if before else ([], [], Wish("came"))
    if last and last.kind in _OF_ONE and WHICH_ONE in asked and (numbers := picked(text, asked)):
        return [replace(last, words=str(number)) for number in numbers], ""
    if waits and "?" not in asked and _YES.fullmatch(text.strip(" .!")):
        return [Wish("waits")], ""
    found, rest, _ = _read(text, today, last)
    return (found, " ".join(rest)) if found else ([], text)


def _read(text: str, today: date, last: Wish | None) -> tuple[list[Wish], list[str], Wish | None]:
    """The wishes of a text, what else it says, and the wish that a later text may answer or put right."""
    text = tidy(text)
    for stop, without in _STOPS_IN_DATES:
        text = stop.sub(without, text)
    found: list[Wish] = []
    rest = []
    for sentence in sentences(text):
        words = plainly(as_meant(sentence)).strip(" .!?")
        wishes = _several(words, today)
        if not wishes:
            one = (_of_the_last(words, last, today) if last else None) or _wish(words, last, today)
            wishes = [one] if one else []
        if not wishes:
            rest.append(sentence)
            last = last if len(words.split()) <= _FEW_WORDS else None
        for wish in wishes:
            if found and found[-1] is last and last.kind == "unclear" and wish.kind in {"set", "unclear"}:
                found.pop()  # The same text answers what would have been asked.
            found.append(wish)
            last = wish
    return found, rest, last


def _several(sentence: str, today: date) -> list[Wish]:
    """The reminders of a sentence that asks for two, each with a time of its own; none where it asks for one."""
    for link in _AND_THEN.finditer(sentence):
        first = _to_set(sentence[: link.start()], today)
        if first is None or first.kind != "set":
            continue
        what = sentence[link.end() :]
        rest, when = read_when(what, today)
        if not when or not re.match(r"(?:to|about) ", rest, re.IGNORECASE):
            continue
        second = _to_set(f"remind me {what}", today)
        if second and second.when:
            return [first, _settled(replace(second, when=first.when.then(second.when)))]
    return []


def _wish(sentence: str, last: Wish | None, today: date) -> Wish | None:
    """The wish that the sentence is by one of the forms, or the reminder that it asks for."""
    kindly = _KINDLY.sub("", sentence) or sentence
    has_come = last is not None and last.kind == "came"
    for words in dict.fromkeys((kindly, opened(kindly)[0])):
        for form in _page().forms:
            [kind] = form.means
            found = form.sentence.fullmatch(words) if has_come or kind not in _AFTER_IT_CAME else None
            if found:
                slots = {slot: said for slot, said in found.groupdict().items() if said}
                return _made(kind, slots, sentence, today)
    return _to_set(sentence, today)


@cache
def _page() -> Page:
    return read_page("wished.txt", {"day": f"today|tomorrow|{DAY}", "end": END})


def _made(kind: str, slots: dict[str, str], sentence: str, today: date) -> Wish:
    called = slots.get("called") or slots.get("named") or ""
    wish = Wish(kind, words=called, sentence=sentence)
    match kind:
        case "pause" | "pause all":
            wish = _paused(kind, called, slots.get("end", ""), today)
        case "skip":
            wish = Wish("skip", words=called, day=(slots.get("next") or slots.get("day") or "").lower())
        case "snooze" | "put off":
            wish = _put_off(slots)
        case "change":
            country = slots.get("country", "").upper()
            wish = Wish("change", country=country) if country else Wish("unclear", question=_WHICH_COUNTRY)
        case "quiet":
            hours = [_on_clock(slots["from"]), _on_clock(slots["to"])]
            wish = Wish("quiet", words="-".join(hours)) if all(hours) else Wish("unclear", question=_WHICH_HOURS)
        case "retime":
            wish = _retimed(called, slots["clock"])
    return wish


def _paused(kind: str, called: str, said: str, today: date) -> Wish:
    """That all or one is to pause, until a day or, of all, an hour."""
    end = read_end(said, today) if said else End()
    if end is None:
        return Wish("unclear", question=_UNTIL_WHEN)
    if kind == "pause" and (end.minutes or end.at.hour is not None):
        return Wish("unclear", question=_WHOLE_DAYS)
    if end.at.hour is not None and (question := end.at.schedule(waking=False)[1]):
        return Wish("unclear", question=f"{question} And say again what to pause.")
    return Wish(kind, words=called, end=end)


def _put_off(slots: dict[str, str]) -> Wish:
    """For so long; for no time, to be asked about, where none or too long a one is said."""
    minutes = minutes_of(slots["number"], slots.get("unit", "minute").lower().rstrip("s")) if "number" in slots else 0
    return Wish("snooze", minutes=minutes, question="" if 0 < minutes <= SNOOZE_MOST_MINUTES else _HOW_LONG)


def _on_clock(said: str) -> str:
    """HH:MM on the clock of 24; empty where the half of the day is not plain."""
    _, when = read_when(f"at {said}", date.min)
    schedule, asked = replace(when, days={}).schedule(waking=False)
    return "" if asked else str(schedule["times"][0])


def _retimed(called: str, clock: str) -> Wish:
    """Another hour of the same days.

    Where nothing tells which half of the day is meant, both readings are its times: the routine's own hour decides.
    """
    _, when = read_when(f"at {clock.removeprefix('at ')}", date.min)
    repeated = replace(when, days={"repeat": "daily"})
    readings = [replace(repeated, part=half).schedule(waking=False) for half in ("pm", "am")]
    if when.hour in range(1, NOON) and not when.part and not any(question for _, question in readings):
        return Wish("retime", words=called, schedule={"times": [each["times"][0] for each, _ in readings]})
    schedule, question = repeated.schedule(waking=False)
    if question:
        return Wish("unclear", question=f"{question} And say again what to change.")
    return Wish("retime", words=called, schedule={"times": schedule["times"]})


def _of_the_last(sentence: str, last: Wish, today: date) -> Wish | None:
    """What is said of the wish before: the answer to what was asked, a time put right, that it is not wanted."""
    bare, corrects = opened(sentence)
    if last.kind == "snooze" and last.question:
        return _wish(f"snooze {bare}", last, today)
    if last.kind in {"set", "unclear"} and _calls_off(bare):
        return Wish("stop", words=last.words, of_last=True) if last.kind == "set" else Wish("unclear", question=_LEFT)
    if last.kind == "unclear" and last.sentence:
        is_answer = re.match("to |about ", sentence, re.IGNORECASE)
        return _to_set(f"{last.sentence} {sentence}", today) if is_answer else None
    made = _MAKE_IT.match(bare)
    if last.kind == "set" and (corrects or made):
        return _at_another_time(bare[made.end() :] if made else bare, last, today)
    if last.kind == "unclear" and last.words:
        return _at_another_time(_ANSWERS.sub("", bare), last, today)
    return None


def _calls_off(words: str) -> bool:
    return re.fullmatch(r"cancel (?:it|that|this|this one|that one|the last one)(?: again| then)*", words) is not None


def _at_another_time(said: str, last: Wish, today: date) -> Wish | None:
    said = _KINDLY.sub("", said).strip(" ,")
    for form, preposition in _BARE_TIME:
        said = f"{preposition} {said}" if re.fullmatch(form, said) else said
    rest, when = read_when(said, today)
    if not when or rest.strip(" ,.") not in {"", "for", "on", "at", "the", "in"}:
        return None
    return _settled(replace(last, when=last.when.then(when), of_last=last.of_last or last.kind == "set"))


def _to_set(sentence: str, today: date) -> Wish | None:
    asked, told = _told_apart(TOO_OFTEN.sub("", sentence), today)
    rest, when = read_when(asked, today)
    asks = _ASKS.fullmatch(rest.strip(" ,"))
    if asks is None:
        return None
    what, once = asks["what"].strip(), when.days.get("repeat", "once") == "once"
    named = when.minutes is not None or (bool(when.days) and not (once and "weekdays" in when.days))
    what, question = unread(what, named=named, lead=(asks["link"] or "for").lower() == "for")
    what = told or what
    if TOO_OFTEN.search(sentence):
        question = _MOST_OFTEN
    if not (when or question or _TO_DO.search(sentence)):
        return None  # "Remind me what my job is" asks for what is known.
    by_itself = next((one for one in _OF_ITSELF if one in (asks["remind"] or "").lower()), "")
    does = "remind" if asks["remind"] else "run"
    words = capital(to_you(what)) if does == "remind" else f"{TEXT_ME}{what}" if what else ""
    words = words or _OF_ITSELF.get(by_itself, "")
    if question in OF_WHAT_IS_UNREAD:
        when = replace(when, trouble=when.trouble or question)
    elif question:  # What was read beside it may mean something else.
        return Wish("unclear", does, "" if question in {SEVERAL, UNSURE} else words, question=question)
    if not words:
        return Wish("unclear", does, question=_OF_WHAT, sentence=sentence)
    return _settled(Wish("set", does, words, when=when, is_waking=by_itself in {"wake", "alarm"}))


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
