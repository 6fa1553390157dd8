"""Limits of what the model is shown: a long text, a long past and a flood of texts each have their own room."""

import json
import re

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from app.conversation.context import NEWEST_MAX_TOKENS
from app.conversation.memory_shown import estimate_tokens, shortened
from app.services import Services
from app.web.application import create_app
from tests.asked_of_claude import conversation, newest
from tests.claude_server import ClaudeServer, say
from tests.fakes import InlineBackground
from tests.phoning import Phone
from tests.web.phone_door import text as post_text

MARK = re.compile(r"\n\[([\d,]+) characters are left out here, because the text is too long to be shown whole\.\]\n")
LEFT_OUT = "characters are left out here"
LETTER = "Dear Alex, this is a line of a letter. " * 2000  # 78,000 characters, about 26,000 tokens.


@pytest.fixture
def client(claude_services: Services) -> FlaskClient:
    return create_app(services=claude_services).test_client()


def test_a_long_text_is_shown_by_its_ends_and_kept_whole(alex: Phone, claude: ClaudeServer) -> None:
    claude.queue(say("I read its beginning and its end."))
    letter = f"Sum this up:\n{LETTER}\nWhat shall I answer?"
    alex.text(letter)
    shown = newest(claude.requests[-1])
    assert shown.startswith("Sum this up:\nDear Alex")
    assert shown.endswith("What shall I answer?")
    assert LEFT_OUT in shown
    assert estimate_tokens(shown) <= NEWEST_MAX_TOKENS
    assert [message.body for message in alex.messages("in")] == [letter]


def test_a_long_text_of_earlier_does_not_shut_out_what_came_before_it(alex: Phone, claude: ClaudeServer) -> None:
    claude.queue(say("Nice."), say("A long letter."), say("Max."))
    alex.text("My dog is called Max")
    alex.text(LETTER)
    alex.text("What is my dog called?")
    first, reply, letter, answer = (words for _, words in conversation(claude.requests[-1]))
    assert (first, reply, answer) == ("My dog is called Max", "Nice.", "A long letter.")
    assert letter.startswith("Dear Alex")
    assert LEFT_OUT in letter
    assert estimate_tokens(letter) <= 1500


def test_500_texts_are_one_request(client: FlaskClient, background: InlineBackground, claude: ClaudeServer) -> None:
    claude.queue(say("Hello."))
    post_text(client, "Hi")
    background.run()
    small, instructions, tools = size(claude), claude.requests[-1]["system"][0], claude.requests[-1]["tools"]
    for flood in range(3):
        claude.queue(say("That was a lot."))
        for number in range(500):
            assert post_text(client, f"{flood} {number} ".ljust(1600, "x")).status_code < 300
        background.run()
        assert newest(claude.requests[-1]).startswith(f"{flood} 0")
        assert "texts between these are left out here" in newest(claude.requests[-1])
        # At three bytes per token: 4,000 tokens for the newest texts and 6,000 for the history.
        assert size(claude) < small + 30_000 + 2_000
        assert claude.requests[-1]["system"][0] == instructions
        assert claude.requests[-1]["tools"] == tools
    assert len(claude.requests) == 4
    assert claude.refused == []


def size(claude: ClaudeServer) -> int:
    """Bytes of the newest request on the wire."""
    asked = claude.asked[-1]
    size = int(asked.headers["content-length"])
    assert size >= len(json.dumps(asked.json, separators=(",", ":"), ensure_ascii=False))
    return size


# A text too long to be shown whole


def test_no_number_is_cut_into_another_number() -> None:
    numbers = [str(number) for number in range(100_000, 102_000)]
    shown = MARK.sub(" ", shortened(" ".join(numbers), 500))
    assert set(shown.split()) <= set(numbers)


@given(st.text(alphabet=st.sampled_from("ab é字👍🏽\n\u200d"), max_size=60), st.integers(1, 60), st.integers(60, 400))
def test_what_is_shown_of_a_long_text_fits_whatever_the_script(piece: str, times: int, max_tokens: int) -> None:
    text = piece * times
    shown = shortened(text, max_tokens)
    assert estimate_tokens(shown) <= max_tokens
    marks = MARK.split(shown)
    assert text.startswith(marks[0])
    assert text.endswith(marks[-1])
