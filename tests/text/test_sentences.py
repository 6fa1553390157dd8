"""Where sentences end, on made-up texts in tests/data/sentence_ends.txt."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.services.model import SaidText
from app.text.sentences import breaks, sentences
from app.text.shown_texts import shown_words
from tests.contracts.test_summarisers import BEGAN

LINES = (Path(__file__).parents[1] / "data" / "sentence_ends.txt").read_text().splitlines()
TOLD = [line.split(" | ") for line in LINES if line and not line.startswith("#")]


def written(told: list[str]) -> str:
    """The sentences as one text: without blanks after the marks that need none."""
    return "".join(one if one.endswith(tuple("。！？")) else f"{one} " for one in told).strip()


@pytest.mark.parametrize("told", TOLD, ids=lambda told: told[0])
def test_a_sentence_ends_where_one_does(told: list[str]) -> None:
    assert sentences(written(told)) == told
    assert sentences("\n".join(told)) == told


def test_a_text_without_an_end_is_one_sentence_and_small_words_that_look_like_days_end_one() -> None:
    assert len(TOLD) >= 60
    assert sentences("") == [""]
    assert sentences("so I told her... ") == ["so I told her... "]
    apart = ["We sat.", "nobody spoke.", "We lay in the sun.", "then it rained."]
    assert sentences(" ".join(apart)) == apart


@given(st.text(alphabet="aB1. !?…\n\"'。」．²Dr-"))
def test_whatever_the_text_nothing_of_it_is_lost_but_blanks(words: str) -> None:
    assert all(not words[start:end].strip() for start, end in breaks(words))
    assert "".join("".join(sentences(words)).split()) == "".join(words.split())


def test_r66_a_text_of_a_hundred_thousand_characters_is_parted() -> None:
    for words in ("." * 100_000, ". " * 50_000, "a." * 50_000, "。" * 100_000, '."' * 50_000, "J. " * 33_000):
        assert sentences(words)


def test_a_secret_goes_with_all_of_its_sentence() -> None:
    text = SaidText(BEGAN, True, "The door code of Dr. Lee is 4711. I moved to Lisbon.", ())
    assert shown_words(text) == "[left out: a secret]. I moved to Lisbon."
