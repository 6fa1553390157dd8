"""Passwords and sessions: from the first start to the last logout."""

import hashlib

import pytest
from sqlalchemy import event, select

from app import operators
from app.errors import NotFound
from app.models import OperatorSession
from app.operators import login, sessions
from app.operators.passwords import NOBODY
from app.services import Services
from app.store.db import Database
from tests.fakes import FrozenClock
from tests.operators.logins import PASSWORD, is_open, log_in, row

NEW = "amber river stone"


def test_a_password_of_the_settings_needs_no_change_and_ends_sessions_when_it_is_another(services: Services) -> None:
    assert operators.ensure_first(services, PASSWORD) is None
    token = log_in(services)
    operators.ensure_first(services, PASSWORD)
    assert is_open(services, token)
    operators.ensure_first(services, NEW)
    assert not is_open(services, token)
    assert login.log_in(services, "operator", PASSWORD) is None
    assert log_in(services, NEW)


@pytest.mark.usefixtures("first")
def test_neither_the_password_nor_the_token_is_in_the_database(services: Services) -> None:
    token = log_in(services)
    with services.reading() as db:
        session = db.scalars(select(OperatorSession)).one()
    assert row(services).password_hash.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert session.token_hash == hashlib.sha256(token.encode()).hexdigest()


@pytest.mark.usefixtures("first")
@pytest.mark.parametrize("name", ["operator", "nobody"])
def test_r92_a_wrong_name_and_a_wrong_password_cost_the_same(services: Services, database: Database, name: str) -> None:
    commits: list[object] = []
    keep = commits.append
    event.listen(database.engine, "commit", keep)
    assert login.log_in(services, name, "wrong") is None
    assert NOBODY.split("$")[:4] == row(services).password_hash.split("$")[:4]
    assert len(commits) == 2  # The try, and the line in the log.
    event.remove(database.engine, "commit", keep)


@pytest.mark.usefixtures("first")
@pytest.mark.parametrize(("looks", "hours"), [(2, 8), (28, 6)], ids=["eight idle hours", "seven busy days"])
def test_a_session_ends_in_time_and_is_swept(services: Services, clock: FrozenClock, looks: int, hours: int) -> None:
    token = log_in(services)
    for _ in range(looks - 1):
        clock.advance(hours=hours, seconds=-1)
        assert is_open(services, token)
    clock.advance(hours=hours, seconds=looks)
    assert not is_open(services, token)
    log_in(services)
    with services.reading() as db:
        assert len(db.scalars(select(OperatorSession)).all()) == 1


def test_r92_logging_out_ends_that_session_and_a_new_password_every_other_one(services: Services, first: int) -> None:
    here, elsewhere = log_in(services), log_in(services)
    sessions.log_out(services, here)
    assert [is_open(services, token) for token in (here, elsewhere)] == [False, True]
    fresh = login.change_password(services, first, PASSWORD, NEW)
    assert [is_open(services, token) for token in (elsewhere, fresh)] == [False, True]


def test_r94_nobody_ends_the_session_of_another(services: Services, first: int) -> None:
    password = operators.add(services, "sam", "support")
    sams = log_in(services, password, "sam")
    [session] = sessions.open_sessions(services, row(services, "sam").id, sams)
    with pytest.raises(NotFound):
        sessions.end_session(services, first, session.token_hash)
    assert is_open(services, sams)
