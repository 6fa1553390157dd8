"""`POST /sms/status?m=KEY`: Twilio tells how a text of ours fares.

The form holds `AccountSid`, `MessageSid`, `MessageStatus` and, when it failed, `ErrorCode`. KEY is the one that was in
the text's `StatusCallback`; it finds the row also before Twilio's id has been saved.

Source: https://www.twilio.com/docs/messaging/guides/outbound-message-status-in-status-callbacks
"""

import re
from typing import cast

from flask import Blueprint, Response, current_app, request
from sqlalchemy.exc import SQLAlchemyError

from app.delivery.reports import record_status
from app.errors import DatabaseError
from app.services import Services
from app.web.signature import refuse, signed_form
from app.web.sms import MESSAGE_SID, not_stored

bp = Blueprint("status", __name__)


@bp.post("/sms/status", strict_slashes=False, merge_slashes=False)
def receive() -> Response:
    """204 for all that Twilio signed, known or not: there is nothing that it could do better by trying again."""
    services = cast("Services", current_app.extensions["services"])
    form = signed_form(services, request)
    sid = form.first("MessageSid")
    if not MESSAGE_SID.fullmatch(sid):
        refuse(request, "MessageSid is not SM or MM and 32 hexadecimal digits")
    code = form.first("ErrorCode")
    try:
        record_status(
            services,
            key=request.args.get("m"),
            sid=sid,
            status=form.first("MessageStatus"),
            error_code=int(code) if re.fullmatch(r"\d{1,6}", code, re.ASCII) else None,
        )
    except (DatabaseError, SQLAlchemyError, OSError) as error:
        not_stored(error)
    return Response(status=204)
