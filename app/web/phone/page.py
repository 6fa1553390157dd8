"""The phone page: text the assistant from a browser, and see the facts that it remembers."""

import re
from uuid import uuid4

from flask import Blueprint, Response, abort, jsonify, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from app.delivery.inbox import IncomingText, take_in
from app.errors import Refused
from app.text.phone_number import parse_number
from app.web import auth
from app.web.every_request import secure_headers
from app.web.phone import NUMBERS, view
from app.web.phone.guard import check_visit, may_read
from app.web.streams import AT_ONCE, Sections, lists, make_live

MAX_BODY_CHARS = 1600  # Twilio's limit, so that the page accepts the same texts as a phone.
SUGGESTIONS = ("Hi! I'm Alex, and I have a dog named Max.", "I'm allergic to peanuts.", "What do you know about me?")

bp = Blueprint("phone", __name__, url_prefix="/phone")
bp.after_request(secure_headers)


@bp.before_request
def _guard() -> None:
    services = auth.services()
    check_visit(services.settings, request)
    if not may_read(services, auth.session_token()):
        raise Refused(
            "The phone page shows what everybody wrote, and texts as anybody. "
            f"Log in as an owner at {services.settings.address}/admin/, then open this page again."
        )
    if request.endpoint in {"phone.events", "phone.snapshot"}:
        _number_asked()


@bp.get("")
def page() -> str | tuple[str, int]:
    typed = request.args.get("number", NUMBERS[0])
    try:
        return _page(parse_number(typed))
    except Refused as error:
        return _page(NUMBERS[0], problem=str(error)), 400


@bp.post("/texts")
def send() -> AnyResponse | tuple[str, int] | tuple[Response, int]:
    """Take in a text as Twilio's webhook does; one `sid` is one text, however often it is posted."""
    wants_json = request.accept_mimetypes.best == "application/json"
    number, body = NUMBERS[0], request.form.get("body", "")
    try:
        number = parse_number(request.form.get("from", ""))
        text = _text(number, request.form.get("sid", ""), body)
    except Refused as error:
        if wants_json:
            abort(400, str(error))
        return _page(number, problem=str(error), draft=body), 400
    take_in(auth.services(), text)
    if wants_json:
        return jsonify(sid=text.sid), 202
    return redirect(url_for("phone.page", number=number), code=303)


def _number_asked() -> str:
    try:
        return parse_number(request.args.get("number", ""))
    except Refused as error:
        abort(400, str(error))


def _text(number: str, sid: str, body: str) -> IncomingText:
    body = body.replace("\r\n", "\n").strip()
    if not re.fullmatch(r"SM[0-9a-f]{32}", sid):
        raise Refused("The text has no id of its own: SM and 32 digits from 0 to f. Reload the page and send it again.")
    if not 0 < len(body) <= MAX_BODY_CHARS:
        raise Refused(f"A text has 1 to {MAX_BODY_CHARS:,} characters; this one has {len(body):,}.")
    return IncomingText(sid=sid, sender=number, recipient="keepsake", body=body, carrier="phone")


def _page(number: str, *, problem: str | None = None, draft: str = "") -> str:
    sections = _see(number)
    return render_template(
        "phone.html",
        number=number,
        seen=sections,
        lists=lists(sections),
        problem=problem,
        draft=draft,
        sid=f"SM{uuid4().hex}",
        suggestions=[(f"SM{uuid4().hex}", words) for words in SUGGESTIONS],
        max_chars=MAX_BODY_CHARS,
    )


def _see(number: str) -> Sections:
    services = auth.services()
    with services.reading() as db:
        return view.view_of(db, number, services.clock.now(), with_everyone=not services.settings.has_twilio)


make_live(bp, "", "", lambda: _see(_number_asked()), lambda: may_read(auth.services(), auth.session_token()), AT_ONCE)
