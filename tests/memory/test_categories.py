"""The table of categories, and what follows from it: little may be archived for want of use."""

import re

import pytest

from app.memory.facts.categories import (
    CATEGORIES,
    NAMED,
    OF_CONSTRAINTS,
    Category,
    answered_question,
    importance_of,
    is_constraint,
    is_passing,
    same_question,
    topics,
)
from app.tools.facts import extract_memory
from app.tools.registry import definition


def test_the_model_is_told_of_the_named_ones() -> None:
    facts = definition(extract_memory)["input_schema"]["properties"]["facts"]["items"]

    assert facts["properties"]["category"]["description"] == NAMED
    for one in CATEGORIES:
        assert (one.name in re.split(", | or ", NAMED)) == one.is_named


@pytest.mark.parametrize("category", CATEGORIES, ids=lambda one: one.name)
def test_what_limits_is_always_shown_and_a_fact_is_about_what_its_category_is_about(category: Category) -> None:
    for name in (category.name, category.name.title()):
        assert is_constraint("Likes peanuts", name) == category.is_constraint
        assert (importance_of("Likes peanuts", name) == OF_CONSTRAINTS) == category.is_constraint
        assert not (category.is_constraint and is_passing("Likes peanuts", name))
    assert topics("Said so", category.name.upper()) == {category.topic} - {None}


PASSING = [
    "Likes black coffee", "Loves long runs", "Wants to learn the piano", "Prefers window seats on flights",
    "Drinks two coffees a day",
]  # fmt: skip
STAYS = {
    "names and people": ["Has a sister named Ana", "Likes the band Radiohead", "Loves Max", "Likes to be called Sam"],
    "what limits": ["Is allergic to nuts", "Eats no pork", "Prefers lactose-free milk", "Hates milk"],
    "who somebody is": ["Works as a nurse", "Likes to cook for work", "Plays the cello", "Pronouns are they/them"],
    "health and manners": ["Likes walking on crutches", "Prefers short answers"],
    "what the words here do not know": ["Le gusta el café", "Likes the colour green", ""],
}  # fmt: skip


@pytest.mark.parametrize("sentence", PASSING)
def test_a_taste_or_a_pastime_is_passing(sentence: str) -> None:
    assert is_passing(sentence, None)
    assert is_passing(sentence, "preferences")
    assert not is_passing(sentence, "health"), "whoever gave it that category knows more than its words"


@pytest.mark.parametrize("why", STAYS)
def test_what_matters_and_what_nobody_can_tell_is_not(why: str) -> None:
    assert [sentence for sentence in STAYS[why] if is_passing(sentence, None)] == []


QUESTIONS = [
    ("Lives in Lima", "home"), ("Works as a nurse", "work"), ("Birthday is 4 May", "birthday"),
    ("Is 34 years old", "age"), ("Pronouns are they/them", "pronouns"), ("Is a vegan", "diet"),
    ("Is married to Ana", "partner"), ("Likes tea", None),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "name"), QUESTIONS)
def test_a_question_with_one_answer_at_a_time_is_recognised(sentence: str, name: str | None) -> None:
    assert answered_question(sentence) == name
    assert same_question(sentence, "Lives in Cusco") == (name == "home")


LIMITS = (
    "Is allergic to peanuts|Has a nut allergy|Is lactose intolerant|Has coeliac disease|Is diabetic|Eats halal|"
    "Pronouns are they/them|Quiet hours are 21 to 8|Never suggest pork|Uses a wheelchair|Is pregnant|Can't eat gluten|"
    "Can’t have gluten|Doesn't eat meat|Does not drink alcohol"
)


@pytest.mark.parametrize("sentence", LIMITS.split("|"))
def test_what_must_stay_in_sight_is_a_constraint(sentence: str) -> None:
    assert is_constraint(sentence)
