"""An operator's own login: the password, second factors, and where they are logged in."""

import segno
from flask import make_response, render_template, request
from werkzeug.wrappers import Response

from app import operators
from app.errors import NotFound, Refused
from app.operators import Asked
from app.web import auth
from app.web.admin.blueprint import bp, done, not_done
from app.web.admin.shown import as_count
from app.web.auth import support_too

BELOW = "admin.settings"


@bp.get("/security")
def security() -> Response:
    return _page()


@bp.get("/security/app")
def authenticator_app() -> Response:
    return _app_page(operators.new_secret())


@bp.post("/security/app")
@support_too
def turn_on_app() -> Response:
    services, me = auth.services(), auth.operator()
    given = request.form.get("secret", "")
    secret = given if operators.is_secret(given) else operators.new_secret()
    try:
        auth.check_password()
        codes = operators.turn_on_app(
            services, me.operator_id, secret, request.form.get("code", ""), auth.session_token() or ""
        )
    except Refused as error:
        return _app_page(secret, str(error))
    return _turned_on("The authenticator app is on: the next login asks for its code.", codes)


@bp.post("/security/app/off")
@support_too
def turn_off_app() -> Response:
    try:
        auth.check_password()
    except Refused as error:
        return _page("app", str(error))
    operators.turn_off_app(auth.services(), auth.operator().operator_id, auth.session_token() or "")
    return done("The authenticator app is off, and every other session has ended.", "admin.security")


@bp.post("/security/passkeys")
@support_too
def begin_passkey() -> Response:
    services = auth.services()
    try:
        auth.check_password()
        keys = operators.needed_passkeys(services)
        asked = keys.begin(services, auth.operator().operator_id, request.host_url)
    except Refused as error:
        return _page("passkeys", str(error))
    return _passkey_page(asked, request.form.get("name", ""))


@bp.post("/security/passkeys/keep")
@support_too
def keep_passkey() -> Response:
    services = auth.services()
    try:
        codes = operators.needed_passkeys(services).keep(
            services,
            auth.operator().operator_id,
            request.form.get("step", ""),
            request.form.get("name", ""),
            request.form.get("credential", ""),
            request.host_url,
            auth.session_token() or "",
        )
    except Refused as error:
        return _page("passkeys", str(error))
    return _turned_on("The passkey is kept: the next login can ask for it.", codes)


@bp.post("/security/passkeys/<int:passkey_id>/remove")
@support_too
def remove_passkey(passkey_id: int) -> Response:
    services, me = auth.services(), auth.operator()
    try:
        auth.check_password()
        keys = operators.needed_passkeys(services)
        keys.remove(services, me.operator_id, passkey_id, auth.session_token() or "")
    except (Refused, NotFound) as error:
        return _page("passkeys", str(error))
    return done("The passkey is removed, and every other session has ended.", "admin.security")


@bp.post("/security/recovery-codes")
@support_too
def recovery_codes() -> Response:
    try:
        auth.check_password()
        codes = operators.new_recovery_codes(auth.services(), auth.operator().operator_id, auth.session_token() or "")
    except Refused as error:
        return _page("codes", str(error))
    return _turned_on("The recovery codes of before are of no use any more.", codes)


@bp.post("/security/sessions/end")
@support_too
def end_session() -> Response:
    try:
        operators.end_session(auth.services(), auth.operator().operator_id, request.form.get("session", ""))
    except NotFound as error:
        return not_done(error, "admin.security")
    return done("That session has ended.", "admin.security")


@bp.post("/security/sessions/end-others")
@support_too
def end_other_sessions() -> Response:
    ended = operators.end_other_sessions(auth.services(), auth.operator().operator_id, auth.session_token() or "")
    return done(f"{as_count(ended, 'session')} ended. You are logged in here alone.", "admin.security")


def _page(where: str = "", problem: str = "") -> Response:
    services, me = auth.services(), auth.operator()
    keys = operators.passkeys(services)
    page = render_template(
        "admin/security.html",
        factors=operators.factors_of(services, me.operator_id),
        sessions=operators.open_sessions(services, me.operator_id, auth.session_token() or ""),
        takes_passkeys=keys is not None,
        no_site=keys.why_none(services, request.host_url) if keys else None,
        where=where,
        problem=problem,
        now=services.clock.now(),
    )
    return make_response(page, 403 if problem else 200)


def _app_page(secret: str, problem: str = "") -> Response:
    address = operators.app_address(secret, auth.operator().name)
    page = render_template(
        "admin/authenticator_app.html",
        secret=secret,
        address=address,
        picture=segno.make(address, error="m").svg_data_uri(scale=4, border=4, light="#fff"),
        problem=problem,
    )
    return make_response(page, 403 if problem else 200)


def _passkey_page(asked: Asked, name: str) -> Response:
    return make_response(render_template("admin/new_passkey.html", asked=asked, name=name))


def _turned_on(sentence: str, codes: list[str] | None) -> Response:
    if codes is None:
        return done(f"{sentence} Every other session has ended.", "admin.security")
    # Shown with the answer itself: what travels to another page would lie in a cookie, or in the database as it is.
    return make_response(render_template("admin/recovery_codes.html", sentence=sentence, codes=codes))
