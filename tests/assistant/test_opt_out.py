"""How well free words of opting out are told from everything else that is said about stopping.

The table was written before the patterns, and what is marked `held` was not looked at while they were written
or mended. A text that was told wrong in life goes into the half that is `seen`.
"""

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.assistant.opt_out import MAX_CLAUSE_CHARS, as_matched, asks_to_stop
from app.assistant.opt_out_english import Language
from app.assistant.opt_out_words import LANGUAGES

TABLE = Path(__file__).parent.parent / "data" / "opt_out.tsv"


def table() -> Iterator[dict[str, str]]:
    with TABLE.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


def rows(half: str | None = None) -> Iterator[tuple[bool, str]]:
    for row in table():
        if half in {None, row["half"]}:
            yield row["label"] == "stop", row["text"]


def precision_and_recall(half: str) -> tuple[float, float]:
    right = [wants for wants, text in rows(half) if asks_to_stop(text)]
    wanted = sum(wants for wants, _ in rows(half))
    return sum(right) / len(right), sum(right) / wanted


def test_every_text_of_the_half_that_was_seen_is_told_right() -> None:
    assert [text for wants, text in rows("seen") if asks_to_stop(text) != wants] == []


def test_the_half_that_was_held_back_is_told_with_few_mistakes() -> None:
    precision, recall = precision_and_recall("held")
    assert precision >= 0.97, f"precision {precision:.3f}"
    assert recall >= 0.95, f"recall {recall:.3f}"


def test_the_table_is_large_and_holds_as_many_texts_that_are_no_opt_outs() -> None:
    all_rows = list(rows())
    assert len(all_rows) >= 300
    assert 0.4 < sum(wants for wants, _ in all_rows) / len(all_rows) < 0.6
    assert len({text for _, text in all_rows}) == len(all_rows)


@pytest.mark.parametrize("text", ["no más", "No más mensajes", "quit texting me", "please quit texting me"])
def test_r27_the_words_of_the_law_are_heeded(text: str) -> None:
    assert asks_to_stop(text)
    assert asks_to_stop(f"  {text.upper()}!!! \N{OCTAGONAL SIGN}")


@pytest.mark.parametrize(
    "text",
    [
        "Don\N{RIGHT SINGLE QUOTATION MARK}t text me anymore",
        "dont text me any more",
        "DO NOT TEXT ME ANYMORE",
        "Please\nstop\ntexting me",
        "Who is this?? stop texting me",
        "stoooop texting meeee",
        '"Stop texting me"',
        "stop te\N{ZERO WIDTH JOINER}xting me; leave me alone",
    ],
)
def test_spelling_signs_and_lines_make_no_difference(text: str) -> None:
    assert asks_to_stop(text)


@pytest.mark.parametrize(
    "text",
    [
        'She texted me "stop texting me" and I cried',
        "He said: stop texting me",
        "stop texting me before 9, please",
        "leave me alone for an hour",
        "I'm driving, don't text me",
        "Tell Sam I said to leave me alone",
        "/stop texting me",
        "",
        " ",
        "\N{OCTAGONAL SIGN}",
    ],
)
def test_what_is_quoted_told_of_others_or_meant_for_a_while_is_an_ordinary_text(text: str) -> None:
    assert not asks_to_stop(text)


def test_a_wish_is_found_at_the_end_of_a_long_text_too() -> None:
    assert asks_to_stop("I had a long day and the dog ran away. " * 30 + "Please stop texting me.")
    assert not asks_to_stop("please " * MAX_CLAUSE_CHARS + "stop texting me")


def test_each_language_has_its_words_in_the_table() -> None:
    labels = {(row["language"], row["label"]) for row in table()}
    assert len(labels) == 2 * len(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
@given(data=st.data())
def test_each_wish_of_a_language_holds_one_of_its_stems(language: Language, data: st.DataObject) -> None:
    wish = data.draw(st.sampled_from([*language.wishes, *language.alone]))
    words = data.draw(st.from_regex(as_matched(language, wish), fullmatch=True))
    assert any(stem in words for stem in language.stems.split("|"))


@pytest.mark.parametrize(
    "text",
    [
        "No quiero más WhatsApps",
        "Voglio cancellarmi",
        "Meld me af",
        "Przestań mi wysyłać",
        "Ich will keine Mitteilungen",
    ],
)
def test_a_wish_that_shares_no_word_with_other_wishes_is_heeded(text: str) -> None:
    assert asks_to_stop(text)


@given(st.text())
def test_any_text_is_told_one_way_or_the_other(text: str) -> None:
    assert asks_to_stop(text) in {True, False}
