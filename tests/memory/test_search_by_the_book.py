"""Whatever was said and is asked: counted by the book in plain Python, and nothing of another person or kind."""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from app.memory import index
from app.memory.index import IndexQuery, documents, words
from app.memory.index.documents import Document, Kind
from app.store.db import Database
from app.text.tokens import Term, terms, tokens
from tests.memory.searching import ANNA, BEN, MODEL, MONDAY, keep, search

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
    """One message of somebody, as it is made up."""

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
            words_of(other.text[: words.HEAD])
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
            counts = [sum(_is_meant(term, word) for word in one) for one in three]
            if term.begins:
                counts[2] = sum(word == term.word for word in three[2])
            frequency.append(counts[0] + 0.3 * counts[1] + 0.3 * counts[2])
        holding = sum(f > 0 for f in frequency)
        for one, f, length in zip(held, frequency, lengths, strict=True):
            if f > 0:
                rarity = math.log(1 + (len(held) - holding + 0.5) / (holding + 0.5))
                scores[one.item] += rarity * f * 2.2 / (f + 1.2 * (0.25 + 0.75 * length / mean))
    return dict(scores)


def _is_meant(term: Term, word: str) -> bool:
    return word.startswith(term.word) if term.begins else word == term.word


def words_of(said_: str) -> list[str]:
    return tokens([said_])[0]


@given(
    anna=st.lists(TOLD, max_size=12),
    ben=st.lists(TOLD, max_size=12),
    asked=SAID,
    gone=st.sets(st.integers(1, 24), max_size=6),
    parts=st.integers(1, 5),
)
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_r80_each_is_answered_by_the_book_from_their_own_words_alone(
    database: Database, anna: list[Told], ben: list[Told], asked: str, gone: set[int], parts: int
) -> None:
    empty(database)
    all_of = {ANNA: as_documents(anna, 1), BEN: as_documents(ben, len(anna) + 1)}
    for start in range(0, 12, parts):
        for person_id, everything in all_of.items():
            keep(database, everything[start : start + parts], person_id)
    with database.transaction() as db:
        for person_id in all_of:
            index.remove(db, person_id, "message", gone)

    for person_id, everything in all_of.items():
        held = [one for one in everything if one.item not in gone]
        found = search(database, IndexQuery(asked), person_id)
        scores = dict(zip(found.items.tolist(), found.bm25.tolist(), strict=True))
        assert {item: score for item, score in scores.items() if score} == pytest.approx(counted(held, asked))
        assert set(scores) <= {one.item for one in held}
        for one in held:
            with database.reading() as db:
                assert one.item in index.find(db, person_id, "message", one.text) or not words_of(one.text)


@given(data=st.data(), seed=st.integers(0, 2**32 - 1))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_r80_no_query_brings_anything_of_another_person_or_kind(
    database: Database, data: st.DataObject, seed: int
) -> None:
    empty(database)
    rng = np.random.default_rng(seed)
    kinds: tuple[Kind, ...] = ("message", "fact", "episode")
    shelves = [(person_id, kind) for person_id in (ANNA, BEN, 3) for kind in kinds]
    held: dict[tuple[int, Kind], set[int]] = {}
    item = 0
    for person_id, kind in shelves:
        told = data.draw(st.lists(TOLD, max_size=4))
        new = [
            replace(one, vector=row)
            for one, row in zip(as_documents(told, item + 1), rng.normal(size=(4, 6)), strict=False)
        ]
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
