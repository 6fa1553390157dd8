"""What is said while memory is off is answered, and stays out of everything, then and later."""

from typing import Any

import pytest
from sqlalchemy import text as sql

from app.clients.claude import ClaudeModel
from app.jobs import index_texts
from app.memory import index
from app.store.schema import migrate
from app.store.sqlite import SqliteDatabase
from tests.claude_server import ClaudeServer, call, say
from tests.conftest import MakeServices
from tests.fakes import FrozenClock
from tests.memory.talking import Talk
from tests.phoning import Phone


@pytest.fixture
def talk(make_services: MakeServices, claude_model: ClaudeModel) -> Talk:
    return Talk(make_services(model=claude_model))


def shown(claude: ClaudeServer) -> str:
    """The whole of the newest request."""
    return str(claude.requests[-1])


def test_once_memory_is_on_again_nothing_that_was_said_with_it_off_is_shown_or_found(
    talk: Talk, claude: ClaudeServer
) -> None:
    claude.queue(say("Sounds nice."), say("A zebra? Lovely."), say("So I hear, a zebra."), say("I don't know."))
    talk.say("I had soup today")
    talk.say("/memory off")
    talk.say("I bought a zebra named Quagmire")
    talk.say("What did I just tell you?")
    assert "Quagmire" in shown(claude), "while it is off, the talk goes on"

    talk.say("/memory on")
    claude.queue(call("recall_memory", {"query": "zebra Quagmire"}), say("I find nothing."))
    talk.say("Good evening")
    assert "soup" in shown(claude)
    assert "zebra" not in shown(claude)
    talk.say("What do I own?")
    index_texts.run(talk.services)
    talk.fall_silent()

    found = [str(one["content"]) for one in claude.requests[-1]["messages"][-1:]]
    assert "A zebra" not in str(found)
    assert "Quagmire" not in str(found).replace("zebra Quagmire", "")
    with talk.services.reading() as db:
        assert index.find(db, talk.person_id, "message", "Quagmire") == []
    assert all("Quagmire" not in f"{one.summary} {one.narrative}" for one in talk.episodes())


def test_what_was_said_with_memory_off_stays_hidden_in_later_conversations(
    alex: Phone, claude: ClaudeServer, clock: FrozenClock
) -> None:
    alex.text("/memory off")
    claude.queue(say("I see."), say("Good morning."), say("Hm."))
    alex.text("I bought a zebra")
    clock.advance(minutes=31)
    alex.text("Good morning")
    assert "zebra" not in shown(claude)
    alex.text("/memory off")
    alex.text("Again something between us")
    assert "zebra" not in shown(claude), "nor when it is off again in another conversation"


def test_a_text_of_the_time_with_memory_off_is_no_ground_for_what_is_remembered_later(
    alex: Phone, claude: ClaudeServer
) -> None:
    alex.text("/memory off")
    claude.queue(say("I see."))
    alex.text("I bought a zebra named Quagmire")
    alex.text("/memory on")
    fact: dict[str, Any] = {"facts": [{"fact": "Bought a zebra named Quagmire"}]}
    claude.queue(call("extract_memory", fact), say("Noted."), say("Hm."))
    alex.text("Yes please, remember that")
    with alex.services.reading() as db:
        quotes = db.scalars(sql("SELECT quote FROM facts")).all()
    assert "Quagmire" not in str(quotes)


def test_turns_of_before_know_from_the_commands_before_them_that_memory_was_off(tmp_path: Any) -> None:
    database = SqliteDatabase(tmp_path / "earlier.db")
    migrate(database, up_to="0034_what_to_stop")
    said = [("command", "/Memory off"), ("reply", "a zebra"), ("command", "/memory  ON"), ("reply", "tea")]
    with database.transaction() as db:
        db.execute(
            sql(
                "INSERT INTO people (id, address, key, timezone, timezone_source, access, created_at)"
                " VALUES (1, '+12065550100', 'k', 'UTC', 'unknown', 'allowed', '2026-11-01 10:00:00')"
            )
        )
        db.execute(sql("INSERT INTO conversations (id, person_id, started_at, last_at) VALUES (1, 1, '2026', '2026')"))
        for number, (kind, body) in enumerate(said, 1):
            row = {"id": number, "kind": kind, "body": body}
            db.execute(
                sql(
                    "INSERT INTO turns (id, person_id, conversation_id, kind, carrier, state, owner, leased_until,"
                    " started_at) VALUES (:id, 1, 1, :kind, 'phone', 'done', 'host:1', '2026-11-01', '2026-11-01')"
                ),
                row,
            )
            db.execute(
                sql(
                    "INSERT INTO messages (person_id, turn_id, direction, carrier, state, body, created_at)"
                    " VALUES (1, :id, 'in', 'phone', 'answered', :body, '2026-11-01')"
                ),
                row,
            )

    migrate(database)

    with database.reading() as db:
        assert db.scalars(sql("SELECT id FROM turns WHERE NOT memory_on")).all() == [2]
