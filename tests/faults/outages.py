"""Outages of the model: it goes down and comes back while time passes and two people text."""

from collections.abc import Callable
from datetime import timedelta

from app.conversation import waiting
from app.jobs import notice_waiting, tell_of_outage
from app.operations.alerts import open_alerts
from app.services import Services
from tests.claude_server import ClaudeServer, overloaded
from tests.fakes import FrozenClock, InlineBackground
from tests.phoning import Phone

COFFEE = {"facts": [{"fact": "Likes black coffee"}]}


def pass_time(phone: Phone, clock: FrozenClock, *, minutes: float) -> None:
    """Advance the clock in steps of five seconds, and run the jobs at each as a process would."""
    until = clock.now() + timedelta(minutes=minutes)
    while clock.now() < until:
        clock.advance(seconds=5)
        notice_waiting.run(phone.services)
        tell_of_outage.run(phone.services)
        phone.background.run()


def sweep(services: Services, background: InlineBackground, look: Callable[[Services], object]) -> None:
    """Run a job and the work it finds, and assert that a second run finds nothing."""
    look(services)
    background.run(within_seconds=1)
    look(services)
    assert background.woken == [], "Whoever is woken can be helped: else they are woken for ever."


class Scene:
    """Claude's stand-in, the clock, Alex's and Blair's phones, and the state of alerts and rows."""

    def __init__(self, claude: ClaudeServer, clock: FrozenClock, alex: Phone, blair: Phone) -> None:
        self.claude = claude
        self.clock = clock
        self.alex = alex
        self.blair = blair
        self.services: Services = alex.services
        self.background: InlineBackground = alex.background

    def pass_time(self, *, minutes: float) -> None:
        pass_time(self.alex, self.clock, minutes=minutes)

    def put_off(self, phone: Phone | None = None, body: str = "Hello") -> None:
        """Send a text, by default from Alex, while the model is down."""
        self.claude.queue(*[overloaded()] * 3)
        (phone or self.alex).text(body)

    def phones(self, how_many: int) -> list[Phone]:
        """Phones of more people."""
        return [Phone(self.services, self.background, f"+1206555{number:04}") for number in range(how_many)]

    def alerts(self) -> dict[str, str]:
        with self.services.reading() as db:
            return {alert.kind: alert.sentence for alert in open_alerts(db)}

    def outage(self) -> waiting.Outage | None:
        with self.services.reading() as db:
            return waiting.outage(db)
