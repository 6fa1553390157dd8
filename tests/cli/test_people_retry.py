"""Texts that were given up: who may have theirs tried again, and what is said to whoever may not."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from sqlalchemy import select

from app import people
from app.models import Message
from app.operations.alerts import open_alerts, raise_alert
from app.people import consents
from app.services import Services
from app.settings import Settings
from app.wiring import build_services
from tests.cli.conftest import Run

ALEX, BLAIR = "+12065550100", "+12125550101"
NOW = datetime(2026, 11, 21, 17, 0, tzinfo=UTC)


@pytest.fixture
def services() -> Iterator[Services]:
    """The installation that the commands work on."""
    services = build_services(Settings())
    yield services
    services.store.close()


def give_up(services: Services, number: str, *, access: str = "allowed") -> int:
    """A text that ended its process five times; the id of its person."""
    with services.transaction() as db:
        person = people.by_address(db, number) or people.add(db, number, access=access, now=NOW)
        text = Message(person_id=person.id, direction="in", carrier="twilio", state="dead", body="Hi", created_at=NOW)
        db.add(text)
        raise_alert(db, "dead_letters", "A text was given up. Look at it.", NOW)
        return person.id


def states(services: Services) -> list[str]:
    with services.reading() as db:
        return list(db.scalars(select(Message.state).where(Message.direction == "in").order_by(Message.id)))


@pytest.mark.parametrize("access", ["blocked", "waiting"])
def test_whoever_may_not_text_has_nothing_tried_again(run: Run, services: Services, access: str) -> None:
    give_up(services, ALEX, access=access)
    result = run("people", "retry", ALEX)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"{ALEX} is blocked, waits to be let in, or has opted out")
    assert "nothing would be sent" in result.stderr
    assert "Traceback" not in result.stderr
    assert states(services) == ["dead"]


def test_whoever_has_opted_out_has_nothing_tried_again_until_they_text_start(run: Run, services: Services) -> None:
    person_id = give_up(services, ALEX)
    consents.refuse_for(services, person_id, "By phone: no more texts")
    result = run("people", "retry", ALEX, "--json")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "has opted out" in result.stderr
    assert "dead" in states(services)


def test_whoever_is_let_in_again_has_theirs_tried_again(run: Run, services: Services) -> None:
    give_up(services, ALEX, access="blocked")
    run("people", "allow", ALEX)
    assert json.loads(run("people", "retry", ALEX, "--json").stdout)["tried_again"] == 1
    assert states(services) == ["waiting"]


def test_the_alert_is_over_when_the_last_of_them_is_tried_again(run: Run, services: Services) -> None:
    give_up(services, ALEX)
    give_up(services, BLAIR)
    for number, left in [(ALEX, ["dead_letters"]), (BLAIR, [])]:
        assert run("people", "retry", number).stdout.startswith("Texts tried again: 1.")
        with services.reading() as db:
            assert [alert.kind for alert in open_alerts(db)] == left
