"""One index for messages, facts and episodes: their words in rows of a person's own, their vectors beside them.

FTS5 weighed everybody's words together, and walked everybody's rows to do so. The live facts are indexed here, in the
form that the tables have at this step; messages are indexed by a job once the server runs, and vectors are made by it.
"""

from collections import Counter, defaultdict
from datetime import UTC, datetime
from struct import pack
from typing import Any
from zoneinfo import ZoneInfo

import sqlalchemy as sa
from alembic import op

from app.memory.index.words import tokens

revision = "0013_index"
down_revision: str | None = "0012_troubled_messages"


def upgrade() -> None:
    op.create_table(
        "vector_models",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("dimension", sa.Integer(), nullable=False),
        sa.CheckConstraint("dimension BETWEEN 1 AND 8192", name=op.f("ck_vector_models_dimension")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_vector_models")),
        sa.UniqueConstraint("name", name=op.f("uq_vector_models_name")),
    )
    op.create_table(
        "shelves",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("places", sa.Integer(), nullable=False),
        sa.Column("embedded", sa.Integer(), server_default="0", nullable=False),
        sa.Column("model_id", sa.Integer(), nullable=True),
        sa.CheckConstraint("embedded BETWEEN 0 AND places", name=op.f("ck_shelves_embedded")),
        sa.ForeignKeyConstraint(["model_id"], ["vector_models.id"], name=op.f("fk_shelves_model_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_shelves")),
    )
    op.create_index("ix_shelves_behind", "shelves", ["id"], unique=False, sqlite_where=sa.text("embedded < places"))
    op.create_index("ix_shelves_model_id", "shelves", ["model_id"], unique=False)
    op.create_table(
        "word_documents",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("documents", sa.LargeBinary(), nullable=False),
        sa.CheckConstraint("length(documents) % 20 = 0", name=op.f("ck_word_documents_documents")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_word_documents")),
    )
    op.create_table(
        "word_postings",
        sa.Column("shelf", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("block", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("word", sa.String(), nullable=False),
        sa.Column("postings", sa.LargeBinary(), nullable=False),
        sa.CheckConstraint(
            "length(postings) BETWEEN 4 AND 16384 AND length(postings) % 4 = 0",
            name=op.f("ck_word_postings_postings"),
        ),
        sa.PrimaryKeyConstraint("shelf", "block", "word", name=op.f("pk_word_postings")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "vectors",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("model_id", sa.Integer(), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["model_id"], ["vector_models.id"], name=op.f("fk_vectors_model_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_vectors")),
    )
    op.create_table(
        "vector_bits",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("model_id", sa.Integer(), nullable=False),
        sa.Column("places", sa.LargeBinary(), nullable=False),
        sa.Column("bits", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["model_id"], ["vector_models.id"], name=op.f("fk_vector_bits_model_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_vector_bits")),
    )
    op.add_column("turns", sa.Column("indexed", sa.Boolean(), server_default=sa.text("0"), nullable=False))
    op.create_index(
        "ix_turns_unindexed",
        "turns",
        ["person_id", "id"],
        unique=False,
        sqlite_where=sa.text("state = 'done' AND kind = 'reply' AND NOT indexed"),
    )
    _index_live_facts()
    op.drop_table("fact_words")
    op.drop_table("fact_vectors")


def _index_live_facts() -> None:
    facts = op.get_bind().execute(
        sa.text(
            "SELECT person_id, facts.id, sentence, recorded_at, timezone FROM facts JOIN people ON people.id = person_id"
            " WHERE retired_at IS NULL ORDER BY person_id, facts.id"
        )
    )
    people: defaultdict[int, list[Any]] = defaultdict(list)
    for fact in facts:
        people[fact.person_id].append(fact)
    for person_id, live in people.items():
        _index(person_id << 2 | 1, live)  # 1 stands for facts.


def _index(shelf: int, live: list[Any]) -> None:
    documents: defaultdict[int, bytes] = defaultdict(bytes)
    postings: defaultdict[tuple[int, str], bytes] = defaultdict(bytes)
    for place, (fact, words) in enumerate(zip(live, tokens([fact.sentence for fact in live]), strict=True)):
        recorded = datetime.fromisoformat(fact.recorded_at).replace(tzinfo=UTC)
        day = recorded.astimezone(ZoneInfo(fact.timezone)).date().toordinal()
        # A sentence has 300 characters at most: all of it is its head, and it is the person's own (1) and short (256).
        size = len(words)
        documents[place // 200] += pack("<IIiHHHH", fact.id, 0, day, size, size, place % 200, 1 | 256)
        for word, count in Counter(words).items():
            postings[place // 4096, word] += pack("<HBB", place % 4096, min(count, 255), min(count, 255))
    run = op.get_bind().execute
    run(sa.text("INSERT INTO shelves(id, places) VALUES (:shelf, :places)"), {"shelf": shelf, "places": len(live)})
    run(
        sa.text("INSERT INTO word_documents(id, documents) VALUES (:row, :documents)"),
        [{"row": shelf << 30 | block, "documents": blob} for block, blob in documents.items()],
    )
    if postings:
        run(
            sa.text("INSERT INTO word_postings(shelf, block, word, postings) VALUES (:shelf, :block, :word, :blob)"),
            [{"shelf": shelf, "block": block, "word": word, "blob": blob} for (block, word), blob in postings.items()],
        )
