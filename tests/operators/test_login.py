import hashlib
import re

import pytest
from sqlalchemy import event, select

from app import operators
from app.errors import Refused
from app.models import Operator, OperatorSession
from app.operators.passwords import NOBODY
from app.services import Services
from app.store.db import Database
from tests.fakes import FrozenClock
from tests.operators.logins import PASSWORD, log_in


def test_r93_the_first_start_gives_a_one_time_password_that_must_be_changed(services: Services) -> None:
    password = operators.ensure_first(services, None)

    assert password is not None
    assert re.fullmatch(r"[2-9a-z]{5}(-[2-9a-z]{5}){3}", password)
    found = operators.operator_for(services, log_in(services, password))
    assert found is not None
    assert found.must_change_password


def test_a_later_start_prints_no_password_and_changes_none(services: Services) -> None:
    password = operators.ensure_first(services, None)

    assert operators.ensure_first(services, None) is None
    assert password is not None
    assert log_in(services, password)


def test_a_password_from_the_settings_needs_no_change(services: Services) -> None:
    assert operators.ensure_first(services, PASSWORD) is None

    found = operators.operator_for(services, log_in(services))
    assert found is not None
    assert not found.must_change_password


def test_a_new_password_in_the_settings_takes_the_place_of_the_old_and_ends_sessions(services: Services) -> None:
    operators.ensure_first(services, PASSWORD)
    token = log_in(services)

    operators.ensure_first(services, "amber river stone")

    assert operators.operator_for(services, token) is None
    assert operators.log_in(services, "operator", PASSWORD) is None
    assert log_in(services, "amber river stone")


def test_the_same_password_in_the_settings_ends_no_session(services: Services) -> None:
    operators.ensure_first(services, PASSWORD)
    token = log_in(services)

    operators.ensure_first(services, PASSWORD)

    assert operators.operator_for(services, token) is not None


def test_neither_the_password_nor_the_token_is_in_the_database(services: Services) -> None:
    operators.ensure_first(services, PASSWORD)
    token = log_in(services)

    with services.reading() as db:
        operator = db.scalars(select(Operator)).one()
        session = db.scalars(select(OperatorSession)).one()
    assert operator.password_hash.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert session.token_hash == hashlib.sha256(token.encode()).hexdigest()


def test_r92_an_unknown_name_is_turned_away_after_the_same_work_as_a_wrong_password(services: Services) -> None:
    operators.ensure_first(services, PASSWORD)

    assert operators.log_in(services, "nobody", PASSWORD) is None
    with services.reading() as db:
        parameters = db.scalars(select(Operator)).one().password_hash.split("$")[:4]
    assert NOBODY.split("$")[:4] == parameters


@pytest.mark.parametrize("name", ["operator", "nobody"])
def test_r92_a_wrong_name_and_a_wrong_password_cost_the_same_writes(
    services: Services, database: Database, name: str
) -> None:
    operators.ensure_first(services, PASSWORD)
    commits: list[object] = []
    keep = commits.append
    event.listen(database.engine, "commit", keep)

    operators.log_in(services, name, "wrong")

    assert len(commits) == 2  # The try, and the line in the log.
    event.remove(database.engine, "commit", keep)


def test_each_wrong_password_after_the_fifth_doubles_the_wait_up_to_five_minutes(
    services: Services, clock: FrozenClock
) -> None:
    operators.ensure_first(services, PASSWORD)
    for _ in range(5):
        assert operators.log_in(services, "operator", "wrong") is None

    waits = []
    for _ in range(11):
        with pytest.raises(Refused) as refused:
            operators.log_in(services, "operator", PASSWORD)
        waits.append(int(re.findall(r"again in (\d+) s", str(refused.value))[0]))
        clock.advance(seconds=waits[-1])
        assert operators.log_in(services, "operator", "wrong") is None

    assert waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]


def test_the_refusal_says_when_to_try_again(services: Services) -> None:
    operators.ensure_first(services, PASSWORD)
    for _ in range(5):
        operators.log_in(services, "operator", "wrong")

    with pytest.raises(Refused, match=r"^5 wrong tries in a row\. Try again in 1 s, at 17:00:01 UTC\.$"):
        operators.log_in(services, "operator", PASSWORD)


def test_a_refused_try_does_not_make_the_wait_longer(services: Services, clock: FrozenClock) -> None:
    operators.ensure_first(services, PASSWORD)
    for _ in range(5):
        operators.log_in(services, "operator", "wrong")
    for _ in range(100):
        with pytest.raises(Refused):
            operators.log_in(services, "operator", "wrong")

    clock.advance(seconds=1)

    assert log_in(services)


def test_the_right_password_clears_the_count(services: Services, clock: FrozenClock) -> None:
    operators.ensure_first(services, PASSWORD)
    for _ in range(4):
        operators.log_in(services, "operator", "wrong")
    log_in(services)

    for _ in range(4):
        assert operators.log_in(services, "operator", "wrong") is None

    assert log_in(services)


def test_r92_after_a_thousand_wrong_passwords_the_right_one_still_opens_within_five_minutes(
    services: Services, clock: FrozenClock
) -> None:
    operators.ensure_first(services, PASSWORD)
    with services.transaction() as db:
        operator = db.scalars(select(Operator)).one()
        operator.failures, operator.last_failure_at = 1_000_000, clock.now()

    clock.advance(seconds=300)

    assert log_in(services)


def test_a_reset_gives_a_new_one_time_password_at_once_whatever_was_tried_before(services: Services) -> None:
    operators.ensure_first(services, PASSWORD)
    token = log_in(services)
    for _ in range(9):
        with services.transaction() as db:
            db.scalars(select(Operator)).one().failures += 1

    password = operators.reset_password(services)

    assert operators.operator_for(services, token) is None
    found = operators.operator_for(services, log_in(services, password))
    assert found is not None
    assert found.must_change_password


def test_a_session_ends_after_eight_idle_hours(services: Services, clock: FrozenClock) -> None:
    operators.ensure_first(services, PASSWORD)
    token = log_in(services)

    clock.advance(hours=7, minutes=59)
    assert operators.operator_for(services, token) is not None
    clock.advance(hours=7, minutes=59)
    assert operators.operator_for(services, token) is not None
    clock.advance(hours=8)
    assert operators.operator_for(services, token) is None


def test_a_session_ends_after_seven_days_however_busy_it_is(services: Services, clock: FrozenClock) -> None:
    operators.ensure_first(services, PASSWORD)
    token = log_in(services)

    for _ in range(27):
        clock.advance(hours=6)
        assert operators.operator_for(services, token) is not None
    clock.advance(hours=6)

    assert operators.operator_for(services, token) is None


def test_sessions_that_ended_are_swept_at_the_next_login(services: Services, clock: FrozenClock) -> None:
    operators.ensure_first(services, PASSWORD)
    log_in(services)
    clock.advance(hours=9)

    log_in(services)

    with services.reading() as db:
        assert len(db.scalars(select(OperatorSession)).all()) == 1


def test_logging_out_ends_that_session_alone(services: Services) -> None:
    operators.ensure_first(services, PASSWORD)
    here, elsewhere = log_in(services), log_in(services)

    operators.log_out(services, here)

    assert operators.operator_for(services, here) is None
    assert operators.operator_for(services, elsewhere) is not None


def test_r92_changing_the_password_ends_every_session_of_before(services: Services) -> None:
    operators.ensure_first(services, PASSWORD)
    here, elsewhere = log_in(services), log_in(services)
    found = operators.operator_for(services, here)
    assert found is not None

    fresh = operators.change_password(services, found.operator_id, PASSWORD, "amber river stone")

    assert operators.operator_for(services, here) is None
    assert operators.operator_for(services, elsewhere) is None
    assert operators.operator_for(services, fresh) is not None


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (PASSWORD, "nine char", "has 9 characters; it needs at least 10"),
        (PASSWORD, "Password123", "is easily guessed"),
        (PASSWORD, "aaaaaaaaaaaa", "is easily guessed"),
        (PASSWORD, PASSWORD, "is the current one"),
        ("wrong", "amber river stone", "current password is not right"),
    ],
)
def test_a_password_that_will_not_do_is_refused_with_the_reason(
    services: Services, old: str, new: str, sentence: str
) -> None:
    operators.ensure_first(services, PASSWORD)
    found = operators.operator_for(services, log_in(services))
    assert found is not None

    with pytest.raises(Refused, match=sentence):
        operators.change_password(services, found.operator_id, old, new)

    assert log_in(services)


def test_guessing_the_current_password_in_an_open_session_waits_like_a_login(services: Services) -> None:
    operators.ensure_first(services, PASSWORD)
    found = operators.operator_for(services, log_in(services))
    assert found is not None
    for _ in range(5):
        with pytest.raises(Refused, match="not right"):
            operators.change_password(services, found.operator_id, "wrong", "amber river stone")

    with pytest.raises(Refused, match="Try again in 1 s"):
        operators.change_password(services, found.operator_id, PASSWORD, "amber river stone")
