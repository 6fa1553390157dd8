"""`POST /sms`: Twilio brings a text.

The form, as `application/x-www-form-urlencoded`; all are strings, Twilio adds more without notice, and all are signed:

    AccountSid=AC…&MessageSid=SM…&From=%2B14155550123&To=%2B14155550100&Body=Hi&NumMedia=0
    MessagingServiceSid=MG…       when the number belongs to a Messaging Service
    OptOutType=STOP|START|HELP    when Twilio matched a carrier word, and answered it itself
    MediaUrl0=https://…&MediaContentType0=image/jpeg, and so on to NumMedia
    Forwarded=true&FrequentlyForwarded=true   by WhatsApp, for what its sender only handed on
    Latitude=37.79&Longitude=-122.4&Address=…&Label=…   a place, by WhatsApp and RCS

Source: https://www.twilio.com/docs/messaging/guides/webhook-request
"""

import logging
import re
from typing import cast
from urllib.parse import quote

from flask import Blueprint, Response, abort, current_app, request
from sqlalchemy.exc import SQLAlchemyError

from app.delivery import inbox
from app.errors import DatabaseError
from app.services import Services
from app.settings import Settings
from app.web.signature import Form, refuse, signed_form

EMPTY_TWIML = '<?xml version="1.0" encoding="UTF-8"?><Response/>'
"""No reply in the answer: it comes later, by Twilio's REST API."""

MESSAGE_SID = re.compile(r"(SM|MM)[0-9a-fA-F]{32}")  # Source: twilio-oai, api.v2010.account.message.sid
SENDER = re.compile(
    r"(whatsapp:)?\+[1-9]\d{1,14}"  # E.164
    r"|\d{3,8}"  # a short code
    r"|(rcs|messenger):[\w.:@+-]{1,100}"
    r"|[A-Za-z0-9][A-Za-z0-9 ._&+-]{0,10}",  # an alphanumeric sender
    re.ASCII,
)

COORDINATE = re.compile(r"-?\d{1,3}(\.\d{1,20})?", re.ASCII)

logger = logging.getLogger(__name__)

bp = Blueprint("sms", __name__)


@bp.post("/sms", strict_slashes=False, merge_slashes=False)
def receive() -> Response:
    """200 once the text is on the disk; what is answered to it goes out later."""
    services = cast("Services", current_app.extensions["services"])
    form = signed_form(services, request)
    if reason := _reason_to_refuse(services.settings, form):
        refuse(request, reason)
    media = _media(form)
    text = inbox.IncomingText(
        sid=form.first("MessageSid"),
        sender=form.first("From"),
        recipient=form.first("To"),
        body=form.first("Body"),
        carrier="twilio",
        media_count=max(_count(form.first("NumMedia")), len(media)),
        opt_out_type=form.first("OptOutType") or None,
        media=media,
        forwarded="true" in {form.first("Forwarded"), form.first("FrequentlyForwarded")},
    )
    try:
        inbox.take_in(services, text)
    except (DatabaseError, SQLAlchemyError, OSError) as error:
        not_stored(error)
    return Response(EMPTY_TWIML, mimetype="text/xml")


def not_stored(error: Exception) -> None:
    """End the request with 503: Twilio then tries again, or calls the fallback address."""
    # SQLAlchemy's own message quotes the row, and so a person's words; the driver's does not.
    logger.error("What Twilio sent could not be stored: %s", getattr(error, "orig", None) or type(error).__name__)
    abort(503, description="It could not be stored; try again.")


def _reason_to_refuse(settings: Settings, form: Form) -> str | None:
    if not MESSAGE_SID.fullmatch(form.first("MessageSid")):
        return "MessageSid is not SM or MM and 32 hexadecimal digits"
    if "Body" not in form:
        return "Body is missing"
    if not SENDER.fullmatch(form.first("From")):
        return "From is no address that Twilio sends from"
    if not _is_to_us(settings, form):
        return "neither To nor MessagingServiceSid is TWILIO_FROM"
    return None


def _is_to_us(settings: Settings, form: Form) -> bool:
    ours = (settings.twilio_from or "").removeprefix("whatsapp:")
    to = form.first("To").removeprefix("whatsapp:")
    return bool(ours) and bool(to) and ours in {to, form.first("MessagingServiceSid")}


def _media(form: Form) -> tuple[inbox.IncomingMedia, ...]:
    """The files that the form names, and the place that was shared."""
    named = [
        inbox.IncomingMedia(form.first(f"MediaUrl{number}"), form.first(f"MediaContentType{number}"))
        for number in range(min(_count(form.first("NumMedia")), inbox.MAX_MEDIA))
    ]
    files = [one for one in named if one.url]
    place = _place(form)
    return (*files, place) if place else tuple(files)


def _place(form: Form) -> inbox.IncomingMedia | None:
    """A shared place as a `geo:` address (RFC 5870), with its label and address in words."""
    latitude, longitude = form.first("Latitude"), form.first("Longitude")
    if not (COORDINATE.fullmatch(latitude) and COORDINATE.fullmatch(longitude)):
        return None
    words = ", ".join(filter(None, (form.first("Label")[:100], form.first("Address")[:200])))
    return inbox.IncomingMedia(f"geo:{latitude},{longitude}?q={quote(words)}", inbox.PLACE)


def _count(number: str) -> int:
    return int(number) if re.fullmatch(r"\d{1,4}", number, re.ASCII) else 0
