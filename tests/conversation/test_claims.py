import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.conversation import claims as of_reply
from app.conversation.claims import LANGUAGES, Claim, claim_words, without_claims
from app.features.calendars.tool import calendar
from app.services.tool import CallMade
from app.text import kind_words
from tests.every_tool import EVERY_TOOL

SETS = sorted((Path(__file__).parents[1] / "data" / "claims").glob("*.tsv"))
SENTENCES = [tuple(line.split("\t")) for path in SETS for line in path.read_text("utf-8").splitlines()]
"""Sentences, each with its language and the kind of its claim, or `none`."""
TRUE_CLAIMS = [line.split("\t") for line in (SETS[0].parents[1] / "claims_true.tsv").read_text("utf-8").splitlines()]
CLAIMS = [(reply, language, kind) for reply, language, kind in SENTENCES if kind != "none"]
NO_CLAIMS = [reply for reply, _, kind in SENTENCES if kind == "none"]
MEASURED = frozenset("ar de en es fr hi it ja nl pl pt ru sv tr zh".split())
ENGLISH_LEAST, OTHERS_LEAST = 0.9, 0.8


def untrue_claims(reply: str, calls: Sequence[CallMade]) -> list[Claim]:
    return of_reply.untrue_claims(reply, calls, EVERY_TOOL)


def kinds(reply: str, *calls: CallMade) -> list[str]:
    return [claim.kind for claim in untrue_claims(reply, calls)]


def made(name: str, result: object, /, *, is_error: bool = False, **given: object) -> CallMade:
    return CallMade(name, given, result if isinstance(result, str) else json.dumps(result), is_error)


TEA, DOG = {"id": 1, "fact": "Likes tea"}, {"id": 2, "fact": "Has a dog"}
STORED = made("extract_memory", {"stored": [TEA], "duplicates": [], "conflicts": []})
IN_PART = made("extract_memory", {"stored": [TEA], "duplicates": [DOG]})
KNOWN = made("extract_memory", {"stored": [], "duplicates": [TEA], "conflicts": []})
REMOVED = made("remove_memory", {"removed": [TEA], "unknown": []})
NOT_THERE = made("remove_memory", {"removed": [], "unknown": [1]})
UPDATED = made("update_memory", {"memory_updated": True, "fact": {"id": 1}})
PROFILE = made("update_profile", {"memory_updated": True, "name": "Alex"})
NO_NAME = made("update_profile", {"memory_updated": True, "name": None}, name="")
NO_ZONE_NAME = made("update_profile", NO_NAME.result, timezone="Asia/Tokyo")
NAME_FACT = made("remove_memory", {"removed": [{"id": 1, "fact": "Goes by Lex"}], "unknown": []})
NOT_KNOWN = made("update_profile", "No name is known.", is_error=True)
RULE = {"id": 1, "procedure": "Bullets only", "state": "active"}
RULE_SET = made("set_rule", {"memory_updated": True, "rule": RULE, "conflicts": []})
RULE_KNOWN = made("set_rule", {"memory_updated": True, "rule": RULE, "conflicts": [], "note": "known already"})
RULE_PROPOSED = made("set_rule", {"memory_updated": True, "rule": RULE | {"state": "proposed"}, "conflicts": []})
RULE_REVISED = made("change_rule", {"memory_updated": True, "rule": RULE})
RULE_REMOVED = made("change_rule", {"memory_updated": True, "removed": [RULE], "unknown": []})
NO_RULE_REMOVED = made("change_rule", {"memory_updated": False, "removed": [], "unknown": [1]})
RULES_LISTED = made("change_rule", {"rules": [RULE]})
LISTED = made("list_memories", {"facts": []})
ROUTINES_LISTED = made("change_routine", {"paused": False, "routines": []}, action="list")
PAUSED = made("change_routine", {"paused": True, "routines": [], "will_not_come": []}, action="pause")
LOOKED = made(calendar.name, {"timezone": "UTC", "events": []})
PROFILE_KNOWN = made("update_profile", {"name": "Al", "known_already": ["name"]}, name="Al")
THEIRS = made("home_add_to_list", {"data": "Added."})
THEIRS_REFUSED = made("home_add_to_list", "The server 'home' refused it.", is_error=True)
FAILED = made("extract_memory", "This did not work and nothing was changed.", is_error=True)

CALLS = {
    "extract_memory": STORED,
    "known": KNOWN,
    "update_memory": UPDATED,
    "remove_memory": REMOVED,
    "update_profile": PROFILE,
    "set_rule": RULE_SET,
    "rule_removed": RULE_REMOVED,
    "set_routine": made("set_routine", {"routine": {"id": 1, "state": "active"}}),
    "change_routine": made("change_routine", {"routine": {"id": 1, "state": "active"}}, action="change"),
    "cancelled": made("change_routine", {"cancelled": [{"id": 1}]}, action="cancel"),
    "paused": PAUSED,
    "calendar": made(calendar.name, {"calendars": ["work"]}),
}
"""Calls that prove the true claims."""

FITTING = {
    "saved": STORED, "forgotten": REMOVED, "scheduled": CALLS["set_routine"], "cancelled": CALLS["cancelled"],
    "connected": CALLS["calendar"], "done": STORED,
}  # fmt: skip
"""By kind of claim, a call that proves it."""


def test_no_language_is_left_out() -> None:
    assert {language for _, language, _ in CLAIMS} == MEASURED
    assert len(LANGUAGES) == len(MEASURED)


@pytest.mark.parametrize("language", sorted(MEASURED))
def test_claims_are_found_in_every_language_with_their_kind(language: str) -> None:
    claims = [(reply, kind, kinds(reply)) for reply, of, kind in CLAIMS if of == language]
    missed = [reply for reply, _, found in claims if not found]
    wrong = [reply for reply, kind, found in claims if found and kind not in found]

    least = ENGLISH_LEAST if language == "en" else OTHERS_LEAST
    assert len(missed) <= (1 - least) * len(claims), missed
    assert len(wrong) <= 0.1 * len(claims), wrong


def test_nothing_is_found_where_nothing_is_claimed() -> None:
    assert [reply for reply in NO_CLAIMS if untrue_claims(reply, [])] == []


def test_a_claim_is_true_once_the_fitting_tool_has_done_it() -> None:
    struck = [(reply, claims) for reply, _, kind in CLAIMS if (claims := untrue_claims(reply, [FITTING[kind]]))]

    assert struck == []


@pytest.mark.parametrize(("reply", "call"), TRUE_CLAIMS)
def test_a_true_claim_is_not_struck(reply: str, call: str) -> None:
    assert kinds(reply, CALLS[call]) == []


DONE = [
    ("Saved!", STORED), ("Saved!", IN_PART), ("Anotado.", STORED), ("I already have that noted.", KNOWN),
    ("I know that already.", KNOWN), ("It's already saved.", LISTED),
    ("I've saved that.", THEIRS), ("All done", STORED), ("Fatto!", STORED), ("C'est fait.", STORED),
    ("Your gym reminder is set for 7.", ROUTINES_LISTED), ("Dein Kalender ist verbunden.", LOOKED),
    ("I've paused your reminders.", PAUSED), ("I've updated your address.", UPDATED),
    ("I'll remember that, Alex.", PROFILE), ("Forgotten.", REMOVED),
    ("I've updated my notes: that's gone from my memory.", REMOVED), ("I've removed the old address.", UPDATED),
    ("I've forgotten your name.", NO_NAME), ("Done: your name is deleted.", NO_NAME),
    ("Forgotten. I don't know your name any more.", NO_NAME), ("I've forgotten your name.", NAME_FACT),
    ("I've removed your old name.", PROFILE), ("I've forgotten your dog's name.", REMOVED),
    ("Saved! From now on I'll use bullets.", RULE_SET), ("I've updated that rule.", RULE_REVISED),
    ("I've removed that.", RULE_REVISED), ("Forgotten.", RULE_REMOVED), ("From now on I won't do that.", RULE_REMOVED),
]  # fmt: skip


@pytest.mark.parametrize(("reply", "call"), DONE)
def test_what_a_tool_did_in_this_turn_may_be_said(reply: str, call: CallMade) -> None:
    assert kinds(reply, call) == []


NOT_DONE = [
    ("Done!", LISTED), ("Erledigt.", LISTED), ("Listo.", LISTED), ("I've saved that.", THEIRS_REFUSED),
    ("Saved!", FAILED), ("Saved!", KNOWN), ("Noté !", KNOWN), ("Saved!", PROFILE_KNOWN), ("Saved!", RULE_KNOWN),
    ("Reminder cancelled.", ROUTINES_LISTED), ("I've set your gym reminder for 7.", ROUTINES_LISTED),
    ("Your calendar is disconnected.", STORED), ("All set!", LISTED), ("Saved!", LISTED), ("Saved!", NOT_THERE),
    ("Forgotten.", NOT_THERE), ("Forgotten.", STORED), ("Forgotten.", LISTED), ("I've forgotten your name.", PROFILE),
    ("I’ve forgotten your name.", REMOVED), ("Your name has been deleted.", UPDATED),
    ("I've forgotten your name.", NO_ZONE_NAME), ("I've forgotten your first name.", NOT_KNOWN),
    ("Saved!", RULE_PROPOSED), ("From now on I'll use bullets.", RULE_PROPOSED), ("Saved!", RULES_LISTED),
    ("Forgotten.", NO_RULE_REMOVED), ("Forgotten.", RULE_SET), ("I've forgotten your name.", RULE_REMOVED),
    ("I'll remind you at 8.", STORED), ("I'll remind you at 8.", UPDATED),
    ("Quiet hours are off now.", NOT_THERE), ("I've turned memory off.", LISTED),
]  # fmt: skip


@pytest.mark.parametrize(("reply", "call"), NOT_DONE)
def test_what_no_tool_did_may_not_be_said(reply: str, call: CallMade) -> None:
    assert len(kinds(reply, call)) == 1


def test_what_was_not_done_is_taken_out_and_said_plainly() -> None:
    reply = "Max sounds lovely.\nI’ve saved that.  I'll remind you at 8.30, okay\n- one\n- two"

    assert without_claims(reply, untrue_claims(reply, [])) == (
        "Max sounds lovely.\n- one\n- two "
        "(To be clear: I did not save anything just now.) "
        "(To be clear: I did not schedule anything just now.)"
    )


@given(st.text())
def test_any_reply_can_be_judged_and_every_claim_is_a_part_of_it(reply: str) -> None:
    claims = untrue_claims(reply, [])

    assert all(claim.sentence in reply for claim in claims)
    assert without_claims(reply, claims) is not None


def test_a_tool_that_only_reads_bears_out_no_deed() -> None:
    lists: dict[str, object] = {key: [] for key in ("removed", "rules", "calendars", "stored", "duplicates")}
    answer = lists | {"routine": {"state": "active"}}
    proven = {name for name, tool in EVERY_TOOL.items() if not tool.writes and tool.proof(made(name, answer)).deeds}

    assert proven == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_true_instead_is_said_in_the_language_of_the_claim(language: str) -> None:
    assert set(claim_words(language)["not_done"]) == set(kind_words.NOT_DONE)
    truths = (*claim_words(language)["not_done"].values(), *kind_words.NOT_DONE.values())
    assert [truth for truth in truths if kinds(truth)] == []


def test_a_long_reply_is_judged_quickly() -> None:
    assert kinds("your " * 3000 + "I've " * 3000 + "it's all " * 2000) == []
