"""Passkeys: taken from where they were made, for what was asked, once."""

import pytest
from sqlalchemy import func, select

from app import operators
from app.errors import Refused
from app.models import LoginStep, Operator
from app.operators import PasskeyAsked, Site
from app.services import Services
from tests.fakes import FrozenClock
from tests.operators.authenticator import Authenticator
from tests.operators.logins import PASSWORD, first_step, log_in, row

HERE = Site("keepsake.example.org", "https://keepsake.example.org")


def kept(services: Services, device: Authenticator) -> str:
    """The token of the session in which the first operator kept the device's passkey."""
    operators.ensure_first(services, PASSWORD)
    session = log_in(services)
    me = row(services).id
    asked = operators.begin_passkey(services, me, HERE)
    codes = operators.keep_passkey(services, me, asked.step, "Desk", device.made(asked), HERE, session)
    assert codes is not None
    assert len(codes) == 10
    return session


def second(services: Services) -> PasskeyAsked:
    """What a login asks for after the password."""
    return operators.ask_again(services, first_step(services), HERE)


def refused(services: Services, asked: PasskeyAsked, credential: str, site: Site = HERE) -> str:
    with pytest.raises(Refused) as error:
        operators.log_in_with_passkey(services, asked.step, credential, site)
    return str(error.value)


@pytest.mark.parametrize("verifies", [True, False])
def test_a_passkey_is_a_second_factor_whether_it_asks_for_a_finger_or_not(services: Services, verifies: bool) -> None:
    device = Authenticator(HERE.origin, verifies=verifies)
    kept(services, device)

    asked = second(services)
    login = operators.log_in_with_passkey(services, asked.step, device.shown(asked), HERE)

    assert operators.operator_for(services, login.session) is not None
    assert operators.factors_of(services, row(services).id).passkeys[0].last_used_at == services.clock.now()


def test_a_passkey_alone_logs_in_only_if_it_asked_for_a_finger(services: Services) -> None:
    device = Authenticator(HERE.origin)
    kept(services, device)

    asked = operators.begin_passkey_login(services, HERE)
    login = operators.log_in_with_passkey(services, asked.step, device.shown(asked), HERE)
    assert operators.operator_for(services, login.session) is not None

    device.verifies = False
    asked = operators.begin_passkey_login(services, HERE)
    assert "was not accepted" in refused(services, asked, device.shown(asked))


def test_r92_the_same_answer_of_a_passkey_opens_once(services: Services) -> None:
    device = Authenticator(HERE.origin)
    kept(services, device)
    asked = second(services)
    answer = device.shown(asked)
    operators.log_in_with_passkey(services, asked.step, answer, HERE)

    assert "done already" in refused(services, asked, answer)
    assert "was not accepted" in refused(services, second(services), answer)


def test_a_passkey_that_was_used_on_another_site_opens_nothing(services: Services) -> None:
    device = Authenticator(HERE.origin)
    kept(services, device)
    asked = second(services)
    device.origin = "https://keepsake.example.org.evil.example"

    assert "was not accepted" in refused(services, asked, device.shown(asked))


def test_the_passkey_of_another_operator_ends_no_login_of_this_one(services: Services) -> None:
    kept(services, Authenticator(HERE.origin))
    other = Authenticator(HERE.origin)
    other.id = b"another credential"
    one_time = operators.add(services, "sam", "owner")
    session, sam = log_in(services, one_time, "sam"), row(services, "sam").id
    asked = operators.begin_passkey(services, sam, HERE)
    operators.keep_passkey(services, sam, asked.step, "Phone", other.made(asked), HERE, session)

    asked = second(services)

    assert "was not accepted" in refused(services, asked, other.shown(asked))


def test_a_passkey_that_was_removed_opens_nothing(services: Services) -> None:
    device = Authenticator(HERE.origin)
    session = kept(services, device)
    asked = operators.begin_passkey_login(services, HERE)

    operators.remove_passkey(services, row(services).id, 1, session)

    assert "was not accepted" in refused(services, asked, device.shown(asked))
    assert log_in(services)


def test_a_passkey_is_kept_only_for_who_asked_and_once(services: Services) -> None:
    device = Authenticator(HERE.origin)
    session, me = kept(services, device), row(services).id
    operators.add(services, "sam", "owner")
    sams = operators.begin_passkey(services, row(services, "sam").id, HERE)
    again = operators.begin_passkey(services, me, HERE)

    with pytest.raises(Refused, match="was not accepted"):
        operators.keep_passkey(services, me, sams.step, "Desk", device.made(sams), HERE, session)
    with pytest.raises(Refused, match="kept already"):
        operators.keep_passkey(services, me, again.step, "Desk", device.made(again), HERE, session)


def test_a_passkey_logs_in_while_guesses_have_everybody_else_wait(services: Services, clock: FrozenClock) -> None:
    device = Authenticator(HERE.origin)
    kept(services, device)
    for _ in range(5):
        operators.log_in(services, "operator", "wrong")
    with pytest.raises(Refused):
        operators.log_in(services, "operator", PASSWORD)

    asked = operators.begin_passkey_login(services, HERE)

    assert operators.log_in_with_passkey(services, asked.step, device.shown(asked), HERE)


def test_where_there_is_no_passkey_for_this_address_a_code_is_asked_for(services: Services) -> None:
    kept(services, Authenticator(HERE.origin))

    for site in (Site("localhost", "http://localhost:8080"), None):
        asked = operators.ask_again(services, first_step(services), site)
        assert (asked.options, asked.takes_code) == ({}, True)


def test_a_login_that_began_under_an_older_state_of_its_operator_is_not_ended(services: Services) -> None:
    device = Authenticator(HERE.origin)
    kept(services, device)
    asked = second(services)
    with services.transaction() as db:
        db.get_one(Operator, row(services).id).generation += 1

    assert "Begin again" in refused(services, asked, device.shown(asked))


def test_logins_that_anybody_may_begin_take_no_more_room_than_for_a_thousand(
    services: Services, clock: FrozenClock
) -> None:
    with services.transaction() as db:
        db.add_all(LoginStep(token_hash=f"{number}", challenge=b"", begun_at=clock.now()) for number in range(1500))

    operators.begin_passkey_login(services, HERE)

    with services.reading() as db:
        assert db.scalar(select(func.count()).select_from(LoginStep)) == 1000


def test_of_more_than_twenty_passkeys_the_next_is_refused(services: Services) -> None:
    operators.ensure_first(services, PASSWORD)
    session, me = log_in(services), row(services).id
    for number in range(20):
        device = Authenticator(HERE.origin)
        device.id = f"credential {number}".encode()
        asked = operators.begin_passkey(services, me, HERE)
        operators.keep_passkey(services, me, asked.step, "Desk", device.made(asked), HERE, session)

    with pytest.raises(Refused, match="You have 20 passkeys"):
        operators.begin_passkey(services, me, HERE)
