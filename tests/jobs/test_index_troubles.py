"""What cannot be indexed or embedded keeps nobody else's texts from being found: driven by the job."""

from dataclasses import replace

import pytest
from sqlalchemy import text

from app.errors import EmbeddingError
from app.jobs import index_texts
from app.memory import index
from app.memory.index import backlog
from app.operations.alerts import open_alerts
from app.services import Services
from tests.embedding_servers import SERVERS, EmbeddingServer
from tests.fakes import FrozenClock, WordEmbedder
from tests.jobs.indexing import behind, found, left, say, search, set_zone
from tests.memory.remembering import ANNA, BEN, add_person, live, tell


@pytest.fixture
def embedder() -> WordEmbedder:
    return WordEmbedder()


@pytest.fixture
def services(services: Services, embedder: WordEmbedder) -> Services:
    return replace(services, embedder=embedder)


@pytest.fixture
def person_id(services: Services) -> int:
    return add_person(services)


def test_while_the_embedder_is_away_words_are_found_and_the_operator_is_told_once(
    services: Services, person_id: int, embedder: WordEmbedder
) -> None:
    embedder.refuses = lambda _: True
    say(services, "We adopted a parrot")
    for _ in range(3):
        index_texts.run(services)

    with services.reading() as db:
        [alert] = open_alerts(db)
        assert index.find(db, person_id, "message", "parrot")
    assert alert.kind == "embeddings"
    assert alert.times == 3
    assert "The embedder is away." in alert.sentence

    embedder.refuses = lambda _: False
    index_texts.run(services)
    with services.reading() as db:
        assert list(open_alerts(db)) == []
    assert left(services) == 0


@pytest.mark.parametrize("many", [1, 2, 5])
def test_nothing_counts_as_seen_while_the_embedder_is_away(
    services: Services, person_id: int, embedder: WordEmbedder, many: int
) -> None:
    embedder.refuses = lambda _: True
    tell(services, person_id, *[f"Likes tea{number}" for number in range(many)])
    index_texts.run(services)

    assert left(services) == many
    embedder.refuses = lambda _: False
    index_texts.run(services)
    assert left(services) == 0


@pytest.mark.parametrize("refused", [1, 3, 9])
@pytest.mark.parametrize("error", [EmbeddingError("No."), ValueError("Has a parrot"), IndexError()])
def test_texts_that_no_vector_can_be_made_of_hold_up_no_others_and_are_found_by_their_words(
    services: Services, person_id: int, embedder: WordEmbedder, refused: int, error: Exception
) -> None:
    embedder.refuses, embedder.error = (lambda said: "parrot" in said), error
    tell(services, person_id, *[f"Has parrot number {number}" for number in range(refused)], "Likes tea")
    tell(services, add_person(services, BEN), "Plays chess")
    index_texts.run(services)

    assert left(services) == 0
    assert {"Likes tea", "Plays chess"} <= set(embedder.seen)
    hits = search(services, person_id, "tea", "fact")
    seen = {one.sentence for one in live(services, person_id) if one.id in hits.items[hits.cosine == hits.cosine]}
    assert seen == {"Likes tea"}
    with services.reading() as db:
        assert list(open_alerts(db)) == []
        assert len(index.find(db, person_id, "fact", "parrot")) == refused


@pytest.mark.parametrize("status", [400, 413, 422, 500])
@pytest.mark.parametrize("kind", SERVERS)
def test_texts_that_a_provider_refuses_hold_up_no_others(
    services: Services, person_id: int, clock: FrozenClock, kind: type[EmbeddingServer], status: int
) -> None:
    with kind() as server:
        server.refuses["parrot"] = status
        elsewhere = replace(services, embedder=server.embedder(clock))
        tell(services, person_id, *[f"Has parrot number {number}" for number in range(3)], "Likes tea")
        for _ in range(3):
            index_texts.run(elsewhere)

    assert left(elsewhere) == 0
    with services.reading() as db:
        assert db.scalar(text("SELECT count(*) FROM vectors")) == 1
        assert list(open_alerts(db)) == []


def test_an_embedder_that_breaks_over_everything_is_an_alert_and_nothing_counts_as_seen(
    services: Services, person_id: int, embedder: WordEmbedder, caplog: pytest.LogCaptureFixture
) -> None:
    embedder.refuses, embedder.error = (lambda _: True), IndexError()
    tell(services, person_id, "Likes tea")
    index_texts.run(services)

    assert left(services) == 1
    with services.reading() as db:
        [alert] = open_alerts(db)
    assert "words:one broke (IndexError)" in alert.sentence
    assert "broke over a plain sentence" in caplog.text


def test_an_embedder_that_goes_away_half_way_leaves_what_is_left_to_a_later_run(
    services: Services, person_id: int, embedder: WordEmbedder
) -> None:
    tell(services, person_id, "Has a parrot", "Likes tea", "Plays chess")
    calls = iter(range(100))
    embedder.refuses = lambda _: next(calls) != 1  # The plain sentence alone is taken, and then nothing.
    index_texts.run(services)
    assert left(services) == 3

    embedder.refuses = lambda _: False
    index_texts.run(services)
    assert left(services) == 0
    with services.reading() as db:
        assert db.scalar(text("SELECT count(*) FROM vectors")) == 3


def test_a_turn_that_cannot_be_indexed_holds_up_nobody_else_and_is_tried_again_ever_more_seldom(
    services: Services, clock: FrozenClock, caplog: pytest.LogCaptureFixture
) -> None:
    anna, ben = (add_person(services, address) for address in (ANNA, BEN))
    say(services, *["We adopted a parrot"] * (backlog.TURNS_AT_ONCE + 1), address=ANNA)
    say(services, "We adopted a puppy", address=BEN)
    set_zone(services, anna, "Nowhere/Gone")

    index_texts.run(services)

    assert found(services, ben, "puppy")[0] == "We adopted a puppy"
    assert behind(services, anna)
    assert "Turn 1 could not be indexed" in caplog.text
    assert "parrot" not in caplog.text

    tries = []
    for _ in range(60):
        caplog.clear()
        clock.advance(minutes=1)
        index_texts.run(services)
        tries.append("Turn 1 " in caplog.text)
    assert 3 <= sum(tries) <= 7

    set_zone(services, anna, "UTC")
    clock.advance(days=1)
    index_texts.run(services)
    assert found(services, anna, "parrot").count("We adopted a parrot") == backlog.TURNS_AT_ONCE + 1
    assert not behind(services, anna)


def test_r67_a_turn_that_was_put_off_by_a_clock_that_ran_ahead_does_not_wait_for_it(
    services: Services, person_id: int, clock: FrozenClock
) -> None:
    say(services, "We adopted a parrot")
    set_zone(services, person_id, "Nowhere/Gone")
    clock.advance(days=400)
    index_texts.run(services)
    clock.advance(days=-400)
    set_zone(services, person_id, "UTC")
    index_texts.run(services)

    assert not behind(services, person_id)


@pytest.mark.sqlite
def test_a_row_that_cannot_be_read_gets_no_vector_and_all_others_get_theirs(
    services: Services, person_id: int, caplog: pytest.LogCaptureFixture
) -> None:
    tell(services, person_id, "Has a parrot", "Likes tea", "Plays chess")
    with services.transaction() as db:
        db.execute(text("UPDATE facts SET sentence = CAST(x'ff' AS TEXT) WHERE number = 2"))
    index_texts.run(services)

    assert left(services) == 0
    with services.reading() as db:
        assert db.scalar(text("SELECT count(*) FROM vectors")) == 2
    assert "Fact 2 cannot be read" in caplog.text
