"""Twilio's signature on a request. The reasons are in docs/decisions/0007-webhook-signature.md."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import lru_cache
from urllib.parse import parse_qsl, quote, urlparse, urlsplit

from flask import Request, abort
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
from werkzeug.datastructures import MultiDict

from app.errors import DatabaseError
from app.operations.alerts import open_alerts, raise_alert
from app.services import Services
from app.settings import Settings

FORM_TYPE = "application/x-www-form-urlencoded"

UNKNOWN_KEY = "webhook_key"
SENTENCE = (
    "A webhook named a signing key or an algorithm that is not set here, and was refused. If Twilio's console shows a "
    "shared key for webhooks, put its id and secret into TWILIO_SHARED_KEYS; if it shows none, somebody is trying."
)
SELDOM = timedelta(minutes=1)  # Anybody may post here: a flood of forgeries costs a look each, and no write each.

logger = logging.getLogger(__name__)


Form = MultiDict[str, str]
"""A webhook's fields by name, each with all its values."""


def signed_form(services: Services, request: Request) -> Form:
    """What Twilio posted; the request ends with 415 or 403 unless it is a form that Twilio signed for our account."""
    settings = services.settings
    if request.mimetype != FORM_TYPE:
        abort(415, description=f"Send {FORM_TYPE}.")
    body = request.get_data(cache=False).decode("utf-8", "replace")  # Bytes that are no UTF-8 fit no signature.
    form = Form(parse_qsl(body, keep_blank_values=True))
    signature, named = request.headers.get("X-Twilio-Signature"), request.headers.get(SIGNATURE_SETTINGS_HEADER)
    if named and not keys_for(settings, named)[0]:
        _alert_of_unknown_key(services)
        refuse(request, "it names a signing key or an algorithm that is not set here")
    if not is_genuine(settings, raw_target=raw_target(request), form=form, signature=signature, named=named):
        logger.warning(
            "A request to %s was not signed by Twilio for PUBLIC_URL; nothing was kept. If it did come from Twilio, "
            "PUBLIC_URL is not the address set there, or neither TWILIO_AUTH_TOKEN nor TWILIO_OLD_AUTH_TOKENS holds "
            "the account's primary token.",
            request.path,
        )
        abort(403, description="The signature does not fit.")
    if form.get("AccountSid") != settings.twilio_account_sid:
        # Also when the name was shifted into its neighbour: Twilio signs names and values without a mark between.
        refuse(request, "AccountSid is not TWILIO_ACCOUNT_SID")
    return form


def refuse(request: Request, reason: str) -> None:
    """End the request with 403; `reason` is logged, so it holds nobody's words or number."""
    logger.warning("A signed request to %s was refused: %s.", request.path, reason)
    abort(403, description=f"Refused: {reason}.")


def _alert_of_unknown_key(services: Services) -> None:
    """Raise the alert, unless that was done within the last minute."""
    now = services.clock.now()
    with suppress(DatabaseError, SQLAlchemyError):  # The request is refused anyway.
        with services.reading() as db:
            if _was_told(db, now):
                return
        with services.transaction() as db:
            if not _was_told(db, now):  # Another request may have been quicker.
                raise_alert(db, UNKNOWN_KEY, SENTENCE, now)


def _was_told(db: Session, now: datetime) -> bool:
    return any(alert.kind == UNKNOWN_KEY and now - alert.last_at < SELDOM for alert in open_alerts(db))


def keys_for(settings: Settings, named: str | None) -> tuple[Sequence[str], str]:
    """The secrets that may have signed, none when that is not known here, and the algorithm.

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
    """Whether Twilio signed this form for our address; False as well for whatever cannot be checked.

    `raw_target` is path and query as they stood in the request line: an unquoted or tidied address has
    another signature. `named` as in `keys_for`. A signature that does not fit has met every key that may have
    signed, so the time taken tells of none.
    """
    if not signature or not signature.isascii():
        return False
    keys, algorithm = keys_for(settings, named)
    try:
        return any(
            _fits(validator, url, form, signature, algorithm)
            for validator in map(RequestValidator, keys)
            for url in _addresses(settings.address, raw_target)
        )
    except ValueError as error:  # Of an address or a form that has no signature; all else is a fault of ours.
        logger.warning("A signature could not be checked: %s.", type(error).__name__)
        return False


def _fits(validator: RequestValidator, url: str, form: Form, signature: str, algorithm: str) -> bool:
    if compare(validator.compute_signature(url, form, algorithm), signature):
        return True  # Nearly always; what the validator tries besides costs as much again.
    if validator.validate(url, form, signature, algorithm):
        return True
    parts = urlparse(url)
    if parts.query:
        return False
    # Twilio signs a question mark that nothing follows; the validator drops it, and so may a proxy.
    return any(
        compare(validator.compute_signature(spelling + "?", form, algorithm), signature)
        for spelling in (remove_port(parts), add_port(parts))
    )


def raw_target(request: Request) -> str:
    """Path and query as they stood in the request line."""
    environ = request.environ
    line = environ.get("REQUEST_URI") or environ.get("RAW_URI")
    if not line:
        path = quote((environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", "")).encode("latin-1"))
        query = environ.get("QUERY_STRING", "")
        line = f"{path}?{query}" if query else path
    if not line.startswith("/"):
        line = "/" + line.partition("://")[2].partition("/")[2]
    # WSGI hands bytes over as Latin-1.
    return str(line).encode("latin-1", "replace").decode("utf-8", "replace")


def _addresses(address: str, target: str) -> Iterator[str]:
    """Every way in which Twilio may have written the address of `target` below ours, the likely one first."""
    origins, prefix = _origins(address)
    for origin in origins:
        yield origin + prefix + target
        if prefix and target.startswith(prefix + "/"):  # The proxy in front left the prefix on.
            yield origin + target


@lru_cache(maxsize=8)
def _origins(address: str) -> tuple[tuple[str, ...], str]:
    parts = urlsplit(address)
    host = parts.netloc.rpartition("@")[2]  # Twilio leaves a name and password out of what it signs.
    hosts = dict.fromkeys((host, host.lower(), host.upper()))
    return tuple(f"{parts.scheme}://{each}" for each in hosts), parts.path.rstrip("/")
