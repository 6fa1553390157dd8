"""Whether a reply claims what was not done: "saved", "forgotten" and "scheduled" are said only of what was. Pure.

A claim is found by its grammar: "I've saved", "it's noted", "Saved!", "I'll remember". The same words in another sense
("stored in the fridge", "you saved my day"), of another time ("what I've saved so far"), denied, asked or offered are
none. When in doubt it is a claim: then the model is asked once to say it otherwise, and a promise is never broken.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from app.assistant import kind_words
from app.assistant.reply import CallMade
from app.tools.registry import TOOLS

# What may follow "saved" where it speaks of our memory: an end, a pronoun, or the memory itself.
_MEMORY = r"(?:long[- ]term )?(?:memor(?:y|ies)|notes?|profile|lists?|records?|file)"
_HERE = rf"(?:to|in|into|from|on|of) (?:my|your) {_MEMORY}\b"
_END = rf"(?=\s*(?:$|[^\w\s']|(?:now|too|as well|for (?:you|later|next time|the future|good|ever)|{_HERE})\b))"
_THING = r"(?:that|this|it|them|those|these|everything|both|your|his|her|their|you as)\b"
_NOTHING = (
    r"(?! (?:nothing|none|no\b|neither|above|below|us\b|time\b|money\b|the (?:day|best)\b|"
    r"you (?:an?|the|some|time|from)\b))"
)
_LONG_AGO = (
    r"(?! (?:(?:that|it|this|them|those|your \w+) )?(?:yesterday|earlier|previously|back (?:in|on|then)|"
    r"last (?:week|month|night|time|year)|(?:\w+ ){1,2}(?:day|week|month|year)s? ago|when you (?:told|first|said)))"
)

_I_HAVE = r"\bi(?:'ve| have)?(?: (?:now|just|also|already|all|gone ahead and|went ahead and|successfully))*"
_IT_IS = (
    r"\b(?:it|that|this|everything|all of (?:it|that|them)|they|those|these|both|your(?: [\w']+){1,3}?)"
    r"(?:'s|'re| is| are| has| have)(?: been)?(?: (?:now|all|also|already|safely))*"
)
_I_WILL = (
    r"\b(?:i'll|i will|i'm going to|i am going to)(?: (?:also|always|definitely|then|now|be sure to|make sure to))*"
)
_STARTS = r"(?:^|[,;:(–—-]\s*|\b(?:all|consider it|duly|and|okay|ok)\s+)"

_KEPT = r"(?:saved|noted|stored|recorded|remembered|logged|added|updated|corrected|changed)"
_GONE = r"(?:forgotten|forgot|removed|deleted|erased|wiped|cleared)"

_CALLED_OFF = r"(?:cancell?ed|paused|snoozed|skipped|turned off|called off)"
_ROUTINE = r"(?:reminders?|routines?|alarms?|texts?|messages?|briefings?|check-ins?|timers?)\b"

_DONE = {
    "saved": (
        rf"{_I_HAVE} (?:saved|noted|stored|recorded|logged|made a note|taken note)\b{_NOTHING}{_LONG_AGO}",
        rf"{_I_HAVE} (?:remembered(?: (?:that|it|this))?|put (?:that|it|this) down){_END}",
        rf"{_I_HAVE} (?:added|updated|corrected|changed)\b{_LONG_AGO}(?:{_END}| {_THING}| a note| to (?:my|your)| as )",
        rf"{_I_HAVE} (?:added|updated|corrected|changed)\b{_LONG_AGO} the (?:fact|note|entry|detail|info|record)",
        rf"{_IT_IS} {_KEPT}{_END}",
        rf"{_STARTS}{_KEPT}(?:{_END}| {_THING})",
        rf"\b(?:{_KEPT}|kept) (?:(?:it|that|this|them) )?{_HERE}",
        rf"{_I_HAVE} (?:set|kept|made|{_KEPT})(?: (?:that|this|it|the|a|your|as))*(?: \w+)? rule\b{_LONG_AGO}",
        rf"\brule(?:'s| is| has been)?(?: now)? (?:set|{_KEPT}|kept|active|in place){_END}",
    ),
    "forgotten": (
        rf"{_I_HAVE} {_GONE}\b{_NOTHING}{_LONG_AGO}(?! (?:to|how|what|who|where|why|when|which)\b)",
        rf"{_IT_IS} (?:{_GONE}|gone {_HERE}){_END}",
        rf"{_STARTS}{_GONE}(?:{_END}| {_THING})",
        rf"\b{_GONE} {_HERE}",
    ),
    "cancelled": (
        rf"{_I_HAVE} {_CALLED_OFF} (?:{_THING}|all\b|(?:your|the|that|this)(?: [\w':]+){{0,3}} {_ROUTINE})",
        rf"{_IT_IS} {_CALLED_OFF}{_END}",
        rf"{_STARTS}cancell?ed(?:{_END}| {_THING})",
    ),
    "scheduled": (
        rf"{_I_HAVE} scheduled\b{_NOTHING}{_LONG_AGO}",
        rf"{_I_HAVE} (?:set|set up|created|added)(?: [\w:-]+){{0,4}} (?:reminder|alarm|routine|timer)",
        r"\b(?:it|that|this)(?:'s| is| has been)(?: (?:now|all|been))* (?:scheduled|set for)\b",
        r"\byour (?:reminder|alarm|text|message|routine|check-in) (?:is|has been)(?: now)? (?:scheduled|set)\b",
        rf"{_STARTS}scheduled(?:{_END}| (?:for|at|it|that|your)\b)",
        r"\breminders?(?: is| are| has been|'s)? (?:set|scheduled|created|added)\b",
    ),
}

_PROMISED = {
    "saved": (
        rf"{_I_WILL} (?:remember|make a note|(?:note|save|store|update|record|add) {_THING})",
        rf"{_I_WILL} (?:keep|bear) (?:that|it|this) in mind",
        r"\bi won't forget\b(?! to\b)",
        rf"\b(?:from now on|going forward)[, ]+(?:{_I_WILL}|i won't)\b",
        rf"(?:{_I_WILL}|\bi won't)\b.{{1,80}}\b(?:from now on|going forward)\b",
    ),
    "forgotten": (rf"{_I_WILL} (?:forget|delete|remove|erase) (?:{_THING}|about|the (?:fact|note|entry))",),
    "cancelled": (
        rf"{_I_WILL} (?:cancel|pause|snooze|skip|turn off) (?:{_THING}|(?:your|the)(?: \w+){{0,3}} {_ROUTINE})",
    ),
    "scheduled": (
        rf"{_I_WILL} (?:remind|text|message|ping|nudge|wake|get back to|check (?:back )?in (?:with|on)) you\b",
        rf"{_I_WILL} (?:check back|follow up)\b",
        rf"{_I_WILL} let you know (?:when|once|as soon as|tomorrow|tonight|at \d|on \w+day)",
        rf"{_I_WILL} send you(?: (?:a|an|the|your|another))?(?: \w+)? (?:reminder|text|message|nudge|ping)\b",
        rf"{_I_WILL} send (?:you|it|that|this)\b.*\b(?:tomorrow|tonight|later|every|at \d|in \d+|on \w+day)",
    ),
}


def _compiled(patterns: dict[str, tuple[str, ...]]) -> dict[str, tuple[re.Pattern[str], ...]]:
    return {kind: tuple(re.compile(one, re.IGNORECASE) for one in several) for kind, several in patterns.items()}


_DONE_PATTERNS, _PROMISED_PATTERNS = _compiled(_DONE), _compiled(_PROMISED)

_SENTENCE = re.compile(r"[^\n]+?(?:[.!?…]+[\"')\]”]*(?=\s|$)|$)", re.MULTILINE)
_QUOTED = re.compile(r"[\"“][^\"“”\n]*[\"”]")
_CLAUSE = re.compile(r"[,;:()–—]|\bbut\b|\band\b", re.IGNORECASE)
_DENIED = re.compile(
    r"\b(?:not|never|no|none|nothing|cannot|without|unable|failed|nor|neither|hardly|instead of)\b|n't\b", re.IGNORECASE
)
_OFFERED = re.compile(
    r"\b(?:if|whenever|unless|once|tell me|let me know|text me|send me|give me|just say|want me to|should i|shall i)\b",
    re.IGNORECASE,
)
# "what I've saved", "once it's saved", "as I noted": told again, or not yet.
_RETOLD = re.compile(
    r"\b(?:what|whatever|everything|anything|all|things?|facts?|memories|details|ones?|as|like|if|once|when|whenever|until|"
    r"after|before|unless|whether|because)(?: that)?\s*$",
    re.IGNORECASE,
)
# Work on words that the person asked for, not on memory.
_WRITING = re.compile(
    r"\b(?:drafts?|paragraphs?|sentences?|wording|commas?|typos?|spelling|grammar|versions?|essay|poem|letter|e-?mail|intro|"
    r"verses?|stanza|punctuation|tone|rewrite|caption|recipe|ingredients?|formula|code)\b",
    re.IGNORECASE,
)
_OWN_NAME = re.compile(r"\byour (?:(?:own|first|last|full) )?name\b", re.IGNORECASE)
_OF_A_NAME = re.compile(r"\b(?:(?:nick)?name|called|goes by)\b", re.IGNORECASE)
_ON_WORDS = re.compile(r"\b(?:added|updated|corrected|changed|removed|deleted|erased|cleared|put)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Claim:
    """Words of a reply that say something was done."""

    kind: str
    """`saved`, `forgotten`, `scheduled` or `cancelled`."""
    sentence: str


def untrue_claims(reply: str, calls: Sequence[CallMade]) -> list[Claim]:
    """The claims of the reply that no tool result of this turn bears out."""
    done = {kind for call in calls if call.answered for kind in _done_by(call)}
    return [claim for claim in _claims(reply) if _needed(claim) not in done]


def without(reply: str, claims: Sequence[Claim]) -> str:
    """The reply without the sentences that claim, and with what is true instead."""
    for claim in claims:
        reply = reply.replace(claim.sentence, "")
    lines = [" ".join(line.split()) for line in reply.splitlines()]
    kinds = dict.fromkeys(claim.kind for claim in claims)
    truth = " ".join(kind_words.NOT_DONE[kind] for kind in kinds)
    kept = "\n".join(line for line in lines if line)
    return f"{kept} {truth}".strip()


def _claims(reply: str) -> list[Claim]:
    straight = reply.replace("\u2019", "'")
    unquoted = _QUOTED.sub(lambda quote: '"' + " " * (len(quote[0]) - 2) + '"', straight)
    return [
        Claim(kind, reply[found.start() : found.end()].strip())
        for found in _SENTENCE.finditer(unquoted)
        for kind in _claimed(found[0].strip())
    ]


def _claimed(sentence: str) -> Iterator[str]:
    if sentence.rstrip("\"')]”").endswith("?"):
        return
    for kind in kind_words.NOT_DONE:
        done = any(_is_done(sentence, found) for one in _DONE_PATTERNS[kind] for found in one.finditer(sentence))
        if done or any(
            _is_promised(sentence, found) for one in _PROMISED_PATTERNS[kind] for found in one.finditer(sentence)
        ):
            yield kind


def _is_done(sentence: str, found: re.Match[str]) -> bool:
    before = sentence[: found.start()]
    on_words = _ON_WORDS.search(found[0]) and _WRITING.search(sentence)
    return not (_is_denied(before) or _RETOLD.search(before) or on_words)


def _is_promised(sentence: str, found: re.Match[str]) -> bool:
    before = sentence[: found.start()]
    return not (_is_denied(before) or _OFFERED.search(before))


def _is_denied(before: str) -> bool:
    return _DENIED.search(_CLAUSE.split(before)[-1]) is not None


def _needed(claim: Claim) -> str:
    """What has to be done for the claim to be true; that a name is forgotten is told apart from all else."""
    return "name_forgotten" if claim.kind == "forgotten" and _OWN_NAME.search(claim.sentence) else claim.kind


def _always(result: dict[str, Any]) -> bool:  # noqa: ARG001  (all questions have one signature)
    return True


_SAVES = frozenset({"saved"})
_SAVES_AND_FORGETS = frozenset({"saved", "forgotten"})
_DOES: dict[str, tuple[Callable[[dict[str, Any]], object], frozenset[str]]] = {
    "extract_memory": (lambda result: result["stored"] or result["duplicates"], _SAVES),
    "update_memory": (_always, _SAVES_AND_FORGETS),
    "remove_memory": (lambda result: result["removed"] or result.get("about"), _SAVES_AND_FORGETS),
    "update_profile": (_always, _SAVES_AND_FORGETS),
    "set_rule": (lambda result: result["rule"]["state"] == "active", _SAVES),
    "change_rule": (lambda result: result.get("removed", result.get("rule")), _SAVES_AND_FORGETS),
    "set_routine": (lambda result: result["routine"]["state"] == "active", frozenset({"scheduled", "saved"})),
    "change_routine": (
        lambda result: result.get("cancelled", "spoke_last" not in str(result)),
        frozenset({"scheduled", "saved", "cancelled", "forgotten"}),
    ),
    "calendar": (lambda result: "calendars" in result, _SAVES_AND_FORGETS),
}
"""What a call of each tool bears out, where its answer says so: what waits for a yes is neither kept nor scheduled."""


_OTHERS_MAY = frozenset({"saved", "forgotten", "scheduled", "cancelled"})
"""What a tool of somebody else's server may have done: it keeps lists, calendars and houses of its own."""


def _done_by(call: CallMade) -> set[str]:
    result = call.answered
    usual = (_always, frozenset() if call.name in TOOLS else _OTHERS_MAY)
    bears_out, kinds = _DOES.get(call.name, usual)
    done = set(kinds) if bears_out(result) else set()
    if done and _forgets_name(call, result):
        done.add("name_forgotten")
    return done


def _forgets_name(call: CallMade, result: dict[str, Any]) -> bool:
    match call.name:
        case "update_profile":
            return result["name"] is None and "name" in call.input
        case "remove_memory":
            return _OF_A_NAME.search(" ".join(one["fact"] for one in result["removed"])) is not None
    return False
