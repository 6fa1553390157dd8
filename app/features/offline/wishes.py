"""Wishes for what is to come by itself, read from a text: when, and what. Pure; dates are left to the tool."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from app.features.offline.english import sentences, tidy
from app.features.offline.misspelt import as_meant
from app.features.offline.pauses import pause_of_all, pause_of_one
from app.features.offline.picking import WHICH_ONE, picked
from app.features.offline.wish import NEXT, THIS, Wish
from app.routines.when import OF_WHAT_IS_UNREAD, SEVERAL, TOO_OFTEN, UNSURE, minutes_of, read_when, unread
from app.text.clock_words import NOON, plainly
from app.text.dates import DAY

TEXT_ME = "Text me "
"""How an instruction begins, in the person's own words."""

_WHICH_COUNTRY = 'Whose holidays? Name the country by its two letters, such as "not on holidays in DE".'
_MOST_OFTEN = "Every hour is the most often that I can text you. Say it so, and I will."
_OF_WHAT = "What shall I remind you of? Say it as: to call Ana."
_WHICH_HOURS = "In the morning or in the evening? Say it as: quiet hours 10pm to 7am."
_LEFT = "Okay, I've left that."
_FEW_WORDS = 3  # What is said in so few between a question and its answer does not end it.
EARLIER_READ = 6  # Texts: a question is answered soon.

_STOPS_IN_DATES = ((re.compile(r"\b(\d\d?\.\d\d?\.)(?= )"), r"\1,"), (re.compile(r"\b([A-Za-z]{3,4})\.(?= \d)"), r"\1"))
"""So that `24.12. at 9` and `Dec. 24` are not taken for two sentences."""

_ASKS = re.compile(
    r"(?:(?:hey|hi|ok|okay|and|also)[ ,]+)*(?:(?:can|could|would|will) you )?(?:please )?"
    r"(?:(?P<remind>remind me(?: again)?|(?:set )?(?:me )?an? (?:reminder|alarm|timer)|wake me(?: up)?|"
    r"(?:text|tell|message) me(?= to\b))|"
    r"(?P<text>(?:text|send|tell|message) me))\b[ ,:]*(?:please )?"
    r"(?P<link>(?:to|about|that|of|for)\b)?[ ,:]*(?P<what>.*?)[ ,.!]*",
    re.IGNORECASE,
)
_SAYS_IT_ALL = re.compile(r"wake|alarm|timer", re.IGNORECASE)
_OF_ITSELF = {"wake": "Wake up", "alarm": "Your alarm", "timer": "Time is up"}
"""What is said where nothing else was asked for."""
_TO_DO = re.compile(r"\b(?:remind me(?: again)?|reminder|alarm|timer|wake me(?: up)?)(?: to\b|$)", re.IGNORECASE)
_AND_THEN = re.compile(r",? (?:and|then)(?: then| also)? (?:please )?(?:remind me )?", re.IGNORECASE)
_LISTS = re.compile(
    r"(?:(?:what are|show(?: me)?|list|tell me|what) )?(?:all )?(?:of )?my (?:reminders|routines|alarms)|"
    r"what (?:reminders|routines) (?:do i have|are there)|what is scheduled",
    re.IGNORECASE,
)
_STOPS = re.compile(
    r"(?:please )?(?:stop (?:texting me |sending me |reminding me (?:to |about |of )?)?|cancel |delete |remove |drop |"
    r"(?:do not|never) remind me (?:again )?(?:to |about |of )(?=\w))"
    r"(?P<what>.+)",
    re.IGNORECASE,
)
_OF_ROUTINES = re.compile(
    r"\b(?:texts?|messages?|reminders?|routines?|alarms?|briefings?)\b|^stop (?:text|send|remind)|"
    r"^(?:do not|never) remind",
    re.IGNORECASE,
)
_SPAN_ALONE = r"(?P<number>\d{1,4}|a|an|one|two|three|half an)(?: ?(?P<unit>minute|min|hour|hr|h|m)s?)?(?: please)?"
_CALLS_OFF = re.compile(r"(?:please )?cancel (?!.*\brules?\b)", re.IGNORECASE)
_SNOOZES = re.compile(
    rf"(?:please )?(?:snooze|remind me again)(?: (?:it|that|this))?(?:(?: for| in)? {_SPAN_ALONE})?", re.IGNORECASE
)
_PUT_OFF = re.compile(
    r"(?:(?:ok|okay|no|not now|wait|sorry|please|later|yes|remind me(?: again)?|ask me(?: again)?|tell me(?: again)?|"
    rf"again|give me|I need)[ ,]+)*(?:in |for )?(?=.*[a-z]){_SPAN_ALONE}(?: (?:more|again))?",
    re.IGNORECASE,
)
"""Right after what has come, where nothing else can be meant."""
_LATER = re.compile(
    r"(?:(?:ok|okay|no|please|maybe|remind me(?: again)?|ask me(?: again)?)[ ,]+)*"
    r"(?:later|not now|a bit later|in a (?:bit|while|moment)|not yet)(?: please)?",
    re.IGNORECASE,
)
_FOR_SO_LONG = re.compile(rf"(?:for |in )?{_SPAN_ALONE}", re.IGNORECASE)
_ON_CLOCK = r"\d{1,2}(?::\d\d)? ?(?:[ap]m)?"
_QUIET = re.compile(
    r"(?:please )?(?:(?:set )?(?:my )?quiet hours(?: are| to)?|(?:do not|never) (?:text|message|disturb) me|no texts)"
    rf"(?: from| between)? (?P<from>{_ON_CLOCK}) ?(?:-|to|and|until|till) ?(?P<to>{_ON_CLOCK})",
    re.IGNORECASE,
)
_ALREADY = re.compile(
    rf"(?:(?:ok|okay|yes|great|thanks),? )?(?:i(?: am|'m|'ve| have)? )?(?:all |just |already )*"
    rf"(?:done(?:,? (?:I )?(?:just )?\w{{3,}} (?:{THIS}|them)(?: \w+)?)?|"
    rf"(?:did|finished|took|taken|called)(?: {THIS}| them)?)(?:,? (?:already|now|thanks|thank you))*",
    re.IGNORECASE,
)
_SKIPS = re.compile(
    rf"(?:please )?(?:(?:skip|leave out)(?P<next> (?:the |my )?next(?: one| time)?)?|not)(?: {THIS})?"
    rf"(?: (?P<day>today|tomorrow|{DAY})(?:['’]s)?)?(?: (?:the |my )?(?P<what>(?!on\b|for\b)"
    r"(?:(?!\b(?:is|are|was)\b).)+?))??"
    rf"(?:,? (?:(?:on|for) )?(?P<day2>today|tomorrow|{DAY}))?",
    re.IGNORECASE,
)
_CANCELS_IT = re.compile(
    rf"(?:(?:no|actually|sorry|oh|please|can you)[, ]+)*cancel (?:{THIS}|the last one)(?: (?:again|please|then))*",
    re.IGNORECASE,
)
_PUTS_RIGHT = re.compile(
    r"(?:(?:(?:no|oh|sorry|wait|actually|please|ok|okay)[, ]+)*(?:make|change|move|set) (?:it|that)(?: to| for)?|"
    r"(?:(?:no|oh|sorry|wait|oops|actually|I meant?)[, ]+)+) ?(?P<when>.+?)"
    r"(?: (?:instead|please|then|actually|rather))*",
    re.IGNORECASE,
)
_ANSWERS = re.compile(
    r"(?:(?:ok|okay|yes|sure|oh|well|um|let us say|say|please|make it|maybe|how about)[, ]+)*"
    r"(?P<when>.+?)(?:,? (?:please|thanks|thank you|then))*",
    re.IGNORECASE,
)
_HOLIDAYS = re.compile(
    r"(?:please )?(?:but )?not on (?:public |bank |national )?holidays"
    r"(?: in (?P<country>[A-Za-z]{2}(?:-[A-Za-z]{2,3})?))?",
    re.IGNORECASE,
)


_OF_ONE_OF_THEM = frozenset({"stop", "skip", "pause", "resume", "snooze", "retime", "next"})


_NEXT = re.compile(
    r"(?:(?:hey|and|so|ok|okay),? )*"
    r"(?:(?:when|what) ?(?:is|are|['’]s) (?:my|the) next (?:reminder|routine|alarm|text)s?|"
    r"what ?(?:is|['’]s) (?:up )?next|what ?(?:is|['’]s) coming(?: up)?|"
    r"when (?:do|will) you (?:remind|text) me next|"
    r"when ?(?:is|['’]s) (?:my|the) (?P<what>.+) (?:reminder|routine|alarm))(?: due| coming| set for| next)?",
    re.IGNORECASE,
)
_WHEN_IS = re.compile(
    r"(?:(?:hey|and|so|ok|okay),? )*(?:when|(?:at )?what time) ?(?:(?:is|are|['’]s|does|do|will)\b|am I)"
    r"(?: (?:you|I)\b(?: (?:(?:remind|text|wake) me|have|supposed to))?)?(?: (?:to|about|of))? "
    r"(?P<what>.+?)(?: (?:come|coming|due|go off|set for|scheduled|next|again|at|today|tomorrow))*",
    re.IGNORECASE,
)
"""May ask for one that is there, or for anything in the world."""
_RETIMES = re.compile(
    r"(?:(?:can|could|would|will) you )?(?:please )?(?:(?:change|move|reschedule|shift|push|put off) (?P<what>.+?) to|"
    r"make (?P<what2>.+?)(?: at| for)?) (?P<when>(?:at )?(?:\d{1,2}(?::\d\d)?(?: ?[ap]\.?m\.?)?|noon|midnight))"
    r"(?: (?:instead|please|from now on))*",
    re.IGNORECASE,
)


_YES = re.compile(r"(?:yes|yeah|yep)(?:,? (?:please|all|both|to all|do))*", re.IGNORECASE)

_CAME = Wish("came")
"""In the place of a wish before: a routine has spoken."""


def wishes(
    text: str, today: date, earlier: Sequence[str] = (), asked: str = "", *, waits: bool = False
) -> tuple[list[Wish], str]:
    """What the text wants, and what else it says.

    `earlier` are the person's texts before it, the newest first, each empty where a routine spoke instead; `asked` is
    what was last said to them, and `waits` whether a routine waits for their yes.
    """
    last: Wish | None = None
    for before in reversed(earlier[:EARLIER_READ]):
        _, _, last = _read(before, today, last) if before else ([], [], _CAME)
    if last and last.kind in _OF_ONE_OF_THEM and WHICH_ONE in asked and (numbers := picked(text, asked)):
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
        wishes = _several(words, today) or [_of_the_last(words, last, today) if last else None]
        if wishes[0] is None:
            wishes = [_wish(words, today)]
        if wishes[0] is None:
            rest.append(sentence)
            last = last if len(words.split()) <= _FEW_WORDS else None
        for wish in filter(None, wishes):
            if found and found[-1] is last and last.kind == "unclear" and wish.kind in {"set", "unclear"}:
                found.pop()  # The same text answers what would have been asked.
            found.append(wish)
            last = wish
    return found, rest, last


def _several(sentence: str, today: date) -> list[Wish | None]:
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


def _wish(sentence: str, today: date) -> Wish | None:
    if _LISTS.fullmatch(sentence):
        return Wish("list")
    if held := pause_of_all(sentence, today):
        return held
    if _CANCELS_IT.fullmatch(sentence):
        return Wish("stop")
    if asked := _asked_when(sentence):
        return asked
    stop = _STOPS.fullmatch(sentence)
    if stop and (_OF_ROUTINES.search(sentence) or _CALLS_OFF.match(sentence)):
        return Wish("stop", words=stop["what"])
    return (
        _about_one(sentence)
        or pause_of_one(sentence, today)
        or _retimed(sentence)
        or _quiet_hours(sentence)
        or _to_set(sentence, today)
    )


def _asked_when(sentence: str) -> Wish | None:
    if coming := _NEXT.fullmatch(sentence):
        return Wish("next", words=coming["what"] or "")
    asked = _WHEN_IS.fullmatch(sentence)
    return Wish("when", words=asked["what"], sentence=sentence) if asked else None


def _of_the_last(sentence: str, last: Wish, today: date) -> Wish | None:
    """What is said of the wish before: the answer to what was asked, a time put right, that it is not wanted."""
    if _CANCELS_IT.fullmatch(sentence) and last.kind in {"set", "unclear"}:
        is_set = last.kind == "set"
        return Wish("stop", words=last.words, of_last=True) if is_set else Wish("unclear", question=_LEFT)
    if last.kind == "came" or (last.kind == "snooze" and not last.minutes):
        return _put_off(sentence, last)
    if last.kind == "unclear" and last.sentence:
        return (
            _to_set(f"{last.sentence} {sentence}", today) if re.match("to |about ", sentence, re.IGNORECASE) else None
        )
    found = None
    if last.kind == "set":
        found = _PUTS_RIGHT.fullmatch(sentence)
    elif last.kind == "unclear" and last.words:
        found = _ANSWERS.fullmatch(sentence)
    if found is None:
        return None
    said = found["when"].strip(" ,")
    if re.fullmatch(r"\d{1,2}(?:[:.]\d\d)?(?: o'?clock)?", said):
        said = f"at {said}"
    elif re.fullmatch(r"\w+ (?:minute|min|hour|hr)s?", said):
        said = f"in {said}"
    rest, when = read_when(said, today)
    if not when or rest.strip(" ,.") not in {"", "for", "on", "at", "the", "in"}:
        return None
    return _settled(replace(last, when=last.when.then(when), of_last=last.of_last or last.kind == "set"))


def _about_one(sentence: str) -> Wish | None:
    """What is wished of one that is there already."""
    if snooze := _SNOOZES.fullmatch(sentence):
        return _snooze(snooze)
    if _ALREADY.fullmatch(sentence):
        return Wish("done")
    if holidays := _HOLIDAYS.fullmatch(sentence):
        return Wish("change", country=(holidays["country"] or "").upper(), question=_WHICH_COUNTRY)
    skip = _SKIPS.fullmatch(sentence)
    if skip and (re.match("(?:please )?(?:skip|leave)", sentence, re.IGNORECASE) or (skip["day"] and not skip["what"])):
        day = skip["day"] or skip["day2"] or (NEXT if skip["next"] else "")
        return Wish("skip", words=skip["what"] or "", day=day.lower())
    return None


def _retimed(sentence: str) -> Wish | None:
    """Another hour of the same days; none where `change it to 10` may as well mean what is known.

    Where nothing tells which half of the day is meant, both readings are its times: the routine's own hour decides.
    """
    retimes = _RETIMES.fullmatch(sentence)
    what = (retimes["what"] or retimes["what2"]) if retimes else ""
    if retimes is None or re.fullmatch(THIS, what, re.IGNORECASE):
        return None
    _, when = read_when(f"at {retimes['when'].removeprefix('at ')}", date.min)
    repeated = replace(when, days={"repeat": "daily"})
    readings = [replace(repeated, part=half).schedule(waking=False) for half in ("pm", "am")]
    if when.hour in range(1, NOON) and not when.part and not any(question for _, question in readings):
        return Wish("retime", words=what, schedule={"times": [each["times"][0] for each, _ in readings]})
    schedule, question = repeated.schedule(waking=False)
    if question:
        return Wish("unclear", question=f"{question} And say again what to change.")
    return Wish("retime", words=what, schedule={"times": schedule["times"]})


def _quiet_hours(sentence: str) -> Wish | None:
    quiet = _QUIET.fullmatch(sentence)
    if quiet is None:
        return None
    hours = [_on_clock(quiet["from"]), _on_clock(quiet["to"])]
    return Wish("quiet", words="-".join(hours)) if all(hours) else Wish("unclear", question=_WHICH_HOURS)


def _snooze(said: re.Match[str]) -> Wish:
    """For so long; for no time, to be asked about, where none is said."""
    return Wish("snooze", minutes=minutes_of(said["number"], said["unit"] or "minute") if said["number"] else 0)


def _put_off(sentence: str, last: Wish) -> Wish | None:
    """For how long what has come is put off: right after it, or after it was asked for how long."""
    asked = last.kind == "snooze"
    if so_long := (_FOR_SO_LONG if asked else _PUT_OFF).fullmatch(sentence.replace(" more ", " ")):
        return _snooze(so_long)
    return Wish("snooze") if not asked and _LATER.fullmatch(sentence) else None


def _on_clock(said: str) -> str:
    """HH:MM on the clock of 24; empty where the half of the day is not plain."""
    _, when = read_when(f"at {said}", date.min)
    schedule, asked = replace(when, days={}).schedule(waking=False)
    return "" if asked else str(schedule["times"][0])


def _to_set(sentence: str, today: date) -> Wish | None:
    rest, when = read_when(TOO_OFTEN.sub("", sentence), today)
    asks = _ASKS.fullmatch(rest.strip(" ,"))
    if asks is None:
        return None
    what, once = asks["what"].strip(), when.days.get("repeat", "once") == "once"
    named = when.minutes is not None or (bool(when.days) and not (once and "weekdays" in when.days))
    what, question = unread(what, named=named, lead=(asks["link"] or "for").lower() == "for")
    if not (when or question or _TO_DO.search(sentence) or TOO_OFTEN.search(sentence)):
        return None  # "Remind me what my job is" asks for what is known.
    does, by_itself = "remind" if asks["remind"] else "run", _SAYS_IT_ALL.search(asks["remind"] or "")
    is_waking = by_itself is not None and by_itself[0].lower() != "timer"
    words = to_person(what) if does == "remind" else f"{TEXT_ME}{what}" if what else ""
    words = words or (_OF_ITSELF[by_itself[0].lower()] if by_itself else "")
    if TOO_OFTEN.search(sentence):
        question = _MOST_OFTEN
    if question in OF_WHAT_IS_UNREAD:
        when = replace(when, trouble=when.trouble or question)
    elif question:  # What was read beside it may mean something else.
        return Wish("unclear", does, "" if question in {SEVERAL, UNSURE} else words, question=question)
    if not words:
        return Wish("unclear", does, question=_OF_WHAT, sentence=sentence)
    return _settled(Wish("set", does, words, when=when, is_waking=is_waking))


def _settled(wish: Wish) -> Wish:
    """The wish with its schedule, or with what to ask first."""
    schedule, question = wish.when.schedule(waking=wish.is_waking)
    return replace(wish, kind="unclear" if question else "set", schedule=schedule, question=question)


def to_person(words: str) -> str:
    words = re.sub(r"\bmy\b", "your", words, flags=re.IGNORECASE)
    words = re.sub(r"\bI am\b", "you are", words)
    words = re.sub(r"\bI\b|\bme\b", "you", words)
    return words[:1].upper() + words[1:] if words else ""
