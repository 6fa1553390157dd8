"""Which claims the tool calls of a turn bear out: each answer says what was done, and what waits is not done. Pure.

Every tool of the registry stands in the table: one that is missing bears out nothing.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from app.conversation.reply import CallMade
from app.tools.registry import TOOLS

ANY = frozenset({"saved", "forgotten", "scheduled", "cancelled", "connected"})
_OF_A_NAME = re.compile(r"\b(?:(?:nick)?name|called|goes by)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Proof:
    """Kinds of claims that are true."""

    deeds: frozenset[str] = frozenset()
    """Done in this turn."""
    states: frozenset[str] = frozenset()
    """So already, as was looked up."""
    name_forgotten: bool = False

    def bears_out(self, kind: str, *, is_state: bool, of_name: bool) -> bool:
        if of_name:
            return self.name_forgotten
        if kind == "done":
            return bool(self.deeds)
        return kind in self.deeds or (is_state and kind in self.states)


def proof(calls: Sequence[CallMade]) -> Proof:
    """All that the calls bear out together."""
    each = [PROOFS[call.name](call) if call.name in PROOFS else _others(call) for call in calls if call.answered]
    return Proof(
        frozenset[str]().union(*(one.deeds for one in each)),
        frozenset[str]().union(*(one.states for one in each)),
        any(one.name_forgotten for one in each),
    )


def _others(call: CallMade) -> Proof:
    """A tool of somebody else's server keeps lists, calendars and houses of its own."""
    return NOTHING if call.name in TOOLS else Proof(ANY)


NOTHING = Proof()
_KEPT = Proof(frozenset({"saved"}))
_KNOWN = Proof(states=frozenset({"saved"}))
_REPLACED = Proof(frozenset({"saved", "forgotten"}))
_COMES = Proof(frozenset({"saved", "scheduled"}))
_CHANGED_COMING = Proof(frozenset({"saved", "scheduled", "cancelled"}))
_ENDED = Proof(frozenset({"saved", "forgotten", "cancelled"}))
_LISTED = Proof(states=frozenset({"saved", "scheduled", "cancelled"}))
_LOOKED = Proof(states=frozenset({"scheduled", "cancelled", "connected"}))
_PLUGGED = Proof(frozenset({"saved", "forgotten", "connected"}))


def _extracted(call: CallMade) -> Proof:
    known = call.answered["duplicates"]
    is_kept = call.answered["stored"] or any(one.get("was_archived") for one in known)
    return _KEPT if is_kept else _KNOWN if known else NOTHING


def _removed(call: CallMade) -> Proof:
    removed = call.answered["removed"]
    if not removed and not call.answered.get("about"):
        return NOTHING
    of_name = _OF_A_NAME.search(" ".join(one.get("fact", "") for one in removed)) is not None
    return Proof(_ENDED.deeds, name_forgotten=of_name)


def _profile(call: CallMade) -> Proof:
    given = {field for field in ("name", "timezone", "quiet_hours") if call.input.get(field) is not None}
    if given and given <= set(call.answered.get("known_already", ())):
        return _KNOWN
    forgot = "name" in given and call.answered["name"] is None
    return Proof(_REPLACED.deeds, name_forgotten=forgot)


def _rule(call: CallMade) -> Proof:
    if "removed" in call.answered:
        return _removed(call)
    if "rules" in call.answered:
        return _KNOWN
    return _ENDED if call.answered["rule"]["state"] != "proposed" else NOTHING


def _new_rule(call: CallMade) -> Proof:
    if call.answered["rule"]["state"] != "active":
        return NOTHING
    return _KNOWN if "note" in call.answered else _KEPT  # Of a new rule that holds there is nothing to note.


def _routine(call: CallMade) -> Proof:
    if call.input.get("action") == "list":
        return _LISTED
    if "cancelled" in call.answered:
        return _ENDED if call.answered["cancelled"] else NOTHING
    return _CHANGED_COMING if call.answered.get("routine", {}).get("state") != "proposed" else NOTHING


def _new_routine(call: CallMade) -> Proof:
    if call.answered["routine"]["state"] != "active":
        return NOTHING
    return _CHANGED_COMING if call.input.get("replaces") else _COMES


def _calendar(call: CallMade) -> Proof:
    return _PLUGGED if "calendars" in call.answered else _LOOKED


def _always(found: Proof) -> Callable[[CallMade], Proof]:
    return lambda _: found


READS = _always(NOTHING)


PROOFS: Mapping[str, Callable[[CallMade], Proof]] = {
    "extract_memory": _extracted,
    "update_memory": _always(_REPLACED),
    "remove_memory": _removed,
    "list_memories": _always(_KNOWN),
    "recall_memory": _always(_KNOWN),
    "update_profile": _profile,
    "set_rule": _new_rule,
    "change_rule": _rule,
    "set_routine": _new_routine,
    "change_routine": _routine,
    "get_weather": READS,
    "calendar": _calendar,
}
"""For each tool: what its answer bears out."""
