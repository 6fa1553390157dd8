"""The store on PostgreSQL: its schema, its locks, and errors without people's words."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, event, select, text
from sqlalchemy.exc import IntegrityError, InternalError

from app import models  # noqa: F401  (fills the metadata)
from app.clients.claude import ClaudeModel
from app.conversation import budget, claim
from app.delivery.inbox import IncomingText, take_in
from app.errors import DatabaseError, OverBudget
from app.features.offline.model import OfflineModel
from app.memory.index import words
from app.models import Fact, Message, Spending
from app.operations.alerts import open_alerts, raise_alert
from app.people import block
from app.services import Services
from app.services.model import ModelRequest
from app.settings import load_settings
from app.store import open_database
from app.store.db import Base, Database
from app.store.dialect import DialectSql, RawRows
from app.store.postgres import PostgresDatabase
from app.store.schema import migrate
from tests import postgres
from tests.claude_server import ClaudeServer, call, say
from tests.conftest import MakeLine, MakeServices
from tests.fakes import FrozenClock
from tests.memory.remembering import BEN, add_person

pytestmark = pytest.mark.postgres

NOW = datetime(2026, 11, 21, tzinfo=UTC)
SHAPE = (
    "SELECT tablename, indexdef FROM pg_indexes WHERE schemaname = 'public'",
    "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid > 0",
    """SELECT table_name, column_name, data_type, is_nullable, column_default, collation_name
        FROM information_schema.columns WHERE table_schema = 'public'""",
)
NEW_PERSON = text(
    "INSERT INTO people (address, key, timezone, timezone_source, access, created_at)"
    " VALUES (:address, :address, 'UTC', 'unknown', 'allowed', '2026-11-21')"
)


@pytest.fixture
def empty(database: Database) -> Iterator[str]:
    """The address of a database with nothing in it."""
    name = "keepsake_empty"
    postgres.run(f"DROP DATABASE IF EXISTS {name}", f"CREATE DATABASE {name}")
    yield postgres.address_of(name)
    postgres.run(f"DROP DATABASE {name} WITH (FORCE)")


def shape(connection: Connection) -> set[tuple[object, ...]]:
    rows = {tuple(row) for statement in SHAPE for row in connection.execute(text(statement))}
    return {row for row in rows if row[0] != "alembic_version"}


def test_begun_from_the_baseline_it_is_what_the_tables_say(database: Database, empty: str) -> None:
    with closing(PostgresDatabase(empty)) as declared:
        Base.metadata.create_all(declared.engine)
        with declared.engine.connect() as fresh, database.engine.connect() as migrated:
            assert shape(migrated) == shape(fresh)
            assert compare_metadata(MigrationContext.configure(migrated), Base.metadata) == []


def test_a_database_that_the_user_may_not_write_to_is_refused_with_the_reason(empty: str) -> None:
    postgres.run("DROP ROLE IF EXISTS guest", "CREATE ROLE guest LOGIN")
    guest = PostgresDatabase(empty.replace("//keepsake@", "//guest@"))
    with closing(guest), pytest.raises(DatabaseError, match=r"cannot be used .*permission denied for schema public"):
        migrate(guest)


def test_another_programs_database_is_refused_and_left_as_it_was(database: Database, empty: str) -> None:
    with closing(PostgresDatabase(empty)) as theirs:
        with theirs.engine.begin() as connection:
            connection.execute(text("CREATE TABLE orders (id int)"))
        with pytest.raises(DatabaseError, match="belongs to another program: it holds the table orders"):
            migrate(theirs)
        with theirs.engine.connect() as connection:
            assert connection.scalar(text("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")) == 1


def test_r4_a_server_that_is_not_there_or_silent_is_told_in_time_without_the_password(database: Database) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        for host in ("/nowhere", f"127.0.0.1&port={silent.getsockname()[1]}"):
            url, began = f"postgresql+psycopg://me:my-secret@/keepsake?host={host}", time.monotonic()
            refused = pytest.raises(DatabaseError, match=f"keepsake at {host.partition('&')[0]} cannot be used")
            with closing(open_database(load_settings(_env_file=None, database_url=url))) as away, refused as raised:
                migrate(away)
            assert "my-secret" not in str(raised.value)
            assert time.monotonic() - began < 10, "Then Twilio has to be told."


def test_a_database_that_cannot_store_every_script_is_refused_with_the_way_out(empty: str) -> None:
    postgres.run("DROP DATABASE IF EXISTS latin", "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0")
    with closing(PostgresDatabase(postgres.address_of("latin"))) as latin, pytest.raises(DatabaseError) as raised:
        migrate(latin)
    assert str(raised.value).startswith("The database stores LATIN1, and people write in all scripts. Make one by:")


@pytest.mark.parametrize(
    ("held", "asked", "waits"),
    [
        ((1,), (2,), False),
        ((1,), (1,), True),
        ((1,), (), True),
        ((1, "money"), (2, "money"), True),
        ((1, "money"), (2, "sender"), False),
    ],
)
def test_a_transaction_waits_for_its_persons_for_what_it_shares_and_for_one_of_all(
    database: Database, held: tuple[Any, ...], asked: tuple[Any, ...], waits: bool
) -> None:
    done: list[str] = []

    def write() -> None:
        with database.transaction(*asked):
            done.append("other")

    with database.transaction(*held):
        other = postgres.start(write)
        if waits:
            postgres.wait_for_a_waiting_writer(database.engine)
        else:
            other.join()
        done.append("first")
    other.join()
    assert done == (["first", "other"] if waits else ["other", "first"])


def test_a_turn_waits_for_nobody_elses(make_line: MakeLine, claude: ClaudeServer, claude_model: ClaudeModel) -> None:
    line = make_line({"model": claude_model})
    claude.queue(say("Hello."), call("extract_memory", {"facts": [{"fact": "Likes tea"}]}), say("Noted."))
    line.text("Hi")
    ben = add_person(line.services, BEN)
    with line.services.transaction(ben):
        postgres.start(lambda: line.text("I like tea")).join()
        assert line.twilio.bodies == ["Hello.", "Noted."]
        with line.services.reading() as db:
            assert db.scalars(select(Fact.sentence)).all() == ["Likes tea"]


def test_who_texts_while_they_are_blocked_gets_no_answer(services: Services) -> None:
    ben, brought = add_person(services, BEN), list[threading.Thread]()
    text_of_his = IncomingText(f"SM{1:032x}", BEN, "keepsake", "Hi", "phone")

    def bring(*asked: Any) -> None:
        if asked[2].startswith("UPDATE people") and not brought:
            brought.append(postgres.start(partial(take_in, services, text_of_his)))
            postgres.wait_for_a_waiting_writer(services.store.engine)

    event.listen(services.store.engine, "after_cursor_execute", bring)
    block(services, ben)
    brought[0].join()
    with services.reading() as db:
        assert db.scalars(select(Message.state)).all() == ["unanswered"]


class Dear(OfflineModel):
    def reserve_cents(self, request: ModelRequest) -> float:
        return 60.0


@pytest.mark.parametrize("settings", [{"daily_budget_cents": 100}], indirect=True)
def test_a_call_that_is_settled_meanwhile_leaves_the_day_unspent(
    make_services: MakeServices, clock: FrozenClock
) -> None:
    services = make_services(model=Dear(clock))
    anna, ben = add_person(services), add_person(services, BEN)
    with services.transaction() as db:
        theirs = Spending(person_id=anna, day=clock.now().date(), cents=60.0, at=clock.now())
        db.add(theirs)
    take_in(services, IncomingText(f"SM{1:032x}", BEN, "keepsake", "Hi", "phone"))
    turn = claim.claim(services, ben)
    assert turn is not None
    settled = list[threading.Thread]()

    def settle_theirs() -> None:
        with services.transaction(anna) as db:
            db.get_one(Spending, theirs.id).cents = 5.0
            db.get_one(Spending, theirs.id).is_settled = True

    def settle(*asked: Any) -> None:
        if "sum(spendings.cents)" in asked[2] and not settled:
            settled.append(postgres.start(settle_theirs))
            settled[0].join()

    event.listen(services.store.engine, "after_cursor_execute", settle)
    with pytest.raises(OverBudget) as raised:
        budget.ask(services, turn, ModelRequest([], [], [], 16, clock.monotonic() + 60, person_key="ben"))
    assert settled
    assert not raised.value.is_spent


def test_an_alert_that_two_raise_at_once_is_one(database: Database) -> None:
    def raise_again() -> None:
        with database.transaction(2) as db:
            raise_alert(db, "loop", "Second.", NOW)

    with database.transaction(1) as db:
        raise_alert(db, "loop", "First.", NOW)
        second = postgres.start(raise_again)
        postgres.wait_for_a_waiting_writer(database.engine)
    second.join()
    with database.reading() as db:
        assert [(one.times, one.sentence) for one in open_alerts(db)] == [(2, "Second.")]


def test_r34_r54_who_waits_too_long_is_told_so_and_who_stops_in_a_transaction_loses_it(database: Database) -> None:
    refused = pytest.raises(DatabaseError, match="Another writer has held keepsake")
    with closing(PostgresDatabase(str(load_settings(_env_file=None).database_url), busy_seconds=0.05)) as impatient:
        with database.transaction(), refused, impatient.transaction():
            pass
        with suppress(InternalError), impatient.transaction(), database.transaction() as db:
            assert db.scalar(text("SHOW synchronous_commit")) == "on"


def test_r4_whoever_waited_for_a_writer_waits_less_for_what_another_program_holds(database: Database) -> None:
    left: list[int] = []

    def write() -> None:
        with impatient.transaction(1) as db:
            left.append(db.scalars(text("SELECT setting::int FROM pg_settings WHERE name = 'lock_timeout'")).one())

    with closing(PostgresDatabase(str(load_settings(_env_file=None).database_url), busy_seconds=30)) as impatient:
        with database.transaction():
            second = postgres.start(write)
            postgres.wait_for_a_waiting_writer(database.engine)
        second.join()
    assert 0 < left[0] < 30_000


def test_an_error_quotes_no_row(database: Database, caplog: pytest.LogCaptureFixture) -> None:
    with database.transaction() as db:
        db.execute(NEW_PERSON, {"address": "+12065550100"})
    with pytest.raises(IntegrityError) as raised, database.transaction() as db:
        db.execute(NEW_PERSON, {"address": "+12065550100"})
    assert "23505" in str(raised.value)
    assert "+12065550100" not in str(raised.value) + repr(raised.value.orig) + caplog.text


def test_a_word_is_sought_by_its_whole_key_before_the_server_has_counted_the_table(database: Database) -> None:
    values = {"words": ["lake", "walk"], "blocks": [0, 1], "shelf": 4}
    for statement in (words._FIND, words._FIND_BEGINNING):
        with database.reading() as db:
            plan = RawRows(db).all(DialectSql("", f"EXPLAIN {statement.of('postgresql')}"), values)
        sought = next(step for (step,) in plan if "Index Cond" in step)
        assert all(column in sought for column in ("shelf", "block", "word")), plan
