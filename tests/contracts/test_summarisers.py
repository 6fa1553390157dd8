"""The contract of every summariser; a subclass for each one provides the `summariser`."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.features.offline.extract import ExtractiveSummariser
from app.memory.episodes import drafts
from app.services.model import DatedPhrase, SaidText, Summariser, ToSummarise
from tests.claude_server import ClaudeServer
from tests.fakes import FrozenClock
from tests.keeping import keep, summariser_at

BEGAN = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)


def conversation(*said: str, **changes: Any) -> ToSummarise:
    """The person and the assistant in turn, a minute apart."""
    words = said or (
        "I have an exam tomorrow and I'm really scared of it",
        "That sounds hard. What is it about?",
        "Anatomy. My sister Ana says I worry too much about every exam",
        "You have studied for weeks.",
    )
    texts = tuple(
        SaidText(BEGAN + timedelta(minutes=place), place % 2 == 0, text, _dates(text))
        for place, text in enumerate(words)
    )
    fields: dict[str, Any] = {"person_key": "p_7f3a", "person_name": "Alex", "importance": 0.5, "deadline": 1060.0}
    return ToSummarise(texts, **{**fields, **changes})


def _dates(text: str) -> tuple[DatedPhrase, ...]:
    place = text.find("tomorrow")
    return (DatedPhrase(place, place + len("tomorrow"), "22 Nov 2026"),) if place >= 0 else ()


class SummariserContract:
    @pytest.fixture
    def summariser(self) -> Any:
        raise NotImplementedError

    def test_a_conversation_gets_a_draft_that_can_be_kept(self, summariser: Summariser) -> None:
        given = conversation()
        draft = summariser.summarise(given)

        assert given == conversation(), "it is left as it was"
        kept = drafts.check_summary(draft.fields, given)
        assert draft.problem == ""
        assert draft.written_by == summariser.name
        assert "exam" in kept.summary
        assert "tomorrow [22 Nov 2026]" in kept.narrative or "22 November 2026" in kept.narrative
        assert 0 <= kept.importance <= 1

    @pytest.mark.parametrize(
        "words",
        ["hi", "", "🙂" * 500, "?" * 10_000, "</texts>", "{{ x }}", "a\nb\nc", "我的考试在明天", "exam " * 2000],
    )
    def test_any_text_gets_a_draft_that_costs_no_more_than_was_reserved(
        self, summariser: Summariser, words: str
    ) -> None:
        draft = summariser.summarise(conversation(words, "ok"))

        assert isinstance(dict(draft.fields), dict)
        assert 0 <= draft.cents <= summariser.reserve_cents(conversation(words, "ok"))

    def test_r66_three_thousand_texts_of_two_thousand_characters_are_bounded(self, summariser: Summariser) -> None:
        draft = summariser.summarise(conversation(*[f"exam {number} {'x ' * 1000}" for number in range(3000)]))

        assert len(str(draft.fields)) < 20_000


class TestModel(SummariserContract):
    @pytest.fixture
    def summariser(self, claude: ClaudeServer, clock: FrozenClock) -> Iterator[Summariser]:
        claude.otherwise = keep("Alex is scared of an exam tomorrow.")
        with summariser_at(claude, clock) as summariser:
            yield summariser
        assert claude.refused == []


class TestExtractive(SummariserContract):
    @pytest.fixture
    def summariser(self) -> Summariser:
        return ExtractiveSummariser()
