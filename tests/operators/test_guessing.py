"""Guessing is refused for a while, told to the operator, and keeps no owner out of a browser of theirs."""

import re

import pytest
from sqlalchemy import select

from app import operators
from app.errors import Refused
from app.models import Alert, Operator
from app.operations.alerts import clear_passed, open_alerts
from app.operators import login
from app.services import Services
from tests.fakes import FrozenClock
from tests.operators.logins import PASSWORD, first_step, log_in, opened, row, shown_by_app, turn_on_app

pytestmark = pytest.mark.usefixtures("first")


def guess(services: Services, times: int = 1, browser: str | None = None) -> int:
    """Number of guesses that were checked; the others were refused unchecked."""
    read = 0
    for _ in range(times):
        try:
            assert login.log_in(services, "operator", "wrong", browser) is None
            read += 1
        except Refused:
            pass
    return read


def refused(services: Services, browser: str | None = None) -> str:
    """The refusal of the right password."""
    with pytest.raises(Refused) as error:
        login.log_in(services, "operator", PASSWORD, browser)
    return str(error.value)


def alerts(services: Services) -> list[Alert]:
    with services.reading() as db:
        return list(open_alerts(db))


def test_r92_of_a_thousand_guesses_at_once_five_are_read_and_told_when(services: Services, clock: FrozenClock) -> None:
    assert guess(services, 1000) == 5
    assert refused(services) == "5 wrong tries in a row. Try again in 1 s, at 17:00:01 UTC."
    clock.advance(seconds=1)
    assert log_in(services), "a refused try does not make the wait longer"


def test_each_wrong_password_after_five_doubles_the_wait_to_minutes(services: Services, clock: FrozenClock) -> None:
    assert guess(services, 5) == 5
    waits = []
    for _ in range(11):
        waits.append(int(re.findall(r"again in (\d+) s", refused(services))[0]))
        clock.advance(seconds=waits[-1])
        assert guess(services) == 1
    assert waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]


@pytest.mark.parametrize("later", [{"seconds": 300}, {"days": -1}])
def test_r92_after_a_thousand_wrong_passwords_the_right_one_opens_within_five_minutes_also_when_the_clock_is_set_back(
    services: Services, clock: FrozenClock, later: dict[str, float]
) -> None:
    with services.transaction() as db:
        operator = db.scalars(select(Operator)).one()
        operator.failures, operator.last_failure_at = 1_000_000, clock.now()
    clock.advance(**later)
    assert log_in(services)


def test_guessing_the_current_password_in_an_open_session_waits_like_a_login(services: Services, first: int) -> None:
    for _ in range(5):
        with pytest.raises(Refused, match="not right"):
            login.change_password(services, first, "wrong", "amber river stone")
    with pytest.raises(Refused, match="Try again in 1 s"):
        login.change_password(services, first, PASSWORD, "amber river stone")


def test_r92_guesses_from_a_known_browser_wait_as_well_and_hold_up_no_other(services: Services) -> None:
    browser = opened(services).browser
    assert guess(services, 100, browser) == 5
    assert "Try again in 1 s" in refused(services, browser)
    assert log_in(services)


def test_r92_a_browser_cookie_that_was_made_up_is_as_good_as_none_and_stays_unknown(services: Services) -> None:
    assert opened(services, browser="made up").browser != "made up"
    assert guess(services, 5, "made up") + guess(services, 5, "another") == 5
    assert row(services).failures == 5


def test_a_browser_stays_known_to_all_who_log_in_with_it(services: Services) -> None:
    other = operators.add(services, "sam", "support")
    browser = opened(services).browser
    assert opened(services, other, "sam", browser).browser == browser
    assert opened(services, browser=browser).browser == browser


def test_a_browser_is_known_for_half_a_year(services: Services, clock: FrozenClock) -> None:
    browser = opened(services).browser
    clock.advance(days=181)
    log_in(services)
    guess(services, 5)
    assert refused(services, browser)


def test_r92_codes_and_passwords_share_one_count_that_the_right_password_again_does_not_clear(
    services: Services, clock: FrozenClock
) -> None:
    secret, _ = turn_on_app(services, log_in(services))
    guess(services, 3)
    for _ in range(2):
        step = first_step(services)
        assert login.check_code(services, step, "000000") is None
    assert "5 wrong tries in a row" in refused(services)
    with pytest.raises(Refused, match="5 wrong tries in a row"):
        login.check_code(services, step, shown_by_app(secret, services))
    clock.advance(seconds=60)
    assert login.check_code(services, first_step(services), shown_by_app(secret, services)) is not None


def test_r92_the_operator_is_told_once_of_many_failed_logins(services: Services, clock: FrozenClock) -> None:
    for _ in range(10):
        guess(services)
        clock.advance(minutes=1)
    assert alerts(services) == []
    for _ in range(3):
        guess(services)
        clock.advance(minutes=5)
    [alert] = alerts(services)
    assert alert.kind == "guessing"
    assert "somebody is guessing" in alert.sentence
    assert "knew" not in alert.sentence


def test_r92_guesses_at_names_of_nobody_are_told_for_a_day_too(services: Services, clock: FrozenClock) -> None:
    for number in range(11):
        login.log_in(services, f"name{number}", "wrong")
    assert [alert.kind for alert in alerts(services)] == ["guessing"]
    clock.advance(days=1, seconds=1)
    with services.transaction() as db:
        clear_passed(db, clock.now())
    assert alerts(services) == []


def test_who_knew_the_password_and_guesses_codes_is_told_by_ten(services: Services, clock: FrozenClock) -> None:
    turn_on_app(services, log_in(services))
    for _ in range(6):
        clock.advance(minutes=1)
        login.check_code(services, first_step(services), "000000")
    [alert] = alerts(services)
    assert "knew an operator's password" in alert.sentence


def test_a_password_is_changed_in_a_known_browser_while_somebody_guesses_it(services: Services) -> None:
    done, new = opened(services), f"{PASSWORD} and more"
    guess(services, 8)
    with pytest.raises(Refused):
        login.change_password(services, row(services).id, PASSWORD, new)
    login.change_password(services, row(services).id, PASSWORD, new, done.browser)
