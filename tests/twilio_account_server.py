"""A stand-in for what Twilio's API tells of an account: api.twilio.com and messaging.twilio.com on one socket.

Source of the shapes: twilio-oai, api.v2010.account, api.v2010.account.incoming_phone_number and messaging.v1.service.
"""

import base64
import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.loopback import Http, StandIn
from tests.twilio_server import ACCOUNT_SID, AUTH_TOKEN, NUMBER

SERVICE = "MG" + "5e" * 16
API_KEY = "SK" + "0" * 32
API_SECRET = "the-api-secret"


@dataclass
class Service:
    """One Messaging Service."""

    sid: str = SERVICE
    url: str | None = None
    fallback_url: str | None = None
    use_inbound_webhook_on_number: bool = True
    numbers: list[str] = field(default_factory=list)
    campaigns: list[str] = field(default_factory=list)


class TwilioAccountServer(StandIn):
    """`with TwilioAccountServer() as account:` serves on loopback; what it tells are its attributes."""

    def __init__(self) -> None:
        self.kind = "Full"
        self.status = "active"
        self.token = AUTH_TOKEN
        self.number: dict[str, str | None] | None = {"sms_method": "POST"}
        self.services: list[Service] = []
        self.media_is_private = True
        self.clock_behind = timedelta(0)
        self.answers_html = False
        self.paths: list[str] = []
        super().__init__(_Handler)

    @property
    def media_url(self) -> str:
        return f"{self.url}/2010-04-01/Accounts/{ACCOUNT_SID}/Messages/MM{'1' * 32}/Media/ME{'2' * 32}"

    def answer(self, path: str, query: dict[str, list[str]], credentials: str | None) -> tuple[int, Any]:
        """HTTP status and JSON for one GET."""
        if path == urlsplit(self.media_url).path:
            return (401, {}) if self.media_is_private and credentials is None else (307, {})
        by_token = credentials == f"{ACCOUNT_SID}:{self.token}"
        account = f"/2010-04-01/Accounts/{ACCOUNT_SID}"
        if not (by_token or (credentials == f"{API_KEY}:{API_SECRET}" and path != f"{account}.json")):
            return 401, {"code": 20003, "message": "Authenticate", "more_info": "", "status": 401}
        if path == f"{account}.json":
            return 200, {"sid": ACCOUNT_SID, "type": self.kind, "status": self.status, "date_created": None}
        if path == f"{account}/IncomingPhoneNumbers.json":
            asked = query.get("PhoneNumber", [""])[0]
            found = [] if self.number is None or asked != NUMBER else [{"phone_number": NUMBER, **self.number}]
            return 200, {"incoming_phone_numbers": found, "next_page_uri": None, "page": 0, "page_size": 1}
        return self._messaging(path)

    def _messaging(self, path: str) -> tuple[int, Any]:
        if path == "/v1/Services":
            return 200, _page("services", [_shown(service) for service in self.services])
        parts = path.removeprefix("/v1/Services/").split("/")
        service = next((one for one in self.services if one.sid == parts[0]), None)
        if service is None:
            return 404, {"code": 20404, "message": "Not found", "more_info": "", "status": 404}
        found = {
            "": _shown(service),
            "PhoneNumbers": _page("phone_numbers", [{"phone_number": number} for number in service.numbers]),
            "ShortCodes": _page("short_codes", []),
            "Compliance/Usa2p": _page("compliance", [{"campaign_status": state} for state in service.campaigns]),
        }
        return 200, found["/".join(parts[1:])]


def _shown(service: Service) -> dict[str, Any]:
    return {
        "sid": service.sid,
        "inbound_request_url": service.url,
        "inbound_method": "POST",
        "fallback_url": service.fallback_url,
        "use_inbound_webhook_on_number": service.use_inbound_webhook_on_number,
    }


def _page(key: str, records: list[dict[str, Any]]) -> dict[str, Any]:
    return {"meta": {"key": key, "next_page_url": None, "page": 0, "page_size": 50}, key: records}


class _Handler(BaseHTTPRequestHandler):
    server: Http[TwilioAccountServer]

    def do_GET(self) -> None:
        account, parts = self.server.stand_in, urlsplit(self.path)
        account.paths.append(parts.path)
        kind, _, given = self.headers.get("Authorization", "").partition(" ")
        credentials = base64.b64decode(given).decode() if kind == "Basic" else None
        status, told = account.answer(parts.path, parse_qs(parts.query), credentials)
        body = b"<html>Log in to the Wi-Fi</html>" if account.answers_html else json.dumps(told).encode()
        self.send_response(200 if account.answers_html else status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def date_time_string(self, timestamp: float | None = None) -> str:
        return format_datetime(datetime.now(UTC) - self.server.stand_in.clock_behind, usegmt=True)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (the name is the base class's)
        """Nothing: what was asked for is in `paths`."""
