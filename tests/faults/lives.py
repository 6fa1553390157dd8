"""Functions of processes that are forked to be killed (`tests/forking.py`); each takes an order as JSON."""

import json
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient
from sqlalchemy import select

from app.clients.claude import ClaudeModel
from app.clients.summariser import ModelSummariser
from app.conversation import turn
from app.conversation.waiting import people_to_answer, wake_waiting
from app.features.offline.extract import ExtractiveSummariser
from app.jobs import begin_routines, reconcile_sends, summarise_quiet
from app.models import Message
from app.services import Services
from app.settings import load_settings
from app.web.application import create_app
from app.wiring import build_services
from tests.claude_server import ClaudeServer, say
from tests.fakes import FrozenClock, InlineBackground
from tests.forking import Forked, arm
from tests.twilio_server import LIVE, PERSON, TwilioServer, inbound_form, sign

POSTERS = 4
COMMITS_BETWEEN_LOOKS = 10
IDLE_SECONDS = 20.0  # Far more than all the answers of one order take.


def settings_of(folder: Path, twilio: TwilioServer, claude: ClaudeServer, **more: Any) -> dict[str, Any]:
    """Settings of an installation in which hundreds of processes are killed."""
    return {
        **LIVE,
        "twilio_api_url": twilio.url,
        "anthropic_api_key": claude.key,
        "anthropic_base_url": claude.url,
        "database_url": f"sqlite:///{folder}/keepsake.db",
        "embeddings": "none",
        "send_lease_seconds": 0.5,  # A text whose process dies while sending it is soon in doubt for the next one.
        # An interrupted call counts in full, and hundreds of kills would use up any normal budget.
        "daily_budget_cents": 1_000_000,
        "person_daily_budget_cents": 1_000_000,
        "secret_key": "only-for-this-test-0123456789abcdef-xyz",
        **more,
    }


def begin(life: Callable[..., object], folder: Path, **order: Any) -> Forked:
    """Start a process that runs a function with that order."""
    given = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return Forked(f"{__name__}:{life.__name__}", json.dumps(order), folder=folder, environment=given)


def live_once_alone(folder: Path) -> None:
    """Run one turn, so that everything imported or built on first use exists in all forked processes."""
    os.environ["NO_PROXY"] = "127.0.0.1"
    with ClaudeServer(otherwise=say("Hello.")) as claude, TwilioServer() as twilio:
        background = InlineBackground(FrozenClock())
        services = build_services(load_settings(**settings_of(folder, twilio, claude)))
        services = replace(services, background=background)
        background.start(partial(turn.answer, services))
        _post(create_app(services=services).test_client(), "SM" + "0" * 32, PERSON, "Hello")
        background.run()
        services.close()
    assert twilio.bodies == ["Hello."]


def take_texts(order: str) -> None:
    """Act as Keepsake: receive the `texts`, print the id of each that got its 200, answer them, and end."""
    asked = json.loads(order)
    arm(asked["faults"])
    services = build_services(load_settings(**asked["settings"]))
    turn.start(services)
    client = create_app(services=services).test_client
    with ThreadPoolExecutor(POSTERS) as posters:
        for answered in [posters.submit(_bring, client(), *text) for text in asked["texts"]]:
            answered.result()
    _wait_until_answered(services)


def _post(client: FlaskClient, sid: str, sender: str, body: str) -> bool:
    """Post a text; True if the webhook answered 200."""
    form = inbound_form(body, sid=sid, sender=sender)
    headers = {"X-Twilio-Signature": sign(f"{LIVE['public_url']}/sms", form)}
    return client.post("/sms", data=form, headers=headers).status_code == 200


def _bring(client: FlaskClient, sid: str, sender: str, body: str) -> None:
    if _post(client, sid, sender, body):
        os.write(1, f"{sid}\n".encode())  # A single write, so that threads do not mix and nothing stays in a buffer.


def _wait_until_answered(services: Services) -> None:
    """Wait until nothing is under way, at most `IDLE_SECONDS`."""
    seen, give_up_at = 0, services.clock.monotonic() + IDLE_SECONDS
    while services.clock.monotonic() < give_up_at:
        with services.reading() as db:
            now = services.clock.now()
            under_way = (Message.state == "sending", Message.leased_until > now)
            if db.scalar(select(Message.id).where(*under_way).limit(1)) is None and not people_to_answer(db, now):
                return
        for _ in range(COMMITS_BETWEEN_LOOKS):
            before, seen = seen, services.store.wait_for_change(seen, 0.05)
            if seen == before:  # No commit came, so it is time to look again.
                break


def schedule(order: str) -> None:
    """For each line of stdin with a time and faults: begin the due routines, carry them out, and print a line."""
    clock = FrozenClock(datetime.fromtimestamp(0, UTC))  # Earlier than any given time: the clock only advances.
    background = InlineBackground(clock)
    services = build_services(load_settings(**json.loads(order)["settings"]))
    services = replace(services, clock=clock, background=background)
    background.start(partial(turn.answer, services))
    for line in sys.stdin:
        now, faults = line.split(" ")
        clock.set(datetime.fromisoformat(now))
        arm(faults.strip())
        begin_routines.run(services)
        wake_waiting(services, quiet_seconds=0)
        background.run(within_seconds=0)
        reconcile_sends.run(services)
        begin_routines.run(services)
        background.run(within_seconds=0)
        arm("")
        os.write(1, b"looked\n")


def summarise(order: str) -> None:
    """Run the summarising job at the given time."""
    asked = json.loads(order)
    settings, clock = load_settings(**asked["settings"]), FrozenClock(datetime.fromisoformat(asked["now"]))
    small = ClaudeModel(
        api_key=asked["settings"]["anthropic_api_key"],
        model=settings.claude_small_model,
        base_url=settings.anthropic_base_url,
        clock=clock,
    )
    summariser = ModelSummariser(small, ExtractiveSummariser())
    services = replace(build_services(settings), clock=clock, summariser=summariser)
    arm(asked["faults"])
    summarise_quiet.run(services)
