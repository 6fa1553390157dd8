"""Log in, with a second factor where there is one, and out."""

from flask import make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from app import operators
from app.errors import Refused
from app.operators import FIRST_NAME, Asked, Opened, StepLeft
from app.web import auth
from app.web.admin.blueprint import bp, done
from app.web.auth import support_too


@bp.get("/login")
def login() -> Response:
    if auth.form_token():
        return redirect(url_for("admin.home"))
    return _form()


@bp.post("/login")
def check_login() -> Response:
    name = request.form.get("name", "").strip()
    try:
        result = operators.log_in(auth.services(), name, request.form.get("password", ""), auth.browser_token())
    except Refused as error:
        return _form(name, str(error), 429)
    if result is None:
        return _form(name, "The name or the password is not right.", 403)
    return _step_form(result.token) if isinstance(result, StepLeft) else _logged_in(result)


@bp.post("/login/step")
def check_step() -> Response:
    services, step = auth.services(), request.form.get("step", "")
    credential = request.form.get("credential", "")
    try:
        if credential:
            keys = operators.needed_passkeys(services)
            return _logged_in(keys.log_in(services, step, credential, request.host_url, auth.browser_token()))
        result = operators.check_code(services, step, request.form.get("code", ""), auth.browser_token())
    except Refused as error:
        return _step_form(step, str(error), 403 if credential else 429)
    if result is None:
        return _step_form(step, "That code is not right, or was used before. The app shows the next one soon.", 403)
    return _logged_in(result)


@bp.post("/login/passkey")
def begin_passkey_login() -> Response:
    services = auth.services()
    return _step_page(operators.needed_passkeys(services).begin_login(services, request.host_url))


@bp.post("/logout")
@support_too
def logout() -> Response:
    _end_session_of_before()
    response = done("You are logged out.", "admin.login")
    auth.drop_session(response)
    return response


def _logged_in(login: Opened) -> Response:
    _end_session_of_before()
    response = redirect(_wanted_page(), 303)
    auth.keep_login(response, login)
    return response


def _form(name: str = FIRST_NAME, problem: str = "", status: int = 200) -> Response:
    services = auth.services()
    keys = operators.passkeys(services)
    has_passkeys = keys is not None and keys.why_none(services, request.host_url) is None
    return _with_token("admin/login.html", status, name=name, problem=problem, has_passkeys=has_passkeys)


def _step_form(step: str, problem: str = "", status: int = 200) -> Response:
    try:
        asked = operators.ask_again(auth.services(), step, request.host_url)
    except Refused as error:  # Begun too long ago, done, or ended from elsewhere.
        return _form(problem=str(error), status=403)
    return _step_page(asked, problem, status)


def _step_page(asked: Asked, problem: str = "", status: int = 200) -> Response:
    return _with_token("admin/login_step.html", status, asked=asked, problem=problem)


def _with_token(template: str, status: int, **values: object) -> Response:
    token = auth.login_token()
    page = render_template(template, wanted=request.values.get("next", ""), csrf_token=token, **values)
    response = make_response(page, status)
    auth.keep_login_token(response, token)
    return response


def _end_session_of_before() -> None:
    if token := auth.session_token():
        operators.log_out(auth.services(), token)


def _wanted_page() -> str:
    # Only our own pages: an address from outside could otherwise send a fresh login to a page that looks like ours.
    return auth.own_page(request.form.get("next", "")) or url_for("admin.home")
