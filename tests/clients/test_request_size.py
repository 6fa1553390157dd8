"""How large a request is taken to be before anybody has counted it."""

import pytest

from app.clients.prices import PICTURE_TOKENS, tokens_about, tokens_at_most


def asked(words: object) -> dict[str, object]:
    return {"messages": [{"role": "user", "content": words}]}


EMPTY = tokens_at_most(asked(""))


@pytest.mark.parametrize(
    ("words", "tokens"),
    [
        ("a quiet afternoon in the garden", 7),  # As OpenAI's and Anthropic's tokenisers count them, or above.
        ("\U0001f600" * 100, 300),
        ("1234567890" * 10, 100),
        ("我喜欢喝咖啡", 12),
        ("#$%&*" * 20, 100),
    ],
)
def test_no_words_are_taken_for_fewer_tokens_than_they_have(words: str, tokens: int) -> None:
    assert tokens_at_most(asked(words)) - EMPTY >= tokens


def test_prose_is_taken_for_about_twice_what_it_is() -> None:
    prose = "She walked down to the harbour and watched the boats come in one after another. " * 50
    assert len(prose) / 4 < tokens_at_most(asked(prose)) - EMPTY < len(prose) * 0.6


def test_a_picture_counts_by_what_the_api_makes_of_it_and_not_by_its_bytes() -> None:
    source = {"type": "base64", "media_type": "image/jpeg", "data": "A" * 4_000_000}
    picture = asked([{"type": "image", "source": source}, {"type": "text", "text": "What is this?"}])
    for count in (tokens_at_most, tokens_about):
        assert PICTURE_TOKENS < count(picture) < PICTURE_TOKENS + 200


def test_half_a_character_is_no_hindrance() -> None:
    assert tokens_at_most(asked("a\ud800b")) > EMPTY
