"""Segments as Twilio counts them."""

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from app.text.gsm7 import BASIC, EXTENDED, segments

TABLE = Path(__file__).parent.parent / "data" / "segments.tsv"
PLAIN = "".join(sorted(BASIC | EXTENDED))


def table() -> list[tuple[str, int]]:
    """Each text and how many segments it takes."""
    rows = [line.split("\t") for line in TABLE.read_text().split("\n") if line and not line.startswith("#")]
    return [(json.loads(text), int(count)) for count, _, _, text in rows]


def test_two_hundred_texts_take_as_many_segments_as_the_published_rules_say() -> None:
    wrong = [(text[:40], count, segments(text)) for text, count in table() if segments(text) != count]
    assert wrong == []


def test_the_table_has_two_hundred_texts() -> None:
    assert len({text for text, _ in table()}) == 200


@given(st.text(alphabet=PLAIN, min_size=1, max_size=1700))
def test_a_plain_text_takes_no_more_and_no_fewer_segments_than_its_places_need(text: str) -> None:
    places = sum(2 if letter in EXTENDED else 1 for letter in text)
    if places <= 160:
        assert segments(text) == 1
    else:
        assert -(-places // 153) <= segments(text) <= -(-places // 152)


@given(st.text(min_size=1, max_size=1000))
def test_any_other_text_takes_no_more_and_no_fewer_than_its_units_need(text: str) -> None:
    units = len((text + "ж").encode("utf-16-le")) // 2
    if units <= 70:
        assert segments(text + "ж") == 1
    else:
        assert -(-units // 67) <= segments(text + "ж") <= -(-units // 66)


@given(st.text(max_size=300), st.text(max_size=300))
def test_more_text_never_takes_fewer_segments(text: str, more: str) -> None:
    assert segments(text + more) >= segments(text)
