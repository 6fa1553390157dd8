"""Twilio's webhooks: a text comes, a text of ours fares somehow, somebody calls the number.

`POST /sms`, as `application/x-www-form-urlencoded`; all are strings and signed, and Twilio adds more without notice:

    AccountSid=AC…&MessageSid=SM…&From=%2B14155550123&To=%2B14155550100&Body=Hi&NumMedia=0
    MessagingServiceSid=MG…       when the number belongs to a Messaging Service
    OptOutType=STOP|START|HELP    when Twilio matched a carrier word, and answered it itself
    MediaUrl0=https://…&MediaContentType0=image/jpeg, and so on to NumMedia
    Forwarded=true&FrequentlyForwarded=true   by WhatsApp, for what its sender only handed on
    Latitude=37.79&Longitude=-122.4&Address=…&Label=…   a place, by WhatsApp and RCS

`POST /sms/status?m=KEY` with `AccountSid`, `MessageSid`, `MessageStatus` and, when it failed, `ErrorCode`. KEY is the
one that was in the text's `StatusCallback`; it finds the row also before Twilio's id has been saved.

`POST /voice` with `AccountSid`, `CallSid`, `From` and `To`. The call is counted; who called and what they say is not
asked for and not kept. Twilio signs the address of a call without its port.

Source: https://www.twilio.com/docs/messaging/guides/webhook-request,
https://www.twilio.com/docs/messaging/guides/outbound-message-status-in-status-callbacks, and
https://www.twilio.com/docs/voice/twiml
"""

import logging
import re
from contextlib import suppress
from typing import NoReturn, cast
from urllib.parse import quote

from flask import Blueprint, Response, abort, current_app, request
from sqlalchemy.exc import SQLAlchemyError

from app.delivery import inbox
from app.delivery.reports import record_status
from app.errors import DatabaseError
from app.operations import marks
from app.services import Services
from app.settings import Settings
from app.web.signature import Form, refuse, signed_form

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

CALLS = "calls"  # The mark that counts phone calls.
NOT_STORED = (DatabaseError, SQLAlchemyError, OSError)

logger = logging.getLogger(__name__)

bp = Blueprint("sms", __name__)


@bp.post("/sms", strict_slashes=False, merge_slashes=False)
def receive() -> Response:
    """200 once the text is on the disk; what is answered to it goes out later."""
    services, form = _signed()
    if reason := _reason_to_refuse(services.settings, form):
        refuse(request, reason)
    media = _media(form)
    text = inbox.IncomingText(
        sid=form.get("MessageSid", ""),
        sender=form.get("From", ""),
        recipient=form.get("To", ""),
        body=form.get("Body", ""),
        carrier="twilio",
        media_count=max(_count(form.get("NumMedia", "")), len(media)),
        opt_out_type=form.get("OptOutType") or None,
        media=media,
        forwarded="true" in {form.get("Forwarded"), form.get("FrequentlyForwarded")},
    )
    try:
        inbox.take_in(services, text)
    except NOT_STORED as error:
        _not_stored(error)
    return Response(NO_REPLY, mimetype="text/xml")


@bp.post("/sms/status", strict_slashes=False, merge_slashes=False)
def status() -> Response:
    """204 for all that Twilio signed, known or not: there is nothing that it could do better by trying again."""
    services, form = _signed()
    sid, code = form.get("MessageSid", ""), form.get("ErrorCode", "")
    if not MESSAGE_SID.fullmatch(sid):
        refuse(request, "MessageSid is not SM or MM and 32 hexadecimal digits")
    error_code = int(code) if re.fullmatch(r"\d{1,6}", code, re.ASCII) else None
    key, delivery = request.args.get("m"), form.get("MessageStatus", "")
    try:
        record_status(services, key=key, sid=sid, status=delivery, error_code=error_code)
    except NOT_STORED as error:
        _not_stored(error)
    return Response(status=204)


@bp.post("/voice", strict_slashes=False, merge_slashes=False)
def voice() -> Response:
    """200 with a sentence for whoever called: the number only reads texts."""
    services, form = _signed()
    if not CALL_SID.fullmatch(form.get("CallSid", "")):
        refuse(request, "CallSid is not CA and 32 hexadecimal digits")
    with suppress(*NOT_STORED), services.transaction() as db:
        # A caller is told all the same where that cannot be counted.
        known = marks.read(db, CALLS)
        marks.put(db, CALLS, services.clock.now(), number=1 + (known.number if known else 0))
    logger.info("Somebody called the number, and was told to text.")
    return Response(f"{XML}<Response><Say>{TO_CALLERS}</Say><Hangup/></Response>", mimetype="text/xml")


def _signed() -> tuple[Services, Form]:
    services = cast("Services", current_app.extensions["services"])
    return services, signed_form(services, request)


def _not_stored(error: Exception) -> NoReturn:
    """End the request with 503: Twilio then tries again, or calls the fallback address."""
    # SQLAlchemy's own message quotes the row, and so a person's words; the driver's does not.
    logger.error("What Twilio sent could not be stored: %s", getattr(error, "orig", None) or type(error).__name__)
    abort(503, description="It could not be stored; try again.")


def _reason_to_refuse(settings: Settings, form: Form) -> str | None:
    if not MESSAGE_SID.fullmatch(form.get("MessageSid", "")):
        return "MessageSid is not SM or MM and 32 hexadecimal digits"
    if "Body" not in form:
        return "Body is missing"
    if not SENDER.fullmatch(form.get("From", "")):
        return "From is no address that Twilio sends from"
    ours = (settings.twilio_from or "").removeprefix("whatsapp:")
    to = form.get("To", "").removeprefix("whatsapp:")
    if not (ours and to and ours in {to, form.get("MessagingServiceSid")}):
        return "neither To nor MessagingServiceSid is TWILIO_FROM"
    return None


def _media(form: Form) -> tuple[inbox.IncomingMedia, ...]:
    """The files that the form names, and the place that was shared: a `geo:` address (RFC 5870), with its words."""
    named = [
        inbox.IncomingMedia(form.get(f"MediaUrl{number}", ""), form.get(f"MediaContentType{number}", ""))
        for number in range(min(_count(form.get("NumMedia", "")), inbox.MAX_MEDIA))
    ]
    media = [one for one in named if one.url]
    latitude, longitude = form.get("Latitude", ""), form.get("Longitude", "")
    if COORDINATE.fullmatch(latitude) and COORDINATE.fullmatch(longitude):
        words = ", ".join(filter(None, (form.get("Label", "")[:100], form.get("Address", "")[:200])))
        media.append(inbox.IncomingMedia(f"geo:{latitude},{longitude}?q={quote(words)}", inbox.PLACE))
    return tuple(media)


def _count(number: str) -> int:
    return int(number) if re.fullmatch(r"\d{1,4}", number, re.ASCII) else 0
