"""Facts that say several things, and what is over: one thing goes, the rest stays."""

import pytest

from app.clients.offline.listing import parts, without
from tests.clients.offline_memory import Memory

LISTS = [
    ("Likes tea, coffee and chess", ["Likes tea", "Likes coffee", "Likes chess"]),
    ("Likes tea, coffee, and chess", ["Likes tea", "Likes coffee", "Likes chess"]),
    ("Cannot eat dairy or gluten", ["Cannot eat dairy", "Cannot eat gluten"]),
    ("Is allergic to nuts and cats", ["Is allergic to nuts", "Is allergic to cats"]),
    ("Speaks English and Spanish", ["Speaks English", "Speaks Spanish"]),
    ("Has two kids named Leo and Mia", ["Has two kids, one named Leo", "Has two kids, one named Mia"]),
    ("Has a sister named Ana who lives in Lima", ["Has a sister named Ana", "Ana lives in Lima"]),
    ("Likes fish and chips", ["Likes fish and chips"]),
    ("Likes tea with milk and sugar", ["Likes tea with milk and sugar"]),
    ("Plays tennis on Sundays and Mondays", ["Plays tennis on Sundays and Mondays"]),
    ("Likes tea and hates milk", ["Likes tea and hates milk"]),
    ("Lives in Trinidad and Tobago", ["Lives in Trinidad and Tobago"]),
    ("Likes tea", ["Likes tea"]),
]


@pytest.mark.parametrize(("fact", "statements"), LISTS)
def test_a_fact_is_parted_only_where_it_lists(fact: str, statements: list[str]) -> None:
    assert parts(fact) == statements
    assert without(fact, []) == fact
    assert without(fact, statements) is None


FORGOTTEN_IN_PART = [
    ("forget that I like tea", "Likes tea, coffee and chess", "Likes coffee and chess"),
    ("forget about chess", "Likes tea, coffee and chess", "Likes tea and coffee"),
    ("forget that I like tea and chess", "Likes tea, coffee and chess", "Likes coffee"),
    ("forget that I speak Spanish", "Speaks English and Spanish", "Speaks English"),
    ("forget my nut allergy", "Is allergic to nuts and cats", "Is allergic to cats"),
    ("forget about Leo", "Has two kids named Leo and Mia", "Has two kids, one named Mia"),
    ("forget about Leo", "Has three kids named Leo, Mia and Tom", "Has three kids, two named Mia and Tom"),
]


@pytest.mark.parametrize(("text", "before", "after"), FORGOTTEN_IN_PART)
def test_one_thing_is_forgotten_and_the_rest_of_the_list_stays(text: str, before: str, after: str) -> None:
    memory = Memory(["Loves jazz", before])

    told = memory.tell(text)

    assert list(memory.rows.values()) == ["Loves jazz", after]
    assert told.names()[:2] == ["list_memories", "update_memory"]
    assert ("remove_memory" in told.names()) == (" that " not in text)
    assert told.reply.startswith("Done, I've forgotten that you ")
    assert " I still know that you " in told.reply


def test_everything_that_is_liked_is_forgotten_whole() -> None:
    memory = Memory(["Likes tea, coffee and chess", "Lives in Rome"])

    assert memory.tell("forget everything I like").reply == "Done, I've forgotten that you like tea, coffee and chess."
    assert list(memory.rows.values()) == ["Lives in Rome"]


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("I don't like tea anymore", ["Likes coffee and chess", "Dislikes tea"]),
        ("i hate chess", ["Likes tea and coffee", "Hates chess"]),
    ],
)
def test_what_is_no_longer_liked_leaves_the_list(text: str, after: list[str]) -> None:
    memory = Memory(["Likes tea, coffee and chess"])

    told = memory.tell(text)

    assert list(memory.rows.values()) == after
    assert "I'll remember that you" in told.reply
    assert "I've updated that: you like" in told.reply


def test_what_a_list_says_already_is_known() -> None:
    told = Memory(["Likes tea, coffee and chess"]).tell("I like coffee")

    assert (told.calls, told.reply) == ([], "I already know that you like coffee.")


ENDED = [
    ("I can eat dairy now", ["Cannot eat dairy"], ["Can eat dairy"]),
    ("i can eat gluten again", ["Cannot eat dairy or gluten"], ["Cannot eat dairy", "Can eat gluten"]),
    ("I can have dairy again", ["Is lactose intolerant"], ["Can eat dairy"]),
    (
        "I can eat nuts now",
        ["Cannot eat nuts", "Is allergic to nuts"],
        ["Can eat nuts", "Is no longer allergic to nuts"],
    ),
    ("I can drink milk again", ["Cannot drink milk"], ["Can drink milk"]),
    ("I went back to eating meat", ["Does not eat meat"], ["Can eat meat"]),
    ("I eat meat again", ["Does not eat meat"], ["Can eat meat"]),
    ("I'm not allergic to nuts any more", ["Allergic to nuts"], ["Is no longer allergic to nuts"]),
    ("im no longer allergic to nuts", ["Has a nut allergy"], ["Is no longer allergic to nuts"]),
    ("my allergy is gone", ["Is allergic to nuts"], ["Is no longer allergic to nuts"]),
    ("I outgrew my nut allergy", ["Is allergic to nuts"], ["No longer has a nut allergy"]),
    ("my cat allergy went away", ["Is allergic to cats"], ["No longer has a cat allergy"]),
    (
        "all my allergies are gone",
        ["Is allergic to nuts", "Has a cat allergy"],
        ["Is no longer allergic to nuts", "No longer has a cat allergy"],
    ),
    (
        "I quit my job",
        ["Works as a cook", "Works at Roma"],
        ["No longer works as a cook", "No longer works at Roma"],
    ),
]


@pytest.mark.parametrize(("text", "before", "after"), ENDED)
def test_what_is_over_is_shown_no_more(text: str, before: list[str], after: list[str]) -> None:
    memory = Memory(before)

    told = memory.tell(text)

    assert list(memory.rows.values()) == after
    assert "updated that: you" in told.reply


@pytest.mark.parametrize("facts", [["Is allergic to nuts and cats"], ["Is allergic to nuts", "Is allergic to cats"]])
def test_where_several_can_be_over_the_person_is_asked(facts: list[str]) -> None:
    memory = Memory(facts)

    told = memory.tell("my allergy is gone")

    assert told.reply == "Which one do you mean? I know that you are allergic to nuts and are allergic to cats."
    assert list(memory.rows.values()) == facts


@pytest.mark.parametrize("text", ["I can eat nuts", "my allergy is gone", "my nut allergy is gone"])
def test_the_end_of_what_is_not_known_changes_nothing_and_says_so(text: str) -> None:
    told = Memory(["Likes tea"]).tell(text)

    assert not {"extract_memory", "update_memory", "remove_memory"} & set(told.names())
    assert told.reply == "I have no note that says otherwise, so there is nothing to change."
