import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.assistant import kind_words
from app.assistant.claims import Claim, untrue_claims, without
from app.assistant.reply import CallMade

SAVED = [
    "Saved!",
    "Saved 😊",
    "Noted.",
    "Noted, Alex.",
    "Duly noted!",
    "Okay, noted!",
    "Got it, saved.",
    "Got it — saved that for you.",
    "Remembered!",
    "Updated it for you.",
    "All saved.",
    "Consider it noted.",
    "I saved that.",
    "I've saved that for you.",
    "I’ve saved that for you.",
    "I have now noted that Max is a poodle.",
    "I've just added that to my notes.",
    "I've gone ahead and saved it.",
    "I've made a note of your birthday.",
    "I made a note.",
    "I've remembered that.",
    "I've updated your address.",
    "I've corrected that: you live in Seattle.",
    "I've changed it to Friday.",
    "I've recorded your allergy.",
    "I've saved that you do not eat meat.",
    "I've noted you can't eat gluten!",
    "You don't like tea, I've noted that.",
    "It's saved.",
    "That's noted!",
    "That's been saved for later.",
    "Your birthday is saved now.",
    "Your dog's name has been updated.",
    "Lovely name! Added to my memory.",
    "Max sounds sweet. I'll remember that!",
    "I'll always remember that.",
    "I will keep that in mind.",
    "I'll make a note of it.",
    "I'm going to save that.",
    "I won't forget!",
    "Let me know if that's wrong, but I've saved it.",
    "- Saved: likes tea",
    'I saved "Likes tea." Enjoy your cup!',
    "From now on I'll answer in Spanish.",
    "Sure, going forward I will keep it short!",
    "From now on, I won't use emojis.",
    "I'll stick to bullets from now on.",
    "I've set that as a rule.",
    "I've added a new rule.",
    "Rule set!",
    "Your rule is saved.",
    "That rule is in place now.",
]
FORGOTTEN = [
    "Forgotten.",
    "Forgotten!",
    "Deleted.",
    "Okay, removed it.",
    "I've forgotten that.",
    "I have forgotten your dog.",
    "I forgot about your dog, as you asked.",
    "I've removed Max.",
    "I've deleted everything about your ex.",
    "It's gone from my memory.",
    "That's been deleted.",
    "Your address has been erased.",
    "Removed from my memory.",
    "I'll forget that.",
    "I will forget about the job.",
    "I've erased the fact about your dog.",
    "I'll delete it.",
]
SCHEDULED = [
    "Scheduled!",
    "Scheduled for 9 tomorrow.",
    "I've scheduled it.",
    "I've set a reminder for 9.",
    "I set up your daily routine.",
    "I set a daily water reminder for you!",
    "I've added a calendar reminder for Friday.",
    "It's scheduled for Friday at 9.",
    "Your reminder is set.",
    "Reminder set for 8 AM.",
    "I'll remind you at 8.",
    "I'll text you tomorrow morning.",
    "I'll check in with you tonight.",
    "I'll get back to you tomorrow.",
    "I'll send you a quick reminder.",
    "I'll send it tomorrow at 7.",
    "I'll let you know when it starts.",
    "Sleep well, I'll wake you at 6.",
]
NONE = [
    # Denied.
    "I haven't saved that.",
    "I have not saved anything.",
    "I couldn't save that.",
    "I was not able to get it saved.",
    "I don't think I've noted that.",
    "I'm not sure I saved it.",
    "I've saved nothing about you.",
    "Nothing was added to my memory.",
    "It's not saved.",
    "No reminder is set.",
    "I can't remind you, sorry.",
    "I cannot send reminders yet.",
    "I'll never forget that day.",
    # Asked and offered.
    "Have I saved that?",
    "Shall I remember that?",
    "Want me to save it?",
    "Should it be added to my memory?",
    "If you tell me, I'll remember it.",
    "Tell me your birthday and I'll remember it.",
    "Just say when and I'll note it.",
    "Once I've saved it, you can ask me any time.",
    "I can save that if you like.",
    # Told again.
    "I remember that you like tea.",
    "I remember you like tea!",
    "I know that you live in Seattle.",
    "Here's what I've saved so far:",
    "Here is everything I've noted about you:",
    "That's all I've saved.",
    "As I noted, rain is likely.",
    "I saved that last week.",
    "I noted it when you told me about Max.",
    "I've deleted it two days ago.",
    # Other senses.
    "You saved my day!",
    "That's noted in the recipe.",
    "It's stored in the fridge.",
    "Stored properly, it keeps a week.",
    "Saved by the Bell is a sitcom.",
    "Updated guidance says two cups a day.",
    "I have updated information on that: the museum closes at 5.",
    "I've changed my mind about the salad.",
    "I've added a pinch of salt to the mix.",
    "I've corrected the spelling in your draft.",
    "I've removed the second paragraph.",
    "I've updated your letter: Dear Ana, see you soon.",
    "I forgot to mention the weather.",
    "I've forgotten how that song goes.",
    "It's recorded at Abbey Road.",
    "It's changed a lot since 2019.",
    "It's been removed from the menu.",
    "The file is saved on your phone.",
    "Your photos are stored on the card.",
    "Deleted scenes are on the disc.",
    "He is noted for his wine.",
    "They've scheduled the match for 9.",
    "Your flight is scheduled for 9.",
    "I'll save you the trouble: take the 8 o'clock.",
    "I'll send you the list below.",
    "You can set a reminder on your phone.",
    "Remember to save your work!",
    'You wrote "I\'ve saved the file", and that is fine.',
    "Yes, Max is your dog.",
    "Shall I answer in Spanish from now on?",
    "If you like, I'll answer in Spanish from now on.",
    "As a rule, it rains in April.",
    "That rule is set in stone by FIFA.",
    "Rule 1 is paused, rule 2 holds.",
    "I've broken that rule before.",
    "From now on the shop opens at 9.",
    "Okay.",
    "",
    "🎉",
]


def kinds(reply: str, *calls: CallMade) -> list[str]:
    return [claim.kind for claim in untrue_claims(reply, calls)]


def made(name: str, result: object, *, is_error: bool = False) -> CallMade:
    return CallMade(name, {}, result if isinstance(result, str) else json.dumps(result), is_error)


STORED = made("extract_memory", {"stored": [{"id": 1, "fact": "Likes tea"}], "duplicates": [], "conflicts": []})
KNOWN = made("extract_memory", {"stored": [], "duplicates": [{"id": 1, "fact": "Likes tea"}], "conflicts": []})
REMOVED = made("remove_memory", {"removed": [{"id": 1, "fact": "Likes tea"}], "unknown": []})
NOT_THERE = made("remove_memory", {"removed": [], "unknown": [1]})
UPDATED = made("update_memory", {"memory_updated": True, "fact": {"id": 1}})
PROFILE = made("update_profile", {"memory_updated": True, "name": "Alex"})
NO_NAME = CallMade("update_profile", {"name": ""}, json.dumps({"memory_updated": True, "name": None}), is_error=False)
NO_ZONE_NAME = CallMade("update_profile", {"timezone": "Asia/Tokyo"}, NO_NAME.result, is_error=False)
NAME_FACT = made("remove_memory", {"removed": [{"id": 1, "fact": "Goes by Lex"}], "unknown": []})
NOT_KNOWN = made("update_profile", "No name is known.", is_error=True)
RULE = {"id": 1, "procedure": "Bullets only", "state": "active"}
RULE_SET = made("set_rule", {"memory_updated": True, "rule": RULE, "conflicts": []})
RULE_PROPOSED = made("set_rule", {"memory_updated": True, "rule": RULE | {"state": "proposed"}, "conflicts": []})
RULE_REVISED = made("change_rule", {"memory_updated": True, "rule": RULE})
RULE_REMOVED = made("change_rule", {"memory_updated": True, "removed": [RULE], "unknown": []})
NO_RULE_REMOVED = made("change_rule", {"memory_updated": False, "removed": [], "unknown": [1]})
RULES_LISTED = made("change_rule", {"rules": [RULE]})
LISTED = made("list_memories", {"facts": []})
FAILED = made("extract_memory", "This did not work and nothing was changed.", is_error=True)


@pytest.mark.parametrize("reply", SAVED)
def test_a_claim_to_have_saved_is_found(reply: str) -> None:
    assert kinds(reply) == ["saved"]


@pytest.mark.parametrize("reply", FORGOTTEN)
def test_a_claim_to_have_forgotten_is_found(reply: str) -> None:
    assert kinds(reply) == ["forgotten"]


@pytest.mark.parametrize("reply", SCHEDULED)
def test_a_claim_to_have_scheduled_is_found(reply: str) -> None:
    assert kinds(reply) == ["scheduled"]


@pytest.mark.parametrize("reply", NONE)
def test_what_claims_nothing_is_left_alone(reply: str) -> None:
    assert kinds(reply) == []


@pytest.mark.parametrize(
    ("reply", "call"),
    [
        ("Saved!", STORED),
        ("Saved!", KNOWN),
        ("I've updated your address.", UPDATED),
        ("I'll remember that, Alex.", PROFILE),
        ("Forgotten.", REMOVED),
        ("I've updated my notes: that's gone from my memory.", REMOVED),
        ("I've removed the old address.", UPDATED),
        ("I've forgotten your name.", NO_NAME),
        ("Done: your name is deleted.", NO_NAME),
        ("Forgotten. I don't know your name any more.", NO_NAME),
        ("I've forgotten your name.", NAME_FACT),
        ("I've removed your old name.", PROFILE),
        ("I've forgotten your dog's name.", REMOVED),
        ("Saved! From now on I'll use bullets.", RULE_SET),
        ("I've updated that rule.", RULE_REVISED),
        ("I've removed that.", RULE_REVISED),
        ("Forgotten.", RULE_REMOVED),
        ("From now on I won't do that.", RULE_REMOVED),
    ],
)
def test_what_a_tool_did_in_this_turn_may_be_said(reply: str, call: CallMade) -> None:
    assert kinds(reply, call) == []


@pytest.mark.parametrize(
    ("reply", "call"),
    [
        ("Saved!", FAILED),
        ("Saved!", LISTED),
        ("Saved!", NOT_THERE),
        ("Forgotten.", NOT_THERE),
        ("Forgotten.", STORED),
        ("Forgotten.", LISTED),
        ("I've forgotten your name.", PROFILE),
        ("I’ve forgotten your name.", REMOVED),
        ("Your name has been deleted.", UPDATED),
        ("I've forgotten your name.", NO_ZONE_NAME),
        ("I've forgotten your first name.", NOT_KNOWN),
        ("Saved!", RULE_PROPOSED),
        ("From now on I'll use bullets.", RULE_PROPOSED),
        ("Saved!", RULES_LISTED),
        ("Forgotten.", NO_RULE_REMOVED),
        ("Forgotten.", RULE_SET),
        ("I've forgotten your name.", RULE_REMOVED),
        ("I'll remind you at 8.", STORED),
        ("I'll remind you at 8.", UPDATED),
    ],
)
def test_what_no_tool_did_may_not_be_said(reply: str, call: CallMade) -> None:
    assert len(kinds(reply, call)) == 1


def test_one_good_call_among_failures_is_enough() -> None:
    assert kinds("Saved!", FAILED, STORED, LISTED) == []


def test_a_claim_is_quoted_as_it_stands_in_the_reply() -> None:
    reply = "Nice! I’ve saved that.  I'll remind you at 8.30, okay\nBye."

    assert untrue_claims(reply, []) == [
        Claim("saved", "I’ve saved that."),
        Claim("scheduled", "I'll remind you at 8.30, okay"),
    ]


def test_what_was_not_done_is_taken_out_and_said_plainly() -> None:
    reply = "Max sounds lovely.\nI've saved that. I'll remind you at 8!\n- one\n- two"

    assert without(reply, untrue_claims(reply, [])) == (
        "Max sounds lovely.\n- one\n- two "
        "(To be clear: I did not save anything just now.) "
        "(To be clear: I did not schedule anything just now.)"
    )


def test_a_reply_that_is_nothing_but_a_claim_becomes_the_truth() -> None:
    assert without("Saved!", untrue_claims("Saved!", [])) == "(To be clear: I did not save anything just now.)"


@pytest.mark.parametrize("truth", kind_words.NOT_DONE.values())
def test_the_truth_that_replaces_a_claim_is_no_claim(truth: str) -> None:
    assert kinds(truth) == []


@given(st.text())
def test_any_reply_can_be_judged_and_every_claim_is_a_part_of_it(reply: str) -> None:
    claims = untrue_claims(reply, [])

    assert all(claim.sentence in reply for claim in claims)
    assert without(reply, claims) is not None


def test_a_long_reply_is_judged_quickly() -> None:
    assert kinds("your " * 3000 + "I've " * 3000 + "it's all " * 2000) == []


def test_what_a_tool_of_anothers_server_did_may_be_claimed_and_what_a_look_brought_may_not() -> None:
    theirs = CallMade("home_add_to_list", {"item": "milk"}, json.dumps({"data": "Added."}), is_error=False)
    look = CallMade("get_weather", {}, json.dumps({"days": []}), is_error=False)
    refused = CallMade("home_add_to_list", {"item": "milk"}, "The server 'home' refused it.", is_error=True)

    assert untrue_claims("I've saved that.", [theirs]) == []
    assert untrue_claims("I've saved that.", [look]) != []
    assert untrue_claims("I've saved that.", [refused]) != []
