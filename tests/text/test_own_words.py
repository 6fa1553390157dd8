"""A text's own words and others' words, and recognition of a yes."""

from app.text.own_words import says_yes

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
