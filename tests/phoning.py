"""A person's phone on the phone page, answered by the real SDK with Claude's stand-in."""

from itertools import count
from typing import Any

import pytest
from sqlalchemy import select

from app.clients.claude import ClaudeModel
from app.conversation.turn import run_turn
from app.conversation.waiting import wake_waiting
from app.delivery.inbox import IncomingMedia, IncomingText, take_in
from app.memory import facts
from app.models import Change, Message, Person, ToolCall, Turn
from app.people import by_address
from app.services import Services
from tests.conftest import MakeLine, MakeServices
from tests.fakes import InlineBackground
from tests.line import Line
from tests.memory.remembering import ANNA, person_at

ALEX = "+12065550100"


class Phone:
    """One person's phone: its texts go in through the inbox, and it receives the answers as sent."""

    _sids = count(1)

    def __init__(self, services: Services, background: InlineBackground, number: str = ALEX) -> None:
        self.services = services
        self.background = background
        self.number = number

    def text(self, *bodies: str, carrier: str = "phone") -> list[str]:
        """Send the texts together, have them answered, and return the answers."""
        before = len(self.received())
        for body in bodies:
            self.send(body, carrier=carrier)
        self.background.run()
        return self.received()[before:]

    def send(self, body: str, *, sid: str | None = None, carrier: str = "phone", media_count: int = 0) -> str:
        sid = sid or f"SM{next(self._sids):032x}"
        take_in(self.services, IncomingText(sid, self.number, "keepsake", body, carrier, media_count))
        return sid

    def send_files(self, body: str, *files: tuple[str, str]) -> None:
        """Send a text with files, each given by address and content type."""
        media = tuple(IncomingMedia(url, content_type) for url, content_type in files)
        sid = f"MM{next(self._sids):032x}"
        take_in(self.services, IncomingText(sid, self.number, "keepsake", body, "phone", len(media), None, media))

    def sweep(self) -> None:
        """Wake everyone who waits, and run all work that follows."""
        wake_waiting(self.services, quiet_seconds=0)
        self.background.run()

    def received(self) -> list[str]:
        return [message.body for message in self.messages("out") if message.state == "sent"]

    def messages(self, direction: str) -> list[Message]:
        with self.services.reading() as db:
            person = by_address(db, self.number)
            if person is None:
                return []
            rows = select(Message).where(Message.person_id == person.id, Message.direction == direction)
            return list(db.scalars(rows.order_by(Message.id)))

    def turns(self) -> list[Turn]:
        with self.services.reading() as db:
            return list(db.scalars(select(Turn).where(Turn.person_id == self.person_id).order_by(Turn.id)))

    def work_done(self) -> set[str]:
        """Verbs of the changes that were made, and `undo` if one was taken back."""
        with self.services.reading() as db:
            changes = db.scalars(select(Change).where(Change.person_id == self.person_id)).all()
        return {change.verb for change in changes} | ({"undo"} if any(one.undone_at for one in changes) else set())

    def facts(self) -> list[str]:
        with self.services.reading() as db:
            return [fact.sentence for fact in facts.live(db, self.person_id, self.services.clock.now())]

    def tool_calls(self) -> list[ToolCall]:
        with self.services.reading() as db:
            return list(db.scalars(select(ToolCall).join(Turn).where(Turn.person_id == self.person_id)))

    def person(self) -> Person:
        return person_at(self.services, self.number)

    @property
    def person_id(self) -> int:
        return self.person().id


def text(services: Services, words: str, address: str = ANNA) -> str:
    """The answer to a text at the terminal, from the services' model."""
    return run_turn(services, address, words).text


class Killed(BaseException):
    """The death of the process; no handler of ours may catch it."""


class DyingAfter:
    """A model that gives some answers, then kills the process or raises another error."""

    def __init__(self, model: Any, answers: int, error: type[BaseException] = Killed) -> None:
        self._model = model
        self._left = answers
        self._error = error

    def complete(self, request: Any) -> Any:
        if not self._left:
            raise self._error
        self._left -= 1
        return self._model.complete(request)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)


@pytest.fixture
def claude_services(make_services: MakeServices, claude_model: ClaudeModel) -> Services:
    return make_services(model=claude_model)


@pytest.fixture
def alex(claude_services: Services, background: InlineBackground) -> Phone:
    return Phone(claude_services, background)


@pytest.fixture
def blair(claude_services: Services, background: InlineBackground) -> Phone:
    return Phone(claude_services, background, "+12125550101")


@pytest.fixture
def line_to_claude(make_line: MakeLine, claude_model: ClaudeModel) -> Line:
    """An installation with Twilio's webhook, answered by Claude's stand-in."""
    return make_line({"model": claude_model})


@pytest.fixture
def live(make_line: MakeLine, claude_model: ClaudeModel) -> Line:
    """The same with a sender without pacing."""
    return make_line({"model": claude_model}, twilio_segments_per_second=0)
