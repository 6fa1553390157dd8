"""Several operators: one is always an owner, and whoever changes or goes is logged out."""

import threading

import pytest
from sqlalchemy import func, select, text

from app import operators
from app.errors import Conflict, NotFound, Refused
from app.models import LoginStep, Operator, OperatorBrowser, OperatorSession, Passkey, RecoveryCode
from app.services import Services
from tests.fakes import FrozenClock
from tests.operators.logins import PASSWORD, first_step, log_in, opened, row, shown_by_app


@pytest.fixture(autouse=True)
def _first(services: Services) -> None:
    operators.ensure_first(services, PASSWORD)


def test_the_first_operator_is_an_owner(services: Services) -> None:
    me = operators.operator_for(services, log_in(services))

    assert me is not None
    assert (me.role, me.is_owner, me.may_reveal) == ("owner", True, True)


def test_a_new_operator_logs_in_with_a_one_time_password_and_has_their_role(services: Services) -> None:
    password = operators.add(services, " Sam ", "support")

    sam = operators.operator_for(services, log_in(services, password, "SAM"))

    assert sam is not None
    assert (sam.name, sam.role, sam.may_reveal, sam.must_change_password) == ("sam", "support", False, True)


@pytest.mark.parametrize("name", ["", "   ", "-x", "two words", "é", "a" * 41, "<b>", "a\nb"])
def test_a_name_that_cannot_be_typed_everywhere_is_refused(services: Services, name: str) -> None:
    with pytest.raises(Refused, match="A name has up to 40"):
        operators.add(services, name, "support")


def test_a_name_is_given_once_however_it_is_written(services: Services) -> None:
    operators.add(services, "sam", "support")

    with pytest.raises(Conflict, match="the name sam already"):
        operators.add(services, "Sam", "owner")


def test_there_are_no_other_roles(services: Services) -> None:
    for change in (
        lambda: operators.add(services, "sam", "admin"),
        lambda: operators.set_role(services, row(services).id, ""),
    ):
        with pytest.raises(Refused, match="one of: owner, support"):
            change()


def test_the_only_owner_is_neither_removed_nor_made_support(services: Services) -> None:
    operators.add(services, "sam", "support")
    me = row(services).id

    with pytest.raises(Refused, match="operator is the only owner and cannot be removed"):
        operators.remove(services, me)
    with pytest.raises(Refused, match="cannot be made support"):
        operators.set_role(services, me, "support")

    operators.set_role(services, row(services, "sam").id, "owner")
    operators.set_role(services, me, "support")
    assert row(services).role == "support"


def test_of_two_owners_who_remove_each_other_at_once_one_stays(services: Services) -> None:
    operators.add(services, "sam", "owner")
    refused: list[str] = []

    def remove(name: str) -> None:
        try:
            operators.remove(services, ids[name])
        except Refused as error:
            refused.append(str(error))

    ids = {name: row(services, name).id for name in ("operator", "sam")}
    threads = [threading.Thread(target=remove, args=(name,)) for name in ids]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(refused) == 1
    assert len(operators.everyone(services)) == 1


def test_r92_a_session_ends_with_a_change_of_the_role(services: Services) -> None:
    password = operators.add(services, "sam", "owner")
    session = log_in(services, password, "sam")

    operators.set_role(services, row(services, "sam").id, "support")

    assert operators.operator_for(services, session) is None


def test_the_role_that_they_have_already_ends_nothing(services: Services) -> None:
    session = log_in(services)

    operators.set_role(services, row(services).id, "owner")

    assert operators.operator_for(services, session) is not None


def test_r92_whoever_is_removed_is_logged_out_and_leaves_nothing_to_log_in_with(
    services: Services, clock: FrozenClock
) -> None:
    password = operators.add(services, "sam", "owner")
    session = log_in(services, password, "sam")
    sam, secret = row(services, "sam").id, operators.new_secret()
    operators.turn_on_app(services, sam, secret, shown_by_app(secret, services), session)
    operators.log_in(services, "sam", password)

    operators.remove(services, sam)

    assert operators.operator_for(services, session) is None
    assert operators.log_in(services, "sam", password) is None
    with services.reading() as db:
        for table in (OperatorSession, LoginStep, OperatorBrowser, Passkey, RecoveryCode):
            count = select(func.count()).select_from(table).where(table.operator_id == sam)
            assert db.scalar(count) == 0, table


def test_the_number_of_one_who_was_removed_is_given_to_nobody_else(services: Services) -> None:
    operators.add(services, "sam", "support")
    sam = row(services, "sam").id
    operators.remove(services, sam)

    operators.add(services, "kim", "support")

    assert row(services, "kim").id > sam


def test_a_reset_turns_second_factors_off_and_ends_sessions_and_waits_in_every_browser(
    services: Services, clock: FrozenClock
) -> None:
    login = opened(services)
    me, secret = row(services).id, operators.new_secret()
    operators.turn_on_app(services, me, secret, shown_by_app(secret, services), login.session)
    step = first_step(services)
    for browser in (None, login.browser):
        for _ in range(5):
            operators.log_in(services, "operator", "wrong", browser)

    password = operators.reset(services, me)

    assert operators.operator_for(services, login.session) is None
    with pytest.raises(Refused, match="Begin again"):
        operators.check_code(services, step, shown_by_app(secret, services, 30))
    assert not operators.factors_of(services, me).are_on
    assert opened(services, password, browser=login.browser)
    assert opened(services, password)


def test_the_password_of_the_settings_is_the_first_owners(services: Services) -> None:
    operators.add(services, "sam", "owner")
    operators.set_role(services, row(services).id, "support")

    operators.ensure_first(services, "amber river stone")

    assert log_in(services, PASSWORD)
    assert log_in(services, "amber river stone", "sam")


def test_a_password_that_was_checked_before_a_change_opens_nothing_after_it(services: Services) -> None:
    session = log_in(services)
    with services.transaction() as db:
        db.get_one(Operator, row(services).id).generation += 1

    assert operators.operator_for(services, session) is None


def test_sessions_are_listed_this_one_first_and_ended_one_by_one(services: Services, clock: FrozenClock) -> None:
    here = log_in(services)
    clock.advance(minutes=1)
    elsewhere = log_in(services)
    me = row(services).id

    first, second = operators.open_sessions(services, me, here)
    assert (first.is_this_one, second.is_this_one) == (True, False)
    assert second.created_at == clock.now()

    operators.end_session(services, me, second.id)
    assert operators.operator_for(services, elsewhere) is None
    with pytest.raises(NotFound, match="ended already"):
        operators.end_session(services, me, second.id)


def test_r94_nobody_ends_the_session_of_another(services: Services) -> None:
    password = operators.add(services, "sam", "support")
    sams = log_in(services, password, "sam")
    (session,) = operators.open_sessions(services, row(services, "sam").id, sams)

    with pytest.raises(NotFound):
        operators.end_session(services, row(services).id, session.id)

    assert operators.operator_for(services, sams) is not None


def test_all_other_sessions_are_ended_at_once(services: Services) -> None:
    here, *others = [log_in(services) for _ in range(3)]

    assert operators.end_other_sessions(services, row(services).id, here) == 2

    assert operators.operator_for(services, here) is not None
    assert all(operators.operator_for(services, other) is None for other in others)


def test_the_database_takes_no_third_role(services: Services) -> None:
    with pytest.raises(Exception, match="role"), services.transaction() as db:
        db.execute(text("UPDATE operators SET role = 'admin'"))
