"""Commands, answered without the model: facts listed in pages of one text each, and changed."""

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.conversation.commands import HELP
from app.memory import forget, revise
from app.models import Turn
from app.services import Services
from app.text.sms_text import PART_MAX_UNITS, segments, split
from tests.claude_server import ClaudeServer, call, say
from tests.memory.remembering import TOLD, known, tell
from tests.phoning import text

MANY = 230


def test_help_shows_every_word_that_works_and_takes_three_segments(services: Services) -> None:
    assert text(services, "/help") == HELP
    assert segments(HELP) <= 3
    words = "/memory|/memory 2|work|archived|why 3|pin 3|unpin 3|forget 3|forget name|off|on|/memory off|/rules|/undo"
    words += "|/routines|skip 2|forget 2|/pause|/resume|STOP|START|/who looked"
    assert [word for word in words.split("|") if word not in HELP] == []


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


def test_why_tells_nothing_that_was_taken_back(services: Services, person_id: int) -> None:
    tell(services, person_id, "Lives in Portland")
    revise(services, person_id, 1, TOLD, fact="Lives in Seattle")
    text(services, "/undo")
    assert "Seattle" not in text(services, "/memory why 1")
    revise(services, person_id, 1, TOLD, fact="Lives in Boston")
    assert text(services, "/memory why 1").endswith(" Before that: Lives in Portland.")


@pytest.mark.parametrize("words", ["/memory forget everything", "/memory forget it", "/memory forget about me"])
def test_what_is_no_single_subject_is_not_forgotten(services: Services, person_id: int, words: str) -> None:
    tell(services, person_id, "Likes tea")

    assert "Name it in a few words, such as 'my exam'." in text(services, words)
    assert known(services, person_id) == {1: "Likes tea"}


def test_with_memory_off_the_model_is_shown_nothing_and_can_keep_nothing_until_it_is_on_or_the_next_conversation(
    claude_services: Services, claude: ClaudeServer, person_id: int
) -> None:
    tell(claude_services, person_id, "Likes tea")
    learning = call("extract_memory", {"facts": [{"fact": "Has a cat"}]})
    claude.queue(learning, say("Nice."), say("One."), say("Two."))
    assert text(claude_services, "/memory off") == (
        "Memory is off for this conversation: I use nothing from it and keep nothing. /memory on turns it back on."
    )
    assert text(claude_services, "I have a cat") == "Nice."
    assert text(claude_services, "/memory").startswith("Memory is off for this conversation (/memory on). ")
    assert "Likes tea" not in str(claude.requests)
    assert "<memory>off" in str(claude.requests[0]["messages"])
    assert claude.requests[1]["messages"][-1]["content"][0]["is_error"] is True
    assert known(claude_services, person_id) == {1: "Likes tea"}

    assert text(claude_services, "/memory on") == "Memory is on again."
    text(claude_services, "hello")
    text(claude_services, "/memory off")
    claude_services.clock.wait(1801)
    text(claude_services, "hello again")
    assert ["Likes tea." in str(request["system"]) for request in claude.requests] == [False, False, True, True]


NO_COMMANDS = [
    "/", "//", "/foo", "/memory pin", "/memory pin three", "/memory pin 1 2", "/memory pin 1234567890",
    "/memory forget", "/memory forget and", "/memory forget 1 and", "/memory forget 12345678901",
    "/memory forget " + "1" * 1500, "/memory forget " + "1" * 1500 + "x", "/memory forget " + "1 " * 700 + "x",
    "/memory forget -1", "/memory why", "/memory list all", "/memory cats and dogs and so on", "/help me", "/undo 3",
    "/memory forget ' OR 1=1", "/\n\n", f"/{'x' * 500}",
]  # fmt: skip


@pytest.mark.parametrize("words", NO_COMMANDS)
def test_what_is_no_command_is_answered_with_help_alone(services: Services, person_id: int, words: str) -> None:
    tell(services, person_id, "Likes tea", "Has a cat")

    assert "in that form. Text /help to see what works." in text(services, words)

    assert known(services, person_id) == {1: "Likes tea", 2: "Has a cat"}


@pytest.mark.parametrize("words", ["/memory link", "/export", "/forget everything"])
def test_what_is_to_come_says_so(services: Services, person_id: int, words: str) -> None:
    tell(services, person_id, "Likes the link to the film")
    assert "does not work yet; it comes with a later version." in text(services, words)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    words=st.text(st.characters(codec="utf-8"), max_size=40), verb=st.sampled_from(["", "memory ", "memory forget "])
)
def test_whatever_follows_the_slash_is_answered(services: Services, words: str, verb: str) -> None:
    assert text(services, f"/{verb}{words}").strip()


# A person with many facts


@pytest.fixture
def much(services: Services, person_id: int) -> int:
    """A person with more facts than fit into four texts."""
    for start in range(1, MANY + 1, 10):
        tell(services, person_id, *(f"Owns the red book number {number}" for number in range(start, start + 10)))
    return person_id


def numbers(reply: str) -> list[int]:
    return [int(found) for found in re.findall(r"^(\d+)\. ", reply, re.MULTILINE)]


def pages(reply: str) -> int:
    found = re.search(r", page \d+ of (\d+)", reply)
    return int(found[1]) if found else 1


@pytest.mark.usefixtures("much")
@pytest.mark.parametrize(
    "words", ["/memory more", "more", "More!", "the rest", "show me the rest please", "next", "/more", "next page"]
)
def test_more_goes_on_where_the_last_page_ended_and_stops_at_the_end(services: Services, words: str) -> None:
    seen = numbers(text(services, "/memory"))
    while len(seen) < MANY:
        page = text(services, words)
        assert numbers(page)[0] == seen[-1] + 1
        assert len(split(page)) == 1
        assert len(page) <= PART_MAX_UNITS
        seen += numbers(page)

    assert seen == list(range(1, MANY + 1))
    assert "Next:" not in page
    assert not numbers(text(services, words))


@pytest.mark.usefixtures("much")
def test_more_is_answered_without_the_model_and_not_shown_it(claude_services: Services, claude: ClaudeServer) -> None:
    claude.queue(say("Hello."), say("More of what?"))
    text(claude_services, "/memory")
    assert ", page 2 of " in text(claude_services, "more")
    assert claude.requests == []

    text(claude_services, "hello")
    assert text(claude_services, "more") == "More of what?"

    assert "red book number 60" not in str(claude.requests[-1]["messages"])
    with claude_services.reading() as db:
        assert [one.kind for one in db.query(Turn).order_by(Turn.id)] == ["command", "command", "reply", "reply"]


def test_a_page_that_is_not_there_is_named_with_the_last_that_is(services: Services, much: int) -> None:
    last = pages(text(services, "/memory"))

    assert text(services, "/memory 99") == f"There is no page 99: the last is {last}. Text /memory {last}."
    assert text(services, "/memory 0") == f"There is no page 0: the last is {last}. Text /memory {last}."
    forget(services, much, range(2, MANY + 1), TOLD)
    assert text(services, "/memory page 2") == "There is no page 2: all of it fits on one. Text /memory."


def test_a_page_of_wide_letters_is_one_text_too(services: Services, person_id: int) -> None:
    for start in range(0, 60, 10):
        tell(services, person_id, *(f"Likes {chr(0x1F600 + start + one) * 30}" for one in range(10)))

    for words in ("/memory", "/memory 2", "/memory 3"):
        assert len(split(text(services, words))) == 1
