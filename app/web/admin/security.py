"""An operator's own login: the password, second factors, and open sessions."""

import segno
from flask import request
from werkzeug.wrappers import Response

from app.errors import KeepsakeError, NotFound, Refused
from app.operators import factors, login, sessions
from app.settings.validators import MIN_PASSWORD_CHARS
from app.web import auth
from app.web.admin.blueprint import action, bp, done, page
from app.web.admin.shown import as_count
from app.web.auth import support_too

BELOW = "admin.settings"


@bp.get("/security")
def security(problem: KeepsakeError | None = None, **_: int) -> Response:
    services, me = auth.services(), auth.operator()
    keys = login.passkeys(services)
    return page(
        "security",
        problem,
        factors=factors.factors_of(services, me.operator_id),
        sessions=sessions.open_sessions(services, me.operator_id, _session()),
        takes_passkeys=keys is not None,
        no_site=keys.why_unavailable(services, request.host_url) if keys else None,
    )


@bp.get("/security/app")
def authenticator_app(problem: KeepsakeError | None = None) -> Response:
    secret = _secret()
    address = factors.app_address(secret, auth.operator().name)
    picture = segno.make(address, error="m").svg_data_uri(scale=4, border=4, light="#fff")
    return page("authenticator_app", problem, secret=secret, address=address, picture=picture)


@bp.get("/password")
def password(problem: KeepsakeError | None = None) -> Response:
    """The form for a new password, and the first page after a one-time password."""
    return page("password", problem, min_chars=MIN_PASSWORD_CHARS)


def _session() -> str:
    return auth.session_token() or ""


def _secret() -> str:
    """The secret in the form, or a new one."""
    given = request.form.get("secret", "")
    return given if factors.is_secret(given) else factors.new_secret()


@action("/password", "admin.home", told=Refused, retry=password)
@support_too
def change_password() -> Response:
    form, me = request.form, auth.operator()
    new = form.get("new", "")
    if new != form.get("again", ""):
        raise Refused("The two new passwords are not the same. Type the new one twice.")
    token = login.change_password(auth.services(), me.operator_id, form.get("current", ""), new, auth.browser_token())
    response = done("The password is changed, and every other session has ended.", "admin.home")
    auth.set_cookie(response, auth.SESSION, token)
    return response


@action("/security/app", "admin.security", told=Refused, retry=authenticator_app)
@support_too
def turn_on_app() -> str | Response:
    auth.check_password()
    code, operator_id = request.form.get("code", ""), auth.operator().operator_id
    codes = factors.turn_on_app(auth.services(), operator_id, _secret(), code, _session())
    return _turned_on("The authenticator app is on: the next login asks for its code.", codes)


@action("/security/app/off", "admin.security", told=Refused, retry=security)
@support_too
def turn_off_app() -> str:
    auth.check_password()
    factors.turn_off_app(auth.services(), auth.operator().operator_id, _session())
    return "The authenticator app is off, and every other session has ended."


@action("/security/passkeys", "admin.security", told=Refused, retry=security)
@support_too
def begin_passkey() -> Response:
    auth.check_password()
    services = auth.services()
    asked = login.needed_passkeys(services).begin(services, auth.operator().operator_id, request.host_url)
    return page("new_passkey", asked=asked, name=request.form.get("name", ""))


@action("/security/passkeys/keep", "admin.security", told=Refused, retry=security)
@support_too
def keep_passkey() -> str | Response:
    services, operator_id = auth.services(), auth.operator().operator_id
    step, name, credential = (request.form.get(field, "") for field in ("step", "name", "credential"))
    keys = login.needed_passkeys(services)
    codes = keys.keep(services, operator_id, step, name, credential, request.host_url, _session())
    return _turned_on("The passkey is kept: the next login can ask for it.", codes)


@action("/security/passkeys/<int:passkey_id>/remove", "admin.security", told=(Refused, NotFound), retry=security)
@support_too
def remove_passkey(passkey_id: int) -> str:
    auth.check_password()
    services = auth.services()
    login.needed_passkeys(services).remove(services, auth.operator().operator_id, passkey_id, _session())
    return "The passkey is removed, and every other session has ended."


@action("/security/recovery-codes", "admin.security", told=Refused, retry=security)
@support_too
def recovery_codes() -> str | Response:
    auth.check_password()
    codes = factors.new_recovery_codes(auth.services(), auth.operator().operator_id, _session())
    return _turned_on("The recovery codes of before are of no use any more.", codes)


def _turned_on(sentence: str, codes: list[str] | None) -> str | Response:
    if codes is None:
        return f"{sentence} Every other session has ended."
    # Shown in this response, since a redirect would leave the codes in a cookie, or unhashed in the database.
    return page("recovery_codes", sentence=sentence, codes=codes)


@action("/security/sessions/end", "admin.security", told=NotFound)
@support_too
def end_session() -> str:
    sessions.end_session(auth.services(), auth.operator().operator_id, request.form.get("session", ""))
    return "That session has ended."


@action("/security/sessions/end-others", "admin.security")
@support_too
def end_other_sessions() -> str:
    ended = sessions.end_other_sessions(auth.services(), auth.operator().operator_id, _session())
    return f"{as_count(ended, 'session')} ended. You are logged in here alone."
