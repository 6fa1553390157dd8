"""The claims of replies that something was saved, forgotten, scheduled: a table for each language, read from its file.

Patterns are regular expressions over one clause in small letters, with straight apostrophes; `{PARTS}` stand for the
`parts` of the language, and `{START}` for the beginning of a clause and any number of its `leads`. A pattern that is
too long for a line is a list of its pieces.

A language of the form `participles` has in `did` the verbs that say by themselves who did it. Its parts: `HAVE` ("I
have"), `IT_IS` and `IS`, the participles `KEPT`, `GONE`, `SET`, `OFF` and `PLUGGED`, the `LOOKED` of what only reads,
`TO_YOU` ("I send you") and `LATER`, which make a promise together, the nouns `FACT`, `ROUTINE` and `CALENDAR`, `THE`
before them, `IN_MEMORY`, `THING` behind a verb, and `THAT`, which begins what is kept: no verb is looked for behind it.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from app.text import kind_words

Patterns = Mapping[str, tuple[str, ...]]
"""By kind of claim: `saved`, `forgotten`, `scheduled`, `cancelled`, `connected`, or `done` for what may be any."""

NAMES = (
    "english spanish french german italian portuguese dutch swedish polish russian turkish "
    "chinese japanese hindi arabic"
).split()
"""The order in which languages are asked: the first that reads a claim says what is true instead."""


@dataclass(frozen=True)
class Language:
    done: Patterns
    """A deed that the assistant says it did: found anywhere in a clause."""
    alone: Patterns
    """The same without a subject: "Saved!", from the beginning of a clause to its end, but for leads and tails."""
    state: Patterns
    """Something is so, where the deed may be of an earlier turn: as a whole clause, too."""
    will: Patterns
    """A promise, or what is being done just now: void where it is only offered."""
    wont: Patterns = field(default_factory=dict)
    """A promise that is a denial in its form: "I won't forget"."""
    parts: Mapping[str, str] = field(default_factory=dict)
    signs: str = ""
    """Letters, words and endings, of which any sentence of it has one: only then is it read in this language."""
    plainer: Mapping[str, str] = field(default_factory=dict)
    """What is said in fewer words before anything is looked for: pattern and replacement, in this order."""
    hence: str = r"(?!)"
    """From now on: a comma behind it parts nothing. It is a part of patterns, too: `{HENCE}`."""
    leads: str = ""
    tails: str = ""
    denied: str = r"(?!)"
    """Before or in the claim, within its clause."""
    denied_after: str = r"(?!)"
    """Directly behind a promise."""
    offered: str = r"(?!)"
    """Before a promise: what makes it hang on something."""
    wish: str = r"(?!)"
    """Behind a promise: it is the person who has to say so first."""
    retold: str = r"(?!)"
    """Right before a claim: it is told again, asked or not yet so."""
    past: str = r"(?!)"
    """A time that is over: before a claim in its clause, or at most three words behind it."""
    aside: str = r"(?!)"
    """No part of a clause, whatever it denies: "no worries"."""
    elsewhere: str = r"(?!)"
    """In a clause: it speaks of words or dishes that were asked for, unless the verb is one of memory alone."""
    ambiguous: str = r"(?!)"
    """Verbs that such work shares with memory: "added", "removed"."""
    already: str = r"(?!)"
    """In a clause: it speaks of a deed of an earlier turn."""
    own_name: str = r"(?!)"
    not_done: Mapping[str, str] = field(default_factory=dict)
    """By kind: what takes a claim's place that is not true."""
    space: str = " "
    """What stands between words; nothing in Chinese and Japanese."""


_GAP = r"(?: (?!(?:{THAT}) )[^ ]+)"
_DEEDS = {
    "saved": "{HAVE}{GAP}{0,6}? {KEPT}(?!\\w)",
    "forgotten": "{HAVE}{GAP}{0,6}? {GONE}(?!\\w)",
    "scheduled": "{HAVE}{GAP}{0,5}? {SET}{GAP}{0,4}? {ROUTINE}|{HAVE}{GAP}{0,5}? {ROUTINE}{GAP}{0,5}? {SET}(?!\\w)"
    "|{ROUTINE}{GAP}{0,4}? {HAVE}{GAP}{0,5}? {SET}(?!\\w)",
    "cancelled": "{HAVE}{GAP}{0,5}? (?:{OFF}|{GONE}){GAP}{0,4}? {ROUTINE}|{HAVE}{GAP}{0,5}? {OFF}(?!\\w)"
    "|{HAVE}{GAP}{0,5}? {ROUTINE}{GAP}{0,4}? {GONE}(?!\\w)|{ROUTINE}{GAP}{0,3}? {HAVE}{GAP}{0,5}? {GONE}(?!\\w)",
    "done": r"^(?!.*(?:{LOOKED})).*?{HAVE}{GAP}{1,6}? {IN_MEMORY}",
    "connected": (
        "{HAVE}{GAP}{0,4}? {PLUGGED}{GAP}{0,3}? {CALENDAR}|{HAVE}{GAP}{0,4}? {CALENDAR}{GAP}{0,3}? {PLUGGED}"
    ),
}
_ALONE: Patterns = {
    "saved": (
        r"{KEPT}(?: {THING})?|(?:{IT_IS}){GAP}{0,4}? {KEPT}|(?:{IT_IS}){GAP}{0,2}? {IN_MEMORY}",
        r"{YOUR}(?: [^ ]+){1,3}? {IS}{GAP}{0,2}? {STORED}",
        r"(?:{THE} ?(?:[^ ]+ )?)?{FACT}(?: {IS})?{GAP}{0,3}? {KEPT}|{KEPT}{GAP}{0,4}? {IN_MEMORY}",
    ),
    "forgotten": (
        (
            r"{GONE}(?: {THING})?|(?:{IT_IS}){GAP}{0,4}? {GONE}|(?:{THE} ?(?:[^ ]+ )?)?{FACT}(?: {IS})?{GAP}{0,5}? "
            r"{GONE}"
        ),
    ),
    "scheduled": (
        (
            r"{SET} {WHEN}.*|(?:{THE} )?{ROUTINE}{GAP}{0,4}? {SET}(?: .*)?|{SET}{GAP}{0,3}? {ROUTINE}(?: .*)?|"
            r"{PLANNED}"
        ),
    ),
    "cancelled": (
        r"{OFF}(?: {THING})?(?: {UNTIL}.*)?|(?:{THE} )?{ROUTINE}{GAP}{0,3}? (?:{OFF}|{GONE})(?: .*)?",
        r"(?:{OFF}|{GONE}){GAP}{0,3}? {ROUTINE}(?: .*)?",
    ),
    "connected": (r"{PLUGGED}|(?:{THE} )?{CALENDAR}(?: {IS})? {PLUGGED}",),
    "done": (r"{ALL_DONE}",),
}
_STATE: Patterns = {
    "scheduled": (
        (
            r"(?:{THE} )?{ROUTINE}{GAP}{0,4}? {IS}{GAP}{0,5}? {SET}(?: .*)?|"
            r"(?:{IT_IS}){GAP}{0,5}? {PLANNED}(?: .*)?"
        ),
        r"(?:{THE} )?{ROUTINE}{GAP}{0,3}? {IS} {WHEN}.*",
    ),
    "cancelled": (
        r"(?:{THE} )?{ROUTINE}{GAP}{0,4}? {IS}{GAP}{0,4}? (?:{OFF}|{GONE})(?: .*)?",
        r"(?:{IT_IS}){GAP}{0,2}? {OFF}(?: {UNTIL}.*)?",
    ),
    "connected": (r"(?:{THE} )?{CALENDAR}{GAP}{0,2}? {IS}{GAP}{0,2}? {PLUGGED}",),
}


@cache
def languages() -> tuple[Language, ...]:
    """All languages, in the order of `NAMES`."""
    return tuple(language_named(name) for name in NAMES)


@cache
def language_named(name: str) -> Language:
    table = tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text("utf-8"))
    parts = {**_of_verbs(table.pop("verbs", {})), **_joined_each(table.pop("parts", {}))}
    plainer = {_joined(one["pattern"]): one["shorter"] for one in table.pop("plainer", [])}
    not_done = table.pop("not_done", kind_words.NOT_DONE)
    participles = table.pop("form", None) == "participles"
    patterns: dict[str, Any] = {
        kind: table.pop(kind) for kind in ("done", "did", "alone", "state", "will", "wont") if kind in table
    }
    words: dict[str, Any] = _joined_each(table)
    if participles:
        parts["GAP"] = _GAP
        said: dict[str, Any] = _by_participles(patterns)
    else:
        said = {
            when: {kind: tuple(map(_joined, several)) for kind, several in kinds.items()}
            for when, kinds in patterns.items()
        }
    return Language(parts=parts, plainer=plainer, not_done=not_done, **said, **words)


def _by_participles(given: Mapping[str, Any]) -> dict[str, Any]:
    did, will = _joined_each(given["did"]), _joined_each(given["will"])
    promises = {"scheduled": (r"^(?=.*(?:{LATER})).*?(?<!\w)(?:{TO_YOU})(?!\w)",)}
    return {
        "done": {
            kind: tuple(filter(None, (_DEEDS.get(kind), did.get(kind) and _as_word(did[kind]))))
            for kind in {**_DEEDS, **did}
        },
        "alone": _ALONE,
        "state": _STATE,
        "will": {kind: (_as_word(one), *promises.get(kind, ())) for kind, one in will.items()},
        "wont": {"saved": (_as_word(_joined(given["wont"])),)},
    }


def _as_word(pattern: str) -> str:
    return rf"(?<!\w)(?:{pattern})(?!\w)"


def _joined(pattern: str | list[str]) -> str:
    return pattern if isinstance(pattern, str) else "".join(pattern)


def _joined_each(table: Mapping[str, str | list[str]]) -> dict[str, str]:
    return {name: _joined(pattern) for name, pattern in table.items()}


_DOUBLED = re.compile(r"(?:for|com|un|re)?[^aeiou]*[aeiou][bdglmnpt]")
"""A verb of English that doubles its last letter: "dropped", "forgetting"."""


def _of_verbs(families: Mapping[str, list[str]]) -> dict[str, str]:
    """The parts that families of English verbs make, as they stand behind "I'll", "I've" and "I'm"."""
    parts: dict[str, str] = {}
    for names, verbs in families.items():
        forms = zip(*(_forms(verb) for verb in " ".join(verbs).split()), strict=True)
        for name, form in zip(names.split(), forms, strict=True):
            parts[name] = f"(?:{'|'.join(dict.fromkeys(form))})"
    return parts


def _forms(verb: str) -> tuple[str, str, str]:
    base, _, past = verb.partition(":")
    word, _, more = base.replace("_", " ").partition(" ")
    stem = word + word[-1] if _DOUBLED.fullmatch(word) else word.removesuffix("e")
    regular = f"{stem[:-1]}ied" if stem.endswith("fy") else f"{stem}ed"
    inflected = (word, regular, f"{stem}ing")
    plain, had, doing = (f"{one} {more}".strip() for one in inflected)
    return plain, past.replace("_", " ") or had, doing
