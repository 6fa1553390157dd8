"""The blueprint of the operator's pages: who may see them, what each answer carries, how errors look."""

import logging
from http import HTTPStatus
from typing import Any

from flask import Blueprint, current_app, flash, g, make_response, redirect, render_template, request, url_for
from flask import Response as FlaskResponse
from flask.blueprints import BlueprintSetupState
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response

from app.errors import KeepsakeError, NotFound
from app.operators.reveals import USUAL_REASONS
from app.web import auth
from app.web.admin import auditing, shown, undoing
from app.web.admin.navigation import here, places
from app.web.every_request import secure_headers

MAX_ID = 2**31 - 1  # Far beyond any row we keep, and within what SQLite can compare.

logger = logging.getLogger(__name__)

bp = Blueprint("admin", __name__, url_prefix="/admin")
bp.before_request(auth.guard)
bp.before_request(auditing.note_what_is_asked)
bp.before_request(auth.check_role)
bp.after_request(secure_headers)
bp.after_request(auditing.note_what_became_of_it)
shown.add_filters(bp)


@bp.record_once
def _guard_notices(state: BlueprintSetupState) -> None:
    # The sentence shown after an action travels in Flask's own signed cookie, which is otherwise not used.
    is_https = state.app.extensions["services"].settings.address.lower().startswith("https://")
    state.app.config.update(
        SESSION_COOKIE_NAME="__Host-keepsake_notice" if is_https else "keepsake_notice",
        SESSION_COOKIE_PATH="/",
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=is_https,
    )


@bp.url_value_preprocessor
def _ids_are_possible(_endpoint: str | None, values: dict[str, Any] | None) -> None:
    for value in (values or {}).values():
        if isinstance(value, int) and value > MAX_ID:
            raise NotFound(f"There is nothing with the id {value}.")


@bp.context_processor
def _for_every_page() -> dict[str, Any]:
    def may(endpoint: str, method: str = "GET") -> bool:
        """Whether there is such a page or action here, and whoever is logged in may have it."""
        return endpoint in current_app.view_functions and auth.may(auth.operator(), endpoint, method)

    return {
        "operator": g.get("operator"),
        "csrf_token": auth.form_token(),
        "places": places,
        "here": here,
        "usual_reasons": USUAL_REASONS,
        "may": may,
        "url_if": url_if,
    }


def url_if(endpoint: str, **values: Any) -> str:
    """The page's address; nothing where this installation has no such page."""
    return url_for(endpoint, **values) if endpoint in current_app.view_functions else ""


@bp.errorhandler(KeepsakeError)
def _explain(error: KeepsakeError) -> tuple[str, int]:
    if error.is_fault:
        logger.exception("An admin page failed")
    auditing.not_done(error.code)
    return _error_page(str(error), error.http_status)


@bp.errorhandler(HTTPException)
def _explain_http(error: HTTPException) -> tuple[str, int]:
    return _error_page(error.description or error.name, error.code or HTTPStatus.INTERNAL_SERVER_ERROR)


@bp.errorhandler(Exception)
def _explain_fault(_: Exception) -> tuple[str, int]:
    logger.exception("An admin page failed")
    return _error_page("Something went wrong here; it has been logged.", HTTPStatus.INTERNAL_SERVER_ERROR)


def _error_page(sentence: str, status: int) -> tuple[str, int]:
    # Where no route was found Flask asks no blueprint what its pages have.
    own = _for_every_page()
    page = render_template("admin/error.html", sentence=sentence, status=status, came_from=auth.came_from(), **own)
    return page, status


def unknown_page(status: int) -> FlaskResponse:
    """What stands at an address that no page has. As at every other address, whoever is not logged in is sent there."""
    answer = make_response(auth.guard() or _error_page("Nothing is shown at this address.", status))
    return secure_headers(answer)


def asked_id(name: str) -> int | None:
    """The row id in the page's address under this name, or None when there is none that could be one."""
    value = request.args.get(name, type=int)
    return value if value is not None and 0 <= value <= MAX_ID else None


def done(sentence: str, endpoint: str, **values: Any) -> Response:
    """Back to a page after an action, with a sentence that says what was done; a reload repeats nothing.

    Where it made one change of somebody's memory, an undo of that change stands beside the sentence.

    The sentence names facts by number: it travels in a cookie, which is no place for a person's words.
    """
    change = undoing.made()
    flash(sentence, f"undo {change.person_id} {change.id}" if change else "done")
    return back_or(endpoint, **values)


def not_done(error: KeepsakeError, endpoint: str, **values: Any) -> Response:
    """Back to a page with the sentence of why nothing was done; the log has the error's code."""
    auditing.not_done(error.code)
    flash(str(error), "problem")
    return back_or(endpoint, **values)


def back_or(endpoint: str, **values: Any) -> Response:
    """To the page of ours on which the form stood, where the form names it as `back`; else to this one."""
    return redirect(auth.own_page(request.form.get("back", "")) or url_for(endpoint, **values), 303)
