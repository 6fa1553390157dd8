"""Whether a text holds a phrase: in any case, spelling of accents, punctuation and spacing, and only as whole words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.text.phrases import folded, holds

HELD = [
    ("quick update", "give me a quick update"),
    ("quick update", "Quick-Update!"),
    ("quick update", "QUICK,\n\tupdate?"),
    ("Quick  Update!", "a quick update please"),
    ("what's up", "so whats up"),
    ("whats up", "What’s up?"),
    ("don't", "dont"),
    ("tl;dr", "tl dr"),
    ("#now", "do it #now"),
    ("c++", "in C++ please"),
    ("resumen rápido", "Resumen RAPIDO por favor"),
    ("cafe", "Café?"),
    ("straße", "STRASSE 5"),
    ("İstanbul", "istanbul"),
    ("ἀγορά", "αγορα"),
    ("быстро", "Быстро!"),
    ("שלום", "שָׁלוֹם"),
    ("سلام", "سَلام"),
    ("快报", "请给我快报吧"),
    ("要約", "今日の要約をください"),
    ("요약", "요약해줘"),
    ("สรุป", "ช่วยสรุปให้หน่อย"),
    ("हाल", "क्या हाल है"),
    ("👍", "ok👍🏽bye"),
    ("❤️", "I ❤ it"),
    ("ｆｕｌｌ", "full"),
    ("7", "at 7"),
]
NOT_HELD = [
    ("quick update", "quickly update"),
    ("quick update", "quick updates"),
    ("quick update", "update quick"),
    ("quick update", "quick daily update"),
    ("quick update", ""),
    ("up", "update"),
    ("7", "at 17"),
    ("快报", "快点报"),
    ("...", "..."),
    ("", "anything"),
    (" \ufe0f ", "anything"),
]


@pytest.mark.parametrize(("phrase", "text"), HELD)
def test_a_phrase_is_found_however_it_is_written(phrase: str, text: str) -> None:
    assert holds(text, phrase)


@pytest.mark.parametrize(("phrase", "text"), NOT_HELD)
def test_other_words_are_not_the_phrase(phrase: str, text: str) -> None:
    assert not holds(text, phrase)


@given(st.text(max_size=60), st.text(max_size=60))
def test_every_phrase_that_says_something_is_found_in_itself_and_among_other_words(phrase: str, words: str) -> None:
    assert folded(folded(phrase)) == folded(phrase)
    assert holds(f"{words}\n{phrase} {words}", phrase) == bool(folded(phrase))
