"""What tells something and what is only asked, on the made-up sentences of tests/data/asked.txt."""

from pathlib import Path

import pytest

from app.text.asked import tells_something

LINES = (Path(__file__).parents[1] / "data" / "asked.txt").read_text().splitlines()


@pytest.mark.parametrize("words", [line[2:] for line in LINES if line.startswith("? ")])
def test_what_is_asked_of_the_assistant_tells_nothing(words: str) -> None:
    assert not tells_something(words)


@pytest.mark.parametrize("words", [line[2:] for line in LINES if line.startswith(". ")])
def test_what_happened_tells_something_whatever_its_form(words: str) -> None:
    assert tells_something(words)


def test_r66_a_text_of_a_hundred_thousand_characters_is_read() -> None:
    for words in ("word " * 20_000, "so, " * 25_000, "ne " * 30_000, "记得" * 50_000, "what " * 20_000, "?" * 100_000):
        assert tells_something(words)
        assert isinstance(tells_something(words[:400]), bool)
