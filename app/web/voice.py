"""`POST /voice`: somebody calls the number, which only reads texts; Twilio says so to them and hangs up.

The form holds `AccountSid`, `CallSid`, `From` and `To`, and more that Twilio adds. The call is counted; who called and
what they say is not asked for and not kept. Twilio signs the address of a call without its port.

Source: https://www.twilio.com/docs/voice/twiml
"""

import logging
import re
from contextlib import suppress
from typing import cast

from flask import Blueprint, Response, current_app, request
from sqlalchemy.exc import SQLAlchemyError

from app.errors import DatabaseError
from app.operations import marks
from app.services import Services
from app.web.figures import CALLS
from app.web.signature import refuse, signed_form

CALL_SID = re.compile(r"CA[0-9a-fA-F]{32}")  # Source: twilio-oai, api.v2010.account.call.sid
SAID = (
    '<?xml version="1.0" encoding="UTF-8"?><Response><Say>This number only reads text messages. '
    "Please hang up and send a text.</Say><Hangup/></Response>"
)

logger = logging.getLogger(__name__)

bp = Blueprint("voice", __name__)


@bp.post("/voice", strict_slashes=False, merge_slashes=False)
def receive() -> Response:
    """200 with a sentence for whoever called."""
    services = cast("Services", current_app.extensions["services"])
    if not CALL_SID.fullmatch(signed_form(services, request).first("CallSid")):
        refuse(request, "CallSid is not CA and 32 hexadecimal digits")
    with suppress(DatabaseError, SQLAlchemyError, OSError), services.transaction() as db:
        # A caller is told all the same where that cannot be counted.
        known = marks.read(db, CALLS)
        marks.put(db, CALLS, services.clock.now(), number=1 + (known.number if known else 0))
    logger.info("Somebody called the number, and was told to text.")
    return Response(SAID, mimetype="text/xml")
