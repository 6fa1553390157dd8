"""Whether a request comes from Twilio. The reasons are in docs/decisions/0007-webhook-signature.md."""

import logging
from collections.abc import Iterator
from functools import lru_cache
from typing import Self
from urllib.parse import parse_qsl, quote, urlparse, urlsplit

from flask import Request, abort
from twilio.request_validator import RequestValidator, add_port, compare, remove_port

from app.settings import Settings

FORM_TYPE = "application/x-www-form-urlencoded"

logger = logging.getLogger(__name__)


class Form(dict[str, list[str]]):
    """A webhook's fields by name, each with all its values: the shape that the validator asks for first."""

    @classmethod
    def parse(cls, body: bytes) -> Self:
        """Of `application/x-www-form-urlencoded`; bytes that are no UTF-8 fit no signature afterwards."""
        form = cls()
        for name, value in parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True):
            form.setdefault(name, []).append(value)
        return form

    def getall(self, name: str) -> list[str]:
        return self[name]

    def first(self, name: str) -> str:
        """The first value of that name, empty when there is none."""
        values = self.get(name)
        return values[0] if values else ""


def signed_form(settings: Settings, request: Request) -> Form:
    """What Twilio posted; the request ends with 415 or 403 unless it is a form that Twilio signed for our account."""
    if request.mimetype != FORM_TYPE:
        abort(415, description=f"Send {FORM_TYPE}.")
    form = Form.parse(request.get_data(cache=False))
    signature = request.headers.get("X-Twilio-Signature")
    if not is_genuine(settings, raw_target=raw_target(request), form=form, signature=signature):
        logger.warning(
            "A request to %s was not signed by Twilio for PUBLIC_URL; nothing was kept. If it did come from Twilio, "
            "PUBLIC_URL is not the address set there, or TWILIO_AUTH_TOKEN is not the account's primary token.",
            request.path,
        )
        abort(403, description="The signature does not fit.")
    if form.first("AccountSid") != settings.twilio_account_sid:
        # Also when the name was shifted into its neighbour: Twilio signs names and values without a mark between.
        refuse(request, "AccountSid is not TWILIO_ACCOUNT_SID")
    return form


def refuse(request: Request, reason: str) -> None:
    """End the request with 403; `reason` is logged, so it holds nobody's words or number."""
    logger.warning("A signed request to %s was refused: %s.", request.path, reason)
    abort(403, description=f"Refused: {reason}.")


def is_genuine(settings: Settings, *, raw_target: str, form: Form, signature: str | None) -> bool:
    """Whether Twilio signed this form for our address; False as well for whatever cannot be checked.

    `raw_target` is path and query as they stood in the request line: an unquoted or tidied address has
    another signature.
    """
    token = settings.twilio_auth_token
    if not token or not signature or not signature.isascii():
        return False
    validator = RequestValidator(token.get_secret_value())
    try:
        return any(_fits(validator, url, form, signature) for url in _addresses(settings.address, raw_target))
    except Exception as error:  # noqa: BLE001  (the validator raises whatever a forged form provokes in it)
        logger.warning("A signature could not be checked: %s.", type(error).__name__)
        return False


def _fits(validator: RequestValidator, url: str, form: Form, signature: str) -> bool:
    if validator.validate(url, form, signature):
        return True
    parts = urlparse(url)
    if parts.query:
        return False
    # Twilio signs a question mark that nothing follows; the validator drops it, and so may a proxy.
    return any(
        compare(validator.compute_signature(spelling + "?", form), signature)
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
