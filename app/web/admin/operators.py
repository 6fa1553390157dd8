"""The pages of operators, for owners: list, add, set roles, reset logins and remove."""

from typing import Any

from flask import request
from sqlalchemy import Row
from werkzeug.wrappers import Response

from app import operators as verbs
from app.errors import Conflict, KeepsakeError, NotFound, Refused
from app.operators import ROLES
from app.web import auth
from app.web.admin.blueprint import action, bp, page
from app.web.auth import owners_only

BELOW = "admin.settings"


@bp.get("/operators")
@owners_only
def operators(problem: KeepsakeError | None = None) -> Response:
    form = request.form
    written = {"name": form.get("name", ""), "role": form.get("role", "support")}
    return page("operators", problem, listed=verbs.everyone(auth.services()), roles=ROLES, **written)


@bp.get("/operators/<int:operator_id>")
@owners_only
def one_operator(operator_id: int, problem: KeepsakeError | None = None) -> Response:
    one, everyone = _found(operator_id), verbs.everyone(auth.services())
    is_only_owner = one.role == "owner" and sum(each.role == "owner" for each in everyone) == 1
    is_me = operator_id == auth.operator().operator_id
    return page("operator", problem, one=one, is_only_owner=is_only_owner, is_me=is_me, roles=ROLES)


def _found(operator_id: int) -> Row[*tuple[Any, ...]]:
    for one in verbs.everyone(auth.services()):
        if one.id == operator_id:
            return one
    raise NotFound(f"There is no operator with id {operator_id}.")


def _shown_once(title: str, name: str, password: str) -> Response:
    # Shown in this response, since a redirect would leave the password in a cookie, or unhashed in the database.
    return page("one_time_password", title=title, name=name, password=password)


@action("/operators", "admin.operators", told=(Refused, Conflict), retry=operators)
def add_operator() -> Response:
    auth.check_password()
    written, role = request.form.get("name", ""), request.form.get("role", "")
    password = verbs.add(auth.services(), written, role, by=auth.operator().name)
    name = written.strip().lower()
    return _shown_once(f"{name} can log in", name, password)


@action("/operators/<int:operator_id>/role", "admin.operators", told=Refused, retry=one_operator)
def set_role(operator_id: int) -> str:
    role = request.form.get("role", "")
    auth.check_password()
    verbs.set_role(auth.services(), operator_id, role)
    return f"That operator is {role} now, and logs in again."


@action("/operators/<int:operator_id>/reset", "admin.operators", told=Refused, retry=one_operator)
def reset_operator(operator_id: int) -> Response:
    if operator_id == auth.operator().operator_id:
        raise Refused("That is you. Change your password and second factors under Security.")
    auth.check_password()
    password = verbs.reset(auth.services(), operator_id)
    return _shown_once("The login is reset", _found(operator_id).name, password)


@action("/operators/<int:operator_id>/remove", "admin.operators", told=Refused, retry=one_operator)
def remove_operator(operator_id: int) -> str:
    auth.check_password()
    verbs.remove(auth.services(), operator_id)
    return "Removed: they are logged out, and cannot log in any more."
