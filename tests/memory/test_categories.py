"""The table of categories, and what follows from it."""

import re

import pytest

from app.memory.facts.categories import (
    CATEGORIES,
    NAMED,
    OF_CONSTRAINTS,
    Category,
    importance_of,
    is_constraint,
    is_passing,
    topic_of,
    topics,
)
from app.tools.facts import extract_memory
from app.tools.registry import definition


def test_the_model_is_told_of_the_named_ones() -> None:
    facts = definition(extract_memory)["input_schema"]["properties"]["facts"]["items"]

    assert facts["properties"]["category"]["description"] == NAMED
    for one in CATEGORIES:
        assert (one.name in re.split(", | or ", NAMED)) == one.is_named


@pytest.mark.parametrize("category", [one for one in CATEGORIES if one.is_constraint], ids=lambda one: one.name)
def test_what_limits_is_always_shown_and_never_put_away(category: Category) -> None:
    for name in (category.name, category.name.title()):
        assert is_constraint("Likes peanuts", name)
        assert importance_of("Likes peanuts", name) == OF_CONSTRAINTS
        assert not is_passing("Likes peanuts", name)


@pytest.mark.parametrize("category", [one for one in CATEGORIES if one.topic], ids=lambda one: one.name)
def test_a_fact_is_about_what_its_category_is_about(category: Category) -> None:
    assert topic_of(category.name.upper()) == category.topic
    assert category.topic in topics("Said so", category.name)


def test_other_categories_are_names_and_nothing_else() -> None:
    assert not is_constraint("Likes peanuts", "food")
    assert not is_constraint("Likes peanuts", "snacks")
    assert not is_constraint("Likes peanuts", None)
    assert topic_of("snacks") is topic_of(None) is None


def test_what_has_one_answer_counts_for_more_than_the_rest() -> None:
    assert importance_of("Is allergic to peanuts", None) == OF_CONSTRAINTS
    assert importance_of("Lives in Lima", None) > importance_of("Likes tea", None)
