"""Guessing is refused for a while, told to the operator, and keeps no owner out of a browser of theirs."""

import pytest
from sqlalchemy import select

from app import operators
from app.errors import Refused
from app.models import Alert
from app.operations.alerts import clear_passed, open_alerts
from app.operators import Opened
from app.services import Services
from tests.fakes import FrozenClock
from tests.operators.logins import PASSWORD, first_step, log_in, opened, row, shown_by_app


def guess(services: Services, times: int = 1, browser: str | None = None) -> int:
    """How many of the guesses were read; the others were refused unread."""
    read = 0
    for _ in range(times):
        try:
            assert operators.log_in(services, "operator", "wrong", browser) is None
            read += 1
        except Refused:
            pass
    return read


def alerts(services: Services) -> list[Alert]:
    with services.reading() as db:
        return list(open_alerts(db))


def with_app(services: Services) -> str:
    """The secret of an app that the first operator has turned on."""
    session, secret = log_in(services), operators.new_secret()
    operators.turn_on_app(services, row(services).id, secret, shown_by_app(secret, services), session)
    return secret


def test_r92_of_a_thousand_guesses_at_once_five_are_read(services: Services) -> None:
    operators.ensure_first(services, PASSWORD)

    assert guess(services, 1000) == 5

    with pytest.raises(Refused, match="5 wrong tries in a row"):
        operators.log_in(services, "operator", PASSWORD)


def test_r92_a_flood_of_guesses_from_elsewhere_does_not_keep_out_a_browser_that_has_logged_in_before(
    services: Services, clock: FrozenClock
) -> None:
    operators.ensure_first(services, PASSWORD)
    browser = opened(services).browser
    for _ in range(50):
        guess(services, 20)
        clock.advance(minutes=5)
    guess(services, 20)

    assert isinstance(operators.log_in(services, "operator", PASSWORD, browser), Opened)


def test_r92_guesses_from_a_known_browser_wait_as_well_and_hold_up_no_other(
    services: Services, clock: FrozenClock
) -> None:
    operators.ensure_first(services, PASSWORD)
    browser = opened(services).browser

    assert guess(services, 100, browser) == 5
    with pytest.raises(Refused, match="Try again in 1 s"):
        operators.log_in(services, "operator", PASSWORD, browser)

    assert log_in(services)


def test_r92_a_browser_cookie_that_somebody_made_up_is_as_good_as_none(services: Services) -> None:
    operators.ensure_first(services, PASSWORD)

    assert guess(services, 5, "made up") + guess(services, 5, "another") == 5
    services_row = row(services)
    assert services_row.failures == 5


def test_a_made_up_cookie_does_not_become_known_by_a_login(services: Services) -> None:
    operators.ensure_first(services, PASSWORD)

    assert opened(services, browser="made up").browser != "made up"


def test_a_browser_stays_known_to_all_who_log_in_with_it(services: Services) -> None:
    operators.ensure_first(services, PASSWORD)
    other = operators.add(services, "sam", "support")
    first = opened(services).browser

    assert opened(services, other, "sam", first).browser == first
    assert opened(services, browser=first).browser == first


def test_a_browser_that_nobody_logged_in_with_for_half_a_year_is_known_no_more(
    services: Services, clock: FrozenClock
) -> None:
    operators.ensure_first(services, PASSWORD)
    browser = opened(services).browser
    clock.advance(days=181)
    log_in(services)

    guess(services, 5)

    with pytest.raises(Refused):
        operators.log_in(services, "operator", PASSWORD, browser)


def test_of_more_than_twenty_browsers_the_one_used_longest_ago_is_forgotten(
    services: Services, clock: FrozenClock
) -> None:
    operators.ensure_first(services, PASSWORD)
    browsers = []
    for _ in range(21):
        browsers.append(opened(services).browser)
        clock.advance(minutes=1)
    guess(services, 5)

    with pytest.raises(Refused):
        operators.log_in(services, "operator", PASSWORD, browsers[0])
    assert isinstance(operators.log_in(services, "operator", PASSWORD, browsers[1]), Opened)


def test_r92_codes_and_passwords_share_one_count(services: Services, clock: FrozenClock) -> None:
    operators.ensure_first(services, PASSWORD)
    secret = with_app(services)
    clock.advance(minutes=1)
    guess(services, 3)
    step = first_step(services)
    for _ in range(2):
        assert operators.check_code(services, step, "000000") is None

    with pytest.raises(Refused, match="5 wrong tries in a row"):
        operators.check_code(services, step, shown_by_app(secret, services))


def test_r92_the_right_password_again_and_again_gives_no_fresh_count_of_codes(
    services: Services, clock: FrozenClock
) -> None:
    operators.ensure_first(services, PASSWORD)
    with_app(services)
    for _ in range(5):
        assert operators.check_code(services, first_step(services), "000000") is None

    with pytest.raises(Refused, match="5 wrong tries in a row"):
        operators.log_in(services, "operator", PASSWORD)


def test_the_right_password_does_not_make_the_wait_for_the_code_longer(services: Services, clock: FrozenClock) -> None:
    operators.ensure_first(services, PASSWORD)
    secret = with_app(services)
    guess(services, 5)
    clock.advance(seconds=60)

    step = first_step(services)

    assert operators.check_code(services, step, shown_by_app(secret, services)) is not None


def test_a_clock_that_was_set_back_makes_nobody_wait_until_it_has_caught_up(
    services: Services, clock: FrozenClock
) -> None:
    operators.ensure_first(services, PASSWORD)
    guess(services, 5)

    clock.advance(days=-1)

    assert log_in(services)


def test_r92_the_operator_is_told_once_of_many_failed_logins(services: Services, clock: FrozenClock) -> None:
    operators.ensure_first(services, PASSWORD)
    for _ in range(10):
        guess(services)
        clock.advance(minutes=1)
    assert alerts(services) == []

    for _ in range(3):
        guess(services)
        clock.advance(minutes=5)

    (alert,) = alerts(services)
    assert alert.kind == "guessing"
    assert "somebody is guessing" in alert.sentence
    assert "knew" not in alert.sentence


def test_r92_guesses_at_names_that_nobody_has_are_told_too(services: Services) -> None:
    operators.ensure_first(services, PASSWORD)

    for number in range(11):
        operators.log_in(services, f"name{number}", "wrong")

    assert [alert.kind for alert in alerts(services)] == ["guessing"]


def test_logins_that_succeed_are_no_failures(services: Services) -> None:
    operators.ensure_first(services, PASSWORD)

    for _ in range(12):
        log_in(services)

    assert alerts(services) == []


def test_ten_failed_logins_within_days_are_nothing_to_be_told_of(services: Services, clock: FrozenClock) -> None:
    operators.ensure_first(services, PASSWORD)

    for _ in range(12):
        guess(services)
        clock.advance(hours=1)

    assert alerts(services) == []


def test_who_knew_the_password_and_guesses_codes_is_told_before_ten_tries(
    services: Services, clock: FrozenClock
) -> None:
    operators.ensure_first(services, PASSWORD)
    with_app(services)
    for _ in range(6):
        clock.advance(minutes=1)
        operators.check_code(services, first_step(services), "000000")

    (alert,) = alerts(services)
    assert "knew an operator's password" in alert.sentence


def test_the_alert_ends_a_day_after_the_last_failure(services: Services, clock: FrozenClock) -> None:
    operators.ensure_first(services, PASSWORD)
    for number in range(11):
        operators.log_in(services, f"name{number}", "wrong")

    clock.advance(days=1, seconds=1)
    with services.transaction() as db:
        clear_passed(db, clock.now())

    assert alerts(services) == []
    with services.reading() as db:
        assert db.scalars(select(Alert)).one().cleared_at is not None
