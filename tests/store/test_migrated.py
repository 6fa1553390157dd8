"""Data of an earlier version is complete after the migrations, and means the same."""

from contextlib import closing
from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import DBAPIError

from app.memory import index
from app.memory.index import IndexQuery
from app.memory.index.documents import Document
from app.models import Turn
from app.store.schema import migrate
from app.store.sqlite import SqliteDatabase
from tests.tables import DATA


def test_what_an_earlier_version_kept_is_all_there_after_the_tables_were_made_anew() -> None:
    with closing(SqliteDatabase(Path("earlier.db"))) as database:
        migrate(database, up_to="0005_fact_vectors")
        with database.transaction() as db:
            for statement in (DATA / "kept_at_0005.sql").read_text("utf-8").split(";"):
                db.execute(text(statement))
        assert migrate(database)
        with database.reading() as db:
            assert db.execute(text("PRAGMA foreign_key_check")).all() == []
            assert db.scalars(text("SELECT body FROM messages")).all() == ["I like tea"]
            assert db.execute(text("SELECT person_id, kind FROM notices")).all() == [(1, "wait")]
            assert db.scalar(text("SELECT last_text_id FROM people")) == 1
            assert db.execute(text("SELECT ordinal, name FROM tool_calls ORDER BY id")).all() == [(1, "a"), (2, "b")]
            assert db.scalar(text("PRAGMA foreign_keys")) == 1
            assert [index.find(db, 1, "fact", words) for words in ("tea", "dogs", "coffee")] == [[6], [9], []]
            asked = ("tea, dogs", "black tea, two dogs")
            found = [index.search(db, 1, "fact", IndexQuery(words)) for words in asked]
            assert db.scalar(select(Turn.id).where(Turn.UNINDEXED)), "the texts are left to the job"
        with database.transaction() as db:
            index.add(db, 2, "fact", [Document(6, "Likes black tea", date(2026, 11, 2), own=True)])
            index.add(db, 2, "fact", [Document(9, "Has two dogs", date(2026, 11, 3), own=True)])
            for words, before in zip(asked, found, strict=True):
                anew = index.search(db, 2, "fact", IndexQuery(words))
                assert {name: str(held) for name, held in vars(before).items()} == {
                    name: str(held) for name, held in vars(anew).items()
                }, "as if they had been told today"
            index.remove(db, 1, "fact", [6])
            assert index.find(db, 1, "fact", "tea") == []
        with pytest.raises(DBAPIError, match="FOREIGN KEY"), database.transaction() as db:
            db.execute(text("UPDATE messages SET turn_id = 99"))
