"""A stand-in for Twilio's account API: api.twilio.com and messaging.twilio.com on one socket.

Source of the shapes: twilio-oai, api.v2010.account, api.v2010.account.incoming_phone_number and messaging.v1.service.
"""

import base64
import json
import re
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

from tests.loopback import Handler, Http, StandIn
from tests.twilio_server import ACCOUNT, ACCOUNT_SID, AUTH_TOKEN, MESSAGES, NOT_FOUND, NUMBER, error

SERVICE = "MG" + "5e" * 16
API_KEY = "SK" + "0" * 32
API_SECRET = "the-api-secret"

# Source: twilio-oai, UpdateIncomingPhoneNumberRequest and messaging.v1's UpdateServiceRequest.
OF_NUMBER = frozenset(
    "SmsUrl SmsMethod SmsFallbackUrl SmsFallbackMethod SmsApplicationSid VoiceUrl VoiceMethod "
    "VoiceApplicationSid".split()
)
OF_SERVICE = frozenset(
    "InboundRequestUrl InboundMethod FallbackUrl FallbackMethod StatusCallback UseInboundWebhookOnNumber".split()
)


@dataclass
class Service:
    """One Messaging Service, under the names of the API."""

    sid: str = SERVICE
    inbound_request_url: str | None = None
    fallback_url: str | None = None
    status_callback: str | None = None
    inbound_method: str = "POST"
    fallback_method: str = "POST"
    use_inbound_webhook_on_number: bool = True
    numbers: list[str] = field(default_factory=list)
    campaigns: list[str] = field(default_factory=list)


class TwilioAccountServer(StandIn):
    """`with TwilioAccountServer() as account:` serves on loopback; its answers come from its attributes."""

    def environment(self) -> dict[str, str]:
        """The settings of an operator with this account."""
        return {
            **{name.upper(): value for name, value in ACCOUNT.items()},
            "TWILIO_API_KEY": API_KEY,
            "TWILIO_API_SECRET": API_SECRET,
            "TWILIO_API_URL": self.url,
            "NO_PROXY": "127.0.0.1",
        }

    def __init__(self) -> None:
        self.kind = "Full"
        self.status = "active"
        self.token = AUTH_TOKEN
        self.number: dict[str, str | None] | None = {"sms_method": "POST"}
        """The configuration of `NUMBER`; None if the account has no such number."""
        self.others: dict[str, dict[str, str | None]] = {}
        """The same of more numbers."""
        self.set: list[tuple[str, dict[str, str]]] = []
        """Accepted changes: path and form of each."""
        self.refuses_to_set = False
        self.services: list[Service] = []
        self.shows_services = True
        self.media_is_private = True
        self.clock_behind = timedelta(0)
        self.answers_html = False
        self.paths: list[str] = []
        super().__init__(_Handler)

    @property
    def media_url(self) -> str:
        return f"{self.url}{MESSAGES}/MM{'1' * 32}/Media/ME{'2' * 32}"

    def answer(self, path: str, query: dict[str, list[str]], credentials: str | None) -> tuple[int, Any]:
        """HTTP status and JSON for one GET."""
        if path == urlsplit(self.media_url).path:
            return (401, {}) if self.media_is_private and credentials is None else (307, {})
        by_token = credentials == f"{ACCOUNT_SID}:{self.token}"
        account = f"/2010-04-01/Accounts/{ACCOUNT_SID}"
        if not (by_token or (credentials == f"{API_KEY}:{API_SECRET}" and path != f"{account}.json")):
            return 401, error(401, 20003, "Authenticate")
        if path == f"{account}.json":
            return 200, {"sid": ACCOUNT_SID, "type": self.kind, "status": self.status, "date_created": None}
        if path == f"{account}/IncomingPhoneNumbers.json":
            asked = query.get("PhoneNumber", [""])[0]
            found = [_number(one, self._numbers[one]) for one in self._numbers if one == asked]
            return 200, {"incoming_phone_numbers": found, "next_page_uri": None, "page": 0, "page_size": 1}
        if path.startswith(f"{account}/IncomingPhoneNumbers/"):
            number = self._by_sid(path)
            return NOT_FOUND if number is None else (200, _number(number, self._numbers[number]))
        return self._messaging(path)

    @property
    def _numbers(self) -> dict[str, dict[str, str | None]]:
        return self.others if self.number is None else {NUMBER: self.number, **self.others}

    def _by_sid(self, path: str) -> str | None:
        sid = path.rpartition("/")[2].removesuffix(".json")
        return next((number for number in self._numbers if sid_of(number) == sid), None)

    def change(self, path: str, form: dict[str, str], credentials: str | None) -> tuple[int, Any]:
        """HTTP status and JSON for one POST, which changes only the fields in it."""
        status, told = self.answer(path, {}, credentials)
        if status != 200:
            return status, told
        is_service = path.startswith("/v1/Services/")
        known = OF_SERVICE if is_service else OF_NUMBER
        wrong = [name for name, value in form.items() if name not in known or not _may_be(name, value)]
        if wrong or self.refuses_to_set:
            return 400, error(400, 20001, f"Invalid parameter {wrong}")
        self.set.append((path, form))
        values: dict[str, Any] = {re.sub(r"\B(?=[A-Z])", "_", name).lower(): value for name, value in form.items()}
        if is_service:
            service = next(one for one in self.services if path.endswith(one.sid))
            for name, value in values.items():
                setattr(service, name, value == "true" if value in {"true", "false"} else value)
        else:
            number = self._by_sid(path)
            assert number is not None
            self._numbers[number].update(values)
        return self.answer(path, {}, credentials)

    def _messaging(self, path: str) -> tuple[int, Any]:
        if path == "/v1/Services" and self.shows_services:
            return 200, _page("services", [_shown(service) for service in self.services])
        parts = path.removeprefix("/v1/Services/").split("/")
        service = next((one for one in self.services if one.sid == parts[0]), None)
        if service is None:
            return NOT_FOUND
        found = {
            "": _shown(service),
            "PhoneNumbers": _page(
                "phone_numbers", [{"phone_number": number, "sid": sid_of(number)} for number in service.numbers]
            ),
            "ShortCodes": _page("short_codes", []),
            "Compliance/Usa2p": _page("compliance", [{"campaign_status": state} for state in service.campaigns]),
        }
        return 200, found["/".join(parts[1:])]


def sid_of(number: str) -> str:
    """The id of one of the account's numbers."""
    return "PN" + number.removeprefix("+").rjust(32, "0")


def _number(number: str, values: dict[str, str | None]) -> dict[str, str | None]:
    return {"phone_number": number, "sid": sid_of(number), **values}


def _may_be(name: str, value: str) -> bool:
    """True if the API accepts the value: an absolute address or none, a method, an application's id or none."""
    if name.endswith("Method"):
        return value in {"GET", "POST"}
    if name.endswith("ApplicationSid"):
        return re.fullmatch(r"(AP[0-9a-fA-F]{32})?", value) is not None
    return value in {"", "true", "false"} or urlsplit(value).scheme in {"http", "https"}


def _shown(service: Service) -> dict[str, Any]:
    return {name: value for name, value in asdict(service).items() if name not in {"numbers", "campaigns"}}


def _page(key: str, records: list[dict[str, Any]]) -> dict[str, Any]:
    return {"meta": {"key": key, "next_page_url": None, "page": 0, "page_size": 50}, key: records}


class _Handler(Handler):
    server: Http[TwilioAccountServer]

    def get(self) -> None:
        account, parts = self.server.stand_in, urlsplit(self.path)
        account.paths.append(parts.path)
        self._send(*account.answer(parts.path, parse_qs(parts.query), self._credentials()))

    def post(self) -> None:
        given = dict(parse_qsl(self.body().decode(), keep_blank_values=True))
        self._send(*self.server.stand_in.change(urlsplit(self.path).path, given, self._credentials()))

    def _credentials(self) -> str | None:
        kind, _, given = self.headers.get("Authorization", "").partition(" ")
        return base64.b64decode(given).decode() if kind == "Basic" else None

    def _send(self, status: int, told: Any) -> None:
        is_html = self.server.stand_in.answers_html
        body = b"<html>Log in to the Wi-Fi</html>" if is_html else json.dumps(told).encode()
        self.answer(200 if is_html else status, body, {"Content-Type": "application/json"})

    def date_time_string(self, timestamp: float | None = None) -> str:
        return format_datetime(datetime.now(UTC) - self.server.stand_in.clock_behind, usegmt=True)
