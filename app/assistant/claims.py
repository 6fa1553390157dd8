"""Whether a reply claims what was not done: "saved", "forgotten" and "scheduled" are said only of what was. Pure."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from app.assistant import kind_words
from app.assistant.reply import CallMade

_I_HAVE = (
    r"\b(?:i(?:'ve| have|'m| am)?(?: now| just| also| already)?|it'?s(?: been)?|that'?s(?: been)?|all|consider it)"
)

_CLAIMS = {
    "saved": re.compile(
        rf"{_I_HAVE} (?:saved|noted|stored|recorded|remembered|logged|added|made a note|updated|corrected|changed)\b"
        r"|\b(?:i'll|i will) (?:remember|keep (?:that|it|this) in mind|make a note|note (?:that|it|this)|save|update)\b"
        r"|^(?:saved|noted|stored|updated|remembered|got it,? saved)\b"
        r"|\b(?:added|saved|updated) (?:it |that |this )?(?:to|in) (?:my |your )?memor(?:y|ies)\b",
        re.IGNORECASE,
    ),
    "forgotten": re.compile(
        rf"{_I_HAVE} (?:forgotten|removed|deleted|erased|forgot)\b|^(?:forgotten|removed|deleted|erased)\b"
        r"|\b(?:i'll|i will) forget (?:that|it|this|about)\b",
        re.IGNORECASE,
    ),
    "scheduled": re.compile(
        rf"{_I_HAVE} (?:scheduled|set (?:up )?(?:a|the|your) (?:reminder|alarm|routine))\b"
        r"|^(?:scheduled|reminder set)\b"
        r"|\b(?:i'll|i will) (?:remind you|text you|send you|message you|check in)\b|\breminder(?: is|'s)? set\b",
        re.IGNORECASE,
    ),
}

_DENIED = re.compile(r"\b(?:not|never|n't|cannot|unable|failed|couldn't|wasn't)\b|n't\b", re.IGNORECASE)


@dataclass(frozen=True)
class Claim:
    """Words of a reply that say something was done."""

    kind: str
    """`saved`, `forgotten` or `scheduled`."""
    sentence: str


def untrue_claims(reply: str, calls: Sequence[CallMade]) -> list[Claim]:
    """The claims of the reply that no tool result of this turn bears out."""
    done = {kind for call in calls if not call.is_error for kind in _done_by(call)}
    return [claim for claim in _claims(reply) if claim.kind not in done]


def without(reply: str, claims: Sequence[Claim]) -> str:
    """The reply without the sentences that claim, and with what is true instead."""
    for claim in claims:
        reply = reply.replace(claim.sentence, "")
    kinds = dict.fromkeys(claim.kind for claim in claims)
    return " ".join([*reply.split(), *(kind_words.NOT_DONE[kind] for kind in kinds)])


def _claims(reply: str) -> list[Claim]:
    straight = reply.replace("\u2019", "'")
    found = []
    for sentence in re.findall(r"[^.!?\n]+[.!?]*", straight):
        words = sentence.strip()
        if words.endswith("?") or _DENIED.search(words):
            continue
        place = straight.find(sentence)
        found += [
            Claim(kind, reply[place : place + len(sentence)].strip())
            for kind, pattern in _CLAIMS.items()
            if pattern.search(words)
        ]
    return found


def _done_by(call: CallMade) -> set[str]:
    result = json.loads(call.result)
    if call.name == "remove_memory":
        return {"forgotten", "saved"} if result["removed"] else set()
    if call.name == "extract_memory":
        return {"saved"} if result["stored"] or result["duplicates"] else set()
    if call.name in {"update_memory", "update_profile"}:
        return {"saved", "forgotten"}
    return set()
