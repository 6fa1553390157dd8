"""A model that goes away and comes back, time that passes meanwhile, and two people who text."""

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
    """Let so much time go by with the jobs run as a process runs them, at coarser steps."""
    until = clock.now() + timedelta(minutes=minutes)
    while clock.now() < until:
        clock.advance(seconds=5)
        notice_waiting.run(phone.services)
        tell_of_outage.run(phone.services)
        phone.background.run()


def sweep(services: Services, background: InlineBackground, look: Callable[[Services], object]) -> None:
    """What the run of a job finds to do, done within a second; and nothing is found again."""
    look(services)
    background.run(within_seconds=1)
    look(services)
    assert background.woken == [], "Whoever is woken can be helped: else they are woken for ever."


class Scene:
    """Claude's stand-in, the clock, Alex's and Blair's phones, and what the operator and the rows say meanwhile."""

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
        """Have somebody's text, Alex's if nobody's is named, meet a model that is down."""
        self.claude.queue(*[overloaded()] * 3)
        (phone or self.alex).text(body)

    def phones(self, how_many: int) -> list[Phone]:
        """Of more people."""
        return [Phone(self.services, self.background, f"+1206555{number:04}") for number in range(how_many)]

    def alerts(self) -> dict[str, str]:
        with self.services.reading() as db:
            return {alert.kind: alert.sentence for alert in open_alerts(db)}

    def outage(self) -> waiting.Outage | None:
        with self.services.reading() as db:
            return waiting.outage(db)
