"""A process that has everything imported and forks Keepsakes to be killed: a start costs milliseconds instead of one
and a half seconds.

Order:  {"settings": {…}, "texts": [[sid, sender, body], …], "kill_at": 17}
Back:   `acknowledged SID` for each webhook that got its 200, then `ended STATUS` (negative: the signal that ended it)
"""

import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import count
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import select

from app.conversation import turn
from app.conversation.waiting import people_to_answer
from app.models import Message
from app.services import Services
from app.settings import load_settings
from app.store.faultpoints import watch
from app.web.application import create_app
from app.wiring import build_services
from tests.fakes import FrozenClock, InlineBackground
from tests.faults.orders import obey, say
from tests.loopback import NOWHERE
from tests.twilio_server import LIVE, inbound_form, sign

POSTERS = 4
COMMITS_BETWEEN_LOOKS = 10
IDLE_SECONDS = 20.0  # Far more than all the answers of one order take.


def live_once_alone() -> None:
    """One turn in this process with nobody outside, so that what is imported and made at first use is there."""
    with TemporaryDirectory() as folder:
        alone = {
            "twilio_api_url": f"http://{NOWHERE}",
            "anthropic_api_key": "sk-ant-nobody",
            "anthropic_base_url": f"http://{NOWHERE}",
        }
        settings = load_settings(**{**LIVE, **alone, "database_url": f"sqlite:///{folder}/alone.db"})
        background = InlineBackground(FrozenClock())
        services = replace(build_services(settings), background=background)
        background.start(partial(turn.answer, services))
        _post(create_app(services=services).test_client(), "SM" + "0" * 32, "+12065559999", "Hello")
        background.run(within_seconds=0)  # What cannot be sent is to be tried again later, and there is no later here.
        services.store.close()


def _live(order: dict[str, Any]) -> None:
    """Be Keepsake: take the texts in, answer them, and die at the appointed place, or leave when all is answered."""
    watch(_killer(order["kill_at"]))
    services = build_services(load_settings(**order["settings"]))
    turn.start(services)
    client = create_app(services=services).test_client
    with ThreadPoolExecutor(POSTERS) as posters:
        for answered in [posters.submit(_bring, client(), *text) for text in order["texts"]]:
            answered.result()
    _wait_until_answered(services)


def _killer(kill_at: int) -> Callable[[str], None]:
    arrivals, guard = count(1), threading.Lock()

    def met(_: str) -> None:
        with guard:
            arrival = next(arrivals)
        if arrival == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)

    return met


def _post(client: Any, sid: str, sender: str, body: str) -> bool:
    """Whether the webhook answered 200."""
    form = inbound_form(body, sid=sid, sender=sender)
    headers = {"X-Twilio-Signature": sign(f"{LIVE['public_url']}/sms", form)}
    return bool(client.post("/sms", data=form, headers=headers).status_code == 200)


def _bring(client: Any, sid: str, sender: str, body: str) -> None:
    if _post(client, sid, sender, body):
        say(f"acknowledged {sid}")


def _wait_until_answered(services: Services) -> None:
    """Return when nothing is under way any more, or when waiting longer makes no sense."""
    seen, give_up_at = 0, services.clock.monotonic() + IDLE_SECONDS
    while services.clock.monotonic() < give_up_at:
        with services.reading() as db:
            now = services.clock.now()
            under_way = (Message.state == "sending", Message.leased_until > now)
            sending = db.scalar(select(Message.id).where(*under_way).limit(1))
            if sending is None and not people_to_answer(db, now):
                return
        for _ in range(COMMITS_BETWEEN_LOOKS):
            before, seen = seen, services.store.wait_for_change(seen, 0.05)
            if seen == before:  # It is quiet: worth a look.
                break


if __name__ == "__main__":
    live_once_alone()
    obey(_live)
