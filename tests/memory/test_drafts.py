"""A summariser's draft is trusted only as far as it was said, is bounded, and reads the same on any day."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.errors import Refused
from app.memory.episodes import drafts
from app.memory.forgotten import Said
from app.services.model import SaidText, ToSummarise
from tests.tables import rows

SATURDAY = datetime(2026, 11, 21, 17, 0, tzinfo=UTC)
WORDS = ("I have an exam tomorrow and I'm scared", "My sister Ana drives me to Tacoma")
GOOD: dict[str, Any] = {
    "summary": "Alex is scared of an exam on 22 November 2026.",
    "narrative": "Alex has an exam on 22 November 2026 in Tacoma. Sister Ana drives.",
    "topics": ["exam", "Family"],
    "key_facts": ["Ana drives Alex to Tacoma on 22 November 2026"],
    "importance": 0.6,
    "facts": [{"fact": "Sister is named Ana", "category": "family", "quote": "My sister Ana drives me"}],
}


def conversation(*words: str, apart: timedelta = timedelta(minutes=1)) -> ToSummarise:
    texts = tuple(SaidText(SATURDAY + apart * place, True, body) for place, body in enumerate(words or WORDS))
    return ToSummarise(texts, "key", "Alex", 0.4, 0.0)


def told(*facts: object, words: tuple[str, ...] = WORDS) -> list[str]:
    given = conversation(*words)
    said = [Said(place, 1, one.by_person, one.words, one.at) for place, one in enumerate(given.texts, 7)]
    said.append(Said(99, 1, False, "Your brother lives in Lima and likes tea", SATURDAY))
    return [fact.fact for fact in drafts.quoted_facts({"facts": list(facts)}, said, given.texts, ())]


def test_what_a_day_word_means_stands_behind_it_in_every_field() -> None:
    words = {"summary": "Alex is scared of an exam tomorrow.", "narrative": "Tomorrow Alex has an exam."}
    kept = drafts.check_summary({**GOOD, **words, "key_facts": ["The exam is tomorrow"]}, conversation())
    assert kept.summary == "Alex is scared of an exam tomorrow [22 Nov 2026]."
    assert kept.narrative == "Tomorrow [22 Nov 2026] Alex has an exam."
    assert kept.key_facts == ("The exam is tomorrow [22 Nov 2026]",)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({}, "summary is missing"),
        ({**GOOD, "summary": " \n"}, "summary is missing"),
        ({**GOOD, "summary": 5}, "summary has to be text"),
        ({**GOOD, "narrative": ["a"]}, "narrative has to be text"),
        ({**GOOD, "topics": "exam"}, "topics has to be a list"),
        ({**GOOD, "key_facts": {"a": 1}}, "key_facts has to be a list"),
        ({**GOOD, "summary": "I cannot help with that.", "narrative": ""}, "nothing that was said"),
    ],
)
def test_what_cannot_be_used_is_refused_in_a_sentence(fields: dict[str, Any], says: str) -> None:
    with pytest.raises(Refused, match=says):
        drafts.check_summary(fields, conversation())


def test_for_a_date_that_nobody_can_tell_the_last_writer_loses_the_sentence_and_others_the_draft() -> None:
    over_days = conversation(*WORDS, apart=timedelta(days=1))
    with pytest.raises(Refused, match="Write the date itself"):
        drafts.check_summary({**GOOD, "summary": "Alex had an exam yesterday."}, over_days)
    given = {"summary": "Alex has an exam. Yesterday it rained.", "key_facts": ["Yesterday was bad", "Ana drives"]}
    kept = drafts.check_summary(given, over_days, leave_out=True)
    assert (kept.summary, kept.key_facts) == ("Alex has an exam.", ("Ana drives",))
    with pytest.raises(Refused):
        drafts.check_summary({"summary": "Yesterday the exam was hard."}, over_days, leave_out=True)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        *((one, 0.4) for one in (None, "very", -0.1, 1.1, 7, True, float("nan"), [0.5])),
        *((0, 0.0), (1, 1.0), ("0.35", 0.35), (0.123, 0.12)),
    ],
)
def test_an_importance_from_0_to_1_is_kept_and_else_it_is_what_the_words_weigh(given: object, kept: float) -> None:
    assert drafts.check_summary({**GOOD, "importance": given}, conversation()).importance == kept


def test_r66_every_field_is_bounded() -> None:
    long = "Alex has an exam and is scared of it. " * 200
    kept = drafts.check_summary(
        {
            "summary": long,
            "narrative": "exam" * 40_000,
            "topics": [f"topic {number} " * 50 for number in range(500)],
            "key_facts": [f"{number} {long}" for number in range(500)],
        },
        conversation(),
    )
    assert len(kept.summary) <= drafts.SUMMARY_CHARS
    assert kept.summary.endswith("scared of it."), "whole sentences stay"
    assert len(kept.narrative) <= drafts.NARRATIVE_CHARS
    assert len(kept.topics) == drafts.TOPICS
    assert len(kept.key_facts) == drafts.KEY_FACTS
    assert all(len(one) <= drafts.KEY_FACT_CHARS for one in kept.key_facts)


@pytest.mark.parametrize("fact", rows("told_no_facts.jsonl"))
def test_what_the_person_did_not_say_so_is_no_fact(fact: dict[str, object]) -> None:
    assert told(fact) == []


def test_what_others_wrote_and_what_is_asked_tells_no_fact() -> None:
    nuts = {"fact": "Is allergic to nuts", "quote": "I am allergic to nuts"}
    for words in ("Fwd: I am allergic to nuts", "she wrote: I am allergic to nuts", "> I am allergic to nuts\nwhat?"):
        assert told(nuts, words=(words,)) == []
    assert told(nuts, words=("I am allergic to nuts",)) == ["Is allergic to nuts"]
    for words in ("is my sister Ana?", "forget that my sister Ana lives in Lima"):
        assert told({"fact": "Sister Ana lives in Lima", "quote": words}, words=(words,)) == []
    key_facts = ["What did they say about Ana?", "Ana moved."]
    kept = drafts.check_summary({"summary": "Sister Ana.", "key_facts": key_facts}, conversation(WORDS[1]))
    assert kept.key_facts == ("Ana moved.",)


def test_a_fact_is_learned_once_few_at_a_time_and_says_which_day_its_day_word_means() -> None:
    many = [{"fact": f"Sister Ana {number}", "quote": "My sister Ana drives me"} for number in range(50)]
    assert len(told(*many)) == drafts.FACTS
    assert told(*GOOD["facts"], *GOOD["facts"]) == ["Sister is named Ana"]
    exam = {"fact": "Has an exam tomorrow", "quote": "I have an exam tomorrow"}
    assert told(exam) == ["Has an exam tomorrow [22 Nov 2026]"]
