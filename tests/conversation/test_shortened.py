"""A text too long to be shown whole."""

import re

from hypothesis import given
from hypothesis import strategies as st

from app.conversation.memory_shown import shortened
from app.memory.facts.selection import estimate_tokens

MARK = re.compile(r"\n\[([\d,]+) characters are left out here, because the text is too long to be shown whole\.\]\n")


def test_a_text_that_fits_is_shown_as_it_is() -> None:
    assert shortened("a" * 300, 100) == "a" * 300
    assert MARK.search(shortened("a" * 301, 100))


def test_the_beginning_and_the_end_are_shown_and_the_rest_is_counted() -> None:
    text = "Sum this up: " + "word " * 5000 + "What do you think?"
    shown = shortened(text, 400)
    head, left_out, tail = MARK.split(shown)
    assert head.startswith("Sum this up: word")
    assert tail.endswith("word What do you think?")
    assert len(head) + int(left_out.replace(",", "")) + len(tail) == len(text)
    assert abs(len(head) - len(tail)) < 10


def test_no_number_is_cut_into_another_number() -> None:
    numbers = [str(number) for number in range(100_000, 102_000)]
    shown = MARK.sub(" ", shortened(" ".join(numbers), 500))
    assert set(shown.split()) <= set(numbers)


@given(st.text(alphabet=st.sampled_from("ab é字👍🏽\n\u200d"), max_size=60), st.integers(1, 60), st.integers(60, 400))
def test_what_is_shown_fits_whatever_the_script(piece: str, times: int, max_tokens: int) -> None:
    text = piece * times
    shown = shortened(text, max_tokens)
    assert estimate_tokens(shown) <= max_tokens
    marks = MARK.split(shown)
    assert text.startswith(marks[0])
    assert text.endswith(marks[-1])
