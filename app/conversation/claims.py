"""Checks the claims of a reply: it may say "saved", "forgotten" or "scheduled" only if that was done. Pure.

A claim is found by its grammar: "I've saved", "it's noted", "Saved!", "I'll remember", in each language of the table.
The same words are no claim in another sense ("stored in the fridge", "you saved my day"), about another time ("what
I've saved so far"), or in a denial, a question or an offer. A doubtful case counts as a claim: the model is then asked
once to rephrase, and no promise is broken. Each language has a table in `claim_words/`; `english.toml` explains it.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from app.services.tool import ANYTHING, CallMade, Proof, Tool
from app.text import kind_words
from app.text.word_files import read_words

LANGUAGES = (
    "english spanish french german italian portuguese dutch swedish polish russian turkish "
    "chinese japanese hindi arabic"
).split()
"""Languages in the order of matching; the first that finds a claim provides the correction."""
MAX_CLAUSE_CHARS = 200  # Claims are short, and this bounds the cost of matching.

_KINDS = ("cancelled", "scheduled", "connected", "forgotten", "saved", "done")
"""Kinds of claim, the narrowest first: a deleted reminder is cancelled, not forgotten."""

_SENTENCE = re.compile(r"[^\n]+?(?:[.!?…।؟]+[\"')\]”»]*(?=\s|$)|[。！？]+[」』”）]*|$)", re.MULTILINE)
_QUOTED = re.compile('["“„][^"“”„\n]*["”“]|«[^»\n]*»|「[^」\n]*」')
_ASKED = re.compile(r"[?？؟][\"')\]”»」』）]*$")
_BREAK = re.compile(
    r"[,;:()–—،؛、，；：.!?…¡।؟。！？~～\"'](?!\w)|[,;:(¡¿–—،、，；：。！](?=\w)|\s-+\s|^\s*[-•*]\s|\band(?= i\b)"
)
_DELIVERED = re.compile(
    r"[:：]\s*\S|\bhere(?:'s| is| are| you go| it is)\b|\b(?:aquí|aqui|voici|voilà (?:ton|le)|"
    r"hier (?:ist|sind|is|zijn)|ecco|oto|вот|här är)\b|işte|这是|這是|以下|こちら|यह रहा|ये रहा|إليك",
    re.IGNORECASE,
)
_BRACKETS = re.compile(r"\s*\(([^()]*)\)")
_APOSTROPHES = re.compile("[’‘ʼ`´]")
_UNWRITTEN = re.compile("[\u064b-\u0652\u0640\u200b-\u200f\ufe0f]")  # Arabic vowel marks and emoji joiners.

_Patterns = Mapping[str, Sequence[str]]  # By kind of claim.


@dataclass(frozen=True)
class Claim:
    """Words of a reply that say something was done."""

    kind: str  # A key of `kind_words.NOT_DONE`.
    sentence: str
    not_done: str  # The correction, in the claim's language.


@dataclass(frozen=True)
class _Reading:
    """The claim of a clause, as one language reads it."""

    kind: str
    deed: str  # The deed that would make it true, see `Proof`.
    not_done: str
    is_state: bool


def untrue_claims(reply: str, calls: Sequence[CallMade], tools: Mapping[str, Tool]) -> list[Claim]:
    """Claims of the reply that no tool result of this turn proves."""
    proven = proof(calls, tools)
    straight = _APOSTROPHES.sub("'", reply)
    unquoted = _QUOTED.sub(lambda quote: "_" * len(quote[0]), straight)
    delivered = _DELIVERED.search(unquoted) is not None
    untrue: list[Claim] = []
    for found in _SENTENCE.finditer(unquoted):
        clauses = [
            readings
            for readings in _claims_in(found[0].strip())
            if not any(proven.proves_claim(one.deed, is_state=one.is_state) for one in readings)
        ]
        firsts = {readings[0].kind: readings[0].not_done for readings in clauses}
        if delivered or len(firsts) > 1:
            firsts.pop("done", None)
        sentence = reply[found.start() : found.end()].strip()
        untrue += [Claim(kind, sentence, not_done) for kind, not_done in firsts.items()]
    return untrue


def proof(calls: Sequence[CallMade], tools: Mapping[str, Tool]) -> Proof:
    """The proof that all the calls give together.

    A tool that is not ours belongs to an external server with data of its own, so it proves anything.
    """
    each = [tools[call.name].proof(call) if call.name in tools else ANYTHING for call in calls if call.answered]
    return Proof(
        frozenset[str]().union(*(one.deeds for one in each)), frozenset[str]().union(*(one.states for one in each))
    )


def without_claims(reply: str, claims: Sequence[Claim]) -> str:
    """The reply without the sentences of these claims, followed by the corrections."""
    for claim in claims:
        reply = reply.replace(claim.sentence, "")
    lines = [" ".join(line.split()) for line in reply.splitlines()]
    truth = " ".join(dict.fromkeys(claim.not_done for claim in claims))
    kept = "\n".join(line for line in lines if line)
    return f"{kept} {truth}".strip()


def _claims_in(sentence: str) -> Iterator[list[_Reading]]:
    """For each clause that claims something, its reading in each language that finds one."""
    plain = _plain(sentence)
    languages = [_language(name) for name in LANGUAGES if _signs(name).search(plain)]
    for language in languages:  # Asides are cut out, so that a denial in one does not deny the clause.
        plain = language.hence.sub(r"\1 ", language.aside.sub(",", plain))
    plain = ", ".join([_BRACKETS.sub("", plain), *_BRACKETS.findall(plain)])
    clauses = [clause.strip()[:MAX_CLAUSE_CHARS] for clause in _BREAK.split(plain)]
    clauses = [clause for clause in clauses if clause]
    if _ASKED.search(sentence):  # "I've saved that, anything else?" claims; "Shall I save that?" does not.
        clauses = clauses[:-1]
    for index, clause in enumerate(clauses):
        around = ", ".join(clauses[:index]), ", ".join(clauses[index + 1 :])
        readings = [one for language in languages if (one := language.reading(clause, *around)) is not None]
        if readings:
            yield readings


def _plain(sentence: str) -> str:
    """The sentence in lower case, with a comma for each emoji."""
    letters = _UNWRITTEN.sub("", unicodedata.normalize("NFC", sentence).replace("İ", "i").lower())
    return "".join(one if one.isascii() or unicodedata.category(one)[0] in "LMNPZ" else "," for one in letters)


class _Language:
    """The compiled patterns of one language; a pattern missing from its table matches nothing."""

    def __init__(self, words: Mapping[str, Any]) -> None:
        def said(name: str) -> str:
            return str(words.get(name, r"(?!)"))

        space = words.get("space", " ")
        start = rf"^(?:(?:{words['leads']}){space})*"
        self._parts = {**words["parts"], "START": start, "HENCE": said("hence")}
        whole = rf"{start}(?:%s)(?:{space}(?:{words['tails']}|_+))*$"
        self._done = self._by_kind(words["done"])
        self._alone = self._by_kind(words["alone"], whole)
        self._state = self._by_kind(words["state"], whole)
        self._will = self._by_kind(words["will"])
        self._wont = self._by_kind(words["wont"])
        self._denied, self._denied_after = self._one(said("denied")), self._one(rf"^(?:{said('denied_after')})")
        self._offered, self._wish = self._one(said("offered")), self._one(said("wish"))
        self._retold, self._already = self._one(rf"(?:{said('retold')})$"), self._one(said("already"))
        self._past = self._one(rf"(?<!\w)(?:{said('past')})(?!\w)" if space else said("past"))
        self._past_after = self._one(rf"^(?: [^ ]+){{0,3}}? ?(?:{said('past')})(?!\w)")
        self._elsewhere, self._ambiguous = self._one(said("elsewhere")), self._one(said("ambiguous"))
        self._own_name = self._one(said("own_name"))
        self._plainer = [(self._one(one["pattern"]), one["shorter"]) for one in words["plainer"]]
        self._not_done = words["not_done"]
        self.aside = self._one(said("aside"))
        self.hence = self._one(rf"({said('hence')})\s*[,，、]\s*")

    def reading(self, clause: str, before: str, after: str) -> _Reading | None:
        for pattern, shorter in self._plainer:
            clause = pattern.sub(shorter, clause).strip()
        for kind in _KINDS:
            is_state = self._is_said(self._state, kind, clause)
            if (
                is_state
                or self._is_said(self._alone, kind, clause)
                or self._is_done(kind, clause)
                or self._is_promised(kind, clause, before, after)
            ):
                deed = "name" if kind == "forgotten" and self._own_name.search(clause) else kind
                is_already = is_state or self._already.search(clause) is not None
                return _Reading(kind, deed, self._not_done[kind], is_already)
        return None

    def _is_said(self, patterns: dict[str, re.Pattern[str]], kind: str, clause: str) -> bool:
        if kind not in patterns or not (found := patterns[kind].match(clause)) or self._denied.search(clause):
            return False
        return not (self._ambiguous.search(found[0]) and self._elsewhere.search(clause))

    def _is_done(self, kind: str, clause: str) -> bool:
        for found in self._done[kind].finditer(clause) if kind in self._done else ():
            before, after = clause[: found.start()].rstrip(), clause[found.end() :]
            elsewhere = self._ambiguous.search(found[0]) and self._elsewhere.search(clause)
            over = (
                self._past.search(clause[: found.end()])
                or self._past_after.search(after)
                or self._retold.search(before)
            )
            if not (elsewhere or over or self._denied.search(clause[: found.end()])):
                return True
        return False

    def _is_promised(self, kind: str, clause: str, before: str, after: str) -> bool:
        for patterns in (self._will, self._wont):
            for found in patterns[kind].finditer(clause) if kind in patterns else ():
                said = clause[: found.start() if patterns is self._wont else found.end()]
                rest = f"{clause[found.end() :]}, {after}"
                hangs = self._offered.search(f"{before}, {clause[: found.end()]}") or self._wish.search(rest)
                if not (hangs or self._denied.search(said) or self._denied_after.search(rest)):
                    return True
        return False

    def _by_kind(self, patterns: _Patterns, frame: str = "%s") -> dict[str, re.Pattern[str]]:
        return {kind: self._one(frame % "|".join(several)) for kind, several in patterns.items()}

    def _one(self, pattern: str) -> re.Pattern[str]:
        filled = ""
        while filled != pattern:
            filled = pattern
            for name, part in self._parts.items():
                pattern = pattern.replace(f"{{{name}}}", part)
        return re.compile(pattern)


@cache
def _signs(name: str) -> re.Pattern[str]:
    return re.compile(claim_words(name)["signs"])


@cache  # Compiled on first use: all languages together take a third of a second.
def _language(name: str) -> _Language:
    return _Language(claim_words(name))


@cache
def claim_words(name: str) -> Mapping[str, Any]:
    """The full table of a language, with the patterns that its form and its verb families generate."""
    table = read_words(__file__, f"claim_words/{name}.toml")
    plainer = [{**one, "pattern": _joined(one["pattern"])} for one in table.pop("plainer", ())]
    words: dict[str, Any] = {"signs": "", "not_done": kind_words.NOT_DONE, "plainer": plainer}
    words |= {key: _joined(value) if isinstance(value, list) else value for key, value in table.items()}
    words["parts"] = _verb_patterns(table.get("verbs", {}))
    words["parts"] |= {part: _joined(pattern) for part, pattern in table.get("parts", {}).items()}
    if (form := table.get("form")) is None:
        return words | {when: _patterns(table[when]) for when in ("done", "alone", "state", "will", "wont")}
    shared = read_words(__file__, f"claim_words/{form}.toml")
    words["parts"] |= shared["parts"]
    own = {"done": table["did"], "alone": {}, "state": {}, "will": table["will"], "wont": {"saved": table["wont"]}}
    for when, kinds in own.items():
        theirs = {kind: [rf"(?<!\w)(?:{_joined(one)})(?!\w)"] for kind, one in kinds.items()}
        common = _patterns(shared.get(when, {}))
        words[when] = {kind: [*theirs.get(kind, ()), *common.get(kind, ())] for kind in {**common, **theirs}}
    return words


def _patterns(kinds: Mapping[str, Sequence[str | list[str]]]) -> _Patterns:
    return {kind: list(map(_joined, several)) for kind, several in kinds.items()}


def _joined(pattern: str | list[str]) -> str:
    return pattern if isinstance(pattern, str) else "".join(pattern)


_DOUBLED = re.compile(r"(?:for|com|un|re)?[^aeiou]*[aeiou][bdglmnpt]")
"""An English verb that doubles its last letter: "dropped", "forgetting"."""


def _verb_patterns(families: Mapping[str, list[str]]) -> dict[str, str]:
    """Patterns of English verb families in the forms that follow "I'll", "I've" and "I'm"."""
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
