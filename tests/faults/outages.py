"""A model that goes away and comes back, and time that passes meanwhile."""

from datetime import timedelta

from app.conversation import waiting
from app.jobs import notice_waiting, tell_of_outage
from app.operations.alerts import open_alerts
from app.services import Services
from tests.claude_server import model_at as model_at  # noqa: PLC0414  (passed on to those who make outages)
from tests.fakes import FrozenClock
from tests.phoning import Phone

COFFEE = {"facts": [{"fact": "Likes black coffee"}]}


def pass_time(phone: Phone, clock: FrozenClock, *, minutes: float) -> None:
    """Let so much time go by with the jobs run as a process runs them, at coarser steps."""
    until = clock.now() + timedelta(minutes=minutes)
    while clock.now() < until:
        clock.advance(seconds=5)
        notice_waiting.run(phone.services)
        tell_of_outage.run(phone.services)
        phone.background.run()


def alerts(services: Services) -> dict[str, str]:
    with services.reading() as db:
        return {alert.kind: alert.sentence for alert in open_alerts(db)}


def down(services: Services) -> waiting.Outage | None:
    with services.reading() as db:
        return waiting.outage(db)
