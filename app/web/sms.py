"""Twilio's webhooks: incoming texts, delivery statuses of our texts, and phone calls to the number.

Only requests with Twilio's signature are accepted. The reasons are in docs/decisions/0007-webhook-signature.md.

`POST /sms` as `application/x-www-form-urlencoded`; all fields are signed strings, and Twilio may add others any time:

    AccountSid=AC…&MessageSid=SM…&From=%2B14155550123&To=%2B14155550100&Body=Hi&NumMedia=0
    MessagingServiceSid=MG…       if the number belongs to a Messaging Service
    OptOutType=STOP|START|HELP    if Twilio matched a carrier word, and answered it itself
    MediaUrl0=https://…&MediaContentType0=image/jpeg, and so on to NumMedia
    Forwarded=true&FrequentlyForwarded=true   from WhatsApp, for texts that the sender only forwarded
    Latitude=37.79&Longitude=-122.4&Address=…&Label=…   a place, from WhatsApp and RCS

`POST /sms/status?m=KEY` with `AccountSid`, `MessageSid`, `MessageStatus` and, if it failed, `ErrorCode`. KEY comes from
the text's `StatusCallback`; it finds the row even before Twilio's id has been saved.

`POST /voice` with `AccountSid`, `CallSid`, `From` and `To`. The call is counted; the caller and their words are neither
asked for nor stored. Twilio signs the URL of a call without its port.

Source: https://www.twilio.com/docs/messaging/guides/webhook-request,
https://www.twilio.com/docs/messaging/guides/outbound-message-status-in-status-callbacks, and
https://www.twilio.com/docs/voice/twiml
"""

import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import lru_cache
from typing import NoReturn, Self, cast
from urllib.parse import parse_qsl, quote, urlparse, urlsplit

from flask import Blueprint, Request, Response, abort, current_app, request
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session
from twilio.request_validator import (
    HMAC_SHA1,
    HMAC_SHA256,
    SIGNATURE_SETTINGS_HEADER,
    RequestValidator,
    add_port,
    compare,
    get_signature_algorithm,
    remove_port,
)

from app.delivery import inbox
from app.delivery.reports import record_status
from app.errors import DatabaseError
from app.models import marks
from app.operations.alerts import open_alerts, raise_alert
from app.services import Services
from app.settings import Settings

XML = '<?xml version="1.0" encoding="UTF-8"?>'
NO_REPLY = f"{XML}<Response/>"  # A text's reply comes later, by Twilio's REST API.
TO_CALLERS = "This number only reads text messages. Please hang up and send a text."

MESSAGE_SID = re.compile(r"(SM|MM)[0-9a-fA-F]{32}")  # Source: twilio-oai, api.v2010.account.message.sid
CALL_SID = re.compile(r"CA[0-9a-fA-F]{32}")  # Source: twilio-oai, api.v2010.account.call.sid
SENDER = re.compile(
    r"(whatsapp:)?\+[1-9]\d{1,14}"  # E.164
    r"|\d{3,8}"  # a short code
    r"|(rcs|messenger):[\w.:@+-]{1,100}"
    r"|[A-Za-z0-9][A-Za-z0-9 ._&+-]{0,10}",  # an alphanumeric sender
    re.ASCII,
)
COORDINATE = re.compile(r"-?\d{1,3}(\.\d{1,20})?", re.ASCII)

CALLS = "calls"  # Name of the mark that counts phone calls.
NOT_STORED = (DatabaseError, SQLAlchemyError, OSError)
FORM_TYPE = "application/x-www-form-urlencoded"

UNKNOWN_KEY = "webhook_key"
UNKNOWN_KEY_SENTENCE = (
    "A webhook named a signing key or an algorithm that is not set here, and was refused. If Twilio's console shows a "
    "shared key for webhooks, put its id and secret into TWILIO_SHARED_KEYS; if it shows none, somebody is trying."
)
SELDOM = timedelta(minutes=1)  # Anybody may post here, so each forgery of a flood costs a read and not a write.

logger = logging.getLogger(__name__)

bp = Blueprint("sms", __name__)


class Form(dict[str, list[str]]):
    """A webhook's fields by name, each with all of its values, as they are signed."""

    getall = dict.__getitem__  # Twilio's check asks for it first.

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, str]]) -> Self:
        form = cls()
        for name, value in pairs:
            form.setdefault(name, []).append(value)
        return form


Fields = dict[str, str]
"""A webhook's fields by name; of a name that comes twice, the first value."""


@bp.post("/sms", strict_slashes=False, merge_slashes=False)
def receive() -> Response:
    """200 once the text is on the disk; the reply goes out later."""
    services, fields = signed_form()
    if reason := _reason_to_refuse(services.settings, fields):
        _refuse(reason)
    media = _media(fields)
    text = inbox.IncomingText(
        sid=fields.get("MessageSid", ""),
        sender=fields.get("From", ""),
        recipient=fields.get("To", ""),
        body=fields.get("Body", ""),
        carrier="twilio",
        media_count=max(_count(fields.get("NumMedia", "")), len(media)),
        opt_out_type=fields.get("OptOutType") or None,
        media=media,
        forwarded="true" in {fields.get("Forwarded"), fields.get("FrequentlyForwarded")},
    )
    try:
        inbox.take_in(services, text)
    except NOT_STORED as error:
        _not_stored(error)
    return Response(NO_REPLY, mimetype="text/xml")


@bp.post("/sms/status", strict_slashes=False, merge_slashes=False)
def status() -> Response:
    """204 for everything that Twilio signed, known or not: another attempt would change nothing."""
    services, fields = signed_form()
    sid, code = fields.get("MessageSid", ""), fields.get("ErrorCode", "")
    if not MESSAGE_SID.fullmatch(sid):
        _refuse("MessageSid is not SM or MM and 32 hexadecimal digits")
    error_code = int(code) if re.fullmatch(r"\d{1,6}", code, re.ASCII) else None
    key, delivery = request.args.get("m"), fields.get("MessageStatus", "")
    try:
        record_status(services, key=key, sid=sid, status=delivery, error_code=error_code)
    except NOT_STORED as error:
        _not_stored(error)
    return Response(status=204)


@bp.post("/voice", strict_slashes=False, merge_slashes=False)
def voice() -> Response:
    """200 with a sentence for the caller: the number only reads texts."""
    services, fields = signed_form()
    if not CALL_SID.fullmatch(fields.get("CallSid", "")):
        _refuse("CallSid is not CA and 32 hexadecimal digits")
    with suppress(*NOT_STORED), services.transaction() as db:
        # The caller is told even if the call cannot be counted.
        known = marks.read(db, CALLS)
        marks.put(db, CALLS, services.clock.now(), number=1 + (known.number if known else 0))
    logger.info("Somebody called the number, and was told to text.")
    return Response(f"{XML}<Response><Say>{TO_CALLERS}</Say><Hangup/></Response>", mimetype="text/xml")


def _not_stored(error: Exception) -> NoReturn:
    """End the request with 503; Twilio then tries again, or calls the fallback URL."""
    # SQLAlchemy's message quotes the row, and so a person's words; the driver's does not.
    logger.error("What Twilio sent could not be stored: %s", getattr(error, "orig", None) or type(error).__name__)
    abort(503, description="It could not be stored; try again.")


def _reason_to_refuse(settings: Settings, fields: Fields) -> str | None:
    if not MESSAGE_SID.fullmatch(fields.get("MessageSid", "")):
        return "MessageSid is not SM or MM and 32 hexadecimal digits"
    if "Body" not in fields:
        return "Body is missing"
    if not SENDER.fullmatch(fields.get("From", "")):
        return "From is no address that Twilio sends from"
    ours = (settings.twilio_from or "").removeprefix("whatsapp:")
    to = fields.get("To", "").removeprefix("whatsapp:")
    if not (ours and to and ours in {to, fields.get("MessagingServiceSid")}):
        return "neither To nor MessagingServiceSid is TWILIO_FROM"
    return None


def _media(fields: Fields) -> tuple[inbox.IncomingMedia, ...]:
    """Files that the fields name, and any shared place as a `geo:` URI (RFC 5870) with its label and address."""
    named = [
        inbox.IncomingMedia(fields.get(f"MediaUrl{number}", ""), fields.get(f"MediaContentType{number}", ""))
        for number in range(min(_count(fields.get("NumMedia", "")), inbox.MAX_MEDIA))
    ]
    media = [one for one in named if one.url]
    latitude, longitude = fields.get("Latitude", ""), fields.get("Longitude", "")
    if COORDINATE.fullmatch(latitude) and COORDINATE.fullmatch(longitude):
        words = ", ".join(filter(None, (fields.get("Label", "")[:100], fields.get("Address", "")[:200])))
        media.append(inbox.IncomingMedia(f"geo:{latitude},{longitude}?q={quote(words)}", inbox.PLACE))
    return tuple(media)


def _count(number: str) -> int:
    return int(number) if re.fullmatch(r"\d{1,4}", number, re.ASCII) else 0


# The signature.


def signed_form() -> tuple[Services, Fields]:
    """The fields that Twilio posted; the request ends with 415 or 403 unless Twilio signed it for our account."""
    services = cast("Services", current_app.extensions["services"])
    settings = services.settings
    if request.mimetype != FORM_TYPE:
        abort(415, description=f"Send {FORM_TYPE}.")
    body = request.get_data(cache=False).decode("utf-8", "replace")  # Bytes that are not UTF-8 match no signature.
    form = Form.of(parse_qsl(body, keep_blank_values=True))
    signature, named = request.headers.get("X-Twilio-Signature"), request.headers.get(SIGNATURE_SETTINGS_HEADER)
    if named and not keys_for(settings, named)[0]:
        _alert_of_unknown_key(services)
        _refuse("it names a signing key or an algorithm that is not set here")
    if not is_genuine(settings, raw_target=raw_target(request), form=form, signature=signature, named=named):
        logger.warning(
            "A request to %s was not signed by Twilio for PUBLIC_URL; nothing was kept. If it did come from Twilio, "
            "PUBLIC_URL is not the address set there, or neither TWILIO_AUTH_TOKEN nor TWILIO_OLD_AUTH_TOKENS holds "
            "the account's primary token.",
            request.path,
        )
        abort(403, description="The signature does not fit.")
    fields = {name: values[0] for name, values in form.items()}
    if fields.get("AccountSid") != settings.twilio_account_sid:
        # Also if a name was shifted into its neighbour: Twilio signs names and values without separators.
        _refuse("AccountSid is not TWILIO_ACCOUNT_SID")
    return services, fields


def _refuse(reason: str) -> NoReturn:
    """End the request with 403; `reason` is logged, so it must hold no person's words or number."""
    logger.warning("A signed request to %s was refused: %s.", request.path, reason)
    abort(403, description=f"Refused: {reason}.")


def _alert_of_unknown_key(services: Services) -> None:
    """Raise the alert, unless it was raised within the last minute."""
    now = services.clock.now()
    with suppress(DatabaseError, SQLAlchemyError):  # The request is refused anyway.
        with services.reading() as db:
            if _was_raised_lately(db, now):
                return
        with services.transaction() as db:
            if not _was_raised_lately(db, now):  # Another request may have raised it since.
                raise_alert(db, UNKNOWN_KEY, UNKNOWN_KEY_SENTENCE, now)


def _was_raised_lately(db: Session, now: datetime) -> bool:
    return any(alert.kind == UNKNOWN_KEY and now - alert.last_at < SELDOM for alert in open_alerts(db))


def keys_for(settings: Settings, named: str | None) -> tuple[Sequence[str], str]:
    """The secrets that may have signed (none if key or algorithm is unknown here), and the algorithm.

    `named` is the header `X-Twilio-Webhooks-Signature-Settings`, as in `key=…,algorithm=HMAC_SHA256`. Without it
    Twilio signs with the account's auth token.
    """
    if not named:
        return settings.signing_tokens, HMAC_SHA1
    algorithm = get_signature_algorithm(named).upper()
    parts = (part.partition("=") for part in named.split(","))
    key = next((value.strip() for name, _, value in parts if name.strip() == "key"), None)
    if key is None:
        return (settings.signing_tokens if algorithm == HMAC_SHA1 else ()), algorithm
    secret = settings.shared_keys.get(key)
    return ((secret,) if secret and algorithm == HMAC_SHA256 else ()), algorithm


def is_genuine(
    settings: Settings, *, raw_target: str, form: Form, signature: str | None, named: str | None = None
) -> bool:
    """True if Twilio signed this form for our URL; False also if the signature cannot be checked.

    `raw_target` is path and query exactly as in the request line, since an unquoted or normalised URL has
    another signature. `named` as in `keys_for`. A wrong signature is compared with every key that may have
    signed, so the time taken reveals nothing about any.
    """
    if not signature or not signature.isascii():
        return False
    keys, algorithm = keys_for(settings, named)
    try:
        return any(
            _matches(validator, url, form, signature, algorithm)
            for validator in map(RequestValidator, keys)
            for url in _url_spellings(settings.address, raw_target)
        )
    except ValueError as error:  # A URL or a form that cannot be signed; any other error is our own fault.
        logger.warning("A signature could not be checked: %s.", type(error).__name__)
        return False


def _matches(validator: RequestValidator, url: str, form: Form, signature: str, algorithm: str) -> bool:
    if compare(validator.compute_signature(url, form, algorithm), signature):
        return True  # Nearly always; the validator's other attempts would double the cost.
    if validator.validate(url, form, signature, algorithm):
        return True
    parts = urlparse(url)
    if parts.query:
        return False
    # Twilio signs a trailing question mark; the validator drops it, and so may a proxy.
    return any(
        compare(validator.compute_signature(spelling + "?", form, algorithm), signature)
        for spelling in (remove_port(parts), add_port(parts))
    )


def raw_target(request: Request) -> str:
    """Path and query exactly as in the request line."""
    environ = request.environ
    line = environ.get("REQUEST_URI") or environ.get("RAW_URI")
    if not line:
        path = quote((environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", "")).encode("latin-1"))
        query = environ.get("QUERY_STRING", "")
        line = f"{path}?{query}" if query else path
    if not line.startswith("/"):
        line = "/" + line.partition("://")[2].partition("/")[2]
    # WSGI passes bytes as Latin-1.
    return str(line).encode("latin-1", "replace").decode("utf-8", "replace")


def _url_spellings(address: str, target: str) -> Iterator[str]:
    """Every spelling in which Twilio may have signed the URL of `target` below ours, the likeliest first."""
    origins, prefix = _origins(address)
    for origin in origins:
        yield origin + prefix + target
        if prefix and target.startswith(prefix + "/"):  # The proxy in front kept the prefix.
            yield origin + target


@lru_cache(maxsize=8)
def _origins(address: str) -> tuple[tuple[str, ...], str]:
    parts = urlsplit(address)
    host = parts.netloc.rpartition("@")[2]  # Twilio signs the URL without user name and password.
    hosts = dict.fromkeys((host, host.lower(), host.upper()))
    return tuple(f"{parts.scheme}://{each}" for each in hosts), parts.path.rstrip("/")
