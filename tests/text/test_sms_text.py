"""Replies split into texts within Twilio's limits without losing anything, and counts of their segments."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from app.text.sms_text import MAX_PARTS, PART_MAX_UNITS, THE_REST, plain_text, segments, split
from tests.tables import rows


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


@pytest.mark.parametrize("silence", ["", "  \n\t ", "\u00a0\u200b", "\u200d\ufe0f", "***", "```\n```", "\x00\ud800"])
def test_silence_is_said_in_a_word(silence: str) -> None:
    assert split(silence) == ["Okay."]
    assert split("\U0001fae9") == ["\U0001fae9"], "an emoji newer than this Python is not silence"


def test_a_long_reply_is_cut_between_paragraphs_else_between_sentences_else_between_words_else_anywhere() -> None:
    first, second = "One sentence here. " * 50, "Another one there. " * 60
    assert split(f"{first}\n\n{second}") == [first.strip(), second.strip()]
    parts = split("This is a sentence of some words. " * 60)
    assert [part.endswith("words.") for part in parts] == [True, True]
    parts = split("word " * 500)
    assert [len(part) for part in parts] == [1599, 899]
    assert all(set(part.split()) == {"word"} for part in parts)
    assert [[len(part) for part in split("a" * count)] for count in (1600, 1601)] == [[1600], [1600, 1]]


def test_an_address_at_the_cut_is_kept_whole() -> None:
    url = "https://x.org/" + "a" * 100
    for before in range(1480, 1600, 7):
        parts = split("字" * before + url)
        assert any(url in part for part in parts)
        assert all(units(part) <= PART_MAX_UNITS for part in parts)


@pytest.mark.parametrize("sign", ["😀", "👩‍👩‍👧‍👦", "👍🏽", "q\u0323\u0302", "❤️"])
def test_a_sign_drawn_from_several_letters_is_never_cut(sign: str) -> None:
    for before in range(12):
        parts = split("a" * before + sign * 500)
        assert all(part.endswith(sign) for part in parts if not part.endswith(THE_REST))
        assert all(units(part) <= PART_MAX_UNITS for part in parts)


def test_a_reply_beyond_the_last_text_says_that_there_is_more() -> None:
    parts = split("This is a sentence of some words. " * 400)
    assert len(parts) == MAX_PARTS
    assert parts[-1].endswith(f"words.\n\n{THE_REST}")
    assert all(units(part) <= PART_MAX_UNITS for part in parts)


WORDS = st.lists(st.from_regex(r"[a-zA-Zéñüа-я0-9👍]{1,30}[.,!?]?", fullmatch=True), min_size=1, max_size=300)


@given(WORDS, st.data())
def test_no_word_is_lost_and_the_order_is_kept(words: list[str], data: st.DataObject) -> None:
    gaps = data.draw(st.lists(st.sampled_from([" ", "\n", "\n\n", "  "]), min_size=len(words), max_size=len(words)))
    reply = "".join(word + gap for word, gap in zip(words, gaps, strict=True))
    parts = split(reply)
    assume(not parts[-1].endswith(THE_REST))
    assert [word for part in parts for word in part.split()] == reply.split()


MARKS = [*"** * _ ` a [x](https://y.z) https://q.r/_s_".split(), "```\n", "# ", "- ", "> ", "| ", "b c", "\n"]
ANYTHING = st.one_of(
    st.text(max_size=400),
    st.text(alphabet="ab1 \n*_`#~|>-=[]()\\<&;.!é—’…°👍\u200d/:h", max_size=120),
    st.lists(st.sampled_from(MARKS)).map("".join),
)


@given(ANYTHING, st.sampled_from([1, 40]))
def test_every_text_can_be_sent(reply: str, times: int) -> None:
    parts = split(reply * times)
    assert 1 <= len(parts) <= MAX_PARTS
    for part in parts:
        assert 0 < units(part) <= PART_MAX_UNITS
        assert part == part.strip()
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\ud800-\udfff]", part)


@given(ANYTHING)
def test_what_is_plain_already_stays_as_it_is(reply: str) -> None:
    assume("`" not in reply and "~~~" not in reply)  # Marks in code stay, and read again they are marks.
    once = plain_text(reply)
    assert plain_text(once) == once
    sent = split(reply)
    assert [part for text in sent for part in split(text)] == sent


DATA = Path(__file__).parent.parent / "data"
TABLE, MARKDOWN = DATA / "segments.tsv", DATA / "markdown.jsonl"


def table() -> list[tuple[str, int]]:
    """Each text and how many segments it takes."""
    rows = [line.split("\t") for line in TABLE.read_text().split("\n") if line and not line.startswith("#")]
    return [(json.loads(text), int(count)) for count, _, _, text in rows]


def test_two_hundred_texts_take_as_many_segments_as_the_published_rules_say() -> None:
    wrong = [(text[:40], count, segments(text)) for text, count in table() if segments(text) != count]
    assert wrong == []
    assert len({text for text, _ in table()}) == 200


# In plain words


@pytest.mark.parametrize("row", MARKDOWN.read_text("utf-8").split("\n")[:-1])
def test_markdown_is_turned_into_plain_words(row: str) -> None:
    written, sent = json.loads(row)
    assert split(written) == [sent]


@pytest.mark.parametrize(("written", "sent"), rows("gsm7_equivalents.jsonl"))
def test_letters_are_made_gsm7_where_it_has_an_equivalent(written: str, sent: str) -> None:
    assert split(written) == [sent]


@pytest.mark.parametrize(
    "url", ["https://x.org/_a_/*b*?q=1&c=**d**e", "https://x.org/a–b", "https://en.x.org/Foo_(bar)"]
)
def test_not_a_letter_of_an_address_is_changed(url: str) -> None:
    assert split(f"**See** _{url}_ (or {url}).") == [f"See {url} (or {url})."]


PLAIN = [
    "Put the word between <b> and </b>.", "if x <y> z, then 1 < 2 > 0", "I <3 you",
    "List<int>, Map<String, List<b>> and vector<s>", "Write to <name@example.org>.",
    "<script>alert(1)</script> is a script.", "x<y and y>z, a<b and b>a", "<- back, next ->, <=> and <>",
]  # fmt: skip


@pytest.mark.parametrize("reply", PLAIN)
def test_what_is_no_formatting_arrives_as_it_was_written(reply: str) -> None:
    assert split(reply) == [reply]


@pytest.mark.parametrize(("written", "sent"), rows("code_in_replies.jsonl"))
def test_what_is_written_as_code_keeps_its_tags_and_marks(written: str, sent: str) -> None:
    assert split(written) == [sent]
