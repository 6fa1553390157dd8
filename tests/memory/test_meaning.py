"""A question's vector: had in time, kept for a moment, or not had, and then nobody waits."""

import pytest

from app.embeddings.sentence_transformers import SentenceTransformersEmbedder
from app.memory.index.meaning import KEPT_SECONDS, MOST_KEPT, REST_SECONDS, meaning
from app.services import Services
from app.settings import Settings
from tests.conftest import MakeServices
from tests.fakes import FrozenClock, WordEmbedder
from tests.sentence_transformers_stand_in import installed, slow


@pytest.fixture
def embedder() -> WordEmbedder:
    return WordEmbedder()


@pytest.fixture
def searching(make_services: MakeServices, embedder: WordEmbedder) -> Services:
    return make_services(embedder=embedder)


def test_a_question_is_embedded_once_and_kept_for_three_minutes(
    searching: Services, embedder: WordEmbedder, clock: FrozenClock
) -> None:
    first = meaning(searching, "my sister", seconds=1)
    clock.advance(seconds=KEPT_SECONDS - 1)
    again = meaning(searching, "my sister", seconds=1)
    assert (first.reason, again.reason, again.model) == ("embedded", "kept", embedder.name)
    assert embedder.seen == ["my sister"]

    clock.advance(seconds=2)
    assert meaning(searching, "my sister", seconds=1).reason == "embedded"


def test_of_many_questions_few_are_kept(searching: Services, embedder: WordEmbedder) -> None:
    for number in range(MOST_KEPT + 1):
        meaning(searching, f"question {number}", seconds=1)
    assert meaning(searching, f"question {MOST_KEPT}", seconds=1).reason == "kept"
    assert meaning(searching, "question 0", seconds=1).reason == "embedded"
    assert len(embedder.seen) == MOST_KEPT + 2


def test_another_embedders_vectors_are_not_taken_for_ones_own(searching: Services, make_services: MakeServices) -> None:
    meaning(searching, "my sister", seconds=1)
    other = make_services(embedder=WordEmbedder("words:two"))
    assert (meaning(other, "my sister", seconds=1).reason, meaning(other, "my sister", seconds=1).model) == (
        "embedded",
        "words:two",
    )


def test_e7_after_a_failure_it_rests(searching: Services, embedder: WordEmbedder, clock: FrozenClock) -> None:
    embedder.refuses = lambda _: True
    assert meaning(searching, "my sister", seconds=1).reason == "failed"
    embedder.refuses = lambda _: False
    assert meaning(searching, "my sister", seconds=1).reason == "resting"
    clock.advance(seconds=REST_SECONDS)
    assert meaning(searching, "my sister", seconds=1).is_known


def test_e7_a_question_that_comes_while_the_embedder_is_loaded_does_not_wait_for_that(
    make_services: MakeServices, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = slow()
    installed(monkeypatch, package)
    settings = Settings(embeddings="sentence-transformers")
    searching = make_services(embedder=SentenceTransformersEmbedder(settings, clock))
    assert not meaning(searching, "my sister", seconds=0.01).is_known
    package.ready.set()
    clock.advance(seconds=REST_SECONDS)
    assert meaning(searching, "my sister", seconds=60).is_known


def test_without_an_embedder_or_without_time_there_is_none(
    services: Services, searching: Services, embedder: WordEmbedder, clock: FrozenClock
) -> None:
    assert meaning(services, "my sister", seconds=1).reason == "no embedder"
    assert meaning(searching, "my sister", seconds=1, until=clock.monotonic()).reason == "no time"
    assert embedder.seen == []
