"""An installation connected to Twilio's stand-in: texts arrive by the webhook, answers leave by the API."""

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
    """One installation as a person, Twilio and the operator see it; time moves only when a test says so."""

    services: Services
    background: InlineBackground
    clock: FrozenClock
    twilio: TwilioServer

    @cached_property
    def _app(self) -> Flask:
        return create_app(services=self.services)

    def on(self, store: Any) -> "Line":
        """The same installation with another store in front of its own."""
        services = replace(self.services, store=store)
        self.background.start(partial(answer, services))
        return Line(services, self.background, self.clock, self.twilio)

    def bring(self, body: str, **more: str) -> str:
        """Deliver a text by the webhook, and return its id."""
        form = inbound_form(body, **more)
        assert self.bring_form(form) == 200
        return form["MessageSid"]

    def bring_form(self, form: dict[str, str]) -> int:
        """Deliver a text by the webhook and note it in Twilio's account; returns the HTTP status."""
        self.twilio.account.hear(form)
        return self.post(f"{PUBLIC_URL}/sms", form)

    def text(self, body: str, **more: str) -> None:
        """Deliver a text and have it answered."""
        self.bring(body, **more)
        self.background.run()

    def call_back(self, text: Accepted, status: str, **more: str) -> int:
        """Send a status callback for a text, and return the HTTP status."""
        return self.post(str(text.status_callback), status_form(text.sid, status, **more))

    def tell_of(self, *texts: Accepted) -> None:
        """Send the status callbacks of texts in Twilio's bad manner: each one twice, and the last one first."""
        for text in texts:
            for status, more in reversed(self.twilio.callbacks(text) * 2):
                assert self.call_back(text, status, **more) == 204

    def came(self) -> Sequence[Message]:
        """Texts that came in, in the order of arrival."""
        return self._texts("in")

    def went(self) -> Sequence[Message]:
        """Texts that were sent or are on their way out."""
        return self._texts("out")

    def states(self) -> list[str]:
        """States of those texts, in order."""
        return [message.state for message in self.went()]

    def sweep(self, **span: float) -> None:
        """Advance the clock, wake everyone who waits, and run all work that follows."""
        self.clock.advance(**span)
        wake_waiting(self.services, quiet_seconds=0)
        self.background.run()

    def person(self, address: str = PERSON) -> Person:
        return person_at(self.services, address)

    def alerts(self) -> list[str]:
        """Kinds of the alerts that the operator sees."""
        with self.services.reading() as db:
            return list(db.scalars(select(Alert.kind).where(Alert.cleared_at.is_(None))))

    def ready(self) -> tuple[int, dict[str, Any]]:
        """Status and JSON of `GET /ready`."""
        answer = self._app.test_client().get("/ready")
        return answer.status_code, answer.get_json()

    def post_raw(self, target: str, body: str, signature: str) -> int:
        """Post a form unchanged, and return the HTTP status."""
        headers = {"X-Twilio-Signature": signature, "Content-Type": "application/x-www-form-urlencoded"}
        return self._app.test_client().post(target, data=body, headers=headers).status_code

    def _texts(self, direction: str) -> Sequence[Message]:
        with self.services.reading() as db:
            return db.scalars(select(Message).where(Message.direction == direction).order_by(Message.id)).all()

    def post(self, url: str, form: dict[str, str], signature: str | None = None) -> int:
        """Post a form to our address, signed as by Twilio or with `signature`; returns the HTTP status."""
        headers = {"X-Twilio-Signature": sign(url, form) if signature is None else signature}
        return self._app.test_client().post(url.removeprefix(PUBLIC_URL), data=form, headers=headers).status_code
