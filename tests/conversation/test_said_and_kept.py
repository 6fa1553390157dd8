"""More sentences made up after the code: senses, likenesses, despair, secrets, others' words, wishes to stop."""

import pytest

from app.text import kind_words
from tests.claude_server import ClaudeServer, call, say
from tests.conversation.ruling import Ruler
from tests.line import Line


@pytest.fixture
def alex(line_to_claude: Line, claude: ClaudeServer) -> Ruler:
    return Ruler(line_to_claude, claude)


@pytest.mark.parametrize(
    "said",
    [
        "Walks the school run in an hour and a half with the double pram",
        "Wants to be a beekeeper in ten years",
        "Pays the rent every second Friday",
        "Had the dentist moved to Monday",
        "Never works on Sundays since the twins came",
        "Watches Saturday Night Live with Omar",
        "Has to be at the airport within the hour on flight days",
        "Quit smoking in a single weekend",
        "In fünf Jahren will Jana das Haus abbezahlt haben",
    ],
)
def test_the_sense_of_a_sentence_is_kept(alex: Ruler, said: str) -> None:
    assert alex.learns(said, said)["stored"] == [{"id": 1, "fact": said}]
    assert said in alex.facts_shown()


@pytest.mark.parametrize(
    ("known", "said", "new"),
    [
        ("Has a son", "my son is adopted", "Has an adopted son"),
        ("Drinks coffee", "only decaf these days", "Drinks only decaf coffee"),
        ("Is a vegetarian", "I'm not a vegetarian any more", "Is no longer a vegetarian"),
        ("Is a teacher", "well, a retired teacher", "Is a retired teacher"),
        ("Takes the bus to work", "the night bus, that is", "Takes the night bus to work"),
        ("Has two brothers", "one of my two brothers died", "Has two brothers, one of them dead"),
    ],
)
def test_a_likeness_is_stored_beside_what_was_known(alex: Ruler, known: str, said: str, new: str) -> None:
    alex.learns(known, known)
    result = alex.learns(said, new)
    assert (result["stored"], result["duplicates"]) == ([{"id": 2, "fact": new}], [])
    assert result["conflicts"] == [{"id": 2, "fact": new, "known": [{"id": 1, "fact": known}]}]


def test_what_was_known_in_the_same_words_bears_out_no_claim_to_have_saved_it(alex: Ruler) -> None:
    coffee = {"facts": [{"fact": "Drinks only decaf coffee"}]}
    kept = alex.text("I drink only decaf coffee", call("extract_memory", coffee), say("Saved it! Enjoy your decaf."))
    assert "Saved it!" in kept
    untrue = [say("Saved it! Enjoy your decaf.")] * 2  # It says so again when it is told that nothing was.
    again = alex.text("I drink only decaf coffee", call("extract_memory", coffee), *untrue)
    assert alex.last_result()["duplicates"] == [{"id": 1, "fact": "Drinks only decaf coffee"}]
    assert "Saved it!" not in again
    assert "Enjoy your decaf." in again


def test_despair_is_kept_as_no_fact(alex: Ruler) -> None:
    words = "Everyone would be better off if I wasn't here"
    assert "said in despair" in alex.learns(words, words)["refused"]
    assert alex.facts_shown() == ""


def test_whoever_keeps_facts_is_told_that_despair_is_none(alex: Ruler, claude: ClaudeServer) -> None:
    alex.text("hello", say("Hi."))
    [tool] = [one for one in claude.requests[-1]["tools"] if one["name"] == "extract_memory"]
    assert "despair" in tool["description"], "in whatever words and language, which no table of words has whole"


@pytest.mark.parametrize(
    "secret",
    [
        "My PIN is 4 4 0 7",
        "The wifi password is Tulip-Garden-88",
        "My card is 5500 0000 0000 0004, it expires 09/28",
        "My social security number is 078-05-1120",
        "Mi contraseña del banco es girasol1974",
    ],
)
def test_a_secret_is_kept_nowhere(alex: Ruler, secret: str) -> None:
    assert "never kept as a fact" in alex.learns(secret, secret)["refused"]
    assert "never kept in a rule" in alex.sets(secret, {"trigger_kind": "always", "procedure": secret})["refused"]
    routine = {"does": "remind", "words": secret, "schedule": {"repeat": "daily", "times": ["08:00"]}}
    alex.text(f"remind me every day at 8: {secret}", call("set_routine", routine), say("Okay."))
    assert "never kept in a routine" in alex.last_result()["refused"]


@pytest.mark.parametrize(
    "said",
    ["Lives in flat 4407 on the fourth floor", "Ran 14,407 steps on 12.05.2026", "Keeps forgetting passwords"],
)
def test_a_number_that_is_no_secret_is_kept(alex: Ruler, said: str) -> None:
    assert alex.learns(said, said)["stored"] == [{"id": 1, "fact": said}]


@pytest.mark.parametrize(
    ("body", "fact"),
    [
        ("Got this from Nina: I quit my job today and I'm moving to Peru", "Is moving to Peru"),
        ("FW: RE: lunch\nI can't eat pork", "Cannot eat pork"),
        ("Mein Bruder schreibt: Ich habe mich verlobt", "Ist verlobt"),
        ("mum texted “I have a new hip and I love it”", "Has a new hip"),
    ],
)
def test_somebody_elses_words_are_no_facts_of_theirs(alex: Ruler, body: str, fact: str) -> None:
    assert "is not what the person wrote" in alex.learns(body, fact)["refused"]
    assert alex.facts_shown() == ""


@pytest.mark.parametrize(
    "wish",
    [
        "Please don't text this number again",
        "Take my number off your list",
        "I no longer wish to receive these messages",
        "Bitte schreiben Sie mir nicht mehr",
        "Ne m'envoyez plus de messages, merci",
        "No quiero recibir más mensajes",
    ],
)
def test_a_plain_wish_ends_all_texts_at_once(alex: Ruler, claude: ClaudeServer, wish: str) -> None:
    assert alex.text(wish) == kind_words.FAREWELL
    assert alex.line.person().opted_out_at is not None
    sent = len(alex.line.went())
    alex.line.text("Are you there?")
    assert len(alex.line.went()) == sent
    assert claude.requests == []


def test_an_unclear_wish_is_asked_what_to_stop(alex: Ruler, claude: ClaudeServer) -> None:
    assert alex.text("no more!") == kind_words.WHAT_TO_STOP
    assert alex.line.person().opted_out_at is None
    assert claude.requests == []


@pytest.mark.parametrize(
    "body",
    [
        "Can you stop the recipe at step 3?",
        "My boss told me to stop texting during meetings",
        "Remind me to stop by the bakery",
        "What does unsubscribe mean in German?",
        "No more coffee for me, I want to sleep tonight",
    ],
)
def test_an_ordinary_text_goes_to_the_model(alex: Ruler, claude: ClaudeServer, body: str) -> None:
    assert alex.text(body, say("Sure.")) == "Sure."
    assert alex.line.person().opted_out_at is None
