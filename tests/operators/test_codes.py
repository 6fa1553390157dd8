"""The codes of an authenticator app, and those that stand in for them."""

import pytest
from sqlalchemy import select

from app import operators
from app.errors import Refused
from app.models import Operator, RecoveryCode
from app.operators import factors, login
from app.services import Services
from app.services.feature import CompletedLogin
from tests.fakes import FrozenClock
from tests.operators.logins import PASSWORD, first_step, is_open, log_in, row, shown_by_app, turn_on_app


@pytest.fixture
def app_on(services: Services, clock: FrozenClock, first: int) -> tuple[str, list[str]]:
    """The secret of the app that the first operator turned on a minute ago, and their recovery codes."""
    made = turn_on_app(services, log_in(services))
    clock.advance(minutes=1)
    return made


@pytest.fixture
def secret(app_on: tuple[str, list[str]]) -> str:
    return app_on[0]


@pytest.fixture
def codes(app_on: tuple[str, list[str]]) -> list[str]:
    return app_on[1]


def is_taken(services: Services, code: str) -> bool:
    return login.check_code(services, first_step(services), code) is not None


def test_the_password_alone_opens_nothing_when_an_app_is_on_and_a_login_is_ended_once(
    services: Services, clock: FrozenClock, secret: str
) -> None:
    step = first_step(services)
    assert not is_open(services, step)
    assert isinstance(login.check_code(services, step, shown_by_app(secret, services)), CompletedLogin)
    clock.advance(seconds=30)
    with pytest.raises(Refused, match="done already"):
        login.check_code(services, step, shown_by_app(secret, services))


@pytest.mark.parametrize(("seconds", "taken"), [(-60, False), (-30, True), (0, True), (30, True), (60, False)])
def test_a_code_is_taken_half_a_minute_off(services: Services, secret: str, seconds: int, taken: bool) -> None:
    code = shown_by_app(secret, services, seconds)
    assert is_taken(services, f" {code[:3]} {code[3:]} ") == taken


def test_r92_a_code_used_or_of_before_the_last_is_refused(services: Services, secret: str, clock: FrozenClock) -> None:
    code = shown_by_app(secret, services)
    assert [is_taken(services, code) for _ in range(2)] == [True, False]
    clock.advance(seconds=30)
    assert is_taken(services, shown_by_app(secret, services, 30))
    assert not is_taken(services, shown_by_app(secret, services))


@pytest.mark.parametrize(("hours", "taken"), [(1, True), (24, True), (0.05, False)])
def test_r67_a_code_of_a_clock_that_was_set_back_since_locks_nobody_out(
    services: Services, secret: str, clock: FrozenClock, hours: float, taken: bool
) -> None:
    assert is_taken(services, shown_by_app(secret, services))
    clock.set_back(hours=hours)
    assert [is_taken(services, shown_by_app(secret, services)) for _ in range(2)] == [taken, False]


@pytest.mark.usefixtures("first")
def test_r92_the_code_that_turned_the_app_on_opens_no_login(services: Services) -> None:
    secret, _ = turn_on_app(services, log_in(services))
    assert not is_taken(services, shown_by_app(secret, services))


@pytest.mark.usefixtures("secret")
@pytest.mark.parametrize("code", ["", "12345", "1234567", "abcdef", "１２３４５６", "a" * 5000, "٠٠٠٠٠٠", "-1e400"])
def test_what_is_no_code_is_wrong_and_nothing_worse(services: Services, code: str) -> None:
    assert not is_taken(services, code)


@pytest.mark.parametrize("what", ["five minutes", "a clock set back", "a new password", "an older state"])
def test_a_login_that_began_too_long_ago_or_before_its_operator_changed_begins_again(
    services: Services, secret: str, clock: FrozenClock, what: str
) -> None:
    step = first_step(services)
    if what == "five minutes":
        clock.advance(minutes=5)
    elif what == "a clock set back":
        clock.set_back(minutes=1)
    elif what == "an older state":  # As if it had been written while the operator changed.
        with services.transaction() as db:
            db.get_one(Operator, row(services).id).generation += 1
    else:
        login.change_password(services, row(services).id, PASSWORD, "amber river stone")
    with pytest.raises(Refused, match=r"longer than five minutes.*Begin again"):
        login.check_code(services, step, shown_by_app(secret, services))


def test_an_app_is_turned_on_only_with_its_code_and_recovery_codes_come_with_it(services: Services, first: int) -> None:
    with pytest.raises(Refused, match="That code is not right"):
        factors.turn_on_app(services, first, factors.new_secret(), "000000", log_in(services))
    with pytest.raises(Refused, match="Turn one on first"):
        factors.new_recovery_codes(services, first, "")
    assert log_in(services)


def test_each_of_ten_recovery_codes_opens_once_and_none_is_kept_plain(services: Services, codes: list[str]) -> None:
    with services.reading() as db:
        kept = db.scalars(select(RecoveryCode.code_hash)).all()
    assert len(kept) == len(set(codes)) == 10
    assert not {*codes, *(code.replace("-", "") for code in codes)} & set(kept)
    assert is_taken(services, codes[0].upper().replace("-", " "))
    assert [is_taken(services, codes[at]) for at in (0, 9)] == [False, True]
    assert factors.factors_of(services, row(services).id).codes_left == 8


def test_new_recovery_codes_replace_the_old_and_open_nothing_for_another(services: Services, codes: list[str]) -> None:
    new = factors.new_recovery_codes(services, row(services).id, "")
    _, sams = turn_on_app(services, log_in(services, operators.add(services, "sam", "owner"), "sam"), "sam")
    assert [is_taken(services, one) for one in (codes[0], sams[0], new[0])] == [False, False, True]


@pytest.mark.parametrize("change", ["on", "off", "codes"])
def test_r92_a_change_of_second_factors_ends_every_session_but_the_one_it_was_made_in(
    services: Services, clock: FrozenClock, first: int, change: str
) -> None:
    here, elsewhere = log_in(services), log_in(services)
    if change != "on":
        secret, _ = turn_on_app(services, here)
        clock.advance(minutes=1)
        began = login.check_code(services, first_step(services), shown_by_app(secret, services))
        assert began is not None
        elsewhere = began.session

    if change == "on":
        turn_on_app(services, here)
    elif change == "off":
        factors.turn_off_app(services, first, here)
    else:
        factors.new_recovery_codes(services, first, here)

    assert [is_open(services, session) for session in (here, elsewhere)] == [True, False]
