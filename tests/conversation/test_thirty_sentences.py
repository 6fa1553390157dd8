"""Sentences that were made up after the code that has to hold for them: to forget, to undo, off the record, quoted."""

from collections.abc import Mapping
from typing import Any

import pytest

from app.clients.claude import ClaudeModel
from app.features.offline.extract import ExtractiveSummariser
from app.memory import index
from tests.asked_of_claude import memory_shown
from tests.claude_server import ClaudeServer, call, say
from tests.conftest import MakeServices
from tests.memory.talking import Talk
from tests.phoning import Phone


@pytest.fixture
def talk(make_services: MakeServices, claude_model: ClaudeModel) -> Talk:
    return Talk(make_services(model=claude_model))


def shown(claude: ClaudeServer) -> str:
    """The whole of the newest request, without the tools."""
    request = claude.requests[-1]
    return str([request["system"], request["messages"]])


def facts(*sentences: str) -> Mapping[str, Any]:
    return {"facts": [{"fact": sentence} for sentence in sentences]}


@pytest.mark.parametrize(
    ("told", "fact", "later", "wish", "about", "gone"),
    [
        (
            "My aunt Petra breeds beagles in Graz",
            "Has an aunt named Petra who breeds beagles in Graz",
            "Petra has six puppies now",
            "Please forget my aunt Petra",
            ["my aunt", "Petra"],
            ["Petra", "beagles"],
        ),
        (
            "I was told in May that I have coeliac disease",
            "Has coeliac disease",
            "No bread for me, coeliac and all that",
            "Forget that I have coeliac disease",
            ["coeliac disease", "coeliac"],
            ["coeliac"],
        ),
        (
            "Meine Schwester Ilse wohnt in Bremen",
            "Hat eine Schwester namens Ilse, die in Bremen wohnt",
            "Ilse kommt zu Besuch",
            "Vergiss meine Schwester Ilse",
            ["meine Schwester", "Ilse"],
            ["Ilse", "Bremen"],
        ),
        (
            "My therapist is Dr Okafor, Tuesdays at 4",
            "Has a therapist, Dr Okafor, on Tuesdays at 4",
            "Okafor was late today",
            "Delete everything about my therapist Dr Okafor",
            ["my therapist", "Okafor"],
            ["Okafor", "therapist"],
        ),
        (
            "I owe Ben 400 dollars since the poker night",
            "Owes Ben 400 dollars",
            "Still haven't paid Ben his 400 dollars",
            "Forget about the 400 dollars I owe Ben",
            ["400 dollars"],
            ["400 dollars"],
        ),
        (
            "My ex Carla keeps writing to me at night",
            "Has an ex named Carla who writes at night",
            "Carla again, at two",
            "I don't want you to remember Carla",
            ["Carla"],
            ["Carla"],
        ),
        (
            "Mi perro Toby murió ayer",
            "Tenía un perro llamado Toby que murió",
            "Echo de menos a Toby",
            "Olvida lo de Toby",
            ["Toby"],
            ["Toby"],
        ),
    ],
)
def test_a_wish_to_forget_reaches_what_was_said_before_and_after_it_was_learned(
    talk: Talk, claude: ClaudeServer, told: str, fact: str, later: str, wish: str, about: list[str], gone: list[str]
) -> None:
    claude.queue(call("extract_memory", facts(fact)), say("I see."), say("Oh."), say("A fine day."))
    talk.say(told)
    talk.say(later)
    talk.say("The weather is lovely")
    claude.queue(call("remove_memory", {"fact_ids": [1], "about": about}), say("It's forgotten."), say("Hello."))
    talk.say(wish)
    talk.say("Good evening")
    assert [word for word in gone if word in shown(claude)] == []
    assert "The weather is lovely" in shown(claude)


def test_the_other_fact_of_a_text_stays_when_one_is_forgotten(talk: Talk, claude: ClaudeServer) -> None:
    claude.queue(
        call("extract_memory", facts("Has a sister named Dana who lives in Lisbon", "Plays the cello")), say("Lovely.")
    )
    talk.say("My sister Dana lives in Lisbon and I play the cello")
    claude.queue(call("remove_memory", {"fact_ids": [1]}), say("It's forgotten."), say("Hello."))
    talk.say("Forget about my sister Dana")
    talk.say("Good evening")
    assert "Plays the cello." in shown(claude)
    assert "Lisbon" not in shown(claude)


@pytest.mark.parametrize("by", [{"fact_ids": [1]}, {"fact_ids": [1], "about": ["my sister", "Dana"]}])
def test_the_other_fact_is_shown_and_found_after_the_episode_of_both_is_forgotten(
    make_services: MakeServices, claude_model: ClaudeModel, claude: ClaudeServer, by: Mapping[str, Any]
) -> None:
    talk = Talk(make_services(model=claude_model, summariser=ExtractiveSummariser()))
    claude.queue(
        call("extract_memory", facts("Has a sister named Dana who lives in Lisbon", "Plays the cello")),
        say("Lovely."),
        say("Is it?"),
    )
    talk.say("My sister Dana lives in Lisbon and I play the cello")
    talk.say("We signed the lease of the flat in Porto and the movers come next week")
    talk.fall_silent()
    assert "Lisbon" in str([one.narrative for one in talk.episodes()])

    claude.queue(call("remove_memory", by), say("It's forgotten."))
    talk.say("Forget about my sister Dana")
    claude.queue(call("recall_memory", {"query": "cello"}), say("The cello."))
    talk.say("Which instrument do I play?")

    assert talk.facts() == ["Plays the cello"]
    assert "Plays the cello." in memory_shown(claude.requests[-1])
    assert "Plays the cello" in talk.tool_calls()[-1].result
    talk.fall_silent()
    assert "Lisbon" not in shown(claude)
    assert "Lisbon" not in str([(one.summary, one.narrative, one.key_facts) for one in talk.episodes()])


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ("Between us: I failed the bar exam", "bar exam"),
        ("I'm thinking of leaving Marcus", "Marcus"),
        ("My salary is 4,300 a month, don't tell anyone", "4,300"),
        ("The test was positive", "positive"),
        ("Ich habe gestern gekündigt", "gekündigt"),
        ("I hid the ring in the flour jar", "flour jar"),
    ],
)
def test_what_is_said_off_the_record_is_shown_and_found_nowhere_later(
    talk: Talk, claude: ClaudeServer, said: str, word: str
) -> None:
    claude.queue(say("Understood."), say("Hi."), call("recall_memory", {"query": "secret"}), say("Nothing."))
    talk.say("/memory off")
    talk.say(said)
    talk.say("/memory on")
    talk.say("Good morning")
    assert word not in shown(claude)
    talk.say("Do you know any secret of mine?")
    assert word not in shown(claude)
    talk.fall_silent()
    assert word not in str([(one.summary, one.narrative) for one in talk.episodes()])
    with talk.services.reading() as db:
        assert index.find(db, talk.person_id, "message", word) == []


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ('Fwd: "I\'m allergic to shellfish, remember" - from mum', "Is allergic to shellfish"),
        ("> I moved to Oslo last week", "Moved to Oslo"),
        ('My boss wrote: "I am retiring in May"', "Is retiring in May"),
        ("Look what Tim texted me:\n\n> I got engaged to Rosa!", "Got engaged to Rosa"),
        ("Forwarded message:\nI have started chemotherapy and I am scared", "Has started chemotherapy"),
        ('She wrote: "I can\'t eat gluten any more"', "Cannot eat gluten"),
        ("Begin forwarded message\nFrom: Ada\nI take lithium every evening", "Takes lithium every evening"),
    ],
)
def test_somebody_elses_words_teach_nothing_until_the_person_says_yes(
    alex: Phone, claude: ClaudeServer, said: str, fact: str
) -> None:
    claude.queue(call("extract_memory", facts(fact)), say("Is that about you?"))
    alex.text(said)
    assert alex.facts() == []


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("I told my boss that I'm retiring in May", "Is retiring in May"),
        ("As I wrote yesterday, I moved to Oslo", "Moved to Oslo"),
        ("Well, I got engaged to Rosa!", "Got engaged to Rosa"),
    ],
)
def test_ones_own_words_teach_although_they_speak_of_saying(
    alex: Phone, claude: ClaudeServer, said: str, fact: str
) -> None:
    claude.queue(call("extract_memory", facts(fact)), say("Lovely."))
    alex.text(said)
    assert alex.facts() == [fact]


@pytest.mark.parametrize(
    ("before", "deed", "after"),
    [
        ([], call("extract_memory", facts("Likes tea", "Has a cat")), []),
        (["Lives in Boston"], call("update_memory", {"fact_id": 1, "fact": "Lives in Denver"}), ["Lives in Boston"]),
        (["Likes tea"], call("remove_memory", {"fact_ids": [1]}), ["Likes tea"]),
        (["Likes tea", "Sings"], call("remove_memory", {"fact_ids": [1, 2]}), ["Likes tea", "Sings"]),
    ],
)
def test_undo_takes_back_the_last_change_whole_and_leaves_the_one_before(
    alex: Phone, claude: ClaudeServer, before: list[str], deed: Any, after: list[str]
) -> None:
    if before:
        claude.queue(call("extract_memory", facts(*before)), say("I see."))
        alex.text(" and ".join(before))
    claude.queue(deed, say("I see."))
    alex.text("I like tea and have a cat. Denver is home now. Forget the rest: tea and singing")
    alex.text("/undo")
    assert sorted(alex.facts()) == sorted(after)


def test_undo_after_talk_that_changed_nothing_still_means_the_last_change(alex: Phone, claude: ClaudeServer) -> None:
    claude.queue(call("extract_memory", facts("Likes tea")), say("I see."), say("Fine weather."), say("Bye."))
    alex.text("I like tea")
    alex.text("Is it raining?")
    alex.text("See you")
    alex.text("/undo")
    assert alex.facts() == []
