"""The codes of an authenticator app, and those that stand in for them."""

import pyotp
import pytest
from sqlalchemy import select

from app import operators
from app.errors import Refused
from app.models import RecoveryCode
from app.operators import Opened
from app.services import Services
from tests.fakes import FrozenClock
from tests.operators.logins import PASSWORD, first_step, log_in, row, shown_by_app


@pytest.fixture
def secret(services: Services, clock: FrozenClock) -> str:
    """Of the app that the first operator turned on a minute ago."""
    return turn_on(services, clock)[0]


def turn_on(services: Services, clock: FrozenClock) -> tuple[str, list[str]]:
    operators.ensure_first(services, PASSWORD)
    session, secret = log_in(services), operators.new_secret()
    codes = operators.turn_on_app(services, row(services).id, secret, shown_by_app(secret, services), session)
    assert codes is not None
    clock.advance(minutes=1)
    return secret, codes


def test_the_password_alone_opens_nothing_when_an_app_is_on(services: Services, secret: str) -> None:
    step = first_step(services)

    assert operators.operator_for(services, step) is None
    assert isinstance(operators.check_code(services, step, shown_by_app(secret, services)), Opened)


@pytest.mark.parametrize(("seconds", "is_taken"), [(-60, False), (-30, True), (0, True), (30, True), (60, False)])
def test_a_code_is_taken_half_a_minute_early_or_late(
    services: Services, secret: str, seconds: int, is_taken: bool
) -> None:
    code = shown_by_app(secret, services, seconds)

    assert (operators.check_code(services, first_step(services), code) is not None) == is_taken


def test_a_code_may_be_typed_with_a_space_in_it(services: Services, secret: str) -> None:
    code = shown_by_app(secret, services)

    assert operators.check_code(services, first_step(services), f" {code[:3]} {code[3:]} ") is not None


def test_r92_a_code_that_was_used_is_refused_the_second_time(
    services: Services, secret: str, clock: FrozenClock
) -> None:
    code = shown_by_app(secret, services)
    assert operators.check_code(services, first_step(services), code) is not None

    assert operators.check_code(services, first_step(services), code) is None

    clock.advance(seconds=30)
    assert operators.check_code(services, first_step(services), shown_by_app(secret, services)) is not None


def test_r92_the_code_that_turned_the_app_on_opens_no_login(services: Services) -> None:
    operators.ensure_first(services, PASSWORD)
    session, secret = log_in(services), operators.new_secret()
    code = shown_by_app(secret, services)
    operators.turn_on_app(services, row(services).id, secret, code, session)

    assert operators.check_code(services, first_step(services), code) is None


def test_r92_a_code_of_before_the_last_one_used_is_refused(services: Services, secret: str) -> None:
    assert operators.check_code(services, first_step(services), shown_by_app(secret, services, 30)) is not None

    assert operators.check_code(services, first_step(services), shown_by_app(secret, services)) is None


@pytest.mark.parametrize("code", ["", "12345", "1234567", "abcdef", "１２３４５６", "a" * 5000, "٠٠٠٠٠٠", "-1e400"])
def test_what_is_no_code_is_wrong_and_nothing_worse(services: Services, secret: str, code: str) -> None:
    assert operators.check_code(services, first_step(services), code) is None


def test_a_login_that_began_more_than_five_minutes_ago_begins_again(
    services: Services, secret: str, clock: FrozenClock
) -> None:
    step = first_step(services)
    clock.advance(minutes=5)

    with pytest.raises(Refused, match="longer than five minutes"):
        operators.check_code(services, step, shown_by_app(secret, services))


def test_a_login_is_ended_once(services: Services, secret: str, clock: FrozenClock) -> None:
    step = first_step(services)
    operators.check_code(services, step, shown_by_app(secret, services))
    clock.advance(seconds=30)

    with pytest.raises(Refused, match="done already"):
        operators.check_code(services, step, shown_by_app(secret, services))


def test_a_login_that_began_before_the_password_changed_is_not_ended_after(services: Services, secret: str) -> None:
    step = first_step(services)

    operators.change_password(services, row(services).id, PASSWORD, "amber river stone")

    with pytest.raises(Refused, match="Begin again"):
        operators.check_code(services, step, shown_by_app(secret, services))


def test_an_app_is_turned_on_only_with_a_code_of_its_secret(services: Services) -> None:
    operators.ensure_first(services, PASSWORD)
    session = log_in(services)

    with pytest.raises(Refused, match="That code is not right"):
        operators.turn_on_app(services, row(services).id, pyotp.random_base32(), "000000", session)

    assert log_in(services)


def test_each_of_the_ten_recovery_codes_opens_once(services: Services, clock: FrozenClock) -> None:
    _, codes = turn_on(services, clock)

    assert len(set(codes)) == 10
    typed = codes[0].upper().replace("-", " ")
    assert operators.check_code(services, first_step(services), typed) is not None
    assert operators.check_code(services, first_step(services), codes[0]) is None
    assert operators.check_code(services, first_step(services), codes[9]) is not None
    assert operators.factors_of(services, row(services).id).codes_left == 8


def test_no_recovery_code_is_in_the_database(services: Services, clock: FrozenClock) -> None:
    _, codes = turn_on(services, clock)

    with services.reading() as db:
        kept = db.scalars(select(RecoveryCode.code_hash)).all()
    assert len(kept) == 10
    assert not set(codes) & set(kept)
    assert not any(code.replace("-", "") in kept for code in codes)


def test_new_recovery_codes_take_the_place_of_those_of_before(services: Services, clock: FrozenClock) -> None:
    _, old = turn_on(services, clock)

    new = operators.new_recovery_codes(services, row(services).id, "")

    assert operators.check_code(services, first_step(services), old[0]) is None
    assert operators.check_code(services, first_step(services), new[0]) is not None


def test_the_recovery_codes_of_one_operator_open_nothing_for_another(services: Services, clock: FrozenClock) -> None:
    turn_on(services, clock)
    one_time = operators.add(services, "sam", "owner")
    session, secret = log_in(services, one_time, "sam"), operators.new_secret()
    codes = operators.turn_on_app(services, row(services, "sam").id, secret, shown_by_app(secret, services), session)
    assert codes is not None

    assert operators.check_code(services, first_step(services), codes[0]) is None


def test_without_a_second_factor_there_are_no_recovery_codes(services: Services) -> None:
    operators.ensure_first(services, PASSWORD)

    with pytest.raises(Refused, match="Turn one on first"):
        operators.new_recovery_codes(services, row(services).id, "")


def test_turning_the_app_off_leaves_the_password_alone_and_no_codes(services: Services, secret: str) -> None:
    operators.turn_off_app(services, row(services).id, "")

    assert log_in(services)
    assert operators.factors_of(services, row(services).id).codes_left == 0


@pytest.mark.parametrize("change", ["on", "off", "codes"])
def test_r92_a_change_of_second_factors_ends_every_session_but_the_one_it_was_made_in(
    services: Services, clock: FrozenClock, change: str
) -> None:
    operators.ensure_first(services, PASSWORD)
    here, elsewhere = log_in(services), log_in(services)
    me = row(services).id
    if change != "on":
        turn_on_in(services, here, clock)
        elsewhere = another_session(services, clock)

    if change == "on":
        turn_on_in(services, here, clock)
    elif change == "off":
        operators.turn_off_app(services, me, here)
    else:
        operators.new_recovery_codes(services, me, here)

    assert operators.operator_for(services, elsewhere) is None
    assert operators.operator_for(services, here) is not None


def turn_on_in(services: Services, session: str, clock: FrozenClock) -> None:
    secret = operators.new_secret()
    operators.turn_on_app(services, row(services).id, secret, shown_by_app(secret, services), session)
    clock.advance(minutes=1)


def another_session(services: Services, clock: FrozenClock) -> str:
    secret = row(services).totp_secret
    assert secret is not None
    login = operators.check_code(services, first_step(services), shown_by_app(secret, services))
    assert login is not None
    clock.advance(minutes=1)
    return login.session
