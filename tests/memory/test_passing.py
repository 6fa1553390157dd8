"""What may be archived for want of use: little, and nothing that matters."""

import pytest

from app.memory.facts.categories import is_passing


@pytest.mark.parametrize(
    "sentence",
    [
        "Likes black coffee",
        "Loves long runs",
        "Really enjoys jazz",
        "Wants to learn the piano",
        "Reads crime novels",
        "Prefers window seats on flights",
        "Drinks two coffees a day",
    ],
)
def test_a_taste_or_a_pastime_is_passing(sentence: str) -> None:
    assert is_passing(sentence, None)
    assert is_passing(sentence, "preferences")
    assert not is_passing(sentence, "health"), "whoever gave it that category knows more than its words"


@pytest.mark.parametrize(
    "sentence",
    [
        # Names, people and animals.
        "Has a sister named Ana",
        "Likes tea with her sister",
        "Likes the band Radiohead",
        "Loves Max",
        "Loves her dog",
        "Likes to be called Sam",
        # What limits.
        "Is allergic to nuts",
        "Is vegan",
        "Eats no pork",
        "Drinks no wine",
        "Eats only vegetables",
        "Prefers lactose-free milk",
        "Hates milk",
        "Pronouns are they/them",
        # Who somebody is, and where.
        "Works as a nurse",
        "Lives in Lima",
        "Likes to cook for work",
        "Is left-handed",
        "Plays the cello",
        "Teaches piano",
        "Turned 40 in May",
        # Health, and how they want things done.
        "Likes walking on crutches",
        "Drinks too much wine",
        "Prefers short answers",
        "Prefers to be texted in the evening",
        # What the words here do not know.
        "Le gusta el café",
        "Mag Kaffee",
        "Likes the colour green",
        "",
    ],
)
def test_what_matters_and_what_nobody_can_tell_is_not(sentence: str) -> None:
    assert not is_passing(sentence, None)
