"""Log in and out."""

from flask import make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from app import operators
from app.errors import Refused
from app.operators import FIRST_NAME
from app.web import auth
from app.web.admin.blueprint import bp, done


@bp.get("/login")
def login() -> Response:
    if auth.form_token():
        return redirect(url_for("admin.home"))
    return _form()


@bp.post("/login")
def check_login() -> Response:
    name = request.form.get("name", "").strip()
    try:
        token = operators.log_in(auth.services(), name, request.form.get("password", ""))
    except Refused as error:
        return _form(name, str(error), 429)
    if token is None:
        return _form(name, "The name or the password is not right.", 403)
    _end_session_of_before()
    response = redirect(_wanted_page(), 303)
    auth.keep_session(response, token)
    return response


@bp.post("/logout")
def logout() -> Response:
    _end_session_of_before()
    response = done("You are logged out.", "admin.login")
    auth.drop_session(response)
    return response


def _form(name: str = FIRST_NAME, problem: str = "", status: int = 200) -> Response:
    token = auth.login_token()
    page = render_template(
        "admin/login.html", name=name, problem=problem, wanted=request.values.get("next", ""), csrf_token=token
    )
    response = make_response(page, status)
    auth.keep_login_token(response, token)
    return response


def _end_session_of_before() -> None:
    if token := auth.session_token():
        operators.log_out(auth.services(), token)


def _wanted_page() -> str:
    # Only our own pages: an address from outside could otherwise send a fresh login to a page that looks like ours.
    wanted = request.form.get("next", "")
    return request.script_root + wanted if wanted.startswith("/admin/") else url_for("admin.home")
