"""Facts that the offline model takes from a sentence: the person's own words, or nothing."""

import pytest

from app.features.offline.reading import read
from tests.features.offline.asked import lines


@pytest.mark.parametrize("line", lines("learned.txt"))
def test_a_simple_sentence_is_kept_in_its_words(line: str) -> None:
    text, _, kept = line.partition(" => ")
    facts, _, name = kept.partition("|")
    reading = read(text.replace("\\n", "\n"))
    assert ("; ".join(one.fact for one in reading.told), reading.name) == (facts.strip(), name.strip())
    assert reading.missed == []


@pytest.mark.parametrize("text", lines("not_learned.txt"))
def test_whatever_else_is_said_teaches_nothing(text: str) -> None:
    reading = read(text)
    assert ([one.fact for one in reading.told], reading.name) == ([], "")


@pytest.mark.parametrize(
    ("text", "before", "now", "was"),
    [
        ("no, it's May 4", "my birthday is May 3", "Birthday is May 4", "Birthday is May 3"),
        ("sorry, I meant Milo", "my dog is called Max", "Has a dog named Milo", "Has a dog named Max"),
        ("Actually it's Rome", "I live in Milan", "Lives in Rome", "Lives in Milan"),
        ("no, at 4", "my meeting is on Friday at 3", "Meeting is on Friday at 4", "Meeting is on Friday at 3"),
    ],
)
def test_a_few_words_put_right_what_was_said_last(text: str, before: str, now: str, was: str) -> None:
    [told] = read(text, before).told
    assert (told.fact, told.instead_of) == (now, was)
