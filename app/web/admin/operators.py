"""The page of those who log in, for owners: listed, added, given roles, let back in, removed."""

from flask import make_response, render_template, request
from werkzeug.wrappers import Response

from app import operators as verbs
from app.errors import Conflict, NotFound, Refused
from app.operators import ROLES, Listed
from app.web import auth
from app.web.admin.blueprint import bp, done
from app.web.auth import owners_only

BELOW = "admin.settings"


@bp.get("/operators")
@owners_only
def operators() -> Response:
    return _list()


@bp.post("/operators")
def add_operator() -> Response:
    name, role = request.form.get("name", ""), request.form.get("role", "")
    try:
        auth.check_password()
        password = verbs.add(auth.services(), name, role, by=auth.operator().name)
    except (Refused, Conflict) as error:
        return _list(name, role, str(error), error.http_status)
    return _shown_once(f"{name.strip().lower()} can log in", name.strip().lower(), password)


@bp.get("/operators/<int:operator_id>")
@owners_only
def one_operator(operator_id: int) -> Response:
    return _one(operator_id)


@bp.post("/operators/<int:operator_id>/role")
def set_role(operator_id: int) -> Response:
    role = request.form.get("role", "")
    try:
        auth.check_password()
        verbs.set_role(auth.services(), operator_id, role)
    except Refused as error:
        return _one(operator_id, "role", str(error))
    return done(f"That operator is {role} now, and logs in again.", "admin.operators")


@bp.post("/operators/<int:operator_id>/reset")
def reset_operator(operator_id: int) -> Response:
    if operator_id == auth.operator().operator_id:
        return _one(operator_id, "role", "That is you. Change your password and second factors under Security.")
    try:
        auth.check_password()
        password = verbs.reset(auth.services(), operator_id)
    except Refused as error:
        return _one(operator_id, "reset", str(error))
    return _shown_once("The login is reset", _found(operator_id).name, password)


@bp.post("/operators/<int:operator_id>/remove")
def remove_operator(operator_id: int) -> Response:
    try:
        auth.check_password()
        verbs.remove(auth.services(), operator_id)
    except Refused as error:
        return _one(operator_id, "remove", str(error))
    return done("Removed: they are logged out, and cannot log in any more.", "admin.operators")


def _list(name: str = "", role: str = "support", problem: str = "", status: int = 200) -> Response:
    services = auth.services()
    page = render_template(
        "admin/operators.html",
        listed=verbs.everyone(services),
        name=name,
        role=role,
        roles=ROLES,
        problem=problem,
        now=services.clock.now(),
    )
    return make_response(page, status)


def _one(operator_id: int, where: str = "", problem: str = "") -> Response:
    services = auth.services()
    one = _found(operator_id)
    page = render_template(
        "admin/operator.html",
        one=one,
        is_only_owner=one.role == "owner" and sum(each.role == "owner" for each in verbs.everyone(services)) == 1,
        is_me=operator_id == auth.operator().operator_id,
        roles=ROLES,
        where=where,
        problem=problem,
        now=services.clock.now(),
    )
    return make_response(page, 403 if problem else 200)


def _found(operator_id: int) -> Listed:
    for one in verbs.everyone(auth.services()):
        if one.id == operator_id:
            return one
    raise NotFound(f"There is no operator with id {operator_id}.")


def _shown_once(title: str, name: str, password: str) -> Response:
    # Shown with the answer itself: what travels to another page would lie in a cookie, or in the database as it is.
    return make_response(render_template("admin/one_time_password.html", title=title, name=name, password=password))
