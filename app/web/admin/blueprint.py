"""The blueprint of the operator's pages: access, the navigation bar, forms and error pages.

A page in the bar has a `PLACE` in its module; a page below such a page names that page's endpoint as `BELOW`. All
others are about one person.
"""

import logging
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from http import HTTPStatus
from secrets import token_hex
from types import ModuleType
from typing import Any

from flask import Blueprint, current_app, flash, g, make_response, redirect, render_template, request, url_for
from flask import Response as FlaskResponse
from sqlalchemy.orm import Session
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response

from app import people
from app.errors import KeepsakeError, NotFound, Refused
from app.memory import Origin, changes
from app.models import Change, Person
from app.operators.reveals import USUAL_REASONS
from app.web import auth, streams
from app.web.admin import auditing, shown
from app.web.every_request import secure_headers

MAX_ID = 2**31 - 1  # Far beyond any row's id, and within the integers that databases can compare.

logger = logging.getLogger(__name__)

bp = Blueprint("admin", __name__, url_prefix="/admin")
bp.before_request(auth.guard)
bp.before_request(auditing.note_request)
bp.before_request(auth.check_role)
bp.after_request(secure_headers)
bp.after_request(auditing.note_failure)
shown.add_filters(bp)


@bp.url_value_preprocessor
def _values_are_possible(_endpoint: str | None, values: dict[str, Any] | None) -> None:
    if any("\0" in written for written in request.values.values()):
        raise Refused("It holds a character that can be neither kept nor searched for. Leave it out, and try again.")
    for value in (values or {}).values():
        if isinstance(value, int) and value > MAX_ID:
            raise NotFound(f"There is nothing with the id {value}.")


@dataclass(frozen=True)
class Place:
    """One entry of the navigation bar."""

    label: str
    endpoint: str
    order: int  # From left to right.


def places() -> list[Place]:
    """Entries of the bar that this installation has, from left to right."""
    modules = {_module_of(endpoint) for endpoint in current_app.view_functions if endpoint.startswith("admin.")}
    found = (getattr(module, "PLACE", None) for module in modules)
    return sorted((place for place in found if place is not None), key=lambda place: place.order)


def here() -> str:
    """Endpoint of the bar's entry to which the current page belongs; empty if there is no page."""
    if not request.endpoint:
        return ""
    module = _module_of(request.endpoint)
    place = getattr(module, "PLACE", None)
    return place.endpoint if place is not None else getattr(module, "BELOW", "admin.people")


def _module_of(endpoint: str) -> ModuleType | None:
    view = current_app.view_functions.get(endpoint)
    return sys.modules.get(view.__module__) if view is not None else None


@bp.context_processor
def _for_every_page() -> dict[str, Any]:
    return {
        "operator": g.get("operator"),
        "csrf_token": auth.form_token(),
        "now": auth.services().clock.now(),
        "places": places,
        "here": here,
        "usual_reasons": USUAL_REASONS,
        "may": lambda endpoint, method="GET": auth.may(auth.operator(), endpoint, method),
    }


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
    # If no route matches, Flask runs no blueprint's context processors.
    return render_template("admin/error.html", sentence=sentence, status=status, **_for_every_page()), status


def unknown_page(status: int) -> FlaskResponse:
    """The response at a URL without a page; as everywhere, visitors without a session are sent to the login."""
    answer = make_response(auth.guard() or _error_page("Nothing is shown at this address.", status))
    return secure_headers(answer)


def page(template: str, problem: KeepsakeError | None = None, /, **values: Any) -> Response:
    """The page from this template; with a `problem`, it answers a form that was refused, with an error status."""
    written = render_template(f"admin/{template}.html", problem=str(problem or ""), **values)
    return make_response(written, problem.http_status if problem is not None else HTTPStatus.OK)


def make_live(rule: str, prefix: str, see: Callable[..., streams.Sections]) -> None:
    """Make the page live. Nobody waits for it, so a snapshot a second is enough on a busy server."""
    streams.make_live(bp, rule, prefix, see, auth.may_still_see, streams.AT_LEISURE)


def asked_id(name: str) -> int | None:
    """The row id in the page's URL or form under this name; None if there is no possible id."""
    value = request.values.get(name, type=int)
    return value if value is not None and 0 <= value <= MAX_ID else None


def asked_person(db: Session) -> Person | None:
    """The person to whom the page's URL limits it; None for everybody."""
    person_id = asked_id("person")
    return None if person_id is None else people.by_id(db, person_id)


def action(
    rule: str,
    back: str,
    *,
    told: type[KeepsakeError] | tuple[type[KeepsakeError], ...] = (),
    retry: Callable[..., Response] | None = None,
) -> Callable[[Callable[..., Any]], Callable[..., Response]]:
    """Declare a form's action: the function carries it out and returns a sentence that reports it.

    The sentence is shown on the page `back`. An error of the kinds in `told` is shown there too, or on the page that
    `retry` makes of the URL's values and the `problem`; any other error gets an error page. A function that leads
    elsewhere returns its own response.
    """

    def declared(view: Callable[..., Any]) -> Callable[..., Response]:
        @wraps(view)
        def answered(**values: Any) -> Response:
            try:
                said = view(**values)
            except told as error:
                return retry(**values, problem=error) if retry else not_done(error, back)
            return done(said, back) if isinstance(said, str) else said

        bp.post(rule)(answered)
        return answered

    return declared


def done(sentence: str, endpoint: str, **values: Any) -> Response:
    """Redirect to a page after an action, with a sentence that reports it; a reload repeats nothing.

    If the action made exactly one change to somebody's memory, an undo of it is offered beside the sentence.

    The sentence names facts by number: it travels in a cookie, which is no place for a person's words.
    """
    change = made_change()
    flash(sentence, f"undo {change.person_id} {change.id}" if change else "done")
    return back_or(endpoint, **values)


def not_done(error: KeepsakeError, endpoint: str, **values: Any) -> Response:
    """Redirect to a page with the reason why nothing was done; the log gets the error's code."""
    auditing.not_done(error.code)
    flash(str(error), "problem")
    return back_or(endpoint, **values)


def back_or(endpoint: str, **values: Any) -> Response:
    """Redirect to our page that the form names as `back`, else to this endpoint.

    Values that the form's URL already holds (the person, the fact) need not be given.
    """
    expects = current_app.url_map.is_endpoint_expecting
    shared = {name: value for name, value in (request.view_args or {}).items() if expects(endpoint, name)}
    return redirect(auth.own_page(request.form.get("back", "")) or url_for(endpoint, **{**shared, **values}), 303)


def by_operator(person_id: int) -> Origin:
    """The current operator as the origin of one change to this person's memory."""
    with auth.services().reading() as db:
        people.by_id(db, person_id)  # A database that was restored may not have them.
    call = f"page:{token_hex(8)}:{person_id}"
    g.calls = [*g.get("calls", []), call]
    return Origin(actor="operator", source="operator", call=call, seen=asked_id("version"))


def made_change() -> Change | None:
    """The change that this request made; None if it made none or several."""
    with auth.services().reading() as db:
        found = [change for call in g.get("calls", ()) if (change := changes.made_by(db, call)) is not None]
    return found[0] if len(found) == 1 else None
