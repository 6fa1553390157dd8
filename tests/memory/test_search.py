"""One person's messages found by words and by meaning, through the index's own door, and counted by the book."""

import math
from collections import defaultdict
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from app.memory import index
from app.memory.index import Found, IndexQuery, documents, words
from app.memory.index.documents import Document, Kind
from app.memory.index.vectors import Vector
from app.memory.index.words import terms, tokens
from app.store.db import Database
from app.store.sqlite import SqliteDatabase
from app.store.vector_extension import LoadExtension, load_sqlite_vec
from tests.stores import does_not_load, migrated

ANNA, BEN = 1, 2
MONDAY = date(2023, 5, 8)
MODEL = "a-model"


def said(*sentences: str, conversation: int | None = 1, own: bool = True, first: int = 1) -> list[Document]:
    """Messages of one conversation on one day, with ids from `first` on."""
    return [Document(item, one, MONDAY, own, conversation) for item, one in enumerate(sentences, first)]


def with_vectors(new: Sequence[Document], matrix: Vector) -> list[Document]:
    return [replace(one, vector=row) for one, row in zip(new, matrix, strict=False)]


def keep(
    database: Database,
    new: Sequence[Document],
    person_id: int = ANNA,
    kind: Kind = "message",
    model: str | None = MODEL,
) -> None:
    with database.transaction() as db:
        index.add(db, person_id, kind, new, model)


def remove(database: Database, *items: int, person_id: int = ANNA) -> None:
    with database.transaction() as db:
        index.remove(db, person_id, "message", items)


def search(database: Database, query: IndexQuery, person_id: int = ANNA, kind: Kind = "message") -> Found:
    with database.reading() as db:
        return index.search(db, person_id, kind, query)


def by_words(database: Database, asked: str, **bounds: object) -> list[int]:
    """The items that share a word with the query, within its bounds, best first."""
    found = search(database, IndexQuery(asked, **bounds))  # type: ignore[arg-type]
    best = sorted(zip((-found.bm25).tolist(), found.items.tolist(), found.within.tolist(), strict=True))
    return [item for score, item, within in best if score < 0 and within]


def by_item(found: Found, values: np.ndarray) -> dict[int, object]:
    return dict(zip(found.items.tolist(), values.tolist(), strict=True))


def vector(*numbers: float) -> Vector:
    return np.array(numbers, np.float32)


@pytest.mark.parametrize(
    ("held", "expected"),
    [
        (
            said("My sister's dogs run", "I drink tea", "We were running late", conversation=None),
            {"Did the dog run?": [1, 3], "who was it": [], "": []},
        ),
        (
            said("我喜欢喝咖啡", "Ich war in Zürich", "Мой кот Ёжик", "東京タワーに行った", conversation=None),
            {"咖啡": [1], "zurich": [2], "ежик": [3], "東京": [4], "塔": []},
        ),
        (
            [
                Document(*one)
                for one in ((1, "Hello", MONDAY), (2, "", MONDAY + timedelta(1)), (3, "", date(2023, 12, 9)))
            ],
            {"Monday": [1], "what happened in May": [1, 2], "2023": [1, 2, 3], "on the 9th of something": []}
            | {"day 9": [2, 3], "2024 or December": [3], "31": [], "9" * 20: [], "٣": []},
        ),
    ],
    ids=["in any form", "in any language", "by the day"],
)
def test_texts_are_found_by_word(
    database: SqliteDatabase, held: list[Document], expected: dict[str, list[int]]
) -> None:
    keep(database, held)
    assert {asked: sorted(by_words(database, asked)) for asked in expected} == expected


TOLD_BY = ("Tom", "Nora", "Tom")
SPOKEN = [replace(one, speaker=who) for who, one in zip(TOLD_BY, said("Guess", "A parrot", "No way"), strict=True)]


def test_who_speaks_is_found_as_words_of_their_text_and_heard_by_no_neighbour(database: SqliteDatabase) -> None:
    keep(database, SPOKEN)
    assert by_words(database, "Nora") == [2]
    assert by_words(database, "parrot") == [2, 1, 3]


def test_bounds_are_kept_and_the_neighbours_of_what_lies_within_come_along(database: SqliteDatabase) -> None:
    keep(database, said("Hi", "tea", "tea too", "Bye", conversation=7))
    keep(database, [Document(5, "tea", MONDAY + timedelta(3), own=False, conversation=8)])
    assert sorted(by_words(database, "tea")) == [1, 2, 3, 4, 5]
    assert by_words(database, "tea", first_day=MONDAY + timedelta(1)) == [5]
    assert sorted(by_words(database, "tea", last_day=MONDAY)) == [1, 2, 3, 4]
    assert by_words(database, "tea", first_day=MONDAY + timedelta(1), last_day=MONDAY + timedelta(2)) == []
    keep(database, [Document(6, "coffee", MONDAY + timedelta(4), own=True, conversation=8)])
    found = search(database, IndexQuery("coffee", first_day=MONDAY + timedelta(4)))
    assert by_item(found, found.within) == {5: False, 6: True}


def test_neighbours_come_from_as_far_as_is_asked_for(database: SqliteDatabase) -> None:
    keep(database, said(*["so"] * 5, "parrot", *["so"] * 5))
    for reach, items in ((0, [5, 6, 7]), (1, [4, 5, 6, 7, 8]), (2, [3, 4, 5, 6, 7, 8, 9])):
        found = search(database, IndexQuery("parrot", reach=reach))
        assert found.items.tolist() == items, "the best are the word and its two neighbours"
        assert found.within.all()


def test_no_more_than_the_pool_of_each_way_is_found(database: SqliteDatabase) -> None:
    rng = np.random.default_rng(1)
    matrix = rng.normal(size=(60, 8)).astype(np.float32)
    keep(database, with_vectors([Document(item, "tea" if item < 30 else "cake", MONDAY) for item in range(60)], matrix))
    found = search(database, IndexQuery("tea", matrix[50], MODEL, pool=5))
    assert {50, *range(25, 30)} <= set(found.items.tolist())
    assert found.items[:5].tolist() != list(range(5)), "of equals the latest come"
    assert 5 <= len(found) <= 10


@pytest.mark.parametrize("many", [40, index.MEASURED_WHOLE, index.MEASURED_WHOLE + 1, 3000])
@pytest.mark.parametrize("load", [load_sqlite_vec, does_not_load], ids=["sqlite-vec", "numpy"])
def test_the_nearest_are_found_among_few_and_many(tmp_path: Path, many: int, load: LoadExtension) -> None:
    # Around fifty directions, as texts keep to topics; all are measured up to some number, beyond it the likely ones.
    rng = np.random.default_rng(many)
    topics = rng.normal(size=(50, 96))
    matrix = (topics[rng.integers(0, 50, many)] + 0.5 * rng.normal(size=(many, 96))).astype(np.float32)
    with closing(migrated(tmp_path / "many.db", load)) as database:
        everything = [Document(item, f"text {item % 7}", MONDAY, vector=row) for item, row in enumerate(matrix, 1)]
        for start in range(0, many, 500):
            keep(database, everything[start : start + 500])
        unit = matrix / np.linalg.norm(matrix, axis=1, keepdims=True)
        for which in rng.integers(0, many, 5):
            query = matrix[which] + rng.normal(size=96).astype(np.float32) * 0.3
            found = search(database, IndexQuery("6", query, MODEL))
            exact = unit @ (query / np.linalg.norm(query))
            assert found.cosine == pytest.approx(exact[found.items - 1], abs=0.01), "also those found by their words"
            assert set(np.argsort(-exact)[:10] + 1) <= set(found.items.tolist())


def test_what_has_no_vector_of_the_querys_model_is_found_by_its_words_and_counted(database: SqliteDatabase) -> None:
    keep(database, [Document(1, "tea", MONDAY, vector=vector(1, 0)), Document(2, "cake", MONDAY, vector=vector(0, 1))])
    keep(database, [Document(3, "tea", MONDAY)])
    keep(database, [Document(4, "coffee", MONDAY, vector=vector(1, 0, 0))], model="other")
    found = search(database, IndexQuery("tea", vector(1, 0), MODEL))
    assert by_item(found, found.cosine) == {1: 1.0, 2: 0.0, 3: pytest.approx(math.nan, nan_ok=True)}
    assert found.unembedded == 2
    assert search(database, IndexQuery("tea", vector(1, 0, 0), "other")).items.tolist() == [1, 3, 4]
    assert search(database, IndexQuery("tea", vector(1, 0, 0, 0), "unheard of")).items.tolist() == [1, 3]
    assert search(database, IndexQuery("tea", vector(1, 0, 0), MODEL)).items.tolist() == [1, 3]


def test_what_is_removed_is_found_by_no_way_and_its_place_is_not_used_again(database: SqliteDatabase) -> None:
    rng = np.random.default_rng(2)
    matrix = rng.normal(size=(5, 8)).astype(np.float32)
    keep(database, with_vectors(said("tea one", "tea two parrot", "tea three", "tea four"), matrix))
    remove(database, 2, 4, 99)
    keep(database, with_vectors(said("tea five", first=5), matrix[4:]))
    found = search(database, IndexQuery("tea two parrot", matrix[1], MODEL))
    assert (found.items.tolist(), found.place.tolist()) == ([1, 3, 5], [0, 2, 4])
    assert by_words(database, "parrot") == [], "nor by what its neighbours heard"
    assert sorted(by_words(database, "three")) == [1, 3, 5], "those that are left are neighbours now"
    remove(database, 1, 3, 5)
    with database.reading() as db:
        for table in ("word_postings", "word_documents", "vectors", "vector_bits"):
            assert db.execute(text(f"SELECT count(*) FROM {table}")).scalar() == 0


def test_r66_a_text_without_end_is_kept_as_far_as_it_may_be_found(database: SqliteDatabase) -> None:
    keep(database, said("tea " * 25_000, "", "tea", "tea", conversation=None))
    assert sorted(by_words(database, "tea")) == [1, 3, 4]
    keep(database, said("x " * words.MOST_CHARS + "parrot", first=5))
    assert by_words(database, "parrot") == []


def test_r81_what_failed_half_way_is_not_found_nor_is_anything_of_others(database: SqliteDatabase) -> None:
    keep(database, [Document(1, "tea", MONDAY, vector=vector(1, 0))], BEN)

    def break_off() -> None:
        with database.transaction() as db:
            index.add(db, ANNA, "message", [Document(2, "tea", MONDAY, vector=vector(1, 0))], MODEL)
            assert index.search(db, ANNA, "message", IndexQuery("tea", vector(1, 0), MODEL)).items.tolist() == [2]
            raise InterruptedError

    with pytest.raises(InterruptedError):
        break_off()
    assert len(search(database, IndexQuery("tea", vector(1, 0), MODEL))) == 0
    assert search(database, IndexQuery("tea", vector(1, 0), MODEL), BEN).items.tolist() == [1]


# What people say, what they ask, and what neither SQL nor FTS5 may take for its own.
SAID = st.lists(
    st.sampled_from("tea cake dogs dog running ran Zürich zurich the and 2023 May 8 Monday 咖啡 喝咖啡 東京".split())
    | st.sampled_from(
        ['"', '" OR 1', "NEAR(tea cake)", "te*", "'; DROP TABLE people; --", "sentence:tea", "person_id", "-tea", "^"]
    )
    | st.text(max_size=3),
    max_size=8,
).map(" ".join)


@dataclass(frozen=True)
class Told:
    """One made-up message of a person."""

    words: str
    conversation: int
    days: int
    long: bool


TOLD = st.builds(Told, SAID, st.integers(0, 2), st.integers(0, 40), st.booleans())


def as_documents(told: Sequence[Told], first: int) -> list[Document]:
    return [
        Document(
            item=item,
            text=one.words + (" filler" * 60 if one.long else ""),
            day=MONDAY + timedelta(one.days),
            conversation=one.conversation or None,
        )
        for item, one in enumerate(told, first)
    ]


def counted(held: Sequence[Document], query: str) -> dict[int, float]:
    """BM25 over the three fields, by the book: one document after the other, in plain Python."""
    fields = []
    for place, one in enumerate(held):
        around = [
            [
                word for word in words_of(other.text[: words.HEAD]) if word in words_of(other.text)
            ]  # One may be cut in two.
            for other in (held[place - 1] if place else None, held[place + 1] if place + 1 < len(held) else None)
            if other is not None and other.conversation == one.conversation is not None
        ]
        near = [word for head in around for word in head] if len(one.text) <= documents.SHORT else []
        fields.append((words_of(one.text), near, words_of(f"{one.day.day} {one.day:%B %Y %A}")))
    if not fields:
        return {}
    lengths = [sum(map(len, three)) for three in fields]
    mean = sum(lengths) / len(lengths)
    scores: defaultdict[int, float] = defaultdict(float)
    for term in terms(query):
        frequency = []
        for three in fields:
            counts = [
                sum(word.startswith(term.word) if term.begins else word == term.word for word in one) for one in three
            ]
            if term.begins:
                counts[2] = sum(word == term.word for word in three[2])
            frequency.append(counts[0] + 0.3 * counts[1] + 0.3 * counts[2])
        holding = sum(f > 0 for f in frequency)
        for one, f, length in zip(held, frequency, lengths, strict=True):
            if f > 0:
                rarity = math.log(1 + (len(held) - holding + 0.5) / (holding + 0.5))
                scores[one.item] += rarity * f * 2.2 / (f + 1.2 * (0.25 + 0.75 * length / mean))
    return dict(scores)


def words_of(said_: str) -> list[str]:
    return tokens([said_])[0]


@given(
    anna=st.lists(TOLD, max_size=12),
    ben=st.lists(TOLD, max_size=12),
    asked=SAID,
    gone=st.sets(st.integers(1, 24), max_size=6),
    parts=st.integers(1, 5),
)
@example(anna=[], ben=[Told("", 2, 0, False), Told("tea 8 咖啡 x", 2, 0, True)], asked="FI", gone=set(), parts=1)
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_r80_each_is_answered_by_the_book_from_their_own_words_alone(
    database: Database, anna: list[Told], ben: list[Told], asked: str, gone: set[int], parts: int
) -> None:
    empty(database)
    all_of = {ANNA: as_documents(anna, 1), BEN: as_documents(ben, len(anna) + 1)}
    for start in range(0, 12, parts):
        for person_id, everything in all_of.items():
            keep(database, everything[start : start + parts], person_id)
    for person_id in all_of:
        remove(database, *gone, person_id=person_id)
    for person_id, everything in all_of.items():
        held = [one for one in everything if one.item not in gone]
        found = search(database, IndexQuery(asked), person_id)
        scores = by_item(found, found.bm25)
        assert {item: score for item, score in scores.items() if score} == pytest.approx(counted(held, asked))
        assert set(scores) <= {one.item for one in held}
        for one in held:
            with database.reading() as db:
                assert one.item in index.find(db, person_id, "message", one.text) or not words_of(one.text)


@given(data=st.data(), seed=st.integers(0, 2**32 - 1))
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_r80_no_query_brings_another_persons_or_kind(database: Database, data: st.DataObject, seed: int) -> None:
    empty(database)
    rng = np.random.default_rng(seed)
    kinds: tuple[Kind, ...] = ("message", "fact", "episode")
    shelves = [(person_id, kind) for person_id in (ANNA, BEN, 3) for kind in kinds]
    held: dict[tuple[int, Kind], set[int]] = {}
    item = 0
    for person_id, kind in shelves:
        told = data.draw(st.lists(TOLD, max_size=4))
        new = with_vectors(as_documents(told, item + 1), rng.normal(size=(4, 6)).astype(np.float32))
        keep(database, new, person_id, kind)
        item += len(new)
        held[person_id, kind] = {one.item for one in new}
    for person_id, kind in [*shelves, (4, "message")]:
        query = IndexQuery(data.draw(SAID), rng.normal(size=6).astype(np.float32), MODEL)
        found = search(database, query, person_id, kind)
        assert set(found.items.tolist()) == held.get((person_id, kind), set())
        assert not np.isnan(found.cosine).any()


def empty(database: Database) -> None:
    with database.transaction() as db:
        for table in ("shelves", "word_documents", "word_postings", "vectors", "vector_bits", "vector_models"):
            db.execute(text(f"DELETE FROM {table}"))
