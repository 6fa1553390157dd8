"""Texts are found by words and meaning once the job has run, even if some cannot be indexed or embedded."""

from dataclasses import replace

import pytest
from sqlalchemy import select, text, update

from app.conversation import turn
from app.errors import EmbeddingError
from app.jobs import index_texts
from app.memory import forget, index, recall
from app.memory.index import Found, IndexQuery, backlog
from app.memory.index.documents import Kind
from app.models import Message, Person, Turn
from app.operations.alerts import open_alerts
from app.services import Services
from tests.fakes import FrozenClock, WordEmbedder
from tests.memory.remembering import ANNA, BEN, TOLD, add_person, live, tell

FACT_2_UNREADABLE = {
    "sqlite": ["UPDATE facts SET sentence = CAST(x'ff' AS TEXT) WHERE id = 2"],
    "postgresql": [
        "ALTER TABLE facts RENAME TO all_facts",
        "CREATE VIEW facts AS SELECT id, CASE id WHEN 2 THEN 1/(id-2)||'' ELSE sentence END AS sentence FROM all_facts",
    ],
}


@pytest.fixture
def embedder() -> WordEmbedder:
    return WordEmbedder()


@pytest.fixture
def services(services: Services, embedder: WordEmbedder) -> Services:
    return replace(services, embedder=embedder)


def say(services: Services, *texts: str, address: str = ANNA) -> None:
    for words in texts:
        turn.run_turn(services, address, words)


def say_of_parrots(services: Services) -> None:
    say(services, *[f"Parrot number{number}" for number in range(backlog.TEXTS_AT_ONCE)])


def search(services: Services, person_id: int, asked: str, kind: Kind = "message") -> Found:
    assert services.embedder is not None
    query = IndexQuery(asked, services.embedder.embed([asked], is_query=True)[0], services.embedder.name)
    with services.reading() as db:
        return index.search(db, person_id, kind, query)


def found(services: Services, person_id: int, asked: str) -> list[str]:
    """The texts that share a word with what is asked, in the order in which they were said."""
    hits = search(services, person_id, asked)
    with services.reading() as db:
        return [db.get_one(Message, item).body for item in hits.items[hits.bm25 > 0].tolist()]


def behind(services: Services, person_id: int) -> bool:
    with services.reading() as db:
        return db.scalar(select(Turn.id).where(Turn.UNINDEXED, Turn.person_id == person_id).limit(1)) is not None


def left(services: Services) -> int:
    assert services.embedder is not None
    with services.reading() as db:
        return backlog.left(db, services.embedder)


def number(services: Services, sql: str = "SELECT count(*) FROM vectors") -> int:
    with services.reading() as db:
        return int(db.execute(text(sql)).scalar_one())


def alerted(services: Services) -> list[tuple[str, int, str]]:
    with services.reading() as db:
        return [(one.kind, one.times, one.sentence) for one in open_alerts(db)]


def set_zone(services: Services, person_id: int, zone: str) -> None:
    with services.transaction() as db:
        db.get_one(Person, person_id).timezone = zone


@pytest.mark.parametrize(
    "secret",
    ["My password is zebra7finch.", "My card number is 4111 1111 1111 1111.", "The verification code is 123456"],
)
def test_r87_a_secret_is_in_no_index_and_is_not_embedded_and_what_stands_beside_it_is(
    services: Services, embedder: WordEmbedder, person_id: int, secret: str
) -> None:
    say(services, f"We adopted a parrot in Lisbon. {secret}", secret)
    index_texts.run(services)
    embedded = " ".join(embedder.seen)
    assert "parrot" in embedded
    assert "parrot" in found(services, person_id, "parrot")[0]
    for word in ("zebra7finch", "4111", "123456"):
        assert word not in embedded
        assert found(services, person_id, word) == []


def test_what_was_said_is_found_once_the_job_has_run_and_handed_over_once(services: Services, person_id: int) -> None:
    say(services, "We adopted a parrot in Lisbon")
    tell(services, person_id, "Has a parrot")
    assert behind(services, person_id)
    assert found(services, person_id, "parrot") == []
    unseen = search(services, person_id, "parrot", "fact")
    assert unseen.unembedded == len(unseen) == int((unseen.cosine != unseen.cosine).sum()) > 0

    for _ in range(2):
        index_texts.run(services)
    assert (behind(services, person_id), left(services)) == (False, 0)
    assert found(services, person_id, "parrots")[0] == "We adopted a parrot in Lisbon"
    for kind in ("message", "fact"):
        hits = search(services, person_id, "adopted a parrot", kind)
        assert hits.unembedded == 0
        assert hits.cosine.max() > 0.5

    say(services, "The parrot sings")
    index_texts.run(services)
    hits = search(services, person_id, "parrot")
    assert hits.place.tolist() == list(range(len(hits)))
    with services.reading() as db:
        assert hits.items.tolist() == list(db.scalars(select(Message.id).order_by(Message.id)))


def test_commands_and_kind_words_of_code_are_not_found(services: Services, person_id: int) -> None:
    say(services, "/help", "/memory", "I like tea")
    with services.transaction() as db:
        db.execute(update(Turn).where(Turn.kind == "reply").values(outcome="failed"))
    index_texts.run(services)
    assert not behind(services, person_id)
    assert search(services, person_id, "tea help memory").items.size == 1


def test_r65_another_embedders_vectors_are_made_anew_and_never_mixed(services: Services, person_id: int) -> None:
    say_of_parrots(services)
    tell(services, person_id, "Has a parrot")
    index_texts.run(services)
    newer = WordEmbedder("words:two", dimension=24)
    changed = replace(services, embedder=newer)
    whole = left(changed)
    before = search(changed, person_id, "parrot")
    assert before.unembedded == len(before), "it says that meaning was not searched"
    assert before.bm25.max() > 0, "words are"

    assert backlog.embed_some(changed) == backlog.TEXTS_AT_ONCE
    half = search(changed, person_id, "Parrot number3")
    assert 0 < half.unembedded < before.unembedded
    assert left(changed) == whole - backlog.TEXTS_AT_ONCE
    assert 0 < (half.cosine == half.cosine).sum() < len(half)
    other = WordEmbedder("words:two", dimension=24)  # Of another process, which goes on where that one ended.
    index_texts.run(replace(services, embedder=other))
    assert left(changed) == 0
    after = search(changed, person_id, "Parrot number3")
    assert after.unembedded == 0
    assert (after.cosine == after.cosine).all()
    assert len(newer.seen) + len(other.seen) == whole + 3, "each text once, and three questions"


@pytest.mark.parametrize("other", [WordEmbedder(), WordEmbedder("words:two", dimension=24)])
def test_r65_two_who_make_vectors_at_once_do_no_harm(other: WordEmbedder, services: Services, person_id: int) -> None:
    say(services, "It never rains here")
    backlog.index_some(services)
    tell(services, person_id, "Has a parrot")

    def meanwhile() -> None:
        other.meanwhile = lambda: None
        index_texts.run(services)
        forget(services, person_id, [1], TOLD)

    other.meanwhile = meanwhile
    backlog.embed_some(replace(services, embedder=other))
    assert left(services) == 0
    assert len(search(services, person_id, "parrot", "fact")) == 0
    kept = search(services, person_id, "rains")
    assert (kept.cosine == kept.cosine).sum() == len(kept) > 0, "each has a vector of ours, as the mark says"
    assert number(services) == number(services, "SELECT coalesce(sum(length(documents)) / 20, 0) FROM word_documents")


def test_it_stops_for_a_breath_while_it_goes_through_a_whole_memory(
    services: Services, person_id: int, clock: FrozenClock, embedder: WordEmbedder
) -> None:
    say_of_parrots(services)
    embedder.meanwhile = lambda: clock.advance(seconds=index_texts.WORK_SECONDS)
    index_texts.run(services)
    assert left(services) > 0
    index_texts.run(services)
    assert left(services) == 0


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (EmbeddingError("The embedder is away."), "The embedder is away."),
        (IndexError(), "words:one broke (IndexError)"),
    ],
)
@pytest.mark.parametrize("many", [1, 2, 5])
def test_while_the_embedder_is_away_or_breaks_words_are_found_and_the_operator_is_told_once(
    services: Services, person_id: int, embedder: WordEmbedder, error: Exception, says: str, many: int
) -> None:
    embedder.refuses, embedder.error = (lambda _: True), error
    tell(services, person_id, *[f"Likes tea{place}" for place in range(many)])
    for _ in range(3):
        index_texts.run(services)
    [(kind, times, sentence)] = alerted(services)
    assert (kind, times, left(services)) == ("embeddings", 3, many)
    assert says in sentence
    with services.reading() as db:
        assert index.find(db, person_id, "fact", "tea0")

    embedder.refuses = lambda _: False
    index_texts.run(services)
    assert (alerted(services), left(services)) == ([], 0)


def test_with_another_model_of_the_same_name_words_are_found_and_it_is_told(services: Services, person_id: int) -> None:
    say(services, "We adopted a parrot")
    index_texts.run(services)
    other = replace(services, embedder=(newer := WordEmbedder(dimension=24)))
    index_texts.run(other)
    assert newer.seen == [], "none is embedded in vain"
    assert recall(other, person_id, "parrot").messages[0].words == "We adopted a parrot"
    assert "Set EMBEDDING_DIMENSION to 24" in alerted(other)[0][2]
    index_texts.run(services)
    assert alerted(services) == []


@pytest.mark.parametrize("refused", [1, 3, 9])
@pytest.mark.parametrize("error", [EmbeddingError("No."), ValueError("Has a parrot"), IndexError()])
def test_texts_that_no_vector_can_be_made_of_hold_up_no_others_and_are_found_by_their_words(
    services: Services, person_id: int, embedder: WordEmbedder, refused: int, error: Exception
) -> None:
    embedder.refuses, embedder.error = (lambda said: "parrot" in said), error
    tell(services, person_id, *[f"Has parrot number {place}" for place in range(refused)], "Likes tea")
    tell(services, add_person(services, BEN), "Plays chess")
    index_texts.run(services)
    assert (left(services), alerted(services)) == (0, [])
    assert {"Likes tea", "Plays chess"} <= set(embedder.seen)
    hits = search(services, person_id, "tea", "fact")
    seen = {one.sentence for one in live(services, person_id) if one.id in hits.items[hits.cosine == hits.cosine]}
    assert seen == {"Likes tea"}
    with services.reading() as db:
        assert len(index.find(db, person_id, "fact", "parrot")) == refused


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


def test_a_row_that_cannot_be_read_gets_no_vector_and_all_others_get_theirs(
    services: Services, person_id: int, caplog: pytest.LogCaptureFixture
) -> None:
    tell(services, person_id, "Has a parrot", "Likes tea", "Plays chess")
    tell(services, add_person(services, BEN), "Likes tea")
    with services.transaction() as db:
        for statement in FACT_2_UNREADABLE[db.get_bind().dialect.name]:
            db.execute(text(statement))
    index_texts.run(services)
    assert (left(services), number(services)) == (0, 3)
    assert "Fact 2 cannot be read" in caplog.text
