"""Pages to log in, with a second factor if the operator has one, and to log out."""

from flask import make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from app.errors import Refused
from app.operators import FIRST_NAME, sessions
from app.operators.login import check_code, log_in, needed_passkeys, passkeys, pending_factors
from app.services.feature import CompletedLogin, DeviceRequest
from app.web import auth
from app.web.admin.blueprint import bp, done
from app.web.auth import support_too


@bp.get("/login")
def login() -> Response:
    return redirect(url_for("admin.home")) if auth.form_token() else _form()


@bp.post("/login")
def check_login() -> Response:
    name = request.form.get("name", "").strip()
    try:
        result = log_in(auth.services(), name, request.form.get("password", ""), auth.browser_token())
    except Refused as error:
        return _form(name, str(error), 429)
    if result is None:
        return _form(name, "The name or the password is not right.", 403)
    return _step_form(result) if isinstance(result, str) else _logged_in(result)


@bp.post("/login/step")
def check_step() -> Response:
    services, browser = auth.services(), auth.browser_token()
    step, credential, code = (request.form.get(field, "") for field in ("step", "credential", "code"))
    try:
        if credential:
            keys = needed_passkeys(services)
            return _logged_in(keys.log_in(services, step, credential, request.host_url, browser))
        result = check_code(services, step, code, browser)
    except Refused as error:
        return _step_form(step, str(error), 403 if credential else 429)
    if result is None:
        return _step_form(step, "That code is not right, or was used before. The app shows the next one soon.", 403)
    return _logged_in(result)


@bp.post("/login/passkey")
def begin_passkey_login() -> Response:
    services = auth.services()
    return _step_page(needed_passkeys(services).begin_login(services, request.host_url))


@bp.post("/logout")
@support_too
def logout() -> Response:
    _end_previous_session()
    response = done("You are logged out.", "admin.login")
    auth.drop_session(response)
    return response


def _logged_in(login: CompletedLogin) -> Response:
    _end_previous_session()
    # Only to our own pages: an outside URL could send a fresh login to a page that looks like ours.
    response = redirect(auth.own_page(request.form.get("next", "")) or url_for("admin.home"), 303)
    auth.set_cookie(response, auth.SESSION, login.session)
    auth.set_cookie(response, auth.BROWSER, login.browser, auth.BROWSER_SECONDS)
    return response


def _end_previous_session() -> None:
    if token := auth.session_token():
        sessions.log_out(auth.services(), token)


def _form(name: str = FIRST_NAME, problem: str = "", status: int = 200) -> Response:
    services = auth.services()
    keys = passkeys(services)
    has_passkeys = keys is not None and keys.why_unavailable(services, request.host_url) is None
    return _with_token("login", status, name=name, problem=problem, has_passkeys=has_passkeys)


def _step_form(step: str, problem: str = "", status: int = 200) -> Response:
    try:
        asked = pending_factors(auth.services(), step, request.host_url)
    except Refused as error:  # The step is too old, done, or was ended elsewhere.
        return _form(problem=str(error), status=403)
    return _step_page(asked, problem, status)


def _step_page(asked: DeviceRequest, problem: str = "", status: int = 200) -> Response:
    return _with_token("login_step", status, asked=asked, problem=problem)


def _with_token(template: str, status: int, **values: object) -> Response:
    token, wanted = auth.login_token(), request.values.get("next", "")
    response = make_response(
        render_template(f"admin/{template}.html", wanted=wanted, csrf_token=token, **values), status
    )
    auth.set_cookie(response, auth.LOGIN, token)
    return response
