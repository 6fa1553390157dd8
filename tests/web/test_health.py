"""Health checks: they tell a monitor if the process lives and works, without harm to anybody."""

from datetime import timedelta
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.models import Message, Person
from app.operations import heartbeats
from app.operations.alerts import clear, raise_alert
from app.services import Services
from app.settings import Settings
from app.web.health import reply_seconds
from tests.fakes import FrozenClock
from tests.turns import add_ended_turn
from tests.twilio_server import LIVE


@pytest.fixture
def alive(services: Services) -> None:
    """Both hearts have just beaten."""
    with services.transaction() as db:
        for part in (heartbeats.WORKER, heartbeats.SCHEDULER):
            heartbeats.beat(db, part, services.clock.now())


def ready(client: FlaskClient, status: int = 200) -> dict[str, Any]:
    answer = client.get("/ready")
    assert answer.status_code == status, answer.text
    told: dict[str, Any] = answer.json or {}
    return told


def keep(services: Services, state: str, direction: str) -> None:
    now = services.clock.now()
    with services.transaction() as db:
        known = {"name": "Marisol", "timezone": "UTC", "access": "allowed", "created_at": now}
        person = db.query(Person).first() or Person(address="+12065550100", key="k", **known)
        db.add(person)
        db.flush()
        of = {"person_id": person.id, "carrier": "phone", "created_at": now, "body": "my secret words"}
        db.add(Message(direction=direction, state=state, **of))


def test_alive_is_one_word_and_before_the_first_heartbeat_it_is_not_ready(client: FlaskClient) -> None:
    assert client.get("/health").json == {"status": "ok"}
    told = ready(client, 503)
    assert told["worker_heartbeat_age_seconds"] is told["scheduler_heartbeat_age_seconds"] is None


@pytest.mark.usefixtures("alive")
def test_r117_all_is_well_with_nothing_stuck(client: FlaskClient) -> None:
    told = ready(client)
    assert told.pop("disk_free_bytes") > 0
    assert told == {
        "status": "ready",
        "reason": None,
        "database": "ok",
        "worker_heartbeat_age_seconds": 0.0,
        "scheduler_heartbeat_age_seconds": 0.0,
        "oldest_unanswered_seconds": 0.0,
        "outbox_unknown": 0,
        "dead_letters": 0,
        "twilio": "not set",
        "model": "offline",
        "disk": told["disk"],
        "alerts": [],
    }


@pytest.mark.usefixtures("alive")
@pytest.mark.parametrize("part", [heartbeats.WORKER, heartbeats.SCHEDULER])
def test_r117_a_part_that_is_silent_for_more_than_a_minute_is_told_apart_and_is_not_ready(
    client: FlaskClient, services: Services, clock: FrozenClock, part: str
) -> None:
    clock.advance(seconds=60)
    ready(client)
    clock.advance(seconds=1)
    other = heartbeats.SCHEDULER if part == heartbeats.WORKER else heartbeats.WORKER
    with services.transaction() as db:
        heartbeats.beat(db, other, clock.now())
    told = ready(client, 503)
    ages = {f"heart:{one}": told[f"{one}_heartbeat_age_seconds"] for one in ("worker", "scheduler")}
    assert (told["status"], ages) == ("not ready", {part: 61.0, other: 0.0})


@pytest.mark.usefixtures("alive")
def test_r117_what_waits_or_is_given_up_is_counted(client: FlaskClient, services: Services, clock: FrozenClock) -> None:
    keep(services, "waiting", "in")
    clock.advance(seconds=12)
    for state, direction in (("waiting", "in"), ("unknown", "out"), ("unknown", "out"), ("dead", "in")):
        keep(services, state, direction)
    told = ready(client)
    assert (told["oldest_unanswered_seconds"], told["outbox_unknown"], told["dead_letters"]) == (12.0, 2, 1)


@pytest.mark.usefixtures("alive")
@pytest.mark.parametrize("settings", [LIVE | {"anthropic_api_key": "sk-ant-test"}], indirect=True)
def test_r117_alerts_are_told_by_kind_and_make_their_part_fail_until_they_are_over(
    client: FlaskClient, services: Services, clock: FrozenClock
) -> None:
    told = ready(client)
    assert (told["twilio"], told["model"], told["alerts"]) == ("ok", "ok", [])
    with services.transaction() as db:
        for kind in ("model_down", "sender"):
            raise_alert(db, kind, f"The sentence about {kind}.", clock.now())
    answer = client.get("/ready")
    assert answer.status_code == 200
    assert answer.json is not None
    assert (answer.json["twilio"], answer.json["model"]) == ("failing", "failing")
    assert answer.json["alerts"] == ["model_down", "sender"]
    assert "sentence" not in answer.text
    with services.transaction() as db:
        clear(db, "model_down", clock.now())
    assert ready(client)["model"] == "ok"


@pytest.mark.usefixtures("alive")
def test_a_process_that_is_stopping_is_not_ready_and_says_so(app: Flask, client: FlaskClient) -> None:
    app.extensions["stopping"].set()
    assert ready(client, 503)["status"] == "stopping"


def test_a_silent_database_is_503_and_no_more_said(client: FlaskClient, services: Services, settings: Settings) -> None:
    with services.transaction() as db:
        db.connection().exec_driver_sql("ALTER TABLE messages RENAME TO gone")
    assert ready(client, 503) == {"status": "not ready", "database": "unreachable"}


@pytest.mark.usefixtures("alive")
@pytest.mark.parametrize("path", ["/health", "/ready", "/metrics"])
def test_r103_no_one_is_named_and_no_version_is_told(client: FlaskClient, services: Services, path: str) -> None:
    keep(services, "waiting", "in")
    answer = client.get(path)
    assert answer.status_code == 200
    said = answer.text + str(answer.headers)
    assert not [word for word in ("Marisol", "2065550100", "secret", "0.1.0", "3.11", "python_info") if word in said]


def test_a_text_that_came_late_hides_no_answer_of_the_last_hour(services: Services, clock: FrozenClock) -> None:
    now = clock.now()
    with services.transaction() as db:
        person = Person(address="+1", key="k", timezone="UTC", access="allowed", created_at=now)
        db.add(person)
        db.flush()
        for number in range(10):
            came = now - timedelta(hours=3 if number == 5 else 0.5)
            turn = add_ended_turn(db, person.id, came)
            of = {"person_id": person.id, "turn_id": turn.id, "carrier": "phone", "body": "hi"}
            for row in (
                Message(**of, direction="in", state="answered", created_at=came),
                Message(**of, direction="out", state="sent", created_at=now, sent_at=now),
            ):
                db.add(row)
                db.flush()
    with services.reading() as db:
        assert len(reply_seconds(db, now)) == 10
