"""Change the password: the first thing after a one-time password, and whenever the operator likes."""

from flask import make_response, render_template, request
from werkzeug.wrappers import Response

from app import operators
from app.errors import Refused
from app.settings.values import MIN_PASSWORD_CHARS
from app.web import auth
from app.web.admin.blueprint import bp, done
from app.web.auth import support_too

BELOW = "admin.settings"


@bp.get("/password")
def password() -> Response:
    return _form()


@bp.post("/password")
@support_too
def change_password() -> Response:
    new = request.form.get("new", "")
    if new != request.form.get("again", ""):
        return _form("The two new passwords are not the same. Type the new one twice.")
    try:
        token = operators.change_password(
            auth.services(), auth.operator().operator_id, request.form.get("current", ""), new
        )
    except Refused as error:
        return _form(str(error))
    response = done("The password is changed, and every other session has ended.", "admin.home")
    auth.keep_session(response, token)
    return response


def _form(problem: str = "") -> Response:
    page = render_template("admin/password.html", problem=problem, min_chars=MIN_PASSWORD_CHARS)
    return make_response(page, 403 if problem else 200)
