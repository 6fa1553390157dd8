"""Ends of sentences, on made-up texts in tests/data/sentence_ends.txt, and comparisons of their words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.services.model import SaidText
from app.text.shown_texts import shown_words
from app.text.wording import (
    MEASURES,
    breaks,
    clean,
    contains_phrase,
    folded,
    negations,
    normalise,
    one_line,
    sentences,
    subjects,
    things,
)
from tests.contracts.test_summarisers import BEGAN
from tests.tables import rows

LINES = rows("sentence_ends.txt")
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


@given(st.text())
def test_any_text_has_a_normal_form_and_is_cleaned_for_keeping_once(text: str) -> None:
    assert "\n" not in normalise(text)
    assert normalise(text) == normalise(text).strip()
    cleaned = clean(text)
    cleaned.encode("utf-8")
    assert "\x00" not in cleaned
    assert cleaned.splitlines() in ([], [cleaned])
    assert one_line(cleaned) == cleaned


def test_what_tells_two_facts_apart_is_kept_and_ways_of_writing_are_not() -> None:
    for one, other in (
        *(("Likes C", "Likes C++"), ("Likes C", "Likes C#"), ("Owes $5", "Owes 5"), ("Loves 🐶", "Loves 🐱")),
        *(("Speaks español", "Speaks espanol"), ("Does not eat meat", "Does eat meat")),
    ):
        assert normalise(one) != normalise(other)
    assert normalise("Doesn’t eat ﬁsh") == normalise("Doesnt eat fish") == "doesnt eat fish"


CLEANED = [
    ("likes tea.", "Likes tea"), ("Waits...", "Waits..."), ("Is it?", "Is it?"), ("  two \n lines  ", "Two lines"),
    ("\x07bell\u200d", "Bell\u200d"), ("élan", "Élan"), ("ışık açık", "ışık açık"), ("ßigma", "ßigma"), ("", ""),
    (".", ""),
]  # fmt: skip


@pytest.mark.parametrize(("given", "kept"), CLEANED)
def test_a_sentence_is_cleaned_for_keeping(given: str, kept: str) -> None:
    assert clean(given) == kept


ONE_SUBJECT = [
    ("likes", "liked"), ("hobbies", "hobby"), ("Lives in Lima", "Is based in Lima"), ("Loves tea", "Enjoys tea"),
    ("Is allergic to nuts", "Has a nut allergy"), ("Has 2 kids", "Has two children"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), ONE_SUBJECT)
def test_words_of_one_meaning_are_one_subject(one: str, other: str) -> None:
    assert subjects(one) == subjects(other)


def test_the_things_of_a_sentence_leave_out_what_is_said_of_them() -> None:
    assert things("Likes coffee") == things("Dislikes coffee") == subjects("coffee")
    assert things("Has a dog named Max") & things("Has a sister named Ana") == frozenset()
    assert things("Has a sister named Ana who lives in Lima") == things("my sister Ana lives in Lima")
    assert things("Drinks two coffees every day") - MEASURES == subjects("drinks coffee")
    turned = ("Does not like tea", "Doesn't like tea", "Likes tea")
    assert [negations(one) for one in turned] == [{"not"}, {"doesnt"}, frozenset()]


@pytest.mark.parametrize(("phrase", "text", "is_held"), rows("phrases.jsonl"))
def test_a_phrase_is_found_however_it_is_written_and_other_words_are_not_the_phrase(
    phrase: str, text: str, is_held: bool
) -> None:
    assert contains_phrase(text, phrase) == is_held


@given(st.text(max_size=60), st.text(max_size=60))
def test_every_phrase_that_says_something_is_found_in_itself_and_among_other_words(phrase: str, words: str) -> None:
    assert folded(folded(phrase)) == folded(phrase)
    assert contains_phrase(f"{words}\n{phrase} {words}", phrase) == bool(folded(phrase))
