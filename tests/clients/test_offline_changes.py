"""Corrections and forgetting, played through the tool loop."""

import pytest

from tests.clients.offline_memory import Memory

CORRECTIONS = [
    ("I moved to Seattle", ["Lives in Portland"], ["Lives in Seattle"]),
    ("I've just moved to Seattle last month", ["Lives in Portland"], ["Lives in Seattle"]),
    ("Actually I live in Seattle", ["Lives in Portland"], ["Lives in Seattle"]),
    ("I live in Seattle now", ["Lives in Portland"], ["Lives in Seattle"]),
    ("I live in Seattle", ["Lives in Portland"], ["Lives in Seattle"]),
    ("I don't like coffee anymore", ["Likes coffee"], ["Dislikes coffee"]),
    ("i dont like coffee any more", ["Likes black coffee"], ["Dislikes coffee"]),
    ("I no longer like coffee", ["Loves coffee"], ["Dislikes coffee"]),
    ("I hate coffee", ["Likes coffee"], ["Hates coffee"]),
    ("I like mushrooms now", ["Dislikes mushrooms"], ["Likes mushrooms"]),
    ("no, my dog is called Rex", ["Has a dog named Max"], ["Has a dog named Rex"]),
    ("my dog is called Rex, not Max", ["Has a dog named Max"], ["Has a dog named Rex"]),
    ("My dog isn't called Max, it's called Rex", ["Has a dog named Max"], ["Has a dog named Rex"]),
    ("my dog is called Rex", ["Has a dog"], ["Has a dog named Rex"]),
    ("it's not Synology, it's fnos", ["Has a Synology NAS"], ["Has a fnos NAS"]),
    ("It’s fnos, not Synology", ["Uses a Synology server"], ["Uses a fnos server"]),
    ("I'm not a teacher, I'm a nurse", ["Works as a teacher"], ["Works as a nurse"]),
    ("I work at Dell", ["Works at Acme"], ["Works at Dell"]),
    ("I work at Dell now", ["Works as a cook at Acme"], ["Works as a cook at Dell"]),
    ("I got a new job at Dell", ["Works at Acme"], ["Works at Dell"]),
    ("I don't work at Acme anymore", ["Works at Acme"], ["No longer works at Acme"]),
    ("I'm not vegetarian anymore", ["Is vegetarian"], ["Is not vegetarian"]),
    ("I'm vegan now", ["Is vegetarian"], ["Is vegan"]),
    ("I'm not allergic to peanuts", ["Is allergic to peanuts"], ["Is not allergic to peanuts"]),
    ("my favorite color is red", ["Favourite colour is green"], ["Favorite color is red"]),
    ("my birthday is actually May 4", ["Birthday is May 3"], ["Birthday is May 4"]),
    ("my pronouns are she/her", ["Uses they/them pronouns"], ["Uses she/her pronouns"]),
    ("I'm divorced", ["Is married"], ["Is divorced"]),
    ("I'm 35", ["Is 34 years old"], ["Was 35 years old in November 2026"]),
    ("my locker isn't 42, it's 43", ["Locker is 42"], ["Locker is 43"]),
    ("I live in Seattle, not Portland", ["Lives in Portland"], ["Lives in Seattle"]),
    ("my locker is 43", ["Locker is 42"], ["Locker is 43"]),
    ("I wake up at 7 now", ["Wakes up at 6"], ["Wakes up at 7"]),
    ("no, my wife is called Eva", ["Has a wife named Ana"], ["Has a wife named Eva"]),
    ("Actually, I drive a Fiat", ["Drives a Tesla"], ["Drives a Fiat"]),
    ("I don't have a dog anymore", ["Has a dog named Max"], ["No longer has a dog"]),
    ("Change my dog's name to Rocky", ["Has a dog named Max"], ["Has a dog named Rocky"]),
    ("can you change my dog's name to Rocky?", ["Has a dog named Max"], ["Has a dog named Rocky"]),
    ("no wait, his name is Milo", ["Has a dog named Max"], ["Has a dog named Milo"]),
    ("his name is Milo", ["Has a dog"], ["Has a dog named Milo"]),
    ("I quit my job", ["Works as a cook at Roma"], ["No longer works as a cook at Roma"]),
    ("I lost my job", ["Works as a cook"], ["No longer works as a cook"]),
]


@pytest.mark.parametrize(("text", "before", "after"), CORRECTIONS)
def test_a_correction_changes_the_fact_that_it_replaces(text: str, before: list[str], after: list[str]) -> None:
    memory = Memory([*before, "Speaks Spanish"], timezone="America/Los_Angeles")

    told = memory.tell(text)

    assert list(memory.rows.values()) == [*after, "Speaks Spanish"]
    of_home = ["update_profile"] if after[0].startswith("Lives in") else []
    assert told.names() == ["list_memories", *of_home, "update_memory"]
    assert "I've updated that: you" in told.reply
    assert "time zone" not in told.reply


ADDITIONS = [
    ("I have a dog named Rex", ["Has a dog named Max"], "Has a dog named Rex"),
    ("I like tea", ["Likes coffee"], "Likes tea"),
    ("I like coffee cake", ["Dislikes coffee"], "Likes coffee cake"),
    ("I speak French", ["Speaks Spanish"], "Speaks French"),
    ("I work as a cook", ["Works at Acme"], "Works as a cook"),
    ("I have a sister named Eva", ["Has a sister named Ana"], "Has a sister named Eva"),
    ("I'm allergic to cats", ["Is allergic to peanuts"], "Is allergic to cats"),
    ("I live with my wife", ["Lives in Portland"], "Lives with their wife"),
    ("Actually, I like tea", ["Has a dog named Max"], "Likes tea"),
    ("I moved to Seattle", [], "Lives in Seattle"),
    ("I don't like coffee anymore", [], "Dislikes coffee"),
]


@pytest.mark.parametrize(("text", "before", "added"), ADDITIONS)
def test_what_replaces_nothing_is_added(text: str, before: list[str], added: str) -> None:
    memory = Memory(before)

    told = memory.tell(text)

    assert list(memory.rows.values()) == [*before, added]
    assert "I'll remember that you" in told.reply


FORGOTTEN = [
    ("forget about my dog", ["Has a dog named Max"]),
    ("Forget about Max", ["Has a dog named Max"]),
    ("please forget my dog", ["Has a dog named Max"]),
    ("can you forget about my dog?", ["Has a dog named Max"]),
    ("Forget that I have a dog", ["Has a dog named Max"]),
    ("delete everything about my dog please", ["Has a dog named Max"]),
    ("forget about my puppy", ["Has a dog named Max"]),
    ("forget about my pets", ["Has a dog named Max", "Has two cats"]),
    ("forget about my dog", ["Has a golden retriever named Max", "Max is afraid of thunder"]),
    ("forget about Max", ["Has a dog named Max", "Dog is 3 years old"]),
    ("forget that I like coffee", ["Likes black coffee"]),
    ("Forget what I said about coffee", ["Likes black coffee"]),
    ("remove my address", ["Address is 12 Oak Street"]),
    ("forget where I live", ["Lives in Portland"]),
    ("forget my job", ["Works as a cook", "Works at Acme"]),
    ("erase my birthday", ["Birthday is May 3"]),
    ("forget my allergies", ["Is allergic to peanuts"]),
    ("forget about my sister", ["Has a sister named Ana"]),
    ("forget about my mom", ["Has a mother named Eva"]),
    ("forget that my locker is 42", ["Locker is 42"]),
    ("you should forget about Max", ["Has a dog named Max"]),
    ("I don't want you to remember my address", ["Address is 12 Oak Street"]),
    ("stop remembering my favorite color", ["Favourite colour is green"]),
]


@pytest.mark.parametrize(("text", "gone"), FORGOTTEN)
def test_forgetting_finds_every_fact_that_says_so(text: str, gone: list[str]) -> None:
    kept = ["Loves dogs", "Speaks French", "Has a fish tank from Ikea"]
    memory = Memory([*kept[:1], *gone, *kept[1:]])

    told = memory.tell(text)

    assert list(memory.rows.values()) == kept
    assert told.names() == ["list_memories", "remove_memory"]
    assert told.reply.startswith("Done, I've forgotten that you")


@pytest.mark.parametrize("text", ["forget number 2", "forget 2 and 3", "Delete fact #2, please", "forget numbers 2, 3"])
def test_a_number_is_that_of_the_list(text: str) -> None:
    memory = Memory(["Likes tea", "Lives in Lima", "Has 2 dogs"])

    told = memory.tell(text)

    assert list(memory.rows.values()) == ["Likes tea", *([] if "3" in text else ["Has 2 dogs"])]
    assert told.reply.startswith("Done, I've forgotten that you live in Lima")


def test_a_number_that_is_in_no_list_is_said_not_to_be() -> None:
    memory = Memory(["Has 9 lives"])
    assert memory.tell("forget number 9").reply == "I don't have anything about number 9."
    assert list(memory.rows.values()) == ["Has 9 lives"]


@pytest.mark.parametrize(
    "text",
    [
        "forget what I said today",
        "forget yesterday",
        "forget everything I told you on Friday",
        "forget what I told you yesterday about work",
        "forget the last thing I said",
        "delete our conversation",
    ],
)
def test_what_was_said_at_a_time_is_not_said_to_be_unknown(text: str) -> None:
    memory = Memory(["Works at Acme", "Exam is on Friday 27 November 2026"])

    told = memory.tell(text)

    assert told.calls == []
    assert told.reply.startswith("I can't pick out what you said at one time. Tell me what it was about")


def test_two_that_are_named_together_are_forgotten_each() -> None:
    told = Memory(["Has a sister named Ana"]).tell("forget about my sister and my boss")

    assert told.calls[-1] == ("remove_memory", {"fact_ids": [1], "about": ["my sister", "my boss"]})


def test_what_is_not_known_cannot_be_forgotten() -> None:
    told = Memory(["Likes tea"]).tell("forget about my hamster")

    assert told.calls == [("list_memories", {}), ("remove_memory", {"fact_ids": [], "about": ["my hamster"]})]
    assert told.reply == "I don't have anything about your hamster."


def test_a_fact_that_is_not_known_cannot_be_forgotten() -> None:
    assert Memory().tell("forget that I like tea").reply == "I have nothing that says you like tea."


def test_a_liking_verb_alone_finds_nothing_to_forget() -> None:
    memory = Memory(["Likes tea, coffee, long walks"])

    assert memory.tell("forget that I like you").reply == "I have nothing that says you like you."
    assert memory.tell("forget like").reply == "I don't have anything about like."
    assert list(memory.rows.values()) == ["Likes tea, coffee, long walks"]


def test_forgetting_ones_allergies_keeps_those_of_the_family() -> None:
    memory = Memory(["Is allergic to nuts", "Son is allergic to bees"])
    memory.tell("forget my allergies")

    assert list(memory.rows.values()) == ["Son is allergic to bees"]


@pytest.mark.parametrize(
    ("text", "known", "added"),
    [
        ("maya is 7", "Has a daughter named Maya", "Maya was 7 years old in November 2026"),
        ("Max is 3 years old", "Has a dog named Max", "Max was 3 years old in November 2026"),
        ("Leo just turned 5", "Has two sons named Ben and Leo", "Leo was 5 years old in November 2026"),
    ],
)
def test_the_age_of_somebody_whom_memory_names_is_kept(text: str, known: str, added: str) -> None:
    memory = Memory([known])

    told = added.replace(" was ", " is ").removesuffix(" in November 2026")
    assert memory.tell(text).reply == f"Got it. I'll remember that {told}."
    assert list(memory.rows.values()) == [known, added]


def test_the_age_of_a_known_person_is_put_right() -> None:
    memory = Memory(["Has a daughter named Maya", "Maya is 7 years old"])

    assert memory.tell("Actually, Maya is 8").reply == "Thanks, I've updated that: Maya is 8 years old."
    assert list(memory.rows.values()) == ["Has a daughter named Maya", "Maya was 8 years old in November 2026"]


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("no wait, his name is Milo", ["Has a dog named Max", "Has a cat named Tom"]),
        ("no, her name is Eva", ["Has a brother named Tom"]),
        ("no, its name is Rex", ["Has a sister named Ana"]),
        ("his name is Milo", ["Has a dog named Max"]),
    ],
)
def test_a_name_that_may_be_of_several_or_none_renames_nobody(text: str, facts: list[str]) -> None:
    memory = Memory(facts)

    assert memory.tell(text).reply.startswith("I can't tell whose name that is.")
    assert list(memory.rows.values()) == facts


def test_a_pronoun_finds_the_one_that_it_fits() -> None:
    memory = Memory(["Has a brother named Tom", "Has a sister named Ana"])
    memory.tell("no, her name is Eva")

    assert list(memory.rows.values()) == ["Has a brother named Tom", "Has a sister named Eva"]


def test_several_facts_and_the_name_are_kept_in_one_response() -> None:
    told = Memory().tell("I'm Alex, I work as a software engineer and I like black coffee. I have a dog named Max.")

    assert told.names() == ["update_profile", "extract_memory"]
    assert told.reply == (
        "Nice to meet you, Alex! I'll remember that you work as a software engineer, like black coffee and have a dog "
        "named Max."
    )


def test_what_memory_says_already_is_not_learned_again() -> None:
    told = Memory(["Likes black coffee"], name="Alex").tell("I'm Alex and I like black coffee")

    assert told.calls == []
    assert told.reply == "Yes, you're Alex. I already know that you like black coffee."


def test_a_duplicate_that_only_the_tool_knows_is_said_to_be_known() -> None:
    memory = Memory(["Likes black coffee"])
    memory.block = lambda: "<user_memory><facts></facts></user_memory>"  # type: ignore[method-assign]

    assert memory.tell("I like black coffee").reply == "I already know that you like black coffee."


def test_learning_changing_and_forgetting_in_one_text() -> None:
    memory = Memory(["Lives in Portland", "Has a dog named Max"])

    told = memory.tell("I moved to Seattle. Forget about my dog. I like tea.")

    assert sorted(memory.rows.values()) == ["Likes tea", "Lives in Seattle"]
    assert "I'll remember that you like tea." in told.reply
    assert "I've updated that: you live in Seattle." in told.reply
    assert "I've forgotten that you have a dog named Max." in told.reply


@pytest.mark.parametrize(
    ("text", "tool"),
    [
        ("I like tea", "extract_memory"),
        ("I moved to Seattle", "list_memories"),
        ("I moved to Seattle", "update_memory"),
        ("forget about my dog", "remove_memory"),
        ("call me Al", "update_profile"),
    ],
)
def test_a_failed_tool_is_never_called_done(text: str, tool: str) -> None:
    facts = ["Lives in Portland", "Has a dog named Max"]
    memory = Memory(facts, timezone="America/Los_Angeles", failing=frozenset({tool}))

    told = memory.tell(text)

    assert told.reply == "I'm sorry, that could not be kept just now. Please try again a little later."


def test_with_words_alone_nothing_is_claimed() -> None:
    told = Memory(["Likes tea"]).tell("I have a dog named Max", tools_allowed=False)

    assert told.calls == []
    assert told.reply == "I'm sorry, I can't change my memory just now. Please tell me again a little later."


def test_with_words_alone_questions_are_answered() -> None:
    assert Memory(["Likes tea"]).tell("do I like tea?", tools_allowed=False).reply == "Yes, you like tea."


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        ("I'm no longer a nurse", ["Works as a nurse"], ["No longer works as a nurse"]),
        ("I'm not married", ["Is married"], ["Is not married"]),
        ("I'm not from Chile, I'm from Peru", ["Is from Chile"], ["Is from Peru"]),
        ("I got divorced", ["Is married"], ["Is divorced"]),
        ("I don't have a wife", ["Has a wife named Ana"], ["Does not have a wife"]),
        ("you got my job wrong, I'm a nurse", ["Works as a cook"], ["Works as a nurse"]),
        ("change Acme to Dell", ["Works at Acme"], ["Works at Dell"]),
    ],
)
def test_what_is_over_takes_the_place_of_what_was(text: str, before: list[str], after: list[str]) -> None:
    memory = Memory(before)
    memory.tell(text)

    assert list(memory.rows.values()) == after


@pytest.mark.parametrize("text", ["I'm not tired", "I'm not a nurse", "I'm not ready"])
def test_a_denial_of_what_is_not_known_is_left(text: str) -> None:
    assert Memory(["Works as a cook at Acme"]).tell(text).facts() == []
