"""Several operators: one is always an owner, and an operator who is changed or removed is logged out."""

import pytest
from sqlalchemy import func, select

from app import operators
from app.errors import Refused
from app.models import LoginStep, OperatorBrowser, OperatorSession, Passkey, RecoveryCode
from app.operators import factors, login
from app.services import Services
from tests.operators.logins import PASSWORD, first_step, is_open, log_in, opened, row, shown_by_app, turn_on_app

pytestmark = pytest.mark.usefixtures("first")


@pytest.mark.parametrize(("role", "stays"), [("support", False), ("owner", True)])
def test_r92_a_session_ends_with_a_change_of_the_role(services: Services, role: str, stays: bool) -> None:
    session = log_in(services, operators.add(services, "sam", "owner"), "sam")
    operators.set_role(services, row(services, "sam").id, role)
    assert is_open(services, session) == stays


def test_r92_whoever_is_removed_is_logged_out_and_leaves_nothing_to_log_in_with(services: Services) -> None:
    password = operators.add(services, "sam", "owner")
    session, sam = log_in(services, password, "sam"), row(services, "sam").id
    turn_on_app(services, session, "sam")
    login.log_in(services, "sam", password)

    operators.remove(services, sam)

    assert not is_open(services, session)
    assert login.log_in(services, "sam", password) is None
    with services.reading() as db:
        for table in (OperatorSession, LoginStep, OperatorBrowser, Passkey, RecoveryCode):
            count = select(func.count()).select_from(table).where(table.operator_id == sam)
            assert db.scalar(count) == 0, table
    operators.add(services, "kim", "support")
    assert row(services, "kim").id > sam, "the number of one who was removed is nobody else's"


def test_a_reset_turns_second_factors_off_and_ends_sessions_everywhere(services: Services, first: int) -> None:
    began = opened(services)
    secret, _ = turn_on_app(services, began.session)
    step = first_step(services)
    for browser in (None, began.browser):
        for _ in range(5):
            login.log_in(services, "operator", "wrong", browser)

    password = operators.reset(services, first)

    assert not is_open(services, began.session)
    with pytest.raises(Refused, match="Begin again"):
        login.check_code(services, step, shown_by_app(secret, services, 30))
    assert not factors.factors_of(services, first).are_on
    assert opened(services, password, browser=began.browser)
    assert opened(services, password)


def test_the_password_of_the_settings_is_the_first_owners(services: Services) -> None:
    operators.add(services, "sam", "owner")
    operators.set_role(services, row(services).id, "support")
    operators.ensure_first(services, "amber river stone")
    assert log_in(services, PASSWORD)
    assert log_in(services, "amber river stone", "sam")
