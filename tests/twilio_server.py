"""A stand-in for Twilio on a real socket, and the forms of Twilio's webhooks.

It refuses what the real one refuses (`twilio_rules.py`), with the same JSON, and misbehaves on demand: `next_faults`
holds one fault for each of the next calls. Source of the shapes: twilio-oai, api.v2010.account.message; of the codes:
https://www.twilio.com/docs/api/errors
"""

import base64
import json
import secrets
import socket
import ssl
import struct
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from twilio.request_validator import RequestValidator
from werkzeug.datastructures import MultiDict

from app.settings import Settings
from tests.loopback import Handler, Http, StandIn
from tests.twilio_ledger import Ledger
from tests.twilio_rules import Account, fate, refusal

ACCOUNT_SID = "AC" + "0a" * 16
AUTH_TOKEN = "a-token-for-tests"
MESSAGES = f"/2010-04-01/Accounts/{ACCOUNT_SID}/Messages"
NUMBER = "+14155550100"
PERSON = "+14155550123"
PATIENCE_SECONDS = 2.0  # Time-out of Twilio's client: enough on a busy machine; tests with a silent Twilio wait it out.

PUBLIC_URL = "https://keepsake.example.org"  # Twilio refuses texts with a callback to a local address.
ACCOUNT = {
    "twilio_account_sid": ACCOUNT_SID,
    "twilio_auth_token": AUTH_TOKEN,
    "twilio_from": NUMBER,
    "public_url": PUBLIC_URL,
}
# Pacing is off, so that only tests about pacing wait for it.
LIVE = {**ACCOUNT, "access": "open", "twilio_segments_per_second": 0}
"""Settings of an installation that texts through Twilio, for the `settings` fixture."""

ALLOWLIST = {**LIVE, "access": "allowlist"}  # The same, but an unknown number waits for the operator.


@dataclass(frozen=True)
class Accepted:
    """One text that the stand-in accepted, as it was sent."""

    sid: str
    to: str
    sender: str | None
    service: str | None
    body: str
    status_callback: str | None
    form: dict[str, str]


@dataclass(frozen=True)
class Fault:
    """The answer to one call in place of 201."""

    status: int = 0
    body: str = ""
    content_type: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)
    accepts: bool = False  # True if the text is accepted before the fault happens.
    hangs: bool = False  # True if no answer comes until the server is closed.
    resets: bool = False  # True if the connection is reset; if False and without a status, it is closed.


HTML_503 = Fault(503, "<html><body>Service Unavailable</body></html>", "text/html")
REFUSED = Fault(401, '{"code": 20003, "message": "Authenticate", "status": 401}')
TOO_MANY = Fault(429, json.dumps({"code": 20429, "message": "Too Many Requests", "more_info": "", "status": 429}))
NO_ANSWER = Fault(hangs=True, accepts=True)
CUT_AFTER_ACCEPTING = Fault(accepts=True)
RESET_AFTER_ACCEPTING = Fault(accepts=True, resets=True)
HTML_200 = Fault(200, "<html>Log in to the Wi-Fi</html>", "text/html", accepts=True)


def error(status: int, code: int, message: str) -> dict[str, Any]:
    """The JSON of a Twilio error."""
    more_info = f"https://www.twilio.com/docs/errors/{code}"
    return {"code": code, "message": message, "more_info": more_info, "status": status}


NOT_FOUND = 404, error(404, 20404, "Not found")


def _problem(status: int, code: int, title: str) -> dict[str, Any]:
    """An error in the newer form, for which the SDK raises another class."""
    problem = {"type": f"https://www.twilio.com/docs/api/errors/{code}", "title": title, "status": status, "code": code}
    return {"status": status, "body": json.dumps(problem), "content_type": "application/problem+json"}


PROBLEM_500 = Fault(**_problem(500, 20500, "Internal"), accepts=True)
PROBLEM_400 = Fault(**_problem(400, 21211, "Invalid"))


class TwilioServer(StandIn):
    """`with TwilioServer() as twilio:` serves on loopback; `twilio.url` is the `TWILIO_API_URL`."""

    def __init__(
        self,
        *,
        username: str = ACCOUNT_SID,
        password: str = AUTH_TOKEN,
        certificate: Path | None = None,
        now: Callable[[], datetime] = lambda: datetime(2026, 11, 21, 17, 0, tzinfo=UTC),
    ) -> None:
        self.credentials = f"{username}:{password}"
        self.account = Account(now, {NUMBER, f"whatsapp:{NUMBER}"})
        """Twilio's knowledge: opt-outs, the times of texts, and the permissions of our account."""
        self.next_faults: list[Fault] = []
        self.accepted: list[Accepted] = []
        self.ledger = Ledger(ACCOUNT_SID, now, self.account.hear)
        self.next_look_faults: list[Fault | None] = []
        """One fault for each of the next queries of the ledger; None lets a query pass."""
        self.looks: list[str] = []
        """Queries of the ledger: path and query string."""
        self.before_answering: Callable[[Accepted], None] = lambda _: None
        """Called between a text's acceptance and the answer that says so."""
        self._fates: dict[str, tuple[str, int | None]] = {}
        self.calls = 0
        self.connections = 0
        self.lock = threading.Lock()
        self._arrived = threading.Condition()
        super().__init__(_Handler)
        self._scheme = "http"
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self._http.socket = context.wrap_socket(self._http.socket, server_side=True)
            self._scheme = "https"

    @property
    def url(self) -> str:
        return f"{self._scheme}://127.0.0.1:{self.port}"

    @property
    def bodies(self) -> list[str]:
        """Bodies of the accepted texts, in order."""
        return [text.body for text in self.accepted]

    def wait_for(self, count: int, seconds: float = 10.0) -> list[Accepted]:
        """Wait for `count` accepted texts and return them; fails if they do not come."""
        with self._arrived:
            came = self._arrived.wait_for(lambda: len(self.accepted) >= count, timeout=seconds)
        assert came, f"{len(self.accepted)} of {count} texts came in {seconds} s: {self.bodies}"
        return list(self.accepted)

    def refusal(self, authorization: str | None, path: str, form: Mapping[str, str]) -> tuple[int, int, str] | None:
        """HTTP status, code and message of Twilio's refusal; None if it accepts the call."""
        if path != f"{MESSAGES}.json":
            return 404, 20404, "Not found"
        if authorization != self._authorization:
            return 401, 20003, "Authenticate"
        broken = refusal(self.account, form)
        return None if broken is None else (400, *broken)

    def callbacks(self, text: Accepted) -> list[tuple[str, dict[str, str]]]:
        """Status callbacks of the text in their true order: a status and further fields."""
        status, code = self._fates[text.sid]
        told: list[tuple[str, dict[str, str]]] = [("sent", {})] if code is None else []
        return [*told, (status, {} if code is None else {"ErrorCode": str(code)})]

    def accept(self, form: Mapping[str, str]) -> dict[str, Any]:
        """Accept the text, and return the body of the 201 answer."""
        sid = "SM" + secrets.token_hex(16)
        sender, service, callback = (form.get(name) for name in ("From", "MessagingServiceSid", "StatusCallback"))
        text = Accepted(sid, form["To"], sender, service, form["Body"], callback, dict(form))
        with self._arrived:
            self.accepted.append(text)
            self._arrived.notify_all()
        entry = dict(self.ledger.sent(sid, form))
        self._fates[sid] = fate(self.account, form)
        self.ledger.settle(sid, *self._fates[sid])
        self.before_answering(text)
        return entry

    def look(self, authorization: str | None, target: str) -> tuple[int, dict[str, Any]]:
        """HTTP status and JSON for a query of the ledger."""
        parts = urlsplit(target)
        if authorization != self._authorization:
            return 401, error(401, 20003, "Authenticate")
        if parts.path == f"{MESSAGES}.json":
            return 200, self.ledger.page(parts.path, dict(parse_qsl(parts.query)))
        folder, _, sid = parts.path.removesuffix(".json").rpartition("/")
        found = self.ledger.find(sid) if folder == MESSAGES else None
        return (200, found) if found else NOT_FOUND

    @property
    def _authorization(self) -> str:
        return "Basic " + base64.b64encode(self.credentials.encode()).decode()


class _Handler(Handler):
    server: Http[TwilioServer]

    def setup(self) -> None:
        super().setup()
        self.server.stand_in.connections += 1

    def post(self) -> None:
        twilio = self.server.stand_in
        form = dict(reversed(parse_qsl(self.body().decode(), keep_blank_values=True)))
        with twilio.lock:
            twilio.calls += 1
            fault = twilio.next_faults.pop(0) if twilio.next_faults else None
        if fault:
            self._fail(fault, form)
        elif refused := twilio.refusal(self.headers.get("Authorization"), urlsplit(self.path).path, form):
            self._answer(refused[0], json.dumps(error(*refused)))
        else:
            self._answer(201, json.dumps(twilio.accept(form)))

    def get(self) -> None:
        twilio = self.server.stand_in
        with twilio.lock:
            twilio.looks.append(self.path)
            fault = twilio.next_look_faults.pop(0) if twilio.next_look_faults else None
        if fault:
            self._fail(fault, {})
            return
        status, body = twilio.look(self.headers.get("Authorization"), self.path)
        self._answer(status, json.dumps(body))

    def _fail(self, fault: Fault, form: Mapping[str, str]) -> None:
        twilio = self.server.stand_in
        if fault.accepts:
            twilio.accept(form)
        if fault.hangs:
            twilio.closing.wait()
        if fault.status:
            self._answer(fault.status, fault.body, fault.content_type, **fault.headers)
            return
        if fault.resets:  # Closing with a linger time of 0 sends RST instead of FIN.
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.connection.close()

    def _answer(self, status: int, body: str, content_type: str = "application/json", **headers: str) -> None:
        self.answer(status, body.encode(), {"Content-Type": content_type, **headers})


def twilio_settings(**overrides: object) -> Settings:
    """Settings of an installation that texts through Twilio."""
    return Settings(_env_file=None, **{**ACCOUNT, **overrides})  # type: ignore[arg-type]


def sign(url: str, params: Mapping[str, str | list[str]], token: str = AUTH_TOKEN) -> str:
    """The `X-Twilio-Signature` of a webhook request."""
    return str(RequestValidator(token).compute_signature(url, MultiDict(params)))


def inbound_form(
    body: str, *, sender: str = PERSON, to: str = NUMBER, sid: str | None = None, **more: str
) -> dict[str, str]:
    """The form that Twilio posts for an incoming text, as captured from a US long code."""
    sid = sid or "SM" + secrets.token_hex(16)
    return {
        "ToCountry": "US",
        "ToState": "CA",
        "SmsMessageSid": sid,
        "NumMedia": "0",
        "ToCity": "",
        "FromZip": "94105",
        "SmsSid": sid,
        "FromState": "CA",
        "SmsStatus": "received",
        "FromCity": "SAN FRANCISCO",
        "Body": body,
        "FromCountry": "US",
        "To": to,
        "ToZip": "",
        "NumSegments": "1",
        "MessageSid": sid,
        "AccountSid": ACCOUNT_SID,
        "From": sender,
        "ApiVersion": "2010-04-01",
        **more,
    }


def status_form(sid: str, status: str, *, to: str = PERSON, **more: str) -> dict[str, str]:
    """The form that Twilio posts to a status callback."""
    return {
        "SmsSid": sid,
        "SmsStatus": status,
        "MessageStatus": status,
        "To": to,
        "MessageSid": sid,
        "AccountSid": ACCOUNT_SID,
        "From": NUMBER,
        "ApiVersion": "2010-04-01",
        **more,
    }
