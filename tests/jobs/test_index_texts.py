"""What was said is found later, by its words and by its meaning: driven by the job, after turns of the real lane."""

from dataclasses import replace
from datetime import date

import pytest
from sqlalchemy import select, text, update

from app import people
from app.jobs import index_texts
from app.memory import forget, index, revise
from app.memory.index import Found, IndexQuery, backlog
from app.models import Message, Turn
from app.services import Services
from app.text.telling import Sign
from tests.fakes import FrozenClock, InlineBackground, WordEmbedder
from tests.jobs.indexing import behind, found, left, say, search
from tests.memory.remembering import ANNA, BEN, TOLD, add_person, live, tell


@pytest.fixture
def embedder() -> WordEmbedder:
    return WordEmbedder()


@pytest.fixture
def services(services: Services, embedder: WordEmbedder) -> Services:
    return replace(services, embedder=embedder)


@pytest.fixture
def person_id(services: Services) -> int:
    return add_person(services)


@pytest.mark.parametrize("is_outside", [True, False])
def test_only_an_embedder_that_is_outside_is_waited_for_away_from_the_desk(
    services: Services, embedder: WordEmbedder, person_id: int, is_outside: bool
) -> None:
    background = InlineBackground()
    embedder.is_outside = is_outside
    tell(services, person_id, "Likes tea")

    index_texts.run(replace(services, background=background))

    assert embedder.seen == ["Likes tea"]
    assert background.times_away == (1 if is_outside else 0)


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


def test_what_was_said_is_found_once_the_job_has_run(services: Services, person_id: int) -> None:
    say(services, "We adopted a parrot in Lisbon")
    assert behind(services, person_id)
    assert found(services, person_id, "parrot") == []

    index_texts.run(services)

    assert not behind(services, person_id)
    assert found(services, person_id, "parrots")[0] == "We adopted a parrot in Lisbon"


def test_each_text_is_handed_over_once(services: Services, person_id: int) -> None:
    say(services, "We adopted a parrot")
    index_texts.run(services)
    index_texts.run(services)
    say(services, "The parrot sings")
    index_texts.run(services)

    hits = search(services, person_id, "parrot")
    assert hits.place.tolist() == list(range(len(hits)))
    with services.reading() as db:
        assert hits.items.tolist() == list(db.scalars(select(Message.id).order_by(Message.id)))


def test_what_is_known_of_a_text_goes_with_it(services: Services, clock: FrozenClock) -> None:
    with services.transaction() as db:
        person = people.add(db, ANNA, access="allowed", now=clock.now())
        person.timezone = "Pacific/Kiritimati"  # Fourteen hours ahead: there it is the next day already.
    say(services, "Yesterday I went to Lisbon")
    index_texts.run(services)

    hits = search(services, person.id, "Lisbon")
    assert hits.own.tolist() == [True, False], "the person's text, then the answer"
    assert hits.day.tolist() == [date(2026, 11, 22).toordinal()] * 2
    assert hits.signs[0] & Sign.NAMES
    assert (hits.conversation == hits.conversation[0]).all()


def test_commands_and_kind_words_of_code_are_not_found(services: Services, person_id: int) -> None:
    say(services, "/help", "/memory")
    say(services, "I like tea")
    with services.transaction() as db:
        db.execute(update(Turn).where(Turn.kind == "reply").values(outcome="failed"))
    index_texts.run(services)

    assert not behind(services, person_id)
    assert search(services, person_id, "tea help memory").items.size == 1


def test_what_was_said_while_memory_was_off_stays_out(services: Services, person_id: int) -> None:
    say(services, "I like tea", "/memory off", "Secret tea", "/Memory  ON", "More tea")
    services.clock.wait(3600)
    say(services, "Tea of another conversation")
    index_texts.run(services)

    own = [text for text in found(services, person_id, "tea") if text in {"I like tea", "Secret tea", "More tea"}]
    assert own == ["I like tea", "More tea"]
    assert "Tea of another conversation" in found(services, person_id, "tea")


def test_a_long_past_is_gone_through_in_small_steps_for_everyone(services: Services) -> None:
    ids = [add_person(services, address) for address in (ANNA, BEN)]
    for number in range(backlog.TURNS_AT_ONCE):
        for address in (ANNA, BEN):
            say(services, f"Parrot number{number} of {address}", address=address)

    assert backlog.index_some(services) == backlog.TURNS_AT_ONCE
    index_texts.run(services)

    for person_id, address in zip(ids, (ANNA, BEN), strict=True):
        own = [text for text in found(services, person_id, "parrot") if text.startswith("Parrot")]
        assert own == [f"Parrot number{number} of {address}" for number in range(backlog.TURNS_AT_ONCE)]
    assert left(services) == 0


def test_meaning_is_searched_once_the_job_has_run(services: Services, person_id: int) -> None:
    say(services, "We adopted a parrot")
    tell(services, person_id, "Has a parrot")
    assert np_all_unseen(search(services, person_id, "parrot", "fact"))

    index_texts.run(services)

    assert left(services) == 0
    for kind in ("message", "fact"):
        hits = search(services, person_id, "adopted a parrot", kind)
        assert hits.unembedded == 0
        assert hits.cosine.max() > 0.5


def np_all_unseen(hits: Found) -> bool:
    return bool(hits.unembedded == len(hits) == int((hits.cosine != hits.cosine).sum()) > 0)


def test_r65_another_embedders_vectors_are_made_anew_and_never_mixed(services: Services, person_id: int) -> None:
    say(services, *[f"Parrot number{number}" for number in range(backlog.TEXTS_AT_ONCE)])
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
    seen = half.cosine == half.cosine
    assert 0 < seen.sum() < len(half)

    index_texts.run(changed)
    assert left(changed) == 0
    after = search(changed, person_id, "Parrot number3")
    assert after.unembedded == 0
    assert (after.cosine == after.cosine).all()
    assert len(newer.seen) == whole + 3, "each text once, and three questions"


def test_r65_whoever_goes_on_goes_on_where_it_ended(services: Services, person_id: int) -> None:
    say(services, *[f"Parrot number{number}" for number in range(backlog.TEXTS_AT_ONCE)])
    while backlog.index_some(services):
        pass
    backlog.embed_some(services)

    other = WordEmbedder()
    index_texts.run(replace(services, embedder=other))

    assert left(services) == 0
    with services.reading() as db:
        everything = db.scalar(text("SELECT sum(places) FROM shelves"))
    assert len(other.seen) == everything - backlog.TEXTS_AT_ONCE


def test_two_who_make_the_same_vectors_do_no_harm(services: Services, person_id: int, embedder: WordEmbedder) -> None:
    say(services, "We adopted a parrot")
    while backlog.index_some(services):
        pass

    tell(services, person_id, "Has a parrot")
    other = WordEmbedder()

    def meanwhile() -> None:
        other.meanwhile = lambda: None
        index_texts.run(services)
        forget(services, person_id, [1], TOLD)

    other.meanwhile = meanwhile
    backlog.embed_some(replace(services, embedder=other))

    assert left(services) == 0
    assert len(search(services, person_id, "parrot", "fact")) == 0
    with services.reading() as db:
        kept = db.scalar(text("SELECT count(*) FROM vectors"))
        assert kept == db.scalar(text("SELECT coalesce(sum(length(documents)) / 20, 0) FROM word_documents"))


def test_what_is_gone_has_no_vector_made_and_holds_up_nothing(services: Services, person_id: int) -> None:
    for number in range(backlog.TEXTS_AT_ONCE + 3):
        tell(services, person_id, f"Likes tea{number}")
    forget(services, person_id, list(range(1, backlog.TEXTS_AT_ONCE + 2)), TOLD)

    index_texts.run(services)

    assert left(services) == 0
    assert search(services, person_id, "tea", "fact").unembedded == 0
    with services.reading() as db:
        assert db.scalar(text("SELECT count(*) FROM vectors")) == 2


def test_without_an_embedder_words_are_found_and_nothing_fails(services: Services, person_id: int) -> None:
    alone = replace(services, embedder=None)
    say(alone, "We adopted a parrot")
    index_texts.run(alone)

    with services.reading() as db:
        assert len(index.search(db, person_id, "message", IndexQuery("parrot"))) > 0


def test_a_change_of_a_fact_is_found_as_it_is_now(services: Services, person_id: int) -> None:
    tell(services, person_id, "Lives in Portland")
    index_texts.run(services)
    revise(services, person_id, 1, TOLD, fact="Lives in Seattle")
    index_texts.run(services)

    hits = search(services, person_id, "Seattle", "fact")
    assert hits.items.tolist() == [one.id for one in live(services, person_id)]
    assert hits.place.tolist() == [1]
    assert left(services) == 0


def test_it_stops_for_a_breath_while_it_goes_through_a_whole_memory(
    services: Services, person_id: int, clock: FrozenClock, embedder: WordEmbedder
) -> None:
    say(services, *[f"Parrot number{number}" for number in range(backlog.TEXTS_AT_ONCE)])

    embedder.meanwhile = lambda: clock.advance(seconds=index_texts.WORK_SECONDS)
    index_texts.run(services)
    assert left(services) > 0
    index_texts.run(services)
    assert left(services) == 0
