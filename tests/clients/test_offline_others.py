"""Relatives, friends and animals: their ages, what is said of them, and who `she` is."""

import pytest

from tests.clients.offline_memory import Memory

NOVEMBER = " in November 2026"
LEO, MIA = f"Leo was 7 years old{NOVEMBER}", f"Mia was 4 years old{NOVEMBER}"

AGES = [
    ("my son Leo is 7 and my daughter Mia, 4", ["Has a son named Leo", "Has a daughter named Mia", LEO, MIA]),
    ("I have two kids, Leo (7) and Mia (4)", ["Has two kids named Leo and Mia", LEO, MIA]),
    ("i have two kids, leo (7) and mia (4)", ["Has two kids named Leo and Mia", LEO, MIA]),
    ("we have two kids: Leo, 7, and Mia, 4.", ["Has two kids named Leo and Mia", LEO, MIA]),
    ("my kids are Leo (7) and Mia (4)", ["Has kids named Leo and Mia", LEO, MIA]),
    ("my son leo is seven", ["Has a son named Leo", LEO]),
    ("my son Leo is 7 and loves trains", ["Has a son named Leo who loves trains", LEO]),
    (
        "my dog Rex, 3, is afraid of cats",
        ["Has a dog named Rex who is afraid of cats", f"Rex was 3 years old{NOVEMBER}"],
    ),
    ("I have a daughter Mia who is 4", ["Has a daughter named Mia", MIA]),
    ("I have a 7 year old son named Leo", ["Has a son named Leo", LEO]),
    ("my daughter Mia is 8 months old", ["Has a daughter named Mia", f"Mia was 8 months old{NOVEMBER}"]),
    ("my kids are 7 and 4", [f"Kids were 7 and 4 years old{NOVEMBER}"]),
    ("I have three kids aged 3, 5 and 9", [f"Has three kids who were 3, 5 and 9 years old{NOVEMBER}"]),
    ("my son Will is 7", ["Has a son named Will", f"Will was 7 years old{NOVEMBER}"]),
    ("my dog Rex is 3", ["Has a dog named Rex", f"Rex was 3 years old{NOVEMBER}"]),
]


@pytest.mark.parametrize(("text", "facts"), AGES)
def test_names_and_ages_are_kept_whole_and_stay_true(text: str, facts: list[str]) -> None:
    memory = Memory()

    told = memory.tell(text)

    assert list(memory.rows.values()) == facts
    assert "didn't catch" not in told.reply
    assert NOVEMBER not in told.reply
    assert "you will" not in told.reply


def test_an_age_that_was_told_later_takes_the_place_of_the_earlier_one() -> None:
    memory = Memory(["Has a son named Leo", "Leo was 7 years old in May 2026"])

    assert memory.tell("Leo is 8 now").reply == "Thanks, I've updated that: Leo is 8 years old."
    assert memory.tell("how old is Leo?").reply == "Leo was 8 years old in November 2026."
    assert memory.tell("how old is my son?").reply.endswith("Leo was 8 years old in November 2026.")


@pytest.mark.parametrize("text", ["My sister Ana left Lima, 3 of us went", "my dog Max is 3 kg", "I live in Leeds, 7"])
def test_a_number_that_is_no_age_is_none(text: str) -> None:
    assert not any("years old" in fact for fact in Memory().tell(text).facts())


FOLLOWED = [
    ("My sister Ana lives in Lima.", "She's a nurse.", ["Ana is a nurse"]),
    ("My sister Ana lives in Lima.", "shes a nurse", ["Ana is a nurse"]),
    ("My sister Ana lives in Lima.", "Her birthday is 3 May", ["Ana's birthday is 3 May"]),
    ("I have a dog named Max.", "He's afraid of thunder", ["Max is afraid of thunder"]),
    ("my cat is called Tom", "its favourite food is tuna", ["Tom's favourite food is tuna"]),
    ("my mum called", "she just started working at Acme", ["Mum works at Acme"]),
    ("my mum called", "she has asthma", ["Mum has asthma"]),
    ("my mum called", "she has two cats", ["Mum has two cats"]),
    ("my mum called", "she is in hospital", [f"Mum was in hospital{NOVEMBER}"]),
    ("my mum called", "she's 72", [f"Mum was 72 years old{NOVEMBER}"]),
    ("my mum called", "her name is Rosa", ["Has a mum named Rosa"]),
    ("My brother Tom met my sister Ana", "she is a nurse", ["Ana is a nurse"]),
]


@pytest.mark.parametrize(("first", "then", "facts"), FOLLOWED)
def test_a_pronoun_means_the_one_whom_the_text_before_names(first: str, then: str, facts: list[str]) -> None:
    memory = Memory()
    memory.tell(first)

    assert memory.tell(then).facts() == facts


def test_a_talk_about_one_person_is_followed_and_questions_are_too() -> None:
    memory = Memory()
    for text in ("My sister Ana lives in Lima.", "She's a nurse.", "Her birthday is 3 May"):
        memory.tell(text)

    assert memory.tell("Where does she live?").reply == "You have a sister named Ana who lives in Lima."
    assert memory.tell("when is her birthday?").reply == "Ana's birthday is 3 May."
    memory.tell("She moved to Boston")
    assert list(memory.rows.values()) == [
        "Has a sister named Ana", "Ana is a nurse", "Ana's birthday is 3 May", "Ana lives in Boston",
    ]  # fmt: skip
    memory.tell("forget about her")
    assert list(memory.rows.values()) == []


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("I like tea", "She's a nurse"),
        ("my sister Ana and my friend Eva came over", "she is a nurse"),
        ("My brother Tom lives in Rome", "she is a nurse"),
        ("My sister Ana lives in Lima. I like tea.", "he works at Fiat"),
        ("I like tea", "where does she live?"),
        ("I like tea", "forget about him"),
        ("I love my kids", "who is she?"),
    ],
)
def test_a_pronoun_that_can_mean_nobody_or_several_is_asked_about(first: str, then: str) -> None:
    memory = Memory()
    memory.tell(first)

    told = memory.tell(then)

    assert not {"extract_memory", "update_memory", "remove_memory"} & set(told.names())
    assert told.reply.startswith("I can't tell who ")


def test_a_pronoun_does_not_reach_past_a_text_on_something_else() -> None:
    memory = Memory()
    memory.tell("My sister Ana lives in Lima.")
    memory.tell("I like tea")

    assert memory.tell("She's a nurse").reply.startswith('I can\'t tell who "she" is.')


@pytest.mark.parametrize("text", ["it is a nice day", "it is raining", "she is coming tomorrow", "he is sick"])
def test_what_does_not_last_is_not_kept_of_anybody(text: str) -> None:
    memory = Memory()
    memory.tell("I have a dog named Max.")

    assert memory.tell(text).facts() == []


@pytest.mark.parametrize(
    ("text", "known", "added"),
    [
        ("Ana is a nurse", "Has a sister named Ana", "Ana is a nurse"),
        ("ana's birthday is 3 May", "Has a sister named Ana", "Ana's birthday is 3 May"),
        ("My sister Ana is a nurse", "Has a sister named Ana", "Ana is a nurse"),
        ("my sister likes tea", "Has a sister named Ana", "Ana likes tea"),
        ("my sister likes tea", "Likes jazz", "Sister likes tea"),
    ],
)
def test_what_is_said_of_somebody_known_is_kept_by_their_name(text: str, known: str, added: str) -> None:
    memory = Memory([known])
    memory.tell(text)

    assert list(memory.rows.values()) == [known, added]


def test_naming_one_of_two_leaves_the_other_alone() -> None:
    memory = Memory(["Has a sister named Ana", "Has a sister"])
    memory.tell("her name is Eva")

    assert list(memory.rows.values()) == ["Has a sister named Ana", "Has a sister named Eva"]


def test_whoever_is_known_by_name_is_known() -> None:
    told = Memory(["Has a sister named Ana who lives in Lima"]).tell("I have a sister")

    assert (told.calls, told.reply) == ([], "I already know that you have a sister.")


BIRTHDAYS = [
    ("Leo's birthday is December 3", "Leo's birthday is December 3", "When is Leo's birthday?"),
    ("its 4 feb mums bday", "Mum's birthday is 4 February", "when is mum's birthday?"),
    ("Dec. 9 is Tom's birthday", "Tom's birthday is December 9", "when's toms bday"),
    ("It's Emma's birthday on March 3", "Emma's birthday is March 3", "what day is Emma's birthday?"),
    ("Priya's bday: 4th of feb", "Priya's birthday is 4th of February", "Priya's birthday?"),
]


@pytest.mark.parametrize(("text", "fact", "question"), BIRTHDAYS)
def test_the_birthday_of_somebody_else_is_kept_and_told(text: str, fact: str, question: str) -> None:
    memory = Memory(["Ana's birthday is 1 February", "Sister's birthday is 5 May"])

    memory.tell(text)

    assert list(memory.rows.values())[2:] == [fact]
    assert memory.tell(question).reply.removeprefix("Your ").casefold() == f"{fact}.".casefold()


def test_a_birthday_that_is_put_right_is_changed_and_an_unknown_one_is_not_made_up() -> None:
    memory = Memory(["Leo's birthday is December 3"])

    memory.tell("no, Leo's birthday is December 4")

    assert list(memory.rows.values()) == ["Leo's birthday is December 4"]
    assert memory.tell("When is Zoe's birthday?").reply.startswith("I don't know that yet.")


@pytest.mark.parametrize("text", ["Today is Tom's birthday", "Leo's birthday is on a Thursday", "its 4 feb"])
def test_a_birthday_without_its_date_is_not_kept(text: str) -> None:
    assert not any("birthday" in fact for fact in Memory().tell(text).facts())
