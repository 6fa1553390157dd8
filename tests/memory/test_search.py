"""One person's messages found by words and by meaning, through the index's own door."""

import math
from contextlib import closing
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import text
from sqlcipher3 import dbapi2

from app.memory import index
from app.memory.index import IndexQuery, words
from app.memory.index.documents import Document
from app.store.sqlite import SqliteDatabase
from app.store.vector_extension import LoadExtension, load_sqlite_vec
from tests.broken_sqlite_vec import does_not_load, migrated
from tests.memory.searching import ANNA, BEN, MODEL, MONDAY, by_words, keep, said, search, vector


def test_what_shares_a_word_is_found_in_any_form(database: SqliteDatabase) -> None:
    keep(database, said("My sister's dogs run", "I drink tea", "We were running late", conversation=None))

    assert by_words(database, "Did the dog run?") == [1, 3]
    assert by_words(database, "who was it") == []
    assert by_words(database, "") == []


def test_a_rare_word_says_more_than_a_common_one(database: SqliteDatabase) -> None:
    keep(database, said(*["tea again"] * 8, "tea with Max", "Max", conversation=None))

    assert by_words(database, "Max tea")[:2] == [9, 10]


def test_what_was_said_around_a_word_is_found_with_it_and_further_behind(database: SqliteDatabase) -> None:
    keep(database, said("Guess what", "I adopted a parrot", "No way", "Really"))

    assert by_words(database, "parrot") == [2, 1, 3]


def test_a_long_text_is_found_by_its_own_words_alone(database: SqliteDatabase) -> None:
    keep(database, said("long " * 81, "I adopted a parrot", "short " * 60))

    assert by_words(database, "parrot") == [2, 3]


def test_only_the_beginning_of_a_text_speaks_for_its_neighbours(database: SqliteDatabase) -> None:
    keep(database, said("Hello", "word " * 60 + "parrot", "Bye"))

    assert by_words(database, "parrot") == [2]
    assert sorted(by_words(database, "word")) == [1, 2, 3]


def test_a_speaker_is_a_word_of_what_they_say_and_not_of_what_others_say_beside_it(database: SqliteDatabase) -> None:
    told = said("Guess what", "I adopted a parrot", "No way")
    keep(database, [replace(one, speaker=who) for one, who in zip(told, ("Tom", "Nora", "Tom"), strict=True)])

    assert by_words(database, "Nora") == [2]
    assert by_words(database, "parrot") == [2, 1, 3]


def test_another_conversation_is_no_neighbour(database: SqliteDatabase) -> None:
    keep(database, [*said("Guess what"), *said("I adopted a parrot", conversation=2, first=2)])
    keep(database, said("Alone", "A parrot", conversation=None, first=3))

    assert sorted(by_words(database, "parrot")) == [2, 4]


@pytest.mark.parametrize(
    ("asked", "days"),
    [
        ("Monday", [1]),
        ("what happened in May", [1, 2]),
        ("2023", [1, 2, 3]),
        ("on the 9th of something", []),
        ("day 9", [2, 3]),
        ("2024 or December", [3]),
        ("31", []),
        ("99999999999999999999", []),
        ("٣", []),
    ],
)
def test_the_day_of_a_text_is_among_its_words(database: SqliteDatabase, asked: str, days: list[int]) -> None:
    for item, day in enumerate([MONDAY, MONDAY + timedelta(1), date(2023, 12, 9)], 1):
        keep(database, [Document(item, "Hello", day)])

    assert sorted(by_words(database, asked)) == days


def test_any_language_is_found(database: SqliteDatabase) -> None:
    keep(database, said("我喜欢喝咖啡", "Ich war in Zürich", "Мой кот Ёжик", "東京タワーに行った", conversation=None))

    assert by_words(database, "咖啡") == [1]
    assert by_words(database, "zurich") == [2]
    assert by_words(database, "ежик") == [3]
    assert by_words(database, "東京") == [4]
    assert by_words(database, "塔") == []


def test_bounds_are_kept_and_the_neighbours_of_what_lies_within_come_along(database: SqliteDatabase) -> None:
    keep(database, said("Hi", "tea", "tea too", "Bye", conversation=7))
    keep(database, [Document(5, "tea", MONDAY + timedelta(3), own=False, conversation=8)])

    assert sorted(by_words(database, "tea")) == [1, 2, 3, 4, 5]
    assert by_words(database, "tea", conversation=8) == [5]
    assert sorted(by_words(database, "tea", own_only=True)) == [1, 2, 3, 4]
    assert by_words(database, "tea", first_day=MONDAY + timedelta(1)) == [5]
    assert sorted(by_words(database, "tea", last_day=MONDAY)) == [1, 2, 3, 4]
    assert by_words(database, "tea", first_day=MONDAY, last_day=MONDAY, conversation=8) == []

    keep(database, [Document(6, "coffee", MONDAY + timedelta(4), own=True, conversation=8)])
    found = search(database, IndexQuery("coffee", first_day=MONDAY + timedelta(4)))
    assert dict(zip(found.items.tolist(), found.within.tolist(), strict=True)) == {5: False, 6: True}


def test_neighbours_come_from_as_far_as_is_asked_for(database: SqliteDatabase) -> None:
    keep(database, said(*["so"] * 5, "parrot", *["so"] * 5))

    for reach, items in ((0, [5, 6, 7]), (1, [4, 5, 6, 7, 8]), (2, [3, 4, 5, 6, 7, 8, 9])):
        found = search(database, IndexQuery("parrot", reach=reach))
        assert found.items.tolist() == items, "the best are the word and its two neighbours"
        assert found.within.all()


def test_what_is_found_tells_what_was_given(database: SqliteDatabase) -> None:
    keep(database, [Document(2**32 - 1, "tea", MONDAY, own=True, conversation=2**32 - 1, signs=0x3E)])
    keep(database, [Document(4, "tea", date(1, 1, 1), signs=0xFF)])

    found = search(database, IndexQuery("tea"))
    assert found.items.tolist() == [2**32 - 1, 4]
    assert found.place.tolist() == [0, 1]
    assert found.own.tolist() == [True, False]
    assert found.conversation.tolist() == [2**32 - 1, 0]
    assert found.day.tolist() == [MONDAY.toordinal(), 1]
    assert found.signs.tolist() == [0x3E, 0xFE], "the lowest bit is not theirs"
    assert found.unembedded == 2
    assert np.isnan(found.cosine).all()


def test_an_empty_store_finds_nothing(database: SqliteDatabase) -> None:
    for query in (IndexQuery("tea"), IndexQuery("tea", vector(1, 0), MODEL), IndexQuery()):
        found = search(database, query)
        assert len(found) == 0
        assert found.unembedded == 0


def test_no_more_than_the_pool_of_each_way_is_found(database: SqliteDatabase) -> None:
    rng = np.random.default_rng(1)
    matrix = rng.normal(size=(60, 8)).astype(np.float32)
    keep(
        database,
        [Document(item, "tea" if item < 30 else "cake", MONDAY, vector=row) for item, row in enumerate(matrix)],
    )

    found = search(database, IndexQuery("tea", matrix[50], MODEL, pool=5))
    assert 50 in found.items
    assert found.items[:5].tolist() != list(range(5)), "of equals the latest come"
    assert np.isin(range(25, 30), found.items).all()
    assert 5 <= len(found) <= 10


def test_meaning_finds_what_shares_no_word(database: SqliteDatabase) -> None:
    new = said("We saw a bat", "I drink tea", "It rains")
    near = [replace(one, vector=row) for one, row in zip(new, np.eye(3, dtype=np.float32), strict=True)]
    keep(database, near)

    found = search(database, IndexQuery("flying animal", vector(9, 1, 0), MODEL, pool=1))
    assert found.items[int(np.nanargmax(found.cosine))] == 1
    assert found.cosine == pytest.approx([0.994, 0.110, 0.0], abs=0.01)
    assert found.unembedded == 0


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
    assert dict(zip(found.items.tolist(), found.cosine.tolist(), strict=True)) == {
        1: 1.0,
        2: 0.0,
        3: pytest.approx(math.nan, nan_ok=True),
    }
    assert found.unembedded == 2
    assert search(database, IndexQuery("tea", vector(1, 0, 0), "other")).items.tolist() == [1, 3, 4]
    assert search(database, IndexQuery("tea", vector(1, 0, 0, 0), "unheard of")).items.tolist() == [1, 3]
    with pytest.raises(ValueError, match=r"3 numbers cannot be compared .* have 2"):
        search(database, IndexQuery("tea", vector(1, 0, 0), MODEL))


def test_what_is_removed_is_found_by_no_way_and_its_place_is_not_used_again(database: SqliteDatabase) -> None:
    rng = np.random.default_rng(2)
    matrix = rng.normal(size=(5, 8)).astype(np.float32)
    new = said("tea one", "tea two parrot", "tea three", "tea four")
    keep(database, [replace(one, vector=row) for one, row in zip(new, matrix, strict=False)])

    with database.transaction() as db:
        index.remove(db, ANNA, "message", [2, 4, 99])
    keep(database, [replace(said("tea five", first=5)[0], vector=matrix[4])])

    found = search(database, IndexQuery("tea two parrot", matrix[1], MODEL))
    assert found.items.tolist() == [1, 3, 5]
    assert found.place.tolist() == [0, 2, 4]
    assert by_words(database, "parrot") == [], "nor by what its neighbours heard"
    assert sorted(by_words(database, "three")) == [1, 3, 5], "those that are left are neighbours now"
    for table in ("word_postings", "word_documents", "vectors", "vector_bits"):
        with database.transaction() as db:
            index.remove(db, ANNA, "message", [1, 3, 5])
        with database.reading() as db:
            assert db.execute(text(f"SELECT count(*) FROM {table}")).scalar() == 0


@pytest.mark.sqlite
def test_what_is_removed_is_overwritten_in_the_file(database: SqliteDatabase) -> None:
    keep(database, said("I keep a zebrafinch", "I keep an okapi"))

    with database.transaction() as db:
        index.remove(db, ANNA, "message", [1])

    with closing(dbapi2.connect(str(database.path))) as plain:
        plain.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    left = b"".join(file.read_bytes() for file in database.path.parent.glob("keepsake.db*"))
    assert b"zebrafinch" not in left
    assert b"okapi" in left


def test_r66_a_text_without_end_is_kept_as_far_as_it_may_be_found(database: SqliteDatabase) -> None:
    keep(database, said("tea " * 25_000, "", "tea", "tea", conversation=None))

    assert sorted(by_words(database, "tea")) == [1, 3, 4]
    keep(database, said("x " * words.MOST_CHARS + "parrot", first=5))
    assert by_words(database, "parrot") == []


class Broken(Exception):
    pass


def test_r81_what_failed_half_way_is_not_found_nor_is_anything_of_others(database: SqliteDatabase) -> None:
    keep(database, [Document(1, "tea", MONDAY, vector=vector(1, 0))], BEN)

    def break_off() -> None:
        with database.transaction() as db:
            index.add(db, ANNA, "message", [Document(2, "tea", MONDAY, vector=vector(1, 0))], MODEL)
            assert index.search(db, ANNA, "message", IndexQuery("tea", vector(1, 0), MODEL)).items.tolist() == [2]
            raise Broken

    with pytest.raises(Broken):
        break_off()
    assert len(search(database, IndexQuery("tea", vector(1, 0), MODEL))) == 0
    assert search(database, IndexQuery("tea", vector(1, 0), MODEL), BEN).items.tolist() == [1]
