"""Access to the admin pages: the session cookie, the proof that a form came from our own pages, and the roles.

An owner may do everything. Support may see every page except those marked `@owners_only`, and do only actions marked
`@support_too`, so a new action belongs to owners until somebody decides otherwise.
"""

import hmac
import secrets
from collections.abc import Callable
from typing import Any, TypeVar, cast
from urllib.parse import urlsplit

from flask import current_app, g, redirect, request, url_for
from werkzeug.wrappers import Response

from app import operators
from app.errors import Refused
from app.operators import login, sessions
from app.operators.sessions import LoggedIn
from app.services import Services

READING = frozenset({"GET", "HEAD", "OPTIONS"})

SESSION = "keepsake_session"
LOGIN = "keepsake_login"
"""The cookie that a login form must match, since no session exists yet to hold its token."""
BROWSER = "keepsake_browser"
"""The cookie of a known browser; it grants no access, and outlives the session."""
BROWSER_SECONDS = 180 * 86400

OPEN_ENDPOINTS = frozenset({"admin.login", "admin.check_login", "admin.check_step", "admin.begin_passkey_login"})
PASSWORD_ENDPOINTS = frozenset({"admin.password", "admin.change_password", "admin.logout"})

UNATTENDED = ("_events", "_snapshot")
"""Endings of endpoints that an open page calls by itself; they do not keep a session alive overnight."""

View = TypeVar("View", bound=Callable[..., Any])


def owners_only(page: View) -> View:
    """Mark a page that support may not see."""
    page.declared_for = "owner"  # type: ignore[attr-defined]
    return page


def support_too(action: View) -> View:
    """Mark an action that support may take."""
    action.declared_for = "support"  # type: ignore[attr-defined]
    return action


def may(operator: LoggedIn, endpoint: str, method: str = "GET") -> bool:
    """True if the operator may open that endpoint's page, or, with `POST`, take its action."""
    if operator.is_owner:
        return True
    role = getattr(current_app.view_functions.get(endpoint), "declared_for", None)
    if method in READING:
        # All exports are for owners only.
        return role != "owner" and not endpoint.startswith("admin.export")
    return role == "support"


def services() -> Services:
    return cast("Services", current_app.extensions["services"])


def operator() -> LoggedIn:
    """The operator who is logged in; there is one on every page but the login."""
    return cast("LoggedIn", g.operator)


def guard() -> Response | None:
    """Stop requests without a session and forms without a token; runs before each admin page."""
    token = session_token()
    is_attended = not (request.endpoint or "").endswith(UNATTENDED)
    g.operator = sessions.operator_for(services(), token, is_attended=is_attended) if token else None
    if request.method not in READING:
        _check_form()
    if request.endpoint in OPEN_ENDPOINTS:
        return None
    if g.operator is None:
        # The login leads on to the wanted page; the contents of a form are lost, so it must be sent again.
        wanted = request.full_path.rstrip("?") if request.method == "GET" else None
        return redirect(url_for("admin.login", next=wanted), 303)
    if g.operator.must_change_password and request.endpoint not in PASSWORD_ENDPOINTS:
        return redirect(url_for("admin.password"), 303)
    return None


def check_role() -> None:
    """Raise `Refused` if the role forbids the request; runs after `guard`, once the request is in the log."""
    if is_for_their_role():
        return
    action = (request.endpoint or "").removeprefix("admin.").replace("_", " ")
    asked = f"“{action}”" if request.method not in READING else "that page"
    owners = [one.name for one in operators.everyone(services()) if one.role == "owner"]
    raise Refused(
        f"Only an owner may do that. You are logged in as {operator().role}, so {asked} was refused and nothing was "
        f"changed. Who may: {', '.join(owners)}."
    )


def is_for_their_role() -> bool:
    """True if the operator's role allows the request; anybody may request a login."""
    endpoint = request.endpoint or ""
    return endpoint in OPEN_ENDPOINTS or may(operator(), endpoint, request.method)


def own_page(address: str) -> str | None:
    """URL of our own page at this path, for a redirect; None if the path is not on our pages."""
    # A header cannot hold a line break: the response would be an error although the action is done.
    is_ours = address.startswith("/admin/") and address.isprintable()
    return request.script_root + address if is_ours else None


def check_password() -> None:
    """Raise `Refused` unless the form holds the operator's password: for some actions a session is not enough."""
    if not login.is_password(services(), operator().operator_id, request.form.get("password", ""), browser_token()):
        raise Refused("The password is not right.")


def may_still_see() -> bool:
    """True if the operator may still see the page; a stream checks before each snapshot what the guard checks once."""
    g.operator = sessions.operator_for(services(), session_token() or "", is_attended=False)
    return g.operator is not None and not g.operator.must_change_password


def _check_form() -> None:
    if not _came_from_our_pages():
        raise Refused("This form was not sent from these pages. Open the page here and try again.")
    expected = request.cookies.get(_name(LOGIN)) if request.endpoint in OPEN_ENDPOINTS else form_token()
    given = request.form.get("csrf_token", "")
    if not expected or not hmac.compare_digest(given.encode(), expected.encode()):
        raise Refused("The page was open for too long, or cookies are off. Go back, load it again and try again.")


def _came_from_our_pages() -> bool:
    # Browsers tell it twice: in Sec-Fetch-Site (only to https and loopback) and in Origin (with every form).
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    if site not in {None, "same-origin", "none"}:
        return False
    if origin in {None, "null"}:
        return site == "same-origin"
    # Behind a proxy the host in the request may differ from the browser's; PUBLIC_URL holds the browser's.
    public = urlsplit(services().settings.address)
    return origin in {request.host_url.rstrip("/"), f"{public.scheme}://{public.netloc}".lower()}


def form_token() -> str:
    """The token that each form must carry; empty if nobody is logged in."""
    found: LoggedIn | None = g.get("operator")
    return found.csrf_token if found else ""


def login_token() -> str:
    """The token that the login form must carry; one per browser, so that two open login pages both work."""
    return request.cookies.get(_name(LOGIN)) or secrets.token_urlsafe(32)


def session_token() -> str | None:
    return request.cookies.get(_name(SESSION))


def browser_token() -> str | None:
    return request.cookies.get(_name(BROWSER))


def drop_session(response: Response) -> None:
    response.delete_cookie(_name(SESSION), path="/", secure=_is_https(), httponly=True, samesite="Lax")


def set_cookie(response: Response, name: str, value: str, seconds: int | None = None) -> None:
    response.set_cookie(
        _name(name), value, max_age=seconds, path="/", secure=_is_https(), httponly=True, samesite="Lax"
    )


def _name(cookie: str) -> str:
    # With this prefix, browsers refuse the cookie if a neighbouring host or plain http tries to set it.
    return f"__Host-{cookie}" if _is_https() else cookie


def _is_https() -> bool:
    return services().settings.address.lower().startswith("https://")
