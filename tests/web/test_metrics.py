"""The numbers that a watch collects: who may read them, and that they are right."""

import json
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import select, update
from werkzeug.test import TestResponse

from app.jobs import count_hours
from app.models import Message, Person, Spending, Suggestion, Turn, marks
from app.operations import heartbeats
from app.operations.alerts import raise_alert
from app.operations.numbers.figures import ERROR
from app.services import Services
from app.web.sms import CALLS
from tests.fakes import FrozenClock
from tests.turns import add_ended_turn
from tests.twilio_server import LIVE, inbound_form, sign

A_DAY = Path(__file__).parents[1] / "data" / "metrics_of_a_day.json"

TOKEN = "0123456789abcdef0123456789abcdef"
WITH_TOKEN = {"metrics_token": TOKEN}
USUAL: dict[str, Any] = {
    "outcome": "replied",
    "model_calls": 2,
    "input_tokens": 100,
    "output_tokens": 10,
    "cache_read_tokens": 5,
}


def get(app: Flask, *, peer: str = "127.0.0.1", host: str = "127.0.0.1:8080", **headers: str) -> TestResponse:
    environ = {"REMOTE_ADDR": peer, "SERVER_PROTOCOL": "HTTP/1.1"}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return app.test_client().get("/metrics", base_url=f"http://{host}", environ_base=environ, headers=named)


def samples(app: Flask) -> dict[str, float]:
    """Each value by its name with its labels."""
    answer = get(app, Authorization=f"Bearer {TOKEN}")
    assert answer.status_code == 200
    assert answer.content_type.startswith("text/plain; version=0.0.4")
    found = {}
    for family in text_string_to_metric_families(answer.text):
        for sample in family.samples:
            labels = ",".join(f"{name}={value}" for name, value in sorted(sample.labels.items()))
            found[f"{sample.name}{{{labels}}}"] = sample.value
    return found


def test_without_a_token_set_none_opens_them_from_elsewhere(app: Flask) -> None:
    for given in ("", "None", TOKEN):
        assert get(app, peer="203.0.113.9", Authorization=f"Bearer {given}").status_code == 403


@pytest.mark.parametrize("settings", [WITH_TOKEN], indirect=True)
@pytest.mark.parametrize(
    ("authorization", "status"),
    [
        (f"Bearer {TOKEN}", 200),
        (f"bearer {TOKEN}", 200),
        (f"Basic {TOKEN}", 401),
        (f"Bearer {TOKEN}x", 401),
        (f"Bearer {TOKEN[:-1]}", 401),
        ("Bearer", 401),
        ("Bearer \xff", 401),
        ("", 401),
    ],
)
def test_from_elsewhere_the_token_is_needed(app: Flask, authorization: str, status: int) -> None:
    answer = get(app, peer="203.0.113.9", X_Forwarded_For="198.51.100.7", Authorization=authorization)
    assert answer.status_code == status
    assert ("WWW-Authenticate" in answer.headers) is (status == 401)


@pytest.fixture
def a_day(services: Services, clock: FrozenClock) -> None:
    """Two answered texts, one refused, one in doubt and one waiting; an older one that counts no more."""
    with services.transaction() as db:
        person = Person(address="+1", key="k", timezone="UTC", access="allowed", created_at=clock.now())
        db.add(person)
        db.flush()
        for hours, seconds in ((30, 9.0), (0.5, 4.0), (0.25, 8.0)):
            came = clock.now() - timedelta(hours=hours)
            gate, kind = ("past", "episode") if hours < 0.5 else ("small talk", "fact")
            recall = {"recall_gate": gate, "recalled": [{"kind": kind, "id": 1, "score": 0.5}]}
            turn = add_ended_turn(db, person.id, came, **USUAL, **recall, model_seconds=seconds - 1)
            of = {"person_id": person.id, "turn_id": turn.id, "carrier": "phone", "created_at": came}
            db.add(Message(**of, direction="in", state="answered", body="hi"))
            db.flush()
            sent = came + timedelta(seconds=seconds)
            db.add(Message(**of, direction="out", state="sent", body="ho", segments=2, cost_cents=1.5, sent_at=sent))
            db.flush()
        of = {"person_id": person.id, "carrier": "phone", "created_at": clock.now()}
        db.add(Message(**of, direction="out", state="refused", body="ho", segments=1, carrier_code=30007))
        db.add(Message(**of, direction="out", state="unknown", body="ho"))
        db.add(Message(**of, direction="out", state="queued", body="ho"))
        db.add(Message(**of, direction="in", state="waiting", body="hi"))
        for day, cents in ((date(2026, 11, 20), 40.0), (date(2026, 11, 21), 1.25), (date(2026, 11, 21), 2.0)):
            db.add(Spending(day=day, person_id=person.id, cents=cents, at=clock.now()))
        text_id = db.scalars(select(Message.id)).first()
        assert text_id is not None
        rule = {"kind": "rule", "words": "shorter", "procedure": "Keep answers short", "times": 3, "state": "said"}
        at = dict.fromkeys(("run_at", "created_at", "said_at"), clock.now())
        db.add(Suggestion(person_id=person.id, message_id=text_id, **rule, **at))
        heartbeats.beat(db, heartbeats.WORKER, clock.now())
        marks.put(db, CALLS, clock.now(), number=2)
        raise_alert(db, "dead_letters", "A sentence.", clock.now())


@pytest.mark.usefixtures("a_day")
def test_what_happened_in_the_last_day_is_counted(app: Flask, clock: FrozenClock) -> None:
    clock.advance(seconds=5)
    found = samples(app)
    assert found == found | json.loads(A_DAY.read_text("utf-8"))
    assert "keepsake_heartbeat_age_seconds{part=scheduler}" not in found


@pytest.mark.usefixtures("a_day")
def test_the_figures_of_numbers_are_told_of_the_last_day(app: Flask, services: Services, clock: FrozenClock) -> None:
    """From what the job has counted; the turn of thirty hours ago is in none of them."""
    with services.transaction() as db:
        db.execute(update(Turn).values(model="qwen3:8b"))
        db.execute(update(Spending).where(Spending.id == 1).values(turn_id=1))
    count_hours.run(services)
    found = samples(app)
    assert found == found | {
        "keepsake_day_recall{came=skip,gate=small talk}": 1.0,
        "keepsake_day_recall{came=hit,gate=past}": 1.0,
        "keepsake_day_deliveries{carrier_code=30007,how=refused}": 1.0,
        "keepsake_day_deliveries{carrier_code=,how=in doubt}": 1.0,
        "keepsake_day_deliveries{carrier_code=,how=to be sent}": 1.0,
        "keepsake_day_deliveries{carrier_code=,how=sent}": 2.0,
        "keepsake_day_spend_cents{model=qwen3:8b}": 40.0,
        "keepsake_day_spend_cents{model=no answer}": 3.25,
        "keepsake_day_cache_read_share{}": pytest.approx(5 / 105),
        "keepsake_day_model_seconds{quantile=0.5}": pytest.approx(7.0, rel=ERROR),
        "keepsake_day_reply_seconds{quantile=0.95}": pytest.approx(8.0, rel=ERROR),
    }
    assert "keepsake_day_repeated_share{}" not in found, "of nothing there is no share"
    clock.advance(days=2)
    count_hours.run(services)
    assert not [name for name in samples(app) if name.startswith("keepsake_day_recall")]


@pytest.mark.parametrize("settings", [LIVE | WITH_TOKEN], indirect=True)
def test_each_webhook_is_timed_by_its_route_whatever_its_answer(app: Flask) -> None:
    form = inbound_form("Hi")
    url = f"{LIVE['public_url']}/sms"
    for signature, status in ((sign(url, form), 200), ("wrong", 403)):
        answer = app.test_client().post("/sms", data=form, headers={"X-Twilio-Signature": signature})
        assert answer.status_code == status
    app.test_client().get("/health")
    found = samples(app)
    assert found["keepsake_webhook_seconds_count{route=/sms}"] == 2.0
    assert found["keepsake_webhook_seconds_count{route=/sms/status}"] == 0.0
