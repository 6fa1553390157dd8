"""A process that has everything imported and forks one run of the job that summarises, to be killed at a named place.

Order:  {"settings": {…}, "now": "2026-11-21T18:00:00+00:00", "kill_at": "draft.kept"}
"""

import os
import signal
from dataclasses import replace
from datetime import datetime
from typing import Any

from app.clients.claude import ClaudeModel
from app.clients.summariser import ModelSummariser
from app.features.offline.extract import ExtractiveSummariser
from app.jobs import summarise_quiet
from app.settings import load_settings
from app.store.faultpoints import watch
from app.wiring import build_services
from tests.fakes import FrozenClock
from tests.faults.orders import obey


def _run(order: dict[str, Any]) -> None:
    def met(place: str) -> None:
        if place == order["kill_at"]:
            os.kill(os.getpid(), signal.SIGKILL)

    settings, clock = load_settings(**order["settings"]), FrozenClock(datetime.fromisoformat(order["now"]))
    key = settings.anthropic_api_key
    assert key is not None
    small = ClaudeModel(
        api_key=key.get_secret_value(),
        model=settings.claude_small_model,
        base_url=settings.anthropic_base_url,
        clock=clock,
    )
    summariser = ModelSummariser(small, ExtractiveSummariser())
    services = replace(build_services(settings), clock=clock, summariser=summariser)
    watch(met)
    summarise_quiet.run(services)


if __name__ == "__main__":
    obey(_run)
