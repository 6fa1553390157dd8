"""An installation on a line of Twilio's stand-in: texts come by the webhook, answers go out by the API."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

from flask import Flask
from sqlalchemy import select

from app.conversation.turn import answer
from app.conversation.waiting import wake_waiting
from app.models import Alert, Message, Person
from app.services import Services
from app.web.application import create_app
from tests.fakes import FrozenClock, InlineBackground
from tests.memory.remembering import person_at
from tests.twilio_server import PERSON, PUBLIC_URL, Accepted, TwilioServer, inbound_form, sign, status_form


@dataclass(eq=False)
class Line:
    """What a person, Twilio and the operator see of one installation; time stands still in between."""

    services: Services
    background: InlineBackground
    clock: FrozenClock
    twilio: TwilioServer

    @cached_property
    def _app(self) -> Flask:
        return create_app(services=self.services)

    def on(self, store: Any) -> "Line":
        """The same installation with another store before its own."""
        services = replace(self.services, store=store)
        self.background.start(partial(answer, services))
        return Line(services, self.background, self.clock, self.twilio)

    def bring(self, body: str, **more: str) -> str:
        """Have the webhook bring a text; its id."""
        form = inbound_form(body, **more)
        assert self.bring_form(form) == 200
        return form["MessageSid"]

    def bring_form(self, form: dict[str, str]) -> int:
        """Have the webhook bring a text as Twilio knows it; the HTTP status it gets."""
        self.twilio.account.hear(form)
        return self.post(f"{PUBLIC_URL}/sms", form)

    def text(self, body: str, **more: str) -> None:
        """Have a text brought and answered."""
        self.bring(body, **more)
        self.background.run()

    def call_back(self, text: Accepted, status: str, **more: str) -> int:
        """Have Twilio tell how a text fares; the HTTP status it gets."""
        return self.post(str(text.status_callback), status_form(text.sid, status, **more))

    def tell_of(self, *texts: Accepted) -> None:
        """Have Twilio tell how texts fare, as it does: everything twice, and the last word before the first."""
        for text in texts:
            for status, more in reversed(self.twilio.callbacks(text) * 2):
                assert self.call_back(text, status, **more) == 204

    def came(self) -> Sequence[Message]:
        """The texts that came in, in the order of their arrival."""
        return self._texts("in")

    def went(self) -> Sequence[Message]:
        """The texts on their way out or gone."""
        return self._texts("out")

    def states(self) -> list[str]:
        """Of those texts, in order."""
        return [message.state for message in self.went()]

    def sweep(self, **span: float) -> None:
        """Let so much time go by, have the job look who waits, and all be done that follows."""
        self.clock.advance(**span)
        wake_waiting(self.services, quiet_seconds=0)
        self.background.run()

    def person(self, address: str = PERSON) -> Person:
        return person_at(self.services, address)

    def alerts(self) -> list[str]:
        """The kinds of what the operator has to see."""
        with self.services.reading() as db:
            return list(db.scalars(select(Alert.kind).where(Alert.cleared_at.is_(None))))

    def ready(self) -> tuple[int, dict[str, Any]]:
        """Status and JSON of `GET /ready`."""
        answer = self._app.test_client().get("/ready")
        return answer.status_code, answer.get_json()

    def post_raw(self, target: str, body: str, signature: str) -> int:
        """Post a form as it stands; the HTTP status."""
        headers = {"X-Twilio-Signature": signature, "Content-Type": "application/x-www-form-urlencoded"}
        return self._app.test_client().post(target, data=body, headers=headers).status_code

    def _texts(self, direction: str) -> Sequence[Message]:
        with self.services.reading() as db:
            return db.scalars(select(Message).where(Message.direction == direction).order_by(Message.id)).all()

    def post(self, url: str, form: dict[str, str], signature: str | None = None) -> int:
        """Post a form to an address of ours, signed as Twilio does or as given; the HTTP status."""
        headers = {"X-Twilio-Signature": sign(url, form) if signature is None else signature}
        return self._app.test_client().post(url.removeprefix(PUBLIC_URL), data=form, headers=headers).status_code
