"""Episodes without a model: the person's own sentences, the ones that say most."""

from typing import Any

import pytest

from app.features.offline.extract import ExtractiveSummariser
from tests.contracts.test_summarisers import conversation
from tests.memory.talking import conversations_in
from tests.tables import rows


def extract(*said: str, **changes: Any) -> dict[str, Any]:
    return dict(ExtractiveSummariser().summarise(conversation(*said, **changes)).fields)


def test_it_holds_nothing_but_the_persons_own_words() -> None:
    told, more = "My father had a stroke", "He is in Denver. I fly there on Monday"
    fields = extract(told, "I am so sorry to hear this", more, "Safe travels")
    own = f"{told} {more}"
    for sentence in [*fields["key_facts"], *fields["summary"].split(". ")]:
        assert sentence.rstrip(".") in own
    assert "sorry" not in str(fields)


def test_the_sentence_that_says_what_it_is_about_is_the_summary() -> None:
    said = ["hey", "so anyway. I lost my job at the harbour today", "not sure what the job market is like"]
    fields = extract(*[one for text in said for one in (text, "Oh.")])
    assert "I lost my job at the harbour today" in fields["summary"]
    assert "hey" not in fields["summary"]


def test_topics_are_no_words_of_days_titles_or_what_is_in_every_sentence() -> None:
    fields = extract(
        "We had such a long day with Mrs. Lopez in November",
        "El 18 de noviembre de 2026 murió mi perro Toby y estoy muy triste",
        "18 Kasım 2026 günü dedem öldü",
        "昨天我和妈妈去了公园散步",
    )
    topics = {one.casefold() for one in fields["topics"]}
    assert "lopez" in topics or "toby" in topics
    assert not topics & set("such long mrs november noviembre estoy muy kasım günü".split())
    assert all(one.isascii() or len(one) < 10 for one in topics)
    assert not any("妈妈" in one for one in topics)


@pytest.mark.parametrize("words", ["hi", "Thanks!", "🙂🙂", "", "ok", "lol"])
def test_it_says_nothing_where_nothing_was_said(words: str) -> None:
    assert extract(words)["summary"] == ""


@pytest.mark.parametrize("texts", conversations_in("significant"), ids=lambda texts: texts[0])
def test_every_conversation_that_matters_gets_a_summary(texts: list[str]) -> None:
    fields = extract(*[one for text in texts for one in (text, "I see.")])
    assert fields["summary"]
    assert len(fields["summary"]) <= 310
    assert fields["topics"] or not texts[0].isascii()  # Where no spaces part words, none is taken for a topic.
    assert "I see" not in str(fields)


def test_secrets_are_left_out_and_a_text_without_an_end_is_cut_at_a_word() -> None:
    fields = extract("My password is hunter2. I moved to Lisbon with Mia")
    assert "hunter2" not in str(fields)
    assert "Lisbon" in fields["summary"]
    assert extract("I told my father about Denver and " * 100)["narrative"].endswith("…”")


@pytest.mark.parametrize(("first", "matters"), rows("weightier_offline.jsonl"))
def test_what_matters_most_is_told_first_wherever_it_was_said(first: str, matters: str) -> None:
    fields = extract(first, "ok", "The weather will be fine this week I think", "ok", matters, "Oh.")
    assert matters in fields["summary"]
    assert matters in str(fields["key_facts"])


def test_of_many_sentences_those_that_matter_are_kept() -> None:
    chatter = [f"I bought {one} for the kitchen of my flat" for one in "plates spoons cups bowls knives pans".split()]
    told = [*chatter, *chatter, "Mum has cancer", *[f"{one} today" for one in chatter], "I got fired"]
    fields = extract(*[one for text in told for one in (text, "ok")])
    assert "Mum has cancer" in fields["summary"]
    assert "I got fired" in fields["summary"]
