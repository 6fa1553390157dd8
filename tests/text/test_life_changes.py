"""What matters more in a life, on the made-up pairs of tests/data/weightier*.txt."""

from pathlib import Path

import pytest

from app.memory.episodes.significance import weigh
from app.text.life_changes import MOST, units, weight

DATA = Path(__file__).parents[1] / "data"


def pairs(name: str) -> list[tuple[str, str]]:
    lines = (DATA / f"{name}.txt").read_text().splitlines()
    told = [line.split(" > ") for line in lines if line and not line.startswith("#")]
    return [(more, less) for more, less in told]


@pytest.mark.parametrize(("more", "less"), pairs("weightier"), ids=lambda words: words)
def test_what_matters_more_weighs_more(more: str, less: str) -> None:
    assert weight(more) > weight(less)
    assert weigh([more]).importance > weigh([less]).importance


def test_what_was_written_after_the_scale_is_told_apart_as_well() -> None:
    unseen = pairs("weightier_unseen")
    right = [more for more, less in unseen if weight(more) > weight(less)]
    assert len(right) >= 0.95 * len(unseen)
    assert len(unseen) >= 40
    assert len(pairs("weightier")) >= 60


@pytest.mark.parametrize(
    ("words", "least", "most"),
    [
        ("My wife died", 0.9, 1.0),
        ("My father Walter died", 0.75, 0.9),
        ("I was diagnosed with cancer", 0.7, 0.85),
        ("I lost my job today", 0.65, 0.8),
        ("We are moving to Lisbon", 0.45, 0.6),
        ("My favourite colour is blue", 0.2, 0.35),
    ],
)
def test_importance_stands_where_the_summariser_is_told_to_put_it(words: str, least: float, most: float) -> None:
    assert least <= weigh([words]).importance <= most


def test_a_second_loss_adds_to_the_first_and_nothing_is_above_the_scale() -> None:
    assert weight("I lost my job and my wife left me") > weight("I lost my job")
    assert weight("My wife died and I have cancer and lost my job and we are getting divorced") == MOST


def test_r66_a_text_of_a_hundred_thousand_characters_is_weighed() -> None:
    for words in ("word " * 20_000, "lost my " * 12_500, "got a new " * 10_000, "去" * 100_000):
        assert set(units(words).values()) <= {37.0, 36.0}
