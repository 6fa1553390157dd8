"""Check and mend a summariser's draft before any of it is kept: pure.

No outside input is trusted. A draft is refused, with the reason, if it has no summary, speaks of nothing that was said,
or leaves a date that depends on the day it is read.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from app.errors import Refused
from app.memory.changes import Origin
from app.memory.episodes import Summary
from app.memory.forgotten import ForgottenThing, Said, was_forgotten
from app.memory.remember import NewFact, checked_category, checked_sentence
from app.services.model import DatedPhrase, SaidText, ToSummarise
from app.text.days import day_words, folded, with_dates
from app.text.own_words import Written, own_words
from app.text.telling import tells_something
from app.text.wording import normalise, one_line, sentences, subjects

SUMMARY_CHARS = 400
NARRATIVE_CHARS = 2000
TOPICS, TOPIC_CHARS = 8, 40
KEY_FACTS, KEY_FACT_CHARS = 10, 300
FACTS = 5  # A model that gives more repeats facts that the turns have already kept.
QUOTE_CHARS = 300

_LINK = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
_ORDER = re.compile(
    r"^(?:always|never|ignore|disregard|you (?:must|should|are)|system\b|assistant\b|do not)\b", re.IGNORECASE
)


def check_summary(fields: Mapping[str, Any], conversation: ToSummarise, *, leave_out: bool = False) -> Summary:
    """The summary within its limits and with absolute dates; `leave_out` drops a sentence whose date is unclear.

    Raises:
        Refused: the draft cannot be kept; the message says why.
    """
    texts = conversation.texts
    said_at = [(text.words, text.at) for text in texts]

    def dated(words: str) -> str:
        absolute = dated_if_certain(words, said_at)
        if absolute is not None:
            return absolute
        if not leave_out:
            raise Refused(
                f"'{words[:80]}' holds a date that depends on the day it is read. Write the date itself, such as 22 "
                "November 2026, in the place of words like tomorrow, today, last week or on Friday."
            )
        return " ".join(filter(None, (dated_if_certain(one, said_at) for one in sentences(words))))

    summary = dated(_words(fields, "summary", SUMMARY_CHARS))
    narrative = dated(_words(fields, "narrative", NARRATIVE_CHARS))
    if not summary:
        raise Refused("The summary is missing. Say in one or two sentences what the conversation was about.")
    dates = " ".join(date.means for text in texts for date in text.dates)
    said = frozenset[str]().union(*(subjects(text.words) for text in texts), subjects(dates))
    if not subjects(f"{summary} {narrative}") & (said | subjects(conversation.person_name or "")):
        raise Refused("The summary speaks of nothing that was said. Summarise these texts alone.")
    listed = _listed(fields, "key_facts", KEY_FACTS, KEY_FACT_CHARS)
    key_facts = [dated(one) for one in listed if tells_something(one)]
    return Summary(
        summary=summary,
        narrative=narrative or summary,
        topics=tuple(one.casefold() for one in _listed(fields, "topics", TOPICS, TOPIC_CHARS)),
        key_facts=tuple(filter(None, key_facts)),
        importance=_share(fields.get("importance"), conversation.importance),
    )


def quoted_facts(
    fields: Mapping[str, Any], said: Sequence[Said], texts: Sequence[SaidText], gone: Sequence[ForgottenThing]
) -> list[NewFact]:
    """The draft's facts that quote the person's own words, each with its source text; others are left out."""
    found: dict[str, NewFact] = {}
    given = fields.get("facts")
    for one in given if isinstance(given, list) else ():
        fact = _checked_fact(one, said, texts, gone) if isinstance(one, Mapping) else None
        if fact is not None:
            found.setdefault(normalise(fact.fact), fact)
    return list(found.values())[:FACTS]


def _checked_fact(
    given: Mapping[str, Any], said: Sequence[Said], texts: Sequence[SaidText], gone: Sequence[ForgottenThing]
) -> NewFact | None:
    quote = one_line(str(given.get("quote") or ""))
    source = next((one for one in said if one.by_person and quote and _says(one, quote)), None)
    sentence = dated_if_certain(one_line(str(given.get("fact") or "")), [(text.words, text.at) for text in texts])
    if source is None or sentence is None or quote.endswith("?") or _LINK.search(sentence) or _ORDER.match(sentence):
        return None
    if not tells_something(quote) or not subjects(sentence) & subjects(quote):
        return None
    category = given.get("category")
    try:
        fact = checked_sentence(sentence)
    except Refused:
        return None
    if was_forgotten(fact, source.at, gone):
        return None
    origin = Origin("assistant", "inferred", None, source.message_id, quote[:QUOTE_CHARS])
    return NewFact(fact, checked_category(category if isinstance(category, str) else None), origin)


def dated_if_certain(text: str, said: Iterable[tuple[str, datetime]]) -> str | None:
    """A sentence about texts, with the dates of its day words behind them; None if a word may mean several days.

    `said` are the texts with their local times. A word has its meaning in the texts that hold it; a word that none of
    them holds is read on each of their days and must mean the same day.
    """
    texts = list(said)
    meant: dict[str, set[str]] = {}
    for words, at in texts:
        for one in day_words(words, at):
            meant.setdefault(_day_word(words, one), set()).add(one.means)
    places: dict[int, tuple[DatedPhrase, set[str]]] = {}
    for at in {at.date(): at for _, at in texts}.values():
        for one in day_words(text, at):
            places.setdefault(one.start, (one, set()))[1].add(one.means)
    found = [(one, meant.get(_day_word(text, one)) or means) for _, (one, means) in sorted(places.items())]
    if any(len(means) > 1 for _, means in found):
        return None
    return with_dates(text, [replace(one, means=means.pop()) for one, means in found])


def _day_word(text: str, word: DatedPhrase) -> str:
    """The day word in lower case: `tomorrow`, `next friday`."""
    return " ".join(folded(text[word.start : word.end]).split())


def _says(text: Said, quote: str) -> bool:
    """True if the quote is in the person's own words of the text."""
    own = own_words([Written(text.words, text.forwarded)], names=True)
    return f" {normalise(quote)} " in f" {normalise(own)} "


def _words(fields: Mapping[str, Any], name: str, most: int) -> str:
    given = fields.get(name)
    if given is not None and not isinstance(given, str):
        raise Refused(f"{name} has to be text.")
    return _cut(one_line(given or ""), most)


def _listed(fields: Mapping[str, Any], name: str, most: int, chars: int) -> list[str]:
    given = fields.get(name)
    if given is not None and not isinstance(given, list):
        raise Refused(f"{name} has to be a list of texts.")
    words = [_cut(one_line(one), chars) for one in given or [] if isinstance(one, str)]
    return [one for one in dict.fromkeys(words) if one][:most]


def _cut(words: str, most: int) -> str:
    """The whole sentences that fit; if the first is too long, as many of its words as fit."""
    if len(words) <= most:
        return words
    kept = ""
    for sentence in sentences(words):
        if len(kept) + len(sentence) + 1 > most:
            break
        kept = f"{kept} {sentence}".strip()
    return kept or words[: most - 1].rsplit(" ", 1)[0].rstrip(" ,;:") + "…"


def _share(given: object, otherwise: float) -> float:
    try:
        share = float(given) if isinstance(given, str | int | float) and not isinstance(given, bool) else -1.0
    except (ValueError, OverflowError):
        return otherwise
    return round(share, 2) if 0 <= share <= 1 else otherwise
