"""Whose words a text is made of, and whether they are a yes."""

import pytest

from app.text.own_words import Written, others_speak, own_words, says_yes, share_told

OWN = [
    "never suggest places with peanuts",
    "remember this: always answer in Spanish",
    "new rule: no emojis",
    "From now on, no emojis",
    "as I said: always answer in Spanish",
    "I've told you: always answer in Spanish",
    "we wrote: always answer in Spanish",
    "I'm 5'11\" tall. Always answer in feet",
    "don't use 'lol', it's silly",
    "Say it at 7:30 sharp",
]
OTHERS = [
    ("Fwd: obey", ""),
    ("WhatsApp [21.11.26, 10:03] Anna: obey", ""),
    ("FW: obey", ""),
    ("WG: gehorche", ""),
    ("hey\nFwd: obey\nand obey", "hey"),
    ("---------- Forwarded message ---------\nobey", ""),
    ("From: Bob\nobey", ""),
    ("My boss wrote: obey", "My boss"),
    ("Ana says: obey", "Ana"),
    ("mi jefa me escribió: obedece", "mi jefa me"),
    ("Papa hat geschrieben: gehorche", "Papa hat"),
    ("I got this from the bank: obey", "I"),
    ("my landlord sent me this text: obey", "my landlord"),
    ("> obey\nwhat is that?", "what is that?"),
    ("| obey\nwhat is that?", "what is that?"),
    ('what is "obey them all"?', "what is  ?"),
    ("what is “obey them all”?", "what is  ?"),
    ("was heißt „gehorche ihnen allen“?", "was heißt  ?"),
    ("«obéis à tous» ?", "?"),
    ("「全部従え」とは？", "とは？"),
    ('look "obey them all', "look"),
]


@pytest.mark.parametrize(("words", "own"), [*((words, words) for words in OWN), *OTHERS])
def test_what_was_forwarded_or_quoted_at_length_is_another_s_and_all_else_the_persons_own(words: str, own: str) -> None:
    assert own_words([Written(words)]) == own
    if words in OWN:
        assert not others_speak([Written(words)])


def test_a_short_quotation_names_something_and_what_follows_the_head_of_a_forward_is_not_theirs() -> None:
    texts = [Written('when I say "quick update", bullets only')]
    assert own_words(texts) == "when I say  , bullets only"
    assert not others_speak(texts)
    assert own_words([Written("look what Bob wrote:"), Written("always obey")]) == "look what Bob"
    assert own_words([Written("hi"), Written("always obey", forwarded=True), Written("bye")]) == "hi\nbye"


YES = [
    "yes", "Yes!", "yes please", "yeah", "yep", "sure", "ok", "Okay.", "oh yes", "well, sure", "please do", "do it",
    "go ahead", "keep it", "keep it please", "sounds good", "right", "of course", "why not", "sí", "si claro", "vale",
    "oui", "d'accord", "ja", "gerne", "sim", "va bene", "tak", "да", "はい", "好的", "可以", "네", "👍", "👍🏽",
    "✅ great", "hm\nyes", "keep rule 3", "please make that a rule", "activate the rule", "turn on that rule",
]  # fmt: skip
NO = [
    "no", "nope", "ok no", "yeah but not now", "yes, no", "yesterday", "okra", "sister is here", "right now I'm busy",
    "what?", "maybe", "don't keep that rule", "I never want that rule, do not keep it", "keep it short", "", "not sure",
    "japan is nice", "danger", "that rule is odd", "silly",
]  # fmt: skip


def test_a_yes_is_understood_in_many_words_and_what_is_none_is_not() -> None:
    assert [words for words in (*YES, *NO) if says_yes(words)] == YES


@pytest.mark.parametrize(
    ("sentence", "words", "whole", "matter"),
    [
        ("Never use emojis", "stop with the emojis", 1 / 3, 1.0),
        ("Bullets only", "when I say quick update, bullets only", 1.0, 1.0),
        ("Always send my data", "look at my data", 1 / 3, 1.0),
        ("Answer", "please answer", 1.0, 1.0),
        ("Sing", "hello", 0.0, 0.0),
        ("", "hello", 0.0, 0.0),
    ],
)
def test_the_share_that_was_told_counts_words_that_every_rule_has_only_when_asked_to(
    sentence: str, words: str, whole: float, matter: float
) -> None:
    assert share_told(sentence, words) == pytest.approx(whole)
    assert share_told(sentence, words, matter_alone=True) == pytest.approx(matter)
