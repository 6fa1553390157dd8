"""`/memory` of somebody of whom much is known: pages of one text each, and parts of the whole."""

import re

import pytest

from app.conversation import turn
from app.memory import forget
from app.models import Turn
from app.services import Services
from app.text.sms_text import PART_MAX_UNITS, split
from tests.claude_server import say
from tests.conftest import MakeServices
from tests.memory.archiving import put_away
from tests.memory.remembering import ANNA, BEN, TOLD, add_person, tell
from tests.talking import talking

MANY = 230


@pytest.fixture
def person_id(services: Services) -> int:
    return add_person(services)


@pytest.fixture
def much(services: Services, person_id: int) -> int:
    """Somebody with more facts than fit into four texts."""
    for start in range(1, MANY + 1, 10):
        tell(services, person_id, *(f"Owns the red book number {number}" for number in range(start, start + 10)))
    return person_id


def text(services: Services, words: str, address: str = ANNA) -> str:
    return turn.hold(services, address, words).text


def numbers(reply: str) -> list[int]:
    return [int(found) for found in re.findall(r"^(\d+)\. ", reply, re.MULTILINE)]


def pages(reply: str) -> int:
    found = re.search(r", page \d+ of (\d+)", reply)
    return int(found[1]) if found else 1


@pytest.mark.usefixtures("much")
def test_page_after_page_shows_every_fact_once_and_in_order(services: Services) -> None:
    first = text(services, "/memory")
    every = [first, *(text(services, f"/memory {page}") for page in range(2, pages(first) + 1))]

    assert [number for page in every for number in numbers(page)] == list(range(1, MANY + 1))
    assert [re.search(r"page \d+ of \d+", page) is not None for page in every] == [True] * len(every)
    assert all(len(split(page)) == 1 and len(page) <= PART_MAX_UNITS for page in every)


@pytest.mark.usefixtures("much")
@pytest.mark.parametrize(
    "words", ["/memory more", "more", "More!", "the rest", "show me the rest please", "next", "/more", "next page"]
)
def test_more_goes_on_where_the_last_page_ended_and_stops_at_the_end(services: Services, words: str) -> None:
    seen = numbers(text(services, "/memory"))
    while len(seen) < MANY:
        page = text(services, words)
        assert numbers(page)[0] == seen[-1] + 1
        seen += numbers(page)

    assert seen == list(range(1, MANY + 1))
    assert "Next:" not in page
    assert not numbers(text(services, words))


@pytest.mark.usefixtures("much")
def test_more_is_answered_without_the_model_and_is_no_part_of_its_history(
    services: Services, make_services: MakeServices
) -> None:
    with talking(make_services, say("Hello."), say("More of what?")) as (server, say_to):
        say_to(ANNA, "/memory")
        assert ", page 2 of " in say_to(ANNA, "more")
        assert server.requests == []

        say_to(ANNA, "hello")
        assert say_to(ANNA, "more") == "More of what?"

    assert "red book number 60" not in str(server.requests[-1]["messages"])
    with services.reading() as db:
        assert [one.kind for one in db.query(Turn).order_by(Turn.id)] == ["command", "command", "reply", "reply"]


@pytest.mark.usefixtures("much")
def test_more_never_shows_the_list_of_another_person(services: Services) -> None:
    text(services, "/memory")

    assert "book" not in text(services, "more", BEN)
    assert text(services, "/memory more", BEN) == (
        "There is nothing more to show. Text /memory to see what I know about you."
    )


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


def test_the_archive_comes_in_pages_too(services: Services, much: int) -> None:
    put_away(services, much, *range(1, 101))

    first = text(services, "/memory archived")
    seen = numbers(first) + numbers(text(services, "/memory archived 2")) + numbers(text(services, "more"))

    assert sorted(seen) == sorted(set(seen))
    assert len(seen) > len(numbers(first))
    assert "/memory archived" in text(services, "/memory")


@pytest.mark.usefixtures("much")
def test_what_speaks_of_a_word_comes_in_pages_too(services: Services) -> None:
    first = text(services, "/memory books")

    assert numbers(text(services, "/memory books 2"))[0] == numbers(first)[-1] + 1
    assert text(services, "/memory books") == first
    assert numbers(text(services, "more"))[0] == numbers(first)[-1] + 1
