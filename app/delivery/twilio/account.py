"""Our account as Twilio reports it, and a test of our webhook with a request that we sign ourselves."""

from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

import requests
from twilio.base.exceptions import TwilioException
from twilio.request_validator import RequestValidator

from app.delivery.account import Registration, Sender, Standing
from app.delivery.twilio.send import API_URL, read_error, rest_client, translated_errors
from app.errors import CarrierError
from app.services import Clock
from app.settings import Settings

TIMEOUT_SECONDS = 5.0  # The operator who checks a set-up waits for the answer.
SERVICES_MAX = 20  # Each costs a call; an operator with more knows which service the number is in.

PROBE_PATH = "/sms/status?m=doctor"
PROBE_SID = "SM" + "0" * 32
"""A status callback for a text that is not ours: a server that accepts the signature answers 204 and stores nothing."""

_TEXTS = ("sms_url", "sms_method", "sms_fallback_url", "sms_fallback_method")
_CALLS = ("voice_url", "voice_method", "voice_application_sid")
_OF_SERVICE = "inbound_request_url inbound_method fallback_url fallback_method status_callback"
VALUES = {
    "service": (*_OF_SERVICE.split(), "use_inbound_webhook_on_number"),
    "number": (*_TEXTS, "sms_application_sid", *_CALLS),
    "short_code": _TEXTS,
    "pooled": _CALLS,
}
"""Settings of each kind of sender, as the API names them. Source: the SDK's `update` of each resource."""


class TwilioAccount:
    """A `CarrierAccount`; only `set_values` changes anything."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._settings = settings
        self._ours = settings.twilio_from or ""
        self._clock = clock
        self._ahead: float | None = None
        # An API key may not read the account, so that call uses the token, which also signs the webhooks.
        self._by_token = rest_client(settings, TIMEOUT_SECONDS, by_token=True, on_answer=self._note_time)
        self._by_key = rest_client(settings, TIMEOUT_SECONDS, on_answer=self._note_time)

    def standing(self) -> Standing:
        with translated_errors():
            account = self._by_token.api.accounts(self._settings.twilio_account_sid).fetch()
            return Standing(str(account.type or ""), str(account.status or ""), self._ahead)

    @translated_errors()
    def sender(self) -> Sender | None:
        """Our number, or the Messaging Service that brings its texts; None if the API shows none, as for WhatsApp."""
        ours, (service, unclear) = self._ours, self._service()
        if service is not None and (ours.startswith("MG") or not service.use_inbound_webhook_on_number):
            return _sender("service", service, f"the Messaging Service {service.sid}")
        kind, found = "number", []
        if ours.startswith("+"):
            found = self._by_key.incoming_phone_numbers.list(phone_number=ours, limit=1)
        elif ours.isdecimal():
            kind, found = "short_code", self._by_key.short_codes.list(short_code=ours, limit=1)
        return _sender(kind, found[0], f"the number {ours}{unclear}") if found else None

    def registration(self) -> Registration:
        with translated_errors():
            service, _ = self._service()
            if service is None:
                return Registration("", 0, ())
            senders = len(service.phone_numbers.list(limit=400)) + len(service.short_codes.list(limit=100))
            campaigns = service.us_app_to_person.list(limit=20)
            return Registration(service.sid, senders, tuple(str(one.campaign_status or "") for one in campaigns))

    def senders(self) -> list[Sender]:
        """`TWILIO_FROM`, or the Messaging Service that brings its texts, followed by the numbers in its pool."""
        with translated_errors():
            sender = self.sender()
            if sender is None:
                return []
            pool = self._pool(sender.sid) if sender.kind == "service" else ()
            numbers = [self._by_key.incoming_phone_numbers(one.sid).fetch() for one in pool]
            return [sender, *(_sender("pooled", one, f"the number {one.phone_number}") for one in numbers)]

    def set_values(self, sender: Sender, values: Mapping[str, str]) -> None:
        by_kind = {"service": self._by_key.messaging.v1.services, "short_code": self._by_key.short_codes}
        with translated_errors():
            by_kind.get(sender.kind, self._by_key.incoming_phone_numbers)(sender.sid).update(**values)

    def shows_media_to_anybody(self, url: str) -> bool:
        """True if Twilio gives out the file without credentials; only URLs of our own account are requested."""
        settings = self._settings
        below = f"/2010-04-01/Accounts/{settings.twilio_account_sid}/"
        if not url.startswith((settings.twilio_api_url + below, API_URL + below)):
            raise CarrierError("The file's address is not one of this account at TWILIO_API_URL.")
        with (
            translated_errors(),
            requests.get(url, timeout=TIMEOUT_SECONDS, allow_redirects=False, stream=True) as answer,
        ):
            return answer.status_code not in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND}

    def probe(self) -> tuple[int, str]:
        url, token = self._settings.address + PROBE_PATH, self._settings.twilio_auth_token
        form = {
            "AccountSid": str(self._settings.twilio_account_sid),
            "MessageSid": PROBE_SID,
            "MessageStatus": "queued",
            "From": self._ours,
        }
        parts = urlsplit(url)
        signed = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()  # Twilio, too, leaves credentials out.
        signature = RequestValidator(token.get_secret_value() if token else "").compute_signature(signed, form)
        headers = {"X-Twilio-Signature": str(signature)}
        with translated_errors():
            answer = requests.post(url, form, headers=headers, timeout=TIMEOUT_SECONDS, allow_redirects=False)
            return answer.status_code, answer.headers.get("Location", "")

    def _note_time(self, answer: requests.Response, *_: object, **__: object) -> None:
        date = answer.headers.get("Date")
        if date:
            self._ahead = (self._clock.now() - parsedate_to_datetime(date)).total_seconds()

    def _service(self) -> tuple[Any, str]:
        """The Messaging Service that our sender is, or belongs to, or None; and a question if the API shows none."""
        services = self._by_key.messaging.v1.services
        if self._ours.startswith("MG"):
            return services(self._ours).fetch(), ""
        try:
            listed = islice(services.stream(limit=SERVICES_MAX), SERVICES_MAX)
            ours = (one for one in listed if self._ours in {of.phone_number for of in self._pool(one.sid)})
            return next(ours, None), ""
        except TwilioException as error:
            if read_error(error)[0] != HTTPStatus.NOT_FOUND:
                raise
            # A proxy of api.twilio.com alone shows no services; one of them may still bring this number's texts.
            return None, " (TWILIO_API_URL shows no Messaging Services: is it in one?)"

    def _pool(self, service_sid: str) -> Any:
        return self._by_key.messaging.v1.services(service_sid).phone_numbers.stream(limit=400)


def _sender(kind: str, resource: Any, name: str) -> Sender:
    given = {value: getattr(resource, value, None) for value in VALUES[kind]}
    plain = {value: str(is_so).lower() if isinstance(is_so, bool) else is_so or "" for value, is_so in given.items()}
    return Sender(kind, str(resource.sid), name, plain)
