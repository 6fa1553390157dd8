"""Passkeys: taken from where they were made, for what was asked, once."""

import pytest
from sqlalchemy import func, select

from app import operators
from app.errors import NotFound, Refused
from app.features.passkeys import keys
from app.models import LoginStep
from app.operators import factors, login, sessions
from app.services import Services
from app.services.feature import DeviceRequest
from app.settings import Settings
from tests.features.passkeys.authenticator import Authenticator
from tests.operators.logins import PASSWORD, first_step, log_in, row

ORIGIN = "https://keepsake.example.org"


@pytest.fixture
def settings(request: pytest.FixtureRequest) -> Settings:
    return Settings(public_url=getattr(request, "param", ORIGIN))


@pytest.fixture
def device() -> Authenticator:
    return Authenticator(ORIGIN)


@pytest.fixture
def session(services: Services, device: Authenticator) -> str:
    """The token of the session in which the first operator kept the device's passkey."""
    operators.ensure_first(services, PASSWORD)
    session = log_in(services)
    codes = keep(services, device, session)
    assert codes is not None
    assert len(codes) == 10
    return session


def keep(services: Services, device: Authenticator, session: str, name: str = "operator") -> list[str] | None:
    whose = row(services, name).id
    asked = keys.begin(services, whose, ORIGIN)
    return keys.keep(services, whose, asked.step, "Desk", device.made(asked), ORIGIN, session)


def second(services: Services) -> DeviceRequest:
    """The login's request for a passkey after the password."""
    return login.pending_factors(services, first_step(services), ORIGIN)


def refused(services: Services, asked: DeviceRequest, credential: str) -> str:
    with pytest.raises(Refused) as error:
        keys.log_in(services, asked.step, credential, ORIGIN)
    return str(error.value)


@pytest.mark.usefixtures("session")
def test_a_passkey_is_a_second_factor_whether_it_asks_for_a_finger_or_not(
    services: Services, device: Authenticator
) -> None:
    for device.verifies in (True, False):
        asked = second(services)
        login = keys.log_in(services, asked.step, device.shown(asked), ORIGIN)
        assert sessions.operator_for(services, login.session) is not None
    assert factors.factors_of(services, row(services).id).passkeys[0].last_used_at == services.clock.now()


@pytest.mark.usefixtures("session")
def test_a_passkey_alone_logs_in_if_it_asked_for_a_finger_also_while_guesses_have_everybody_else_wait(
    services: Services, device: Authenticator
) -> None:
    for _ in range(5):
        login.log_in(services, "operator", "wrong")
    with pytest.raises(Refused):
        login.log_in(services, "operator", PASSWORD)

    asked = keys.begin_login(services, ORIGIN)
    began = keys.log_in(services, asked.step, device.shown(asked), ORIGIN)
    assert sessions.operator_for(services, began.session) is not None

    device.verifies = False
    asked = keys.begin_login(services, ORIGIN)
    assert "was not accepted" in refused(services, asked, device.shown(asked))


@pytest.mark.usefixtures("session")
def test_r92_the_same_answer_of_a_passkey_opens_once(services: Services, device: Authenticator) -> None:
    asked = second(services)
    answer = device.shown(asked)
    keys.log_in(services, asked.step, answer, ORIGIN)

    assert "done already" in refused(services, asked, answer)
    assert "was not accepted" in refused(services, second(services), answer)


@pytest.mark.usefixtures("session")
def test_a_passkey_of_another_site_or_of_another_operator_ends_no_login_of_this_one(
    services: Services, device: Authenticator
) -> None:
    other = Authenticator(ORIGIN)
    other.id = b"another credential"
    keep(services, other, log_in(services, operators.add(services, "sam", "owner"), "sam"), "sam")

    asked = second(services)
    assert "was not accepted" in refused(services, asked, other.shown(asked))
    device.origin = f"{ORIGIN}.evil.example"
    assert "was not accepted" in refused(services, asked, device.shown(asked))


def test_a_passkey_that_was_removed_opens_nothing(services: Services, device: Authenticator, session: str) -> None:
    asked, me = keys.begin_login(services, ORIGIN), row(services).id

    keys.remove(services, me, 1, session)

    assert "was not accepted" in refused(services, asked, device.shown(asked))
    assert log_in(services)
    with pytest.raises(NotFound, match="You have no passkey 1"):
        keys.remove(services, me, 1, session)


def test_a_passkey_is_kept_only_for_who_asked_and_once(services: Services, device: Authenticator, session: str) -> None:
    operators.add(services, "sam", "owner")
    sams = keys.begin(services, row(services, "sam").id, ORIGIN)

    with pytest.raises(Refused, match="was not accepted"):
        keys.keep(services, row(services).id, sams.step, "Desk", device.made(sams), ORIGIN, session)
    with pytest.raises(Refused, match="kept already"):
        keep(services, device, session)


@pytest.mark.usefixtures("session")
def test_where_there_is_no_passkey_for_this_address_a_code_is_asked_for(services: Services) -> None:
    asked = login.pending_factors(services, first_step(services), "http://localhost:8080/")

    assert (asked.options, asked.takes_code) == ({}, True)


@pytest.mark.parametrize("settings", ["http://keepsake.example.org", "https://203.0.113.9"], indirect=True)
def test_without_https_and_a_name_there_are_none_but_at_localhost(services: Services) -> None:
    assert keys.why_unavailable(services, "http://localhost:8080/") is None
    assert keys.why_unavailable(services, "http://127.0.0.1:8080/") == keys.NO_SITE
    with pytest.raises(Refused, match="Passkeys need these pages under https"):
        keys.begin_login(services, "http://127.0.0.1:8080/")


@pytest.mark.parametrize(
    ("settings", "host", "origin"),
    [
        ("https://Keepsake.example.org:443/mine", "keepsake.example.org", "https://keepsake.example.org"),
        ("https://keepsake.example.org:8443", "keepsake.example.org", "https://keepsake.example.org:8443"),
    ],
    indirect=["settings"],
)
def test_a_passkey_is_bound_to_the_public_address_whatever_the_browser_says(
    services: Services, host: str, origin: str
) -> None:
    asked = keys.begin_login(services, "http://evil.example/")
    assert asked.options["rpId"] == host
    device = Authenticator(origin)
    operators.ensure_first(services, PASSWORD)
    assert keep(services, device, log_in(services)) is not None


def test_logins_that_anybody_may_begin_take_no_more_room_than_for_a_thousand(services: Services) -> None:
    now = services.clock.now()
    with services.transaction() as db:
        db.add_all(LoginStep(token_hash=f"{number}", challenge=b"", begun_at=now) for number in range(1500))

    keys.begin_login(services, ORIGIN)

    with services.reading() as db:
        assert db.scalar(select(func.count()).select_from(LoginStep)) == 1000
