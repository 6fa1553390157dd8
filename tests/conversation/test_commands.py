import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app import people
from app.conversation import turn
from app.conversation.commands import HELP
from app.memory import NewFact, Origin, remember, revise
from app.models import Person
from app.services import Services
from app.text.sms_text import segments
from tests.claude_server import call, say
from tests.conftest import MakeServices
from tests.memory.remembering import ANNA, BEN, TOLD, add_person, fact, known, tell
from tests.talking import talking

BY_NUMBER = "Going by your number, your time zone is America/Los_Angeles."
NO_NUMBER = "Text /memory to see the numbers."


@pytest.fixture
def person_id(services: Services) -> int:
    return add_person(services)


def text(services: Services, words: str, address: str = ANNA) -> str:
    return turn.hold(services, address, words).text


def is_unknown(reply: str) -> bool:
    return "in that form. Text /help to see what works." in reply


def test_help_shows_every_word_that_works_and_takes_three_segments(services: Services) -> None:
    assert text(services, "/help") == HELP
    assert segments(HELP) <= 3
    words = "/memory|/memory 2|work|archived|why 3|pin 3|unpin 3|forget 3|forget name|off|on|/memory off|/rules|/undo"
    words += "|/routines|skip 2|forget 2|/pause|/resume|STOP|START|/who looked"
    assert [word for word in words.split("|") if word not in HELP] == []


def test_memory_lists_what_is_known_by_number_after_name_and_zone(services: Services, person_id: int) -> None:
    people.set_profile(services, person_id, TOLD, name="Alex")
    tell(services, person_id, "Likes tea", "Has a cat")
    revise(services, person_id, 2, TOLD, pinned=True)
    tell(services, add_person(services, BEN), "Hides a violet key")

    assert text(services, "/memory") == "\n".join(
        [
            f"You are Alex. {BY_NUMBER} What I know about you:",
            "1. Likes tea",
            "2. Has a cat (pinned)",
            "Wrong? /memory forget and the number, or /memory forget name.",
        ]
    )


WISHES = [
    ("/memory forget 1", {2, 3, 4}), ("/memory forget #4", {1, 2, 3}), ("/memory forget 1 2", {3, 4}),
    ("/memory forget 1,2", {3, 4}), ("/memory forget 1, 2, 3", {4}), ("/memory forget 1 and 3", {2, 4}),
    ("/memory forget 1, 2 and #4", {3}), ("/memory forget 1, 2, and 4", {3}), ("/Memory\nforget\n3", {1, 2, 4}),
    ("/memory forget number 3", {1, 2, 4}), ("/memory forget facts 1 and 3", {2, 4}),
]  # fmt: skip


@pytest.mark.parametrize(("words", "kept"), WISHES)
def test_forgetting_takes_one_number_or_several(services: Services, person_id: int, words: str, kept: set[int]) -> None:
    tell(services, person_id, "Likes tea", "Has a cat", "Plays chess", "Owns a car")

    assert text(services, words).startswith("Forgotten: ")

    assert set(known(services, person_id)) == kept


def test_a_name_that_is_not_known_is_not_forgotten(services: Services) -> None:
    assert text(services, "/memory forget name") == "I don't know your name."
    assert text(services, "/undo") == "There is nothing to undo."


def test_forgetting_names_what_went_and_what_was_not_there(services: Services, person_id: int) -> None:
    tell(services, person_id, "Likes tea", "Has a cat")

    assert text(services, "/memory forget 1, 2 and 9") == (
        f"Forgotten: Likes tea; Has a cat. /undo brings it back. I have no number 9. {NO_NUMBER}"
    )
    assert text(services, "/memory forget 1 7") == f"I have no number 1, 7. {NO_NUMBER}"


def test_a_subject_can_be_forgotten_and_comes_back_by_undo(services: Services, person_id: int) -> None:
    tell(services, person_id, "Has a dog named Max", "Max is a poodle", "Likes tea")

    assert text(services, "/Memory forget\nmy DOG") == (
        "Forgotten: Has a dog named Max; Max is a poodle. /undo brings it back."
    )
    assert known(services, person_id) == {3: "Likes tea"}
    assert text(services, "/memory forget my dog") == "I don't know anything about your dog, and find no word of it."

    assert text(services, "/undo").startswith("Undone: it is again: Has a dog named Max; it is again: Max is a poodle")
    assert len(known(services, person_id)) == 3


@pytest.mark.parametrize("words", ["/memory forget everything", "/memory forget it", "/memory forget about me"])
def test_what_is_no_single_subject_is_not_forgotten(services: Services, person_id: int, words: str) -> None:
    tell(services, person_id, "Likes tea")

    assert "Name it in a few words, such as 'my exam'." in text(services, words)
    assert known(services, person_id) == {1: "Likes tea"}


def test_why_quotes_the_text_it_was_learned_from_on_the_persons_own_day(
    services: Services, make_services: MakeServices
) -> None:
    services.clock.wait(13 * 3600)  # Still Saturday evening in Seattle, Sunday in UTC.
    learned = call("extract_memory", {"facts": [{"fact": "Likes black coffee"}]})
    with talking(make_services, learned, say("Good taste!")) as (_, say_to):
        say_to(ANNA, "I take my coffee black")
        services.clock.wait(86_400)

        assert say_to(ANNA, "/memory why 1") == (
            'Likes black coffee: You told me on 21 Nov 2026: "I take my coffee black".'
        )


def test_why_tells_what_was_known_before(services: Services, person_id: int) -> None:
    tell(services, person_id, "Lives in Portland")
    for city in ("Seattle", "Lima"):
        revise(services, person_id, 1, Origin("person", "corrected"), fact=f"Lives in {city}")

    assert text(services, "/memory why 1") == (
        "Lives in Lima: You corrected it on 21 Nov 2026. Before that: Lives in Portland; Lives in Seattle."
    )


@pytest.mark.parametrize(
    ("source", "how"),
    [
        ("explicit", "You told me"),
        ("corrected", "You corrected it"),
        ("inferred", "I took it from what you wrote"),
        ("imported", "It was imported"),
        ("operator", "The operator of this service wrote it"),
        ("agent", "A program that you use wrote it"),
    ],
)
def test_why_tells_every_source_in_words(services: Services, person_id: int, source: str, how: str) -> None:
    remember(services, person_id, [NewFact("Likes tea")], Origin("operator", source))

    assert text(services, "/memory why 1") == f"Likes tea: {how} on 21 Nov 2026."


def test_with_memory_off_the_model_is_shown_nothing_and_can_keep_nothing_until_it_is_on_or_the_next_conversation(
    services: Services, make_services: MakeServices, person_id: int
) -> None:
    tell(services, person_id, "Likes tea")
    learning = call("extract_memory", {"facts": [{"fact": "Has a cat"}]})
    with talking(make_services, learning, say("Nice."), say("One."), say("Two.")) as (server, say_to):
        assert say_to(ANNA, "/memory off") == (
            "Memory is off for this conversation: I use nothing from it and keep nothing. /memory on turns it back on."
        )
        assert say_to(ANNA, "I have a cat") == "Nice."
        assert say_to(ANNA, "/memory").startswith("Memory is off for this conversation (/memory on). ")
        assert "Likes tea" not in str(server.requests)
        assert "<memory>off" in str(server.requests[0]["messages"])
        assert server.requests[1]["messages"][-1]["content"][0]["is_error"] is True
        assert known(services, person_id) == {1: "Likes tea"}

        assert say_to(ANNA, "/memory on") == "Memory is on again."
        say_to(ANNA, "hello")
        say_to(ANNA, "/memory off")
        services.clock.wait(1801)
        say_to(ANNA, "hello again")
    assert ["Likes tea." in str(request["system"]) for request in server.requests] == [False, False, True, True]


NO_COMMANDS = [
    "/", "//", "/foo", "/memory pin", "/memory pin three", "/memory pin 1 2", "/memory pin 1234567890",
    "/memory forget", "/memory forget and", "/memory forget 1 and", "/memory forget 12345678901",
    "/memory forget " + "1" * 1500, "/memory forget " + "1" * 1500 + "x", "/memory forget " + "1 " * 700 + "x",
    "/memory forget -1", "/memory why", "/memory list all", "/memory cats and dogs and so on", "/help me", "/undo 3",
    "/memory forget ' OR 1=1", "/\n\n", f"/{'x' * 500}",
]  # fmt: skip


@pytest.mark.parametrize("words", NO_COMMANDS)
def test_what_is_no_command_is_answered_with_help_and_changes_nothing(
    services: Services, person_id: int, words: str
) -> None:
    tell(services, person_id, "Likes tea", "Has a cat")

    assert is_unknown(text(services, words))

    assert known(services, person_id) == {1: "Likes tea", 2: "Has a cat"}


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    words=st.text(st.characters(codec="utf-8"), max_size=40), verb=st.sampled_from(["", "memory ", "memory forget "])
)
def test_whatever_follows_the_slash_is_answered(services: Services, words: str, verb: str) -> None:
    assert text(services, f"/{verb}{words}").strip()


def test_no_command_reaches_another_persons_memory(services: Services, person_id: int) -> None:
    other = add_person(services, BEN)
    tell(services, other, "Hides a violet key", "Likes tea")
    before = profile(services, other).last_fact_number

    for words in ("/memory", "/memory why 1", "/memory pin 1", "/memory forget 1, 2", "/undo", "/memory off"):
        assert "violet" not in text(services, words)

    assert known(services, other) == {1: "Hides a violet key", 2: "Likes tea"}
    assert not fact(services, other, 1).pinned
    assert profile(services, other).last_fact_number == before


def profile(services: Services, person_id: int) -> Person:
    with services.reading() as db:
        return people.by_id(db, person_id)
